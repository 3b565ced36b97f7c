"""Folders in folders, deeper than calls may be and than a path may be long: they are listed and removed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.batch.report.similarity import earlier_codes
from grader.disk import files_below, remove_tree
from grader.intake.class_listing import find_hand_ins
from grader.intake.git_history import read_commits
from tests.submissions.loader import base

LEVELS = 1500
BEYOND = 2500


def fill(folder: Path, levels: int) -> None:
    """Make folders in a folder, one in the other, with a file in the first one."""
    folder.mkdir(parents=True)
    (folder / "file").write_bytes(b"x")
    inside = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("a", dir_fd=inside)
        outside, inside = inside, os.open("a", os.O_RDONLY, dir_fd=inside)
        os.close(outside)
    os.close(inside)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder that is removed as what programs leave is, since pytest cannot."""
    yield tmp_path / "place"
    remove_tree(tmp_path / "place")


def test_it_is_removed_whatever_is_in_it(place: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_bytes(b"")
    fill(place / "deep", BEYOND)
    (place / ".0").mkdir()
    (place / "link").symlink_to(tmp_path / "kept")
    (place / "gone").symlink_to("nowhere")
    (place / "shut" / "inner").mkdir(parents=True)
    (place / "shut" / "inner").chmod(0)
    (place / "shut").chmod(0)
    remove_tree(place)
    assert not place.exists()
    assert (tmp_path / "kept" / "file").exists()
    remove_tree(place)


def test_its_files_are_found(place: Path) -> None:
    fill(place / "deep", BEYOND)
    (place / "link").symlink_to(place / "deep")
    (place / "other").symlink_to("nowhere")
    assert sorted(files_below(place)) == [place / "deep" / "file", place / "other"]
    assert list(files_below(place / "nowhere")) == []


def test_a_class_with_one_entry_of_that_kind_is_listed(place: Path) -> None:
    fill(place / "ada", LEVELS)
    (place / "ada" / "file").unlink()
    [ada] = find_hand_ins(place).hand_ins
    assert (ada.name, ada.sources) == ("ada", (place / "ada",))


@pytest.mark.processes
def test_a_repository_and_earlier_work_of_that_kind_are_read(place: Path) -> None:
    for path, content in base().items():
        (place / "ada" / path).parent.mkdir(parents=True, exist_ok=True)
        (place / "ada" / path).write_bytes(content)
    fill(place / "ada" / ".git", LEVELS)
    (place / "ada" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    assert read_commits(place / "ada") is None  # what it is of cannot be said
    assert [name for name, _ in earlier_codes(place)] == ["place/ada"]
