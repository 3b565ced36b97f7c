"""Loose files of platforms, and several versions of one: which is graded, and when a person is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grader.batch.pseudonyms import with_pseudonyms
from grader.errors import Undecided
from grader.intake import read_submission
from grader.intake.class_listing import find_hand_ins
from grader.intake.submissions import read_hand_in
from grader.model import Submission
from tests.grader.intake.downloads import packed, place, read
from tests.grader.intake.shapes import RIGHT, TEMPLATE, flat, in_folder
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


class TestLooseFiles:
    @pytest.mark.parametrize("name", ["bfs (1).py", "BFS (2).py", "bfs v2.py"])
    @pytest.mark.parametrize("way", [moodle, canvas])
    def test_the_greater_number_is_the_newer(self, tmp_path: Path, way: Way, name: str) -> None:
        submission = way(tmp_path, {"bfs.py": OLD, name: NEW})
        assert submission.files[BFS] == NEW
        assert questions(submission) == []
        assert notes(submission) == (f"Handed in 2 times: the last, {name}, is graded.",)

    def test_a_single_folder_gives_the_same_answer(self, tmp_path: Path) -> None:
        files = flat() | {"bfs.py": OLD, "bfs (1).py": NEW}
        alone = read_submission(in_folder(files)(tmp_path / "alone"))
        loose = moodle(tmp_path / "class", files)
        assert loose.files[BFS] == alone.files[BFS] == NEW

    @pytest.mark.parametrize("name", ["bfs (1).py", "bfs-1.py"])
    @pytest.mark.parametrize("way", [moodle, canvas])
    def test_the_template_never_goes_before_work(self, tmp_path: Path, way: Way, name: str) -> None:
        for number, files in enumerate(({"bfs.py": NEW, name: UNTOUCHED}, {"bfs.py": UNTOUCHED, name: NEW})):
            assert way(tmp_path / str(number), files).files[BFS] == NEW

    def test_where_all_are_untouched_one_of_them_is_graded(self, tmp_path: Path) -> None:
        assert moodle(tmp_path, {"bfs (1).py": UNTOUCHED, "bfs.py": UNTOUCHED}).files[BFS] == UNTOUCHED

    def test_two_that_are_the_same_need_nobody(self, tmp_path: Path) -> None:
        submission = moodle(tmp_path, {"bfs.py": NEW, "bfs (1).py": NEW.replace(b"\n", b"\r\n")})
        assert (submission.files[BFS], beside_notes(submission)) == (NEW, [])

    def test_a_number_alone_is_seen_through(self, tmp_path: Path) -> None:
        submission = moodle(tmp_path, {"bfs (1).py": NEW})
        assert (submission.files, beside_notes(submission)) == ({BFS: NEW}, [])

    def test_what_holds_the_class_goes_before_what_does_not(self, tmp_path: Path) -> None:
        submission = moodle(tmp_path, {"bfs.py": b"x = 1\n", "bfs (1).py": b"y = 1\n", "my.py": NEW})
        assert submission.files[BFS] == NEW

    def test_one_that_cannot_be_read_is_left_out(self, tmp_path: Path) -> None:
        submission = moodle(tmp_path, {"bfs.py": b"#" * 10_000_000, "bfs (1).py": NEW})
        assert submission.files[BFS] == NEW
        assert [note for note in notes(submission) if note.startswith("bfs.py was left out")]

    @pytest.mark.parametrize("name", ["bfs copy.py", "my bfs.py", "bfs-1.py"])
    def test_the_labs_own_name_goes_before_others(self, tmp_path: Path, name: str) -> None:
        assert moodle(tmp_path, {"bfs.py": NEW, name: OLD}).files[BFS] == NEW


class TestCanvas:
    """Its numbers tell the later of two files of one name."""

    @pytest.mark.parametrize("first", ["bfs.py", "bfs-1.py", "BFS.py"])
    def test_what_was_handed_in_again_counts(self, tmp_path: Path, first: str) -> None:
        submission = canvas(tmp_path, {first: OLD, f"{first[:3]}-2.py": NEW})
        assert submission.files[BFS] == NEW
        assert questions(submission) == []

    def test_the_same_counts_under_a_pseudonym(self, tmp_path: Path) -> None:
        canvas(tmp_path, {"bfs.py": OLD, "bfs-1.py": NEW})
        found = with_pseudonyms(find_hand_ins(tmp_path), {"lovelaceada_101": "student-1"})
        assert read_hand_in(found.hand_ins[0]).files == {BFS: NEW}

    def test_files_of_the_students_own_keep_their_numbers(self, tmp_path: Path) -> None:
        submission = canvas(tmp_path, {"bfs.py": NEW, "part-1.py": b"a = 1\n", "part-2.py": b"b = 1\n"})
        assert set(submission.files) == {BFS, "part-1.py", "part-2.py"}


@pytest.mark.parametrize("way", [moodle, canvas])
class TestBesideAnArchive:
    def test_another_version_is_undecided(self, tmp_path: Path, way: Way) -> None:
        with pytest.raises(Undecided, match=r"lab\.zip/solvers/bfs\.py, bfs\.py"):
            way(tmp_path, {"lab.zip": packed(RIGHT | {BFS: OLD}), "bfs.py": NEW})

    @pytest.mark.parametrize("content", [OLD, UNTOUCHED])
    def test_the_same_and_the_template_need_nobody(self, tmp_path: Path, way: Way, content: bytes) -> None:
        files = {"lab.zip": packed(RIGHT | {BFS: OLD}), "bfs.py": content, "notes.txt": b"hello"}
        assert beside_notes(way(tmp_path, files)) == []

    def test_what_the_archive_lacks_is_taken_from_beside_it(self, tmp_path: Path, way: Way) -> None:
        lacking = {path: content for path, content in RIGHT.items() if path != BFS}
        submission = way(tmp_path, {"lab.zip": packed(lacking), "bfs.py": NEW})
        assert submission.files == lacking | {BFS: NEW}
        assert beside_notes(submission) == []

    def test_other_files_are_left_out(self, tmp_path: Path, way: Way) -> None:
        submission = way(tmp_path, {"lab.zip": packed(RIGHT), "tools.py": b"x = 1\n", "bfs.txt": b"hello"})
        assert (submission.files, beside_notes(submission)) == (RIGHT, [])
