"""Worksheets of Moodle: in whatever language, with scores and comments filled in."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli import main
from grader.errors import InputError
from grader.exports.gradebook import fill_gradebook
from grader.results import as_json
from tests.grader.exports.gradebooks import GERMAN, HIDDEN_NAMES, MOODLE, NORWEGIAN, book, cells, grade
from tests.grader.exports.results_json import check, results


def test_moodle_by_participant(tmp_path: Path) -> None:
    filled = fill_gradebook("moodle", book(tmp_path, MOODLE), [grade("55", 87.5)])
    rows = cells(filled.content)
    assert rows[1] == [
        *("Participant 55", "Ada Lovelace", "ada@example.org", "Submitted for grading"),
        *("87.5", "100,00", "Yes", ""),
    ]
    assert rows[2][-1] == "'=1+1"


@pytest.mark.parametrize(
    ("text", "place"), [(GERMAN, 4), (NORWEGIAN, 5), (HIDDEN_NAMES, 2)], ids=["de", "nb", "hidden names"]
)
def test_a_worksheet_of_moodle_in_another_language(tmp_path: Path, text: str, place: int) -> None:
    filled = fill_gradebook("moodle", book(tmp_path, text), [grade("55", 87.5)])
    expected = list(csv.reader(io.StringIO(text)))
    expected[1][place] = "87.5"
    assert cells(filled.content) == expected
    who = "Deltaker 56" if text is HIDDEN_NAMES else "Alan Turing"
    assert filled.problems == (f"in the gradebook without a score from here: {who}",)
    assert filled.changes == (("x: 50,00 -> 87.5",) if text is NORWEGIAN else ())


def test_empty_cells_at_the_end_of_a_worksheets_row_may_be_left_out(tmp_path: Path) -> None:
    short = HIDDEN_NAMES.replace(",Ja,-\n", ",Ja\n")
    filled = fill_gradebook("moodle", book(tmp_path, short), [grade("55", 87.5)])
    assert cells(filled.content)[1] == ["Deltaker 55", "Levert", "87.5", "100,00", "Ja", ""]


def test_a_worksheet_whose_first_line_is_blank_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a gradebook of Moodle"):
        fill_gradebook("moodle", book(tmp_path, f"\n{GERMAN}"), [grade("55")])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Teilnehmer/in56", "Student 56"),
        ("Teilnehmer/in55", "55"),
        ('"Keine Abgabe",,"100,00"', '"Keine Abgabe",,"50,00"'),
        ('abgegeben",,', 'abgegeben",gut,'),
    ],
    ids=["two words before numbers", "no word", "two maxima", "no number for a grade"],
)
def test_what_is_no_worksheet_is_refused(tmp_path: Path, old: str, new: str) -> None:
    assert old in GERMAN
    with pytest.raises(InputError, match="expected a gradebook of Moodle"):
        fill_gradebook("moodle", book(tmp_path, GERMAN.replace(old, new)), [grade("55")])


def test_comments_stand_beside_the_scores_of_moodle(tmp_path: Path) -> None:
    ada, alan = (
        replace(grade(id_, submission=id_), comment="80 of 100 points. Done.") for id_ in ("55", "56")
    )
    filled = fill_gradebook("moodle", book(tmp_path, GERMAN), [ada, alan])
    assert [row[-1] for row in cells(filled.content)[1:]] == ["80 of 100 points. Done."] * 2
    again = fill_gradebook(
        "moodle", book(tmp_path, filled.content.decode()), [replace(ada, comment="81 of 100 points. !")]
    )
    assert cells(again.content)[1][-1] == "81 of 100 points. !"
    kept = fill_gradebook("moodle", book(tmp_path, NORWEGIAN), [ada, alan])
    assert [row[-1] for row in cells(kept.content)[1:]] == ["Se på BFS", "80 of 100 points. Done."]
    assert kept.problems == ("with a comment of a person, which stays: 55",)


def test_a_comment_is_made_of_the_result(tmp_path: Path) -> None:
    out = tmp_path / "results"
    (out / "Ada_55").mkdir(parents=True)
    late = {"days": 2, "deadline": "2026-10-01T23:59:00+02:00", "taken": 9.0}
    data = results(
        check("dfs.a", "failed", title="x<1"), language="nb", score=36.0, max_score=50.0, late=late
    )
    (out / "Ada_55" / "results.json").write_bytes(as_json(data))
    head = "submission,student,id,score,max_score,status,platform,source"
    (out / "grades.csv").write_text(f"{head}\nAda_55,Ada,55,36,50,graded,moodle,x\n")
    worksheet = book(tmp_path, GERMAN)
    assert main(["export", "moodle", str(out), "--gradebook", str(worksheet), "--out", str(worksheet)]) == 0
    assert cells(worksheet.read_bytes())[1][-1] == (
        "36 av 50 poeng. 9 poeng ble trukket fra: 2 dager for sent (fristen var 2026-10-01 23:59). "
        "0 av 1 oppgaver er fullført. Én sjekk gjenstår. Begynn med «x&lt;1» i DFS."
    )
    (out / "Ada_55" / "feedback.html").write_text('<!doctype html>\n<html lang="de">\n')
    assert main(["export", "moodle", str(out), "--gradebook", str(worksheet), "--out", str(worksheet)]) == 0
    assert cells(worksheet.read_bytes())[1][-1].startswith("36 von 50 Punkten. Es wurden 9 Punkte abgezogen")
