"""Students of one name: who is sure gets the mark, and a person says whose the others are."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from grader.batch.report.class_facts import ClassFacts
from grader.batch.report.class_page import class_page
from grader.batch.report.rows import Row
from grader.batch.report.similar_groups import Alike
from grader.cli import main
from grader.intake.class_listing import ClassListing, HandIn

BOOKS = {
    "brightspace": (
        "OrgDefinedId,Username,Last Name,First Name,Lab 2 Points Grade <Numeric MaxPoints:100 Weight:10>,"
        "End-of-Line Indicator\r\n"
        "#007,#kim1,Li,Kim,,#\r\n#12,#ada,Lovelace,Ada,,#\r\n#008,#kim2,Li,Kim,,#\r\n"
    ),
    "teams": (
        "First Name,Last Name,Email Address,Lab 2,Points,Feedback\r\n"
        "Kim,Li,kim1@x.org,,100,\r\nAda,Lovelace,ada@x.org,,100,\r\nKim,Li,kim2@x.org,,100,\r\n"
    ),
    "classroom": (
        "Last Name,First Name,Email Address,Lab 2\r\n"
        "Li,Kim,kim1@x.org,\r\nLovelace,Ada,ada@x.org,\r\nLi,Kim,kim2@x.org,\r\n"
    ),
}
GRADES = (
    "submission,student,id,score,max_score,status,platform,source\n"
    "Kim Li_101,Kim Li,{0},50,100,graded,{2},\nAda Lovelace_102,Ada Lovelace,,80,100,graded,{2},\n"
    "Kim Li_103,Kim Li,{1},70,100,graded,{2},\n"
)


def scores(book: Path) -> list[str]:
    """The marks, in the order of the gradebook."""
    rows = list(csv.DictReader(book.read_text(encoding="utf-8-sig").splitlines()))
    return [next(cell for head, cell in row.items() if head.startswith("Lab 2")) for row in rows]


@pytest.mark.parametrize("platform", BOOKS)
def test_a_person_says_whose_it_is(tmp_path: Path, platform: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "grades.csv").write_text(GRADES.format("101-5", "103-5", platform))
    (tmp_path / "book.csv").write_text(BOOKS[platform], newline="")
    out, table = tmp_path / "marks.csv", tmp_path / "students.csv"
    asked = ["export", platform, str(tmp_path), "--gradebook", str(tmp_path / "book.csv")]
    asked += ["--assignment", "Lab 2", "--out", str(out)]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert "1 scores" in said
    assert "not sure whose" in said
    assert "Kim Li_101; Kim Li_103" in said
    assert "--students" in said
    assert scores(out) == ["", "80", ""]

    assert main([*asked, "--students", str(table)]) == 0
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["submission"], row["may be"], row["line"], row["student"]) for row in rows] == [
        ("", "Kim Li_101; Kim Li_103", "2", "Kim Li"),
        ("", "Kim Li_101; Kim Li_103", "4", "Kim Li"),
    ]
    assert "kim1" in ",".join(rows[0].values())
    lines = table.read_text().splitlines()
    table.write_text("\n".join([lines[0], f"Kim Li_103{lines[1]}", lines[2]]))
    assert main([*asked, "--students", str(table)]) == 0
    assert scores(out) == ["70", "80", ""], "what is still open is not guessed"
    lines = table.read_text().splitlines()
    assert lines[1].startswith("Kim Li_103,"), "what was said stays"
    table.write_text("\n".join([*lines[:2], f"Kim Li_101{lines[2]}"]))
    assert main([*asked, "--students", str(table)]) == 0
    assert scores(out) == ["70", "80", "50"]
    assert "not sure" not in capsys.readouterr().out.rpartition("marks.csv")[2]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "Kim Li_101,,3,Kim Li,#007,#kim1",
            "expected a student of the gradebook, once, got Kim Li in line 3",
        ),
        ("Kim Li_101,,2,Kim Li,#008,#kim2", "expected a student of the gradebook"),
        ("Kim Li_101,,99,Kim Li,#007,#kim1", "expected a student of the gradebook"),
        ("Nobody,,2,Kim Li,#007,#kim1", "expected a submission that has a score, once, got Nobody"),
    ],
)
def test_a_table_that_does_not_fit_the_gradebook_fills_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    (tmp_path / "grades.csv").write_text(GRADES.format("101-5", "103-5", "brightspace"))
    (tmp_path / "book.csv").write_text(BOOKS["brightspace"], newline="")
    (tmp_path / "students.csv").write_text(f"submission,may be,line,student,OrgDefinedId,Username\n{line}\n")
    asked = ["export", "brightspace", str(tmp_path), "--gradebook", str(tmp_path / "book.csv")]
    asked += ["--students", str(tmp_path / "students.csv"), "--out", str(tmp_path / "marks.csv")]
    assert main(asked) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "marks.csv").exists()


def test_the_class_page_tells_them_apart_by_their_numbers() -> None:
    found = (HandIn("Kim Li_101", (), id="101"), HandIn("kim-li", ()), HandIn("ada", (), id="7"))
    names = {"Kim Li_101": "Kim Li", "kim-li": "Kim Li", "ada": "Ada Lovelace"}
    facts = ClassFacts("Mazes", "fake", (), 1.0, ClassListing("", found, ()), names=names)
    rows = [Row(each, "graded", 1.0, 1.0, (), 1.0, 0, ()) for each in found]
    page = class_page(rows, Alike(), facts)
    assert ">Kim Li (101)<" in page
    assert ">Kim Li (kim-li)<" in page
    assert ">Ada Lovelace<" in page
