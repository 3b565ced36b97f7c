"""Edits of a student's text: each small, each where it says that it is."""

from __future__ import annotations

import ast
import textwrap

import pytest

from grader.repairs import ParsedFile, edits_of, source_of
from grader.repairs.operators import MOST_MADE
from grader.repairs.source import Edit
from tests.submissions.loader import base

pytestmark = pytest.mark.usefixtures("_reads_here")

SOLVER = "\nclass BFS:\n    def solve(self, maze, search):\n"
FILES = {path: content for path, content in base().items() if path.endswith(".py")}


def parsed(text: str, method: str = "solve") -> ParsedFile:
    source = source_of(text.encode(), method)
    assert source is not None
    return source


def read(body: str) -> ParsedFile:
    return parsed(SOLVER + textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8) + "\n")


def bodies(body: str) -> dict[str, Edit]:
    """What the body becomes by each edit."""
    source = read(body)
    made = {edit.apply(source.text)[len(SOLVER) :]: edit for edit in edits_of(source)}
    return {textwrap.dedent(text).strip("\n"): edit for text, edit in made.items()}


def texts(text: str) -> set[str]:
    return {edit.apply(text) for edit in edits_of(parsed(text))}


@pytest.mark.parametrize(
    ("before", "after", "kind", "line"),
    [
        ("return x[1:]", "return x", "part", 4),
        ("x = m.opposite()", "x = m", "turned", 4),
        ("for m in ms:\n    ms.pop()", "for m in list(ms):\n    ms.pop()", "changing", 4),
        ("return moves", "return moves[::-1]", "way_order", 4),
        ("a()\nb()", "b()\na()", "sequence", 4),
        ("x = stack.pop()", "x = stack.pop(0)", "end", 4),
        ("x = 1\ny = 2\nreturn x", "x = 1\ny = 2\nreturn y", "name", 6),
        ("if a < b:\n    c()", "if a <= b:\n    c()", "equal", 4),
        ("if not way:\n    b()", "if way is None:\n    b()", "empty", 4),
        ("x = f(a, b)", "x = f(b, a)", "arguments", 4),
        ("for i in x:\n    a()\n    b()", "for i in x:\n    a()\nb()", "each_turn", 6),
        ("for i in x:\n    a()\nb()", "for i in x:\n    a()\n    b()", "each_turn", 6),
        ("if x:\n    a()\nb()", "if x:\n    a()\n    b()", "under_condition", 6),
        (
            "for c in x:\n    seen.add(c)\n    a(c)",
            "for c in x:\n    if c in seen: continue\n    seen.add(c)\n    a(c)",
            "has_been",
            4,
        ),
        ("best[a] = (b, c)", "best[a] = b", "wrapped", 4),
        ("x = a + came[b]", "x = a + came[b].opposite()", "turned", 4),
        ("b = []\nif a in b:\n    c()", "b = []\nb.append(a)\nif a in b:\n    c()", "marks", 4),
        ("x = a or b or c", "x = (a or c)", "condition", 4),
        ("ms = (EAST, NORTH, WEST, SOUTH)", "ms = (NORTH, EAST, SOUTH, WEST)", "order", 4),
        ("yield from search.moves_to(a)", "return search.moves_to(a)", "what_returned", 4),
        ("came[a] = b", "came.setdefault(a, b)", "known", 4),
        ("way.append(a)\nif b:\n    c()", "way.append(a)\nif b:\n    c()\nway.pop()", "taken_back", 6),
        ("if a:\n    return True", "if a:\n    return True\nreturn False", "nothing", 5),
        (
            "a = 1\nreturn maze.exit.row",
            "if maze.exit is None: return None\na = 1\nreturn maze.exit.row",
            "no_exit",
            5,
        ),
    ],
)  # fmt: skip
def test_what_an_edit_makes_of_a_line(before: str, after: str, kind: str, line: int) -> None:
    """The others are seen where they mend something: tests/golden/stories."""
    made = bodies(before)[after]
    assert (made.kind, made.line) == (kind, line)


def test_what_is_never_none_is_not_told_from_none() -> None:
    for condition in ("not a < b", "not (a and b)", "not not a"):
        assert "empty" not in {edit.kind for edit in bodies(f"if {condition}:\n    c()").values()}


@pytest.mark.parametrize(
    ("text", "line", "anew"),
    [
        ("class A:\n    def solve(self, seen=[]):\n        return seen\n", 2, "if seen is None: seen = []"),
        ("class A:\n    seen = set()\n    def solve(self):\n        return self.seen\n", 2, "self.seen = "),
        ("seen = {}\nclass A:\n    def solve(self):\n        return seen\n", 1, "seen.clear()"),
        (
            "class A:\n    def __init__(self):\n        self.seen = []\n"
            "    def solve(self):\n        return self.seen\n",
            3,
            "self.seen = ",
        ),
    ],
)
def test_what_is_kept_is_made_anew(text: str, line: int, anew: str) -> None:
    made = [edit for edit in edits_of(parsed(text)) if edit.kind == "lives_on"]
    assert {edit.line for edit in made} == {line}
    assert any(f"\n        {anew}" in edit.apply(text) for edit in made)


@pytest.mark.parametrize("path", sorted(FILES))
def test_edits_are_python_all_different_and_change_the_line_they_name(path: str) -> None:
    source = parsed(FILES[path].decode())
    edits = edits_of(source)
    made = [edit.apply(source.text) for edit in edits]
    assert len({source.text, *made}) == len(made) + 1
    for text in made:
        ast.parse(text)
    for edit in edits:
        assert 1 <= edit.line <= len(source.lines)
        assert edit.weight >= 1, "of a sort that the table knows"


@pytest.mark.parametrize(
    "content",
    [b"x = 1\n" * 401, b"def (", b"\xff\xfe", b"# coding: latin-1\nx = 1\n", b"x = 1\n\x0cy = 2\n"],
    ids=["long", "no Python", "no text", "another encoding", "a new page"],
)
def test_what_is_not_looked_into(content: bytes) -> None:
    assert source_of(content, "solve") is None


def test_the_text_may_hold_any_letters() -> None:
    text = "class A:\n    def solve(self, maze):\n        x = 'blåbær'; y = 'ø' < maze\n        return y\n"
    assert any("'ø' <= maze" in made for made in texts(text))


def test_luck_comes_from_the_generators_own_source() -> None:
    text = (
        "import random\nclass MyGenerator:\n    def generate(self, factory, dimension):\n"
        "        random.shuffle(x)\n        return random.choice(x)\n"
    )
    made = [edit.apply(text) for edit in edits_of(parsed(text, "generate")) if edit.kind == "luck"]
    one = text.replace("random.choice", "self.rng.choice")
    assert made[0] == one.replace("random.shuffle", "self.rng.shuffle")
    assert one in made


def test_no_edit_draws_luck_more_or_less_often() -> None:
    text = (
        "class MyGenerator:\n    def generate(self, factory, dimension):\n"
        "        self.rng.shuffle(moves)\n        return self.rng.choice(moves)\n"
    )
    made = [edit.apply(text) for edit in edits_of(parsed(text, "generate"))]
    assert made
    assert [each.count("shuffle(") + each.count("choice(") for each in made] == [2] * len(made)


@pytest.mark.parametrize(
    ("new", "leaves_out"),
    [("pass", True), ("a + b", True), ("(b)", True), ("b + c", True), ("a + c + b", False), ("a - b", False)],
)
def test_an_edit_knows_whether_it_only_leaves_out(new: str, leaves_out: bool) -> None:
    text = "x = 1\na + b + c\n"
    made = Edit(((6, 15, new),), "needed", 2)
    assert (made.only_leaves_out(text), [*made.lines(text)]) == (leaves_out, [2])


@pytest.mark.parametrize(
    ("new", "parts"),
    [("a - b - c", ["a - b + c", "a + b - c"]), ("a + b", []), ("a + d + c", []), ("q - r * s", [])],
)
def test_an_edit_that_does_two_things_is_taken_apart(new: str, parts: list[str]) -> None:
    made = Edit(((0, 9, new),), "needed", 1)
    assert [each.apply("a + b + c") for each in made.parts("a + b + c")] == parts


def test_of_a_file_that_has_edits_without_end_some_are_tried() -> None:
    names = [f"name_{number}" for number in range(300)]
    body = f"{' = '.join(names)} = 1\nuse({', '.join(names)})"
    assert 1_000 < len(edits_of(read(body))) <= MOST_MADE


@pytest.mark.parametrize(
    ("body", "edited"),
    [
        ("x = d + 1", "x = d"),
        ("x += 1", "x += 0"),
        ("x = row * width + column", "x = row + column"),
        ("if a:\n    return b\nreturn c(a)", "if True:\n    return b\nreturn c(a)"),
        ("return c(a) if a else 0", "return 0"),
        ("heapq.heappush(heap, (cost, number))", "heapq.heappush(heap, (number, cost))"),
    ],
)
def test_no_edit_does_nothing_or_does_without_what_is_worked_out(body: str, edited: str) -> None:
    assert edited not in bodies(body)


def test_what_is_added_to_a_sum_may_be_too_much_though_nothing_else_uses_it() -> None:
    body = "def far(a):\n    return a\nheappush(heap, (d + far(b), c))"
    assert body.replace(" + far(b)", "") in bodies(body)
    assert body.replace("far(b)", "b") not in bodies(body)


def test_no_line_is_tried_that_puts_something_in_twice() -> None:
    code = "for m in ms:\n    n = m\n    queue.append(n)\n    seen.add(n)"
    made = [after for after, edit in bodies(code).items() if edit.kind == "marks"]
    assert not any(after.count("queue.append(n)") > 1 for after in made)
    assert any(after.count("seen.add(n)") > 1 for after in made)


CALLED = """
class BFS:
    def solve(self, maze, search):
        return self.way(maze, search) + [1]

    def way(self, maze, search):
        return self.way(search, maze) or maze
"""


def test_no_function_is_left_to_itself_and_arguments_stay_where_they_bear_the_names_of_parameters() -> None:
    made = texts(CALLED)
    assert CALLED.replace("self.way(maze, search) + [1]", "[1]") not in made
    assert CALLED.replace("self.way(search, maze) or maze", "maze") in made
    assert CALLED.replace("self.way(maze, search)", "self.way(search, maze)") not in made
    assert CALLED.replace("self.way(search, maze)", "self.way(maze, search)") in made


def test_what_a_function_of_the_file_gives_is_turned_round_there() -> None:
    text = "class A:\n    def solve(self, maze):\n        return way(maze)\ndef way(x):\n    return x\n"
    made = texts(text)
    assert text.replace("way(maze)", "way(maze)[::-1]") not in made
    assert text.replace("return x", "return x[::-1]") in made
