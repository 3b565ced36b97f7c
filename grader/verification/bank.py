"""A bank of submissions whose worth is known: right ones, and wrong ones with one mistake each.

``right.yaml`` and ``wrong.yaml`` say what each must get, and ``mistake`` which misconception it holds.
What is handed in is ``base/``, a right submission, with one file replaced by ``<kind>/<name>.py``, or with
the files of the folder ``<kind>/<name>/``; a table may hold files itself.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from grader import shipped
from grader.course.yaml.value import hint, quoted
from grader.errors import InputError
from grader.exercises.kit.folders.code import KNOWN, OwnExercise
from grader.verification.bank_tables import IDS as _IDS
from grader.verification.bank_tables import entries
from lab.exercises import BY_ID, LAB_EXERCISES, LAB_FILES, SOLVER_IDS

SHIPPED: Final = shipped.bank()
"""The bank that comes with the grader."""
KINDS: Final = ("right", "wrong")
_BY_FILE: Final = {
    exercise.file: frozenset((exercise.id, *SOLVER_IDS) if exercise.kind == "script" else (exercise.id,))
    for exercise in LAB_EXERCISES
}
"""The exercises that have to do with a file: all solvers with that of the search."""


@dataclass(frozen=True, slots=True)
class KnownSubmission:
    """A submission whose worth is known."""

    name: str
    files: Mapping[str, bytes]
    loses: frozenset[str] = frozenset()
    """The exercises in which it must lose points; none of a right one."""
    may_lose: frozenset[str] = frozenset()
    """Those of which nothing is known: they hang on the mistake, or not."""
    earns_nothing: bool = False
    """It is still to be written."""
    exercises: frozenset[str] = frozenset(_IDS)
    """Those that tell anything: in the others it is the base, file by file."""
    mistakes: frozenset[str] = frozenset()
    """The misconceptions that it holds, such as ``dfs.west-first``."""


def load_bank(folder: Path) -> list[KnownSubmission]:
    """All right and wrong submissions of a bank, with the reference and the untouched template, which have
    the exercises of a course's own as well.

    Raises InputError where there is none, or something in it is wrong.
    """
    own = [code.exercise for code in KNOWN.values()]
    ids = frozenset((*_IDS, *(each.id for each in own)))
    answers = {each.file: each.reference.encode() for each in own}
    skeletons = {each.file: each.skeleton.encode() for each in own}
    reference = KnownSubmission(
        "reference", _exercises_in(shipped.folder("reference")) | answers, exercises=ids
    )
    handed_out = dict(zip(LAB_FILES, shipped.template(), strict=True))
    template = KnownSubmission("template", handed_out | skeletons, earns_nothing=True, exercises=ids)
    known = (known for kind in KINDS for known in _of_kind(folder, kind))
    return [reference, template, *known, *(known for each in own for known in _of_folder(each, reference))]


def _of_folder(own: OwnExercise, reference: KnownSubmission) -> Iterator[KnownSubmission]:
    """The submissions that the folder of an exercise brings, with all else right."""
    for kind in KINDS:
        for name, files in own.known[kind].items():
            loses = frozenset({own.id}) if kind == "wrong" else frozenset()
            yield KnownSubmission(
                f"{kind}--{own.id}-{name}", {**reference.files, **files}, loses, exercises=frozenset({own.id})
            )


def _exercises_in(folder: Path) -> dict[str, bytes]:
    return {file: (folder / file).read_bytes() for file in LAB_FILES}


def _of_kind(folder: Path, kind: str) -> Iterator[KnownSubmission]:
    path = folder / f"{kind}.yaml"
    if not path.exists():
        raise InputError(f"expected a bank with {kind}.yaml, found none", path=path)
    base = read(folder / "base")
    if not base:
        raise InputError("expected a bank with a right submission in its folder base", path=folder / "base")
    for name, place, settings in entries(path):
        loses = frozenset(id_ for id_ in _IDS if id_ in settings)
        may_lose = frozenset(settings.get("may_lose", ()))
        for missing in set(settings.get("remove", ())) - base.keys():
            place.refuse(f"remove: base has no file {quoted(missing)}; {hint(missing, list(base))}")
        try:
            files = files_of(base, folder / kind / name, settings)
        except InputError as error:
            place.source.refuse(str(error), place.line, place.column)
        if loses and files == base:
            place.expected(f"{kind}/{name}.py, or a folder {kind}/{name}", "nothing that differs from base")
        told = _told(base, files)
        yield KnownSubmission(
            *(f"{kind}--{name}", files, loses, may_lose),
            exercises=told | loses | may_lose,
            mistakes=frozenset(f"{id_}.{settings['mistake']}" for id_ in loses if "mistake" in settings),
        )


def _told(base: Mapping[str, bytes], files: Mapping[str, bytes]) -> frozenset[str]:
    """The exercises whose files differ from the base's; all of them where any other file does, or none."""
    changed = {path for path in base.keys() | files.keys() if base.get(path) != files.get(path)}
    if not changed or not changed <= _BY_FILE.keys():
        return frozenset(_IDS)
    return frozenset().union(*(_BY_FILE[path] for path in changed))


def files_of(base: Mapping[str, bytes], place: Path, settings: Mapping[str, Any]) -> dict[str, bytes]:
    """What is handed in: contents by path, those of the base among them; links are left out."""
    found = {} if settings.get("base") == "none" else dict(base)
    for path in settings.get("remove", ()):
        found.pop(path, None)
    own = _own(place, settings)
    return {path: data for path, data in found.items() if not _in_the_way(path, own)} | own


def _own(place: Path, settings: Mapping[str, Any]) -> dict[str, bytes]:
    """The files that are not the base's."""
    alone = place.with_name(f"{place.name}.py")
    found = {_target(place.name, settings): alone.read_bytes()} if alone.is_file() else read(place)
    return found | {path: _content(value) for path, value in settings.get("files", {}).items()}


def _target(name: str, settings: Mapping[str, Any]) -> str:
    """The file that ``<name>.py`` stands for: of the exercise in its name, or of the only one that loses."""
    if "file" in settings:
        return str(settings["file"])
    first = name.partition("-")[0]
    exercises = [first] if first in BY_ID else [id_ for id_ in _IDS if id_ in settings]
    if len(exercises) != 1:
        raise InputError(f"{name}: say which file it is")
    return BY_ID[exercises[0]].file


def _content(value: str | Mapping[str, Any]) -> bytes:
    """Text; or base64; or so many bytes of a filling, after a beginning of text."""
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"])
    start, fill, size = str(value["start"]).encode(), str(value["fill"]).encode(), int(value["bytes"])
    return (start + fill * (size // len(fill) + 1))[:size]


def read(folder: Path) -> dict[str, bytes]:
    """The files in a folder by path, without what Python leaves beside them."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _in_the_way(path: str, own: Mapping[str, bytes]) -> bool:
    """A file of the base gives way where the submission has a folder there, or a file above."""
    return any(path.startswith(other + "/") or other.startswith(path + "/") for other in own)
