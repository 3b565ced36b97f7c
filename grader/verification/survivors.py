"""Mutants that no test catches, and the smallest maze on which one fails.

A mutant is right code with one of the small edits by which wrong code is mended: what mends one mistake makes
another one in code that is right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from grader.course.maze_files import MazeFile
from grader.course.plan import Plan, declared_checks, disagreement, read_maze, with_statements
from grader.course.rubric import RubricCheck, RubricExercise
from grader.course.statements import WITH_MAZES
from grader.errors import InputError, MazeFileError
from grader.exercises.kit.check import Check, PlannedExercise
from grader.exercises.kit.library import CaseBook
from grader.exercises.registry import kind_of, make_checks, titles
from grader.grading.engine import grade
from grader.languages import said
from grader.model import Submission
from grader.reader import reading_here
from grader.repairs import edits_of, source_of
from grader.results import as_data
from grader.sandbox.base import Backend
from grader.verification.bank import Graded, Grading, KnownSubmission
from lab import Maze
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
    with reading_here():
        sources = [
            (known, each, source_of(file, each.method)) for file, (known, each) in files.items() if file
        ]
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


# --- one maze plan ----------------------------------------------------------------------------------
# A plan that uses only one new test maze, so that a bank is graded in seconds.


def plan_for_maze(plan: Plan, path: Path) -> Plan:
    """Return a plan with the checks that would use the maze, each on that maze alone.

    Raises MazeFileError if the file is wrong, or the rubric already has such a maze.
    """
    maze = read_maze(path, agrees=disagreement, own=[each.id for each in plan.rubric.own_exercises])
    twin = next((other for other in plan.rubric.mazes if other.text == maze.text), None)
    if twin is not None and twin.path.resolve() != path.resolve():
        raise MazeFileError(f"the same drawing stands in {twin.path} already", path=path)
    planned = {exercise.id: exercise for exercise in plan.rubric.exercises}
    asked = (exercise for exercise in plan.exercises if exercise.id in maze.exercises)
    exercises = tuple(_with_maze(exercise, planned[exercise.id], maze) for exercise in asked)
    exercises = tuple(exercise for exercise in exercises if exercise.checks)
    digest = hashlib.sha256(plan.rubric.digest.encode() + path.read_bytes())
    rubric = replace(plan.rubric, mazes=(maze,), digest=digest.hexdigest())
    return replace(plan, rubric=rubric, exercises=exercises)


def _with_maze(exercise: PlannedExercise, planned: RubricExercise, maze: MazeFile) -> PlannedExercise:
    label = said("the_maze", name=maze.name)
    book = CaseBook(1, 1, with_statements([maze], [planned]))
    own = declared_checks(planned.checks, planned.id, [maze])
    by_grader = [check.id for check in exercise.checks if not check.by_person]
    made = make_checks(exercise.id, by_grader, book, own=own)
    about = [(check, tuple(case for case in check.cases if case.label == label)) for check in made]
    return replace(exercise, checks=tuple(replace(check, cases=cases) for check, cases in about if cases))


@dataclass(frozen=True, slots=True)
class FailingMaze:
    """A maze on which a check fails."""

    maze: Maze
    check: str
    message: str
    """The expected and the actual answer, in words."""


def smallest_maze(submission: Submission, plan: Plan, backend: Backend) -> FailingMaze | None:
    """Grade the exercises that use mazes; return the smallest maze on which one fails, or None.

    Checks with a ladder try all mazes of up to six cells; a larger maze that fails is reduced. Raises
    InputError if there is nothing to grade.
    """
    handed_in = [e.id for e in plan.exercises if e.id in WITH_MAZES and e.target.file in submission.files]
    if not handed_in:
        files = ", ".join(e.target.file for e in plan.exercises if e.id in WITH_MAZES)
        raise InputError(f"expected at least one of {files} in {submission.name}")
    exercises = [e for e in plan.exercises if e.id in handed_in or e.kind == "script"]  # a solver asks for it
    report = grade(submission, _all_shown(plan, exercises), backend)
    found = [
        FailingMaze(Maze.from_text(str(check["counterexample"]["maze"])), check["id"], check["message"])
        for exercise in as_data(report)["exercises"]
        for check in exercise["checks"]
        if check["counterexample"] and "maze" in check["counterexample"]
    ]
    return min(found, key=lambda each: each.maze.dimension.position_count, default=None)


def _all_shown(plan: Plan, exercises: list[PlannedExercise]) -> Plan:
    """Return the plan of these exercises with nothing hidden, since only public mazes are reduced."""
    points = {id_: replace(check, visibility="public") for id_, check in plan.points.items()}
    shown = [
        replace(
            exercise,
            checks=tuple(
                replace(check, cases=tuple(replace(case, hidden=False) for case in check.cases))
                for check in exercise.checks
            ),
        )
        for exercise in exercises
    ]
    return replace(plan, points=points, exercises=tuple(shown))
