"""Several attempts in one submission: the newest is graded where names tell it, and else none."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from grader.errors import Undecided
from grader.intake.attempt_names import is_newer, read_attempt_name
from grader.intake.class_listing import find_hand_ins
from grader.intake.hand_ins import read_hand_in
from grader.intake.submissions import check_is_one_student, read_submission
from grader.model import Submission
from tests.grader.intake.downloads import place
from tests.grader.intake.shapes import RIGHT, TEMPLATE, Files, below, flat, name_of, notebook, swapped, zipped
from tests.grader.intake.told import notes, questions

OLD = {path: content + b"# old\n" for path, content in RIGHT.items()}
NEW = {path: content + b"# new\n" for path, content in RIGHT.items()}
DFS = "solvers/dfs.py"
WITHOUT_DFS = {path: content for path, content in NEW.items() if path != DFS}

ORDERED = (
    ("v1", "v2", "v9", "v10"),
    ("lab v1", "lab v2"),
    ("v1.0", "v1.1", "v1.9", "v1.10", "v2"),
    ("solution_v1", "solution_v2"),
    ("SolutionV1", "SolutionV2"),
    ("labv1", "labv2"),
    ("Version 1", "Version 2", "Version 10"),
    ("Versjon 1", "Versjon 2"),
    ("1. Versuch", "2. Versuch"),
    ("1st attempt", "2nd attempt"),
    ("første forsøk", "andre forsøk", "siste forsøk"),
    ("first try", "second try", "last try"),
    ("submission", "resubmission"),
    ("my dfs draft", "my dfs final"),
    ("draft 1", "draft 2", "final", "final 2", "final final"),
    ("v1", "v2", "final"),
    ("backup", "current"),
    ("old", "new"),
    ("old", "lab", "lab new"),
    ("lab_old", "lab"),
    ("Entwurf", "Endfassung"),
    ("utkast", "endelig"),
    ("gammel", "ny"),
    ("alt", "neu"),
    ("2026-10-01", "2026-10-08"),
    ("lab 2025-12-30", "lab 2026-01-02"),
    ("20261001", "20261008"),
    ("2026-10-01 0930", "2026-10-01 1430"),
    ("01.10.2026", "08.10.2026", "01.11.2026"),
    ("01-10-2026", "08-10-2026"),
    ("1 Oct", "8 Oct"),
    ("Oct 1", "Oct 8"),
    ("1. oktober 2026", "8. oktober 2026"),
    ("30. Dezember 2025", "2. Januar 2026"),
    ("Lab (1)", "Lab (2)", "Lab (10)"),
    ("lab", "lab v2"),
    ("part 1 v1", "part 1 v2"),
)
OPEN = (
    ("Lab", "Lab (1)"),
    ("Lab", "Lab copy"),
    ("Lab", "Kopi av Lab"),
    ("v2", "v2.0"),
    ("old v2", "new v1"),
    ("12-10-2026", "01-11-2026"),
    ("2026-10-01", "v2"),
    ("lab1", "lab2"),
    ("task1", "task2"),
    ("exercise 1.1", "exercise 1.2"),
    ("maze A", "maze B"),
    ("second exercise", "first exercise"),
    ("part 1 v1", "part 2 v2"),
    ("ada v1", "alan v2"),
    ("mark 1", "mark 2"),
    ("submission_101", "submission_102"),
)


def newer(one: str, other: str) -> str:
    """Tell which of two names is newer, and only that; else an empty text."""
    names = read_attempt_name(one), read_attempt_name(other)
    is_one, is_other = is_newer(*names), is_newer(*reversed(names))
    return (one if is_one else "") + (other if is_other else "")


def test_of_two_names_one_is_newer() -> None:
    pairs = [pair for names in ORDERED for pair in itertools.combinations(names, 2)]
    assert [(earlier, later) for earlier, later in pairs if newer(earlier, later) != later] == []


def test_of_two_names_none_is_newer() -> None:
    assert [names for names in OPEN if newer(*names)] == []


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


def read(folder: Path, files: Files) -> Submission:
    """What is read of a student's folder, which is the same of a zip and in a class."""
    for path, content in files.items():
        place(folder, f"class/ada/{path}", content)
    place(folder, "class/bob.zip", zipped(RIGHT))
    archive = place(folder, "ada.zip", zipped(files))
    ada, _ = find_hand_ins(folder / "class").hand_ins
    of_folder = read_submission(folder / "class" / "ada", check=check_is_one_student)
    assert of_folder.files == read_hand_in(ada).files
    assert of_folder.files == read_submission(archive, check=check_is_one_student).files
    return of_folder


def come_from(submission: Submission) -> set[bytes]:
    """Tell from which of the attempts the files come."""
    return {mark for mark in (b"# old", b"# new") for text in submission.files.values() if mark in text}


FORMS: tuple[Callable[[Mapping[str, Files]], Files], ...]
FORMS = (in_folders, in_flat_folders, in_zips, in_notebooks)


def is_newest(submission: Submission, name: str) -> bool:
    """Tell whether all of the new attempt is read, it is said, and nobody is asked."""
    return (
        come_from(submission) == {b"# new"}
        and submission.files.keys() >= RIGHT.keys()
        and questions(submission) == []
        and notes(submission)[0].startswith(f"Handed in 2 times: the last, {name}")
    )


@pytest.mark.parametrize("form", FORMS)
def test_the_newest_is_graded_and_nobody_is_asked(
    tmp_path: Path, form: Callable[[Mapping[str, Files]], Files]
) -> None:
    assert is_newest(read(tmp_path, form({"lab v1": OLD, "lab v2": NEW})), "lab v2")


def test_names_of_every_kind_are_read_as_attempts(tmp_path: Path) -> None:
    wrong = []
    for form, (number, (earlier, *_, later)) in zip(itertools.cycle(FORMS), enumerate(ORDERED), strict=False):
        archive = place(tmp_path, f"{number}.zip", zipped(form({earlier: OLD, later: NEW})))
        if not is_newest(read_submission(archive, check=check_is_one_student), later):
            wrong.append((earlier, later, form))
    assert wrong == []


@pytest.mark.parametrize("form", FORMS[:3])
@pytest.mark.parametrize(("one", "other"), [("Lab", "Lab (1)"), ("lab1", "lab2"), ("v1", "v2")])
def test_where_it_is_not_clear_none_is_graded(
    tmp_path: Path, one: str, other: str, form: Callable[[Mapping[str, Files]], Files]
) -> None:
    last = WITHOUT_DFS if other == "v2" else NEW
    with pytest.raises(Undecided, match=r"found several \(.*\) with .*\.py"):
        read(tmp_path, form({one: OLD, other: last}))


@pytest.mark.parametrize(
    "files",
    [
        below("a/", RIGHT) | below("b/", swapped()),
        OLD | below("v2/", NEW),
        OLD | {"lab v2.zip": zipped(NEW)},
        below("v1/", OLD) | {"v2.zip": b"PK\3\4 damaged"},
        below("v1/", OLD) | {"v2/lab.ipynb": b"{"},
        {DFS: NEW[DFS]} | below("old/", OLD),
        TEMPLATE | {DFS: NEW[DFS]} | below("old/", OLD),
        {"lab.ipynb": notebook(*OLD.values()), "lab copy.ipynb": notebook(*NEW.values())},
    ],
    ids=[
        "no attempts' names",
        "around",
        "a zip",
        "damaged",
        "cut short",
        "parts in both",
        "template",
        "copy",
    ],
)
def test_attempts_of_which_none_is_sure(tmp_path: Path, files: dict[str, bytes]) -> None:
    place(tmp_path, "class/ada.zip", zipped(files))
    place(tmp_path, "class/bob.zip", zipped(RIGHT))
    with pytest.raises(Undecided):
        read_hand_in(find_hand_ins(tmp_path / "class").hand_ins[0])


@pytest.mark.parametrize(
    "files",
    [
        NEW | below("old/", OLD),
        NEW | below("backup 2026-10-01/", OLD),
        OLD | below("final/", NEW),
        NEW | {"old.zip": zipped(OLD)},
        OLD | {"final.zip": zipped(NEW)},
        below("v1/", OLD) | {"v2.zip": zipped(NEW)},
        below("v1/", OLD) | below("v2/lab/src/", NEW),
        below("ada/lab/v1/", OLD) | below("ada/lab/v2/", NEW),
        below("lab/", NEW) | below("backup/lab/", OLD),
        NEW
        | {
            path.replace("solvers/", "solvers_old/"): text for path, text in OLD.items() if "solvers/" in path
        },
        below("v1/", OLD) | below("v2/", OLD) | below("final/", NEW),
        below("v1/", {DFS: OLD[DFS]}) | below("v2/", NEW),
    ],
)
def test_the_newest_of_other_shapes(tmp_path: Path, files: dict[str, bytes]) -> None:
    submission = read(tmp_path, files)
    assert come_from(submission) == {b"# new"}
    assert submission.files.keys() >= RIGHT.keys()
    assert questions(submission) == []
    assert notes(submission)[0].startswith("Handed in ")


def alternating(*names: str) -> dict[str, bytes]:
    return {f"{names[number % len(names)]}/{path}": text for number, (path, text) in enumerate(NEW.items())}


@pytest.mark.parametrize(
    "files",
    [
        below("v1/", NEW) | below("v2/", TEMPLATE),
        below("draft/", NEW) | below("final/", TEMPLATE),
        alternating("submission 1", "submission 2"),
        alternating("2026-10-01", "2026-10-08"),
        alternating("lab1", "lab2"),
        alternating("task1", "task2", "task3"),
        alternating(*(f"exercise 1.{number}" for number in range(1, 7))),
        alternating("part 1", "part 2"),
        alternating("maze A", "maze B"),
        {f"task{last}/{name_of(path)}": NEW[path] for last in range(1, 7) for path in list(NEW)[:last]},
        NEW | {f"experiments/{path}": text for path, text in OLD.items() if "bfs" in path or "dfs" in path},
        NEW | {f"solvers/v{number}/dfs.py": OLD[DFS] + b"#" * number for number in (1, 2)},
        {
            f"{day} Oct/{path}": text
            for day, left in ((1, "bfs"), (8, "dfs"))
            for path, text in NEW.items()
            if left not in path
        },
        {path.replace("solvers/dfs", "solvers/v2/dfs"): text for path, text in NEW.items()}
        | {"solvers/v1/dfs.py": OLD[DFS]},
        below("src/", NEW) | below("build/lib/", OLD),
        below("mine/", NEW) | below("examples/", OLD),
        NEW | {"old/notes.py": b"x = 1\n", "hello world.py": b"print(1)\n"},
        below("lab/", NEW) | below("lab copy/", NEW),
        NEW | {"lab.ipynb": notebook(*OLD.values())},
        WITHOUT_DFS | {"my dfs draft.py": OLD[DFS], "my dfs final.py": NEW[DFS]},
        WITHOUT_DFS | {"dfs 2026-10-01.py": OLD[DFS], "dfs 2026-10-08.py": NEW[DFS]},
        WITHOUT_DFS | {"dfs v1.9.py": OLD[DFS], "dfs v1.10.py": NEW[DFS]},
    ],
)
def test_honest_names_lose_nothing(tmp_path: Path, files: dict[str, bytes]) -> None:
    graded = read(tmp_path, files).files
    assert all(b"# new" in graded[path] for path in RIGHT)
