"""A class of two that is graded without running anything: reports are made up, all else is real."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import lab.atomic_file
from grader.batch import class_run, job, marks
from grader.batch.job import Answer, Course, ExerciseDone, Job, answer
from grader.batch.report import class_facts, class_page, similar_groups
from grader.batch.report.similar_groups import Alike, AlikeGroup
from grader.batch.report.similarity import Pair
from grader.cli import main
from grader.course.plan import Plan, load_plan
from grader.grading import engine
from grader.intake import read_submission
from grader.intake.submissions import read_hand_in
from grader.model import CheckResult, ExerciseResult, GradedSubmission, ResultsJson, Verdict
from grader.reader import reading_here
from tests.fake_backends import AnsweringBackend
from tests.grader.batch.conftest import small_rubric
from tests.grader.undrawn import drawn
from tests.submissions.loader import Case

NOBODY = 2**22 + 1
"""A process id that never exists: Linux assigns none above 2**22."""
ADA, BOB = "Ada Lovelace_101", "Bob Stone_102"
ALIKE = Alike((AlikeGroup((ADA, BOB), "90 %", (Pair(ADA, BOB, 0.9),)),))
PASSED, HIDDEN = Verdict("passed"), Verdict("failed", "This check is hidden.")
FAILED = Verdict("out-of-memory", "On a maze of 1 x 3, DFS took all the memory.", "See whether it ends.")


@pytest.fixture(scope="session")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return load_plan(small_rubric(tmp_path_factory.mktemp("rubric")))


@pytest.fixture(scope="session")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what ada and bob handed in on Moodle."""
    folder = tmp_path_factory.mktemp("class") / "download"
    for name in ("Ada Lovelace_101_assignsubmission_file_", "Bob Stone_102_assignsubmission_file_"):
        Case("right", "plain").materialise(folder / name)
    return folder


@pytest.fixture(scope="module")
def nothing_is_run(plan: Plan) -> Iterator[None]:
    """Replace slow parts by made-up ones."""
    here = reading_here()
    read_once, read_path_once = cache(here(read_hand_in)), cache(here(read_submission))
    with pytest.MonkeyPatch.context() as patched:
        for module in (class_run, engine):
            patched.setattr(module, "load_plan", lambda path, **_: plan)
            patched.setattr(module, "choose", lambda *_, **__: (AnsweringBackend(), "Sandbox: a fake"))
        for module in (job, engine):
            patched.setattr(module, "grade", lambda submission, *_, **__: report_on(submission.name, plan))
        for module in (engine, marks):
            patched.setattr(module, "render_html", page)
        patched.setattr(class_run, "check_reference", lambda *_: None)
        patched.setattr(class_run, "_executor", lambda options, course, submissions: Here(course))
        patched.setattr(
            similar_groups, "group_similar", lambda looks, _: ALIKE if len(looks) > 1 else Alike()
        )
        patched.setattr(similar_groups, "look_at", lambda _code: b"")
        patched.setattr(similar_groups, "side_by_side", lambda *_: "<p>both</p>")
        patched.setattr(class_page, "class_page", lambda rows, *_: repr([row.score for row in rows]))
        patched.setattr(class_facts, "drawing", drawn)
        patched.setattr(job, "read_with_choices", lambda hand_in, *_, **__: read_once(hand_in))
        patched.setattr(engine, "submission_at", lambda path, *_, **__: read_path_once(path))
        patched.setattr(lab.atomic_file, "os", _Os(os))
        patched.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture
def batch(submissions: Path, tmp_path: Path) -> Callable[[], int]:
    """Grade the class; return the exit status."""
    return lambda: main(["batch", str(submissions), "--out", str(tmp_path / "results"), "--quiet"])


@pytest.fixture
def results(batch: Callable[[], int], tmp_path: Path) -> Path:
    """The results of the class."""
    assert batch() == 0
    return tmp_path / "results"


def page(results: ResultsJson, *, language: str | None = None) -> str:
    """Return everything in a result except the time of a person's decision."""
    adjusted, withdrawn = results.get("adjusted"), results.get("withdrawn")
    layers = [layer and layer["before"] for layer in (adjusted, withdrawn)]
    told = json.dumps({**results, "adjusted": layers[0], "withdrawn": layers[1]})
    return f'<html lang="{language or "en"}">{told}'


class _Os:
    """The module os for a process that others no longer find."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def getpid(self) -> int:
        return NOBODY


def report_on(name: str, plan: Plan) -> GradedSubmission:
    """Return a report in which all is right but the first check of each exercise, and a hidden one."""
    exercises = []
    for exercise in plan.exercises:
        first, *others = exercise.checks
        points = plan.points
        lost = CheckResult(first.id, first.title, points[first.id].points, "hidden", HIDDEN, for_staff=FAILED)
        kept = (CheckResult(c.id, c.title, points[c.id].points, "public", PASSED) for c in others)
        exercises.append(ExerciseResult(exercise.id, exercise.title, (lost, *kept)))
    timing = {"total": 0.5, "calls": 0.25}
    return GradedSubmission(name, "fake", plan.rubric.title, "Nothing runs.", tuple(exercises), timing=timing)


class Here:
    """An executor that grades in this process, one at a time."""

    def __init__(self, course: Course) -> None:
        self._course, self.at_once = course, 1
        self.on_step: Callable[[Job, ExerciseDone], None] = lambda *_: None
        self._out: list[tuple[Job, Answer]] = []

    def free(self) -> int:
        return 1 - len(self._out)

    def give(self, job: Job, known: str | None) -> None:
        self._out.append((job, answer(job, self._course, AnsweringBackend(), known)))

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        found, self._out = self._out, []
        return found

    def doing(self) -> list[tuple[str, float]]:
        return []

    def close(self) -> None:
        pass
