"""Tables for a platform where no gradebook of its own is given."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from grader.errors import InputError
from grader.exports.scores import make_table
from grader.platforms.base import Grade


def grade(submission: str, id_: str = "", score: float | None = 80.0, *, platform: str = "") -> Grade:
    student = f"Name of {submission}" if platform else submission
    return Grade(submission, student, id_, score, 100.0, "graded", platform, "")


def lines(content: bytes) -> list[str]:
    return content.decode().splitlines()


@pytest.mark.parametrize(
    ("platform", "head", "line"),
    [
        ("canvas", "Student,ID,SIS User ID,SIS Login ID,Section,Lab 2", "ada,,,ada,,80"),
        ("moodle", "Username,Lab 2", "ada,80"),
        ("blackboard", "Username,Lab 2", "ada,80"),
    ],
)
def test_a_plain_folder_names_students_as_its_folders(
    tmp_path: Path, platform: str, head: str, line: str
) -> None:
    made = make_table(platform, tmp_path, [grade("ada")], "Lab 2")
    assert (lines(made.content)[0], lines(made.content)[-1]) == (head, line)
    assert made.problems[0].startswith("students are called as their folders are")


@pytest.mark.parametrize("platform", ["canvas", "moodle", "blackboard"])
@pytest.mark.parametrize(
    ("submission", "student"), [("bob-81bfc4", "bob"), ("_CON", "CON"), ("o'neil -quote-", 'o\'neil "quote"')]
)
def test_a_name_that_the_results_could_not_have_is_a_user_name_as_it_was(
    tmp_path: Path, platform: str, submission: str, student: str
) -> None:
    grades = [replace(grade(submission), student=student), grade("Bob")]
    (_, *rows) = csv.reader(lines(make_table(platform, tmp_path, grades, "Lab 2").content)[-3:])
    assert [row[{"canvas": 3}.get(platform, 0)] for row in rows] == [student, "Bob"]


@pytest.mark.parametrize("platform", ["canvas", "moodle", "blackboard"])
def test_formulas_are_defused(tmp_path: Path, platform: str) -> None:
    made = make_table(platform, tmp_path, [grade("=cmd()")], "@SUM(A1)")
    assert ",'@SUM(A1)" in lines(made.content)[0]
    assert "'=cmd()," in lines(made.content)[-1]


def test_who_has_no_score_is_left_out_and_named(tmp_path: Path) -> None:
    grades = [
        grade("ada_1", "1", platform="canvas"),
        grade("bob_2", "2", None, platform="canvas"),
        grade("stray"),
    ]
    made = make_table("canvas", tmp_path, grades, "Lab 2")
    assert made.written == 1
    assert made.problems == (
        "bob_2: no score, since it could not be graded; left out",
        "stray: not from Canvas; left out",
    )


@pytest.mark.parametrize(
    "twins",
    [
        [grade("a", "1", platform="canvas"), grade("b", "1", platform="canvas")],
        [grade("a", platform="canvas"), replace(grade("b", platform="canvas"), student="Name of a")],
    ],
)
def test_who_cannot_be_told_apart_is_left_out_and_named(tmp_path: Path, twins: list[Grade]) -> None:
    made = make_table("canvas", tmp_path, [*twins, grade("cleo", "3", platform="canvas")], "Lab 2")
    assert made.written == 1
    assert made.problems == (f"a; b: of one name, {twins[0].user}; left out",)


@pytest.mark.parametrize(
    ("grades", "said"),
    [
        ([grade("a", "1", platform="moodle")], "a came from Moodle"),
        ([grade("a", score=None)], "expected results with a score, found none"),
        ([], "expected results with a score, found none"),
    ],
)
def test_nothing_is_written_where_there_is_no_score_of_this_platform(
    tmp_path: Path, grades: list[Grade], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        make_table("canvas", tmp_path, grades, "Lab 2")


def test_the_rubric_names_the_assignment_where_nobody_does(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    whole: dict[str, Any] = {"submission": "ada", "sandbox": "fake", "score": 1, "max_score": 1}
    whole |= {"notes": [], "timing": {}, "exercises": []}
    (tmp_path / "ada" / "results.json").write_text(json.dumps({"schema": 1, "title": "Mazes", **whole}))
    (tmp_path / "grades.csv").write_text(
        "submission,student,id,score,max_score,status,platform,source\r\nada,ada,,90,100,graded,,ada\r\n"
    )
    out = tmp_path / "import.csv"
    assert main(["export", "blackboard", str(tmp_path), "--out", str(out)]) == 0
    assert lines(out.read_bytes()) == ["Username,Mazes", "ada,90"]
