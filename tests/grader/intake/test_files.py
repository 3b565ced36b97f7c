"""Folders: nothing outside of them is reached, and nothing in them is waited for."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.errors import Unreached
from grader.intake import read_submission
from grader.intake.class_listing import find_hand_ins
from grader.intake.files import read_regular
from grader.intake.submissions import read_hand_in
from grader.model import Submission
from tests.grader.intake.told import notes

DFS = "solvers/dfs.py"
CODE = b"class DFS: pass\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "ada"
    (path / "solvers").mkdir(parents=True)
    (path / DFS).write_bytes(CODE)
    return path


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.py").write_text("42")
    (folder / "outside.py").symlink_to(secret / "key.py")
    (folder / "generators").symlink_to(secret)
    (folder / "loop").symlink_to(folder)
    (folder / "dangling.py").symlink_to("nowhere")
    submission = read_submission(folder)
    assert submission.files == {DFS: CODE}
    assert notes(submission) == tuple(
        f"{name} was left out: it is a link, and links are not followed."
        for name in ("dangling.py", "generators", "loop", "outside.py")
    )


def test_pipes_and_sockets_are_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.py")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(folder)
        server.bind("socket.py")
        os.chdir(here)
        submission = read_submission(folder)
    assert submission.files == {DFS: CODE}
    assert notes(submission) == (
        "pipe.py was left out: it is no regular file.",
        "socket.py was left out: it is no regular file.",
    )


def test_a_file_that_turns_into_a_link_or_a_pipe_is_not_read(folder: Path) -> None:
    (folder / "link").symlink_to("/etc/hostname")
    os.mkfifo(folder / "pipe")
    for name in ("link", "pipe"):
        with pytest.raises(OSError, match=r"symbolic|regular"):
            read_regular(folder / name, 10, follow=False)


@pytest.fixture
def shut(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Shuts what has one of these names to everybody, the superuser, whom no mode keeps out, included."""

    def shut(*names: str) -> None:
        opens, lists, looks = os.open, Path.iterdir, Path.lstat

        def denied(path: str | Path) -> bool:
            if Path(path).name in names:
                raise PermissionError(13, "Permission denied", str(path))
            return False

        monkeypatch.setattr(
            os, "open", lambda path, *more, **named: denied(path) or opens(path, *more, **named)
        )
        monkeypatch.setattr(Path, "iterdir", lambda path: denied(path) or lists(path))
        monkeypatch.setattr(Path, "lstat", lambda path: denied(path.parent) or looks(path))

    return shut


@pytest.mark.parametrize(
    ("name", "told"),
    [("dfs.py", DFS), ("solvers", r"solvers/"), ("ada", "ada"), ("notes.txt", r"notes\.txt")],
)
def test_what_the_machine_does_not_give_is_told_with_its_place(
    folder: Path, shut: Callable[..., None], name: str, told: str
) -> None:
    (folder / "notes.txt").write_text("what a solver reads")
    shut(name)
    with pytest.raises(Unreached, match=f"ada: {told} cannot be read: Permission denied"):
        read_submission(folder)


def test_rubbish_that_cannot_be_read_costs_nothing(folder: Path, shut: Callable[..., None]) -> None:
    for name in (".git", "__pycache__"):
        (folder / name).mkdir()
    shut(".git", "__pycache__")
    assert read_submission(folder) == Submission("ada", {DFS: CODE})


def test_what_cannot_be_read_in_a_class_costs_nobody_else(tmp_path: Path, shut: Callable[..., None]) -> None:
    for name in ("ada", "bob/solvers", "cy/solvers", "eve"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("ada/perfection_checker.py", f"bob/{DFS}", f"cy/{DFS}", "eve/eve.zip", "fay.zip"):
        (tmp_path / name).write_bytes(CODE)
    shut("bob", "cy", "eve.zip", "fay.zip")
    found = {each.name: each for each in find_hand_ins(tmp_path).hand_ins}
    assert set(found) == {"ada", "bob", "cy", "eve", "fay"}
    assert read_hand_in(found.pop("ada")).files
    for hand_in in found.values():
        with pytest.raises(Unreached, match=r"^\S+ cannot be read: Permission denied"):
            read_hand_in(hand_in)


@pytest.mark.parametrize("name", ["Ada_1_assignsubmission_file_", "Ada Lovelace_1_assignsubmission_file_"])
def test_a_folder_of_a_platform_that_cannot_be_read_is_not_taken_for_an_empty_one(
    tmp_path: Path, shut: Callable[..., None], name: str
) -> None:
    for each in (name, "Bob_2_assignsubmission_file_"):
        (tmp_path / each).mkdir()
        (tmp_path / each / "dfs.py").write_bytes(CODE)
    shut(name)
    first, second = find_hand_ins(tmp_path).hand_ins
    assert read_hand_in(second).files
    with pytest.raises(Unreached, match="cannot be read: Permission denied"):
        read_hand_in(first)


def test_huge_files_are_left_out_and_odd_names_cleaned(folder: Path) -> None:
    with (folder / "huge.py").open("wb") as file:
        file.truncate(10**12)
    (folder / os.fsdecode(b"bytes\xff.py")).write_bytes(b"1")
    (folder / "back\\slash.py").write_bytes(b"1")
    submission = read_submission(folder)
    assert submission.files == {DFS: CODE, "back/slash.py": b"1", "bytesÿ.py": b"1"}
    assert notes(submission) == ("huge.py was left out: it is larger than 256 KiB.",)


def test_a_file_that_vanishes_is_no_missing_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.lstat

    def gone(path: Path) -> os.stat_result:
        if path.name == "dfs.py":
            raise FileNotFoundError(2, "No such file")
        return real(path)

    monkeypatch.setattr(Path, "lstat", gone)
    with pytest.raises(Unreached, match=r"solvers/dfs\.py cannot be read: No such file"):
        read_submission(folder)
