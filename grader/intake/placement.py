"""Puts the files that are meant where the lab expects them, with the helpers that stand beside them.

A file that stands for one exercise is moved to its place. What serves several exercises, comes from a
notebook, or has a helper beside it stays a module of its own, in its folder, and a stand-in loads it from
there: with the folder on the path while it is loaded, so that each file finds its own helpers. Whatever else
a file imports, it has to find by itself; where it does not, Python's words are told.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from grader.intake.candidates import lab_names
from grader.intake.choice import Work
from grader.intake.names import Source, imported_modules
from grader.intake.notebooks import standalone_module
from grader.languages import said
from grader.model import Remark
from grader.text import shown
from lab.exercises import EXERCISES, FILES, LAB_FILES, Exercise

_STAND_IN: Final = """import sys
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
"""It loads a file in its folders, without the helpers of the same names that others have loaded."""
_SAME_MODULE: Final = """import sys
from importlib import import_module

sys.modules[__name__] = import_module({module!r})
"""
"""It stands for another module."""
_PACKAGES: Final = sorted({file.partition("/")[0] for file in LAB_FILES if "/" in file})
"""The lab's folders, from which a student's files are imported."""
_NOT_OWN: Final[Collection[str]] = {*sys.stdlib_module_names, "lab", "__future__"}
"""Modules of these names are never taken from the submission."""
_MOST_NEAR: Final = 50
"""At most 50 files beside one are taken for its helpers."""
_MOST_IMPORTING: Final = 500
"""The imports of at most 500 files are followed, since helpers may need other helpers."""


@dataclass(slots=True)
class Placed:
    """The files of a submission, with those of the lab in their places."""

    files: dict[str, bytes]
    """The files by path below the root."""
    root: str
    sources: Sequence[Source]
    """All Python files of the submission, by path from the top."""
    remarks: list[Remark] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    """The paths of the files that are used from elsewhere."""
    _came_from: dict[str, str] = field(default_factory=dict)
    """The folder from which a file was moved, by its new path."""


def place(
    files: Mapping[str, bytes], root: str, works: Mapping[Exercise, Work], sources: Sequence[Source]
) -> Placed:
    """Put the files that are meant for the exercises in their places."""
    placed = Placed(dict(files), root, sources)
    served: dict[str, list[Exercise]] = {}
    for exercise, work in works.items():
        served.setdefault(work.source.path, []).append(exercise)
    stay = {root + each.file for each in EXERCISES if each not in works}
    near = {path: _with_helpers(works[each[0]].source, each, placed) for path, each in served.items()}
    for path in served:
        if path not in stay and not near[path]:
            placed.files.pop(path.removeprefix(root), None)
    for path, exercises in served.items():
        source = works[exercises[0]].source
        placed.taken.add(source.name)
        if near[path]:
            _keep(source, exercises[0], near[path], placed)
        elif len(exercises) == 1 and path not in stay and not source.is_notebook:
            _move(source, exercises[0], placed)
        else:
            _share(source, exercises, placed, stays=path in stay)
    hidden = [package for package in _PACKAGES if f"{package}.py" in placed.files]
    placed.files |= {path: b"" for each in hidden if (path := f"{each}/__init__.py") not in placed.files}
    _resolve(placed)
    return placed


def _move(source: Source, exercise: Exercise, placed: Placed) -> None:
    placed.files[exercise.file] = source.content
    placed._came_from[exercise.file] = source.path.rpartition("/")[0]
    if source.notebook:
        _remark_taken(source, exercise, placed)
    elif placed.root + exercise.file != source.path:
        names = {"source": shown(source.path), "file": exercise.file}
        placed.remarks.append(Remark("moved", **names, message=said("intake_moved", **names)))


def _remark_taken(source: Source, exercise: Exercise, placed: Placed) -> None:
    name = shown(source.name)
    message = said("intake_taken", name=exercise.name, source=name)
    placed.remarks.append(Remark("taken", name, exercise.file, message))


def _share(source: Source, exercises: Sequence[Exercise], placed: Placed, *, stays: bool) -> None:
    """Serve several exercises, or those of a notebook, from one module."""
    home = source.path.removeprefix(placed.root) if stays else _home(source, placed)
    if not stays:
        placed.files[home] = standalone_module(source.text).encode()
    module = home.removesuffix(".py").replace("/", ".")
    for exercise in exercises:
        placed.files[exercise.file] = _SAME_MODULE.format(module=module).encode()
        _remark_taken(source, exercise, placed)


def _keep(source: Source, exercise: Exercise, near: Mapping[str, Sequence[Source]], placed: Placed) -> None:
    """Keep a file in its folder, with the helpers near it, and load it from there: with the folder on the
    path, or from above it where it imports them with a dot."""
    hides = any(source.path.startswith(f"{each.file.removesuffix('.py')}/") for each in EXERCISES)
    begin = "handed_in/" if hides else ""
    helpers = [each for found in near.values() for each in found]
    placed.files |= {begin + each.path: each.content for each in (source, *helpers)}
    placed.taken |= {each.path for each in helpers}
    folder, name = source.path.rpartition("/")[0], _stem(source)
    is_relative = source.tree is not None and any(getattr(n, "level", 0) for n in ast.walk(source.tree))
    values = {
        "folders": [] if is_relative else [f"/{begin}{each}" for each in near],
        "names": [name, *sorted(set(map(_stem, helpers)))],
        "module": f"{begin}{folder}/{name}".replace("/", ".") if is_relative else name,
    }
    placed.files[exercise.file] = _STAND_IN.format(file=exercise.file, **values).encode()
    _remark_taken(source, exercise, placed)


def _with_helpers(source: Source, exercises: Sequence[Exercise], placed: Placed) -> dict[str, list[Source]]:
    """Return the folders around a file from which it imports, each with the files in it; none where all lie
    in the root, or where something else has a path of theirs."""
    around_file = source.path.rpartition("/")[0]
    around = [around_file, source.path.removesuffix(exercises[0].file).rstrip("/")]
    imported = list(imported_modules(source, source.path.rpartition("/")[2]))
    wanted = {name for module, names in imported for name in ((module,) if module else names)}
    own = [each for each in placed.sources if not (each.notebook or each.is_notebook)]
    found = {}
    for folder in dict.fromkeys(filter(None, around)):
        near = [each for each in own if each.path.rpartition("/")[0] == folder and each is not source]
        near = [each for each in near if each.path.rpartition("/")[2] not in lab_names()]
        if f"{folder}/" != placed.root and any(_stem(each) in wanted for each in near):
            found[folder] = near[:_MOST_NEAR]
    paths = [source, *(each for near in found.values() for each in near)]
    is_free = all(placed.files.get(each.path, each.content) == each.content for each in paths)
    is_own = source in own and source.path not in FILES and "." not in around_file
    return {around_file: [], **found} if found and len(exercises) == 1 and is_free and is_own else {}


def _stem(source: Source) -> str:
    return source.path.rpartition("/")[2].removesuffix(".py")


def _home(source: Source, placed: Placed) -> str:
    """Return a path at which a file can be loaded and hides no other module: its own name, if possible.

    ``import_module`` loads modules whose names an ``import`` statement could not spell, but not with a dot in
    them.
    """
    *folders, last = source.path.split("/")
    stem = re.sub(r"(\.py|\.txt|\.ipynb|\.json)+$", "", last, flags=re.IGNORECASE)
    folder = "".join(f"{each}/" for each in folders if "." not in each)
    wished = f"{folder}{stem.replace('.', '_')}.py"
    taken = {*FILES, *placed.files}
    numbered = (f"handed_in{number or ''}/{stem.replace('.', '_')}.py" for number in range(len(taken) + 1))
    return next(
        path
        for path in (wished, *numbered)
        if path not in taken
        and path.removesuffix(".py") not in _PACKAGES
        and path.partition("/")[0].removesuffix(".py") not in _NOT_OWN
    )


# --- helpers that a file imports by the name that they had ------------------------------------------


def _resolve(placed: Placed) -> None:
    """Add the helpers that files import under names at which nothing lies, from where these came from."""
    left, seen = [each.file for each in EXERCISES], set[str]()
    while left and len(seen) < _MOST_IMPORTING:
        importer = left.pop()
        if importer in seen or importer not in placed.files:
            continue
        seen.add(importer)
        for module in _imported(importer, placed):
            path = f"{module.replace('.', '/')}.py"
            if not _has(module, placed) and (content := _find(path, importer, placed)) is not None:
                placed.files[path] = content
            left.append(path)


def _imported(importer: str, placed: Placed) -> Iterator[str]:
    """Yield the modules that a file imports, and what may be one of a package."""
    for module, names in imported_modules(Source(importer, placed.files[importer]), importer):
        yield module
        if f"{module.replace('.', '/')}.py" not in placed.files:
            yield from (f"{module}.{name}" for name in names)


def _has(module: str, placed: Placed) -> bool:
    """Tell whether an import of the module finds something, or cannot be meant for a file."""
    path, top = module.replace(".", "/"), module.partition(".")[0]
    if top in _NOT_OWN or not all(map(str.isidentifier, module.split("."))):
        return True
    return f"{path}.py" in placed.files or any(each.startswith(f"{path}/") for each in placed.files)


def _find(path: str, importer: str, placed: Placed) -> bytes | None:
    """Return a helper for a path from the folder in which the importing file was, or the module of the lab's
    file that has the name."""
    name = path.rpartition("/")[2].casefold()
    for exercise in EXERCISES:
        if name == f"{exercise.stem}.py" and exercise.file in placed.files:
            return _SAME_MODULE.format(module=exercise.module).encode()
    folder = placed._came_from.get(importer, (placed.root + importer).rpartition("/")[0])
    places = {folder.casefold(), placed.root.rstrip("/").casefold()}
    for each in placed.sources:
        around, _, last = each.path.casefold().rpartition("/")
        if last == name and around in places and not each.is_notebook:
            placed._came_from[path] = folder
            placed.taken.add(each.name)
            if around != folder.casefold():  # what stands beside a file is found without more
                names = {"source": shown(each.path), "file": path}
                placed.remarks.append(Remark("helper", **names, message=said("intake_helper", **names)))
            return each.content
    return None
