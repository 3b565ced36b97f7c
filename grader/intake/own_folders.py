"""Files that are graded where they lie: beside helpers of a name that others have, or in a package."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grader.intake.candidates import same
from grader.intake.names import collision_key
from grader.intake.python_source import Source, modules_of
from lab.exercises import FILES, Exercise

_AT_HOME: Final = """import sys
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
"""Loads a file as its student does, in its folder: what it finds there is nobody else's."""


@dataclass(frozen=True, slots=True)
class OwnFolder:
    """What a file is loaded from in a folder of its own."""

    files: Mapping[str, bytes]
    """The code of the folder, by path from the top."""
    shim: bytes
    """What is loaded instead of the file in its place."""


def own_folder(source: Source, exercise: Exercise, sources: Sequence[Source]) -> OwnFolder | None:
    """The folder in which a file lies beside a helper of its own; None where no other is called so."""
    folders = [source.path.rpartition("/")[0], source.path.removesuffix(exercise.file).rstrip("/")]
    for folder in dict.fromkeys(filter(None, folders)):
        near = {
            each.path: each for each in sources if each.path.startswith(f"{folder}/") and not each.notebook
        }
        helpers = _helpers(folder, list(near.values()))
        if source.path in near and _are_others(helpers, sources):
            files = {path: each.content for path, each in near.items()}
            return OwnFolder(files, _shim(source, exercise, folder, files).encode())
    return None


def _shim(source: Source, exercise: Exercise, folder: str, paths: Collection[str]) -> str:
    """What loads the file: in its folder as a program, or from above it where it says ``from .utils``."""
    whole = source.path.removesuffix(".py")
    if source.tree is not None and any(getattr(node, "level", 0) for node in ast.walk(source.tree)):
        return _AT_HOME.format(file=exercise.file, folders=[], names=[], module=whole.replace("/", "."))
    start = len(folder) + 1
    names = sorted({path[start:].partition("/")[0].removesuffix(".py") for path in paths})
    module = whole[start:].replace("/", ".")
    return _AT_HOME.format(file=exercise.file, folders=[f"/{folder}"], names=names, module=module)


def _helpers(folder: str, near: Sequence[Source]) -> Iterator[Source]:
    """The files that lie in a folder, and which others there import."""
    imported = {module.rpartition(".")[2] for each in near for module, _ in modules_of(each, each.path)}
    imported |= {name for each in near for _, names in modules_of(each, each.path) for name in names}
    for each in near:
        name = each.path[len(folder) + 1 :]
        if "/" not in name and name.removesuffix(".py") in imported and not _is_of_lab(name):
            yield each


def _is_of_lab(name: str) -> bool:
    return any(file.rsplit("/", 1)[-1] == name for file in FILES)


def _are_others(helpers: Iterator[Source], sources: Sequence[Source]) -> bool:
    """Whether files elsewhere have the names of these, and are not the same."""
    return any(
        _name(each) == _name(helper) and same(each.content) != same(helper.content)
        for helper in helpers
        for each in sources
    )


def _name(source: Source) -> str:
    return collision_key(source.path.rsplit("/", 1)[-1])


def package_of(path: str, exercise: Exercise, files: Mapping[str, bytes]) -> str:
    """The package around a file that has the name of an exercise's module, and more in it; "" for none."""
    package = exercise.file.removesuffix(".py")
    others = [each for each in files if each.startswith(f"{package}/") and each.endswith(".py")]
    return package if path in others and len(others) > 1 else ""
