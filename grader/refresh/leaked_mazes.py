"""Find hidden mazes that have leaked: into the public tests, or onto students' pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.plan import Plan
from grader.errors import InputError
from grader.exports.result_files import list_class_results
from grader.grading.pipeline import FEEDBACK, RESULTS
from grader.release.kit import make_kit
from grader.release.leak_check import drawn_in, find_leaks
from grader.release.maze_drawings import Rows
from grader.release.secrets import collect_secrets


@dataclass(frozen=True, slots=True)
class StudentMaterial:
    """Everything that students have of a course: the kit and their results."""

    kit: dict[str, bytes]
    pages: dict[str, bytes]
    """Students' results and pages, by path."""

    @property
    def mazes(self) -> frozenset[Rows]:
        """The canonical forms of all mazes drawn there."""
        return frozenset(drawn_in({**self.kit, **self.pages}))


@dataclass(frozen=True, slots=True)
class LeakedMaze:
    """A leaked hidden maze, and the files that show it."""

    what: str
    places: tuple[str, ...]


def collect_student_material(plan: Plan, results: Iterable[Path]) -> StudentMaterial:
    """Collect the kit for a rubric, and the pages in folders of results. Raises InputError."""
    ids = [exercise.id for exercise in plan.exercises]
    kit = make_kit(ids, plan.rubric.language, plan.rubric.own_exercises)
    pages = {str(path): path.read_bytes() for folder in results for path in _pages(folder)}
    return StudentMaterial(dict(kit.files), pages)


def find_leaked_mazes(plan: Plan, seen: StudentMaterial) -> list[LeakedMaze]:
    """Return the mazes of hidden checks that students have."""
    only_mazes = replace(collect_secrets(plan), words={}, code={})
    found: dict[str, dict[str, None]] = {}
    for leak in find_leaks({**seen.kit, **seen.pages}, only_mazes):
        found.setdefault(leak.what, {})[leak.file] = None
    return [LeakedMaze(what, tuple(places)) for what, places in sorted(found.items())]


def _pages(folder: Path) -> Iterator[Path]:
    """Yield students' results and pages from the results of a class or of one submission.

    Raises InputError.
    """
    single = folder / RESULTS
    paths = [single] if single.is_file() else list(list_class_results(folder).values())
    if not paths:
        raise InputError("expected a folder of results from grader batch or grader grade", path=folder)
    for path in paths:
        yield from (file for file in (path, path.with_name(FEEDBACK)) if file.is_file())
