"""Students of a plain folder are called like what was handed in, whatever the results are filed under."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from grader.intake.class_listing import find_hand_ins
from grader.languages import said
from tests.grader.intake.downloads import names, place, read


def students(folder: Path) -> list[str]:
    return [hand_in.student for hand_in in find_hand_ins(folder).hand_ins]


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("CON.zip", "CON"),
        ('o\'neil "quote".zip', 'o\'neil "quote"'),
        (" ada .zip", "ada"),
        (unicodedata.normalize("NFD", "östberg.zip"), "östberg"),
        ("esc\x1b[31m.zip", "esc\\x1b[31m"),
    ],
)
def test_a_student_is_called_as_the_archive_was(tmp_path: Path, name: str, student: str) -> None:
    place(tmp_path, name)
    assert students(tmp_path) == [student]


def test_students_in_other_case_are_others(tmp_path: Path) -> None:
    for name in ("Bob", "bob"):
        place(tmp_path, f"{name}/solvers/dfs.py", b"x = 1\n")
    found = find_hand_ins(tmp_path)
    assert names(found)[0] == "Bob"
    assert names(found)[1].startswith("bob-")
    assert students(tmp_path) == ["Bob", "bob"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ada/solvers/dfs.py", "ada.zip"),
        ("ada.zip", "ada.7z"),
        ("östberg.zip", unicodedata.normalize("NFD", "östberg.tar")),
    ],
)
def test_what_came_twice_under_one_name_is_for_a_person_to_decide(
    tmp_path: Path, first: str, second: str
) -> None:
    for name in (first, second, "Ada.zip"):
        place(tmp_path, name)
    asked = {name: [each.message.key for each in got.remarks] for name, got in read(tmp_path).items()}
    assert asked.pop("Ada") == []
    assert list(asked.values()) == [[said("intake_same_name").key]] * 2


@pytest.mark.parametrize("wrapped", ["", "class/"])
def test_a_hidden_submission_is_named_as_passed_over(tmp_path: Path, wrapped: str) -> None:
    hidden = ("bob.zip", ".ada/solvers/dfs.py", ".eve/perfection_checker.py")
    rubbish = (".git/config", ".DS_Store", "._bob.zip", "__MACOSX/solvers/dfs.py", ".venv/lib/x.py")
    for name in (*hidden, *rubbish):
        place(tmp_path, wrapped + name)
    found = find_hand_ins(tmp_path)
    assert (names(found), found.passed_over) == (["bob"], (".ada", ".eve"))
