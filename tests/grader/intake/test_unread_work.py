"""Work in a form that cannot be read, beside files as they were handed out: a person is asked about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.intake.submissions import read_submission
from grader.shipped import template
from lab.exercises import LAB_FILES
from tests.grader.intake.downloads import place
from tests.grader.intake.told import questions
from tests.submissions.loader import base

TEMPLATES = dict(zip(LAB_FILES, template(), strict=True))
BUT_BFS = base() | {"solvers/bfs.py": TEMPLATES["solvers/bfs.py"]}
ALL_SIX = "Nothing is written in solvers/search.py, solvers/dfs.py"
ONE = "Nothing is written in solvers/bfs.py. "


@pytest.mark.parametrize(
    ("files", "name", "content", "told"),
    [
        (TEMPLATES, "lab.rar", b"Rar!\x1a\x07\x00", (ALL_SIX, "a RAR archive (lab.rar)")),
        (TEMPLATES, "Lab 2.docx", b"PK\x03\x04", (ALL_SIX, "a Word document (Lab 2.docx)")),
        (
            TEMPLATES,
            "src/DFS.java",
            b"class DFS {}",
            (ALL_SIX, "Java code, while this lab is in Python (src/"),
        ),
        (TEMPLATES, "bfs.py.bak", b"class BFS: ...", (ALL_SIX, "what is not called .py (bfs.py.bak)")),
        (
            TEMPLATES,
            "solvers/bfs.pyw",
            b"class BFS: ...",
            (ALL_SIX, "what is not called .py (solvers/bfs.pyw)"),
        ),
        *((BUT_BFS, name, b"\0", (ONE, name)) for name in ("bfs.py.bak", "bfs.docx", "solvers/bfs.rar")),
        *((TEMPLATES, f"{name}.html", b"\0", ()) for name in ("handout", "dfs")),
        *((TEMPLATES, name, b"\0", ()) for name in ("README.md", "pictures/bfs.svg", "mazes/fork.txt")),
        *((base(), name, b"\0", ()) for name in ("report.docx", "bfs.py.bak", "slides.pdf")),
    ],
)
def test_a_person_is_asked_about_what_may_be_the_work_that_is_missing(
    tmp_path: Path, files: dict[str, bytes], name: str, content: bytes, told: tuple[str, ...]
) -> None:
    for path, text in (files | {name: content}).items():
        place(tmp_path, path, text)
    asked = questions(read_submission(tmp_path))
    assert len(asked) == bool(told)
    assert all(words in asked[0] for words in told)
