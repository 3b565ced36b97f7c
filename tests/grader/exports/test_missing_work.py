"""Who of a class has handed in nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import InputError
from grader.exports.missing_work import find_students_without_work, load_students_without_work, read_roster
from grader.platforms.base import Grade
from tests.grader.exports.gradebooks import BLACKBOARD, CANVAS, GERMAN, book


def came(*names: str, id_: str = "", platform: str = "") -> list[Grade]:
    return [Grade(name, name, id_, None, 0.0, "", platform, "") for name in names]


@pytest.mark.parametrize(
    ("platform", "text", "id_", "who"),
    [
        ("canvas", CANVAS, "101", "Turing, Alan"),
        ("moodle", GERMAN, "55", "Alan Turing"),
        ("blackboard", BLACKBOARD, "ada", "Alan Turing"),
    ],
)
def test_by_the_gradebook_of_the_platform(
    tmp_path: Path, platform: str, text: str, id_: str, who: str
) -> None:
    gradebook = book(tmp_path, text)
    assert find_students_without_work(platform, gradebook, came("x", id_=id_, platform=platform)) == [who]


@pytest.mark.parametrize("name", ["ada", "Lovelace Ada", "lovelaceada"])
def test_a_plain_folder_goes_by_user_names_or_full_names(tmp_path: Path, name: str) -> None:
    assert find_students_without_work("", book(tmp_path, CANVAS), came(name)) == ["Turing, Alan"]


def test_what_is_no_gradebook(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a gradebook of a platform"):
        find_students_without_work("", book(tmp_path, "a,b\n1,2\n"), [])
    with pytest.raises(InputError, match="expected a gradebook of Moodle"):
        find_students_without_work("moodle", book(tmp_path, CANVAS), [])


def test_nothing_is_kept_where_nothing_was_given(tmp_path: Path) -> None:
    assert load_students_without_work(tmp_path) == []


@pytest.mark.parametrize(
    ("platform", "text", "id_", "name"),
    [
        ("canvas", CANVAS, "101", "Lovelace, Ada"),
        ("moodle", GERMAN, "55", "Ada Lovelace"),
        ("blackboard", BLACKBOARD, "ada", "Ada Lovelace"),
    ],
)
def test_submissions_get_the_names_of_the_gradebook(
    tmp_path: Path, platform: str, text: str, id_: str, name: str
) -> None:
    grades = [*came("x", id_=id_, platform=platform), *came("stranger", id_="999", platform=platform)]
    assert read_roster(platform, book(tmp_path, text), grades).names == {"x": name}
