"""One submission, the same bytes: twice, and in every sandbox."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from grader.course.plan import Plan, make_plan
from grader.course.rubric import load_rubric
from grader.exercises.registry import titles
from grader.grading.engine import grade
from grader.intake import read_submission
from grader.model import Report
from grader.results import as_data, as_json
from grader.sandbox.probe import BACKENDS
from tests.grader.sandbox.conftest import not_here, prepare
from tests.submissions.loader import Case

ROOT = Path(__file__).parents[2]
EXAMPLES = 20
HERE = [name for name in BACKENDS if name not in not_here()]

pytestmark = pytest.mark.usefixtures("_untraced")

SAMPLES = {
    "the answers": None,
    "West first": Case("wrong", "all-solvers-west-first"),
    "a loop": Case("wrong", "dijkstra-waits-for-ever-without-a-way"),
    "a broken Search": Case("wrong", "search-never-updates"),
    "handed over": Case("wrong", "generator-calls-aldous-broder"),
    "a syntax error": Case("bad", "syntax-error"),
    "an exit at import": Case("bad", "os-exits-at-import"),
}

OFTEN = {"the answers", "West first", "a loop"}
"""Graded in every sandbox by every run of the tests; all samples are in continuous integration."""


@cache
def plan() -> Plan:
    """What ships, with fewer examples, and a second for a call: a loop is waited for check by check."""
    shipped = load_rubric(None, checks=titles())
    limits = replace(shipped.limits, call_cpu_seconds=1.0)
    return make_plan(replace(shipped, limits=limits, examples=EXAMPLES))


def graded(sample: str, backend: str) -> Report:
    prepare(backend)
    case = SAMPLES[sample]
    with TemporaryDirectory() as folder:
        if case is not None:
            case.materialise(Path(folder))
        submission = read_submission(ROOT / "reference" if case is None else Path(folder), name="sample")
    return grade(submission, plan(), BACKENDS[backend]())


first = cache(graded)


def content(report: Report) -> bytes:
    return as_json(as_data(replace(report, sandbox="", isolation="", timing={})))


@pytest.mark.parametrize(
    "sample", [name if name in OFTEN else pytest.param(name, marks=pytest.mark.ci) for name in SAMPLES]
)
def test_every_sandbox_gives_the_same_bytes(sample: str) -> None:
    found = {name: content(first(sample, name)) for name in HERE}
    assert {name: each == found[HERE[0]] for name, each in found.items()} == dict.fromkeys(HERE, True)


@pytest.mark.parametrize("sample", ["West first", pytest.param("a broken Search", marks=pytest.mark.ci)])
def test_grading_again_gives_the_same_bytes(sample: str) -> None:
    assert content(graded(sample, HERE[-1])) == content(first(sample, HERE[-1]))


def test_only_times_and_the_sandbox_differ() -> None:
    data = as_data(first("the answers", HERE[-1]))
    assert set(data["timing"]) == {"total", "start", "calls", "close"}
    assert data["sandbox"] == HERE[-1]
