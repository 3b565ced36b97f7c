"""The class page, the tables of staff, and what is told of two gradings."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

from grader.batch.job import Course
from grader.batch.report.class_facts import collect_facts
from grader.batch.report.class_page import EDITS, class_page, shared_edits
from grader.batch.report.diff import compare
from grader.batch.report.rows import PROPOSALS
from grader.batch.report.similar_groups import Alike, AlikeGroup
from grader.course.plan import load_plan
from grader.exports.grades_csv import Row, grades_csv
from grader.intake.class_listing import ClassListing
from grader.repairs.source import KINDS
from tests.grader.batch.report.conftest import EVIL, RESULTS, result


def test_the_page_escapes_everything(rows: list[Row], rubric: Path) -> None:
    course = Course(load_plan(rubric), "fake")
    found = ClassListing("moodle", tuple(row.hand_in for row in rows), (EVIL,))
    alike = Alike((AlikeGroup(("ada", "bob", EVIL), "93 % of the smaller one's own code", ()),))
    page = class_page(rows, alike, collect_facts(found, course), [EVIL])
    assert EVIL not in page
    assert page.count("<script>") == 1
    assert "93 % of the smaller one&#39;s own code" in page
    assert 'href="%3Dhal%28%29/feedback.html"' in page
    assert "for staff only" in page


def test_names_cannot_turn_the_text_around_them(rows: list[Row], rubric: Path) -> None:
    turned = "Bob \u202egnp.exe"
    facts = collect_facts(ClassListing("", (), (turned,)), Course(load_plan(rubric), "fake"))
    page = class_page(rows, Alike(), facts, [turned], without_work=[turned])
    assert "\u202e" not in page
    assert page.count("gnp.exe") == 3


def looking(row: Row, kind: str) -> Row:
    return replace(row, exercises=tuple(replace(exercise, look_at=kind) for exercise in row.exercises))


def test_submissions_with_the_same_edit_stand_together(rows: list[Row], rubric: Path) -> None:
    assert EDITS.keys() == KINDS
    ada, bob, cleo, *others = rows
    rows = [looking(ada, "end"), looking(bob, "equal"), looking(cleo, "end"), *others]
    most, other = shared_edits(rows)
    assert (most.exercise, most.words) == ("DFS", "take the other end of the list")
    assert [row.name for row in most.rows] == ["ada", "cleo"]
    assert other.words == "are wrong where two are equal"
    found = ClassListing("", tuple(row.hand_in for row in rows), ())
    page = class_page(rows, Alike(()), collect_facts(found, Course(load_plan(rubric), "fake")))
    assert "<strong>DFS:</strong> 2 take the other end of the list" in page


def test_a_fault_has_no_score_and_no_formula_runs(rows: list[Row]) -> None:
    table = grades_csv(rows, ["dfs"], PROPOSALS, {"gus": ["late", "alike"]}).decode()
    lines = {line[0]: line for line in csv.reader(io.StringIO(table, newline=""))}
    assert lines["gus"][8:10] == ["late, alike", "2"]
    assert lines["dan"][4:8] == ["", "100", "", "fault"]
    assert lines["zoe"][4:8] == ["", "", "", "waiting"]
    assert lines["gus"][4:8] == ["80", "100", "80", "graded"]
    assert "'=hal()" in lines


def test_diff_names_what_moved_and_why(tmp_path: Path) -> None:
    new = dict(RESULTS)
    new["ada"] = ("graded", result(0.0, status="timeout"))
    new["dan"] = ("graded", result(100.0))
    del new["fay"]
    worth = result(80.0, late={"days": 1, "percent": 10}, sandbox="other")
    worth["exercises"][0]["checks"][0]["max_score"] = 90.0
    new["gus"] = ("graded", worth)
    for folder, class_ in (("old", RESULTS), ("new", new)):
        for name, (_, content) in class_.items():
            path = tmp_path / folder / name / "results.json"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(content))
    assert compare(tmp_path / "old", tmp_path / "new").splitlines() == [
        "4 of 8 results moved",
        "ada: 100 -> 0",
        "  dfs.no-way: passed -> timeout (-100)",
        "dan: no mark -> 100",
        "  could not be graded before",
        "  dfs.no-way: skipped -> passed (+100)",
        "fay: 100 -> no mark",
        "  is not there any more",
        "gus: 80 -> 80",
        "  dfs.no-way: passed, worth 100 -> 90",
        "  late: 2 days, 0 % off -> 1 day, 10 % off",
        "  sandbox: fake -> other",
    ]
    assert compare(tmp_path / "old", tmp_path / "old") == "0 of 8 results moved"
