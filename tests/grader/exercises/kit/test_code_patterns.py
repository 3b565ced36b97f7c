"""A hint speaks of a comparison, a collection or a way of going on only where the code has one."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from grader.exercises.generator import code_patterns as generator
from grader.exercises.kit import code_patterns as code
from grader.exercises.kit import union_find_patterns as groups
from grader.exercises.kit.diagnosis import diagnose_each, diagnose_hidden
from grader.exercises.kit.solvers import code_patterns as solvers
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

LABELS = """
one, other = group[a], group[b]
if one != other:
    {then}
"""
ALL_CELLS = "for c in group:\n        if group[c] == other:\n            group[c] = one"
COUNTS = "for cell in maze.dimension.all_positions():\n    count += len(maze.valid_moves_at(cell))\n"
SEARCH = """
def solve(maze):
    seen = {seen}
    q = [maze.entry]
    while q:
        c = q.pop(0)
        {take}
        for m in maze.valid_moves_at(c):
            n = c + m
            if n not in seen:
                {end}
                q.append(n)
"""
ONCE = """for c in maze.dimension.all_positions():
    for m in maze.valid_moves_at(c):
        d[c + m] = d[c] + 1"""
RELAXES = """
    prev = {}
    for c in q:
        for m in moves:
            if d[c] + 1 < d[c + m]:
                prev[c + m] = c
    while c in prev:
        c = prev[c]
"""
COUNTED = "while len(been) < size.position_count:\n    here = trail[-1]\n    {put}"
OVER = (
    "for r in range(1, {last}):\n    for c in range(1, d.column_count):\n        maze.build_wall((r, c), m)"
)
ONE_UP = """
def root(c):
    {up}
one, other = root(a), root(b)
above[one] = other
"""
JOINS = """
for m in maze.moves_at(c):
    if c + m in inside:
        maze.break_wall(c, m)
        {then}
"""
TREE = """
for c in cells:
    m = rng.choice([NORTH, WEST])
    if size.includes(c + m):
        maze.break_wall(c, m)
    {otherwise}
"""
LISTS = """
def carve(c):
    new = [m for m in maze.moves_at(c) if c + m not in seen]
    for m in new:
        if {ask}:
            maze.break_wall(c, m)
            carve(c + m)
"""
RUN = """
for row in rows:
    run = []
    for column in columns:
        run.append((row, column))
        if rng.random() < 0.5:
            maze.break_wall(rng.choice(run), NORTH)
            {then}
"""


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
        (groups.joins_cells_for_roots, UNION.format(join="root[a] = b"), True),
        (groups.joins_cells_for_roots, UNION.format(join="root[find(a)] = find(b)"), False),
        (groups.joins_cells_for_roots, UNION.format(join="a, b = find(a), find(b); root[a] = b"), False),
        (groups.joins_cells_for_roots, UNION.format(join="r = find(a); root[a] = r"), False),
        (groups.joins_cells_for_roots, UNION.format(join="root[a] = a"), False),
        (groups.joins_cells_for_roots, UNION.format(join="size[a] = b"), False),
        (groups.joins_cells_for_roots, "root[a] = b", False),
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
        (groups.relabels_one_cell, LABELS.format(then="group[b] = group[a]"), True),
        (groups.relabels_one_cell, LABELS.format(then="group[a] = other"), True),
        (groups.relabels_one_cell, LABELS.format(then=ALL_CELLS), False),
        (groups.relabels_one_cell, "if root[a] != a:\n    root[a] = root[root[a]]", False),
        (code.looks_at_each_cell_alone, COUNTS, True),
        (code.looks_at_each_cell_alone, COUNTS + "    seen.add(cell)\n", False),
        (code.looks_at_each_cell_alone, "return DFS().solve(maze, Search()) is not None", False),
        (solvers.keeps_pending_in_a_set, "q = {maze.entry}\nwhile q:\n    c = q.pop()", True),
        (solvers.keeps_pending_in_a_set, "q = set()\nfor c in q:\n    maze.valid_moves_at(c)", True),
        (solvers.keeps_pending_in_a_set, "q, seen = [1], set()\nwhile q:\n    c = q.pop()", False),
        (solvers.forgets_the_entry, SEARCH.format(seen="set()", take="", end="seen.add(n)"), True),
        (solvers.forgets_the_entry, SEARCH.format(seen="{}", take="", end="seen[n] = c"), True),
        (solvers.forgets_the_entry, SEARCH.format(seen="{maze.entry}", take="", end="seen.add(n)"), False),
        (solvers.forgets_the_entry, SEARCH.format(seen="set()", take="seen.add(c)", end="pass"), False),
        (solvers.forgets_the_entry, SEARCH.format(seen="set()", take="note(seen)", end="seen.add(n)"), False),
        (solvers.marks_when_taken, SEARCH.format(seen="set()", take="seen.add(c)", end="pass"), True),
        (
            solvers.marks_when_taken,
            SEARCH.format(seen="set()", take="if c in seen: continue\n        seen.add(c)", end="pass"),
            False,
        ),
        (solvers.goes_through_the_cells_once, ONCE, True),
        (
            solvers.goes_through_the_cells_once,
            "for _ in range(9):\n    " + ONCE.replace("\n", "\n    "),
            False,
        ),
        (solvers.follows_a_wall, "while True:\n    facing = (facing + 1) % 4", True),
        (solvers.follows_a_wall, "while q:\n    c = q.pop()\n    facing = (facing + 1) % 4", False),
        (solvers.measures_to_the_exit, "h = abs(c.row - maze.exit.row)", True),
        (solvers.measures_to_the_exit, "goal = maze.exit\nh = c[0] - goal[0]", True),
        (solvers.measures_to_the_exit, "if c == maze.exit: return d[c] - 1", False),
        (solvers.forgets_the_entry, "def solve(maze):\n    d = {maze.entry: 0}\n" + RELAXES, False),
        (
            solvers.forgets_the_entry,
            SEARCH.format(seen="{}", take="way = []", end="seen[n] = c; way.insert(0, m)"),
            True,
        ),
        (solvers.never_takes_out, "while q:\n    c = min(q, key=d.get)\n    q.append(c + m)", True),
        (solvers.never_takes_out, "while q:\n    c = q[0]", True),
        (solvers.never_takes_out, "while q:\n    c = min(q, key=d.get)\n    q.remove(c)", False),
        (solvers.never_takes_out, "while q:\n    c = q[0]\n    q = q[1:]", False),
        (solvers.never_takes_out, "while q:\n    c = q[0]\n    del q[0]", False),
        (solvers.begins_with_nothing, "while search.has_pending_cells():\n    search.first_pending()", True),
        (solvers.begins_with_nothing, "search.mark_as_pending(a)\nsearch.first_pending()", False),
        (solvers.begins_with_nothing, "def f():\n    q = []\n    while q:\n        q.append(q.pop())", True),
        (
            solvers.begins_with_nothing,
            "def f():\n    q = []\n    q.append(1)\n    while q:\n        q.pop()",
            False,
        ),
        (solvers.begins_with_nothing, "def f():\n    q = [1]\n    while q:\n        q.pop()", False),
        (
            solvers.takes_twice_in_a_turn,
            "while q:\n    if end(q.pop()):\n        return\n    c = q.pop()",
            True,
        ),
        (solvers.takes_twice_in_a_turn, "while q:\n    if (c := q.pop()) == e:\n        return", False),
        (solvers.takes_twice_in_a_turn, "while q:\n    c = q.pop()\n    if c == e:\n        return", False),
        (solvers.gives_the_entry_no_distance, "d = {c: float('inf') for c in cells}", True),
        (solvers.gives_the_entry_no_distance, "d = {c: math.inf for c in cells}\nd[maze.entry] = 0", False),
        (solvers.gives_the_entry_no_distance, "d = {maze.entry: 0}\nd.get(c, math.inf)", False),
        (generator.counts_cells_twice, COUNTED.format(put="been.append(here)"), True),
        (generator.counts_cells_twice, COUNTED.format(put="been.add(here)"), False),
        (generator.counts_cells_twice, COUNTED.format(put="if here not in been: been.append(here)"), False),
        (generator.stops_before_the_last, OVER.format(last="d.row_count"), True),
        (generator.stops_before_the_last, OVER.format(last="d.row_count + 1"), False),
        (solvers.puts_equals_in_again, "if new <= d[n]:\n    heappush(q, n)", True),
        (solvers.puts_equals_in_again, "if new < d[n]:\n    heappush(q, n)", False),
        (
            solvers.puts_equals_in_again,
            "if c in done:\n    continue\nif new <= d[n]:\n    heappush(q, n)",
            False,
        ),
        (groups.finds_one_step_up, ONE_UP.format(up="return above[c]"), True),
        (groups.finds_one_step_up, ONE_UP.format(up="return c if above[c] == c else root(above[c])"), False),
        (generator.joins_to_every_neighbour, JOINS.format(then="pass"), True),
        (generator.joins_to_every_neighbour, JOINS.format(then="break"), False),
        (
            code.shares_one_list,
            "for m in moves:\n    new = way\n    new.append(m)\n    q.append((m, new))",
            True,
        ),
        (generator.opens_nothing_at_the_border, TREE.format(otherwise=""), True),
        (generator.opens_nothing_at_the_border, TREE.format(otherwise="else:\n        other()"), False),
        (generator.lists_neighbours_too_soon, LISTS.format(ask="True"), True),
        (generator.lists_neighbours_too_soon, LISTS.format(ask="c + m not in seen"), False),
        (generator.never_empties_its_run, RUN.format(then=""), True),
        (generator.never_empties_its_run, RUN.format(then="run = []"), False),
        (generator.never_empties_its_run, RUN.format(then="run.clear()"), False),
        (generator.asks_nothing_of_what_is_joined, "maze.break_wall(c, rng.choice(moves))", True),
        (
            generator.asks_nothing_of_what_is_joined,
            "if c not in seen:\n    maze.break_wall(c, rng.choice(moves))",
            False,
        ),
        (generator.opens_walls, "maze = f.fully_disconnected(d)\nmaze.break_wall(c, m)", True),
        (generator.opens_walls, "maze = f.fully_connected(d)\nmaze.build_wall(c, m)", False),
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


def test_what_only_hidden_checks_show_is_told_by_the_code() -> None:
    late = ast.parse(SEARCH.format(seen="set()", take="seen.add(c)", end="pass"))
    soon = ast.parse(SEARCH.format(seen="{maze.entry}", take="", end="seen.add(n)"))
    assert diagnose_hidden(kind_of("bfs"), "bfs", late) == "bfs.marks-when-taken"
    assert diagnose_hidden(kind_of("bfs"), "bfs", soon) is None
    assert diagnose_hidden(kind_of("dfs"), "dfs", late) is None
    assert diagnose_hidden(kind_of("bfs"), "bfs", None) is None


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
