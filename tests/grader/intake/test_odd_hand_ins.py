"""What graders elsewhere have met: odd names, notebooks under other names, and archives that are none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.errors import IntakeError
from grader.intake import bulk_download
from grader.intake.choice import check_is_one_student
from grader.intake.class_listing import find_hand_ins
from grader.intake.submissions import read_hand_in, read_submission
from grader.model import Submission
from lab.exercises import FILES
from tests.grader.intake.downloads import names, place
from tests.grader.intake.shapes import RIGHT, TEMPLATE, Files, below, flat, notebook, one_file, zipped
from tests.grader.intake.told import beside_notes, notes, questions
from tests.grader.words import english

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


def test_a_class_with_backslashes(tmp_path: Path) -> None:
    files = {f"class\\{who}\\{path}": text for who in ("ada", "bob") for path, text in WINDOWS.items()}
    unpacked = bulk_download.unpack(place(tmp_path, "class.zip", zipped(files)), tmp_path / "class")
    assert names(find_hand_ins(unpacked.folder)) == ["ada", "bob"]


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


def test_a_notebook_that_is_too_large_is_told_the_true_limit(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, {"lab.ipynb": large_notebook(200, 10_000)})
    assert notes(submission)[0] == "lab.ipynb was left out: it is larger than 8 MiB."
    (refused,) = beside_notes(submission)
    assert "a notebook that is empty, cut short or too large to be read (lab.ipynb)" in english(
        refused.message
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "it is empty."), (NOTEBOOK[:300], "it is no notebook, or one that is cut short")],
)
def test_a_notebook_that_is_damaged_is_called_so(tmp_path: Path, content: bytes, reason: str) -> None:
    submission = hand_in(tmp_path, {"lab.ipynb": content})
    assert reason in notes(submission)[0]
    place(tmp_path, "class/ada.ipynb", content)
    place(tmp_path, "class/notes.ipynb", b'{"cells": []}')
    found = find_hand_ins(tmp_path / "class")
    assert (names(found), found.passed_over) == (["ada"], ("notes.ipynb",))


def test_a_text_about_an_exercise_is_none(tmp_path: Path) -> None:
    files = {path: text for path, text in RIGHT.items() if path != "solvers/dfs.py"}
    submission = hand_in(tmp_path, files | {"dfs.txt": b"DFS goes North first.\n"})
    assert "solvers/dfs.py" not in submission.files


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("lab.zip", b"<!DOCTYPE html>\n<html>Sign in", "a web page (lab.zip)"),
        ("lab.7z", b"I forgot", "what is called an archive and is none (lab.7z)"),
        ("lab.tar.zst", b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
        ("lab.dmg", b"koly", "an archive that is not read (lab.dmg)"),
        (".lab.zip.icloud", b"bplist00", "a placeholder of iCloud"),
    ],
)
def test_what_is_no_archive_is_called_what_it_is(
    tmp_path: Path, name: str, content: bytes, found: str
) -> None:
    path = place(tmp_path, name, content)
    with pytest.raises(IntakeError) as caught:
        read_submission(path)
    assert found in str(caught.value)
    assert len(find_hand_ins(tmp_path).hand_ins) == 1


@pytest.mark.parametrize("is_zip", [True, False])
def test_a_placeholder_of_icloud_is_named(tmp_path: Path, is_zip: bool) -> None:
    files = {path: text for path, text in RIGHT.items() if path != "solvers/bfs.py"}
    submission = hand_in(tmp_path, files | {"solvers/.bfs.py.icloud": b"bplist00"}, is_zip=is_zip)
    assert notes(submission) == (
        "solvers/.bfs.py.icloud was left out: it is a placeholder of iCloud, which has the file itself: "
        "download it, and hand it in again.",
    )


ODD: Mapping[str, bytes] = {
    "a.tar.zst": b"\x28\xb5\x2f\xfd",
    "b.dmg": b"koly",
    "c.py": zipped(RIGHT),
    "d.ipynb.json": NOTEBOOK,
    "e.ipynb.txt": NOTEBOOK,
    "f.json": NOTEBOOK,
    "g.py.txt": one_file(),
    "h.zip.txt": zipped(RIGHT),
    ".i.zip.icloud": b"bplist00",
    "j.zip.crdownload": b"PK\3\4",
}


def test_nobody_in_a_class_is_passed_over(tmp_path: Path) -> None:
    papers = {"list.csv": b"a,b", "notes.txt": b"hi", "tests.py": b"import os\n", "settings.json": b"{}"}
    for name, content in {**ODD, **papers}.items():
        place(tmp_path, name, content)
    found = find_hand_ins(tmp_path)
    assert (len(found.hand_ins), {*found.passed_over}) == (len(ODD), {*papers})
    read = {each.name: read_hand_in(each) for each in found.hand_ins}
    assert all(
        read[name].files.keys() >= {*FILES} for name in ("c", "d.ipynb.json", "e.ipynb.txt", "h.zip.txt")
    )
