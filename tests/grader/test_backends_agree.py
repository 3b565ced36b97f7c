"""One submission, the same bytes: twice, and in every sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import pytest

from grader.course.plan import Plan, make_plan
from grader.course.rubric import load_rubric
from grader.exercises.registry import titles
from grader.grading.engine import grade
from grader.model import GradedSubmission, Submission
from grader.results import as_data, as_json
from grader.sandbox.base import BACKENDS
from tests.grader.sandbox.conftest import not_here, prepare
from tests.submissions.loader import Case, base

EXAMPLES = 5
HERE = [name for name in BACKENDS if name not in not_here()]

pytestmark = pytest.mark.usefixtures("_untraced")


def mixed() -> dict[str, bytes]:
    """Another end in each exercise: an order of visits, a loop, no loading, an exit, what is handed over."""
    taken = {
        "solvers/dfs.py": Case("wrong", "dfs-sorted-moves"),
        "solvers/bfs.py": Case("bad", "syntax-error"),
        "solvers/dijkstra.py": Case("wrong", "dijkstra-waits-for-ever-without-a-way"),
        "generators/my_generator.py": Case("wrong", "generator-calls-aldous-broder"),
    }
    files = {**base(), **{file: case.files()[file] for file, case in taken.items()}}
    return {**files, "perfection_checker.py": b"import os\nos._exit(3)\n"}


SAMPLES: dict[str, Callable[[], Mapping[str, bytes]]] = {
    "mixed": mixed,
    "right": base,
    "West first": Case("wrong", "all-solvers-west-first").files,
    "a broken Search": Case("wrong", "search-never-updates").files,
}
"""The first is graded in every sandbox by every run of the tests, the others in continuous integration."""
SOMETIMES = [pytest.param(name, marks=pytest.mark.ci) for name in [*SAMPLES][1:]]


@cache
def plan() -> Plan:
    """What ships, with fewer examples, and a second for a call: a loop is waited for check by check."""
    shipped = load_rubric(None, checks=titles())
    limits = replace(shipped.limits, call_cpu_seconds=1.0)
    return make_plan(replace(shipped, limits=limits, examples=EXAMPLES))


def graded(sample: str, backend: str) -> GradedSubmission:
    prepare(backend)
    return grade(Submission("sample", SAMPLES[sample]()), plan(), BACKENDS[backend]())


first = cache(graded)


def content(report: GradedSubmission) -> bytes:
    return as_json(as_data(replace(report, sandbox="", isolation="", timing={})))


@pytest.mark.parametrize("sample", ["mixed", *SOMETIMES])
def test_every_sandbox_gives_the_same_bytes(sample: str) -> None:
    found = {name: content(first(sample, name)) for name in HERE}
    assert {name: each == found[HERE[0]] for name, each in found.items()} == dict.fromkeys(HERE, True)
    assert set(first(sample, HERE[-1]).timing) == {"total", "start", "calls", "close"}


@pytest.mark.parametrize("sample", ["mixed", *SOMETIMES])
def test_grading_again_gives_the_same_bytes(sample: str) -> None:
    assert content(graded(sample, HERE[-1])) == content(first(sample, HERE[-1]))
