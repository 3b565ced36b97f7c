"""Several attempts in one submission: the greatest number counts, and whatever else differs is undecided."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grader.errors import InputError, Undecided
from grader.intake.candidates import is_newer
from grader.intake.choice import check_is_one_student
from grader.intake.class_listing import find_hand_ins
from grader.intake.reading import submission_at
from grader.intake.submissions import read_hand_in, read_submission
from grader.model import Limits, Submission
from grader.reader import Reader
from lab.exercises import FILES
from tests.grader.intake.downloads import place
from tests.grader.intake.shapes import RIGHT, TEMPLATE, Files, below, flat, name_of, notebook, swapped, zipped

OLD = {path: content + b"# old\n" for path, content in RIGHT.items()}
NEW = {path: content + b"# new\n" for path, content in RIGHT.items()}
DFS = "solvers/dfs.py"
WITHOUT_DFS = {path: content for path, content in NEW.items() if path != DFS}

OPEN = (
    ("Lab", "Lab copy"),
    ("draft", "final"),
    ("final", "final v2 final"),
    ("lab1", "lab2"),
    ("v1.9", "v1.10"),
    ("2026-10-01", "2026-10-08"),
    ("01.10.2026", "08.10.2026"),
    ("1. Versuch", "2. Versuch"),
    ("lab.zip", "lab"),
    ("part 1 v1", "part 2 v2"),
    ("v1", "v2 final"),
    ("v1", ""),
)


def test_nothing_else_in_a_name_tells_the_newer() -> None:
    assert [names for names in OPEN if is_newer(*names) or is_newer(*reversed(names))] == []


def in_zips(files: Mapping[str, Files]) -> dict[str, bytes]:
    return {f"{folder}.zip": zipped(inside) for folder, inside in files.items()}


def in_folders(files: Mapping[str, Files]) -> dict[str, bytes]:
    return {
        path: text for folder, inside in files.items() for path, text in below(f"{folder}/", inside).items()
    }


def in_flat_folders(files: Mapping[str, Files]) -> dict[str, bytes]:
    return in_folders({folder: flat(inside) for folder, inside in files.items()})


def in_notebooks(files: Mapping[str, Files]) -> dict[str, bytes]:
    return {f"{folder}.ipynb": notebook(*inside.values()) for folder, inside in files.items()}


def read(folder: Path, files: Files, *chosen: str) -> Submission:
    """What is read of a student's folder, which is the same of a zip and in a class."""
    for path, content in files.items():
        place(folder, f"class/ada/{path}", content)
    place(folder, "class/bob.zip", zipped(RIGHT))
    archive = place(folder, "ada.zip", zipped(files))
    ada, _ = find_hand_ins(folder / "class").hand_ins
    of_class = read_hand_in(ada, chosen)
    assert of_class.files == read_submission(archive, chosen=chosen).files
    return of_class


FORMS: tuple[Callable[[Mapping[str, Files]], Files], ...]
FORMS = (in_folders, in_flat_folders, in_zips, in_notebooks)


UNDECIDED: Mapping[str, tuple[Files, str, str]] = {
    "draft and final": (below("draft/", OLD) | below("final/", NEW), "draft/", "final/"),
    "days": (below("2026-10-01/", OLD) | below("2026-10-08/", NEW), "2026-10-01/", "2026-10-08/"),
    "a copy": (below("Lab/", OLD) | below("Lab copy/", NEW), "Lab/", "Lab copy/"),
    "around": (OLD | below("final/", NEW), "./", "final/"),
    "a zip": (OLD | {"lab.zip": zipped(NEW)}, "./", "lab.zip/"),
    "the last lacks one": (below("v1/", OLD) | below("v2/", WITHOUT_DFS), "v1/", "v2/"),
    "the last is damaged": (below("v1/", OLD) | {"v2.zip": b"PK\3\4 damaged"}, "v1/", "v2.zip"),
    "the last is cut short": (below("v1/", OLD) | {"v2/lab.ipynb": b"{"}, "v1/", "v2/"),
    "notebooks": (
        {"lab.ipynb": notebook(*OLD.values()), "lab copy.ipynb": notebook(*NEW.values())},
        "lab.ipynb",
        "lab copy.ipynb",
    ),
    "swapped": (below("a/", OLD) | below("b/", swapped()), "a/", "b/"),
    "one file beside an archive": (
        {"lab.zip": zipped(NEW | {DFS: OLD[DFS]}), "dfs.py": NEW[DFS]},
        f"lab.zip/{DFS}",
        "dfs.py",
    ),
    "two files of one class": (
        WITHOUT_DFS | {"my dfs draft.py": OLD[DFS], "my dfs final.py": NEW[DFS]},
        "my dfs draft.py",
        "my dfs final.py",
    ),
    "a name with a number, and another": (
        WITHOUT_DFS | {"solvers/dfs_v3.py": OLD[DFS], "solvers/dfs_final.py": NEW[DFS]},
        "solvers/dfs_v3.py",
        "solvers/dfs_final.py",
    ),
    "capitals": (OLD | {"solvers/DFS.py": NEW[DFS]}, DFS, "solvers/DFS.py"),
}


@pytest.mark.parametrize("shape", UNDECIDED)
def test_whatever_else_differs_is_undecided_until_a_person_has_chosen(tmp_path: Path, shape: str) -> None:
    files, *names = UNDECIDED[shape]
    for chosen in ((), names):
        with pytest.raises(Undecided, match="found 2 that may count") as caught:
            read(tmp_path, files, *chosen)
        assert {each.name for each in caught.value.candidates} == {*names}
        assert all(name in str(caught.value) for name in names)
    one, other = (read(tmp_path, files, name, "no such name") for name in names)
    assert one.files != other.files


def test_a_candidate_tells_its_time_and_its_contents(tmp_path: Path) -> None:
    for path, content in (below("a/", OLD) | below("b/", WITHOUT_DFS)).items():
        os.utime(
            place(tmp_path, path, content), (0, 1_790_000_000 if path.startswith("b/") else 1_780_000_000)
        )
    with pytest.raises(Undecided) as caught:
        submission_at(tmp_path, Reader.of(Limits()))
    one, other = caught.value.candidates
    assert (one.modified, other.modified) == ("2026-05-28T20:26:40+00:00", "2026-09-21T14:13:20+00:00")
    assert one.files == {file: hashlib.sha256(OLD[file]).hexdigest() for file in FILES}
    assert other.files == {file: hashlib.sha256(NEW[file]).hexdigest() for file in FILES if file != DFS}


def alternating(*names: str) -> dict[str, bytes]:
    return {f"{names[number % len(names)]}/{path}": text for number, (path, text) in enumerate(NEW.items())}


@pytest.mark.parametrize(
    "files",
    [
        below("v1/", NEW) | below("v2/", TEMPLATE),
        below("draft/", NEW) | below("final/", TEMPLATE),
        below("ada/lab/v1/", OLD) | below("ada/lab/v2/", NEW),
        below("v1/", OLD) | below("v2/lab/src/", NEW),
        below("v1/", OLD) | {"v2.zip": zipped(NEW)},
        below("v1/", {DFS: OLD[DFS]}) | below("v2/", NEW),
        below("lab/", NEW) | below("lab copy/", NEW),
        alternating("submission 1", "submission 2"),
        alternating("lab1", "lab2"),
        alternating("2026-10-01", "2026-10-08"),
        alternating("maze A", "maze B"),
        {f"task {last}/{name_of(path)}": NEW[path] for last in range(1, 7) for path in list(NEW)[:last]},
        NEW | {"old/notes.py": b"x = 1\n", "hello world.py": b"print(1)\n"},
        NEW | {"lab.ipynb": notebook(*OLD.values())},
        NEW | {"dfs.py": OLD[DFS], "solvers/dfs copy.py": OLD[DFS]},
        NEW | {DFS: OLD[DFS], "solvers/dfs (1).py": NEW[DFS]},
        WITHOUT_DFS | {"solvers/dfs (9).py": OLD[DFS], "solvers/dfs (10).py": NEW[DFS]},
    ],
)
def test_what_has_one_right_answer_is_graded(tmp_path: Path, files: dict[str, bytes]) -> None:
    graded = read(tmp_path, files).files
    assert all(b"# new" in graded[path] for path in RIGHT)


@pytest.mark.parametrize("form", FORMS)
def test_a_class_is_not_one_student(tmp_path: Path, form: Callable[[Mapping[str, Files]], Files]) -> None:
    for inside in (OLD, RIGHT):  # work that is the same, too
        archive = place(tmp_path, "class.zip", zipped(below("class/", form({"ada": RIGHT, "bob": inside}))))
        with pytest.raises(InputError, match=r"found 2 \(ada.*, bob.*\): use grader batch"):
            read_submission(archive, check=check_is_one_student)
