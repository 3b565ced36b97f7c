"""What came in place of a file of the lab: put right with a note, or named for a person, form by form."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path

import pytest

from grader.intake.submissions import read_submission
from grader.languages import catalogue, languages
from grader.model import Submission
from grader.shipped import template
from lab.came import FAULTS, KINDS
from lab.exercises import LAB_FILES
from tests.grader.intake.downloads import packed, place
from tests.grader.intake.shapes import RIGHT
from tests.grader.intake.told import beside_notes, questions
from tests.grader.words import english
from tests.submissions.loader import base

FILE = "solvers/bfs.py"
CODE = RIGHT[FILE].decode()
LINES = CODE.split("\n")


def hand_in(folder: Path, files: dict[str, bytes], *, without: str = FILE) -> Submission:
    """Hand in the right files but one, and these."""
    for path, content in {**RIGHT, **files}.items():
        if path != without or path in files:
            place(folder, path, content)
    return read_submission(folder)


def numbered(form: str) -> str:
    return "\n".join(form.format(number, line) for number, line in enumerate(LINES, 1))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (f"Here is your code:\n\n```python\n{CODE}```\n\nHope it helps!\n", "line 3 is a fence"),
        (f"{CODE}\n```\n", "is a fence"),
        (">>> " + "\n... ".join(LINES), "line 1 begins with a prompt"),
        ("In [1]: " + "\n   ...: ".join(LINES), "line 1 begins with a prompt"),
        (numbered("{:>4}  {}"), "line 1 and those below begin with their numbers"),
        (numbered("{}\t{}"), "line 1 and those below begin with their numbers"),
        (numbered("{}: {}"), "line 1 and those below begin with their numbers"),
        (packed({"bfs.py": RIGHT[FILE]}), "is an archive that holds one file"),
        (packed({"home/ada/anything.py": RIGHT[FILE]}), "is an archive that holds one file"),
    ],
)
def test_where_nothing_is_lost_it_is_put_right_with_a_note(
    tmp_path: Path, content: str | bytes, told: str
) -> None:
    data = content.encode() if isinstance(content, str) else content
    submission = hand_in(tmp_path, {FILE: data})
    (remark,) = beside_notes(submission)
    assert (remark.kind, remark.file) == ("mended", FILE)
    assert told in english(remark.message)
    assert ast.dump(ast.parse(submission.files[FILE])) == ast.dump(ast.parse(CODE))


def test_a_file_between_fences_in_another_place_is_found(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, {"answers/chat.py": f"Sure!\n```python\n{CODE}```\n".encode()})
    assert b"class BFS" in submission.files[FILE]
    assert b"```" not in submission.files[FILE]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("solvers/bfs.pyw", RIGHT[FILE], "what is not called .py (solvers/bfs.pyw)"),
        ("solvers/bfs.py.orig", RIGHT[FILE], "what is not called .py (solvers/bfs.py.orig)"),
        ("solvers/bfs.py~", RIGHT[FILE], "what is not called .py (solvers/bfs.py~)"),
        (
            "solvers/bfs.pyc",
            importlib.util.MAGIC_NUMBER,
            "what Python compiled, not the code itself (solvers/",
        ),
        ("bfs.py - Shortcut.lnk", b"L\0\0\0\1\x14\2\0", "a shortcut, not the file itself (bfs.py - Sh"),
        ("solvers/bfs.pdf", b"\x89PNG", "a picture (solvers/bfs.pdf)"),
        ("solvers/bfs", b"class BFS: ...", "something else (solvers/bfs)"),
    ],
)
def test_what_came_in_place_of_one_file_is_named(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    (question,) = questions(hand_in(tmp_path, {name: content}))
    assert question.startswith(f"Nothing is written in {FILE}. ")
    assert told in question


def test_a_compiled_file_beside_its_source_is_not_graded_and_not_told(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, {"solvers/bfs.pyc": b"\0", "solvers/dfs.py~": b"\0"}, without="")
    assert dict(submission.files) == RIGHT
    assert submission.remarks == ()


HEAD = 'import marimo\n\n__generated_with = "0.13.0"\napp = marimo.App(width="medium")\n\n'
SETUP = "with app.setup:\n    import marimo as mo\n    {}\n\n"
FOOT = (
    '\n\n@app.cell\ndef _(mo):\n    mo.md("x")\n    return\n\n\nif __name__ == "__main__":\n    app.run()\n'
)
IMPORT, _, BODY = CODE.partition("\n\n\n")


def as_marimo(decorator: str) -> str:
    imports = "\n    ".join(
        line for line in IMPORT.splitlines() if "import" in line and "__future__" not in line
    )
    body = re.sub(r"^class ", f"{decorator}\nclass ", BODY, flags=re.MULTILINE)
    return HEAD + SETUP.format(imports) + body + FOOT


@pytest.mark.parametrize("decorator", ["@app.class_definition", "@app.class_definition(hide_code=True)"])
@pytest.mark.parametrize("path", [FILE, "notebooks/search.py"])
def test_a_notebook_of_marimo_is_graded_as_the_notebook_that_it_is(
    tmp_path: Path, path: str, decorator: str
) -> None:
    submission = hand_in(tmp_path, {path: as_marimo(decorator).encode()})
    holder = next(text for text in submission.files.values() if b"class BFS" in text)
    tree = ast.parse(holder)
    assert b"marimo" not in holder
    (bfs,) = [each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == "BFS"]
    assert bfs.decorator_list == []
    assert FILE in submission.files


@pytest.mark.parametrize("code", languages())
def test_every_kind_and_every_fault_has_its_words(code: str) -> None:
    texts = catalogue(code).texts
    assert {f"said.came_{kind}" for kind in KINDS} | {
        f"said.fault_{fault}" for fault in FAULTS
    } <= texts.keys()


def test_the_kit_says_the_same_in_english() -> None:
    texts = catalogue("en").texts
    assert all(texts[f"said.came_{kind}"].startswith(each.words) for kind, each in KINDS.items())
    assert {f: texts[f"said.fault_{f}"] for f in FAULTS} == {f: f"{{file}}: {FAULTS[f]}." for f in FAULTS}


# --- work in a form that cannot be read, beside files as they were handed out --------------------


TEMPLATES = dict(zip(LAB_FILES, template(), strict=True))
BUT_BFS = base() | {"solvers/bfs.py": TEMPLATES["solvers/bfs.py"]}
ALL_SIX = "Nothing is written in solvers/search.py, solvers/dfs.py"
ONE = "Nothing is written in solvers/bfs.py. "


@pytest.mark.parametrize(
    ("files", "name", "content", "told"),
    [
        (TEMPLATES, "lab.rar", b"Rar!\x1a\x07\x00", (ALL_SIX, "a RAR archive (lab.rar)")),
        (TEMPLATES, "Lab 2.docx", b"PK\x03\x04", (ALL_SIX, "a Word document (Lab 2.docx)")),
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
