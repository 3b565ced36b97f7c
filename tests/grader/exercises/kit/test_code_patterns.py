"""A hint speaks of a comparison, a collection or a way of going on only where the code has one."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from grader.exercises.kit import code_patterns as code
from grader.exercises.kit.diagnosis import diagnose_each
from grader.exercises.registry import kind_of
from grader.session.budgets import size_of
from reference.solvers.search import Search
from tests.direct import run_with
from tests.grader.exercises.misconceptions.in_process import code_in, planned

UNION = """
def find(i):
    while root[i] != i:
        i = root[i]
    return i
for a, b in edges:
    {join}
"""
QUEUE = "q = [maze.entry]\nwhile q:\n    cell = q.pop(0)\n    known.get(cell)"
TWO = "q, r = [maze.entry], [maze.exit]\nwhile q and r:\n    q.pop(0), r.pop(0)"
DEEPER = """
def go(cell, depth):
    if depth:
        go(cell, depth - 1)
for depth in range(9):
    go(maze.entry, depth)
"""
CHECK = """
def check(cell, before):
    for each in cell:
        if each in seen:
            return False
        {call}
    return {end}
"""
DEEP = "def go(cell, depth):\n    for each in cell:\n        go(each, depth + 1)\ngo(maze.entry, 0)"


@pytest.mark.parametrize(
    ("reads", "text", "has"),
    [
        (code.compares_cells, "end != came_from", True),
        (code.compares_cells, "cell + move == self.last", True),
        (code.compares_cells, "len(seen) == maze.dimension.position_count", False),
        (code.compares_cells, "passages // 2 == len(seen) - 1", False),
        (code.compares_cells, "cell == maze.exit or cell is None", False),
        (code.takes_from_one, QUEUE, True),
        (code.takes_from_one, "cell = heapq.heappop(heap)", True),
        (code.takes_from_one, TWO, False),
        (code.takes_from_one, "def go(cell):\n    go(cell)\n    way.pop()", False),
        (code.searches_from_both_ends, TWO, True),
        (code.searches_from_both_ends, QUEUE, False),
        (code.starts_over, DEEPER, True),
        (code.starts_over, DEEP, False),
        (code.joins_cells_for_roots, UNION.format(join="root[a] = b"), True),
        (code.joins_cells_for_roots, UNION.format(join="root[find(a)] = find(b)"), False),
        (code.joins_cells_for_roots, UNION.format(join="a, b = find(a), find(b); root[a] = b"), False),
        (code.joins_cells_for_roots, UNION.format(join="r = find(a); root[a] = r"), False),
        (code.joins_cells_for_roots, UNION.format(join="root[a] = a"), False),
        (code.joins_cells_for_roots, UNION.format(join="size[a] = b"), False),
        (code.joins_cells_for_roots, "root[a] = b", False),
        (code.drops_its_own_answer, CHECK.format(call="self.check(each, cell)", end="True"), True),
        (code.drops_its_own_answer, CHECK.format(call="fine &= self.check(each, cell)", end="fine"), False),
        (code.drops_its_own_answer, CHECK.format(call="self.check(each, cell)", end="False"), False),
        (
            code.drops_its_own_answer,
            CHECK.format(call="self.ok = False; self.check(each, 0)", end="True"),
            False,
        ),
        (
            code.drops_its_own_answer,
            CHECK.format(call="ok[0] = False; self.check(each, 0)", end="True"),
            False,
        ),
        (
            code.drops_its_own_answer,
            CHECK.format(call="seen[each] = 1; self.check(each, 0)", end="True"),
            True,
        ),
        (code.drops_its_own_answer, CHECK.format(call="fill(each)", end="True"), False),
        (code.shares_one_list, "for m in moves:\n    way.append(m)\n    q.append((cell + m, way))", True),
        (code.shares_one_list, "for m in moves:\n    q.append((cell + m, way + [m]))", False),
        (
            code.shares_one_list,
            "for m in moves:\n    new = way[:]\n    new.append(m)\n    q.append((m, new))",
            False,
        ),
        (
            code.tries_until_perfect,
            "while not is_perfect(maze):\n    maze = factory.fully_disconnected(d)",
            True,
        ),
        (code.tries_until_perfect, "while todo:\n    assert is_perfect(maze)", False),
        (code.asks_of_entry_or_exit, "todo = [maze.entry]", False),
        (code.asks_of_entry_or_exit, "if cell == maze.entry: pass", True),
        (code.asks_of_entry_or_exit, "maze.is_exit(cell)", True),
    ],
)
def test_code_is_read_for_what_it_does(reads: Callable[[ast.AST], bool], text: str, has: bool) -> None:
    assert reads(ast.parse(text)) is has


def test_helpers_of_a_submission_are_part_of_its_code_and_other_exercises_are_not() -> None:
    files = {
        "solvers/bfs.py": b"from ways import back",
        "ways.py": b"print(1)",
        "solvers/dfs.py": b"exit(2)",
    }
    found = code_in(files, "bfs")
    assert found is not None
    assert code.prints(found)
    assert "exit" not in ast.dump(found)
    assert code_in({"solvers/bfs.py": b"def"}, "bfs") is None


STACK = """
from lab import Solver

class DFS(Solver):
    def solve(self, maze, search):
        stack = [(maze.entry, [], [maze.entry])]
        visited = set()
        while stack:
            cell, moves, cells = stack.pop()
            if cell == maze.exit:
                return {found}
            visited.add(cell)
            for move in maze.valid_moves_at(cell):
                if cell + move not in visited:
                    stack.append((cell + move, moves + [move], cells + [cell + move]))
        return {nothing}
"""
FEW, SMALL = 25, 60
"""At most 25 cases of a check, of mazes of at most 60 cells, are enough here."""


@pytest.mark.parametrize(
    ("found", "nothing", "slip", "of"),
    [
        ("moves", "[]", "dfs.another-no-way", "no-way"),
        ("moves", "False", "dfs.another-no-way", "no-way"),
        ("cells", "None", "dfs.cells-for-moves", "valid-path"),
        ("cells[1:]", "None", "dfs.cells-for-moves", "valid-path"),
    ],
)
def test_a_slip_does_not_hide_the_mistake_behind_it(found: str, nothing: str, slip: str, of: str) -> None:
    text = STACK.format(found=found, nothing=nothing)
    names: dict[str, type] = {}
    exec(text, names)  # noqa: S102 - it stands above
    run = run_with(names["DFS"], Search)
    calls = {
        check.id: [case.call for case in check.cases if size_of(case.call) <= SMALL][:FEW]
        for check in planned("dfs").checks
    }
    seen = {id_: list(zip(each, run(each, False), strict=True)) for id_, each in calls.items()}
    told = diagnose_each(kind_of("dfs"), "dfs", seen, ast.parse(text))
    assert told[f"dfs.{of}"] == slip
    assert told["dfs.visit-order"] == "dfs.west-first"
