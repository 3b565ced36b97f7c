"""What a rubric takes off: for late work, for repairs of intake, and for attempts beyond those allowed.

They are computed from an existing mark: nothing is graded again when the policy or a deadline changes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from difflib import get_close_matches
from math import ceil
from typing import Annotated, Any, Final, Literal, cast
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from msgspec import Meta

from grader.course.yaml_values import Value, fields_of, read_fields
from grader.languages import said
from grader.model import GradedSubmission, LateJson, Remark, RepairCostJson, ResultsJson
from grader.points import round_points
from grader.results import remark_data

_DAY = timedelta(days=1)
_MOMENT: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3])[:.](\d\d)(?:[:.](\d\d)(\.\d+)?)?"
    r"(Z|[+-]\d\d:?\d\d)?(?: ?\[?([A-Z][\w+-]+(?:/[\w+-]+)*)\]?)?",
    re.ASCII,
)
"""2026-10-01T23:59 or 23.59, with an offset, with the name of a place, or with both as in RFC 9557."""
_KNOWN: Final = ("marked", "unknown", "submitted", "deadline", "days", "percent")
"""Keys that describe lateness independently of the score."""


@dataclass(frozen=True, slots=True)
class LatePolicy:
    """When work is late, and what it costs."""

    deadline: Annotated[datetime, Meta(description="a time with its zone: 2026-10-01T23:59 Europe/Oslo")]
    """Its time zone also applies to time stamps without one, and to the length of days."""
    grace_minutes: Annotated[float, Meta(ge=0, le=10_000, description="minutes that cost nothing")] = 0.0
    """Later than that, days count from the deadline itself."""
    per_day: Annotated[
        float, Meta(ge=0, le=100, description="percent of the score for each day that has begun")
    ] = field(kw_only=True)
    max_days: Annotated[int, Meta(ge=0, le=366, description="later than this earns nothing")] | None = None
    """None for no such limit."""

    def zoned(self, moment: datetime) -> datetime:
        """Return a time with a zone: its own, or else that of the deadline."""
        return moment if moment.tzinfo else moment.replace(tzinfo=self.deadline.tzinfo)


def policy_data(policy: LatePolicy | None) -> dict[str, Any] | None:
    """Return a policy as plain data, which ``read_policy`` reads back."""
    if policy is None:
        return None
    zone = policy.deadline.tzinfo
    place = f"[{zone.key}]" if isinstance(zone, ZoneInfo) else ""
    return {**asdict(policy), "deadline": policy.deadline.isoformat() + place}


def read_policy(data: Mapping[str, Any] | None) -> LatePolicy | None:
    """Read back what ``policy_data`` returned. Raises ValidationError, ValueError, TypeError or KeyError."""
    if data is None:
        return None
    return msgspec.convert({**data, "deadline": read_moment(data["deadline"])}, LatePolicy)


@dataclass(frozen=True, slots=True)
class Arrival:
    """When a submission was handed in, as far as that is known."""

    submitted: datetime | None = None
    extension: datetime | None = None
    """A deadline for this student alone."""
    marked_late: bool = False
    """Whether the platform marks it as late without saying by how much."""


def read_moment(text: str, zone: tzinfo | None = None) -> datetime:
    """Parse a date with a time, and possibly a zone as an offset or a name, or both; else take the one given.

    Raises ValueError that says what is wrong: also for a date alone, which may mean either end of the day,
    and for a time that a clock skips, or shows twice, where clocks change.
    """
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        raise ValueError("no date with a time")
    date, hour, minute, second, fraction, offset, name = found.groups()
    try:
        datetime.fromisoformat(date)
    except ValueError:
        raise ValueError(f"there is no day {date}") from None
    clock = f"{hour}:{minute}:{second or '00'}{fraction or ''}{(offset or '').replace('Z', '+00:00')}"
    moment, zone = datetime.fromisoformat(f"{date}T{clock}"), _zone(name) if name else zone
    if moment.tzinfo is not None:
        return moment.astimezone(zone) if name else moment
    return moment if zone is None else _on_clocks(moment, zone)


def _on_clocks(moment: datetime, zone: tzinfo) -> datetime:
    """Return the only time at which the clocks of a zone show this. Raises ValueError."""
    first, second = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != moment:
        raise ValueError(f"the clocks of {zone} skip that time")
    if first.utcoffset() != second.utcoffset():
        offsets = " or ".join(each.strftime("%z") for each in (first, second))
        raise ValueError(f"the clocks of {zone} show that time twice: add {offsets}")
    return first


def _zone(name: str) -> ZoneInfo:
    """Return the zone of a place. Raises ValueError, also for abbreviations, which know no summer time."""
    places = available_timezones()
    if name in places and ("/" in name or name == "UTC"):
        return ZoneInfo(name)
    near = get_close_matches(name, sorted(places), n=1)
    meant = near[0] if near and "/" in near[0] else "Europe/Oslo"
    raise ValueError(f"{name} is no place with a time zone, as {meant} is")


def compute_lateness(policy: LatePolicy | None, arrival: Arrival) -> LateJson | None:
    """Return when work was handed in, and how many percent that costs; None if it was in time.

    Without a policy or a time stamp, a platform's late mark is reported, but costs nothing.
    """
    if policy is None or arrival.submitted is None:
        return {"marked": True} if arrival.marked_late else None
    deadline, submitted = policy.deadline, policy.zoned(arrival.submitted)
    if arrival.extension is not None:
        deadline = max(deadline, policy.zoned(arrival.extension))
    days = _days(submitted, deadline, policy)
    if days == 0:
        return None
    is_worthless = policy.max_days is not None and days > policy.max_days
    return {
        "submitted": submitted.isoformat(),
        "deadline": deadline.isoformat(),
        "days": days,
        "percent": 100.0 if is_worthless else min(100.0, days * policy.per_day),
    }


def apply(results: ResultsJson, late: LateJson | None) -> ResultsJson:
    """Subtract the late penalty from the results, explained under the key "late"."""
    if late is None:
        return results
    before, after = results["score"], round_points(results["score"] * share_left(late))
    if "percent" in late:
        late = {**late, "score_before": before, "taken": round_points(before - after)}
    return {**results, "score": after, "late": late}


def read_lateness(results: ResultsJson) -> LateJson | None:
    """Read back the lateness in results, as ``compute_lateness`` returned it."""
    told = results.get("late")
    return None if told is None else cast(LateJson, {key: told[key] for key in _KNOWN if key in told})


def share_left(late: LateJson | None) -> float:
    """Return the fraction of the score that remains."""
    return 1.0 - (late or {}).get("percent", 0.0) / 100.0


def _days(submitted: datetime, deadline: datetime, policy: LatePolicy) -> int:
    """Count the days late, including the one that has begun.

    A day ends at the deadline's wall-clock time if the zone has a name: when clocks change, it has 23 or 25
    hours.
    """
    if submitted.astimezone(UTC) - deadline.astimezone(UTC) <= timedelta(minutes=policy.grace_minutes):
        return 0
    came, due = (
        each.astimezone(policy.deadline.tzinfo).replace(tzinfo=None) for each in (submitted, deadline)
    )
    return max(1, ceil((came - due) / _DAY))


_HOUR: Final = 3600.0
_ROUNDING_ERROR: Final = 1e-9
"""Sums of fractions may be off by this much."""


@dataclass(frozen=True, slots=True)
class AttemptsLeft:
    """The attempts that a student has left."""

    left: int | None
    """The attempts that are left now; None if there is no limit."""
    next_at: float | None
    """The time (seconds since the epoch) of the next additional attempt; None if there will be none."""

    @property
    def is_open(self) -> bool:
        """Tell whether one more attempt is allowed."""
        return self.left is None or self.left > 0


@dataclass(frozen=True, slots=True)
class Allowance:
    """A bucket of attempts that refills over time: how many are left follows from the times of past ones."""

    burst: Annotated[int, Meta(ge=1, le=1000, description="how many may come at once")] | None = None
    """None for no limit."""
    per_hour: Annotated[float, Meta(ge=0, le=1000, description="how many are added per hour")] = 0.0
    counts: Annotated[Literal["best", "last"], Meta(description="the attempt that counts")] = "best"

    def left(self, times: Sequence[float], now: float) -> AttemptsLeft:
        """Return what is left at ``now`` after attempts at these times, the earliest first."""
        if self.burst is None:
            return AttemptsLeft(None, None)
        level, since = float(self.burst), 0.0
        for at in times:
            level, since = max(0.0, self._after(level, at - since) - 1), at
        level = self._after(level, now - since)
        left = int(level + _ROUNDING_ERROR)
        if left >= self.burst or not self.per_hour:
            return AttemptsLeft(left, None)
        return AttemptsLeft(left, now + (left + 1 - level) * _HOUR / self.per_hour)

    def _after(self, level: float, seconds: float) -> float:
        """Return the level of the bucket after some seconds."""
        return min(float(self.burst or 0), level + max(0.0, seconds) * self.per_hour / _HOUR)


def read_allowance(value: Value) -> Allowance:
    """Read the key ``attempts`` of a rubric. Raises RubricError with line and column."""
    fields = fields_of(value, Allowance)
    if "per_hour" in fields and "burst" not in fields:
        value.refuse("the key 'burst' is missing: add how many attempts may come at once")
    return Allowance(**read_fields(fields, Allowance))


def apply_repairs(results: ResultsJson, report: GradedSubmission, penalty: float) -> ResultsJson:
    """Subtract the penalty from the results, explained under the key "repair_cost" and in a remark."""
    if not penalty or not any(remark.is_put_right for remark in report.remarks):
        return results
    before = results["score"]
    after = round_points(max(0.0, before - penalty))
    told: RepairCostJson = {"points": round_points(before - after), "score_before": before}
    message = said("intake_cost", before=f"{before:g}", after=f"{after:g}")
    remarks = [*results.get("intake", ()), remark_data(Remark("cost", "", "", message))]
    return {**results, "score": after, "repair_cost": told, "intake": remarks}
