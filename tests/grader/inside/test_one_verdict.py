"""What runs out of stack or memory has one verdict, however often it is asked."""

from __future__ import annotations

from dataclasses import replace
from textwrap import indent

import pytest

from grader.model import Call, Claim, IsPerfect, Limits, Solve, Target
from tests.grader.session.popen_box import CHECKER, PATIENT, ROOM, answered, ask, check, checker

LIMITS = replace(PATIENT, memory_bytes=Limits().memory_bytes)
COUNT = 3


def verdicts(body: str, before: str = "") -> tuple[Claim, ...]:
    """What comes of three calls, each of which has a process of its own."""
    return check(body, before=before, count=COUNT, cpu=20.0, limits=LIMITS)


@pytest.mark.parametrize(
    "body",
    [
        "def go(way): return go(way + [1])\nreturn go([])",
        "def go(way): return go((*way, way[-1:]))\nreturn go((1,))",
        "def go(text): return go(text + 'north')\nreturn go('')",
        "def go(n): yield from go(n + 1)\nreturn next(go(0))",
        "def key(n): return sorted([n, n], key=key)\nreturn key(1)",
        "deep = []\nfor _ in range(100_000): deep = [deep]\nreturn copy.deepcopy(deep)",
        "deep = []\nfor _ in range(100_000): deep = [deep]\nreturn repr(deep)",
        "return Own() == Own()",
        "return repr(Own())",
        "return hash(Own())",
    ],
)
def test_a_recursion_without_end_is_a_recursion_error(body: str) -> None:
    before = """
    import copy
    class Own:
        def __eq__(self, other): return Own() == Own()
        def __repr__(self): return f"<{Own()!r}>"
        def __hash__(self): return hash((Own(),))
    """
    claims = verdicts(body, before)
    assert {claim.outcome for claim in claims} == {"raised"}
    assert {claim.fault for claim in claims} == {claims[0].fault}
    assert claims[0].fault is not None
    assert claims[0].fault.kind == "RecursionError"
    assert claims[0].fault.message == "maximum recursion depth exceeded"


@pytest.mark.parametrize(
    "body",
    [
        "import itertools\nreturn list(itertools.count())",
        "kept = []\nwhile True: kept.append([0] * 100_000)",
        "text = 'x'\nwhile True: text += text",
        "bag = b'xy'\nwhile True: bag *= 3",
        "kept = {}\nwhile True: kept[len(kept)] = list(range(10_000))",
        "def go(cells): return go(cells | {len(cells)})\nreturn go({0})",
        "kept = []\nwhile True:\n    try: kept.append(bytearray(2**20))\n    except MemoryError: return True",
        "kept = []\nwhile True:\n    try: kept.append(bytearray(1 << 20))\n    except: continue",
        "kept = []\ntry:\n    while True: kept.append(bytearray(1 << 20))\nfinally:\n    return True",
        "try: return bytearray(10**11)\nexcept (ValueError, Exception) as error: raise ValueError from error",
        "raise SystemError('error return without exception set')",
        "with Raised(): bytearray(10**11)",
        "kept = [bytearray(b'x') * (300 << 20)]\nimport ctypes; ctypes.string_at(8)",
        "kept = [bytearray(b'x') * (300 << 20)]\nimport os; os.abort()",
    ],
)
def test_memory_without_end_is_out_of_memory(body: str) -> None:
    before = """
    class Raised:
        def __enter__(self): pass
        def __exit__(self, *_): raise ValueError
    """
    claims = verdicts(body, before)
    assert {claim.outcome for claim in claims} == {"out-of-memory"}
    assert {claim.fault for claim in claims} == {claims[0].fault}
    assert claims[0].fault is not None
    assert claims[0].fault.kind == "MemoryError"


@pytest.mark.parametrize(
    "body",
    [
        "try: raise ValueError\nexcept Exception: return True",
        "try: raise OSError(2, 'no')\nexcept: return True",
        "try: raise SystemError('own')\nexcept (KeyError, Exception): return True",
        "def deep(): deep()\ntry: deep()\nexcept RecursionError: return True",
        "try: pass\nfinally: return True",
    ],
)
def test_what_is_no_want_of_memory_is_caught_as_ever(body: str) -> None:
    (claim,) = check(body, cpu=20.0)
    assert claim.answer is not None, claim.fault


@pytest.mark.parametrize(("rows", "levels"), [(2, 1_600), (20, 2_900), (60, 13_000)])
def test_how_deep_a_call_may_go_follows_from_its_size(rows: int, levels: int) -> None:
    """A level is three frames: two of Python, and sorted between them, which not every Python counts."""
    inner = " +" * rows
    lines = ["+" + "-+" * rows, *["|" + "  " * (rows - 1) + " |", f"+{inner}"] * rows]
    lines[1], lines[-1] = "|S" + lines[1][2:], lines[0]
    body = f"def go(n): return n == 0 or (lambda: go(n - 1))()\nreturn go({levels})"
    call = Call("c1", IsPerfect("\n".join(lines)))
    (claim,) = ask({CHECKER.file: checker(body)}, CHECKER, call, limits=LIMITS)
    assert answered(claim)


def test_a_recursion_that_asks_out_of_all_proportion_is_endless() -> None:
    body = """def go(way):
    maze.is_exit(maze.entry), maze.moves_at(maze.entry)
    return go(way + [1])
return go([])"""
    dfs = f"class DFS:\n    def solve(self, maze, search):\n{indent(body, ' ' * 8)}\n"
    claims = ask({"solvers/dfs.py": dfs}, Target("solvers/dfs.py", "DFS"), *map(solve, "abc"), limits=LIMITS)
    assert {claim.outcome for claim in claims} == {"endless"}
    assert len({claim.spent for claim in claims}) == 1, "with fewer turns, after the first, too"
    assert claims[0].spent is not None
    assert claims[0].spent.what == "questions"
    assert 9_000 < claims[0].spent.count < 13_200


def solve(name: str) -> Call:
    return Call(name, Solve((ROOM,)))


def test_a_lower_limit_of_the_submissions_own_is_kept() -> None:
    body = "def go(n): return n == 0 or go(n - 1)\ngo(100)\nsys.setrecursionlimit(200)\nreturn go(500)"
    claims = check(body, before="import sys", count=2, cpu=20.0)
    assert [claim.fault.kind for claim in claims if claim.fault] == ["RecursionError"] * 2
