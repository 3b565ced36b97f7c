"""The names in an upload tell whether an exercise is in it; what they do not tell is read."""

from __future__ import annotations

import io
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch.upload_check import MOST_ENTRIES, MOST_LIST_BYTES, UploadReading, names_tell
from lab.exercises import BY_ID

GRAPH = replace(BY_ID["bfs"], id="graph", file="maze_graph.py", name="MazeGraph")


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
    assert not names_tell([(file, "maze_graph.py")], [])
    assert names_tell([(file, "maze_graph.py")], [GRAPH])


@pytest.mark.processes
def test_exercises_of_the_course_are_known_to_the_reader(tmp_path: Path) -> None:
    (file := tmp_path / "000-lab.py").write_text("class MazeGraph: ...")
    lacks, has = (_wait_for(UploadReading([(file, "lab.py")], added)) for added in ([], [GRAPH]))
    assert lacks != ()
    assert has == ()


def _wait_for(reading: UploadReading) -> object:
    while (found := reading.poll()) is None:
        time.sleep(0.01)
    return found
