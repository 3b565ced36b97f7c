"""Loose files of platforms, and several versions of one: which is graded, and when a person is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grader.batch.open_results import with_pseudonyms
from grader.errors import Undecided
from grader.intake.class_listing import find_hand_ins
from grader.intake.submissions import read_hand_in
from grader.model import Submission
from tests.grader.intake.downloads import packed, place, read
from tests.grader.intake.shapes import RIGHT, TEMPLATE
from tests.grader.intake.told import beside_notes, notes, questions

OLD = b"class BFS:\n    old = 1\n"
NEW = b"class BFS:\n    new = 1\n"
UNTOUCHED = TEMPLATE["solvers/bfs.py"]
BFS = "solvers/bfs.py"
Way = Callable[[Path, Mapping[str, bytes]], Submission]


def moodle(folder: Path, files: Mapping[str, bytes]) -> Submission:
    """What is read of a student of Moodle who handed in these."""
    for name, content in files.items():
        place(folder, f"Ada Lovelace_55_assignsubmission_file_/{name}", content)
    place(folder, "Alan Turing_56_assignsubmission_file_/lab.zip")
    return read(folder)["Ada Lovelace_55"]


def canvas(folder: Path, files: Mapping[str, bytes]) -> Submission:
    """The same of Canvas, in the order in which they were handed in."""
    for number, (name, content) in enumerate(files.items()):
        place(folder, f"lovelaceada_101_{9000 + number}_{name}", content)
    (submission,) = read(folder).values()
    return submission


LAST = "Handed in 2 times: the last, {}, is graded."
IN_ZIP = packed(RIGHT | {BFS: OLD})


@pytest.mark.parametrize(
    ("ways", "files", "graded", "told"),
    [
        *(
            ((moodle, canvas), {"bfs.py": OLD, name: NEW}, NEW, (LAST.format(name),))
            for name in ("bfs (1).py", "BFS (2).py", "bfs v2.py")
        ),
        *(
            ((moodle, canvas), {"bfs.py": NEW, name: UNTOUCHED}, NEW, ())
            for name in ("bfs (1).py", "bfs-1.py")
        ),
        *(
            ((moodle, canvas), {"bfs.py": UNTOUCHED, name: NEW}, NEW, None)
            for name in ("bfs (1).py", "bfs-1.py")
        ),
        ((moodle,), {"bfs (1).py": UNTOUCHED, "bfs.py": UNTOUCHED}, UNTOUCHED, ()),
        ((moodle,), {"bfs.py": NEW, "bfs (1).py": NEW.replace(b"\n", b"\r\n")}, NEW, ()),
        ((moodle,), {"bfs (1).py": NEW}, NEW, ()),
        ((moodle,), {"bfs.py": b"x = 1\n", "bfs (1).py": b"y = 1\n", "my.py": NEW}, NEW, None),
        ((moodle,), {"bfs.py": b"#" * 10_000_000, "bfs (1).py": NEW}, NEW, None),
        *(
            ((moodle,), {"bfs.py": NEW, name: OLD}, NEW, ())
            for name in ("bfs copy.py", "my bfs.py", "bfs-1.py")
        ),
        # the numbers of Canvas tell the later of two files of one name
        *(
            ((canvas,), {f"{name}.py": OLD, f"{name[:3]}-2.py": NEW}, NEW, None)
            for name in ("bfs", "bfs-1", "BFS")
        ),
        ((canvas,), {"bfs.py": NEW, "part-1.py": b"a = 1\n", "part-2.py": b"b = 1\n"}, NEW, ()),
        # beside an archive
        ((moodle, canvas), {"lab.zip": IN_ZIP, "bfs.py": OLD, "notes.txt": b"hello"}, OLD, None),
        ((moodle, canvas), {"lab.zip": IN_ZIP, "bfs.py": UNTOUCHED}, OLD, None),
        ((moodle, canvas), {"lab.zip": packed({"search.py": b"x = 1\n"}), "bfs.py": NEW}, NEW, None),
        ((moodle, canvas), {"lab.zip": IN_ZIP, "tools.py": b"x = 1\n", "bfs.txt": b"hello"}, OLD, None),
    ],
)
def test_which_of_several_files_counts(
    tmp_path: Path,
    ways: tuple[Way, ...],
    files: dict[str, bytes],
    graded: bytes,
    told: tuple[str, ...] | None,
) -> None:
    for way in ways:
        submission = way(tmp_path / way.__name__, files)
        assert submission.files[BFS] == graded
        assert questions(submission) == []
        assert told is None or notes(submission) == told


@pytest.mark.parametrize("way", [moodle, canvas])
def test_another_version_beside_an_archive_is_undecided(tmp_path: Path, way: Way) -> None:
    with pytest.raises(Undecided, match=r"lab\.zip/solvers/bfs\.py, bfs\.py"):
        way(tmp_path, {"lab.zip": IN_ZIP, "bfs.py": NEW})


@pytest.mark.parametrize("way", [moodle, canvas])
def test_what_an_archive_lacks_is_taken_from_beside_it(tmp_path: Path, way: Way) -> None:
    lacking = {path: content for path, content in RIGHT.items() if path != BFS}
    submission = way(tmp_path, {"lab.zip": packed(lacking), "bfs.py": NEW})
    assert (submission.files, beside_notes(submission)) == (lacking | {BFS: NEW}, [])


def test_archives_that_canvas_numbers_are_attempts(tmp_path: Path) -> None:
    submission = canvas(tmp_path, {"lab.zip": packed({BFS: OLD}), "lab-1.zip": packed({BFS: NEW})})
    assert (submission.files, notes(submission)) == ({BFS: NEW}, (LAST.format("lab-1.zip"),))
    assert [each.attempts for each in find_hand_ins(tmp_path).hand_ins] == [2]


def test_the_same_counts_under_a_pseudonym(tmp_path: Path) -> None:
    canvas(tmp_path, {"bfs.py": OLD, "bfs-1.py": NEW})
    found = with_pseudonyms(find_hand_ins(tmp_path), {"lovelaceada_101": "student-1"})
    assert read_hand_in(found.hand_ins[0]).files == {BFS: NEW}
