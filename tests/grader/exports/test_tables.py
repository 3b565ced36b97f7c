"""New tables, pages, plots and all checks: whatever is exported beside gradebooks."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.cli import main
from grader.exports.feedback_zip import zip_feedback
from grader.exports.grades_csv import (
    Identity,
    defuse_formula,
    encode_csv,
    encode_key,
    format_points,
    restore_names,
    undo_defusing,
)
from grader.exports.plot import shares
from grader.exports.registry import EXPORTS
from grader.exports.scores import make_table
from grader.platforms.base import PLATFORMS
from tests.grader.batch.marked_class import out, record, report, results_of
from tests.grader.batch.report.conftest import leave_unwritten
from tests.grader.exports.gradebooks import cells, grade
from tests.grader.exports.refusals import refused

__all__ = ["out"]
"""Fixture of the neighbour."""


@pytest.mark.parametrize("what", EXPORTS)
def test_an_export_from_nothing_or_to_nowhere_says_so(
    tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for source in (tmp_path, tmp_path / "nowhere"):
        said = refused(capsys, "export", what, source, "--out", tmp_path / "x")
        assert f"{source}: expected a" in said
        assert not (tmp_path / "x").exists()
    said = refused(capsys, "export", what, tmp_path, "--out", tmp_path / "nowhere" / "x")
    assert f"{tmp_path / 'nowhere'}: expected a folder that exists" in said
    assert "got a folder" in refused(capsys, "export", what, tmp_path, "--out", tmp_path)


# --- cells ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["=1", "+1+1", "-1+1", "@SUM(A1)", "\tx", "\rx", "\n=1", " =1", "＝1", "－cmd", "+47 99", "-1.5.2"],
)
def test_formulas_are_defused(text: str) -> None:
    assert defuse_formula(text) == f"'{text}"
    assert undo_defusing(defuse_formula(text)) == text


@pytest.mark.parametrize("text", ["", "-", "-3", "-3.5", "+2", "12,5", "ada", "a=b", "'quoted'", "O'Hara"])
def test_everything_else_stays(text: str) -> None:
    assert defuse_formula(text) == text
    assert undo_defusing(text) == text


@given(st.text())
def test_no_cell_begins_like_a_formula_and_all_is_read_again(text: str) -> None:
    ((before, cell),) = cells(encode_csv([["a", text]]))
    assert (before, undo_defusing(cell)) == ("a", text.replace("\0", ""))
    if cell != "-" and cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
        float(cell.replace(",", "."))


@pytest.mark.parametrize(
    ("score", "shown"), [(None, ""), (0.0, "0"), (87.5, "87.5"), (100.0, "100"), (33.33, "33.33")]
)
def test_points(score: float | None, shown: str) -> None:
    assert format_points(score) == shown


# --- tables -----------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=5))
def test_a_new_table_names_everybody_who_can_be_told_apart(ids: list[str]) -> None:
    grades = [grade(id_, float(n), platform="canvas") for n, id_ in enumerate(ids)]
    made = make_table("canvas", Path(), grades, "Lab 2")
    sure = [[id_, f"{n}"] for n, id_ in enumerate(ids) if Counter(ids)[id_] == 1]
    assert [[line[1], line[-1]] for line in cells(made.content)[2:]] == sure
    assert (made.written, len(made.problems)) == (len(sure), len({*ids}) - len(sure))


@pytest.mark.processes
def test_of_work_as_it_was_handed_out_no_check_was_failed(out: Path, tmp_path: Path) -> None:
    record(out, "cleo_3", leave_unwritten(results_of(0.0)))
    report(out)
    assert main(["export", "checks", str(out), "--out", str(tmp_path / "c.csv"), "--anyway"]) == 0
    with (tmp_path / "c.csv").open(newline="", encoding="utf-8") as file:
        statuses = [(line["submission"], line["status"]) for line in csv.DictReader(file)]
    assert statuses == [("ada_1", "passed")] * 2 + [("bob_2", "passed")] * 2 + [("cleo_3", "unwritten")] * 3


@pytest.mark.parametrize(
    ("platform", "source", "name"),
    [
        ("canvas", "lovelaceada_LATE_101_9001_lab.zip", "lovelaceada_LATE_101_9001_feedback.html"),
        ("canvas", "lovelaceada_101_text.html", "lovelaceada_101_feedback.html"),
        ("canvas", "", "lovelaceada_101_feedback.html"),
        ("moodle", "", "lovelaceada_101_assignsubmission_file_feedback.html"),
        ("brightspace", "1-2 - Ada - Oct 3, 2026 1159 PM", "1-2 - Ada - Oct 3, 2026 1159 PM/feedback.html"),
        (
            "brightspace",
            "1-2 - Ada - Oct 3, 2026 1159 PM - a.zip",
            "1-2 - Ada - Oct 3, 2026 1159 PM - feedback.html",
        ),
        ("brightspace", "elsewhere", None),
    ],
)
def test_a_page_has_the_name_by_which_a_platform_finds_its_student(
    platform: str, source: str, name: str | None
) -> None:
    page = PLATFORMS[platform].page
    assert page is not None
    who = grade("101", student="lovelaceada", platform=platform)
    assert page(replace(who, source=source)) == name


def test_each_member_of_a_group_gets_the_name_and_the_mark_back_from_the_key(tmp_path: Path) -> None:
    who = Identity("student-1", "pair", "Ada; Alan", "0012; 13", "gradescope", "")
    (tmp_path / "key.csv").write_bytes(encode_key([who]))
    (ada, alan) = restore_names([grade("", submission="student-1")], tmp_path / "key.csv", tmp_path)
    told = [(each.called, each.student, each.id, each.score) for each in (ada, alan)]
    assert told == [("pair", "Ada", "0012", 80.0), ("pair", "Alan", "13", 80.0)]


def test_work_from_elsewhere_has_no_page_in_the_zip(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).mkdir()
        (tmp_path / name / "feedback.html").write_text("<p>well done")
    came = [
        grade("1", submission="a", platform="moodle"),
        grade("", submission="b", platform="moodle"),
        grade("3", submission="c"),
        grade("4", submission="d", platform="moodle"),
    ]
    assert zip_feedback(tmp_path, came, tmp_path / "f.zip") == ("moodle", 1, ["b", "c", "d"])


# --- plots ------------------------------------------------------------------------------------------


def test_only_what_was_worth_points_is_drawn() -> None:
    works = [(40.0, 50.0, [("DFS", 5.0, 10.0), ("BFS", 0.0, 0.0)]), (0.0, 0.0, [("DFS", 0.0, 10.0)])]
    assert shares(works) == ([80.0], {"DFS": [50.0]})


@pytest.mark.processes
def test_scores_and_exercises_are_drawn_and_the_same_class_is_the_same_file(
    out: Path, tmp_path: Path
) -> None:
    def plot(name: str) -> bytes:
        assert main(["export", "plot", str(out), "--out", str(tmp_path / name), "--anyway"]) == 0
        return (tmp_path / name).read_bytes()

    drawn = plot("a.svg")
    assert drawn == plot("b.svg")
    assert all(title in drawn.decode() for title in ("DFS", "2 submissions", "Score in percent"))
    assert plot("a.png").startswith(b"\x89PNG")
