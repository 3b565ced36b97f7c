"""An upload that holds none of the exercises is refused at once, and costs no attempt."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from grader.serve import uploads
from grader.serve.store import attempts
from grader.serve.web.visits import Site
from lab.exercises import BY_ID
from tests.grader.serve.web.conftest import Enter
from tests.grader.serve.web.made import Visitor


@pytest.fixture
def ada(enter: Enter, site: Site) -> Visitor:
    """A student of a site that looks into uploads."""
    return enter(site_=replace(site, look=uploads.find_refusal))


def zipped(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("lab.zip", zipped(notes__txt="hello", other__py="print(1)"), "other.py"),
        ("lab.zip", b"no archive at all", "called an archive and is none (lab.zip)"),
        ("essay.docx", b"PK", "a Word document (essay.docx)"),
    ],
)
def test_what_holds_no_exercise_is_refused_and_costs_nothing(
    ada: Visitor, site: Site, name: str, content: bytes, told: str
) -> None:
    answer = ada.hand_in((name, content))
    assert answer.status_code == 422
    assert "no attempt is used up" in answer.text
    assert told in answer.text
    assert attempts.list_for_person(site.store, ada.person.id) == []
    assert list(site.data.uploads.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("lab.zip", zipped(mine__py="class BFS:\n    def solve(self, maze, search): ...\n")),
        ("mine.py", b"class BFS:\n    def solve(self, maze, search): ...\n"),
        ("bfs.py", b"whatever it holds"),
    ],
)
def test_what_holds_an_exercise_is_taken(ada: Visitor, name: str, content: bytes) -> None:
    assert ada.hand_in((name, content)).status_code == 303


def test_exercises_of_the_course_are_known(tmp_path: Path) -> None:
    file = tmp_path / "000-lab.zip"
    file.write_bytes(zipped(maze_graph__py="class MazeGraph: ..."))
    graph = replace(BY_ID["bfs"], id="graph", file="maze_graph.py", name="MazeGraph")
    assert uploads.find_refusal([(file, "lab.zip")], []) != ()
    assert uploads.find_refusal([(file, "lab.zip")], [graph]) == ()


def test_what_takes_too_long_to_read_is_left_to_grading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "000-lab.zip"
    file.write_bytes(b"no archive at all")
    monkeypatch.setattr(uploads, "_PATIENCE_SECONDS", 0.0)
    assert uploads.find_refusal([(file, "lab.zip")], []) == ()
