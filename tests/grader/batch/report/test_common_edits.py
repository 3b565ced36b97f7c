"""Which small edits would put right what a class handed in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader.batch.job import Course
from grader.batch.report.class_facts import collect_facts
from grader.batch.report.class_page import EDITS, class_page, shared_edits
from grader.batch.report.rows import Row
from grader.batch.report.similar_groups import Alike
from grader.course.plan import load_plan
from grader.intake.class_listing import ClassListing
from grader.repairs.edits import KINDS


def looking(row: Row, kind: str) -> Row:
    return replace(row, exercises=tuple(replace(exercise, look_at=kind) for exercise in row.exercises))


def test_every_kind_has_its_words() -> None:
    assert EDITS.keys() == KINDS


def test_submissions_with_the_same_edit_stand_together(rows: list[Row], rubric: Path) -> None:
    ada, bob, cleo, *others = rows
    rows = [looking(ada, "end"), looking(bob, "equal"), looking(cleo, "end"), *others]
    most, other = shared_edits(rows)
    assert (most.exercise, most.words) == ("DFS", "take the other end of the list")
    assert [row.name for row in most.rows] == ["ada", "cleo"]
    assert other.words == "are wrong where two are equal"
    found = ClassListing("", tuple(row.hand_in for row in rows), ())
    page = class_page(rows, Alike(()), collect_facts(found, Course(load_plan(rubric), "fake")))
    assert "<strong>DFS:</strong> 2 take the other end of the list" in page


def test_of_a_kind_that_is_not_known_nothing_is_said(rows: list[Row]) -> None:
    assert shared_edits([looking(row, "of another grader") for row in rows]) == []
