"""Late work: grace, days, extensions, and time stamps with and without a zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from grader.course.late import Arrival, LatePolicy, apply
from grader.model import Report, ResultsJson
from grader.results import as_data

OSLO = timezone(timedelta(hours=2))
DEADLINE = datetime(2026, 10, 1, 23, 59, tzinfo=OSLO)
POLICY = LatePolicy(DEADLINE, grace_minutes=15, per_day=10, max_days=3)
RESULTS: ResultsJson = {**as_data(Report("ada", "fake", "", "", ())), "score": 80.0, "max_score": 100.0}


def late_by(**span: float) -> ResultsJson:
    return apply(RESULTS, POLICY, Arrival(DEADLINE + timedelta(**span)))


@pytest.mark.parametrize("span", [{"days": -1}, {"minutes": 0}, {"minutes": 15}])
def test_in_time(span: dict[str, float]) -> None:
    assert late_by(**span) == RESULTS


@pytest.mark.parametrize(
    ("span", "days", "score"),
    [
        ({"minutes": 16}, 1, 72.0),
        ({"hours": 24}, 1, 72.0),
        ({"hours": 24, "minutes": 1}, 2, 64.0),
        ({"days": 3}, 3, 56.0),
        ({"days": 3, "minutes": 1}, 4, 0.0),
    ],
)
def test_days_that_have_begun(span: dict[str, float], days: int, score: float) -> None:
    results = late_by(**span)
    assert (results["late"]["days"], results["late"]["score_before"], results["score"]) == (days, 80.0, score)


def test_what_the_student_reads() -> None:
    assert late_by(days=1, hours=2, minutes=5)["notes"] == [
        "Handed in 1 day 2 hours after the deadline of 2026-10-01 23:59: 80 points became 64."
    ]


def test_an_extension_counts_and_an_earlier_one_takes_nothing() -> None:
    moment = DEADLINE + timedelta(hours=5)
    assert apply(RESULTS, POLICY, Arrival(moment, DEADLINE + timedelta(days=1))) == RESULTS
    assert apply(RESULTS, POLICY, Arrival(DEADLINE, DEADLINE - timedelta(days=1))) == RESULTS


def test_a_time_without_a_zone_is_in_that_of_the_deadline() -> None:
    assert apply(RESULTS, POLICY, Arrival(datetime(2026, 10, 1, 23, 59))) == RESULTS
    assert apply(RESULTS, POLICY, Arrival(datetime(2026, 10, 1, 21, 59, tzinfo=UTC))) == RESULTS
    assert apply(RESULTS, POLICY, Arrival(datetime(2026, 10, 1, 23, 59, tzinfo=UTC)))["late"]["days"] == 1


def test_a_mark_without_a_time_takes_nothing_and_asks_for_a_person() -> None:
    results = apply(RESULTS, POLICY, Arrival(marked_late=True))
    assert (results["score"], results["late"]) == (80.0, {"marked": True})
    assert "a person decides" in results["notes"][0]


def test_no_policy_no_word() -> None:
    assert apply(RESULTS, None, Arrival(DEADLINE + timedelta(days=9), marked_late=True)) == RESULTS


def test_percent_never_below_zero() -> None:
    policy = LatePolicy(DEADLINE, per_day=60)
    assert apply(RESULTS, policy, Arrival(DEADLINE + timedelta(days=5)))["score"] == 0.0
