"""Other texts of the target's file in one process, and which lines a call ran."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from grader.model import Call, Claim, Fault, Solve, Target
from grader.model.claims import IntValue, SolveRun, Spent
from grader.session.budgets import tried_turns
from lab import Dimension, Factory
from tests.grader.session.popen_box import (
    BFS,
    CHECKER,
    ROOM,
    SEARCH,
    answered,
    ask,
    checker,
    open_session,
    question,
)


def test_each_call_is_made_on_its_own_text() -> None:
    versions = [checker(f"return {number}").encode() for number in (1, 2, 1)]
    calls = [replace(question(f"c{number}"), version=text) for number, text in enumerate(versions)]
    with open_session({CHECKER.file: checker("return 0")}) as session:
        claims = session.run(CHECKER, [question("first"), *calls])
        (after,) = session.run(CHECKER, [question("last")])
    assert [answered(claim) for claim in (*claims, after)] == [IntValue(n) for n in (0, 1, 2, 1, 0)]


def test_nothing_is_left_of_the_text_before() -> None:
    count = checker("global count\ncount += 1\nreturn count", before="count = 0")
    texts = [count.encode(), f"{count}# another".encode()]
    calls = [replace(question(f"c{number}"), version=texts[number // 2]) for number in range(4)]
    with open_session({CHECKER.file: count}) as session:
        assert [answered(claim) for claim in session.run(CHECKER, calls)] == [
            IntValue(n) for n in (1, 2, 1, 2)
        ]


def test_a_text_that_does_not_load_costs_its_own_calls_only() -> None:
    texts = [b"def (", checker("while True: pass").encode(), checker("return 3").encode()]
    calls = [replace(question(f"c{number}"), version=text) for number, text in enumerate(texts)]
    with open_session({CHECKER.file: checker("return 0")}) as session:
        broken, endless, right = session.run(CHECKER, calls)
    assert isinstance(broken.fault, Fault)
    assert (broken.fault.kind, broken.fault.stage) == ("SyntaxError", "import")
    assert endless.outcome == "endless"
    assert answered(right) == IntValue(3)


LEFT = "getattr(sys, 'left', 0)"
"""How many versions that never end were begun in this process."""
ENDLESS_BODIES = {
    "a loop": "while True: pass",
    "a loop that a wide net catches": "try:\n    while True: pass\nexcept BaseException:\n    return True",
    "a loop that ends in an error of its own": "try:\n    while True: pass\nfinally:\n    raise KeyError",
    "a recursion": "def again(): again()\nsys.setrecursionlimit(10**6)\nreturn again()",
    "a comprehension": "return sum(1 for _ in iter(int, 1))",
}
STUBBORN_BODIES = {
    "a loop that begins again": "while True:\n    try:\n        while True: pass\n    except: pass",
    "a loop on the way out": "try:\n    while True: pass\nfinally:\n    while True: pass",
    "a thread that goes on": "Thread(target=loop, daemon=True).start()\nloop()",
    "a thread that may not have begun": "start_new_thread(loop, ())\nloop()",
}
LOOP = """
import sys
from threading import Thread
{}
def loop():
    while True: pass
"""


def _start(body: str) -> str:
    return "from _thread import start_new_thread" if "start_new" in body else ""


def after(bodies: list[str]) -> list[Claim]:
    """What came of a version for each body, and of one after each that tells what is left in its process."""
    texts = [checker(f"sys.left = {LEFT} + 1\n{body}", before=LOOP.format(_start(body))) for body in bodies]
    ask_ = checker(f"return {LEFT}", before="import sys")
    calls = [
        replace(question(f"c{number}"), version=text.encode())
        for number, text in enumerate(each for body in texts for each in (body, ask_))
    ]
    with open_session({CHECKER.file: checker("return 0")}) as session:
        return list(session.run(CHECKER, calls))


@pytest.mark.parametrize("body", ENDLESS_BODIES.values(), ids=ENDLESS_BODIES)
def test_the_process_goes_on_after_a_version_that_never_ends(body: str) -> None:
    first, next_, second, last = after([body, body])
    assert first.outcome == second.outcome == "endless"
    assert first.spent == second.spent == Spent("turns", tried_turns(question("c0")), 4)
    assert [answered(claim) for claim in (next_, last)] == [IntValue(1), IntValue(2)]


@pytest.mark.parametrize("body", STUBBORN_BODIES.values(), ids=STUBBORN_BODIES)
def test_the_process_ends_with_a_version_that_does_not_let_itself_be_stopped(body: str) -> None:
    first, next_, second, last = after([body, body])
    assert first.outcome == second.outcome == "endless"
    assert [answered(claim) for claim in (next_, last)] == [IntValue(0), IntValue(0)]


def test_a_version_that_never_ends_while_it_is_loaded_is_endless_at_each_call() -> None:
    for loading in ("while True: pass", "try:\n    while True: pass\nexcept BaseException: pass"):
        text = checker("return 1", before=loading).encode()
        calls = [replace(question(f"c{number}"), version=text) for number in range(2)]
        with open_session({CHECKER.file: checker("return 0")}) as session:
            claims = session.run(CHECKER, [*calls, replace(question("c2"), version=b"def (")])
        assert [claim.outcome for claim in claims] == ["endless", "endless", "raised"]


def test_after_a_version_that_never_ends_a_process_that_ends_is_blamed_on_its_own_call() -> None:
    bodies = ("while True: pass", "import os\nos._exit(3)", "return 5")
    calls = [replace(question(f"c{n}"), version=checker(body).encode()) for n, body in enumerate(bodies)]
    with open_session({CHECKER.file: checker("return 0")}) as session:
        endless, died, right = session.run(CHECKER, calls)
    assert (endless.outcome, died.outcome) == ("endless", "died")
    assert died.fault == Fault("exit status 3", "", stage="call")
    assert answered(right) == IntValue(5)


def test_a_call_on_the_text_that_was_handed_in_ends_its_process_as_ever() -> None:
    text = checker("sys.left = 1\nwhile True: pass", before="import sys")
    calls = [
        question("c0"),
        replace(question("c1"), version=checker(f"return {LEFT}", before="import sys").encode()),
    ]
    with open_session({CHECKER.file: text}) as session:
        endless, after_it = session.run(CHECKER, calls)
    assert endless.outcome == "endless"
    assert answered(after_it) == IntValue(0)


def test_the_lines_that_a_call_ran_are_told_in_order() -> None:
    text = checker("x = 1\nif maze is None:\n    x = 2\nreturn x")
    first = next(n for n, line in enumerate(text.splitlines(), start=1) if "x = 1" in line)
    with open_session({CHECKER.file: text}) as session:
        traced, plain = session.run(CHECKER, [replace(question("c1"), traced=True)]) + session.run(
            CHECKER, [question("c2")]
        )
    assert traced.lines == (first, first + 1, first + 3)
    assert plain.lines == ()


def traced_run(code: str, maze: str = ROOM) -> SolveRun:
    files = {"solvers/bfs.py": code, "solvers/search.py": SEARCH}
    (claim,) = ask(files, Target("solvers/bfs.py", "BFS"), Call("c1", Solve((maze,)), traced=True))
    (run,) = claim.runs
    return run


def texts(code: str, lines: Any) -> list[list[str]]:
    """The lines of the code by their numbers."""
    text = code.splitlines()
    return [[text[number - 1].strip() for number in step] for step in lines]


def test_the_lines_from_visit_to_visit_are_told_that_of_the_visit_first() -> None:
    run = traced_run(BFS)
    take, test = "cell = search.first_pending()", "if maze.is_exit(cell):"
    look, note = "for move in maze.valid_moves_at(cell):", "search.record(cell, move, cell + move)"
    again = "while search.has_pending_cells():"
    assert run.taken == ((1, 1), (1, 2), (2, 1), (2, 2))
    assert texts(BFS, run.lines["taken"]) == [
        *[[take, test, look, note, again]] * 3,
        [take, test, "return search.moves_to(cell)"],
    ]
    assert run.lines["walk"] == run.lines["taken"]
    assert set(run.lines) == {*run.streams, "walk"}


def test_of_a_solver_that_recurses_and_comes_by_again_too() -> None:
    code = """
class BFS:
    def solve(self, maze, search):
        self.visit(maze, maze.entry, 0)

    def visit(self, maze, cell, depth):
        if depth == 3:
            return
        if maze.is_clear(cell, (0, 1)):
            self.visit(maze, cell + (0, 1), depth + 1)
        else:
            self.visit(maze, cell + (0, -1), depth + 1)
"""
    run = traced_run(code)
    asks, end = "if maze.is_clear(cell, (0, 1)):", ["if depth == 3:", "return"]
    east = [asks, "self.visit(maze, cell + (0, 1), depth + 1)", end[0]]
    west = [asks, "self.visit(maze, cell + (0, -1), depth + 1)", end[0]]
    assert run.probed == ((1, 1), (1, 2))
    assert texts(code, run.lines["probed"]) == [east, [*west, east[1], end[1]]]
    assert texts(code, run.lines["walk"]) == [east, west, [*east, end[1]]]


def test_of_a_search_without_an_end_the_first_visits_are_told() -> None:
    code = """
class BFS:
    def solve(self, maze, search):
        while True:
            maze.valid_moves_at(maze.entry)
            maze.valid_moves_at((1, 2))
"""
    run = traced_run(code)
    assert run.revisits is not None
    assert run.revisits.walk == ((1, 1), (1, 2)) * 12
    first, second = (f"maze.valid_moves_at({cell})" for cell in ("maze.entry", "(1, 2)"))
    assert texts(code, run.lines["walk"]) == [[first], [second, "while True:"]] * 12


def test_of_a_large_maze_no_lines_are_told() -> None:
    sizes = (Dimension(10, 10), Dimension(10, 11))
    runs = [traced_run(BFS, Factory().fully_connected(size).to_text()) for size in sizes]
    assert [len(run.lines.get("taken", ())) for run in runs] == [100, 0]


def test_a_stream_that_the_code_wrote_to_itself_tells_no_lines_it_did_not_run() -> None:
    code = """
class BFS:
    def solve(self, maze, search):
        maze._watch.asked.extend([(1, 1)] * 3 + [(1, 2), (2, 2), "odd"])
        maze.valid_moves_at((2, 1))
"""
    run = traced_run(code)
    assert run.asked == ((1, 1), (1, 2), (2, 2), (2, 1))
    assert all(set(step) <= {4, 5} for step in run.lines["asked"])
