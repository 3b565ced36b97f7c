"""The student's files in the box: installed, compiled ahead, and loaded.

Nothing that a student handed in is ever written to a disk. Names that the submission shares with
the standard library mean the standard library, and ``lab`` is always the real one.

The files of a submission, compiled once for all children of its box.

Theory of operation. To compile runs none of the submission's code, but may take long, need much memory, or
end the interpreter. So a process of its own does it and hands over what it made, in the form of Python's own
``.pyc`` files. What it did not come to, a child compiles when it imports it, with the same result.
"""

from __future__ import annotations

import builtins
import gc
import marshal
import os
import posixpath
import resource
import select
import signal
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from io import BufferedWriter, FileIO, TextIOWrapper
from random import seed as seed_global_random
from time import monotonic
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple, NoReturn

from lab.steps import NOTE, StepRecorder
from lab.watch import Watch, watched_searches

from .limits import RECURSION_LIMIT
from .turns import PREPARE, compiled
from .values import class_name, clean, describe
from .wire import Pace

ROOT: Final = "/submission"

Codes = Mapping[tuple[str, bytes], CodeType]
"""What was compiled ahead, by the path that a file is imported by and its content."""


Run = Callable[[Callable[[], CodeType], ModuleType], None]
"""Runs a file, which the first argument compiles, as a module."""


def run_in_full(compile_it: Callable[[], CodeType], module: ModuleType) -> None:
    """Run all of a file."""
    exec(compile_it(), vars(module))  # noqa: S102 - in the box, which is there for it


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
        self._run(self.get_code, module)

    def get_code(self, fullname: str = "") -> CodeType:  # noqa: ARG002 - Python's signature
        """Return the file compiled. Raises SyntaxError, also for what is no text."""
        if self._code is not None:
            return self._code
        text = decoded(self._content, self.path)
        try:
            code = self.source_to_code(text, self.path)
        except (SyntaxError, ValueError) as error:
            if "null bytes" not in str(error):
                raise
            line = text.count("\n", 0, text.find("\0")) + 1
            raise SyntaxError("the file holds null bytes", (self.path, line, None, None)) from None
        return code

    def source_to_code(self, data: Any, path: str) -> CodeType:
        """Compile a text, or its tree, with its turns counted."""
        return compiled(data, path)

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
    if any(b"zoneinfo" in content for content in files.values()):
        with suppress(ImportError):
            import_module("tzdata")  # zones by name; what is loaded knows where its parts are
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


MOST_BYTES: Final = 64 * 1024
"""Files of 64 KB in all are compiled ahead, the smallest first."""
_CPU_SECONDS: Final = 1
_WALL_SECONDS: Final = 5.0
_CHUNK: Final = 65536


def compiled_ahead(files: Mapping[str, bytes]) -> Codes:
    """Return the code of the files that compile without a warning; none at all where compiling goes wrong."""
    some = _smallest(files)
    if not some:
        return {}
    source, sink = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            _compile(some, sink)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(sink)
    made = _read(source)
    os.close(source)
    if made is None:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if made is None or status:
        return {}
    codes: list[CodeType | None] = marshal.loads(made)  # noqa: S302 - written before any line of the submission ran
    return {each: code for each, code in zip(some, codes, strict=True) if code is not None}


def _smallest(files: Mapping[str, bytes]) -> list[tuple[str, bytes]]:
    """Return the smallest Python files, as long as there is room, with the paths to import them by."""
    chosen, left = [], MOST_BYTES
    for path, content in sorted(files.items(), key=lambda file: (len(file[1]), file[0])):
        left -= len(content)
        if path.endswith(".py") and left >= 0:
            chosen.append((f"{ROOT}/{path}", content))
    return chosen


def _compile(files: list[tuple[str, bytes]], sink: int) -> None:
    """Compile the files in a process of its own, and write the results to ``sink``."""
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    gc.disable()  # it would look at all that the process was forked with
    # a child's: code too deep to be walked through has no turns counted
    sys.setrecursionlimit(RECURSION_LIMIT)
    warnings.simplefilter("error")  # where there is something to say, each child has to say it
    view = memoryview(marshal.dumps([_code(path, content) for path, content in files]))
    while view:
        view = view[os.write(sink, view) :]


def _code(path: str, content: bytes) -> CodeType | None:
    try:
        return Loader(path, content).get_code()
    except Exception:  # noqa: BLE001 - a child is told of it when it imports the file
        return None


def _read(source: int) -> bytes | None:
    """Return all that is written; None where that takes too long."""
    deadline, made = monotonic() + _WALL_SECONDS, bytearray()
    poll = select.poll()
    poll.register(source, select.POLLIN)
    while poll.poll(max(0.0, deadline - monotonic()) * 1000):
        data = os.read(source, _CHUNK)
        if not data:
            return bytes(made)
        made += data
    return None


Message = dict[str, Any]


class ChildJob(NamedTuple):
    """What a child is to do, and where it answers."""

    files: Mapping[str, bytes]
    codes: Codes
    """Those of the files that are compiled already."""
    box_folder: str
    limits: Message
    round_id: int
    target: Message
    calls: list[Message]
    to_make: int
    """The number of calls that are made; the others are there so that nobody can tell how many will be."""
    pace: Pace
    search: str
    mark: bytes
    versions: list[str]
    """Other texts of the target's file, in base64; a call may name the number of the one that it is about."""
    lines: bool
    """Whether the lines that a call ran are reported."""
    steps: list[tuple[str, int]]
    """Files of the submission in which each step is reported, with a number that is added to their lines."""
    charged: bool
    """Whether what was left lying around in the code is not passed over."""


class Output:
    """How much a call may still print; what goes beyond is dropped, and ``note`` is called."""

    def __init__(self, most: int, note: Callable[[], None]) -> None:
        self._most = self.left = most
        self.note = note

    def begin(self) -> None:
        """Begin anew, with another call."""
        self.left = self._most


class _Bounded(FileIO):
    """A descriptor to which no more is written than the output has left."""

    def __init__(self, descriptor: int, output: Output) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._output = output

    def write(self, data: Any) -> int:
        """Write what there is room for, and tell of all of it that it was written."""
        output, size = self._output, len(data)
        if size > output.left:
            output.note()
            data = data[: output.left]
        output.left -= len(data)
        return size if not data else super().write(data) + size - len(data)


def recorder_of(files: Mapping[str, int]) -> StepRecorder:
    """Return what records the steps in these files, with the numbers that are added to their lines.

    It looks at all that runs: from now on each file of the submission is loaded so that it can.
    """
    from lab.noted import prepare  # which takes long to load

    begins = {f"{ROOT}/{file}": first for file, first in files.items()}
    recorder = StepRecorder(begins.__contains__, begins, lambda path: path.startswith(f"{ROOT}/"))
    setattr(builtins, NOTE, recorder.note)
    PREPARE.append(partial(prepare, recorder))
    return recorder


def furnish(job: ChildJob, output: Output, run: Run) -> None:
    """Give the process what a student expects of it."""
    sys.argv = [""]
    streams = {
        "stdin": open(0, encoding="utf-8", closefd=False),  # noqa: SIM115
        "stdout": _writer(1, output),
        "stderr": _writer(2, output),
    }
    for name, stream in streams.items():
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    for name in ("exit", "quit"):  # the site module has them, and is not loaded
        setattr(builtins, name, sys.exit)
    # what was compiled ahead tells nothing of its steps
    install(job.files, {} if job.steps else job.codes, job.box_folder, run)
    seed_global_random(0)


def _writer(descriptor: int, output: Output) -> Any:
    stream = BufferedWriter(_Bounded(descriptor, output))
    return TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", line_buffering=True)


def flush() -> None:
    """Write out what was printed so far."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except BaseException:  # noqa: BLE001, S112 - a stream of the student's own
            continue


SEARCH_FILE: Final = "solvers/search.py"
SEARCH_NAME: Final = "Search"


class MissingError(Exception):
    """The target's file or name does not exist; ``kind`` says which, ``found`` what has the name."""

    def __init__(self, kind: str, message: str, found: str = "") -> None:
        super().__init__(message)
        self.kind, self.found = kind, found


class SearchNotLoaded(Exception):  # noqa: N818 - students read this name
    """A solver used its search, and there is none, since solvers/search.py is broken."""


Load = Callable[[str, str], ModuleType]
"""Imports a module of the submission, for the sake of a name in it."""


def find(files: Mapping[str, bytes], file: str, name: str, load: Load) -> Any:
    """Load a file of the submission, and return the object that it calls ``name``. Raises MissingError."""
    if file not in files:
        raise MissingError("no file", f"the file {file} was not handed in")
    module = load(file.removesuffix(".py").replace("/", "."), name)
    try:
        target = getattr(module, name)
    except AttributeError:
        raise MissingError("no name", f"{file} has no {name}") from None
    if not callable(target):
        found = describe(target)
        raise MissingError("no class", f"{file}: expected {name} to be a class, got {found}", found)
    return target


class _Unusable:
    """Stands in for a search that cannot be had: any use of it says why."""

    def __init__(self, reason: str) -> None:
        object.__setattr__(self, "reason", reason)

    def __getattribute__(self, name: str) -> NoReturn:
        raise SearchNotLoaded(object.__getattribute__(self, "reason"))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise SearchNotLoaded(object.__getattribute__(self, "reason"))


def searches(files: Mapping[str, bytes], load: Load) -> Callable[[Watch], Any]:
    """Return a function that makes new searches: watched ones of the submission, or stand-ins.

    A broken Search must not break solvers that keep their own queue. The file is loaded at the first use,
    within the limits of that call.
    """
    loaded: list[Callable[[Watch], Any]] = []

    def new_search(watch: Watch) -> Any:
        try:
            if not loaded:
                loaded.append(watched_searches(find(files, SEARCH_FILE, SEARCH_NAME, load)))
            return loaded[0](watch)
        except MemoryError:
            raise
        except BaseException:  # noqa: BLE001 - whatever leaves the student's file is told to who uses it
            return _Unusable(f"{SEARCH_FILE} could not be used: {_reason()}")

    return new_search


def _reason() -> str:
    error = sys.exc_info()[1]
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - a student's __str__ may do anything
        text = ""
    if isinstance(error, MissingError):
        return text
    return clean(f"{class_name(error)}: {text}" if text else class_name(error), 300)
