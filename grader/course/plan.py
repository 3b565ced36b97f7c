"""The plan of a course: its rubric, with all cases drawn once and the reference's answers to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grader.course.exercises import TITLES, WITH_MAZES, target_of
from grader.course.rubric import Rubric, RubricCheck, load_rubric
from grader.course.statement_checks import declared_checks, with_statements
from grader.errors import RubricError
from grader.exercises.kit.cases.fixed_mazes import FixedMaze
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import Case, PlannedExercise
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.folders.code import KNOWN, know
from grader.exercises.registry import kind_of, make_checks, titles
from grader.model import Limits
from lab import Maze, Vector
from lab.exercises import BY_ID


@dataclass(frozen=True)
class Plan:
    """What every submission is asked; made once for all of them."""

    rubric: Rubric
    exercises: tuple[PlannedExercise, ...]
    points: Mapping[str, RubricCheck]
    """Points by check id."""
    gallery: Mapping[str, tuple[Case, ...]]
    """By exercise id, the calls that make the mazes to show."""

    @property
    def limits(self) -> Limits:
        """What a submission may use."""
        return self.rubric.limits


Tell = Callable[[str], None]
"""Is told what is being done, and how many of how many."""


def in_silence(_: str) -> None:
    """Tell nobody."""


def load_plan(path: Path | None = None, *, explain: bool = True, tell: Tell = in_silence) -> Plan:
    """Read a rubric (by default the shipped one) and draw its cases.

    Raises RubricError or MazeFileError with file, line and column.
    """
    return make_plan(load_rubric(path, checks=titles(), agrees=disagreement, explain=explain), tell)


def make_plan(rubric: Rubric, tell: Tell = in_silence) -> Plan:
    """Draw the cases of a rubric."""
    know(rubric.own_exercises)
    book = CaseBook(rubric.seed, rubric.examples, list(fixed_mazes(rubric)))
    exercises = []
    for number, planned in enumerate(rubric.exercises, start=1):
        tell(f"{planned.id}: drawing its cases ({number} of {len(rubric.exercises)} exercises)")
        own = declared_checks(planned.checks, planned.id, rubric.mazes)
        ids = [check.id for check in planned.checks]
        make = partial(make_checks, planned.id, ids, book, own=own)
        if planned.id in KNOWN:
            from grader.course.exercise_trial import read_exercise, tried_checks

            read_exercise(KNOWN[planned.id].exercise)
            tell(f"{planned.id}: trying its reference and its judge")
            given = (ids, book.seed, book.examples, book.mazes)
            make = partial(tried_checks, KNOWN[planned.id], given, make)
        made = make()
        for check, worth in zip(made, planned.checks, strict=True):
            if not check.cases:
                line, column = worth.place or (None, None)
                raise RubricError(
                    f"{check.id}: expected at least one case, such as a hidden maze that this exercise uses, "
                    "found none: add one or leave the check out",
                    path=rubric.path,
                    line=line,
                    column=column,
                )
        title = planned.title or TITLES.get(planned.id) or BY_ID[planned.id].title
        exercises.append(PlannedExercise(planned.id, title, target_of(planned.id), made))
    points = {check.id: check for exercise in rubric.exercises for check in exercise.checks}
    kinds = {exercise.id: kind_of(exercise.id) for exercise in exercises}
    gallery = {id_: kind.gallery.cases(book) for id_, kind in kinds.items() if kind.gallery is not None}
    return Plan(rubric, tuple(exercises), points, gallery)


def fixed_mazes(rubric: Rubric) -> Iterator[FixedMaze]:
    """Yield the test mazes; those for every exercise of the lab also apply to the course's own."""
    own = tuple(each.id for each in rubric.own_exercises)
    for maze in with_statements(rubric.mazes, rubric.exercises):
        yield replace(maze, exercises=(*WITH_MAZES, *own)) if maze.exercises == WITH_MAZES else maze
    for each in rubric.own_exercises:
        for name, text, hidden in each.mazes:
            yield FixedMaze(name, text, hidden, (each.id,))


def disagreement(exercise: str, maze: Maze, order: tuple[Vector, ...]) -> str | None:
    """Explain why a visit order in a maze file is wrong; None if it is right."""
    orders = facts_of(maze.to_text()).orders[exercise]
    if order in orders:
        return None
    right = orders[0]
    whole = ", ".join(f"[{cell.row}, {cell.column}]" for cell in right)
    for index, (wanted, cell) in enumerate(zip(right, order, strict=False)):
        if wanted != cell:
            found = f"[{cell.row}, {cell.column}]"
            wanted_there = f"[{wanted.row}, {wanted.column}]"
            return f"expected {wanted_there} as cell {index + 1}, got {found}; the whole order is [{whole}]"
    return f"expected {len(right)} cells, got {len(order)}; the whole order is [{whole}]"
