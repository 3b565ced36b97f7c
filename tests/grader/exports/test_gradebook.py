"""Gradebooks: filled in by number, everything else as it was, and nothing where a match is unsure."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from grader.cli import main
from grader.errors import InputError
from grader.exports.gradebook import fill
from grader.platforms.base import Grade

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (7001),Lab 2 (7002),Final Score\r\n"
    "    Points Possible,,,,,10,50,(read only)\r\n"
    '"Lovelace, Ada",101,s1,ada,Group 1,9,,91\r\n'
    '"Turing, Alan",102,s2,alan,Group 1,8,12,80\r\n'
)
MOODLE = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Feedback comments\n"
    'Participant 55,Ada Lovelace,ada@example.org,Submitted for grading,,"100,00",Yes,\n'
    "Participant 56,Alan Turing,alan@example.org,No submission,,100.00,Yes,=1+1\n"
)
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Availability"\t'
    '"Lab 2 [Total Pts: 20 Score] |9001"\n'
    '"Lovelace"\t"Ada"\t"ada"\t"s1"\t"Yes"\t""\n'
    '"Turing"\t"Alan"\t"alan"\t"s2"\t"Yes"\t"3"\n'
)


def grade(id_: str, score: float | None = 80.0, *, student: str = "", submission: str = "x") -> Grade:
    return Grade(submission, student, id_, score, 100.0, "graded", "", "")


def book(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "gradebook.csv"
    path.write_bytes(text.encode(encoding))
    return path


def cells(content: bytes, encoding: str = "utf-8", separator: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(encoding), newline=""), delimiter=separator))


def test_canvas(tmp_path: Path) -> None:
    filled = fill("canvas", book(tmp_path, CANVAS), [grade("101")], "Lab 2")
    expected = CANVAS.replace("Group 1,9,,91", "Group 1,9,40,91")
    assert filled.content.decode() == expected
    assert (filled.written, filled.problems) == (
        1,
        ("in the gradebook without a score from here: Turing, Alan",),
    )


@pytest.mark.parametrize("assignment", ["Lab 2", "7002", "Lab 2 (7002)"])
def test_an_assignment_by_title_number_or_head(tmp_path: Path, assignment: str) -> None:
    filled = fill("canvas", book(tmp_path, CANVAS), [grade("102")], assignment)
    assert cells(filled.content)[3][6] == "40"


@pytest.mark.parametrize("assignment", [None, "Lab 3"])
def test_an_assignment_has_to_be_sure(tmp_path: Path, assignment: str | None) -> None:
    with pytest.raises(InputError, match="name it with --assignment"):
        fill("canvas", book(tmp_path, CANVAS), [grade("101")], assignment)


def test_moodle_by_participant(tmp_path: Path) -> None:
    filled = fill("moodle", book(tmp_path, MOODLE), [grade("55", 87.5)])
    rows = cells(filled.content)
    assert rows[1] == [
        *("Participant 55", "Ada Lovelace", "ada@example.org", "Submitted for grading"),
        *("87.5", "100,00", "Yes", ""),
    ]
    assert rows[2][-1] == "'=1+1"


def test_blackboard_in_utf_16(tmp_path: Path) -> None:
    filled = fill("blackboard", book(tmp_path, BLACKBOARD, "utf-16"), [grade("ada", 55.0)])
    assert filled.content.startswith((b"\xff\xfe", b"\xfe\xff"))
    assert cells(filled.content, "utf-16", "\t")[1:] == [
        ["Lovelace", "Ada", "ada", "s1", "Yes", "11"],
        ["Turing", "Alan", "alan", "s2", "Yes", "3"],
    ]


def test_a_total_of_blackboard_is_no_assignment(tmp_path: Path) -> None:
    total = '"Weighted Total [Total Pts: up to 20 Percentage] |1"\t"Total [Total Pts: 20 Score] |2"'
    text = BLACKBOARD.replace('"Availability"', f'"Availability"\t{total}').replace('"Yes"', '"Yes"\t""\t""')
    filled = fill("blackboard", book(tmp_path, text), [grade("ada", 55.0)])
    assert cells(filled.content, separator="\t")[1][-1] == "11"


@pytest.mark.parametrize(
    ("platform", "text"), [("canvas", CANVAS), ("moodle", MOODLE), ("blackboard", BLACKBOARD)]
)
def test_nothing_to_fill_in_changes_nothing_but_formulas(tmp_path: Path, platform: str, text: str) -> None:
    filled = fill(platform, book(tmp_path, text), [], "Lab 2" if platform == "canvas" else None)
    assert filled.content.decode() == text.replace(",=1", ",'=1")


def test_a_full_name_serves_where_no_number_is_known(tmp_path: Path) -> None:
    filled = fill("canvas", book(tmp_path, CANVAS), [grade("", student="lovelaceada")], "Lab 2")
    assert filled.written == 1


def test_two_students_of_a_name_are_refused(tmp_path: Path) -> None:
    twins = CANVAS.replace('"Turing, Alan"', '"Lovelace, Ada"')
    with pytest.raises(InputError, match="may be any of 2 students"):
        fill("canvas", book(tmp_path, twins), [grade("", student="Lovelace Ada")], "Lab 2")


def test_two_submissions_of_a_student_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="are the same student"):
        fill("canvas", book(tmp_path, CANVAS), [grade("101"), grade("101")], "Lab 2")


def test_a_name_does_not_serve_where_a_number_is_known_and_is_another(tmp_path: Path) -> None:
    filled = fill("canvas", book(tmp_path, CANVAS), [grade("999", student="lovelaceada")], "Lab 2")
    assert filled.problems == (
        "x: not in the gradebook",
        "in the gradebook without a score from here: Lovelace, Ada; Turing, Alan",
    )


def test_what_could_not_be_graded_leaves_the_cell_as_it_was(tmp_path: Path) -> None:
    filled = fill("canvas", book(tmp_path, CANVAS), [grade("102", None)], "Lab 2")
    assert filled.content.decode() == CANVAS
    assert "could not be graded" in filled.problems[0]


def test_the_numbers_of_another_platform_name_nobody_here(tmp_path: Path) -> None:
    stranger = Grade("Ada_101", "Ada Lovelace", "101", 80.0, 100.0, "graded", "moodle", "")
    with pytest.raises(
        InputError, match="expected results of a download from Canvas; Ada_101 came from Moodle"
    ):
        fill("canvas", book(tmp_path, CANVAS), [stranger], "Lab 2")


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", CANVAS.split("\r\n", 1)[0]])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        fill("canvas", book(tmp_path, text), [grade("101")])


@pytest.mark.parametrize(
    ("held", "changes"),
    [("", ()), ("-", ()), ("40", ()), ("40.00", ()), ("12", ("x: 12 -> 40",)), ("EX", ("x: EX -> 40",))],
)
def test_a_cell_that_holds_another_mark_is_told(tmp_path: Path, held: str, changes: tuple[str, ...]) -> None:
    path = book(tmp_path, CANVAS.replace("Group 1,9,,91", f"Group 1,9,{held},91"))
    assert fill("canvas", path, [grade("101")], "Lab 2").changes == changes


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


def test_refused_is_not_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, told = exported(tmp_path, capsys)
    assert [row[6] for row in rows[2:]] == ["40", "12"]
    assert told.splitlines()[1:] == [
        "  turingalan_102: refused, so without a score (--refused zero makes it 0); left as it was",
        "  in the gradebook without a score from here: Turing, Alan",
    ]


def test_refused_is_zero_where_a_person_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, told = exported(tmp_path, capsys, "--refused", "zero")
    assert [row[6] for row in rows[2:]] == ["40", "0"]
    assert told.splitlines()[1:] == ["  turingalan_102: 12 -> 0"]


def test_a_dry_run_tells_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, told = exported(tmp_path, capsys, "--refused", "zero", "--dry-run")
    assert rows == []
    assert told.splitlines() == [
        f"{tmp_path}/import.csv would hold 2 scores; nothing was written",
        "  turingalan_102: 12 -> 0",
    ]
