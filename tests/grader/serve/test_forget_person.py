"""Who is forgotten while the service runs, and does not come back."""

from __future__ import annotations

import json
import shutil
from multiprocessing import get_context
from pathlib import Path

import pytest

from grader.batch.job import Course
from grader.cli import main
from grader.serve.class_folder import _update_folders
from grader.serve.data_folder import DataFolder
from grader.serve.store import marks
from grader.serve.store.database import Store
from tests.grader.serve.made import COURSE, Graded, UpToDate, a_person


def test_who_is_forgotten_beside_the_keeper_does_not_come_back(
    data: DataFolder,
    store: Store,
    course: Course,
    graded: Graded,
    up_to_date: UpToDate,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada = a_person(store)
    graded(ada, 50.0)
    a_person(store, "Bob")
    folder, tries, remove = up_to_date(), list[bool](), shutil.rmtree

    def keep() -> bool:
        """Update the folders in a process of its own, as the service does: it ignores Ctrl-C from then on."""
        keeper = get_context("fork").Process(target=_update_folders, args=(data, {COURSE: course}))
        keeper.start()
        keeper.join()
        return keeper.exitcode == 0

    def remove_beside_the_keeper(path: Path, *, ignore_errors: bool) -> None:
        remove(path, ignore_errors=ignore_errors)
        marks.flag(store, ada.id)
        store.close()
        tries.append(keep())

    monkeypatch.setattr(shutil, "rmtree", remove_beside_the_keeper)
    assert main(["forget", str(data.folder), "Ada"]) == 0
    assert tries
    assert not (folder / "Ada").exists()
    tries.append(keep())
    assert all(tries)
    assert [path for path in data.folder.rglob("*") if path.is_file() and b"Ada" in path.read_bytes()] == []


def test_who_is_forgotten_without_work_is_named_no_more(
    data: DataFolder, store: Store, graded: Graded, up_to_date: UpToDate
) -> None:
    graded(a_person(store), 50.0)
    a_person(store, "Bob")
    folder = up_to_date()
    assert main(["forget", str(data.folder), "Bob"]) == 0
    assert "Bob" not in (folder / "index.html").read_text()
    assert json.loads((folder / ".without-work.json").read_bytes()) == []
