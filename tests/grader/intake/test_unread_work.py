"""Work in a form that cannot be read, beside files as they were handed out: a person is asked about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.intake.submissions import read_submission
from grader.languages import catalogue
from grader.shipped import template
from lab.exercises import LAB_FILES
from tests.grader.intake.downloads import place
from tests.submissions.loader import base

TEMPLATES = dict(zip(LAB_FILES, template(), strict=True))


def asked(folder: Path) -> list[tuple[str, str]]:
    """What a person is asked about, with the English text."""
    remarks = read_submission(folder).remarks
    return [(each.source, catalogue("en").say(each.message)) for each in remarks if each.kind == "unsure"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("lab.rar", b"Rar!\x1a\x07\x00", "a RAR archive (lab.rar)"),
        ("Lab 2.docx", b"PK\x03\x04", "a Word document (Lab 2.docx)"),
        ("src/DFS.java", b"class DFS {}", "Java code, while this lab is in Python (src/DFS.java)"),
        ("bfs.py.bak", b"class BFS: ...", "what is not called .py (bfs.py.bak)"),
        ("solvers/dijkstra.pyw", b"class Dijkstra: ...", "what is not called .py (solvers/dijkstra.pyw)"),
    ],
)
def test_what_came_beside_untouched_templates_is_named(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    for path, untouched in TEMPLATES.items():
        place(tmp_path, path, untouched)
    place(tmp_path, name, content)
    ((source, text),) = asked(tmp_path)
    assert source == name
    assert told in text
    assert text.startswith("Nothing is written in solvers/search.py, solvers/dfs.py")


@pytest.mark.parametrize("name", ["bfs.py.bak", "bfs.docx", "solvers/bfs.rar"])
def test_the_one_that_is_not_written_is_named(tmp_path: Path, name: str) -> None:
    for path, content in base().items():
        place(tmp_path, path, TEMPLATES[path] if path == "solvers/bfs.py" else content)
    place(tmp_path, name, b"\0")
    ((source, text),) = asked(tmp_path)
    assert source == name
    assert text.startswith("Nothing is written in solvers/bfs.py. ")


@pytest.mark.parametrize(
    "name", ["README.md", "pictures/bfs.svg", "mazes/fork.txt", "handout.html", "dfs.html"]
)
def test_what_comes_with_the_kit_is_no_work(tmp_path: Path, name: str) -> None:
    for path, untouched in TEMPLATES.items():
        place(tmp_path, path, untouched)
    place(tmp_path, name, b"\0")
    assert asked(tmp_path) == []


@pytest.mark.parametrize("name", ["report.docx", "bfs.py.bak", "slides.pdf"])
def test_beside_six_written_files_nobody_is_asked(tmp_path: Path, name: str) -> None:
    for path, content in base().items():
        place(tmp_path, path, content)
    place(tmp_path, name, b"\0")
    assert asked(tmp_path) == []
