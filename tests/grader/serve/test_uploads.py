"""An upload is on the disk before it is in the queue, and nothing that is half there stays.

One whose names do not tell what is in it is read afterwards, and costs nothing until then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from grader.batch.job import Course
from grader.serve import uploads
from grader.serve.data_folder import DataFolder
from grader.serve.store import attempts, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.people import Person
from tests.grader.serve.made import COURSE, a_person, now

FILES = [("solvers/bfs.py", b"one"), ("../../bfs.py", b"two"), ("", b""), ("bfs.py", b"three")]
NOTES, BFS = [("notes.txt", b"hello\n")], [("work.py", b"class BFS:\n    def solve(self, maze): ...\n")]


def test_bytes_are_kept_as_they_came(data: DataFolder, store: Store) -> None:
    attempt = uploads.hand_in(data, store, a_person(store).id, FILES, 5.0)
    assert attempt.labels == tuple(label for label, _ in FILES)
    kept = uploads.upload_paths(data.upload(attempt.id), attempt.labels)
    assert [path.read_bytes() for path in kept] == [content for _, content in FILES]
    assert all(path.parent == data.upload(attempt.id) for path in kept)
    assert sorted(kept) == sorted(data.upload(attempt.id).iterdir())


def test_who_is_killed_before_the_name_is_there_has_acknowledged_nothing(
    data: DataFolder, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = a_person(store)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            uploads.hand_in(data, store, ada.id, FILES, 5.0)
    assert attempts.list_for_person(store, ada.id) == []
    uploads.sweep_orphans(data, store, older_than=float("inf"))
    assert list(data.uploads.iterdir()) == []


def test_what_is_replaced_is_gone_at_once(data: DataFolder, store: Store) -> None:
    ada = a_person(store)
    for number in range(5):
        waits = uploads.hand_in(data, store, ada.id, FILES, float(number))
        assert list(data.uploads.iterdir()) == [data.upload(waits.id)]
    assert attempts.count_stored_bytes(store, ada.id) == 0, "the next one takes its place"
    queue.claim(store, "d", 9.0, [COURSE])
    assert attempts.count_stored_bytes(store, ada.id) == sum(len(content) for _, content in FILES)
    uploads.hand_in(data, store, ada.id, FILES, 10.0)
    assert data.upload(waits.id).is_dir(), "it is being graded"


def test_what_is_refused_at_the_last_moment_is_gone_at_once(data: DataFolder, store: Store) -> None:
    ada = a_person(store)
    waits = uploads.hand_in(data, store, ada.id, FILES, 1.0)
    conditions = uploads.Conditions(check=lambda: 1 // 0)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        uploads.hand_in(data, store, ada.id, FILES, 2.0, conditions)
    assert list(data.uploads.iterdir()) == [data.upload(waits.id)]
    assert [each.state for each in attempts.list_for_person(store, ada.id)] == ["waiting"]


def test_what_is_swept(data: DataFolder, store: Store) -> None:
    ada = a_person(store)
    replaced = uploads.hand_in(data, store, ada.id, FILES, 1.0)
    waits = uploads.hand_in(data, store, ada.id, FILES, 2.0)
    data.upload(replaced.id).mkdir()  # as it stays where a service is killed in this moment
    for attempt in (waits.id, "of-nobody"):
        data.attempt(attempt).mkdir()
    uploads.sweep_orphans(data, store, older_than=0.0)
    assert data.upload(replaced.id).is_dir(), "somebody may be about to put what is young in the queue"
    uploads.sweep_orphans(data, store, older_than=float("inf"))
    assert list(data.uploads.iterdir()) == [data.upload(waits.id)]
    assert list(data.attempts.iterdir()) == [data.attempt(waits.id)]


def test_the_folder_is_its_owners(data: DataFolder) -> None:
    assert {path.stat().st_mode & 0o777 for path in (data.folder, data.uploads, data.lti)} == {0o700}


Read = Callable[[], None]


@pytest.fixture
def read(data: DataFolder, store: Store, course: Course) -> Iterator[Read]:
    reader = uploads.UploadReader(data, store, {COURSE: course})

    def read_all() -> None:
        while attempts.list_unread(store):
            reader.tick(9.0)
            time.sleep(0.01)

    yield read_all
    reader.close()


@pytest.mark.processes
def test_what_is_unread_replaces_nothing_and_costs_nothing(
    data: DataFolder, store: Store, read: Read
) -> None:
    ada = a_person(store)
    waits = uploads.hand_in(data, store, ada.id, BFS, 1.0)
    junk, work = (_hand_in_unread(data, store, ada, files) for files in (NOTES, BFS))
    assert [now(store, each).state for each in (waits, junk, work)] == ["waiting", "unread", "unread"]
    assert attempts.counted_times(store, ada.id) == [1.0]
    read()
    assert [now(store, each).state for each in (waits, junk, work)] == ["replaced", "refused", "waiting"]
    assert "notes.txt" in now(store, junk).reason
    assert attempts.counted_times(store, ada.id) == [work.at]
    assert not data.upload(waits.id).exists()


@pytest.mark.processes
def test_what_was_handed_in_later_stands_when_an_earlier_one_has_been_read(
    data: DataFolder, store: Store, read: Read
) -> None:
    ada = a_person(store)
    work = _hand_in_unread(data, store, ada, BFS)
    later = uploads.hand_in(data, store, ada.id, BFS, 3.0)
    read()
    assert [now(store, each).state for each in (work, later)] == ["replaced", "waiting"]


@pytest.mark.processes
def test_who_was_withdrawn_while_it_was_read_stays_so(data: DataFolder, store: Store, read: Read) -> None:
    one, other = (_hand_in_unread(data, store, a_person(store, name), BFS) for name in ("Ada", "Bob"))
    attempts.withdraw(store, one.id)
    read()
    assert attempts.put_read(store, one, 9.0) == []
    assert [now(store, each).state for each in (one, other)] == ["withdrawn", "waiting"]


def _hand_in_unread(data: DataFolder, store: Store, who: Person, files: list[tuple[str, bytes]]) -> Attempt:
    return uploads.hand_in(data, store, who.id, files, 2.0, uploads.Conditions(lambda _: False))
