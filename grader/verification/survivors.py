"""Mutants that no test catches: gaps in the tests, unless they are right on all small cases."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from grader.course.plan import Plan
from grader.course.rubric import RubricCheck
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import Check, PlannedExercise
from grader.exercises.registry import kind_of, make_checks, titles
from grader.verification.bank import KnownSubmission
from grader.verification.bank_grading import Graded, Grading


@dataclass(frozen=True, slots=True)
class Survivors:
    """How many mutants were caught, and which survived."""

    by_exercise: Mapping[str, tuple[int, int, int]]
    """By exercise, how many were caught, how many are equivalent, and the total."""
    survivors: Sequence[str]
    """A line for each survivor, with a small case that it gets wrong."""
    equivalent: Sequence[str]
    """Mutants that pass the tests and are right on every small maze and script."""

    def as_data(self) -> dict[str, Any]:
        """Return the counts and names as plain data for JSON."""
        return {**asdict(self), "sound": not self.survivors}


def find_survivors(mutants: Sequence[KnownSubmission], plan: Plan, grading: Grading) -> Survivors:
    """Grade mutants; grade those that pass again on all small cases."""
    graded = grading.grade(mutants, plan, "mutants")
    passed = [one.known for one in graded if not _is_caught(one)]
    again = grading.grade(passed, small_cases_plan(plan), "small")
    equivalent = {one.known.name for one in again if not _is_caught(one)}
    return Survivors(
        {exercise.id: _counts(graded, equivalent, exercise.id) for exercise in plan.exercises},
        [_describe(one) for one in again if _is_caught(one)],
        sorted(equivalent),
    )


def _is_caught(one: Graded) -> bool:
    return any(one.lost.values())


def _counts(graded: Sequence[Graded], equivalent: set[str], exercise: str) -> tuple[int, int, int]:
    ours = [one for one in graded if exercise in one.scores]
    caught = sum(map(_is_caught, ours))
    return caught, sum(one.known.name in equivalent for one in ours), len(ours)


def _describe(one: Graded) -> str:
    check = next(id_ for lost in one.lost.values() for id_ in lost)
    return f"{one.known.name}: {check}: {one.messages[check]}"


def small_cases_plan(plan: Plan) -> Plan:
    """Return a plan of every small maze, script and dimension, whatever the rubric asks."""
    digest = hashlib.sha256(f"{plan.rubric.digest}|small".encode()).hexdigest()
    exercises = tuple(replace(exercise, checks=_small_checks(exercise)) for exercise in plan.exercises)
    points = {check.id: RubricCheck(check.id, 1, "public") for each in exercises for check in each.checks}
    return replace(plan, rubric=replace(plan.rubric, digest=digest), exercises=exercises, points=points)


def _small_checks(exercise: PlannedExercise) -> tuple[Check, ...]:
    made = make_checks(exercise.id, tuple(titles()[exercise.id]), CaseBook(1, 1))
    small_cases = kind_of(exercise.id).small_cases
    if small_cases is not None:
        return (replace(made[0], cases=small_cases()),)
    return tuple(
        replace(check, cases=tuple(check.ladder.rungs()), control=None, controls=())
        for check in made
        if check.ladder is not None
    )
