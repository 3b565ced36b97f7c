"""Downloads in the form of each platform: one entry a student, of one attempt, by name and time."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest

from grader.batch.sections import place_of_students
from grader.errors import InputError, Undecided
from grader.intake.class_listing import find_hand_ins
from grader.intake.submissions import read_hand_in
from tests.grader.intake.downloads import FILES, names, packed, place, read
from tests.submissions.loader import base

NAMES = [path.rsplit("/", 1)[-1] for path in base()]


def people(folder: Path) -> list[tuple[str, str, str, int]]:
    found = find_hand_ins(folder).hand_ins
    return [(each.name, each.student, each.id, each.attempts) for each in found]


DFS = "solvers/dfs.py"
LAB = packed()
LAST = {DFS: b"class DFS: last = 1\n"}
OTHER = {DFS: b"class DFS: other = 1\n"}
FLAT = {path.rsplit("/", 1)[-1]: text for path, text in base().items()}
BUT_DFS = {path: text for path, text in base().items() if path != DFS}
ADA_OF_MOODLE, ALAN_OF_MOODLE = (f"{who}_assignsubmission_file_/" for who in ("Ada L_55", "Alan T_56"))
TEAM = "Ada Lovelace/Lab 2/Version "
BROKEN = ("submission_1: [", "- 1", "", "a: &a [*a]", "[" * 500_000, "- " * 500_000)


def in_two(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Two archives of one student, which complement each other and share one file."""
    solvers = {path: text for path, text in files.items() if path.endswith(("fs.py", "dijkstra.py"))}
    others = {path: text for path, text in files.items() if path not in solvers or "bfs" in path}
    return {
        f"{ALAN_OF_MOODLE}lab.zip": LAB,
        f"{ADA_OF_MOODLE}solvers.zip": packed(solvers),
        f"{ADA_OF_MOODLE}rest.zip": packed(others),
    }


Classes = Mapping[str, tuple[Mapping[str, bytes], str, Mapping[str, object]]]
CLASSES: Classes = {
    # what lies there, the platform, and of each student the files that are graded; None if undecided
    "several archives": (
        {"lovelaceada_101_9009_lab-1.zip": packed(LAST), "lovelaceada_101_900_lab.zip": LAB},
        "canvas",
        {"lovelaceada_101": LAST},
    ),
    "hidden names": (
        {"anon_41_9001_lab.zip": LAB, "LATE_anon_q7_9002_my_lab_2.zip": LAB, "anon_43_text.html": b"hello"},
        "canvas",
        {"anon_41": FILES, "anon_43": {}, "anon_q7": FILES},
    ),
    "a link": (
        {"lovelaceada_101_link.html": b"<a href='https://x'>mine</a>"},
        "canvas",
        {"lovelaceada_101": {}},
    ),
    **{
        f"folders, {end}": (
            {
                f"Ada L_55_assignsubmission_{end}/lab.zip": LAB,
                f"Alan T_56_assignsubmission_{end}/{DFS}": OTHER[DFS],
            },
            "moodle",
            {"Ada L_55": FILES, "Alan T_56": OTHER},
        )
        for end in ("file_", "file")
    },
    "a lone folder": ({f"{ADA_OF_MOODLE}lab/{DFS}": OTHER[DFS]}, "moodle", {"Ada L_55": OTHER}),
    "a lone archive": ({f"{ADA_OF_MOODLE}lab.zip": LAB}, "moodle", {"Ada L_55": FILES}),
    "archives": (in_two(base()), "moodle", {"Ada L_55": base(), "Alan T_56": FILES}),
    "flat archives": (in_two(FLAT), "moodle", {"Ada L_55": base(), "Alan T_56": FILES}),
    "no folders": (
        {f"12345-67890 - N0123 - Ada - Oct 3, 2026 1159 PM - {name}": text for name, text in FLAT.items()},
        "brightspace",
        {"Ada_N0123": base()},
    ),
    "times of no language": (
        {
            f"1-2 - Ada - {time}/lab.zip": packed({DFS: f"class DFS: t = {time!r}\n".encode()})
            for time in ("Foo 3, 2026 1159 PM", "Bar 4, 2026 100 PM")
        },
        "brightspace",
        {"Ada_1": None},
    ),
    **{
        f"metadata that cannot be read, {text[:9]}": (
            {f"submission_{n}/{DFS}": OTHER[DFS] for n in (1, 2)}
            | {"submission_metadata.yml": text.encode()},
            "",
            {"submission_1": OTHER, "submission_2": OTHER},
        )
        for text in BROKEN
    },
    "loose files of nobody": (
        {**FLAT, "Ada Lovelace.zip": LAB, "Alan Turing/lab.zip": LAB},
        "",
        {"Ada Lovelace": FILES, "Alan Turing": FILES, "loose-files": None},
    ),
    **{
        f"versions in {around}": (
            {f"{around}{TEAM}1/{path}": text + b"# old\n" for path, text in base().items()}
            | {f"{around}{TEAM}2/lab/{path}": text for path, text in BUT_DFS.items()},
            "teams",
            {"Ada Lovelace": BUT_DFS},
        )
        for around in ("", "Submitted files/", "Class/Submitted files/")
    },
    **{
        f"a version and {other}": (
            {f"{TEAM}1/lab.zip": LAB, f"Ada Lovelace/{other}/bfs.py": b"class BFS: a = 1\n"},
            "teams",
            {"Ada Lovelace": None},
        )
        for other in ("Lab 3/Version 1", "Lab 2")
    },
}


@pytest.mark.parametrize("kind", CLASSES)
def test_each_student_is_one_row_with_what_counts(tmp_path: Path, kind: str) -> None:
    files, platform, expected = CLASSES[kind]
    for path, content in files.items():
        place(tmp_path, path, content)
    found = find_hand_ins(tmp_path)
    graded: dict[str, object] = {}
    for hand_in in found.hand_ins:
        graded[hand_in.name] = None
        with suppress(Undecided):
            graded[hand_in.name] = read_hand_in(hand_in).files
    assert (found.platform, graded) == (platform, expected)


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


class TestGradescope:
    def test_names_are_of_one_short_line(self, tmp_path: Path) -> None:
        name = f'"Grace\\n\\e[31m{"r" * 10_000}"'
        text = f"submission_102:\n  :submitters:\n  - :name: {name}\n    :sid: '12'\n"
        place(tmp_path, "submission_metadata.yml", text.encode())
        place(tmp_path, "submission_102/lab.zip")
        *_, grace = find_hand_ins(tmp_path).hand_ins
        assert grace.student.isprintable()
        assert grace.student.startswith("Grace")
        assert len(grace.student) < 300


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
