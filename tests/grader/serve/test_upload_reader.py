"""An upload whose names do not tell what is in it is read afterwards, and costs nothing until then."""

from __future__ import annotations

import io
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch.job import Course
from grader.batch.upload_check import MOST_ENTRIES, MOST_LIST_BYTES, UploadReading, names_tell
from grader.serve import uploads
from grader.serve.data_folder import DataFolder
from grader.serve.store import attempts
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.people import Person
from grader.serve.web.visits import Site
from lab.exercises import BY_ID
from tests.grader.serve.made import COURSE, a_person, now
from tests.grader.serve.web.conftest import Enter, clock, enter, site

__all__ = ["clock", "enter", "site"]
NOTES, BFS = [("notes.txt", b"hello\n")], [("work.py", b"class BFS:\n    def solve(self, maze): ...\n")]


def zipped(*names: str) -> bytes:
    with zipfile.ZipFile(made := io.BytesIO(), "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return made.getvalue()


HONEST = zipped("lab/readme.md", "lab/solvers/bfs.py")
LIST = HONEST.rindex(b"PK\x01\x02", 0, HONEST.rindex(b"PK\x01\x02"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (HONEST, True),
        (b"#!/bin/sh\n" + HONEST, True),
        (HONEST[:-2] + b"\2\0ok", True),
        (zipped("lab/readme.md"), False),
        (zipped("__MACOSX/._bfs.py"), False),
        (zipped(*(f"{number}.py" for number in range(MOST_ENTRIES)), "bfs.py"), False),
        (zipped(*(f"{number}" + "x" * 400 for number in range(MOST_LIST_BYTES // 400)), "bfs.py"), False),
        (HONEST[:LIST] + HONEST[LIST + 60 :], False),
        (HONEST[-22:], False),
        (b"PK\5\6", False),
        (b"", False),
    ],
)
def test_names_in_a_small_zip_tell(tmp_path: Path, content: bytes, told: bool) -> None:
    (file := tmp_path / "000-work.zip").write_bytes(content)
    assert names_tell([(file, "work.zip")], []) is told


def test_a_name_tells_also_of_an_exercise_of_the_course(tmp_path: Path) -> None:
    (file := tmp_path / "000-maze_graph.py").write_text("class MazeGraph: ...")
    graph = replace(BY_ID["bfs"], id="graph", file="maze_graph.py", name="MazeGraph")
    assert not names_tell([(file, "maze_graph.py")], [])
    assert names_tell([(file, "maze_graph.py")], [graph])


@pytest.mark.processes
def test_exercises_of_the_course_are_known_to_the_reader(tmp_path: Path) -> None:
    (file := tmp_path / "000-lab.py").write_text("class MazeGraph: ...")
    graph = replace(BY_ID["bfs"], id="graph", file="maze_graph.py", name="MazeGraph")
    lacks, has = (_wait_for(UploadReading([(file, "lab.py")], added)) for added in ([], [graph]))
    assert lacks != ()
    assert has == ()


def _wait_for(reading: UploadReading) -> object:
    while (found := reading.poll()) is None:
        time.sleep(0.01)
    return found


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


STARTS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system")
_noted: list[str] | None = None


def _note(event: str, _arguments: object) -> None:
    if _noted is not None and event in STARTS:
        _noted.append(event)


def test_nothing_on_the_way_of_a_request_starts_a_process(enter: Enter, site: Site) -> None:
    global _noted
    ada = enter("Ada", site_=replace(site, names_tell=names_tell))
    sys.addaudithook(_note)
    _noted = []
    try:
        for name, content in (
            *NOTES,
            ("bfs.py", b""),
            ("work.zip", HONEST),
            ("odd.zip", zipped("notes.txt")),
        ):
            came = ada.post("/submit", files=[("files", (name, content))])
            assert came.headers["location"].startswith("/attempts/")
            assert ada.get(came.headers["location"]).status_code == 200
        assert ada.get("/").status_code == 200
        assert _noted == []
    finally:
        _noted = None
