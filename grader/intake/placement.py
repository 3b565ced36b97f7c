"""Moves files to where the lab expects them, and helpers to where imports look for them.

A file in a package, or beside helpers whose names other files share, is graded where it lies.
"""

from __future__ import annotations

import ast
import keyword
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from grader.intake.candidates import Choice, comparable_content, lab_names
from grader.intake.names import collision_key
from grader.intake.notebooks import standalone_module
from grader.intake.python_source import Source, imported_modules
from grader.languages import said
from grader.model import Remark
from grader.text import shown
from lab.exercises import EXERCISES, FILES, LAB_FILES, Exercise

_SAME_MODULE: Final = """import sys
from importlib import import_module

sys.modules[__name__] = import_module({module!r})
"""
"""This file stands in for another module."""
_ROUNDS: Final = 20
"""Imports of helpers are followed 20 levels deep, since helpers may need other helpers."""


@dataclass(slots=True)
class Places:
    """The files of a submission while they are moved to their places."""

    files: dict[str, bytes]
    """The files by path below the root."""
    root: str
    sources: Sequence[Source]
    """All Python files of the submission, by path from the top."""
    remarks: list[Remark] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    """The paths of the files that were moved to a place."""
    _chosen: list[str] = field(default_factory=list)
    _moved: dict[str, str] = field(default_factory=dict)
    """The new module of a file, by its former path."""
    _came_from: dict[str, str] = field(default_factory=dict)
    """The former path of a file, by its new one."""

    def place_all(self, choices: Mapping[Exercise, Choice]) -> None:
        """Move each chosen file to its place; a file that serves several exercises stays one module."""
        served: dict[str, list[Exercise]] = {}
        for exercise, choice in choices.items():
            served.setdefault(choice.source.path, []).append(exercise)
        needed = {each.file for each in EXERCISES if each not in choices and each.file in self.files}
        self._chosen = list(served)
        for path in served:
            if self._inner(path) not in needed:
                self.files.pop(self._inner(path), None)
        for path, exercises in served.items():
            source = choices[exercises[0]].source
            self.taken.add(source.name)
            if len(exercises) == 1 and self._leave(source, exercises[0]):
                self._remark_taken(source, exercises[0])
            elif len(exercises) == 1 and not source.is_notebook and self._inner(path) not in needed:
                self._move(source, exercises[0])
            else:
                self._share(source, exercises, stays=self._inner(path) in needed)
        self._open_packages()
        self._resolve()

    def _leave(self, source: Source, exercise: Exercise) -> bool:
        """Keep a file where it lies if that is in a package or a folder of its own; tell whether it was
        kept."""
        inner = self._inner(source.path)
        if source.is_notebook or source.notebook:
            return False
        package = enclosing_package(inner, exercise, {**self.files, inner: source.content})
        if package:
            module, top = inner.removesuffix(".py").replace("/", "."), f"{package}/__init__.py"
            opening = self.files.get(top, b"")
            if not opening or not Source(top, opening).may_bind(exercise.name):
                self.files[top] = opening + f"\nfrom {module} import {exercise.name}\n".encode()
            self.files |= {inner: source.content, exercise.file: _SAME_MODULE.format(module=module).encode()}
            self._moved[inner] = module
            return True
        beside = [each for each in self._chosen if each.rpartition("/")[0] == source.path.rpartition("/")[0]]
        own = find_own_folder(source, exercise, self.sources) if len(beside) == 1 else None
        if own is None or any(self.files.get(path, text) != text for path, text in own.files.items()):
            return False
        self.files |= {**own.files, exercise.file: own.shim}
        self.taken |= own.files.keys()
        self._moved[inner] = exercise.module
        return True

    def _open_packages(self) -> None:
        """Add an ``__init__.py`` to folders of the lab beside which Python would find a module of that
        name first."""
        for package in _PACKAGES:
            if f"{package}.py" in self.files:
                self.files.setdefault(f"{package}/__init__.py", b"")

    def _inner(self, path: str) -> str:
        return path.removeprefix(self.root)

    def _move(self, source: Source, exercise: Exercise) -> None:
        self.files[exercise.file] = source.content
        self._came_from[exercise.file] = source.path
        self._moved[self._inner(source.path)] = exercise.module
        if source.notebook:
            self._remark_taken(source, exercise)
            return
        names = {"source": shown(source.path), "file": exercise.file}
        self.remarks.append(Remark("moved", **names, message=said("intake_moved", **names)))

    def _remark_taken(self, source: Source, exercise: Exercise) -> None:
        name = shown(source.name)
        message = said("intake_taken", name=exercise.name, source=name)
        self.remarks.append(Remark("taken", name, exercise.file, message))

    def _share(self, source: Source, exercises: Sequence[Exercise], *, stays: bool) -> None:
        """Serve several exercises, or those of a notebook, from one module."""
        home = self._inner(source.path) if stays else self._home(source)
        if not stays:
            self.files[home] = standalone_module(source.text).encode()
        module = home.removesuffix(".py").replace("/", ".")
        self._moved[self._inner(source.path)] = module
        for exercise in exercises:
            self.files[exercise.file] = _SAME_MODULE.format(module=module).encode()
            self._remark_taken(source, exercise)

    def _home(self, source: Source) -> str:
        """Return a path at which the file can be loaded and hides no other module: its own name, if possible.

        ``import_module`` loads modules whose names an ``import`` statement could not spell, but not with a
        dot in them.
        """
        inner = self._inner(source.path)
        stem = re.sub(r"(\.py|\.txt|\.ipynb)+$", "", inner.rsplit("/", 1)[-1], flags=re.IGNORECASE)
        name = f"{stem.replace('.', '_')}.py"
        is_plain = inner.endswith(".py") and "." not in inner.removesuffix(".py")
        wished = inner if is_plain else name
        taken = {*FILES, *self.files}
        numbered = (f"handed_in{number or ''}/{name}" for number in range(len(taken) + 1))
        return next(
            path
            for path in (wished, *numbered)
            if path not in taken
            and path.removesuffix(".py") not in _PACKAGES
            and path.removesuffix(".py").partition("/")[0] not in _NOT_OWN
        )

    # --- imports ----------------------------------------------------------------------------------

    def _resolve(self) -> None:
        """Make imports of former names find the files that were moved, and add the helpers that they need."""
        for _ in range(_ROUNDS):
            wanted = {module: path for module, path in self._imported() if not self._has(module)}
            found = [
                (module, content)
                for module, path in wanted.items()
                if (content := self._find(module, path)) is not None
            ]
            for module, content in found:
                self.files.setdefault(f"{module.replace('.', '/')}.py", content)
            if not found:
                return

    def _imported(self) -> Iterator[tuple[str, str]]:
        """Yield the modules that the graded files import, directly or not, each with the path of the
        importing file; tests beside them are not run."""
        left = [each.file for each in EXERCISES] + [
            _module_files(module)[0] for module in self._moved.values()
        ]
        seen: set[str] = set()
        while left:
            path = left.pop()
            if path in seen or path not in self.files:
                continue
            seen.add(path)
            for module, names in imported_modules(Source(path, self.files[path]), path):
                inner = [f"{module}.{name}" for name in names]
                yield from (
                    (each, path) for each in ([module] if self._is_file(module) else [module, *inner])
                )
                left += [file for each in (module, *inner) for file in _module_files(each)]

    def _is_file(self, module: str) -> bool:
        path = module.replace(".", "/")
        return f"{path}.py" in self.files or f"{path}/__init__.py" in self.files

    def _has(self, module: str) -> bool:
        """Tell whether an import of the module finds a file here, or a module from elsewhere."""
        top = module.partition(".")[0]
        if not _is_importable(module.replace(".", "/")) or self._is_file(module):
            return True
        folder = f"{module.replace('.', '/')}/"
        return top in _NOT_OWN or any(path.startswith(folder) for path in self.files)

    def _find(self, module: str, importer: str) -> bytes | None:
        path = f"{module.replace('.', '/')}.py"
        target = self._target(path)
        if target is not None:
            return _SAME_MODULE.format(module=target).encode()
        name = path.rsplit("/", 1)[-1]
        ends = (path.casefold(), name.casefold())
        for end in ends:
            helpers = [each for each in self.sources if f"/{each.path.casefold()}".endswith(f"/{end}")]
            if len({comparable_content(each.content) for each in helpers}) > 1:
                folder = self._came_from.get(importer, self.root + importer).rpartition("/")[0]
                helpers = [each for each in helpers if each.path.rpartition("/")[0] == folder]
            if len({comparable_content(each.content) for each in helpers}) == 1:
                self.taken.add(helpers[0].name)
                names = {"source": shown(helpers[0].path), "file": path}
                self.remarks.append(Remark("helper", **names, message=said("intake_helper", **names)))
                return helpers[0].content
        return None

    def _target(self, path: str) -> str | None:
        """Return the module that is meant by a path at which a file of the lab was; None if there is none."""
        by_path = {old.casefold(): module for old, module in self._moved.items()}
        by_name = {old.rsplit("/", 1)[-1]: module for old, module in by_path.items()}
        lab = {f"{each.stem}.py": each.module for each in EXERCISES if each.file in self.files}
        name = path.casefold().rsplit("/", 1)[-1]
        return by_path.get(path.casefold()) or by_name.get(name) or lab.get(name)


_PACKAGES: Final = sorted({file.partition("/")[0] for file in LAB_FILES if "/" in file})
"""The lab's folders, from which a student's files are imported."""
_NOT_OWN: Final[Collection[str]] = {*sys.stdlib_module_names, "lab", "__future__"}
"""Modules of these names are never taken from the submission."""


def _module_files(module: str) -> list[str]:
    """Return the files that Python may run to import a module: its own, its package's, and those of outer
    packages."""
    parts = module.split(".")
    packages = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    return [f"{packages[-1]}.py", *(f"{package}/__init__.py" for package in packages)]


def _is_importable(path: str) -> bool:
    parts = path.split("/")
    return parts[0] not in _NOT_OWN and all(p.isidentifier() and not keyword.iskeyword(p) for p in parts)


# --- files that are graded where they lie ----------------------------------------------------------

_OWN_FOLDER_LOADER: Final = """import sys
from importlib import import_module

root = __file__.removesuffix("/{file}")
folders = [root + folder for folder in {folders}]
others = {{name: sys.modules.pop(name) for name in {names} if name in sys.modules}}
sys.path[sys.path.index(root) : sys.path.index(root)] = folders
try:
    module = import_module({module!r})
finally:
    sys.path[:] = [path for path in sys.path if path not in folders] + folders
    for name in {names}:
        sys.modules.pop(name, None)
    sys.modules.update(others)
sys.modules[__name__] = module
"""
"""This stand-in loads a file as its student does, in its folder, where it finds its own helpers and no
others."""


@dataclass(frozen=True, slots=True)
class OwnFolder:
    """The files from which a source is loaded in a folder of its own."""

    files: Mapping[str, bytes]
    """The code of the folder, by path from the top."""
    shim: bytes
    """The stand-in that lies in the exercise's place and loads the file."""


def find_own_folder(source: Source, exercise: Exercise, sources: Sequence[Source]) -> OwnFolder | None:
    """Return the folder in which a file lies beside a helper whose name other files share; None if there
    is none."""
    folders = [source.path.rpartition("/")[0], source.path.removesuffix(exercise.file).rstrip("/")]
    for folder in dict.fromkeys(filter(None, folders)):
        near = {
            each.path: each for each in sources if each.path.startswith(f"{folder}/") and not each.notebook
        }
        helpers = _helpers(folder, list(near.values()))
        if source.path in near and _names_are_shared(helpers, sources):
            files = {path: each.content for path, each in near.items()}
            return OwnFolder(files, _shim(source, exercise, folder, files).encode())
    return None


def _shim(source: Source, exercise: Exercise, folder: str, paths: Collection[str]) -> str:
    """Return the stand-in for a file: it loads the file in its folder, or from above it for ``from
    .utils``."""
    whole = source.path.removesuffix(".py")
    if source.tree is not None and any(getattr(node, "level", 0) for node in ast.walk(source.tree)):
        return _OWN_FOLDER_LOADER.format(
            file=exercise.file, folders=[], names=[], module=whole.replace("/", ".")
        )
    start = len(folder) + 1
    names = sorted({path[start:].partition("/")[0].removesuffix(".py") for path in paths})
    module = whole[start:].replace("/", ".")
    return _OWN_FOLDER_LOADER.format(file=exercise.file, folders=[f"/{folder}"], names=names, module=module)


def _helpers(folder: str, near: Sequence[Source]) -> Iterator[Source]:
    """Yield the files that lie directly in a folder and that others there import."""
    imported = {module.rpartition(".")[2] for each in near for module, _ in imported_modules(each, each.path)}
    imported |= {name for each in near for _, names in imported_modules(each, each.path) for name in names}
    for each in near:
        name = each.path[len(folder) + 1 :]
        if "/" not in name and name.removesuffix(".py") in imported and name not in lab_names():
            yield each


def _names_are_shared(helpers: Iterator[Source], sources: Sequence[Source]) -> bool:
    """Tell whether files elsewhere have the names of these, but different contents."""
    return any(
        _name(each) == _name(helper)
        and comparable_content(each.content) != comparable_content(helper.content)
        for helper in helpers
        for each in sources
    )


def _name(source: Source) -> str:
    return collision_key(source.path.rsplit("/", 1)[-1])


def enclosing_package(path: str, exercise: Exercise, files: Mapping[str, bytes]) -> str:
    """Return the package that has the path of an exercise's module and holds this file; "" if there is
    none."""
    package = exercise.file.removesuffix(".py")
    others = [each for each in files if each.startswith(f"{package}/") and each.endswith(".py")]
    return package if path in others and len(others) > 1 else ""
