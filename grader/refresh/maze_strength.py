"""What mazes are worth, each by itself: which wrong submissions of a bank it catches, which right ones."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from grader.course.maze_files import MazeFile
from grader.course.plan import Plan
from grader.exercises.kit.cases.fixed_mazes import FixedMaze
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import Check, PlannedExercise
from grader.exercises.registry import make_checks
from grader.verification.bank import KnownSubmission
from grader.verification.bank_grading import Graded

CHECK = "hidden-mazes"


class GradeBank(Protocol):
    """Grades submissions into a folder of that name."""

    def __call__(self, bank: Sequence[KnownSubmission], plan: Plan, name: str, /) -> Sequence[Graded]:
        """Return what each of them got."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What came of one maze."""

    caught: frozenset[tuple[str, str]]
    """Wrong submissions, each with the exercise that is wrong."""
    punished: frozenset[tuple[str, str]]
    """Submissions that are right in the exercise."""

    def is_as_good_as(self, other: Strength) -> bool:
        """Whether it catches all that the other one does, and punishes nobody."""
        return self.caught >= other.caught and not self.punished


def measure_strengths(
    mazes: Sequence[MazeFile], bank: Sequence[KnownSubmission], plan: Plan, grade: GradeBank, name: str
) -> Mapping[str, Strength]:
    """The strength of each maze, by its name."""
    graded = grade(bank, plan_for_mazes(plan, mazes), name)
    return {maze.name: _strength(maze.name, graded) for maze in mazes}


def _strength(maze: str, graded: Sequence[Graded]) -> Strength:
    lost = [
        (one.known, check.partition(".")[0])
        for one in graded
        for check, names in one.wrong_mazes.items()
        if maze in names
    ]
    due = {(known.name, id_) for known, id_ in lost if id_ in known.loses}
    may = {(known.name, id_) for known, id_ in lost if id_ in known.may_lose}
    return Strength(frozenset(due), frozenset((known.name, id_) for known, id_ in lost) - due - may)


def plan_for_mazes(plan: Plan, mazes: Sequence[MazeFile]) -> Plan:
    """The plan with the checks of hidden mazes alone, about these."""
    found = (_about(exercise, mazes) for exercise in plan.exercises)
    digest = hashlib.sha256(repr((plan.rubric.digest, [(maze.name, maze.text) for maze in mazes])).encode())
    rubric = replace(plan.rubric, mazes=tuple(mazes), digest=digest.hexdigest())
    return replace(plan, rubric=rubric, exercises=tuple(exercise for exercise in found if exercise.checks))


def _about(exercise: PlannedExercise, mazes: Sequence[MazeFile]) -> PlannedExercise:
    """The exercise with its check of hidden mazes, where it has one."""
    fixed = [FixedMaze(maze.name, maze.text, hidden=True, exercises=maze.exercises) for maze in mazes]
    ids = [check.id for check in exercise.checks if check.id == f"{exercise.id}.{CHECK}"]
    made = make_checks(exercise.id, ids, CaseBook(1, 1, fixed))
    return replace(exercise, checks=tuple(_one_by_one(check) for check in made if check.cases))


def _one_by_one(check: Check) -> Check:
    """The check with each maze asked about for its own sake, whatever came of those before."""
    cases = (replace(case, call=replace(case.call, group=case.call.id)) for case in check.cases)
    return replace(check, cases=tuple(cases), control=None, controls=())
