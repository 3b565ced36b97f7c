"""Gradebooks of Brightspace, Gradescope, Teams and Classroom, and feedback that Brightspace takes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import InputError
from grader.exports.gradebook import fill_gradebook
from grader.exports.missing_work import find_students_without_work
from grader.exports.pseudonym_key import restore_names
from grader.exports.scores import make_table
from grader.platforms.base import Grade
from grader.platforms.registry import PLATFORMS
from tests.grader.exports.gradebooks import BLACKBOARD, CANVAS, MOODLE, book, cells

BRIGHTSPACE = (
    "OrgDefinedId,Username,Last Name,First Name,Lab 1 Points Grade <Numeric MaxPoints:10 Weight:5>,"
    "Lab 2 Points Grade <Numeric MaxPoints:50 Weight:10 Category:Labs CategoryWeight:20>,"
    "Calculated Final Grade Numerator,End-of-Line Indicator\r\n"
    "#0012,#ada,Lovelace,Ada,9,,9,#\r\n"
    "#12345,#emmy,Noether,Emmy,8,,8,#\r\n"
    "#0014,#alan,Turing,Alan,8,12,20,#\r\n"
)
GRADESCOPE = (
    "Name,SID,Email,Total Score,Max Points,Status,Submission ID,Submission Time,Lateness (H:M:S)\n"
    "Ada Lovelace,0012,ada@example.org,,50,Missing,,,\n"
    "Alan Turing,13,alan@example.org,30,50,Graded,9,2026-10-03 20:13:23 +0200,00:00:00\n"
)
TEAMS = (
    "First Name,Last Name,Email Address,Lab 2,Points,Feedback\r\n"
    "Ada,Lovelace,ada@example.org,,20,\r\nAlan,Turing,alan@example.org,,20,\r\n"
)
CLASSROOM = (
    "Last Name,First Name,Email Address,Lab 1,Lab 2\n,Date,,2026-09-03,2026-10-03\n,Points,,10,20\n"
    "Lovelace,Ada,ada@example.org,9,\nTuring,Alan,alan@example.org,8,\n"
)


def grade(student: str, platform: str, id_: str = "", *, score: float = 80.0, source: str = "") -> Grade:
    return Grade(student, student, id_, score, 100.0, "graded", platform, source)


def test_brightspace_finds_students_by_name_and_never_by_its_own_numbers(tmp_path: Path) -> None:
    grades = [
        grade("Ada Lovelace", "brightspace", "12345-67890"),
        grade("Alan Turing", "brightspace", "0014"),
    ]
    path = book(tmp_path, BRIGHTSPACE, "utf-8-sig")
    filled = fill_gradebook("brightspace", path, grades, "Lab 2")
    table = cells(filled.content, "utf-8-sig")
    assert table[0] == cells(path.read_bytes(), "utf-8-sig")[0]
    assert [(row[0], row[5], row[7]) for row in table[1:]] == [
        ("#0012", "40", "#"),
        ("#12345", "", "#"),
        ("#0014", "40", "#"),
    ]
    assert filled.content.count(b"\r\n") == 4
    assert filled.changes == ("Alan Turing: 12 -> 40",)
    assert find_students_without_work("brightspace", path, grades) == ["Emmy Noether"]


def test_a_plain_class_and_a_gradebook_of_brightspace(tmp_path: Path) -> None:
    path = book(tmp_path, BRIGHTSPACE)
    assert find_students_without_work("", path, [grade("ada", ""), grade("alan", "")]) == ["Emmy Noether"]
    filled = fill_gradebook("brightspace", path, [grade("ada", "")], "Lab 1")
    assert cells(filled.content)[1][4] == "8"


def test_a_new_table_for_brightspace(tmp_path: Path) -> None:
    made = make_table("brightspace", tmp_path, [grade("ada", "")], "Lab 2")
    assert made.content.decode().splitlines() == [
        "Username,Lab 2 Points Grade,End-of-Line Indicator",
        "ada,80,#",
    ]
    named = [grade("Ada Lovelace", "brightspace", "N0012")]
    made = make_table("brightspace", tmp_path, named, "Lab 2")
    assert made.content.decode().splitlines()[0].startswith("OrgDefinedId,")
    with pytest.raises(InputError, match="name it by --gradebook"):
        make_table("brightspace", tmp_path, [grade("Ada Lovelace", "brightspace", "1-2")], "Lab 2")


@pytest.mark.parametrize(
    ("source", "page"),
    [
        (
            "1-2 - Ada Lovelace - Oct 3, 2026 1159 PM",
            "1-2 - Ada Lovelace - Oct 3, 2026 1159 PM/feedback.html",
        ),
        (
            "1-2 - Ada Lovelace - Oct 3, 2026 1159 PM - lab.zip",
            "1-2 - Ada Lovelace - Oct 3, 2026 1159 PM - feedback.html",
        ),
        ("elsewhere", None),
    ],
)
def test_feedback_goes_back_to_where_brightspace_looks_for_it(source: str, page: str | None) -> None:
    to_page = PLATFORMS["brightspace"].page
    assert to_page is not None
    assert to_page(grade("Ada Lovelace", "brightspace", "1-2", source=source)) == page


GROUP = grade("Ada Lovelace; Alan Turing", "gradescope", "0012; 13")


def test_each_member_of_a_group_on_gradescope_gets_the_mark(tmp_path: Path) -> None:
    grades = restore_names([GROUP], None, tmp_path)
    filled = fill_gradebook("gradescope", book(tmp_path, GRADESCOPE), grades)
    assert [row[3] for row in cells(filled.content)[1:]] == ["40", "40"]
    assert filled.changes == ("Ada Lovelace; Alan Turing: 30 -> 40",)
    made = make_table("gradescope", tmp_path, grades, "Lab 2")
    assert made.content.decode().splitlines()[1:] == ["Ada Lovelace,0012,80", "Alan Turing,13,80"]
    assert find_students_without_work("gradescope", book(tmp_path, GRADESCOPE), [GROUP]) == []


@pytest.mark.parametrize(
    ("platform", "text", "separator"), [("canvas", CANVAS, ","), ("blackboard", BLACKBOARD, "\t")]
)
def test_gradescope_knows_students_by_the_ids_of_the_institution(
    tmp_path: Path, platform: str, text: str, separator: str
) -> None:
    ada = grade("Ada Lovelace", "gradescope", "s1")
    filled = fill_gradebook(platform, book(tmp_path, text), [ada], "Lab 2")
    row = next(row for row in cells(filled.content, separator=separator) if "s1" in row)
    assert (filled.written, {"40", "16"} & {*row}) == (1, {"40" if platform == "canvas" else "16"})


def test_a_number_of_gradescope_is_never_one_of_canvas_or_moodle(tmp_path: Path) -> None:
    (ada,) = [grade("Ada Lovelace", "gradescope", "101")]
    filled = fill_gradebook("canvas", book(tmp_path, CANVAS), [ada], "Lab 2")
    assert (filled.written, filled.problems[0]) == (0, "Ada Lovelace: not in the gradebook")
    filled = fill_gradebook("moodle", book(tmp_path, MOODLE), [grade("Ada", "gradescope", "55")])
    assert filled.written == 0
    with pytest.raises(InputError, match="name it by --gradebook"):
        make_table("canvas", tmp_path, [ada], "Lab 2")


@pytest.mark.parametrize(("platform", "text", "column"), [("teams", TEAMS, 3), ("classroom", CLASSROOM, 4)])
def test_tables_to_copy_from(tmp_path: Path, platform: str, text: str, column: int) -> None:
    filled = fill_gradebook(platform, book(tmp_path, text), [grade("Ada Lovelace", platform)], "Lab 2")
    found = next(row for row in cells(filled.content) if "Ada" in row)
    assert (filled.written, found[column]) == (1, "16")
    made = make_table(platform, tmp_path, [grade("Ada Lovelace", platform)], "Lab 2")
    assert made.content.decode().splitlines() == ["Full Name,Lab 2", "Ada Lovelace,80"]


@pytest.mark.parametrize("spoilt", ["1.01E+02", "1,01e+02", "101.0"])
def test_ids_that_a_spreadsheet_has_changed_are_named(tmp_path: Path, spoilt: str) -> None:
    path = book(tmp_path, CANVAS.replace(",101,", f',"{spoilt}",'))
    filled = fill_gradebook("canvas", path, [grade("lovelaceada_101", "canvas", "101")], "Lab 2")
    assert filled.written == 0
    assert any("ids that a spreadsheet has changed" in each and spoilt in each for each in filled.problems)
