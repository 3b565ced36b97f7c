"""The submission as Python's import system sees it: files in memory, under a folder that is not there.

Nothing that a student handed in is ever written to a disk. Names that the submission shares with
the standard library mean the standard library, and ``lab`` is always the real one.
"""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Callable, Mapping
from importlib.machinery import ModuleSpec, PathFinder
from types import CodeType, ModuleType
from typing import Final

from .turns import compiled

ROOT: Final = "/submission"

Codes = Mapping[tuple[str, bytes], CodeType]
"""What was compiled ahead, by the path that a file is imported by and its content."""


Run = Callable[[CodeType, ModuleType], None]
"""Runs a compiled file as a module."""


def run_in_full(code: CodeType, module: ModuleType) -> None:
    """Run all of a file."""
    exec(code, vars(module))  # noqa: S102 - in the box, which is there for it


class Loader:
    """Runs one file of the submission as a module."""

    def __init__(
        self, path: str, content: bytes, code: CodeType | None = None, run: Run = run_in_full
    ) -> None:
        """Take a file; ``code`` is its content compiled, where that was done before."""
        self.path, self._content, self._code, self._run = path, content, code, run

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:  # noqa: ARG002 - Python's signature
        """Leave it to Python to make the module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Compile the file and run it."""
        self._run(self.get_code(), module)

    def get_code(self, fullname: str = "") -> CodeType:  # noqa: ARG002 - Python's signature
        """Return the file compiled. Raises SyntaxError, also for what is no text."""
        if self._code is not None:
            return self._code
        text = decoded(self._content, self.path)
        try:
            code = compiled(text, self.path)
        except (SyntaxError, ValueError) as error:
            if "null bytes" not in str(error):
                raise
            line = text.count("\n", 0, text.find("\0")) + 1
            raise SyntaxError("the file holds null bytes", (self.path, line, None, None)) from None
        return code

    def get_source(self, fullname: str = "") -> str:  # noqa: ARG002 - Python's signature
        """Return the text of the file, for tracebacks. Raises ImportError."""
        try:
            return decoded(self._content, self.path)
        except SyntaxError as error:
            raise ImportError(f"{self.path} is no text: {error}") from None

    def get_filename(self, fullname: str = "") -> str:  # noqa: ARG002 - Python's signature
        """Return the path that ``__file__`` shows."""
        return self.path


def decoded(content: bytes, path: str) -> str:
    """Read a source file as text, as Python would. Raises a SyntaxError that names file and line."""
    encoding = "utf-8-sig"
    if any(b"coding" in line for line in content.split(b"\n", 2)[:2]):
        encoding = _declared(content, path)
    try:
        text = content.decode(encoding)
    except ValueError as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content.count(b"\n", 0, start) + 1
        message = f"the file is no text in {encoding.removesuffix('-sig')}: {error}"
        raise SyntaxError(message, (path, line, None, None)) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _declared(content: bytes, path: str) -> str:
    """Return the encoding that a line such as ``# coding: latin-1`` names."""
    from io import BytesIO
    from tokenize import detect_encoding

    try:
        return detect_encoding(BytesIO(content).readline)[0]
    except SyntaxError as error:
        raise SyntaxError(error.msg, (path, 1, None, None)) from None


class Finder:
    """Finds the modules of one folder of the submission."""

    def __init__(self, files: Mapping[str, bytes], codes: Codes, folder: str, run: Run) -> None:
        self._files, self._codes, self._folder, self._run = files, codes, folder, run

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002 - Python's signature
        """Look for a package, a module and a folder of that name, in Python's order."""
        name = posixpath.join(self._folder, fullname.rpartition(".")[2])
        for path, is_package in ((f"{name}/__init__.py", True), (f"{name}.py", False)):
            if path in self._files:
                return self._spec(fullname, path, is_package)
        if not any(path.startswith(f"{name}/") for path in self._files):
            return None
        spec = ModuleSpec(fullname, None)
        spec.submodule_search_locations = [f"{ROOT}/{name}"]
        return spec

    def invalidate_caches(self) -> None:
        """Do nothing: nothing is cached."""

    def _spec(self, fullname: str, path: str, is_package: bool) -> ModuleSpec:
        whole, content = f"{ROOT}/{path}", self._files[path]
        loader = Loader(whole, content, self._codes.get((whole, content)), self._run)
        spec = ModuleSpec(fullname, loader, origin=loader.path, is_package=is_package)  # type: ignore[arg-type]  # importlib.abc is slow to load
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [posixpath.dirname(loader.path)]
        return spec


def look_into_folders() -> None:
    """Have Python note what lies in the folders of ``sys.path``, so that no child has to look."""
    PathFinder.find_spec("no module")


def install(files: Mapping[str, bytes], codes: Codes, box_folder: str, run: Run) -> None:
    """Put the submission last on ``sys.path``, and remove the runner's own folder from it.

    ``lab`` stays importable, since it is loaded and knows where its parts are. The runner's modules leave
    ``sys.modules``: a student's file may have the name of one.
    """
    folders = {"", *(folder for path in files for folder in _parents(path))}

    def hook(path: str) -> Finder:
        folder = _inside(path)
        if folder is None or folder not in folders:
            raise ImportError(f"{path} is no folder of the submission")
        return Finder(files, codes, folder, run)

    sys.path_hooks.insert(0, hook)
    sys.path[:] = [*(path for path in sys.path if path != box_folder), ROOT]
    own = __name__.partition(".")[0]
    for name in [name for name in sys.modules if name.partition(".")[0] == own]:
        del sys.modules[name]


def _parents(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: end + 1]) for end in range(len(parts))]


def _inside(path: str) -> str | None:
    """Return which folder of the submission a path means, absolute or relative; None for other paths."""
    normal = posixpath.normpath(path)
    if normal == ROOT or normal == ".":
        return ""
    if normal.startswith(f"{ROOT}/"):
        return normal[len(ROOT) + 1 :]
    return None if normal.startswith(("/", "..")) else normal
