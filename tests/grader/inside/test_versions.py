"""Other texts of the target's file in one process, and which lines a call ran."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model import Call, Claim, Fault, Generate, Solve, Target
from grader.model.claims import GeneratedMazes, IntValue, Spent
from grader.session.connection import tried_turns
from lab.steps import MOST_CHARACTERS, MOST_EVENTS
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

pytestmark = pytest.mark.processes


def test_each_call_is_made_on_its_own_text() -> None:
    versions = [checker(f"return {number}").encode() for number in (1, 2, 1)]
    calls = [replace(question(f"c{number}"), version=text) for number, text in enumerate(versions)]
    with open_session({CHECKER.file: checker("return 0")}) as session:
        claims = session.run(CHECKER, [question("first"), *calls])
        (after,) = session.run(CHECKER, [question("last")])
    assert [answered(claim) for claim in (*claims, after)] == [IntValue(n) for n in (0, 1, 2, 1, 0)]


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
}
STUBBORN_BODIES = {
    "a loop that begins again": "while True:\n    try:\n        while True: pass\n    except: pass",
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
    """Import what starts threads only where it is used: a process that has seen it is not gone on with."""
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


def test_the_process_goes_on_after_versions_that_never_end() -> None:
    claims = after([*ENDLESS_BODIES.values()])
    assert {claim.outcome for claim in claims[::2]} == {"endless"}
    assert {claim.spent for claim in claims[::2]} == {Spent("turns", tried_turns(question("c0")), 4)}
    assert [answered(claim) for claim in claims[1::2]] == [*map(IntValue, range(1, len(ENDLESS_BODIES) + 1))]


def test_the_process_ends_with_a_version_that_does_not_let_itself_be_stopped() -> None:
    claims = after([*STUBBORN_BODIES.values()])
    assert {claim.outcome for claim in claims[::2]} == {"endless"}
    assert {answered(claim) for claim in claims[1::2]} == {IntValue(0)}


def test_after_a_version_that_never_ends_a_process_that_ends_is_blamed_on_its_own_call() -> None:
    bodies = ("while True: pass", "import os\nos._exit(3)", "return 5")
    calls = [replace(question(f"c{n}"), version=checker(body).encode()) for n, body in enumerate(bodies)]
    with open_session({CHECKER.file: checker("return 0")}) as session:
        endless, died, right = session.run(CHECKER, calls)
    assert (endless.outcome, died.outcome) == ("endless", "died")
    assert died.fault == Fault("exit status 3", "", stage="call")
    assert answered(right) == IntValue(5)


def test_the_lines_that_a_call_ran_are_told() -> None:
    text = checker("x = 1\nif maze is None:\n    x = 2\nreturn x")
    first = next(n for n, line in enumerate(text.splitlines(), start=1) if "x = 1" in line)
    with open_session({CHECKER.file: text}) as session:
        traced, plain = session.run(CHECKER, [replace(question("c1"), traced=True)]) + session.run(
            CHECKER, [question("c2")]
        )
    assert traced.lines == {first, first + 1, first + 3}
    assert plain.lines == frozenset()


def test_each_step_of_a_recorded_call_is_told_with_what_changed_and_what_was_seen() -> None:
    files = {"solvers/bfs.py": BFS, "solvers/search.py": SEARCH}
    (claim,) = ask(
        files, Target("solvers/bfs.py", "BFS"), Call("c1", Solve((ROOM,)), recorded=(("solvers/bfs.py", 0),))
    )
    kinds = {event.kind for event in claim.events}
    taken = [event.values["0"] for event in claim.events if (event.kind, event.text) == ("mark", "taken")]
    assert kinds == {"line", "mark", "return"}
    assert taken == ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"]
    cells = [event.values["cell"] for event in claim.events if "cell" in event.values]
    assert cells == taken
    assert claim.events[-1].text == "[east, south]"


def test_a_call_that_never_ends_is_recorded_to_a_bound() -> None:
    code = """
class BFS:
    def solve(self, maze, search):
        everything = []
        for odd in (None, [1, 1], "A1", (1, 2, 3), 7, maze.is_exit):  # a record asks nothing of them
            maze.is_exit(odd)
        while True:
            everything.append(maze.valid_moves_at(maze.entry))
"""
    files = {"solvers/bfs.py": code, "solvers/search.py": SEARCH}
    (claim,) = ask(
        files, Target("solvers/bfs.py", "BFS"), Call("c1", Solve((ROOM,)), recorded=(("solvers/bfs.py", 0),))
    )
    assert claim.outcome in ("endless", "timeout"), claim.fault
    assert len(claim.events) <= MOST_EVENTS
    assert sum(len(text) for event in claim.events for text in event.values.values()) < 2 * MOST_CHARACTERS


GENERATOR = """
class MyGenerator:
    def __init__(self, rng):
        self.rng = rng

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for column in range(1, 5):
            maze.break_wall((1, column), (0, 1))
        return maze
"""


@pytest.mark.parametrize("recorded", [(), (("generators/my_generator.py", 0),)])
def test_walls_that_a_generator_opens_are_told_in_their_order(recorded: tuple[tuple[str, int], ...]) -> None:
    target = Target("generators/my_generator.py", "MyGenerator")
    call = Call("c1", Generate(5, 5, seed=1, times=1), recorded=recorded)
    (claim,) = ask({target.file: GENERATOR}, target, call)
    assert isinstance(claim.value, GeneratedMazes)
    assert claim.value.opened == tuple(((1, column), (1, column + 1)) for column in range(1, 5))
    marks = [each.values for each in claim.events if each.text == "opened"]
    assert marks == [{"0": f"(1, {n})", "1": f"(1, {n + 1})"} for n in range(1, 5) if recorded]
