"""Measure single mazes: which wrong submissions of a bank each catches, and which right ones it fails."""

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
    """A function that grades submissions into a folder of a given name."""

    def __call__(self, bank: Sequence[KnownSubmission], plan: Plan, name: str, /) -> Sequence[Graded]:
        """Return the results of each submission."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What one maze catches, and what it punishes wrongly."""

    caught: frozenset[tuple[str, str]]
    """The wrong submissions that it catches, each with the wrong exercise."""
    punished: frozenset[tuple[str, str]]
    """Submissions that it fails, each with an exercise in which they are right."""

    def is_as_good_as(self, other: Strength) -> bool:
        """Return whether it catches all that the other one does, and punishes nobody."""
        return self.caught >= other.caught and not self.punished


def measure_strengths(
    mazes: Sequence[MazeFile], bank: Sequence[KnownSubmission], plan: Plan, grade: GradeBank, name: str
) -> Mapping[str, Strength]:
    """Grade the bank on all mazes; return each maze's strength by name."""
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
    """Return the plan with only the checks of hidden mazes, on these mazes."""
    found = (_with_mazes(exercise, mazes) for exercise in plan.exercises)
    digest = hashlib.sha256(repr((plan.rubric.digest, [(maze.name, maze.text) for maze in mazes])).encode())
    rubric = replace(plan.rubric, mazes=tuple(mazes), digest=digest.hexdigest())
    return replace(plan, rubric=rubric, exercises=tuple(exercise for exercise in found if exercise.checks))


def _with_mazes(exercise: PlannedExercise, mazes: Sequence[MazeFile]) -> PlannedExercise:
    """Return the exercise with only its check of hidden mazes, if it has one."""
    fixed = [FixedMaze(maze.name, maze.text, hidden=True, exercises=maze.exercises) for maze in mazes]
    ids = [check.id for check in exercise.checks if check.id == f"{exercise.id}.{CHECK}"]
    made = make_checks(exercise.id, ids, CaseBook(1, 1, fixed))
    return replace(exercise, checks=tuple(_make_independent(check) for check in made if check.cases))


def _make_independent(check: Check) -> Check:
    """Make all cases of the check independent, so that no failure skips a later maze."""
    cases = (replace(case, call=replace(case.call, group=case.call.id)) for case in check.cases)
    return replace(check, cases=tuple(cases), control=None, controls=())
