"""Bulk downloads of Canvas, Moodle and Blackboard, and plain folders: one entry a student, always."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from grader.errors import IntakeError, Unreached
from grader.intake.class_listing import find_hand_ins
from grader.intake.submissions import read_hand_in
from grader.languages import said
from tests.grader.intake.downloads import names, packed, place, read
from tests.grader.intake.told import beside_notes, notes
from tests.submissions.loader import base


class TestCanvas:
    @pytest.mark.parametrize("helper", ["helpers.py", "helpers-1.py"])
    @pytest.mark.parametrize("line", ["from .helpers import X", "from solvers.helpers import X"])
    def test_a_helper_beside_all_six_files_is_found(self, tmp_path: Path, helper: str, line: str) -> None:
        for number, (path, text) in enumerate(base().items()):
            content = f"{line}\n".encode() + text if path == "solvers/bfs.py" else text
            place(tmp_path, f"lovelaceada_101_{9000 + number}_{path.rsplit('/', 1)[-1]}", content)
        place(tmp_path, f"lovelaceada_101_9100_{helper}", b"X = 1\n")
        (submission,) = read(tmp_path).values()
        assert submission.files["solvers/helpers.py"] == b"X = 1\n"
        assert beside_notes(submission) == []


class TestPlainFolders:
    def test_no_student_is_called_like_a_file_of_the_results(self, tmp_path: Path) -> None:
        place(tmp_path, "index.html.zip")
        (hand_in,) = find_hand_ins(tmp_path, reserved=("index.html",)).hand_ins
        assert hand_in.name.startswith("index.html-")

    def test_neither_the_results_are_a_submission_nor_those_of_another_batch(self, tmp_path: Path) -> None:
        for path in ("out/ada/results.json", "results/journal.db", "results/ada/results.json"):
            place(tmp_path, path, b"{}")
        place(tmp_path, "ada.zip")
        found = find_hand_ins(tmp_path, leave_out=tmp_path / "out", journal="journal.db")
        assert (names(found), found.passed_over) == (["ada"], ("results",))

    def test_a_link_that_leads_to_itself_stops_nobody(self, tmp_path: Path) -> None:
        place(tmp_path, "bob.zip")
        (tmp_path / "ada").symlink_to("ada")
        assert names(find_hand_ins(tmp_path, leave_out=tmp_path / "out")) == ["ada", "bob"]

    def test_one_submission_is_no_class(self, tmp_path: Path) -> None:
        place(tmp_path, "solvers/dfs.py", b"")
        place(tmp_path, "perfection_checker.py", b"")
        with pytest.raises(IntakeError, match="this is one submission: use grader grade"):
            find_hand_ins(tmp_path)


REFUSED = {
    "truncated.zip": packed()[:150],
    "empty.zip": b"",
    "lab.rar": b"Rar!\x1a\x07\x00",
    "lab.7z": b"7z\xbc\xaf\x27\x1c",
    "slip.zip": packed({"../../evil.py": b"boom"}),
    "text.zip": b"I forgot",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_an_empty_submission_with_the_reason(tmp_path: Path, name: str) -> None:
    place(tmp_path, name, REFUSED[name])
    (submission,) = read(tmp_path).values()
    assert submission.files == {}
    assert notes(submission)[0]
    assert str(tmp_path) not in " ".join(notes(submission))


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    place(tmp_path, "secret/solvers/dfs.py")
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "eve").symlink_to(tmp_path / "secret")
    (tmp_path / "class" / "ada").mkdir()
    assert notes(read(tmp_path / "class")["eve"]) == (
        "Nothing could be read: it is a link, and links are not followed.",
    )


def test_a_file_that_the_machine_does_not_give_is_no_fault_of_the_student(tmp_path: Path) -> None:
    path = place(tmp_path, "ada.zip")
    (hand_in,) = find_hand_ins(tmp_path).hand_ins
    path.unlink()
    with pytest.raises(Unreached, match=r"ada\.zip cannot be read: No such file"):
        read_hand_in(hand_in)


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
        place(tmp_path, name, b"x = 1\n" if name.endswith(".py") else None)
    asked = {name: [each.message.key for each in beside_notes(got)] for name, got in read(tmp_path).items()}
    assert asked.pop("Ada") == []
    assert list(asked.values()) == [[said("intake_same_name").key]] * 2


def test_a_hidden_submission_is_named_as_passed_over(tmp_path: Path) -> None:
    hidden = ("bob.zip", ".ada/solvers/dfs.py", ".eve/perfection_checker.py")
    rubbish = (".git/config", ".DS_Store", "._bob.zip", "__MACOSX/solvers/dfs.py", ".venv/lib/x.py")
    for name in (*hidden, *rubbish):
        place(tmp_path, name)
    found = find_hand_ins(tmp_path)
    assert (names(found), found.passed_over) == (["bob"], (".ada", ".eve"))
