"""The tables of staff: times and extensions. What is said of mistakes in them: tests/golden/classes."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.strategies import datetimes, floats, integers, none, sampled_from

from grader.batch.deadlines import (
    lateness_of_class,
    read_extensions,
    read_times,
    unknown_students,
    without_times_ahead,
)
from grader.course.late_work import LatePolicy, policy_data, read_policy
from grader.errors import InputError
from grader.intake.class_listing import ClassListing, HandIn

HAND_INS = (HandIn("Ada_1", (), "Ada", "1"), HandIn("Zoë van Dam_2", (), "Zoë van Dam", "2"))


def test_times_and_extensions(tmp_path: Path) -> None:
    times = tmp_path / "times.csv"
    lines = (
        "\ufeffStudent ;Time",
        "1;2026-10-02T10:00",
        "zoe\u0308\u00a0van  dam ;2026-10-03T10:00",
        "Zoe;x",
    )
    times.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert unknown_students(HAND_INS, times, None) == ["Zoe (did you mean Zoë van Dam_2 (Zoë van Dam)?)"]
    times.write_text("\n".join(lines[:3]) + "\n", encoding="utf-8")
    assert read_times(times, HAND_INS, UTC) == {
        "Ada_1": datetime(2026, 10, 2, 10, tzinfo=UTC),
        "Zoë van Dam_2": datetime(2026, 10, 3, 10, tzinfo=UTC),
    }
    more = tmp_path / "more.csv"
    more.write_text("student;deadline;hours\nAda_1;;1,5\n2;2026-10-05T00:00:00+00:00;\n")
    assert read_extensions(more, HAND_INS, LatePolicy(datetime(2026, 10, 1, tzinfo=UTC), per_day=0)) == {
        "Ada_1": datetime(2026, 10, 1, 1, 30, tzinfo=UTC),
        "Zoë van Dam_2": datetime(2026, 10, 5, tzinfo=UTC),
    }


@given(
    moment=datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2100, 1, 1)),
    zone=sampled_from([UTC, ZoneInfo("Europe/Oslo"), timezone(timedelta(hours=-3, minutes=-30))]),
    days=none() | integers(0, 366),
    grace=floats(0, 10_000),
)
def test_a_policy_is_kept_as_it_was_read(
    moment: datetime, zone: tzinfo, days: int | None, grace: float
) -> None:
    policy = LatePolicy(moment.replace(tzinfo=zone), grace, days, per_day=2.5)
    assume(moment == policy.deadline.astimezone(UTC).astimezone(zone).replace(tzinfo=None))
    kept = read_policy(json.loads(json.dumps(policy_data(policy))))
    assert kept == policy
    assert kept is not None
    assert kept.deadline.tzinfo == zone
    assert read_policy(policy_data(None)) is None


@pytest.mark.parametrize(
    ("time", "said"),
    [
        ("2026-10-25T02.30", "the clocks of Europe/Oslo show that time twice: add [+]0200 or [+]0100"),
        ("2027-03-28T02:30", "the clocks of Europe/Oslo skip that time"),
        ("2027-02-30T23:59", "there is no day 2027-02-30"),
    ],
)
def test_a_time_that_clocks_do_not_show_once_is_told(tmp_path: Path, time: str, said: str) -> None:
    oslo, path = ZoneInfo("Europe/Oslo"), tmp_path / "x.csv"
    path.write_text(f"student,time,deadline\n1,{time},{time}\n")
    with pytest.raises(InputError, match=f"x.csv:2: .* got {time}: {said}"):
        read_times(path, HAND_INS, oslo)
    with pytest.raises(InputError, match=f"x.csv:2: .* got {time}: {said}"):
        read_extensions(path, HAND_INS, LatePolicy(datetime(2026, 10, 1, tzinfo=oslo), per_day=0))


NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)


@given(st.lists(st.one_of(st.none(), st.integers(-100, 100)), min_size=1, max_size=4), st.integers(0, 300))
@example([25, None, 20], 100)
def test_a_time_that_lay_a_day_ahead_when_it_was_first_seen_stays_none(
    hours: list[int | None], later: int
) -> None:
    """It is unknown then, as is one that nothing tells, where others of the class are known."""
    times = {f"s{n}": None if each is None else NOW + timedelta(hours=each) for n, each in enumerate(hours)}
    listing = ClassListing("", tuple(HandIn(name, (), submitted=time) for name, time in times.items()), ())
    known = {name: time if time and time <= NOW + timedelta(days=1) else None for name, time in times.items()}
    policy = LatePolicy(NOW + timedelta(days=9), per_day=10)
    with TemporaryDirectory() as out:
        for now in (NOW, NOW + timedelta(hours=later)):
            found = without_times_ahead(listing, Path(out), now).hand_ins
            assert {each.name: each.submitted for each in found} == known
            asked = {each.name for each in found if each.remarks}
            assert asked == {name for name in times if times[name] and not known[name]}
        lates = lateness_of_class(found, policy, None, None)
    unknown = {name for name, late in lates.items() if late == {"unknown": True}}
    assert unknown == ({name for name in times if not known[name]} if any(known.values()) else set())
    assert not any(lateness_of_class(found, None, None, None).values())
