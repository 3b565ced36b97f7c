"""Mutants that no test catches: gaps in the tests, unless they are right on all small cases.

A mutant is right code with one of the small edits by which wrong code is mended: what mends one mistake makes
another one in code that is right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

from grader.course.plan import Plan
from grader.course.rubric import RubricCheck
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import Check, PlannedExercise
from grader.exercises.registry import kind_of, make_checks, titles
from grader.repairs import edits_of, source_of
from grader.verification.bank import KnownSubmission
from grader.verification.bank_grading import Graded, Grading
from lab.exercises import EXERCISES, Exercise


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


def make_mutants(
    bank: Sequence[KnownSubmission], count: int, exercises: Collection[Exercise] = EXERCISES, *, seed: int = 1
) -> list[KnownSubmission]:
    """Return up to ``count`` mutants of right submissions, drawn at random from all of them.

    Each is wrong in one exercise; a file that several submissions share is mutated only once.
    """
    right = [known for known in bank if not known.loses and not known.earns_nothing]
    files = {known.files.get(each.file, b""): (known, each) for each in exercises for known in right[::-1]}
    sources = ((known, each, source_of(file, each.method)) for file, (known, each) in files.items() if file)
    parsed = [(known, each, source) for known, each, source in sources if source is not None]
    edits = [(*one, edit) for one in parsed for edit in edits_of(one[2])]
    Random(seed).shuffle(edits)
    found = []
    for number, (known, exercise, source, edit) in enumerate(edits[:count]):
        style, only = known.name.partition("--")[2] or known.name, frozenset({exercise.id})
        name = f"mutant--{exercise.id}-{style}-{edit.line}-{edit.kind}-{number}"
        changed = {**known.files, exercise.file: edit.apply(source.text).encode()}
        found.append(KnownSubmission(name, changed, loses=only, exercises=only))
    return sorted(found, key=lambda mutant: mutant.name)


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
