"""Late work: what the rubric takes off for it, by the time stamps of the platform."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from grader.model import LateJson, ResultsJson

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class LatePolicy:
    """When work is late, and what that costs."""

    deadline: datetime
    """With its time zone; a time stamp without one is taken to be in the same."""
    grace_minutes: float = 0.0
    """Minutes after the deadline that cost nothing; beyond them, days count from the deadline."""
    per_day: float = 0.0
    """Percent of the score for each day that has begun."""
    max_days: int | None = None
    """Work that is more days late than this earns nothing; None where there is no end."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What is known about when a submission came."""

    submitted: datetime | None = None
    extension: datetime | None = None
    """A deadline of this student's own."""
    marked_late: bool = False
    """The platform says that it is late, though not by how much."""


def apply(results: ResultsJson, policy: LatePolicy | None, arrival: Arrival) -> ResultsJson:
    """The results with the score that is left, a key "late" that tells how, and a note for people."""
    if policy is None or (arrival.submitted is None and not arrival.marked_late):
        return results
    if arrival.submitted is None:
        note = "The platform marks this as late, without a time: nothing was taken off; a person decides."
        return {**results, "late": {"marked": True}, "notes": [*results["notes"], note]}
    deadline = _deadline(policy, arrival)
    submitted = _zoned(arrival.submitted, policy)
    days = _days(submitted - deadline, policy)
    if days == 0:
        return results
    before, after = results["score"], round(results["score"] * _share(days, policy), 2)
    late: LateJson = {
        "submitted": submitted.isoformat(),
        "deadline": deadline.isoformat(),
        "days": days,
        "score_before": before,
    }
    note = (
        f"Handed in {_span(submitted - deadline)} after the deadline of {deadline:%Y-%m-%d %H:%M}: "
        f"{before:g} points became {after:g}."
    )
    return {**results, "score": after, "late": late, "notes": [*results["notes"], note]}


def _deadline(policy: LatePolicy, arrival: Arrival) -> datetime:
    """The later of everybody's and the student's own."""
    if arrival.extension is None:
        return policy.deadline
    return max(policy.deadline, _zoned(arrival.extension, policy))


def _zoned(moment: datetime, policy: LatePolicy) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=policy.deadline.tzinfo)


def _days(late_by: timedelta, policy: LatePolicy) -> int:
    """How many days late have begun."""
    if late_by <= timedelta(minutes=policy.grace_minutes):
        return 0
    return ceil(late_by / _DAY)


def _share(days: int, policy: LatePolicy) -> float:
    """What of the score is left."""
    if policy.max_days is not None and days > policy.max_days:
        return 0.0
    return max(0.0, 1.0 - days * policy.per_day / 100.0)


def _span(late_by: timedelta) -> str:
    hours, minutes = divmod(int(late_by.total_seconds()) // 60, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "day"), (hours, "hour"), (minutes, "minute")]
    told = [f"{count} {unit}{'s' if count != 1 else ''}" for count, unit in parts if count]
    return " ".join(told[:2]) or "less than a minute"
