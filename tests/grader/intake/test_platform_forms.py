"""Downloads in the form of each platform: one entry a student, of one attempt, by name and time."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.errors import InputError, Undecided
from grader.intake.class_listing import find_hand_ins
from grader.intake.hand_ins import read_hand_in
from grader.intake.submissions import check_is_one_student, read_submission
from grader.shipped import template
from lab.exercises import LAB_FILES
from tests.grader.intake.downloads import FILES, names, packed, place, read
from tests.grader.intake.told import notes
from tests.submissions.loader import base

NAMES = [path.rsplit("/", 1)[-1] for path in base()]


def people(folder: Path) -> list[tuple[str, str, str, int]]:
    found = find_hand_ins(folder).hand_ins
    return [(each.name, each.student, each.id, each.attempts) for each in found]


class TestBrightspace:
    @pytest.mark.parametrize(
        ("written", "time"),
        [
            ("3 October, 2026 2359", datetime(2026, 10, 3, 23, 59)),
            ("okt 3, 2026 2359", datetime(2026, 10, 3, 23, 59)),
            ("Dez. 31, 2026 5", None),
            ("3. März 2026 905", datetime(2026, 3, 3, 9, 5)),
            ("Dec 3, 2026 11:59\u202fPM", datetime(2026, 12, 3, 23, 59)),
        ],
    )
    def test_times_in_other_languages(self, tmp_path: Path, written: str, time: datetime | None) -> None:
        place(tmp_path, f"1-2 - Ada Lovelace- {written}/lab.zip")
        (hand_in,) = find_hand_ins(tmp_path).hand_ins
        assert (hand_in.submitted, hand_in.platform) == (time, "brightspace" if time else "")

    def test_files_without_folders_and_with_the_id_of_the_institution(self, tmp_path: Path) -> None:
        for path, content in base().items():
            name = path.rsplit("/", 1)[-1]
            place(tmp_path, f"12345-67890 - N0123 - Ada Lovelace - Oct 3, 2026 1159 PM - {name}", content)
        (hand_in,) = find_hand_ins(tmp_path).hand_ins
        assert (hand_in.student, hand_in.id, hand_in.name) == ("Ada Lovelace", "N0123", "Ada Lovelace_N0123")
        assert read_hand_in(hand_in).files == base()

    def test_attempts_whose_order_nobody_knows_are_not_graded(self, tmp_path: Path) -> None:
        for time in ("Foo 3, 2026 1159 PM", "Bar 4, 2026 100 PM"):
            place(tmp_path, f"12345-67890 - Ada Lovelace - {time}/lab.zip")
        (hand_in,) = find_hand_ins(tmp_path).hand_ins
        with pytest.raises(Undecided, match=r"found 12345-67890 .* leave only the one that counts"):
            read_hand_in(hand_in)


METADATA = """---
submission_101:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0012'
    :email: ada@example.org
  - :name: Alan Turing
    :sid: '13'
    :email: alan@example.org
  :created_at: 2026-10-03 20:13:23.139393000 Z
  :score: 80.5
  :status: processed
  :results:
    tests:
    - name: DFS
      output: "submission_103:\\n  :submitters:"
  :history:
  - :id: 99
    :created_at: 2026-10-02 20:13:23.139393000 Z
    :score: 10.0
submission_102:
  :submitters:
  - :name: Grace Hopper
    :sid:
    :email: grace@example.org
  :created_at: 2026-10-03 22:13:23 +02:00
  :score:
  :history: []
submission_104:
  :submitters:
  - :name: Barbara Liskov
    :sid: '15'
"""


class TestGradescope:
    @pytest.mark.parametrize("around", ["", "assignment_9_export/"])
    def test_names_groups_times_and_scores(self, tmp_path: Path, around: str) -> None:
        place(tmp_path, f"{around}submission_metadata.yml", METADATA.encode())
        place(tmp_path, f"{around}submission_101/solvers/dfs.py", b"a = 1\n")
        place(tmp_path, f"{around}submission_102/lab.zip")
        found = find_hand_ins(tmp_path)
        assert (found.platform, found.passed_over) == ("gradescope", ("submission_metadata.yml",))
        assert people(tmp_path) == [
            ("Ada Lovelace_0012", "Ada Lovelace; Alan Turing", "0012; 13", 2),
            ("Barbara Liskov_15", "Barbara Liskov", "15", 1),
            ("Grace Hopper_grace@example.org", "Grace Hopper", "grace@example.org", 1),
        ]
        ada, barbara, grace = found.hand_ins
        assert ada.submitted == datetime(2026, 10, 3, 20, 13, 23, tzinfo=UTC) == grace.submitted
        assert (ada.platform_score, grace.platform_score) == ("80.5", "")
        assert notes(read_hand_in(barbara)) == ("No file was handed in.",)
        assert read_hand_in(grace).files == FILES

    @pytest.mark.parametrize(
        "text", ["submission_1: [", "- 1", "", "a: &a [*a]", "[" * 500_000, "- " * 500_000]
    )
    def test_metadata_that_cannot_be_read_cost_nobody_a_row(self, tmp_path: Path, text: str) -> None:
        place(tmp_path, "submission_metadata.yml", text.encode())
        place(tmp_path, "submission_101/solvers/dfs.py", b"a = 1\n")
        place(tmp_path, "submission_102/solvers/dfs.py", b"a = 1\n")
        assert names(find_hand_ins(tmp_path)) == ["submission_101", "submission_102"]

    def test_names_are_of_one_short_line(self, tmp_path: Path) -> None:
        text = METADATA.replace("Grace Hopper", f'"Grace\\n\\e[31m{"r" * 10_000}"')
        place(tmp_path, "submission_metadata.yml", text.encode())
        place(tmp_path, "submission_102/lab.zip")
        *_, grace = find_hand_ins(tmp_path).hand_ins
        assert grace.student.isprintable()
        assert grace.student.startswith("Grace")
        assert len(grace.student) < 300


class TestClassroom:
    def test_files_that_begin_with_names(self, tmp_path: Path) -> None:
        for path, content in base().items():
            place(tmp_path, f"Ada Lovelace - {path.rsplit('/', 1)[-1]}", content)
        place(tmp_path, "Ada Lovelace - dfs(1).py", base()["solvers/dfs.py"])
        place(tmp_path, "Jean-Luc O'Neil - lab.zip")
        found = find_hand_ins(tmp_path)
        assert (found.platform, names(found)) == ("classroom", ["Ada Lovelace", "Jean-Luc O'Neil"])
        assert read(tmp_path)["Ada Lovelace"].files.items() >= base().items()
        assert read(tmp_path)["Jean-Luc O'Neil"].files == FILES

    def test_loose_files_of_one_student_are_a_row_of_their_own(self, tmp_path: Path) -> None:
        for path, content in base().items():
            place(tmp_path, path.rsplit("/", 1)[-1], content)
        place(tmp_path, "Ada Lovelace.zip")
        place(tmp_path, "Alan Turing/lab.zip")
        found = find_hand_ins(tmp_path)
        assert names(found) == ["Ada Lovelace", "Alan Turing", "loose-files"]
        with pytest.raises(Undecided, match="move them to a folder that is called as their student"):
            read_hand_in(found.hand_ins[-1])

    def test_a_group_before_the_name_is_no_student(self, tmp_path: Path) -> None:
        for name in ("Group 1 - ada.zip", "Group 1 - alan.zip", "Lab A - grace.zip", "Lab A - eve.zip"):
            place(tmp_path, name)
        found = find_hand_ins(tmp_path)
        assert (found.platform, len(found.hand_ins)) == ("", 4)


class TestTeams:
    @pytest.mark.parametrize("around", ["", "Submitted files/", "Class/Submitted files/"])
    def test_all_files_come_from_the_last_version(self, tmp_path: Path, around: str) -> None:
        for path, content in base().items():
            place(tmp_path, f"{around}Ada Lovelace/Lab 2/Version 1/{path}", content + b"# old\n")
            if path != "solvers/dfs.py":
                place(tmp_path, f"{around}Ada Lovelace/Lab 2/Version 2/lab/{path}", content)
        files = {path: content for path, content in base().items() if path != "solvers/dfs.py"}
        (submission,) = read(tmp_path).values()
        assert submission.files == files

    @pytest.mark.parametrize("other", ["Lab 3/Version 1", "Lab 2"])
    def test_another_assignment_or_no_version_is_for_a_person(self, tmp_path: Path, other: str) -> None:
        place(tmp_path, "Ada Lovelace/Lab 2/Version 1/lab.zip")
        place(tmp_path, f"Ada Lovelace/{other}/dfs.py", b"a = 1\n")
        (hand_in,) = find_hand_ins(tmp_path).hand_ins
        with pytest.raises(Undecided):
            read_hand_in(hand_in)


class TestSections:
    @pytest.mark.parametrize("kind", ["folder", "archive"])
    def test_sections_are_no_students(self, tmp_path: Path, kind: str) -> None:
        for section, who in (("A", "ada"), ("A", "alan"), ("B", "grace"), ("B", "eve")):
            if kind == "archive":
                place(tmp_path, f"Section {section}/{who}.zip", packed(base()))
            else:
                place(tmp_path, f"Section {section}/{who}/solvers/dfs.py", f"class DFS: {who} = 1\n".encode())
        found = find_hand_ins(tmp_path)
        assert (names(found), found.sections) == (["ada", "alan", "eve", "grace"], ("Section A", "Section B"))

    def test_a_class_beside_its_gradebook(self, tmp_path: Path) -> None:
        place(tmp_path, "grades.xlsx", b"PK")
        for who in ("ada", "alan"):
            place(tmp_path, f"class/{who}/solvers/dfs.py", f"class DFS: {who} = 1\n".encode())
        found = find_hand_ins(tmp_path)
        assert (names(found), found.passed_over) == (["ada", "alan"], ("grades.xlsx",))

    def test_a_section_may_be_a_download(self, tmp_path: Path) -> None:
        for section, number in (("A", 101), ("A", 102), ("B", 103), ("B", 104)):
            place(tmp_path, f"Section {section}/lovelaceada_{number}_9{number}_lab.zip")
        found = find_hand_ins(tmp_path)
        assert (found.platform, len(found.hand_ins)) == ("canvas", 4)

    @pytest.mark.parametrize(
        "works",
        [
            ("solvers.zip", "rest.zip"),
            ("Version 1", "Version 2"),
            ("old", "new"),
            ("lab.zip", "lab2.zip", "lab_final.zip"),
            ("2026-10-01", "2026-10-02", "2026-10-03"),
            ("first attempt", "second attempt", "last attempt"),
            ("{who}_lab.zip", "{who} again.zip"),
        ],
    )
    def test_attempts_and_parts_are_one_student(self, tmp_path: Path, works: tuple[str, ...]) -> None:
        for who in ("ada", "alan"):
            for work in works:
                inside = work.format(who=who) if "." in work else f"{work}/lab.zip"
                place(tmp_path, f"{who}/{inside}", packed(base()))
        assert names(find_hand_ins(tmp_path)) == ["ada", "alan"]

    @pytest.mark.parametrize("others", [["alan"], [f"student{number}" for number in range(8)]])
    def test_folders_that_are_called_by_no_persons_names_are_one_student(
        self, tmp_path: Path, others: list[str]
    ) -> None:
        for who in ("ada", *others):
            is_folder_of_folders = who == "ada" or len(others) == 1
            for work in ("working", "broken", "experiment") if is_folder_of_folders else ("solvers",):
                place(tmp_path, f"{who}/{work}/lab.zip", packed(base()))
        assert names(find_hand_ins(tmp_path)) == ["ada", *others]

    @pytest.mark.parametrize("others", [1, 2, 4, 8])
    def test_odd_folders_of_one_student_make_nobody_vanish(self, tmp_path: Path, others: int) -> None:
        for work in ("working", "broken", "experiment"):
            place(tmp_path, f"ada/{work}/lab.zip", packed(base()))
        students = [f"student{number}" for number in range(others)]
        for who in students:
            place(tmp_path, f"{who}/solvers/dfs.py", b"class DFS: a = 1\n")
        assert names(find_hand_ins(tmp_path)) == ["ada", *students]

    @pytest.mark.parametrize("odd", [2, 5])
    def test_no_student_vanishes_however_many_hand_in_works_of_odd_names(
        self, tmp_path: Path, odd: int
    ) -> None:
        for who in range(odd):
            for work in (f"abc{who}", f"xyz{who}"):
                place(tmp_path, f"{who}/{work}{'.zip' if who % 2 else '/lab.zip'}", packed(base()))
        place(tmp_path, "28/solvers/dfs.py", b"class DFS: a = 1\n")
        found = find_hand_ins(tmp_path)
        assert (names(found), found.sections) == (sorted([*map(str, range(odd)), "28"]), ())

    def test_a_large_section_is_none_among_loose_students(self, tmp_path: Path) -> None:
        people = ["ada", "alan", "barbara", "edsger", "eve", "grace", "ken", "linus"]
        for who in people:
            place(tmp_path, f"Section A/{who}/solvers/dfs.py", f"class DFS: {who} = 1\n".encode())
        place(tmp_path, "zoe/solvers/dfs.py", b"class DFS: zoe = 1\n")
        assert names(find_hand_ins(tmp_path)) == [*people, "zoe"]

    def test_rounds_of_a_class_are_sections(self, tmp_path: Path) -> None:
        people = ("ada", "alan", "barbara", "grace")
        for path in (f"{around}/{who}/lab.zip" for around in ("Round 1", "Round 2") for who in people):
            place(tmp_path, path, packed(base()))
        assert len(find_hand_ins(tmp_path).hand_ins) == 2 * len(people)


class TestAttemptsOfOneStudent:
    def both(self, folder: Path, first: str, last: str, *, lacks: str = "") -> None:
        for path, content in base().items():
            place(folder, f"ada/{first}{path}", content + b"# old\n")
            if path != lacks:
                place(folder, f"ada/{last}{path}", content)
        place(folder, "bob.zip")

    @pytest.mark.parametrize("last", ["v2/", "v10/lab/"])
    def test_the_last_of_numbered_folders_counts(self, tmp_path: Path, last: str) -> None:
        self.both(tmp_path, "V1/", last)
        submission = read(tmp_path)["ada"]
        assert submission.files == base()
        assert notes(submission)[0] == f"Handed in 2 times: the last, {last.split('/')[0]}, is graded."
        assert read_submission(tmp_path / "ada", check=check_is_one_student).files == base()

    @pytest.mark.parametrize(
        ("first", "last"),
        [("version 1/", "version 2/"), ("", "again/"), ("a/", "b/"), ("", "version 2/version 1/")],
    )
    def test_files_of_two_attempts_are_never_mixed(self, tmp_path: Path, first: str, last: str) -> None:
        self.both(tmp_path, last, first, lacks="solvers/dfs.py")
        with suppress(Undecided):
            files = read(tmp_path)["ada"].files
            assert len({files[path].endswith(b"# old\n") for path in files.keys() & base().keys()}) == 1

    def test_files_of_two_attempts_are_not_graded_together(self, tmp_path: Path) -> None:
        self.both(tmp_path, "Version 1/", "Version 2/lab/", lacks="solvers/dfs.py")
        with pytest.raises(InputError, match=r"solvers/dfs\.py not in the last of them"):
            read(tmp_path)

    @pytest.mark.parametrize(("work", "copy"), [("v1/", "v2/"), ("v2/", "v1/")])
    def test_a_numbered_copy_of_the_template_is_no_attempt(
        self, tmp_path: Path, work: str, copy: str
    ) -> None:
        for path, content in base().items():
            place(tmp_path, f"ada/{work}{path}", content)
        for path, content in zip(LAB_FILES, template(), strict=True):
            place(tmp_path, f"ada/{copy}{path}", content)
        place(tmp_path, "bob.zip")
        assert read(tmp_path)["ada"].files == base()

    def test_numbered_folders_of_different_exercises_are_parts(self, tmp_path: Path) -> None:
        for number, (path, content) in enumerate(base().items()):
            place(tmp_path, f"ada/submission {1 + number % 2}/{path}", content)
        place(tmp_path, "bob.zip")
        submission = read(tmp_path)["ada"]
        assert {path: submission.files[path] for path in base()} == base()

    def test_numbered_folders_of_notebooks_are_attempts(self, tmp_path: Path) -> None:
        for number in (1, 2):
            source = f"class DFS:\n    number = {number}\n"
            cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source}]
            notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
            place(tmp_path, f"ada/v{number}/lab.ipynb", json.dumps(notebook).encode())
        place(tmp_path, "bob.zip")
        submission = read(tmp_path)["ada"]
        graded = b"".join(submission.files.values())
        assert (b"number = 2" in graded, b"number = 1" in graded) == (True, False)
        assert notes(submission)[0] == "Handed in 2 times: the last, v2, is graded."

    def test_a_copy_that_another_exercise_needs_is_no_attempt(self, tmp_path: Path) -> None:
        files = base()
        for path, content in files.items():
            stem = path.rsplit("/", 1)[-1].removesuffix(".py")
            place(tmp_path, f"ada/{stem}/{stem}.py", content)
            place(tmp_path, f"ada/{stem}/search.py", files["solvers/search.py"] + f"# {stem}\n".encode())
        place(tmp_path, "bob.zip")
        assert files.keys() <= read(tmp_path)["ada"].files.keys()

    def test_numbered_folders_beside_the_work_are_no_attempts(self, tmp_path: Path) -> None:
        for path, content in base().items():
            place(tmp_path, f"ada/{path}", content)
        for version in ("v1", "v2"):
            place(tmp_path, f"ada/solvers/{version}/dfs.py", b"class DFS: pass\n")
        place(tmp_path, "bob.zip")
        assert base().items() <= read(tmp_path)["ada"].files.items()

    def test_a_helper_that_lies_in_an_old_folder_mixes_nothing(self, tmp_path: Path) -> None:
        for path, content in base().items():
            line = b"from tools import T\n" if path == "solvers/bfs.py" else b""
            place(tmp_path, f"ada/{path}", line + content)
            place(tmp_path, f"ada/old/{path}", content + b"# old\n")
        place(tmp_path, "ada/old/tools.py", b"T = 1\n")
        place(tmp_path, "bob.zip")
        assert base().keys() <= read(tmp_path)["ada"].files.keys()
