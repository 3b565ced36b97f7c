"""What of a course's secrets got out: hidden mazes in the public tests, and on pages of students."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.plan import Plan
from grader.errors import InputError
from grader.exports.result_files import list_class_results
from grader.grading.pipeline import FEEDBACK, RESULTS
from grader.release.drawings import Rows, canonical, drawings, walls
from grader.release.kit import make_kit
from grader.release.proof import leaks
from grader.release.secrets import secrets_of


@dataclass(frozen=True, slots=True)
class Seen:
    """What students have of a course."""

    kit: dict[str, bytes]
    pages: dict[str, bytes]
    """What they got back, by path."""

    @property
    def mazes(self) -> frozenset[Rows]:
        """The forms of all mazes that are drawn there, turned and mirrored alike."""
        return frozenset(
            canonical(rows)
            for content in (*self.kit.values(), *self.pages.values())
            for _, drawn in drawings(content.decode("utf-8", "replace"))
            for rows in (drawn, walls(drawn))
        )


@dataclass(frozen=True, slots=True)
class Leaked:
    """One secret that is out."""

    what: str
    places: tuple[str, ...]


def seen_by_students(plan: Plan, results: Iterable[Path]) -> Seen:
    """Gather the kit for a rubric, and what stands in folders of results. Raises InputError."""
    ids = [exercise.id for exercise in plan.exercises]
    kit = make_kit(ids, plan.rubric.language, plan.rubric.own_exercises)
    pages = {str(path): path.read_bytes() for folder in results for path in _pages(folder)}
    return Seen(dict(kit.files), pages)


def leaked(plan: Plan, seen: Seen) -> list[Leaked]:
    """The mazes that hidden checks ask about and that students have."""
    only_mazes = replace(secrets_of(plan), words={}, code={})
    found: dict[str, dict[str, None]] = {}
    for leak in leaks({**seen.kit, **seen.pages}, only_mazes):
        found.setdefault(leak.what, {})[leak.file] = None
    return [Leaked(what, tuple(places)) for what, places in sorted(found.items())]


def _pages(folder: Path) -> Iterator[Path]:
    """The results that students got, of a class or of one, and the pages made of them."""
    single = folder / RESULTS
    paths = [single] if single.is_file() else list(list_class_results(folder).values())
    if not paths:
        raise InputError("expected a folder of results from grader batch or grader grade", path=folder)
    for path in paths:
        yield from (file for file in (path, path.with_name(FEEDBACK)) if file.is_file())
