"""The corpus of submissions that the grader is held against, and what each of them must get.

``<kind>.yaml`` is the table of what they must get, which README.md describes. What is handed in is
``base/`` (a right submission in a plain style) with one file replaced by ``<kind>/<name>.py``, or
with the files of the folder ``<kind>/<name>/``. The right and the wrong ones ship with the grader, and lie
there with the base. Files that should never lie on the disk before they
are asked for (too large, names that tools look for or that version control leaves out) stand in the
table itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

import lab.exercises
from grader.course.course_folder import edited_files
from grader.verification import bank

HERE = Path(__file__).resolve().parent
KINDS = ("right", "wrong", "bad", "hostile")
FILES = {each.id: each.file for each in lab.exercises.EXERCISES}
"""The file of each exercise."""
EXERCISES = tuple(FILES)

CANARY = "kestrel-in-the-coal-mine-4711"
"""Planted by the harness in its environment and its files; no result may ever hold it."""

_LOSS = {"lost", "lost_at_least", "lost_one_of", "status", "zero"}
_HANDED_IN = {"file", "base", "remove", "files", "links"}
_OUTCOME = {"mistake", "may_lose", "message_contains", "forbidden_text", "slow"}
_ENTRY = {"description", *EXERCISES, *_OUTCOME, *_HANDED_IN}


class TableError(ValueError):
    """A table, or an entry in it, that says nothing that is known."""


@dataclass(frozen=True, slots=True)
class Loss:
    """How one exercise must miss full marks."""

    lost: tuple[str, ...] = ()
    """Where given: exactly these checks are lost."""
    lost_at_least: tuple[str, ...] = ()
    lost_one_of: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    """Where given: the lost checks that are named above (else some lost check) have one of these."""
    zero: bool = False
    """The whole exercise earns nothing."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a submission must get. Exercises in neither mapping nor set must have full marks."""

    description: str
    exercises: Mapping[str, Loss]
    mistake: str | None
    """What its wrong answers share, and the hint for it; None where they share nothing that has a name: then
    there must be no hint."""
    may_lose: frozenset[str]
    """Exercises of which nothing is asked: they hang on the mistake, or not."""
    message_contains: tuple[str, ...]
    forbidden_text: tuple[str, ...]
    slow: bool
    """A clock ends something in it."""


@dataclass(frozen=True)
class Case:
    """One submission of the corpus."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its entry in the table."""
        return table(self.kind)[self.name]

    @cached_property
    def expectation(self) -> Expectation:
        """What it must get."""
        settings = self.settings
        return Expectation(
            description=settings["description"],
            exercises={name: _loss(name, settings[name]) for name in EXERCISES if name in settings},
            mistake=settings.get("mistake"),
            may_lose=frozenset(settings.get("may_lose", ())),
            message_contains=tuple(settings.get("message_contains", ())),
            forbidden_text=tuple(settings.get("forbidden_text", ())),
            slow=settings.get("slow", False),
        )

    def files(self) -> dict[str, bytes]:
        """What is handed in: contents by path, the base's files among them; links are left out."""
        place = home(self.kind) / self.kind / self.name
        return bank.files_of(base(), place, self.settings, edited(self.kind))

    def links(self) -> dict[str, str]:
        """Symbolic links: where they point to, by path."""
        return dict(self.settings.get("links", {}))

    def materialise(self, folder: Path, files: Mapping[str, bytes] | None = None) -> None:
        """Write the submission, or these files of it, as a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in (self.files() if files is None else files).items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        for path, goal in self.links().items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).unlink(missing_ok=True)
            (folder / path).symlink_to(goal)


def cases(kind: str | None = None) -> list[Case]:
    """All submissions, or those of one kind, by name."""
    kinds = KINDS if kind is None else (kind,)
    return [Case(each, name) for each in kinds for name in sorted(table(each))]


def home(kind: str) -> Path:
    """The folder with the table and the files of a kind."""
    return bank.SHIPPED if kind in bank.KINDS else HERE


def base() -> dict[str, bytes]:
    """The files in which nothing is wrong."""
    return bank.read_files(bank.SHIPPED / "base")


@cache
def edited(kind: str) -> Mapping[str, bytes]:
    """The files of a kind that are written down as edits."""
    return edited_files(home(kind) / kind)


@cache
def table(kind: str) -> Mapping[str, Mapping[str, Any]]:
    """What the submissions of a kind must get, by name."""
    return read_table(home(kind) / f"{kind}.yaml")


def read_table(path: Path) -> dict[str, Mapping[str, Any]]:
    """The entries of a table. Raises ``TableError`` where one holds a key that is not known."""
    content = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    entries: dict[str, Mapping[str, Any]] = {
        name: {"description": entry} if isinstance(entry, str) else entry for name, entry in content.items()
    }
    for name, entry in entries.items():
        _refuse_unknown(f"{path.name}: {name}", entry, _ENTRY)
        for exercise in set(entry) & set(EXERCISES):
            _refuse_unknown(f"{path.name}: {name}: {exercise}", entry[exercise], _LOSS)
    return entries


class _Loader(yaml.CSafeLoader):
    """Refuses a key that stands twice, where YAML takes the later one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        names = [key.value for key, _ in node.value]
        for name in names:
            if names.count(name) > 1:
                raise TableError(f"line {node.start_mark.line + 1}: {name} stands there twice")
        return super().construct_mapping(node, deep)


def _refuse_unknown(where: str, entry: Mapping[str, Any], known: set[str]) -> None:
    if unknown := sorted(set(entry) - known):
        raise TableError(f"{where}: unknown key {unknown[0]!r}")


def _loss(exercise: str, settings: Mapping[str, Any]) -> Loss:
    status = settings.get("status", ())
    checks = {
        key: tuple(f"{exercise}.{check}" for check in settings.get(key, ()))
        for key in ("lost", "lost_at_least", "lost_one_of")
    }
    return Loss(
        **checks,
        status=(status,) if isinstance(status, str) else tuple(status),
        zero=settings.get("zero", False),
    )


def sources(folder: Path) -> Iterator[Path]:
    """The files in a folder, without what Python leaves beside them."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path
