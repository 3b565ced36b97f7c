"""Gradebooks: filled in by number, everything else as it was, and nothing where a match is unsure."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import InputError
from grader.exports.chosen_students import find_students_without_work, read_roster
from grader.exports.gradebook import add_group_members, fill_gradebook
from grader.exports.grades_csv import defuse_formula, read_grades
from grader.exports.scores import make_table
from grader.platforms.base import PLATFORMS, Grade, parse_points
from tests.grader.exports.gradebooks import (
    ADA,
    BLACKBOARD,
    BOOKS,
    BRIGHTSPACE,
    CANVAS,
    GERMAN,
    HEADS,
    MOODLE,
    TEAMS,
    book,
    cells,
    grade,
)

TABBED = {"blackboard": "\t"}
CELLS = st.sampled_from(["=1+1", "+47 99", "-cmd", "@SUM(A1)", " =1", "\t=1", "-3", "12,5", "-", "", "a;b"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("books")


def assignment_of(platform: str) -> str | None:
    return "Lab 2" if platform in ("canvas", "brightspace", "teams", "classroom") else None


# --- what stays as it was ---------------------------------------------------------------------------


@given(data=st.data(), platform=st.sampled_from(sorted(BOOKS)))
def test_columns_that_name_students_are_never_defused_and_all_others_are(
    folder: Path, data: st.DataObject, platform: str
) -> None:
    separator = TABBED.get(platform, ",")
    head, *rows = cells(BOOKS[platform].encode(), separator=separator)
    drawn = [data.draw(CELLS, label=name) for name in head]
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows([head, *rows, drawn])
    filled = fill_gradebook(platform, book(folder, text.getvalue()), [], assignment_of(platform))
    names = {*PLATFORMS[platform].keys}
    expected = [
        cell if name in names else defuse_formula(cell) for name, cell in zip(head, drawn, strict=True)
    ]
    assert cells(filled.content, separator=separator)[-1] == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("platform", BOOKS)
def test_nothing_to_fill_in_changes_nothing_but_formulas(
    tmp_path: Path, platform: str, encoding: str
) -> None:
    text = BOOKS[platform]
    filled = fill_gradebook(platform, book(tmp_path, text, encoding), [], assignment_of(platform))
    assert filled.content == text.replace(",=1", ",'=1").encode(encoding)


def test_the_row_above_the_students_is_nobodys(tmp_path: Path) -> None:
    text = CANVAS.replace("    Points Possible,,", "    Points Possible,101,")
    assert text != CANVAS
    filled = fill_gradebook("canvas", book(tmp_path, text), [grade("101")], "Lab 2")
    assert filled.content.decode() == text.replace("Group 1,9,,91", "Group 1,9,40,91")


@pytest.mark.parametrize(
    ("held", "changes"),
    [("", ()), ("-", ()), ("40", ()), ("40.00", ()), ("12", ("x: 12 -> 40",)), ("-3", ("x: -3 -> 40",))],
)
def test_a_cell_that_holds_another_mark_is_told(tmp_path: Path, held: str, changes: tuple[str, ...]) -> None:
    path = book(tmp_path, CANVAS.replace("Group 1,9,,91", f"Group 1,9,{held},91"))
    assert fill_gradebook("canvas", path, [grade("101")], "Lab 2").changes == changes


@given(
    word=st.sampled_from(["EX", "N/A", "12 p", "1.2.3"]) | st.text("abcXYZ/?", min_size=1), over=st.booleans()
)
def test_a_word_of_a_person_stays_in_its_cell_unless_one_writes_over_it(
    folder: Path, word: str, over: bool
) -> None:
    path = book(folder, CANVAS.replace("Group 1,9,,91", f"Group 1,9,{word},91"))
    filled = fill_gradebook("canvas", path, [grade("101"), grade("102")], "Lab 2", over=over)
    assert [row[-2] for row in cells(filled.content)[2:]] == ["40" if over else word, "40"]
    assert (filled.written, any(f"x ({word})" in each for each in filled.problems)) == (1 + over, not over)


@given(st.lists(st.sampled_from([(), ("alike",), ("conflict", "late")]), min_size=2, max_size=2))
def test_what_is_open_holds_back_its_own_row_alone(folder: Path, kinds: list[tuple[str, ...]]) -> None:
    grades = [replace(grade(id_), open=each) for id_, each in zip(("101", "102"), kinds, strict=True)]
    filled = fill_gradebook("canvas", book(folder, CANVAS), grades, "Lab 2")
    before = ["", "12"]
    expected = [held if each else "40" for held, each in zip(before, kinds, strict=True)]
    assert [row[-2] for row in cells(filled.content)[2:]] == expected
    made = make_table("canvas", Path(), grades, "Lab 2")
    assert [row[1] for row in cells(made.content)[2:]] == [each.id for each in grades if not each.open]


@pytest.mark.parametrize("about", HEADS)
def test_the_heads_of_public_gradebooks_are_read(tmp_path: Path, about: str) -> None:
    platform, who, text = HEADS[about]
    found = [grade("", student=who)] if who == ADA else [grade(who)]
    several = "Lab 2" if who == ADA else None
    for encoding in ("utf-8", "utf-8-sig"):
        filled = fill_gradebook(platform, book(tmp_path, text.format(""), encoding), found, several)
        assert filled.content.decode(encoding) == text.format("40")


def test_a_mark_that_may_be_another_number_counts_as_one_that_changes(tmp_path: Path) -> None:
    path = book(tmp_path, _canvas("1,000.00").replace("Group 1,9,,91", 'Group 1,9,"1,000",91'))
    assert fill_gradebook("canvas", path, [grade("101", 0.1)], "Lab 2").changes == ("x: 1,000 -> 1",)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Teilnehmer/in56", "Student 56"),
        ("Teilnehmer/in55", "55"),
        ('"Keine Abgabe",,"100,00"', '"Keine Abgabe",,"50,00"'),
        ('abgegeben",,', 'abgegeben",gut,'),
        ("ID,", "\nID,"),
    ],
    ids=["two words before numbers", "no word", "two maxima", "no number for a grade", "a blank line"],
)
def test_what_is_no_worksheet_of_moodle_is_refused(tmp_path: Path, old: str, new: str) -> None:
    assert old in GERMAN
    with pytest.raises(InputError, match="expected a gradebook of Moodle"):
        fill_gradebook("moodle", book(tmp_path, GERMAN.replace(old, new)), [grade("55")])


# --- whose a mark is --------------------------------------------------------------------------------

NAMES = ("Kim Li", "Ada Lovelace", "Alan Turing")


@given(data=st.data())
def test_a_mark_is_written_where_one_student_and_one_submission_have_a_name_or_a_person_says_so(
    folder: Path, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5))
    grades = [
        grade("", float(number), student=name, submission=f"{name} {number}", platform="teams")
        for number, name in enumerate(data.draw(st.lists(st.sampled_from(NAMES), max_size=4)), 1)
    ]
    lines = [f"{name.replace(' ', ',')},{number}@x.org,,100," for number, name in enumerate(rows)]
    path = book(folder, "\n".join([TEAMS.splitlines()[0], *lines, ""]))
    table = folder / "students.csv"
    chosen: dict[int, Grade] = {}
    for row, name in enumerate(rows):
        may_be = [each for each in grades if each.student == name and each not in chosen.values()]
        if data.draw(st.booleans()) and may_be:
            chosen[row] = may_be[0]
    said = [f"{g.submission},,{row + 2},{g.student},{row}@x.org" for row, g in chosen.items()]
    table.write_text("\n".join(["submission,may be,line,student,Email Address", *said, ""]))
    filled = fill_gradebook("teams", path, grades, "Lab 2", table)
    left = [each for each in grades if each not in chosen.values()]
    count, in_book = Counter(each.student for each in left), Counter(rows)
    expected = []
    for row, name in enumerate(rows):
        is_sure = count[name] == 1 and in_book[name] == 1
        found = chosen.get(row) or next((each for each in left if each.student == name and is_sure), None)
        expected.append(f"{found.score:g}" if found else "")
    assert [row[3] for row in cells(filled.content)[1:]] == expected
    assert filled.written == sum(map(bool, expected))


BOTH = [grade("", 20.0, student="Bob", submission="Bob"), grade("", student="bob", submission="bob-81bfc4")]


@pytest.mark.parametrize(
    ("users", "grades", "marks", "unsure"),
    [
        (("bob", "Bob"), BOTH, ["16", "4"], ""),
        (("bob", "alan"), BOTH, ["", "3"], "Bob; bob-81bfc4"),
        (("bob", "Bob"), [grade("", student="BOB", submission="BOB")], ["", "3"], "BOB"),
    ],
)
def test_the_very_name_goes_before_one_in_other_case_and_there_nobody_is_found_twice(
    tmp_path: Path, users: tuple[str, str], grades: list[Grade], marks: list[str], unsure: str
) -> None:
    text = BLACKBOARD.replace('"ada"', f'"{users[0]}"').replace('"alan"', f'"{users[1]}"')
    filled = fill_gradebook("blackboard", book(tmp_path, text), grades)
    assert [row[-1] for row in cells(filled.content, separator="\t")[1:]] == marks
    told = [each for each in filled.problems if each.startswith("not sure whose")]
    assert [each.rpartition(": ")[2] for each in told] == [unsure] * bool(unsure)


@pytest.mark.parametrize(
    ("grades", "written"),
    [
        ([grade("", student="lovelaceada")], 1),
        ([grade("101"), grade("101")], 0),
        ([grade("999", student="lovelaceada")], 0),
        ([grade("101", student="Ada Lovelace", platform="gradescope")], 0),
        ([grade("s1", student="Ada Lovelace", platform="gradescope")], 1),
    ],
    ids=[
        "a name alone",
        "two of one number",
        "a name of another number",
        "the platform's number",
        "the SIS's",
    ],
)
def test_numbers_go_before_names_and_mean_what_the_platform_means(
    tmp_path: Path, grades: list[Grade], written: int
) -> None:
    filled = fill_gradebook("canvas", book(tmp_path, CANVAS), grades, "Lab 2")
    assert (filled.written, filled.content.decode() == CANVAS) == (written, not written)


@pytest.mark.parametrize("spoilt", ["1.01E+02", "1,01e+02", "101.0"])
def test_ids_that_a_spreadsheet_has_changed_are_named(tmp_path: Path, spoilt: str) -> None:
    path = book(tmp_path, CANVAS.replace(",101,", f',"{spoilt}",'))
    filled = fill_gradebook("canvas", path, [grade("101")], "Lab 2")
    assert filled.written == 0
    assert any("ids that a spreadsheet has changed" in each and spoilt in each for each in filled.problems)


def test_a_member_of_a_group_gets_one_mark_and_who_handed_in_alone_keeps_the_own(tmp_path: Path) -> None:
    path = tmp_path / "groups.csv"
    path.write_text("name,canvas_user_id,group_name\nA,101,G\nB,102,G\nC,103,G\nC,103,H\n")
    alphas, others = grade("101", student="alphas"), grade("103", student="alphas")
    shared = replace(alphas, id="102", student="B")
    assert add_group_members([alphas], path) == [alphas, shared, replace(alphas, id="103", student="C")]
    assert add_group_members([alphas, others], path) == [alphas, others, shared]
    own = [alphas, grade("102", 20.0, student="b"), others]
    assert add_group_members(own, path) == own


@pytest.mark.parametrize("came", ["ostbyase", "stbyse", "\u00f8stby\u00e5se"])
def test_accents_make_no_group(tmp_path: Path, came: str) -> None:
    path = book(tmp_path, CANVAS.replace("Lovelace, Ada", "\u00d8stby, \u00c5se"))
    assert len(fill_gradebook("canvas", path, [grade("101", student=came)], "Lab 2").problems) == 1


@pytest.mark.parametrize(
    ("platform", "text", "who"),
    [
        ("canvas", CANVAS, grade("101", platform="canvas")),
        ("moodle", GERMAN, grade("55", platform="moodle")),
        ("blackboard", BLACKBOARD, grade("ada", platform="blackboard")),
        ("", CANVAS, grade("", student="lovelaceada")),
        ("", BRIGHTSPACE, grade("", student="Lovelace Ada", submission="ada")),
        ("gradescope", BOOKS["gradescope"], grade("0012; 7", student="Ada; Zoe", platform="gradescope")),
    ],
)
def test_a_gradebook_says_who_handed_in_nothing_and_how_students_are_called(
    tmp_path: Path, platform: str, text: str, who: Grade
) -> None:
    path = book(tmp_path, text)
    stranger = grade("999", submission="stranger", platform=platform)
    roster = read_roster(platform, path, [who, stranger])
    assert [set(name.replace(",", "").split()) for name in roster.without_work] == [{"Alan", "Turing"}]
    assert [set(name.replace(",", "").split()) for name in roster.names.values()] == [{"Ada", "Lovelace"}]
    assert find_students_without_work(platform, path, [who, stranger]) == [*roster.without_work]


def test_a_submission_that_may_be_of_two_students_is_called_as_neither(tmp_path: Path) -> None:
    twice = BRIGHTSPACE + "#0015,#ada2,Lovelace,Ada,,,#\r\n"
    roster = read_roster("brightspace", book(tmp_path, twice), [grade("", student="Ada Lovelace")])
    assert (roster.names, roster.without_work) == ({}, ("Alan Turing",))


# --- points -----------------------------------------------------------------------------------------


def _canvas(worth: str) -> str:
    return CANVAS.replace(",,,,,10,50,", f',,,,,10,"{worth}",')


def _moodle(worth: str) -> str:
    return MOODLE.replace('"100,00"', f'"{worth}"')


def _blackboard(worth: str) -> str:
    return BLACKBOARD.replace("Pts: 20 Score", f"Pts: {worth} Score")


@pytest.mark.parametrize(
    ("platform", "text", "user"),
    [("canvas", _canvas, "101"), ("moodle", _moodle, "55"), ("blackboard", _blackboard, "ada")],
)
def test_a_mark_is_scaled_to_what_the_column_is_worth(
    tmp_path: Path, platform: str, text: Callable[[str], str], user: str
) -> None:
    assignment = assignment_of(platform)
    filled = fill_gradebook(platform, book(tmp_path, text("1.000,00")), [grade(user, 12.345)], assignment)
    assert "123.45" in filled.content.decode()
    for worth in ("0", "-50", "1,000", ""):
        with pytest.raises(InputError, match="is worth"):
            fill_gradebook(platform, book(tmp_path, text(worth)), [grade(user)], assignment)


def test_where_the_gradebook_does_not_say_what_it_is_worth_the_mark_is_not_scaled(tmp_path: Path) -> None:
    text = CANVAS.replace("    Points Possible,,,,,10,50,(read only)\r\n", "")
    filled = fill_gradebook("canvas", book(tmp_path, text), [grade("101", 80.5)], "Lab 2")
    assert cells(filled.content)[1][6] == "80.5"


@pytest.mark.parametrize(
    "text",
    [
        "nan",
        "inf",
        "1e999",
        "1e3",
        "(read only)",
        "ten",
        "",
        "100%",
        "1,000",
        "1.000",
        "999.999",
        "12 34",
        "1_0",
    ],
)
def test_what_is_no_number_or_may_be_two_is_none(text: str) -> None:
    assert parse_points(text) is None


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("1000.0", 1000),
        ("1\u202f000", 1000),
        ("1'000.00", 1000),
        ("1,000,000", 10**6),
        (" 12,5 ", 12.5),
        ("100,00000", 100),
        ("0,125", 0.125),
        ("1234.567", 1234.567),
        ("\u22123", -3),
    ],
)
def test_a_number_may_be_written_in_many_ways(text: str, points: float) -> None:
    assert parse_points(text) == points


@given(
    thousands=st.integers(1, 999_999_999),
    cents=st.integers(0, 99),
    signs=st.sampled_from([",.", ".,", " ,", " .", "\u00a0,", "\u202f,", "'.", "\u2019."]),
)
def test_a_number_is_read_as_it_was_written(thousands: int, cents: int, signs: str) -> None:
    written = f"{thousands:,}".replace(",", signs[0]) + f"{signs[1]}{cents:02}"
    assert parse_points(written) == thousands + cents / 100


@pytest.mark.parametrize("score", ["nan", "-inf", "1e999", "five", '"1,000"', "1_000", "100%"])
@pytest.mark.parametrize("column", ["score", "max_score"])
def test_a_score_of_ours_that_was_written_anew_is_refused(tmp_path: Path, column: str, score: str) -> None:
    head = "submission,student,id,score,max_score,status,platform,source\n"
    points = f"{score},100" if column == "score" else f"80,{score}"
    (tmp_path / "grades.csv").write_text(f"{head}ada,Ada,7,{points},graded,,\n")
    with pytest.raises(InputError, match=f"points in the column {column} of ada"):
        read_grades(tmp_path)
