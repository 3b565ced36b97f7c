"""What a clock decided is graded once more, by itself, with the seconds that are left; all else stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.grading.engine import STAFF, grade, outputs_of
from grader.grading.second_grading import FirstGrading
from grader.model import Submission
from grader.session.submission_limits import EXPLAINS
from tests.fake_backends import AnsweringBackend
from tests.grader.grading.answered import NoWayBack, answers, plan_of
from tests.submissions.loader import FILES

pytestmark = pytest.mark.processes

PLAN = plan_of("search", "dfs", "bfs")
SUBMISSION = Submission("ada", dict.fromkeys(FILES.values(), b"exec('')"))


class Clocks:
    """Answers of the reference, with some classes replaced, but for calls that a clock ends."""

    def __init__(self, *slow: str, seconds: float = 1.0, **classes: Any) -> None:
        self.asked = set[str]()
        self._slow, self._seconds, self._answer = slow, seconds, answers(**classes)

    def __call__(self, target: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.add(target["name"])
        if target["name"] in self._slow:
            return {"outcome": "timeout", "cpu_seconds": self._seconds}
        told: dict[str, Any] = self._answer(target, message)
        return told


def first_of(clocks: Clocks) -> FirstGrading | None:
    report = grade(SUBMISSION, PLAN, AnsweringBackend(answer=clocks))
    first = FirstGrading.of(report, "key")
    return None if first is None else FirstGrading.read(first.written(), "key")


def whole(clocks: Clocks, first: FirstGrading | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return results.json and staff.json without what differs from run to run."""
    again = None if first is None else first.again
    report = grade(SUBMISSION, PLAN, AnsweringBackend(answer=clocks), again=again)
    assert report.again is None
    found = outputs_of(report, PLAN.rubric, first=first)
    results, staff = json.loads(found.results), json.loads(found.staff[STAFF])
    return results | {"timing": {}}, staff | {"timing": {}}


@pytest.mark.parametrize("others", [{}, {"Search": NoWayBack}])
def test_the_whole_is_what_it_had_been_without_the_clock(others: dict[str, Any]) -> None:
    first, second = first_of(Clocks("DFS", **others)), Clocks(**others)
    assert first is not None
    assert first.again.exercises == ("dfs",)
    assert whole(second, first) == whole(Clocks(**others))
    assert second.asked == {"DFS"}


def test_what_a_clock_decides_again_stays_and_so_does_all_that_none_decided() -> None:
    first = first_of(Clocks("DFS", "BFS"))
    assert first is not None
    assert first.again.exercises == ("dfs", "bfs")
    results, _ = whole(Clocks("DFS"), first)
    before, right = first.results["exercises"], whole(Clocks())[0]["exercises"]
    assert json.dumps(results["exercises"]) == json.dumps([before[0], before[1], right[2]])
    assert results["score"] == sum(each["score"] for each in results["exercises"])


def test_there_is_no_second_grading_where_its_seconds_are_gone() -> None:
    most, share = PLAN.limits.submission_cpu_seconds, 1 - EXPLAINS
    assert first_of(Clocks("DFS", seconds=most)) is None
    left = first_of(Clocks("DFS", seconds=most * share / 100))
    assert left is not None
    assert 0.5 * most < left.again.cpu_seconds < most
    again = replace(left.again, cpu_seconds=0.0)
    results, _ = whole(Clocks(), replace(left, again=again))
    assert {check["status"] for check in results["exercises"][1]["checks"]} == {"not-asked"}


@pytest.fixture(scope="module")
def written() -> bytes:
    first = first_of(Clocks("DFS"))
    assert first is not None
    return first.written()


@given(place=st.integers(0, 10**6), change=st.binary(max_size=3))
@example(place=0, change=b"")
def test_what_is_kept_is_read_whole_or_not_at_all(written: bytes, place: int, change: bytes) -> None:
    assert FirstGrading.read(written, "of other work") is None
    place %= len(written)
    changed = written[:place] + change + written[place + 1 :]
    found = FirstGrading.read(changed, "key")
    assert found is None or {"exercises", "score"} <= found.results.keys()
