"""Edits of a student's text: each small, each where it says that it is."""

from __future__ import annotations

import ast
import textwrap

import pytest

from grader.repairs import Source, edits_of, source_of
from grader.repairs.edits import Edit
from tests.submissions.loader import base

SOLVER = """
class BFS:
    def solve(self, maze, search):
{body}
"""
FILES = {path: content for path, content in base().items() if path.endswith(".py")}


def read(body: str) -> Source:
    text = SOLVER.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8))
    source = source_of(text.encode(), "solve")
    assert source is not None
    return source


def bodies(source: Source) -> dict[str, Edit]:
    """What the body becomes by each edit."""
    first = source.text.index("search):\n") + len("search):\n")
    return {textwrap.dedent(edit.apply(source.text)[first:]).strip("\n"): edit for edit in edits_of(source)}


@pytest.mark.parametrize(
    ("before", "after", "kind", "line"),
    [
        ("for m in reversed(ms):\n    go(m)", "for m in (ms):\n    go(m)", "", 4),
        ("return x[::-1]", "return x", "order", 4),
        ("return x[1:]", "return x", "part", 4),
        ("return [m.opposite() for m in ms]", "return ms", "wrapped", 4),
        ("x = m.opposite()", "x = m", "turned", 4),
        ("for m in ms:\n    go(m)", "for m in reversed(list(ms)):\n    go(m)", "order", 4),
        ("return moves", "return moves[::-1]", "way_order", 4),
        ("a()\nb()", "a()\npass", "needed", 5),
        ("a()\nb()", "b()\na()", "sequence", 4),
        ("if a:\n    b()", "if True:\n    b()", "condition", 4),
        ("x = search.last_pending()", "x = search.first_pending()", "end", 4),
        ("x = stack.pop()", "x = stack.pop(0)", "end", 4),
        ("x = queue.popleft()", "x = queue.pop()", "end", 4),
        ("queue.appendleft(x)", "queue.append(x)", "end", 4),
        ("x = maze.moves_at(y)", "x = maze.valid_moves_at(y)", "walls", 4),
        ("x = maze.entry", "x = maze.exit", "entry_or_exit", 4),
        ("x = 1\ny = 2\nreturn x", "x = 1\ny = 2\nreturn y", "name", 6),
        ("if a < b:\n    c()", "if a <= b:\n    c()", "equal", 4),
        ("if a in b:\n    c()", "if a not in b:\n    c()", "negation", 4),
        ("if a is b:\n    c()", "if a == b:\n    c()", "same", 4),
        ("if a and b:\n    c()", "if a or b:\n    c()", "both", 4),
        ("if a and b:\n    c()", "if b:\n    c()", "condition", 4),
        ("x = a + b", "x = a - b", "counted", 4),
        ("x += 1", "x -= 1", "counted", 4),
        ("x = 1", "x = 2", "by_one", 4),
        ("x = True", "x = False", "truth", 4),
        ("for i in range(n):\n    go(i)", "for i in range(n - 1):\n    go(i)", "by_one", 4),
        ("while a:\n    b()", "while not a:\n    b()", "negation", 4),
        ("if not way:\n    b()", "if way is None:\n    b()", "empty", 4),
        ("x = f(a, b)", "x = f(b, a)", "arguments", 4),
        ("for i in x:\n    a()\n    b()", "for i in x:\n    a()\nb()", "each_turn", 6),
        ("for i in x:\n    a()\nb()", "for i in x:\n    a()\n    b()", "each_turn", 6),
        ("if x:\n    a()\nb()", "if x:\n    a()\n    b()", "under_condition", 6),
        ("return []", "return None", "nothing", 4),
        ("raise ValueError", "return None", "nothing", 4),
        ("self.solve(maze, 1)", "return self.solve(maze, 1)", "answer", 4),
        ("for i in x:\n    break", "for i in x:\n    continue", "leaves", 5),
        (
            "for c in x:\n    seen.add(c)\n    a(c)",
            "for c in x:\n    if c in seen: continue\n    seen.add(c)\n    a(c)",
            "has_been",
            4,
        ),
    ],
)  # fmt: skip
def test_what_an_edit_makes_of_a_line(before: str, after: str, kind: str, line: int) -> None:
    found = bodies(read(before))
    made = found.get(after) or found[after.replace("(ms)", "ms")]
    assert made.kind == (kind or "order")
    assert made.line == line


def test_a_default_that_is_made_once_is_made_at_each_call() -> None:
    text = "class DFS:\n    def solve(self, maze, seen=[]):\n        return seen\n"
    source = source_of(text.encode(), "solve")
    assert source is not None
    made = [edit for edit in edits_of(source) if edit.kind == "lives_on"]
    assert [edit.apply(text) for edit in made] == [
        "class DFS:\n    def solve(self, maze, seen=None):\n"
        "        if seen is None: seen = []\n        return seen\n"
    ]
    assert made[0].line == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("class A:\n    seen = set()\n    def solve(self, maze):\n        return self.seen\n", 2),
        ("seen = {}\nclass A:\n    def solve(self, maze):\n        return seen\n", 1),
        (
            "class A:\n    def __init__(self):\n        self.seen = []\n"
            "    def solve(self, maze):\n        return self.seen\n",
            3,
        ),
    ],
)
def test_what_is_kept_is_made_anew(text: str, line: int) -> None:
    source = source_of(text.encode(), "solve")
    assert source is not None
    made = [edit for edit in edits_of(source) if edit.kind == "lives_on"]
    assert {edit.line for edit in made} == {line}
    assert any(
        "\n        self.seen = " in edit.apply(text) or "seen.clear()" in edit.apply(text) for edit in made
    )


def test_a_part_of_the_file_is_left_to_nobody_by_no_edit() -> None:
    methods = (
        "def solve(self, maze):\n        return self.way(maze)\n    def way(self, maze):\n        return 1\n"
    )
    text = f"class A:\n    {methods}"
    source = source_of(text.encode(), "solve")
    assert source is not None
    assert all("self.way(" in edit.apply(text) for edit in edits_of(source))


@pytest.mark.parametrize("path", sorted(FILES))
def test_edits_are_python_all_different_and_change_the_line_they_name(path: str) -> None:
    source = source_of(FILES[path], "solve")
    assert source is not None
    texts = [edit.apply(source.text) for edit in edits_of(source)]
    assert len(set(texts)) == len(texts)
    assert source.text not in texts
    for text in texts:
        ast.parse(text)
    for edit in edits_of(source):
        assert 1 <= edit.line <= len(source.lines)


@pytest.mark.parametrize(
    "content",
    [b"x = 1\n" * 401, b"def (", b"\xff\xfe", b"# coding: latin-1\nx = 1\n", b"x = 1\n\x0cy = 2\n"],
    ids=["long", "no Python", "no text", "another encoding", "a new page"],
)
def test_what_is_not_looked_into(content: bytes) -> None:
    assert source_of(content, "solve") is None


def test_the_text_may_hold_any_letters() -> None:
    text = "class A:\n    def solve(self, maze):\n        x = 'blåbær'; y = 'ø' < maze\n        return y\n"
    source = source_of(text.encode(), "solve")
    assert source is not None
    assert any("'ø' <= maze" in edit.apply(text) for edit in edits_of(source))
