"""Gradebooks: filled in by number, everything else as it was, and nothing where a match is unsure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.cli import main
from grader.errors import InputError
from grader.exports.gradebook import add_group_members, fill_gradebook
from grader.exports.grades_csv import read_grades
from grader.platforms.base import Grade
from grader.platforms.points import parse_points
from tests.grader.exports.gradebooks import BLACKBOARD, CANVAS, MOODLE, book, cells, grade
from tests.grader.exports.refusals import refused


def test_the_row_above_the_students_is_nobodys(tmp_path: Path) -> None:
    text = CANVAS.replace("    Points Possible,,", "    Points Possible,101,")
    assert text != CANVAS
    filled = fill_gradebook("canvas", book(tmp_path, text), [grade("101")], "Lab 2")
    assert filled.content.decode() == text.replace("Group 1,9,,91", "Group 1,9,40,91")


@pytest.mark.parametrize("assignment", ["Lab 2", "7002", "Lab 2 (7002)"])
def test_an_assignment_by_title_number_or_head(tmp_path: Path, assignment: str) -> None:
    filled = fill_gradebook("canvas", book(tmp_path, CANVAS), [grade("102")], assignment)
    assert cells(filled.content)[3][6] == "40"


@pytest.mark.parametrize("assignment", [None, "Lab 3"])
def test_an_assignment_has_to_be_sure(tmp_path: Path, assignment: str | None) -> None:
    with pytest.raises(InputError, match="name it with --assignment"):
        fill_gradebook("canvas", book(tmp_path, CANVAS), [grade("101")], assignment)


def of_a_folder(submission: str, student: str, score: float) -> Grade:
    return grade("", score, student=student, submission=submission)


BOTH = [of_a_folder("Bob", "Bob", 20.0), of_a_folder("bob-81bfc4", "bob", 80.0)]


def test_the_very_name_goes_before_one_in_other_case(tmp_path: Path) -> None:
    text = BLACKBOARD.replace('"ada"', '"bob"').replace('"alan"', '"Bob"')
    filled = fill_gradebook("blackboard", book(tmp_path, text), BOTH)
    assert [row[-1] for row in cells(filled.content, separator="\t")[1:]] == ["16", "4"]
    assert filled.changes == ("Bob: 3 -> 4",)


@pytest.mark.parametrize(
    ("users", "grades", "names"),
    [
        (("bob", "alan"), BOTH, "Bob; bob-81bfc4"),
        (("bob", "Bob"), [of_a_folder("BOB", "BOB", 20.0)], "BOB"),
    ],
)
def test_in_other_case_nobody_is_found_twice(
    tmp_path: Path, users: tuple[str, str], grades: list[Grade], names: str
) -> None:
    text = BLACKBOARD.replace('"ada"', f'"{users[0]}"').replace('"alan"', f'"{users[1]}"')
    filled = fill_gradebook("blackboard", book(tmp_path, text), grades)
    assert filled.written == 0
    assert filled.problems[0].startswith("not sure whose")
    assert filled.problems[0].endswith(f": {names}")


GROUPS = (
    "name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n"
    '"Lovelace, Ada",101,s1,ada,CS 101,The Alphas,55,7\n'
    "Alan Turing,102,s2,alan,CS 101,The Alphas,55,7\n"
    "Grace Hopper,103,s3,grace,CS 101,,,\n"
)


def test_a_group_hands_in_once_and_all_its_members_get_the_mark(tmp_path: Path) -> None:
    alphas = replace(grade("101", student="thealphas", submission="thealphas_101"))
    alone = fill_gradebook("canvas", book(tmp_path, CANVAS), [alphas], "Lab 2")
    assert "under another name, as the work of a group" in alone.problems[0]
    assert alone.problems[0].endswith("thealphas_101 (Lovelace, Ada)")
    (tmp_path / "groups.csv").write_text(GROUPS)
    grades = add_group_members([alphas], tmp_path / "groups.csv")
    filled = fill_gradebook("canvas", book(tmp_path, CANVAS), grades, "Lab 2")
    assert [row[6] for row in cells(filled.content)[2:]] == ["40", "40"]
    assert filled.changes == ("thealphas_101: 12 -> 40",)
    own = grade("102", 20.0, submission="turingalan_102")
    assert add_group_members([alphas, own], tmp_path / "groups.csv") == [alphas, own]


@pytest.mark.parametrize("came", ["ostbyase", "stbyse", "\u00f8stby\u00e5se"])
def test_accents_make_no_group(tmp_path: Path, came: str) -> None:
    text = CANVAS.replace("Lovelace, Ada", "\u00d8stby, \u00c5se")
    assert (
        len(fill_gradebook("canvas", book(tmp_path, text), [grade("101", student=came)], "Lab 2").problems)
        == 1
    )


def test_what_is_no_list_of_groups(tmp_path: Path) -> None:
    (tmp_path / "groups.csv").write_text("student,group\n")
    with pytest.raises(InputError, match="expected the columns name, canvas_user_id, group_name"):
        add_group_members([], tmp_path / "groups.csv")


def test_blackboard_in_utf_16(tmp_path: Path) -> None:
    filled = fill_gradebook("blackboard", book(tmp_path, BLACKBOARD, "utf-16"), [grade("ada", 55.0)])
    assert filled.content.startswith((b"\xff\xfe", b"\xfe\xff"))
    assert cells(filled.content, "utf-16", "\t")[1:] == [
        ["Lovelace", "Ada", "ada", "s1", "Yes", "11"],
        ["Turing", "Alan", "alan", "s2", "Yes", "3"],
    ]


def test_a_total_of_blackboard_is_no_assignment(tmp_path: Path) -> None:
    total = '"Weighted Total [Total Pts: up to 20 Percentage] |1"\t"Total [Total Pts: 20 Score] |2"'
    text = BLACKBOARD.replace('"Availability"', f'"Availability"\t{total}').replace('"Yes"', '"Yes"\t""\t""')
    filled = fill_gradebook("blackboard", book(tmp_path, text), [grade("ada", 55.0)])
    assert cells(filled.content, separator="\t")[1][-1] == "11"


@pytest.mark.parametrize(
    ("platform", "text"), [("canvas", CANVAS), ("moodle", MOODLE), ("blackboard", BLACKBOARD)]
)
def test_nothing_to_fill_in_changes_nothing_but_formulas(tmp_path: Path, platform: str, text: str) -> None:
    filled = fill_gradebook(platform, book(tmp_path, text), [], "Lab 2" if platform == "canvas" else None)
    assert filled.content.decode() == text.replace(",=1", ",'=1")


_NO_POINTS = (
    "nan",
    "inf",
    "1e999",
    "1e3",
    "(read only)",
    "ten",
    "",
    "0",
    "-50",
    "100%",
    "1,000",
    "1.000",
    "12 34",
)


def _canvas(worth: str) -> str:
    return CANVAS.replace(",,,,,10,50,", f',,,,,10,"{worth}",')


def _moodle(worth: str) -> str:
    return MOODLE.replace('"100,00"', f'"{worth}"')


def _blackboard(worth: str) -> str:
    return BLACKBOARD.replace("Pts: 20 Score", f"Pts: {worth} Score")


@pytest.mark.parametrize("worth", _NO_POINTS)
@pytest.mark.parametrize(
    ("platform", "text", "user", "column"),
    [
        ("canvas", _canvas, "101", r"Lab 2 \(7002\)"),
        ("moodle", _moodle, "55", "Grade"),
        ("blackboard", _blackboard, "ada", "Lab 2 "),
    ],
)
def test_what_is_no_number_of_points_or_may_be_two_is_refused_with_its_column(
    tmp_path: Path, platform: str, text: Callable[[str], str], user: str, column: str, worth: str
) -> None:
    assignment = "Lab 2" if platform == "canvas" else None
    with pytest.raises(InputError, match=f"expected what the column {column}.* is worth"):
        fill_gradebook(platform, book(tmp_path, text(worth)), [grade(user)], assignment)


@pytest.mark.parametrize(
    ("worth", "score"),
    [
        ("1,000.00", "800"),
        ("1.000,00", "800"),
        ("1000", "800"),
        ("1000.0", "800"),
        ("1 000", "800"),
        ("1\u00a0000,00", "800"),
        ("1\u202f000", "800"),
        ("1'000.00", "800"),
        ("1,000,000", "800000"),
        (" 12,5 ", "10"),
        ("100,00000", "80"),
    ],
)
@pytest.mark.parametrize(
    ("platform", "text", "user"),
    [("canvas", _canvas, "101"), ("moodle", _moodle, "55"), ("blackboard", _blackboard, "ada")],
)
def test_thousands_are_read_however_they_are_set_apart(
    tmp_path: Path, platform: str, text: Callable[[str], str], user: str, worth: str, score: str
) -> None:
    assignment = "Lab 2" if platform == "canvas" else None
    filled = fill_gradebook(platform, book(tmp_path, text(worth)), [grade(user)], assignment)
    assert score in filled.content.decode().replace("\t", ",").replace('"', "").replace("\n", ",").split(",")


@given(
    thousands=st.integers(1, 999_999_999),
    cents=st.integers(0, 99),
    signs=st.sampled_from([",.", ".,", " ,", " .", "\u00a0,", "\u202f,", "'.", "\u2019."]),
)
def test_a_number_is_read_as_it_was_written(thousands: int, cents: int, signs: str) -> None:
    written = f"{thousands:,}".replace(",", signs[0]) + f"{signs[1]}{cents:02}"
    assert parse_points(written) == thousands + cents / 100


def test_a_gradebook_that_says_nothing_of_points_is_told(tmp_path: Path) -> None:
    text = CANVAS.replace("    Points Possible,,,,,10,50,(read only)\r\n", "")
    filled = fill_gradebook("canvas", book(tmp_path, text), [grade("101")], "Lab 2")
    assert cells(filled.content)[1][6] == "80"
    assert filled.problems[0] == "Lab 2 (7002): the gradebook does not say what it is worth, so not scaled: x"


def test_a_mark_that_may_be_another_number_counts_as_one_that_changes(tmp_path: Path) -> None:
    path = book(tmp_path, _canvas("1,000.00").replace("Group 1,9,,91", 'Group 1,9,"1,000",91'))
    assert fill_gradebook("canvas", path, [grade("101", 0.1)], "Lab 2").changes == ("x: 1,000 -> 1",)


@pytest.mark.parametrize("cell", ["1,000", "1_000", "1e3", "100%"])
def test_a_score_of_ours_that_was_written_anew_is_refused_with_its_column(tmp_path: Path, cell: str) -> None:
    head = "submission,student,id,score,max_score,status,platform,source\n"
    (tmp_path / "grades.csv").write_text(f'{head}ada,Ada,7,80,"{cell}",graded,,\n')
    with pytest.raises(InputError, match=f"points in the column max_score of ada, got '{cell}'"):
        read_grades(tmp_path)


@pytest.mark.parametrize("score", ["nan", "-inf", "1e999", "five"])
def test_a_score_that_is_no_number_is_refused(tmp_path: Path, score: str) -> None:
    head = "submission,student,id,score,max_score,status,platform,source\n"
    (tmp_path / "grades.csv").write_text(f"{head}ada,Ada,7,{score},100,graded,,\n")
    with pytest.raises(InputError, match=r"expected the grades\.csv of grader batch"):
        read_grades(tmp_path)


def test_a_full_name_serves_where_no_number_is_known(tmp_path: Path) -> None:
    filled = fill_gradebook("canvas", book(tmp_path, CANVAS), [grade("", student="lovelaceada")], "Lab 2")
    assert filled.written == 1


def test_of_two_submissions_of_a_student_none_is_filled_in(tmp_path: Path) -> None:
    filled = fill_gradebook("canvas", book(tmp_path, CANVAS), [grade("101"), grade("101")], "Lab 2")
    assert (filled.written, filled.content.decode()) == (0, CANVAS)
    assert "not sure whose" in filled.problems[0]


def test_a_name_does_not_serve_where_a_number_is_known_and_is_another(tmp_path: Path) -> None:
    filled = fill_gradebook("canvas", book(tmp_path, CANVAS), [grade("999", student="lovelaceada")], "Lab 2")
    assert filled.problems == (
        "x: not in the gradebook",
        "in the gradebook without a score from here: Lovelace, Ada; Turing, Alan",
    )


def test_what_could_not_be_graded_leaves_the_cell_as_it_was(tmp_path: Path) -> None:
    filled = fill_gradebook("canvas", book(tmp_path, CANVAS), [grade("102", None)], "Lab 2")
    assert filled.content.decode() == CANVAS
    assert "could not be graded" in filled.problems[0]


def test_the_numbers_of_another_platform_name_nobody_here(tmp_path: Path) -> None:
    stranger = Grade("Ada_101", "Ada Lovelace", "101", 80.0, 100.0, "graded", "moodle", "")
    with pytest.raises(
        InputError, match="expected results of a download from Canvas; Ada_101 came from Moodle"
    ):
        fill_gradebook("canvas", book(tmp_path, CANVAS), [stranger], "Lab 2")


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", CANVAS.split("\r\n", 1)[0]])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        fill_gradebook("canvas", book(tmp_path, text), [grade("101")])


@pytest.mark.parametrize(
    ("held", "changes"),
    [("", ()), ("-", ()), ("40", ()), ("40.00", ()), ("12", ("x: 12 -> 40",)), ("EX", ("x: EX -> 40",))],
)
def test_a_cell_that_holds_another_mark_is_told(tmp_path: Path, held: str, changes: tuple[str, ...]) -> None:
    path = book(tmp_path, CANVAS.replace("Group 1,9,,91", f"Group 1,9,{held},91"))
    assert fill_gradebook("canvas", path, [grade("101")], "Lab 2").changes == changes


RESULTS = (
    "submission,student,id,score,max_score,status,platform,source\r\n"
    "lovelaceada_101,lovelaceada,101,80,100,graded,canvas,lovelaceada_101_9_lab.zip\r\n"
    "turingalan_102,turingalan,102,,100,refused,canvas,turingalan_102_9_lab.zip\r\n"
)


def exported(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[list[list[str]], str]:
    (folder / "results").mkdir(exist_ok=True)
    (folder / "results" / "grades.csv").write_text(RESULTS, encoding="utf-8")
    target = folder / "import.csv"
    names = ("--gradebook", str(book(folder, CANVAS)), "--assignment", "Lab 2", "--out", str(target))
    assert main(["export", "canvas", str(folder / "results"), *names, *more]) == 0
    return cells(target.read_bytes()) if target.exists() else [], capsys.readouterr().out


def test_refused_is_zero_where_a_person_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, told = exported(tmp_path, capsys, "--refused", "zero")
    assert [row[6] for row in rows[2:]] == ["40", "0"]
    assert told.splitlines()[:2] == ["marks that are there and change:", "  turingalan_102: 12 -> 0"]


def test_groups_are_for_canvas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("moodle", tmp_path, "--out", tmp_path / "x.csv", "--groups", "groups.csv")
    assert "--groups is for canvas" in refused(capsys, "export", *arguments)
