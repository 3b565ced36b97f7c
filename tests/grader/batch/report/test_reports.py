"""The class page, the tables of staff, and what is told of two gradings."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch.job import Course
from grader.batch.journal import Journal
from grader.batch.report.class_facts import ClassFacts, collect_facts
from grader.batch.report.class_page import EDITS, class_page, shared_edits, write_reports
from grader.batch.report.diff import compare
from grader.batch.report.rows import PROPOSALS, items_of, rows_of
from grader.batch.report.similar_groups import Alike, AlikeGroup
from grader.batch.report.similarity import Pair
from grader.course.plan import load_plan
from grader.exports.grades_csv import ExerciseRow, Row, grades_csv
from grader.intake.class_listing import ClassListing, HandIn
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


def test_the_page_counts_as_the_terminal_does(rows: list[Row], rubric: Path) -> None:
    found = ClassListing("", tuple(row.hand_in for row in rows), ())
    alike = Alike((AlikeGroup(("ada", "cleo"), "90 %", ()),))
    page = class_page(rows, alike, collect_facts(found, Course(load_plan(rubric), "fake")))
    figures = dict(re.findall(r"<dt>(.+?)</dt><dd>(.+?)</dd>", page))
    assert figures == {
        "graded": "6",
        "refused": "1",
        "without a mark": "1",
        "not graded yet": "1",
        "mean": "63.3 %",
        "median": "90.0 %",
        "to decide": "6",
    }


@pytest.mark.parametrize(("count", "stands_open"), [(100, True), (101, False)])
def test_a_list_that_nobody_reads_at_a_glance_is_folded(
    rows: list[Row], rubric: Path, count: int, stands_open: bool
) -> None:
    alike = Alike((AlikeGroup(tuple(f"student{number}" for number in range(count)), "90 %", ()),))
    page = class_page(rows, alike, collect_facts(ClassListing("", (), ()), Course(load_plan(rubric), "fake")))
    (how,) = re.findall(r'<details class="kind"( open)?>\n<summary><h3>Suspiciously alike', page)
    assert bool(how) == stands_open
    assert f"student{count - 1}" in page


def test_misconceptions_are_named_in_words_and_one_alone_is_no_group(rows: list[Row], rubric: Path) -> None:
    course = Course(load_plan(rubric), "fake")
    shared = class_page(rows, Alike(), collect_facts(ClassListing("", (), ()), course))
    assert "<strong>DFS: west first</strong>" in shared
    assert "2 submissions</span></summary>" in shared
    assert "Of one submission only" not in shared
    alone = class_page(
        [row for row in rows if row.name != "cleo"], Alike(), collect_facts(ClassListing("", (), ()), course)
    )
    assert "Shared misconceptions" not in alone
    assert "Of one submission only" in alone
    assert "bob</a>: DFS: west first" in alone
    for page in (shared, alone):
        assert "dfs.west-first" not in re.sub(r'data-kinds="[^"]*"', "", page)


def test_the_notice_about_copydetect_lasts_until_it_is_there(
    tmp_path: Path, rubric: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course, found = Course(load_plan(rubric), "fake"), ClassListing("", (HandIn("ada", ()),), ())
    with Journal(tmp_path) as journal:
        with monkeypatch.context() as patched:
            patched.setattr("grader.batch.report.similarity.find_spec", lambda name: None)
            write_reports(tmp_path, collect_facts(found, course), journal)
            assert "Install copydetect" in (tmp_path / "index.html").read_text(encoding="utf-8")
        write_reports(tmp_path, collect_facts(found, course), journal)
        assert "copydetect" not in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_students_are_called_as_in_the_gradebook(rows: list[Row], rubric: Path) -> None:
    names = {"ada": f"Lovelace, Ada {EVIL}", "bob": "Stone, Bob"}
    course = Course(load_plan(rubric), "fake")
    pairs = Pair("ada", "bob", 0.9, "alike/1.html"), Pair("bob", "cleo", 0.9, "alike/2.html")
    alike = Alike((AlikeGroup(("ada", "bob", "cleo"), "90 %", pairs),))
    page = class_page(rows, alike, collect_facts(ClassListing("", (), ()), course, names=names))
    assert '<a href="alike/2.html">Stone, Bob and cleo</a>' in page
    assert '<a href="ada/feedback.html">Lovelace, Ada &lt;script&gt;' in page
    assert '<a href="bob/feedback.html">Stone, Bob</a> <span class="muted">bob</span>' in page
    assert page.count('<a href="cleo/feedback.html">cleo</a>') > 1
    assert EVIL not in page


def test_students_of_one_name_are_told_apart_by_their_numbers() -> None:
    found = (HandIn("Kim Li_101", (), id="101"), HandIn("kim-li", ()), HandIn("ada", (), id="7"))
    names = {"Kim Li_101": "Kim Li", "kim-li": "Kim Li", "ada": "Ada Lovelace"}
    facts = ClassFacts("Mazes", "fake", (), 1.0, ClassListing("", found, ()), names=names)
    assert [facts.called(each.name) for each in found] == ["Kim Li (101)", "Kim Li (kim-li)", "Ada Lovelace"]


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


def test_of_a_kind_that_is_not_known_nothing_is_said(rows: list[Row]) -> None:
    assert shared_edits([looking(row, "of another grader") for row in rows]) == []


def test_submissions_of_one_name_are_listed_together(rows: list[Row]) -> None:
    def drawn(row: Row, *names: str) -> Row:
        exercises = (
            ExerciseRow(f"e{n}", f"E{n}", 1.0, 1.0, (), drawn_from=name) for n, name in enumerate(names)
        )
        return replace(row, exercises=tuple(exercises), concerns=())

    plain = [replace(row, concerns=()) for row in rows[:5]]
    named = [
        drawn(plain[0], "ada"),
        drawn(plain[1], "bob"),
        drawn(plain[2], "ada"),
        drawn(plain[3], "", "ada"),
    ]
    (item,) = items_of([*named, plain[4]], Alike((), ""), {})
    assert (item.kind, item.text, item.is_open) == ("same_name", "E0", True)
    assert (item.submission, *item.others) == (plain[0].name, plain[2].name)


def test_a_fault_has_no_score_and_no_formula_runs(rows: list[Row]) -> None:
    table = grades_csv(rows, ["dfs"], PROPOSALS).decode().split("\r\n")
    lines = {line.split(",")[0]: line.split(",") for line in table[1:] if line}
    assert lines["dan"][3:7] == ["", "100", "", "fault"]
    assert lines["zoe"][3:7] == ["", "", "", "waiting"]
    assert lines["gus"][3:8] == ["80", "100", "80", "graded", "2"]
    assert "'=hal()" in lines


def test_a_table_holds_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    hand_in = HandIn("esc", (Path("in/esc\x1b[31m\u202e"),))
    line = grades_csv(rows_of(tmp_path, [hand_in], {}, 30.0), [], PROPOSALS).decode()
    assert "esc\\x1b[31m\\u202e" in line
    assert not {"\x1b", "\u202e"} & set(line)


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
