"""What came in place of Python code is recognised, by its content and by its name; a row for each form."""

from __future__ import annotations

import ast
import gzip
import importlib.util
import io
import marshal
import zipfile

import pytest

from lab.came import kind_of, odd_letter, recognise
from lab.slips import FileText, is_meant

CODE = "class BFS(Solver):\n    def solve(self, maze, search):\n        moves = []\n\n        return moves\n"
LINES = CODE.split("\n")
PYC = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(CODE, "bfs.py", "exec"))


def zipped(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def numbered(form: str, start: int = 1) -> str:
    return "\n".join(form.format(number, line) for number, line in enumerate(LINES, start))


def typed(prompt: str) -> str:
    return f"\n{prompt}".join(LINES)


@pytest.mark.parametrize(
    ("text", "fault", "line"),
    [
        (f"Here it is:\n\n```python\n{CODE}```\n\nHope it helps!\n", "fences", 3),
        (f"{CODE}```\n", "fences", 6),
        (f"```\nimport math\n```\n\nand then\n\n  ```py\n{CODE}  ```\n", "fences", 1),
        (f">>> {typed('... ')}\n>>> BFS()\n<BFS at 0x7f>\n", "prompts", 1),
        (f"In [1]: {typed('   ...: ')}", "prompts", 1),
        (numbered("{:>3}  {}"), "numbered", 1),
        (numbered("{}\t{}", 8), "numbered", 1),
    ],
)
def test_where_nothing_is_lost_the_code_is_found(text: str, fault: str, line: int) -> None:
    came = recognise(text.encode())
    assert came is not None
    assert (came.fault, came.line) == (fault, line)
    assert came.code is not None
    classes = [each for each in ast.parse(came.code).body if isinstance(each, ast.ClassDef)]
    assert [*map(ast.dump, classes)] == [ast.dump(ast.parse(CODE).body[0])]


@pytest.mark.parametrize(
    ("content", "fault", "line"),
    [
        (f"import math\n<<<<<<< HEAD\n{CODE}=======\n{CODE}>>>>>>> main\n", "conflict", 2),
        (f"```python\n{CODE}```\nor, shorter:\n```python\n{CODE}```\n", "fences", 1),
        ("Here it is:\n```python\nclass BFS\n    pass\n```\n", "fences", 2),
        ("--- a/bfs.py\n+++ b/bfs.py\n@@ -1,2 +1,2 @@\n-x = 1\n+y = 1\n", "diff", 1),
        ("*** bfs.py\n--- new.py\n2c2\n< x\n---\n> y\n", "diff", 1),
        ("x = 1\nprint(\u201cdone\u201d)\n", "letter", 2),
        ("x = 1\n\u0441lass BFS:\n    pass\n", "letter", 2),
        (b"x = 1\ny\0", "nulls", 2),
        (b"x = 1\n# caf\xe9\n", "bytes", 2),
        (CODE.encode("utf-16"), "bytes", 1),
    ],
)
def test_what_is_lost_or_not_sure_is_told_with_its_line(content: str | bytes, fault: str, line: int) -> None:
    came = recognise(content.encode() if isinstance(content, str) else content)
    assert came is not None
    assert (came.fault, came.line, came.code) == (fault, line, None)
    assert f"line {line} " in came.sentence


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"<!DOCTYPE html>\n<html>", "page"),
        (rb"{\rtf1\ansi\ansicpg1252 class BFS:}", "document"),
        (zipped(**{"word/document.xml": "<w/>"}), "word"),
        (zipped(**{"bfs.py": CODE}), "archive"),
        (gzip.compress(CODE.encode(), mtime=0), "archive"),
        (PYC, "compiled"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
        (b"%PDF-1.7", "pdf"),
        (b"L\0\0\0\x01\x14\x02\0\0\0", "link"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "lfs"),
        (b'{\n "cells": []}}', "notebook"),
        (b"// my search\nimport java.util.*;\n", "java"),
    ],
)
def test_what_is_no_python_at_all_is_told_by_what_it_is(content: bytes, kind: str) -> None:
    came = recognise(content)
    assert came is not None
    assert (came.fault, came.letter, kind_of("bfs.py", content)) == ("other", kind, kind)


@pytest.mark.parametrize(
    "content",
    [
        CODE,
        "def f(:\n",
        'x = """\n<<<<<<< here\n"""\n',
        'def f():\n    """Try it.\n\n    >>> f()\n    """\n    return (\n',
        "l\u00f8sning = 1\nx = = 2\n",
        "# coding: nobody-knows\nx = 1\n",
    ],
)
def test_of_python_and_of_its_plain_mistakes_nothing_is_said(content: str) -> None:
    assert recognise(content.encode()) is None


@pytest.mark.parametrize(
    ("found", "meant", "place"), [("\u0412FS", "BFS", 1), ("qu\u0435u\u0435", "queue", 3)]
)
def test_a_letter_of_another_script_is_told_with_its_place(found: str, meant: str, place: int) -> None:
    odd = odd_letter(found, meant)
    assert odd is not None
    assert odd[0] == place
    assert odd[1].startswith(f"{found[place - 1]} (U+{ord(found[place - 1]):04X} ")


@pytest.mark.parametrize(("bound", "used"), [("positi\u043en", "position"), ("position", "positi\u043en")])
def test_a_variable_with_a_letter_of_another_script_is_told_with_it(bound: str, used: str) -> None:
    source = FileText.of(f"{bound} = 1\nprint({used})\n")
    meant, letter = is_meant(used, [bound], source)
    assert (meant.key, letter.key, letter.values["place"]) == ("is_meant", "odd_letter", 7)
    assert letter.line == (1 if bound != "position" else 2)
