"""What each kind of call hands to the student's code, and what it tells about it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from grader.inside.calls import UNWRITTEN
from grader.model import Call, Claim, Generate, RunScript, Solve, Step, Target
from grader.model.claims import (
    NONE,
    GeneratedMazes,
    IntValue,
    MazeValue,
    PerfectionAnswer,
    Raised,
    ScriptSteps,
    SolveRun,
    SolveRuns,
    VectorsValue,
    VectorValue,
    truth_value,
)
from lab import Dimension, Factory
from tests.grader.session.popen_box import BFS, CHECKER, QUICK, ROOM, SEARCH, ask, open_session, question

pytestmark = pytest.mark.processes

SOLVER = Target("solvers/bfs.py", "BFS")
FINDER = Target("solvers/search.py", "Search")
MAKER = Target("generators/my_generator.py", "MyGenerator")
CORRIDOR = "+-+-+-+\n|S    |\n+-+-+-+"


def solve(code: str, *mazes: str, search: str = SEARCH, cpu: float = 0.3) -> Claim:
    call, limits = Call("c1", Solve(mazes)), replace(QUICK, call_cpu_seconds=cpu)
    (claim,) = ask({SOLVER.file: code, FINDER.file: search}, SOLVER, call, limits=limits)
    return claim


def generate(code: str, *, times: int = 2, noise: int = 7) -> Claim:
    arguments = Generate(rows=2, columns=3, seed=5, times=times, noise=noise)
    (claim,) = ask({MAKER.file: code}, MAKER, Call("c1", arguments))
    return claim


def test_a_solver_is_watched_on_each_of_its_mazes() -> None:
    claim = solve(BFS, ROOM, CORRIDOR)
    way = VectorsValue(((0, 1), (1, 0)))
    assert claim.value == SolveRuns(
        (
            SolveRun(way, ((1, 1), (1, 2), (2, 1), (2, 2)), (), (), (), True, 0, None),
            SolveRun(NONE, ((1, 1), (1, 2), (1, 3)), (), (), (), True, 0, None),
        )
    )


def test_who_changes_a_maze_is_told_so_and_those_who_come_later_do_not_see_it() -> None:
    code = (
        "class {}:\n    def {}(self, maze, *_):\n        maze.build_wall((1, 1), (0, 1))\n"
        "        return len(maze.valid_moves_at((1, 1)))\n"
    )
    files = {
        SOLVER.file: code.format("BFS", "solve"),
        CHECKER.file: code.format("PerfectionChecker", "is_perfect"),
    }
    with open_session(files) as session:
        checked = [session.run(CHECKER, [question("a"), question("b")]) for _ in range(2)]
        solved = session.run(SOLVER, [Call("c", Solve((ROOM, ROOM))), Call("d", Solve((ROOM,)))])
    after = "+-+-+\n|S| |\n+ + +\n|  E|\n+-+-+"
    expected = PerfectionAnswer(IntValue(1), after)
    assert [claim.value for claims in checked for claim in claims] == [expected] * 4
    runs = [run for claim in solved for run in claim.runs]
    assert [(run.returned, run.changed, run.used_search) for run in runs] == [(IntValue(1), after, False)] * 3


def test_a_change_of_what_a_step_costs_is_seen_and_costs_that_are_none_are_not_written() -> None:
    code = "class BFS:\n    def solve(self, maze, search):\n        {}\n"
    priced = ROOM.replace("|S  |", "|S7 |")
    for line, changed in (
        ("return maze.cost_of((1, 1), (0, 1))", None),
        ("maze.break_wall((1, 1), (0, 1), cost=2)", priced.replace("7", "2")),
        ("maze._costs = {step: 'a' for step in range(99)}", UNWRITTEN),
        ("maze._costs = dict.fromkeys(range(10**5), 9)", UNWRITTEN),
    ):
        (run,) = solve(code.format(line), priced).runs
        assert run.changed == changed
    (run,) = solve(code.format("return maze.cost_of((1, 1), (0, 1))"), priced).runs
    assert run.returned == IntValue(7)


def test_a_maze_that_was_changed_into_one_of_another_size_is_not_written() -> None:
    code = """
class BFS:
    def solve(self, maze, search):
        maze._row_count = maze._column_count = 3000
        maze._openings = bytearray(9_000_000)
"""
    (run,) = solve(code, ROOM).runs
    assert run.changed == UNWRITTEN


def test_only_positions_are_noted_each_once_and_not_too_many() -> None:
    code = """
from lab import Vector
class Cell(Vector):
    def __eq__(self, other): return True
    def __hash__(self): return 1
class BFS:
    def solve(self, maze, search):
        maze.is_exit(Cell(0, 1))
        for strange in (object(), "ab", [1, 1], (1.0, 1), (False, 1), (1, 2, 3), None, 10**30, (10**30, 1)):
            maze.is_exit(strange)
        for row in range(50):
            maze.is_exit((row, 1))
            maze.is_exit((1, 1))
"""
    (run,) = solve(code, ROOM).runs
    assert run.tested == tuple((row, 1) for row in range(8))


def test_how_far_a_solver_had_come_when_it_was_cut_off() -> None:
    code = """
class BFS:
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        if maze.exit is None: return None
        while True:
            cell = search.first_pending()
            for move in maze.valid_moves_at(cell):
                search.mark_as_pending(cell + move)
"""
    claim = solve(code, CORRIDOR, ROOM, CORRIDOR, cpu=20.0)
    assert claim.outcome == "endless"
    first, second = claim.runs
    assert first.returned == NONE
    assert second.returned is None
    assert second.taken == ((1, 1), (1, 2), (2, 1), (2, 2))
    assert second.pending is not None
    assert second.pending > 1000
    assert second.revisits is not None
    assert second.revisits.first == (1, 1)
    assert second.revisits.times > 100
    assert second.revisits.walk[:6] == ((1, 1), (1, 2), (2, 1), (2, 2), (1, 1), (1, 1))
    assert len(second.revisits.walk) == 24


def test_a_search_that_uses_up_the_memory_is_told_what_it_did() -> None:
    code = """
from contextlib import suppress
class BFS:
    def solve(self, maze, search):
        kept, ways = [], [(maze.entry, [])]
        with suppress(MemoryError):  # a library may catch it
            while True: kept.append(bytearray(10**6))
        while True:
            cell, way = ways.pop()
            for move in maze.valid_moves_at(cell):
                ways.append((cell + move, way + [move]))
"""
    claim = solve(code, ROOM, cpu=20.0)
    assert claim.outcome == "out-of-memory"
    assert claim.runs[0].asked[:2] == ((1, 1), (2, 1))


def test_a_generator_gets_its_own_luck_and_a_noisy_global_one() -> None:
    code = """
import random
class MyGenerator:
    def __init__(self, rng): self.rng = rng
    def generate(self, factory, dimension):
        print(self.rng.random(), random.random(), dimension)
        return factory.fully_connected(dimension)
"""
    claim = generate(code)
    own, noisy = Random(5), Random(7)
    assert claim.output == "".join(f"{own.random()} {noisy.random()} 2 x 3\n" for _ in range(2))
    text = Factory().fully_connected(Dimension(2, 3)).to_text()
    assert claim.value == GeneratedMazes((MazeValue(text),) * 2)


def script(*steps: Step, search: str = SEARCH) -> Claim:
    (claim,) = ask({FINDER.file: search}, FINDER, Call("c1", RunScript(steps)))
    return claim


def test_a_script_goes_step_by_step_with_instances_of_their_own() -> None:
    claim = script(
        (0, "mark_as_pending", ((1, 1),)),
        (1, "has_pending_cells", ()),
        (0, "record", ((1, 1), (0, 1), (1, 2))),
        (0, "known_cells", ()),
        (0, "moves_to", ((1, 2),)),
        (0, "first_pending", ()),
        (1, "first_pending", ()),
        (0, "moves_to", ((9, 9),)),
    )
    assert claim.steps == (
        NONE,
        truth_value(False),
        NONE,
        VectorsValue(((1, 1), (1, 2)), "dict_keys"),
        VectorsValue(((0, 1),)),
        VectorValue((1, 1)),
        Raised("IndexError", is_lookup=True),
        Raised("KeyError", is_lookup=True),
    )


def test_a_script_ends_at_an_exception_that_is_no_lookup_error() -> None:
    claim = script((0, "has_pending_cells", ()), (0, "fly", ()), (0, "has_pending_cells", ()))
    assert claim.outcome == "raised"
    assert claim.value == ScriptSteps((truth_value(False),))
