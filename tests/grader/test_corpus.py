"""The corpus: every submission in tests/submissions gets what it must get, in a real sandbox.

Right ones in every honest style get all points; wrong ones lose the checks that are about their
mistake; broken ones are graded as far as they go; hostile ones gain nothing and learn nothing.
A submission that differs from the base in one exercise's file is graded in that exercise. No Norwegian
page of any holds English words but for the submission's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.course.plan import Plan, load_plan
from grader.grading.engine import grade
from grader.intake import read_submission
from grader.model import ExerciseJson, Limits, Report
from grader.results import as_data, as_json, as_staff_data
from grader.sandbox.base import Backend
from grader.sandbox.bubblewrap.backend import BubblewrapBackend
from lab.exercises import LAB_EXERCISES
from tests.grader.feedback.crumbs import crumbs
from tests.submissions.loader import CANARY, KINDS, Case, Loss, base, cases

QUICK_SECONDS = 2.0
"""CPU seconds of a call on up to 400 cells; right submissions take some thousandths of one."""
EVERYWHERE = ("large", "hidden-mazes")
"""Checks that ask for everything on other mazes: any mistake may cost them."""


@pytest.fixture(scope="module")
def plan() -> Plan:
    """The shipped rubric, for marks only; who sleeps or loops in C is ended sooner: that takes most time."""
    plan = load_plan(explain=False)
    limits = replace(plan.limits, call_cpu_seconds=QUICK_SECONDS)
    return replace(plan, rubric=replace(plan.rubric, limits=limits))


@pytest.fixture(scope="module")
def backend() -> Backend:
    made = BubblewrapBackend()
    probe = made.probe()
    assert probe.works, f"{probe.reason}: {probe.advice}"
    return made


pytestmark = pytest.mark.usefixtures("_untraced")


@pytest.fixture(autouse=True)
def _planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets where a submission might look for them."""
    monkeypatch.setenv("SECRET", CANARY)
    (tmp_path / "secret.txt").write_text(CANARY)


def every(kind: str) -> list[Any]:
    return [pytest.param(case, id=case.name) for case in cases(kind)]


@pytest.mark.parametrize("case", every("right"))
def test_right_submissions_get_everything(case: Case, plan: Plan, backend: Backend, tmp_path: Path) -> None:
    results = as_data(graded(case, affected(plan, case), backend, tmp_path))
    lost = [check for e in results["exercises"] for check in e["checks"] if check["status"] != "passed"]
    assert [(check["id"], check["message"]) for check in lost] == []
    assert results["score"] == results["max_score"] > 0
    assert crumbs(results) == []


@pytest.mark.parametrize("case", [case for kind in KINDS[1:] for case in every(kind)])
def test_the_others_get_what_they_must(case: Case, plan: Plan, backend: Backend, tmp_path: Path) -> None:
    report = graded(case, hurried(affected(plan, case), case), backend, tmp_path)
    assert complaints(case, report) == []


def graded(case: Case, plan: Plan, backend: Backend, folder: Path) -> Report:
    path = folder / "submission"
    path.mkdir()
    case.materialise(path)
    return grade(read_submission(path, name=case.name), plan, backend)


def affected(plan: Plan, case: Case) -> Plan:
    """The plan without the exercises that the submission has in common with the base."""
    right, files = base(), case.files()
    changed = {path for path in {*right, *files} if right.get(path) != files.get(path)} | set(case.links())
    by_file = {each.file: each.id for each in LAB_EXERCISES if each.id != "search"}
    if not changed or not changed <= set(by_file):
        return plan
    ids = {by_file[path] for path in changed} | set(case.expectation.exercises) | case.expectation.may_lose
    return replace(plan, exercises=tuple(e for e in plan.exercises if e.id in ids))


def hurried(plan: Plan, case: Case) -> Plan:
    """The plan with the seconds that suit: few where calls that never end are waited for, and as many as
    students have where steps are counted, so that the count comes first on a slow machine, too."""
    statuses = {status for loss in case.expectation.exercises.values() for status in loss.status}
    if "endless" in statuses:
        seconds = Limits().call_cpu_seconds
    elif case.expectation.slow:
        seconds = 1.0
    else:
        return plan
    limits = replace(plan.limits, call_cpu_seconds=seconds)
    return replace(plan, rubric=replace(plan.rubric, limits=limits))


def complaints(case: Case, report: Report) -> list[str]:
    """What a submission got that it should not have got, and the other way round."""
    expectation = case.expectation
    results = as_data(report)
    found: list[str] = []
    for exercise in as_staff_data(report)["exercises"]:
        lost = {check["id"]: check["status"] for check in exercise["checks"] if check["status"] != "passed"}
        if exercise["id"] in expectation.exercises:
            found += mismatches(exercise, lost, expectation.exercises[exercise["id"]])
        elif lost and exercise["id"] not in expectation.may_lose:
            found.append(f"{exercise['id']} lost {lost}")
    text = as_json(results).decode()
    found += [f"the results hold {word!r}" for word in (*expectation.forbidden_text, CANARY) if word in text]
    found += [f"English on the Norwegian page: {text}" for text in crumbs(results)]
    messages = " ".join(check["message"] for e in results["exercises"] for check in e["checks"])
    return found + [
        f"no message holds {word!r}" for word in expectation.message_contains if word not in messages
    ]


def mismatches(exercise: ExerciseJson, lost: Mapping[str, str], loss: Loss) -> Iterator[str]:
    name = exercise["id"]
    told = {id_ for id_ in lost if id_.split(".")[1] not in EVERYWHERE}
    if not lost:
        yield f"{name} lost nothing"
    if loss.lost and not told <= set(loss.lost):
        yield f"{name} lost {sorted(told)}, not just {sorted(loss.lost)}"
    if missing := {*loss.lost, *loss.lost_at_least} - set(lost):
        yield f"{name} did not lose {sorted(missing)}"
    if loss.lost_one_of and not set(loss.lost_one_of) & set(lost):
        yield f"{name} lost none of {loss.lost_one_of}"
    if loss.zero and exercise["score"]:
        yield f"{name} earned {exercise['score']}"
    named = {*loss.lost, *loss.lost_at_least} & set(lost) or set(lost)
    statuses = {lost[id_] for id_ in named}
    if loss.status and not statuses <= set(loss.status):
        yield f"{name} has {sorted(statuses)}, not {loss.status}"
