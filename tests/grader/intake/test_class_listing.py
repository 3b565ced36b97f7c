"""Bulk downloads of Canvas, Moodle and Blackboard, and plain folders: one entry a student, always."""

from __future__ import annotations

import io
import unicodedata
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest
import yaml

from grader.errors import Undecided, Unreached
from grader.intake import bulk_download
from grader.intake.bulk_download import unpack
from grader.intake.class_listing import HandIn, find_hand_ins, place_of_students
from grader.intake.submissions import read_hand_in
from grader.languages import said
from tests.golden.harness import HERE, INPUTS
from tests.golden.inputs import build
from tests.grader.intake.downloads import FILES, names, packed, place, read
from tests.grader.intake.shapes import RIGHT, Files, below, zipped
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


# --- files of students inside the archive of a platform, and archives inside these --------------------


class TestUnpacking:
    def test_the_download_as_it_comes(self, tmp_path: Path) -> None:
        inner = {"a_1_2_lab.zip": packed(), "b_LATE_2_3_lab.zip": packed(), "__MACOSX/x": b"", "../evil": b""}
        problems = unpack(place(tmp_path, "download.zip", packed(inner)), tmp_path / "class")
        assert not problems.problems
        assert names(find_hand_ins(tmp_path / "class")) == ["a_1", "b_2", "evil"]
        assert not (tmp_path / "evil").exists()

    def test_a_damaged_member_costs_its_own_submission(self, tmp_path: Path) -> None:
        for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_STORED):
            folder = tmp_path / str(method)
            inner = {"a_1_2_lab.zip": packed(), "b_2_3_lab.zip": packed(), "c_3_4_dfs.py": b"mine = 1\n" * 99}
            content = damaged(compressed(inner, method), "b_2_3_lab.zip")
            unpacked = unpack(place(tmp_path, f"{method}.zip", content), folder)
            assert unpacked.problems == ("b_2_3_lab.zip: it is damaged in the zip",)
            found = read(folder)
            assert list(found) == ["a_1", "b_2", "c_3"]
            assert found["a_1"].files == FILES
            assert not found["b_2"].holds_an_exercise or method == zipfile.ZIP_STORED


def compressed(files: dict[str, bytes], method: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def damaged(content: bytes, name: str) -> bytes:
    """The zip with the bytes of one member spoilt from its first half on."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        info = archive.getinfo(name)
    start = info.header_offset + 30 + len(name) + info.compress_size // 2
    end = info.header_offset + 30 + len(name) + info.compress_size
    return content[:start] + b"\xff" * (end - start) + content[end:]


# --- downloads in the form of each platform --------------------


NAMES = [path.rsplit("/", 1)[-1] for path in base()]


DFS = "solvers/dfs.py"
LAB = packed()
LAST = {DFS: b"class DFS: last = 1\n"}
OTHER = {DFS: b"class DFS: other = 1\n"}
FLAT = {path.rsplit("/", 1)[-1]: text for path, text in base().items()}
BUT_DFS = {path: text for path, text in base().items() if path != DFS}
ADA_OF_MOODLE, ALAN_OF_MOODLE = (f"{who}_assignsubmission_file_/" for who in ("Ada L_55", "Alan T_56"))
TEAM = "Ada Lovelace/Lab 2/Version "
BROKEN = ("submission_1: [", "", "a: &a [*a]", "- " * 500_000)


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
    "archives": (in_two(base()), "moodle", {"Ada L_55": base(), "Alan T_56": FILES}),
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


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("3 October, 2026 2359", datetime(2026, 10, 3, 23, 59)),
        ("okt 3, 2026 2359", datetime(2026, 10, 3, 23, 59)),
        ("3. März 2026 905", datetime(2026, 3, 3, 9, 5)),
        ("Dec 3, 2026 11:59\u202fPM", datetime(2026, 12, 3, 23, 59)),
        ("Dec 3, 2026 1205 AM", datetime(2026, 12, 3, 0, 5)),
        ("Dec 3, 2026 1205 PM", datetime(2026, 12, 3, 12, 5)),
    ],
)
def test_times_of_brightspace_are_read_in_any_language(tmp_path: Path, written: str, time: datetime) -> None:
    place(tmp_path, f"1-2 - Ada Lovelace- {written}/lab.zip")
    (hand_in,) = find_hand_ins(tmp_path).hand_ins
    assert (hand_in.submitted, hand_in.platform) == (time, "brightspace")


def test_names_in_the_metadata_of_gradescope_are_of_one_short_line(tmp_path: Path) -> None:
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


# --- packed in one zip, student by student --------------------


PACKED = zipped(RIGHT)


def rows(hand_ins: Iterable[HandIn]) -> list[tuple[object, ...]]:
    return [
        (each.name, each.student, each.id, each.submitted, each.late, each.attempts, graded(each))
        for each in hand_ins
    ]


def graded(hand_in: HandIn) -> Files | str:
    try:
        return read_hand_in(hand_in).files
    except Undecided as error:
        return str(error)


def students_of(folder: Path, files: Files) -> tuple[str, dict[str, int]]:
    """Return the platform, and how many right files are graded of each student in a zip of these."""
    (folder / "class.zip").write_bytes(zipped(files))
    found = find_hand_ins(bulk_download.unpack(folder / "class.zip", folder / "class").folder)
    read = [(each.student, read_hand_in(each).files) for each in found.hand_ins]
    assert len({who for who, _ in read}) == len(read)
    return found.platform, {who: sum(files.get(p) == RIGHT[p] for p in RIGHT) for who, files in read}


@pytest.mark.parametrize("around", ["", "Lab 2/", "INF100/Lab 2/"])
@pytest.mark.parametrize("name", [name for name in INPUTS if name.startswith("downloads/")])
def test_a_download_is_the_same_class_packed_and_unpacked(tmp_path: Path, name: str, around: str) -> None:
    build(yaml.safe_load((HERE / name / "input.yaml").read_text(encoding="utf-8")), tmp_path)
    plain = tmp_path / "class"
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for path in sorted(plain.rglob("*")):
            archive.write(path, around + path.relative_to(plain).as_posix())
    unpacked = bulk_download.unpack(tmp_path / "class.zip", tmp_path / "unpacked")
    found, expected = (find_hand_ins(folder) for folder in (unpacked.folder, plain))
    assert (found.platform, rows(found.hand_ins)) == (expected.platform, rows(expected.hand_ins))


def test_repositories_without_what_git_keeps_are_folders(tmp_path: Path) -> None:
    files = below("ada/src/") | below("alan/src/") | {"emmy/README.md": b"# Lab\n", "barbara/": b""}
    assert students_of(tmp_path, files) == ("", {"ada": 6, "alan": 6, "barbara": 0, "emmy": 0})


def test_a_student_whose_files_lie_deep_in_a_cloud_has_all_of_them(tmp_path: Path) -> None:
    cloud = "ada/Users/ada/Library/Mobile Documents/com~apple~CloudDocs/" + "a folder/" * 20
    assert students_of(tmp_path, below(cloud) | below("bob/")) == ("", {"ada": 6, "bob": 6})


def test_blackboard_without_its_receipts(tmp_path: Path) -> None:
    begin = "Lab 2_{}_attempt_2026-10-03-12-00-00"
    files = {f"{begin.format(user)}_lab.zip": PACKED for user in ("ada", "alan_t", "grace")}
    receipt = {f"{begin.format('ada')}.txt": b"Name: Ada Lovelace (ada)\nSubmission Field:\nhello\n"}
    for n, (these, who) in enumerate(
        [
            (files, {"ada", "alan_t", "grace"}),
            ({path: text for path, text in files.items() if "_alan_t_" in path}, {"t"}),
            (files | receipt, {"Ada Lovelace", "alan_t", "grace"}),
        ]
    ):
        (tmp_path / str(n)).mkdir()
        assert students_of(tmp_path / str(n), these) == ("blackboard", dict.fromkeys(who, 6))


def test_a_lab_before_the_name_is_no_student_of_classroom(tmp_path: Path) -> None:
    names = ("Lab A - grace.zip", "Lab A - eve.zip", "Lab B - zoe.zip", "Lab B - ada.zip")
    assert students_of(tmp_path, dict.fromkeys(names, PACKED)) == ("", {name[:-4]: 6 for name in names})
