"""Work that is shared out: by lot, group by group, and no longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.batch.journal import Journal
from grader.batch.report.class_facts import ClassFacts, save
from grader.batch.shares import Shares, draw, read_shares, share_out, tell_counts
from grader.errors import InputError
from grader.intake.class_listing import ClassListing, HandIn

NAMES = [f"student-{number}" for number in range(60)]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    listing = ClassListing("", tuple(HandIn(name, ()) for name in NAMES), ())
    save(tmp_path, ClassFacts("Lab", "fake", (), 60.0, listing))
    Journal(tmp_path).__exit__(None, None, None)
    return tmp_path


def test_a_lot_gives_each_some_and_moves_nobody_else_for_a_third() -> None:
    before = {name: draw(("bo", "cy"), name) for name in NAMES}
    after = {name: draw(("di", "bo", "cy"), name) for name in NAMES}
    assert min(map(list(before.values()).count, ("bo", "cy"))) > 15
    assert {after[name] for name in NAMES if after[name] != before[name]} == {"di"}


def test_work_is_shared_out_by_lot_and_no_longer(out: Path) -> None:
    told = share_out(out, ["bo", "cy"], "grace")
    shares = read_shares(out)
    count = [shares.of(name) for name in NAMES].count("bo")
    assert told == f"shared out: bo {count}, cy {60 - count}"
    assert [shares.is_for(name, "bo") for name in NAMES].count(True) == count
    assert all(shares.is_for(name, "grace") for name in NAMES)
    assert share_out(out, [], "grace") == "shared out no longer"
    assert read_shares(out) == Shares((), {})
    assert read_shares(out).of("student-1") == ""


def test_a_group_stays_together(out: Path) -> None:
    groups = out / "groups.csv"
    lines = [f"{name},{'north' if number % 2 else 'south'}\n" for number, name in enumerate(NAMES[:40])]
    groups.write_text("student,group\n" + "".join(lines) + "nobody,north\n", encoding="utf-8")
    share_out(out, ["bo", "cy"], "grace", groups)
    shares = read_shares(out)
    assert {shares.of(name) for name in NAMES[1:40:2]} == {draw(("bo", "cy"), "north")}
    assert {shares.of(name) for name in NAMES[40:]} == {"bo", "cy"}


@pytest.mark.parametrize("names", [["bo", "bo"], ["bo", " "]])
def test_each_assistant_is_named_once(out: Path, names: list[str]) -> None:
    with pytest.raises(InputError, match="expected each assistant once, got bo, "):
        share_out(out, names, "grace")


def test_what_is_open_is_counted_by_name() -> None:
    assert tell_counts(["cy", "", "bo", "bo"]) == "bo 2, cy 1"
