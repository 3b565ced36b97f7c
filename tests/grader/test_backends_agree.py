"""One submission, the same bytes: twice, and in every sandbox."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from grader.course.plan import Plan, load_plan
from grader.grading.engine import grade
from grader.intake import read_submission
from grader.results import as_data, as_json
from grader.sandbox.registry import BACKENDS
from tests.grader.sandbox.conftest import not_here, prepare
from tests.submissions.loader import Case

ROOT = Path(__file__).parents[2]
HERE = [name for name in BACKENDS if name not in not_here()]

SAMPLES = {
    "the answers": None,
    "West first": Case("wrong", "all-solvers-west-first"),
    "a loop": Case("wrong", "dijkstra-waits-for-ever-without-a-way"),
    "a broken Search": Case("wrong", "search-never-updates"),
    "handed over": Case("wrong", "generator-calls-aldous-broder"),
    "a syntax error": Case("bad", "syntax-error"),
    "an exit at import": Case("bad", "os-exits-at-import"),
}


@lru_cache(maxsize=1)
def plan() -> Plan:
    return load_plan()


def results(sample: str, backend: str, folder: Path) -> bytes:
    case = SAMPLES[sample]
    path = ROOT / "reference"
    if case is not None:
        path = folder / backend
        path.mkdir(exist_ok=True)
        case.materialise(path)
    prepare(backend)
    report = grade(read_submission(path, name="sample"), plan(), BACKENDS[backend]())
    return as_json(as_data(replace(report, sandbox="", isolation="", timing={})))


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sandbox_gives_the_same_bytes(sample: str, tmp_path: Path) -> None:
    found = {name: results(sample, name, tmp_path) for name in HERE}
    first = next(iter(found.values()))
    assert {name: content == first for name, content in found.items()} == dict.fromkeys(HERE, True)


@pytest.mark.parametrize("sample", ["the answers", "West first", "a broken Search"])
def test_grading_again_gives_the_same_bytes(sample: str, tmp_path: Path) -> None:
    assert results(sample, HERE[-1], tmp_path) == results(sample, HERE[-1], tmp_path)


def test_only_times_and_the_sandbox_differ() -> None:
    report = grade(read_submission(ROOT / "reference"), plan(), BACKENDS[HERE[-1]]())
    data: dict[str, Any] = as_data(report)
    assert set(data["timing"]) == {"total", "start", "calls", "close"}
    assert data["sandbox"] == HERE[-1]
