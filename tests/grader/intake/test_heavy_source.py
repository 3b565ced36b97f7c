"""Long texts are parsed where they cost the grader next to nothing."""

from __future__ import annotations

import pytest

from grader.intake.notebooks import is_exported
from grader.intake.python_source import Source, is_bearable, modules_of, parsed

NAME = "import " + ".".join("a" * 100_000)
"""The parser takes gigabytes for it."""


@pytest.mark.parametrize("text", [NAME, f"def f():\n    {NAME}\n"])
def test_a_text_that_takes_all_memory_is_no_python(text: str) -> None:
    assert not is_bearable(text)
    assert parsed(text) is None


@pytest.mark.parametrize(
    "text", ["x = 1\n" * 20_000, "x = (\n" * 20_000, "\0" * 20_000, "x = '\ud800'\n" * 2_000, "# " * 50_000]
)
def test_other_long_texts_are_parsed_here(text: str) -> None:
    assert is_bearable(text)


def test_a_file_of_blank_lines_is_looked_through_once() -> None:
    """To begin anew at each line would take hours."""
    assert not is_exported("x = 1\n" + "\n" * 200_000 + "class DFS: pass\n")


def test_of_an_import_no_more_is_told_than_a_file_can_have() -> None:
    dots = ".".join("a" * 1_000)
    source = Source("a.py", f"import b.c, {dots}\nfrom d import e\nfrom {dots} import x\n".encode())
    assert list(modules_of(source, "a.py")) == [("b.c", ()), ("d", ("e",))]
