"""Late work: grace, days, extensions, time stamps with and without a zone; how many attempts are left."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from grader.course.late_work import (
    Allowance,
    Arrival,
    AttemptsLeft,
    LatePolicy,
    apply,
    compute_lateness,
    read_lateness,
    read_moment,
)
from grader.model import GradedSubmission, ResultsJson
from grader.results import as_data

OSLO = timezone(timedelta(hours=2))
DEADLINE = datetime(2026, 10, 1, 23, 59, tzinfo=OSLO)
POLICY = LatePolicy(DEADLINE, grace_minutes=15, per_day=10, max_days=3)
RESULTS: ResultsJson = {
    **as_data(GradedSubmission("ada", "fake", "", "", ())),
    "score": 80.0,
    "max_score": 100.0,
}


def marked(policy: LatePolicy | None, arrival: Arrival) -> ResultsJson:
    return apply(RESULTS, compute_lateness(policy, arrival))


def late_by(**span: float) -> ResultsJson:
    return marked(POLICY, Arrival(DEADLINE + timedelta(**span)))


@pytest.mark.parametrize(
    ("span", "days", "score"),
    [
        ({"days": -1}, 0, 80.0),
        ({"minutes": 15}, 0, 80.0),
        ({"minutes": 16}, 1, 72.0),
        ({"hours": 24}, 1, 72.0),
        ({"hours": 24, "minutes": 1}, 2, 64.0),
        ({"days": 3}, 3, 56.0),
        ({"days": 3, "minutes": 1}, 4, 0.0),
    ],
)
def test_days_that_have_begun(span: dict[str, float], days: int, score: float) -> None:
    results = late_by(**span)
    assert results == RESULTS if not days else results["late"]["days"] == days
    assert results["score"] == score


def test_what_is_told() -> None:
    results = late_by(days=1, hours=2)
    assert results["late"] == {
        "submitted": "2026-10-03T01:59:00+02:00",
        "deadline": "2026-10-01T23:59:00+02:00",
        "days": 2,
        "percent": 20,
        "score_before": 80.0,
        "taken": 16.0,
    }
    assert apply(RESULTS, read_lateness(results)) == results


def test_an_extension_counts_and_an_earlier_one_takes_nothing() -> None:
    moment = DEADLINE + timedelta(hours=5)
    assert marked(POLICY, Arrival(moment, DEADLINE + timedelta(days=1))) == RESULTS
    assert marked(POLICY, Arrival(DEADLINE, DEADLINE - timedelta(days=1))) == RESULTS


def test_a_time_without_a_zone_is_in_that_of_the_deadline() -> None:
    assert marked(POLICY, Arrival(datetime(2026, 10, 1, 23, 59))) == RESULTS
    assert marked(POLICY, Arrival(datetime(2026, 10, 1, 21, 59, tzinfo=UTC))) == RESULTS
    assert marked(POLICY, Arrival(datetime(2026, 10, 1, 23, 59, tzinfo=UTC)))["late"]["days"] == 1


@pytest.mark.parametrize("policy", [POLICY, None])
def test_a_mark_without_a_time_takes_nothing_and_is_told(policy: LatePolicy | None) -> None:
    results = marked(policy, Arrival(marked_late=True))
    assert (results["score"], results["late"]) == (80.0, {"marked": True})
    assert apply(RESULTS, read_lateness(results)) == results


@pytest.mark.parametrize(
    ("came", "days"),
    [
        ("2026-10-25T23:30", 1),
        ("2026-10-25T23:59", 1),
        ("2026-10-26T00:00", 2),
        ("2026-10-24T23:59", 0),
        ("2026-10-25T22:59+00:00", 1),
        ("2026-10-25T23:00+00:00", 2),
    ],
)
def test_a_day_on_which_clocks_change_ends_by_the_clock_on_the_wall(came: str, days: int) -> None:
    policy = LatePolicy(read_moment("2026-10-24T23:59 Europe/Oslo"), per_day=10)
    late = compute_lateness(policy, Arrival(read_moment(came)))
    assert (late["days"] if late else 0) == days


def test_minutes_of_grace_are_minutes_whatever_the_clock_shows() -> None:
    policy = LatePolicy(read_moment("2026-10-25T02:30+02:00 Europe/Oslo"), grace_minutes=15, per_day=10)
    again = read_moment("2026-10-25T02:20+01:00[Europe/Oslo]")  # 50 minutes later, on a clock that went back
    late = compute_lateness(policy, Arrival(again))
    assert late is not None
    assert late["days"] == 1


@pytest.mark.parametrize(
    "text",
    [
        *("2026-10-24", "2026-10-24 Europe/Oslo", "2026-10-24T23:59 Europe", "2026-10-24T23:59 EST"),
        *("2026-10-24T24:00", "2026-W43-6T23:59", "2026-02-30T23:59", "T", ""),
        *("2026-03-29T02:30 Europe/Oslo", "2026-10-25T02:30 Europe/Oslo"),
    ],
)
def test_what_is_no_moment(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_moment(text)


@pytest.mark.parametrize("time", ["23:59", "23.59", "23:59:00", "23.59.00", "23:59:00.0"])
@pytest.mark.parametrize("zone", ["+02:00", "+0200", " Europe/Oslo", "[Europe/Oslo]", "+02:00[Europe/Oslo]"])
def test_a_dot_is_a_colon_in_a_time(time: str, zone: str) -> None:
    moment = datetime.fromisoformat("2026-10-01T21:59:00+00:00")
    assert read_moment(f"2026-10-01T{time}{zone}") == read_moment(f"2026-10-01 {time}{zone}") == moment


def test_a_zone_that_is_misspelt_is_told_with_what_is_meant() -> None:
    with pytest.raises(ValueError, match="Europe/Olso is no place with a time zone, as Europe/Oslo is"):
        read_moment("2026-10-01T23:59 Europe/Olso")


def test_no_policy_takes_nothing_and_none_more_than_all() -> None:
    assert marked(None, Arrival(DEADLINE + timedelta(days=9))) == RESULTS
    policy = LatePolicy(DEADLINE, per_day=60)
    assert marked(policy, Arrival(DEADLINE + timedelta(days=5)))["score"] == 0.0


HOUR = 3600.0


@pytest.mark.parametrize(
    ("times", "now", "left"),
    [
        ([], 5.0, AttemptsLeft(3, None)),
        ([0.0], 0.0, AttemptsLeft(2, HOUR / 2)),
        ([0.0, 0.0, 0.0], 60.0, AttemptsLeft(0, HOUR / 2)),
        ([0.0, 0.0, 0.0], HOUR / 2, AttemptsLeft(1, HOUR)),
        ([0.0, 100 * HOUR, 100 * HOUR], 100 * HOUR, AttemptsLeft(1, 100.5 * HOUR)),
        ([100.0, 50.0], 60.0, AttemptsLeft(1, 50.0 + HOUR / 2)),
    ],
)
def test_each_attempt_takes_one_of_three_and_half_an_hour_brings_one(
    times: list[float], now: float, left: AttemptsLeft
) -> None:
    assert Allowance(3, 2.0).left(times, now) == left


def test_where_none_come_back_none_is_promised() -> None:
    spent = Allowance(2, 0.0).left([0.0, 1.0], 1e9)
    assert spent == AttemptsLeft(0, None)
    assert not spent.is_open
    assert Allowance().left([1.0] * 100, 2.0) == AttemptsLeft(None, None)
