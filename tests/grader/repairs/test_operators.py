"""Edits of a student's text: each small, each where it says that it is."""

from __future__ import annotations

import ast

import pytest

from grader.repairs import edits_of, source_of
from grader.repairs.operators import MOST_MADE, names
from tests.grader.repairs.edited import FILES, bodies, read


@pytest.mark.parametrize(
    ("before", "after", "kind", "line"),
    [
        ("for m in reversed(ms):\n    go(m)", "for m in (ms):\n    go(m)", "", 4),
        ("return x[::-1]", "return x", "order", 4),
        ("return x[1:]", "return x", "part", 4),
        ("return [m.opposite() for m in ms]", "return ms", "wrapped", 4),
        ("x = m.opposite()", "x = m", "turned", 4),
        ("for m in ms:\n    go(m)", "for m in reversed(list(ms)):\n    go(m)", "order", 4),
        ("for m in ms:\n    ms.pop()", "for m in list(ms):\n    ms.pop()", "changing", 4),
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
        ("for i in range(n):\n    go(i)", "for i in range(n - 1):\n    go(i)", "bound", 4),
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
        ("if a.row == b.row:\n    c()", "if a == b:\n    c()", "wrapped", 4),
        ("best[a] = (b, c)", "best[a] = b", "wrapped", 4),
        ("x = rows + columns", "x = rows * columns", "counted", 4),
        ("x = 1000", "x = 1000000", "number", 4),
        ("x = a + came[b]", "x = a + came[b].opposite()", "turned", 4),
        (
            "def find(a):\n    return a\nroot[find(b)] = b",
            "def find(a):\n    return a\nroot[find(b)] = find(b)",
            "name",
            6,
        ),
        ("b = []\nif a in b:\n    c()", "b = []\nb.append(a)\nif a in b:\n    c()", "marks", 4),
        ("if a // 2 < b // 2:\n    c()", "if a < b:\n    c()", "wrapped", 4),
        ("x = a + b + c", "x = a", "needed", 4),
        ("x = -found", "x = found", "counted", 4),
        ("x = a and b and c", "x = a", "condition", 4),
        ("x = a or b or c", "x = (a or c)", "condition", 4),
        ("x = 7", "x = 1", "number", 4),
        ("ms = (EAST, NORTH, WEST, SOUTH)", "ms = (NORTH, EAST, SOUTH, WEST)", "order", 4),
        (
            "for m in [(0, 1), (1, 0), (0, -1), (-1, 0)]:\n    a(m)",
            "for m in [(0, -1), (1, 0), (0, 1), (-1, 0)]:\n    a(m)",
            "order",
            4,
        ),
        (
            "ms = {'west': a, 'south': b, 'east': c, 'north': d}",
            "ms = {'north': d, 'east': c, 'south': b, 'west': a}",
            "order",
            4,
        ),
        ("a = {(1, 1): 0}\nb = [(1, 1)]", "a = {maze.entry: 0}\nb = [maze.entry]", "name", 4),
        (
            "return a == (maze.dimension.row_count, maze.dimension.column_count)",
            "return a == maze.exit",
            "name",
            4,
        ),
        ("return serach.moves_to(a)", "return search.moves_to(a)", "name", 4),
        ("[a, *b]", "return [a, *b]", "answer", 4),
        ("yield from search.moves_to(a)", "return search.moves_to(a)", "what_returned", 4),
        (
            "for m in ms:\n    return self.solve(m, m)",
            "for m in ms:\n    if (found := self.solve(m, m)) is not None: return found",
            "leaves",
            5,
        ),
        (
            "for m in ms:\n    return None if a is None else a",
            "for m in ms:\n    if not (a is None): return a",
            "leaves",
            5,
        ),
        ("return a, b", "return a", "what_returned", 4),
        ("return Maze(maze.to_text().upper())", "return maze", "what_returned", 4),
        ("while True:\n    a = todo.pop()", "while todo:\n    a = todo.pop()", "leaves", 4),
        ("while 1:\n    a = heapq.heappop(b)", "while b:\n    a = heapq.heappop(b)", "leaves", 4),
        (
            "while True:\n    a = search.first_pending()",
            "while search.has_pending_cells():\n    a = search.first_pending()",
            "leaves",
            4,
        ),
        ("came.setdefault(a, b)", "came[a] = b", "known", 4),
        ("came[a] = b", "came.setdefault(a, b)", "known", 4),
        ("came[a] = b", "if a in came: return\ncame[a] = b", "known", 3),
        (
            "for a in x:\n    came[a] = b",
            "for a in x:\n    if a in came and came[a] <= b: continue\n    came[a] = b",
            "known",
            4,
        ),
        ("b = 3\ncame[a] -= 2", "b = 3\ncame[a] = b", "counted", 5),
        ("return a + 1 == b - 1", "return 2 * (a + 1) == b - 1", "counted", 4),
        ("return a + 1 == b - 1", "return a + 1 == (b - 1) // 2", "counted", 4),
        ("way.append(a)\nif b:\n    c()", "way.append(a)\nif b:\n    c()\nway.pop()", "taken_back", 6),
        ("way.append(a)", "way.pop()", "taken_back", 4),
        ("a = 1\nb(a)", "a = 1\nb(a)\nreturn a", "nothing", 5),
        ("if a:\n    return True", "if a:\n    return True\nreturn False", "nothing", 5),
        (
            "a = 1\nreturn maze.exit.row",
            "if maze.exit is None: return None\na = 1\nreturn maze.exit.row",
            "no_exit",
            5,
        ),
        (
            "if a:\n    b()\n    c()\n    d()\n    e()",
            "pass",
            "needed",
            4,
        ),
    ],
)  # fmt: skip
def test_what_an_edit_makes_of_a_line(before: str, after: str, kind: str, line: int) -> None:
    found = bodies(read(before))
    made = found.get(after) or found[after.replace("(ms)", "ms")]
    assert made.kind == (kind or "order")
    assert made.line == line


@pytest.mark.parametrize("condition", ["not a < b", "not (a and b)", "not (0 <= a < b and c)", "not not a"])
def test_what_is_never_none_is_not_told_from_none(condition: str) -> None:
    made = bodies(read(f"if {condition}:\n    c()"))
    assert "empty" not in {edit.kind for edit in made.values()}


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
    source = source_of(text.encode(), "solve")
    assert source is not None
    assert any("'ø' <= maze" in edit.apply(text) for edit in edits_of(source))


def test_luck_comes_from_the_generators_own_source() -> None:
    text = (
        "import random\nclass MyGenerator:\n    def generate(self, factory, dimension):\n"
        "        random.shuffle(x)\n        return random.choice(x)\n"
    )
    source = source_of(text.encode(), "generate")
    assert source is not None
    made = [edit.apply(text) for edit in edits_of(source) if edit.kind == "luck"]
    both = text.replace("random.shuffle", "self.rng.shuffle").replace("random.choice", "self.rng.choice")
    assert made[0] == both
    assert text.replace("random.choice", "self.rng.choice") in made


def test_a_generator_that_opens_no_wall_opens_one() -> None:
    text = (
        "class MyGenerator:\n    def generate(self, factory, dimension):\n"
        "        maze = factory.fully_disconnected(dimension)\n"
        "        for m in ms:\n            seen.add(cell + m)\n"
    )
    source = source_of(text.encode(), "generate")
    assert source is not None
    (made,) = [edit for edit in edits_of(source) if edit.kind == "walls" and edit.after]
    assert "            maze.break_wall(cell, m)\n            seen.add(cell + m)\n" in made.apply(text)
    assert made.line == 4


def test_of_a_file_that_has_edits_without_end_some_are_tried() -> None:
    names = [f"name_{number}" for number in range(300)]
    body = f"{' = '.join(names)} = 1\nuse({', '.join(names)})"
    assert 1_000 < len(edits_of(read(body))) <= MOST_MADE


def test_few_names_that_nobody_knows_are_held_against_others(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[str] = []

    def close(name: str, *_: object) -> list[str]:
        held.append(name)
        return []

    monkeypatch.setattr(names, "get_close_matches", close)
    unknown = [f"unknown_{number}" for number in range(100)]
    source = read("\n".join(["x = 1", f"go({'l' * 200})", *(f"go({name})" for name in unknown * 3)]))
    assert list(names.misspelt(source)) == []
    assert held == ["go", *unknown[: len(held) - 1]]
    assert len(held) < 30


@pytest.mark.parametrize(
    ("body", "edited"),
    [
        ("x = d + 1", "x = d"),
        ("x = d + 1", "x = d + 0"),
        ("x += 1", "x += 0"),
        ("x = row * width + column", "x = row + column"),
        ("if a:\n    return b\nreturn c(a)", "if True:\n    return b\nreturn c(a)"),
        ("return c(a) if a else 0", "return 0"),
    ],
)
def test_no_edit_does_nothing_or_does_without_what_is_worked_out(body: str, edited: str) -> None:
    assert edited not in bodies(read(body))


def test_what_is_added_to_a_sum_may_be_too_much_though_nothing_else_uses_it() -> None:
    body = "def far(a):\n    return a\nheappush(heap, (d + far(b), c))"
    assert body.replace(" + far(b)", "") in bodies(read(body))
    assert body.replace("far(b)", "b") not in bodies(read(body))


def test_no_line_is_tried_that_puts_something_in_twice() -> None:
    code = "for m in ms:\n    n = m\n    queue.append(n)\n    seen.add(n)"
    made = [after for after, edit in bodies(read(code)).items() if edit.kind == "marks"]
    assert not any(after.count("queue.append(n)") > 1 for after in made)
    assert any(after.count("seen.add(n)") > 1 for after in made)
