"""What graders elsewhere have met: odd names, notebooks under other names, and archives that are none."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.errors import IntakeError
from grader.intake.choice import check_is_one_student
from grader.intake.files import Caps, Sieve
from grader.intake.submissions import read_submission
from grader.languages import said
from grader.model import Submission
from lab.exercises import FILES
from lab.own_mazes import MOST
from tests.grader.intake.downloads import place
from tests.grader.intake.shapes import RIGHT, TEMPLATE, Files, below, flat, notebook, tarred, zipped
from tests.grader.intake.told import notes, questions

NOTEBOOK = notebook(*RIGHT.values())
CAPITALS = {
    path.replace("solvers/", "Solvers/").replace("generators/", "Generators/"): text
    for path, text in RIGHT.items()
}
SHOUTED = {path.upper().replace(".PY", ".py"): text for path, text in RIGHT.items()}


def hand_in(folder: Path, files: Mapping[str, bytes], *, is_zip: bool = True) -> Submission:
    if is_zip:
        place(folder, "ada.zip", zipped(dict(files)))
        return read_submission(folder / "ada.zip", check=check_is_one_student)
    for path, content in files.items():
        place(folder, f"ada/{path}", content)
    return read_submission(folder / "ada", check=check_is_one_student)


def is_right(submission: Submission) -> bool:
    return all(submission.files.get(path) == text for path, text in RIGHT.items())


WINDOWS = {path.replace("/", "\\"): text for path, text in RIGHT.items()}
ARCHIVE_NAMES = ("lab.py", "lab.txt", "lab.json", "lab", "lab.zip.txt")
BFS = "solvers/bfs.py"
ODD_BUT_RIGHT: Mapping[str, Files] = {
    "capitals beside the template": TEMPLATE | CAPITALS,
    "capitals first": CAPITALS | {path: text for path, text in TEMPLATE.items() if path not in CAPITALS},
    "all capitals": SHOUTED | TEMPLATE,
    "one file": RIGHT | {BFS: TEMPLATE[BFS], "solvers/BFS.py": RIGHT[BFS]},
    "a folder around": below("Lab/") | below("lab/", TEMPLATE),
    "a copy": RIGHT | {"solvers/BFS.py": RIGHT[BFS]},
    "texts": {path.replace(".py", ".txt"): text for path, text in RIGHT.items()},
    "flat texts": {path.replace(".py", ".txt"): text for path, text in flat().items()},
    **{f"an archive called {name}": {name: zipped(RIGHT)} for name in ARCHIVE_NAMES},
    "packed one by one": {f"{path}.gz": gzip.compress(text) for path, text in RIGHT.items()},
    "a tar that is called .gz": {"lab.gz": tarred(RIGHT)},
    "backslashes": WINDOWS,
    "a drive": {f"C:\\Users\\ada\\{path}": text for path, text in WINDOWS.items()},
}


@pytest.mark.parametrize("is_zip", [True, False])
@pytest.mark.parametrize("kind", ODD_BUT_RIGHT)
def test_what_is_odd_and_right_is_graded_and_nobody_asked(tmp_path: Path, kind: str, is_zip: bool) -> None:
    submission = hand_in(tmp_path, ODD_BUT_RIGHT[kind], is_zip=is_zip)
    assert is_right(submission)
    assert questions(submission) == []


def test_absolute_names_and_archives_alone(tmp_path: Path) -> None:
    assert is_right(hand_in(tmp_path, below("/home/ada/")))
    for name in ARCHIVE_NAMES:
        assert is_right(read_submission(place(tmp_path, name, zipped(RIGHT))))


@pytest.mark.parametrize("is_alone", [True, False])
@pytest.mark.parametrize(
    "name", ["lab.ipynb.txt", "lab.ipynb.json", "lab.json", "lab.py", "bfs.py", "LAB.IPYNB"]
)
def test_a_notebook_under_another_name(tmp_path: Path, name: str, is_alone: bool) -> None:
    if is_alone:
        submission = read_submission(place(tmp_path, name, NOTEBOOK))
    else:
        submission = hand_in(tmp_path, {name: NOTEBOOK})
    assert submission.files.keys() >= {*FILES}
    assert {remark.source for remark in submission.remarks} == {name}


def large_notebook(lines: int, length: int) -> bytes:
    shown = {"output_type": "stream", "text": ["x" * length] * lines}
    cells = [{"cell_type": "code", "source": [text.decode()], "outputs": [shown]} for text in RIGHT.values()]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode()


@pytest.mark.parametrize("name", ["lab.ipynb", "lab.py"])
def test_what_cells_printed_does_not_count(tmp_path: Path, name: str) -> None:
    submission = hand_in(tmp_path, {name: large_notebook(1, 1_000_000)})
    assert submission.files.keys() >= {*FILES}
    assert notes(submission) == ()


def test_a_text_about_an_exercise_is_none(tmp_path: Path) -> None:
    files = {path: text for path, text in RIGHT.items() if path != "solvers/dfs.py"}
    submission = hand_in(tmp_path, files | {"dfs.txt": b"DFS goes North first.\n"})
    assert "solvers/dfs.py" not in submission.files


# --- what is taken for a submission, and how the rest is refused --------------------


def test_what_is_not_there_is_refused_and_a_pipe_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ada.zip")
    for name, reason in (("nobody.zip", "No such file"), ("ada.zip", "no regular file")):
        with pytest.raises(IntakeError, match=reason):
            read_submission(tmp_path / name)


def test_a_note_is_made_once_and_its_name_cut_in_the_middle() -> None:
    sieve = Sieve(Caps())
    for name in ("twice", "twice", "a" * 300 + "\x1b"):
        sieve.refuse(name, said("left_encrypted"))
    first, second = (remark.source for remark in sieve.all_remarks())
    assert first == "twice"
    assert len(second) == 80
    assert second.endswith("aaa\\x1b")


# --- test mazes of a student's own, whatever folders are around them ---------------------


CHECKER = b"class PerfectionChecker:\n    def is_perfect(self, maze):\n        return True\n"
MAZE = b"+-+-+\n|S E|\n+-+-+\n"
RING = ["my_mazes/ring.txt"]
NEAR = ["a/my_mazes/far.txt", "lab/old/my_mazes/near.txt", "my_mazes.txt"]


@pytest.mark.parametrize(
    ("checker", "handed_in", "taken"),
    [
        ("perfection_checker.py", RING, RING),
        ("lab/perfection_checker.py", ["lab/my_mazes/ring.txt"], RING),
        ("perfection_checker.py", ["My_Mazes/ring.txt"], RING),
        ("perfection_checker.py", ["more/my_mazes/ring.txt"], RING),
        ("lab/student/perfection_checker.py", RING, RING),
        ("lab/perfection_checker.py", NEAR, ["my_mazes/near.txt"]),
        ("perfection_checker.py", ["mazes/ring.txt", "ring.txt"], []),
        (
            "perfection_checker.py",
            [f"MY_MAZES/{n:02}.txt" for n in range(20)],
            [f"my_mazes/{n:02}.txt" for n in range(MOST + 1)],
        ),
    ],
)
def test_they_are_taken_from_the_nearest_folder_without_a_question(
    tmp_path: Path, checker: str, handed_in: list[str], taken: list[str]
) -> None:
    for path in (checker, *handed_in):
        place(tmp_path, path, CHECKER if path == checker else MAZE)
    read = read_submission(tmp_path)
    assert [path for path in read.files if path.startswith("my_mazes/")] == taken
    assert all(remark.kind == "note" for remark in read.remarks)
