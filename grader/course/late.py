"""Late work: what the rubric takes off for it, by the time stamps of the platform.

It is arithmetic over a mark that is there: nothing is graded again where the policy changes, or a deadline.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final, cast

from grader.model import LateJson, ResultsJson

_DAY = timedelta(days=1)
_KNOWN: Final = ("marked", "submitted", "deadline", "days", "percent")
"""What is known of lateness without the score."""


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


def lateness(policy: LatePolicy | None, arrival: Arrival) -> LateJson | None:
    """When work came, and how many percent that costs; None for what came in time.

    Where there is no policy or no time, a mark of the platform is told, and takes nothing off.
    """
    if policy is None or arrival.submitted is None:
        return {"marked": True} if arrival.marked_late else None
    deadline, submitted = _deadline(policy, arrival), _zoned(arrival.submitted, policy)
    days = _days(submitted - deadline, policy)
    if days == 0:
        return None
    return {
        "submitted": submitted.isoformat(),
        "deadline": deadline.isoformat(),
        "days": days,
        "percent": _percent(days, policy),
    }


def apply(results: ResultsJson, late: LateJson | None) -> ResultsJson:
    """The results with the score that is left, and a key "late" that tells how."""
    if late is None:
        return results
    before, after = results["score"], round(results["score"] * share_left(late), 2)
    if "percent" in late:
        late = {**late, "score_before": before, "taken": round(before - after, 2)}
    return {**results, "score": after, "late": late}


def lateness_of(results: ResultsJson) -> LateJson | None:
    """The lateness that results tell of, as ``lateness`` gave it."""
    told = results.get("late")
    return None if told is None else cast(LateJson, {key: told[key] for key in _KNOWN if key in told})


def share_left(late: LateJson | None) -> float:
    """What is left of each point."""
    return 1.0 - (late or {}).get("percent", 0.0) / 100.0


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


def _percent(days: int, policy: LatePolicy) -> float:
    """What is taken off the score."""
    if policy.max_days is not None and days > policy.max_days:
        return 100.0
    return min(100.0, days * policy.per_day)
