"""Names that come from outside."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from grader.errors import Unreached
from grader.intake import read_submission, safe_name, submission_name
from grader.intake.bulk_download import unpack
from grader.intake.class_listing import ClassListing, HandIn, find_hand_ins
from grader.intake.files import Caps, Entry, LeftOut, clean_path, number_duplicates
from grader.intake.names import split_path, student_name
from grader.intake.submissions import read_hand_in
from grader.model import Submission
from tests.grader.intake.downloads import packed
from tests.grader.intake.shapes import PACKERS, as_file, in_folder, zipped
from tests.grader.intake.steps import at_most
from tests.grader.intake.told import notes

ANYTHING = st.text(st.characters(codec=None), max_size=300)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("in/ada.zip", "ada"),
        ("in/Ada Lovelace.TAR.GZ", "Ada Lovelace"),
        ("ada.tgz", "ada"),
        ("in/ada.smith", "ada.smith"),
        ("...zip", "submission"),
        ("con.zip", "_con"),
        ("in/=cmd|x.zip", "=cmd-x"),
        ("a\u202eb.zip", "a-b"),
    ],
)
def test_a_submission_is_named_after_its_path(path: str, name: str) -> None:
    assert submission_name(Path(path)) == name


@pytest.mark.parametrize(
    ("called", "name"),
    [("Bob\u00a0B\u202fC.zip", "Bob B C"), ("Bob\u202eB.zip", "Bob\\u202eB"), (" Ada\u3000", "Ada")],
)
def test_a_student_is_named_with_plain_spaces_and_nothing_that_a_terminal_obeys(
    called: str, name: str
) -> None:
    """The name is looked up in gradebooks, where a no-break space would find nobody."""
    assert student_name(Path(called)) == name


def test_a_folder_keeps_its_whole_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "ada.zip"
    folder.mkdir()
    assert submission_name(folder) == "ada.zip"
    monkeypatch.chdir(folder)
    assert submission_name(Path()) == "ada.zip"


@given(ANYTHING)
@example("..")
@example("nul.txt")
@example("é" * 200)
@example("a" * 149 + " .")
def test_a_safe_name_is_one_part_of_a_path(text: str) -> None:
    name = safe_name(text)
    assert name
    assert name.isprintable()
    assert not set('/\\:*?"<>|') & set(name)
    assert not name.startswith((".", " "))
    assert not name.endswith((".", " "))
    assert len(name.encode()) <= 160
    assert safe_name(name) == name


@given(ANYTHING)
@example("a/../b")
@example("./a//b/.")
def test_a_clean_path_stays_inside(text: str) -> None:
    try:
        parts = clean_path(text, Caps())
    except LeftOut:
        return
    assert parts
    assert all(part not in ("", ".", "..") and "/" not in part and part.isprintable() for part in parts)


CODE: Final = b"class BFS:\n    def solve(self, maze, search): ...\n"
SPACES: Final = ("\u00a0", "\u202f", "\u2009", "\u3000")
UNSEEN: Final = tuple("\u200d\u200c\u200e\u200f\u202e\u2066\u00ad\ufeff\x1b\x7f")
"""Joiners, direction marks, a soft hyphen, a byte-order mark, control characters."""


few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


# --- a submission ---------------------------------------------------------------------------------


@st.composite
def odd_paths(draw: st.DrawFn) -> str:
    """The path of an exercise with signs in it that nobody sees, below a folder of an odd name."""
    path = draw(st.sampled_from(["solvers/bfs.py", "solvers/bfs (1).py", "solvers/BFS.py"]))
    path = path.replace(" ", draw(st.sampled_from((" ", *SPACES))))
    for sign in draw(st.lists(st.sampled_from(UNSEEN), max_size=3)):
        place = draw(st.integers(1, len(path)))
        path = path[:place] + sign + path[place:]
    around = draw(st.lists(st.sampled_from(["Ada", "Lab 1", *SPACES, *UNSEEN, ".", " "]), max_size=4))
    ending = draw(st.sampled_from(["", " ", ".", "\u00a0"]))
    return f"x{''.join(around)}/{path}{ending}"


@pytest.mark.parametrize("form", ["folder", *PACKERS])
@few
@given(odd_paths())
@example("Ada\u202fLovelace/solvers/bfs\u00a0(1).py")
def test_a_right_file_is_graded_whatever_nobody_sees_in_its_name(form: str, path: str) -> None:
    files = {path: CODE}
    write = as_file(f"ada.{form}", PACKERS[form](files)) if form in PACKERS else in_folder(files)
    with TemporaryDirectory() as folder:
        submission = read_submission(write(Path(folder)))
    assert submission.files == {"solvers/bfs.py": CODE}
    assert not notes(submission)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("/home/ada/lab/solvers/bfs.py", "home/ada/lab/solvers/bfs.py"),
        ("C:\\Users\\ada\\bfs.py", "Users/ada/bfs.py"),
        ("\\\\server\\ada\\bfs.py", "server/ada/bfs.py"),
        ("solvers/bfs.py\0", "solvers/bfs.py"),
        ("\u200d", "_"),
        ("a/\u200d.py", "a/_.py"),
        ("\u200d../\u200d..", "_/_"),
        ("caf\udce9.py", "café.py"),
        ("a\udca0b\ud800.py", "a b\ufffd.py"),
        ("\ue000.py", "\ufffd.py"),
        ("CON /nul.", "CON/nul"),
        ("...", "..."),
    ],
)
def test_names_are_cleaned(name: str, path: str) -> None:
    assert "/".join(clean_path(name, Caps())) == path


def test_names_that_are_all_cleaned_to_one_take_no_square_of_time() -> None:
    found = [Entry("helper.py", bytes, is_cleaned=True) for _ in range(3000)]
    with at_most(200_000):
        assert len({entry.path for entry in number_duplicates(found)}) == 3000


# --- a class --------------------------------------------------------------------------------------

ODD: Final = st.lists(st.sampled_from(["ö", " ", ".", "~", "'", ":", *SPACES, *UNSEEN]), max_size=6).map(
    "".join
)
FILES: Final = st.one_of(
    st.builds(
        "{}{}{}".format,
        ODD,
        st.sampled_from(["bfs.py", "lab.zip", "lab.tar.zst", "a.dmg", "x.rar", "b"]),
        ODD,
    ),
    st.sampled_from(
        ["C:\\fakepath\\bfs.py", "../bfs.py", "__MACOSX/._b", ".DS_Store", "a.pyc", "~", "y" * 300 + ".py"]
    ),
    st.integers(1, 30).map(lambda depth: "d/" * depth + "bfs.py"),
)


def moodle(who: str, number: int, file: str) -> str:
    return f"{who}_{number}_assignsubmission_file_/{file}"


def moodle_without_folders(who: str, number: int, file: str) -> str:
    return f"{who}_{number}_assignsubmission_file_{file}"


def canvas(who: str, number: int, file: str) -> str:
    """The name of a file, as Canvas hands out no folders; no two students are called the same."""
    return f"{number}{who}_{number}_{number + 900}_{split_path(file)[-1]}"


def blackboard(who: str, number: int, file: str) -> str:
    return f"{who}_{number}_attempt_2024-05-06-07-08-09_{file}"


def listed(folder: Path, download: Path) -> ClassListing:
    unpacked = unpack(download, folder / "unpacked")
    return find_hand_ins(unpacked.folder, broken=unpacked.broken)


def outcome(hand_in: HandIn) -> Submission | None:
    """A submission, graded or refused with a reason; None for a fault."""
    with suppress(Unreached):
        submission = read_hand_in(hand_in)
        assert submission.files or notes(submission)
        return submission
    return None


@pytest.mark.parametrize("named", [moodle, moodle_without_folders, canvas, blackboard])
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(ODD, FILES), min_size=2, max_size=4))
def test_every_student_of_a_platform_has_a_row(
    named: Callable[[str, int, str], str], students: list[tuple[str, str]]
) -> None:
    members = [
        (named(f"A{who}", number, file), packed() if file.endswith(".zip") else CODE)
        for number, (who, file) in enumerate(students, 101)
    ]
    with TemporaryDirectory() as folder:
        found = listed(Path(folder), as_file("class.zip", zipped(dict(members)))(Path(folder)))
        assert sorted(each.id for each in found.hand_ins) == [str(n) for n in range(101, 101 + len(students))]
        assert len({each.name for each in found.hand_ins}) == len(students)
        for hand_in in found.hand_ins:
            outcome(hand_in)


@pytest.mark.parametrize(
    ("member", "row"),
    [
        (". Sukarno_7_assignsubmission_file_/bfs.py", "Sukarno_7"),
        ("/Ada_7_assignsubmission_file_/bfs.py", "Ada_7"),
        ("Ada_7_assignsubmission_file_\\bfs.py", "Ada_7"),
        ("Ada_7_assignsubmission_file_/.venv/bfs.py", "Ada_7"),
        (f"{'Ada' * 90}_7_assignsubmission_file_/bfs.py", "Ada"),
        (f"Ada_7_assignsubmission_file_/{'d/' * 40}bfs.py", "Ada_7"),
        (f"Ada_7_assignsubmission_file_/{'d/' * 3000}bfs.py", "Ada_7"),
        ("ada.dmg", "ada.dmg"),
        ("ada", "ada"),
        ("..", "_"),
    ],
)
def test_who_came_in_an_odd_place_has_a_row(tmp_path: Path, member: str, row: str) -> None:
    others = [(f"Bob{n}_{n}_assignsubmission_file_/bfs.py", CODE) for n in (1, 2)]
    found = listed(tmp_path, as_file("class.zip", zipped(dict([*others, (member, CODE)])))(tmp_path))
    assert not found.passed_over
    (hand_in,) = (each for each in found.hand_ins if not each.name.startswith("Bob"))
    assert hand_in.name.startswith(row)
    submission = outcome(hand_in)
    assert submission is not None
    assert submission.files or notes(submission)


@pytest.mark.parametrize("what", ["encrypted", "a link", "a pipe", "damaged"])
def test_what_cannot_be_had_of_a_download_is_told_in_the_row(tmp_path: Path, what: str) -> None:
    info = zipfile.ZipInfo("Ada_7_assignsubmission_file_/bfs.py")
    info.external_attr = {"a link": 0o120777, "a pipe": 0o010644}.get(what, 0o100644) << 16
    others = {f"Bob{n}_{n}_assignsubmission_file_/bfs.py": CODE for n in (1, 2)}
    path = as_file("class.zip", zipped(others))(tmp_path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(info, b"xyzzy")
    if what == "encrypted":
        raw = path.read_bytes()
        path.write_bytes(raw[: (at := raw.rindex(b"PK\x01\x02") + 8)] + b"\x01" + raw[at + 1 :])
    elif what == "damaged":
        path.write_bytes(path.read_bytes().replace(b"xyzzy", b"XYZZY"))
    found: dict[str, Any] = {each.id: outcome(each) for each in listed(tmp_path, path).hand_ins}
    assert set(found) == {"1", "2", "7"}
    assert found["1"].files
    if what in ("encrypted", "damaged"):
        assert found["7"] is None
    else:
        assert "links are not followed" in notes(found["7"])[0] or "no regular file" in notes(found["7"])[0]
