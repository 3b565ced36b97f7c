"""Downloads in the form of each platform: one entry a student, of one attempt, by name and time."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest

from grader.batch.sections import place_of_students
from grader.errors import InputError, Undecided
from grader.intake.class_listing import find_hand_ins
from grader.intake.submissions import read_hand_in
from tests.grader.intake.downloads import names, packed, place, read
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
            code = {"solvers/dfs.py": f"class DFS: time = {time!r}\n".encode()}
            place(tmp_path, f"12345-67890 - Ada Lovelace - {time}/lab.zip", packed(code))
        (hand_in,) = find_hand_ins(tmp_path).hand_ins
        with pytest.raises(Undecided, match=r"found 2 that may count \(12345-67890 .*\), and not the same"):
            read_hand_in(hand_in)


class TestGradescope:
    @pytest.mark.parametrize(
        "text", ["submission_1: [", "- 1", "", "a: &a [*a]", "[" * 500_000, "- " * 500_000]
    )
    def test_metadata_that_cannot_be_read_cost_nobody_a_row(self, tmp_path: Path, text: str) -> None:
        place(tmp_path, "submission_metadata.yml", text.encode())
        place(tmp_path, "submission_101/solvers/dfs.py", b"a = 1\n")
        place(tmp_path, "submission_102/solvers/dfs.py", b"a = 1\n")
        assert names(find_hand_ins(tmp_path)) == ["submission_101", "submission_102"]

    def test_names_are_of_one_short_line(self, tmp_path: Path) -> None:
        name = f'"Grace\\n\\e[31m{"r" * 10_000}"'
        text = f"submission_102:\n  :submitters:\n  - :name: {name}\n    :sid: '12'\n"
        place(tmp_path, "submission_metadata.yml", text.encode())
        place(tmp_path, "submission_102/lab.zip")
        *_, grace = find_hand_ins(tmp_path).hand_ins
        assert grace.student.isprintable()
        assert grace.student.startswith("Grace")
        assert len(grace.student) < 300


class TestClassroom:
    def test_loose_files_of_one_student_are_a_row_of_their_own(self, tmp_path: Path) -> None:
        for path, content in base().items():
            place(tmp_path, path.rsplit("/", 1)[-1], content)
        place(tmp_path, "Ada Lovelace.zip")
        place(tmp_path, "Alan Turing/lab.zip")
        found = find_hand_ins(tmp_path)
        assert names(found) == ["Ada Lovelace", "Alan Turing", "loose-files"]
        with pytest.raises(Undecided, match="move them to a folder that is called as their student"):
            read_hand_in(found.hand_ins[-1])


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
        place(tmp_path, f"Ada Lovelace/{other}/bfs.py", b"class BFS: a = 1\n")
        (hand_in,) = find_hand_ins(tmp_path).hand_ins
        with pytest.raises(Undecided):
            read_hand_in(hand_in)


def sections(folder: Path) -> None:
    for section, who in (("A", "ada"), ("A", "alan"), ("B", "ada"), ("B", "eve")):
        place(folder, f"class/Section {section}/{who}/solvers/dfs.py", f"class DFS: {who} = 1\n".encode())
    place(folder, "class/grades.xlsx", b"PK")


class TestWhoIsAStudent:
    """What lies directly in the class is one student each, whatever it is called."""

    @pytest.mark.parametrize("others", [0, 1, 8])
    @pytest.mark.parametrize(
        "works", [("solvers.zip", "rest.zip"), ("old", "new"), ("bob", "cleo", "dan"), ("2026-10-01", "v2")]
    )
    def test_folders_of_several_works_are_one_student_each(
        self, tmp_path: Path, works: tuple[str, ...], others: int
    ) -> None:
        for who in ("ada", "alan"):
            for work in works:
                place(tmp_path, f"{who}/{work if '.' in work else f'{work}/lab.zip'}", packed(base()))
        for number in range(others):
            place(tmp_path, f"s{number}/solvers/dfs.py", b"class DFS: a = 1\n")
        found = find_hand_ins(tmp_path)
        assert names(found) == ["ada", "alan", *(f"s{number}" for number in range(others))]
        assert found.may_lie_deeper == (not others and "." not in works[0])

    def test_a_section_may_be_a_download(self, tmp_path: Path) -> None:
        for section, number in (("A", 101), ("A", 102), ("B", 103), ("B", 104)):
            place(tmp_path, f"Section {section}/lovelaceada_{number}_9{number}_lab.zip")
        found = find_hand_ins(tmp_path, students="*/*")
        assert (found.platform, len(found.hand_ins)) == ("canvas", 4)


@pytest.mark.parametrize(
    ("typed", "students", "expected"),
    [
        (["class"], "", ("class", None)),
        (["class/*"], "", ("class", "*/*")),
        (["class/Section ?"], "", ("class", "Section ?/*")),
        (["class/Section A", "class/Section B", "class/grades.xlsx"], "", ("class", "*/*")),
        (["class"], "class/*/*", ("class", "*/*")),
        (["class"], "*/*", ("class", "*/*")),
        (["class"], "class/Section A/*", ("class", "Section A/*")),
    ],
)
def test_a_glob_says_where_students_lie(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    typed: list[str],
    students: str,
    expected: tuple[str, str],
) -> None:
    sections(tmp_path)
    monkeypatch.chdir(tmp_path)
    folder, glob = place_of_students([*map(Path, typed)], students)
    assert (str(folder), glob) == expected


@pytest.mark.parametrize("typed", [["class/Section A", "other/B"], ["class/Section A", "class/grades.xlsx"]])
def test_some_sections_of_a_class_are_no_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: list[str]
) -> None:
    sections(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="expected"):
        place_of_students([*map(Path, typed)], "")


class TestAttemptsOfOneStudent:
    def both(self, folder: Path, first: str, last: str, *, lacks: str = "") -> None:
        for path, content in base().items():
            place(folder, f"ada/{first}{path}", content + b"# old\n")
            if path != lacks:
                place(folder, f"ada/{last}{path}", content)
        place(folder, "bob.zip")

    @pytest.mark.parametrize(
        ("first", "last"),
        [("version 1/", "version 2/"), ("", "again/"), ("a/", "b/"), ("", "version 2/version 1/")],
    )
    def test_files_of_two_attempts_are_never_mixed(self, tmp_path: Path, first: str, last: str) -> None:
        self.both(tmp_path, last, first, lacks="solvers/dfs.py")
        with suppress(Undecided):
            files = read(tmp_path)["ada"].files
            assert len({files[path].endswith(b"# old\n") for path in files.keys() & base().keys()}) == 1
