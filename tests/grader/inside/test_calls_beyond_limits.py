"""Calls that use up their count, their seconds, their stack, their memory or their output."""

from __future__ import annotations

from dataclasses import replace
from textwrap import indent

import pytest

from grader.model import Call, Generate, IsPerfect, Limits, Solve, Spent, Target
from grader.model.claims import truth_value
from tests.grader.session.popen_box import (
    CHECKER,
    PATIENT,
    QUICK,
    ROOM,
    answered,
    ask,
    check,
    check_each,
    checker,
    open_session,
    question,
)

ROOMY = replace(PATIENT, memory_bytes=Limits().memory_bytes)
MIB = 2**20


def test_a_call_that_goes_on_for_ever_is_cut_off_by_the_count() -> None:
    found = check_each(
        [
            "while True:\n    try: raise ValueError\n    except BaseException: continue",
            "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))\nwhile True: pass",
            "import itertools\nreturn all(True for _ in itertools.count())",
        ]
    )
    assert {body: claim.outcome for body, (claim,) in found.items()} == dict.fromkeys(found, "endless")


def test_what_no_count_sees_runs_into_a_clock() -> None:
    found = check_each(
        [
            "import select; select.poll().poll(60_000)",
            "import builtins\nbuiltins.__turn__ = int\nwhile True: pass",
            "exec('while True: pass')",
        ],
        cpu=0.3,
    )
    assert {body: claim.outcome for body, (claim,) in found.items()} == dict.fromkeys(found, "timeout")


@pytest.mark.parametrize("isolate", [False, True])
def test_no_call_goes_beyond_what_is_left_of_the_purse(isolate: bool) -> None:
    limits = replace(PATIENT, call_cpu_seconds=900.0, call_wall_seconds=900.0, submission_cpu_seconds=1.0)
    with open_session({CHECKER.file: checker("return sum(range(10**15))")}, limits) as session:
        claims = session.run(CHECKER, [question("a"), question("b")], isolate=isolate)
    assert [claim.outcome for claim in claims] == ["not-asked"] * 2


def test_the_count_is_the_same_every_time() -> None:
    body = "total = 0\nwhile True:\n    total += sum(1 for _ in range(3))"
    first, second = check(body, count=2, cpu=20.0)
    assert first.spent == Spent("turns", 208_320, 4)
    assert second.spent == Spent("turns", 52_000, 4), "after a call that was endless, the file gets fewer"


def test_a_loop_at_import_costs_its_limit_once() -> None:
    claims = ask({CHECKER.file: "while True: pass"}, CHECKER, *(question(f"c{n}") for n in range(50)))
    assert {claim.outcome for claim in claims} == {"timeout"}
    assert {claim.fault.stage for claim in claims if claim.fault} == {"import"}
    assert len(claims) == 50


# --- stack ----------------------------------------------------------------------------------------


def test_a_recursion_without_end_is_a_recursion_error_each_time() -> None:
    found = check_each(
        [
            "def go(way): return go(way + [1])\nreturn go([])",
            "deep = []\nfor _ in range(100_000): deep = [deep]\nreturn copy.deepcopy(deep)",
            "deep = []\nfor _ in range(100_000): deep = [deep]\nreturn repr(deep)",
        ],
        before="import copy",
        count=2,
        limits=ROOMY,
    )
    assert {body: [claim.outcome for claim in claims] for body, claims in found.items()} == dict.fromkeys(
        found, ["raised"] * 2
    )
    faults = [
        (claim.fault.kind, claim.fault.message) for two in found.values() for claim in two if claim.fault
    ]
    assert set(faults) == {("RecursionError", "maximum recursion depth exceeded")}
    assert all(first.fault == second.fault for first, second in found.values())


@pytest.mark.parametrize(("rows", "levels"), [(2, 1_600), (60, 13_000)])
def test_how_deep_a_call_may_go_follows_from_its_size(rows: int, levels: int) -> None:
    """A level is three frames: two of Python, and sorted between them, which not every Python counts."""
    inner = " +" * rows
    lines = ["+" + "-+" * rows, *["|" + "  " * (rows - 1) + " |", f"+{inner}"] * rows]
    lines[1], lines[-1] = "|S" + lines[1][2:], lines[0]
    body = f"def go(n): return n == 0 or (lambda: go(n - 1))()\nreturn go({levels})"
    call = Call("c1", IsPerfect("\n".join(lines)))
    (claim,) = ask({CHECKER.file: checker(body)}, CHECKER, call, limits=ROOMY)
    assert answered(claim)


def test_a_recursion_that_asks_out_of_all_proportion_is_endless() -> None:
    body = """def go(way):
    maze.is_exit(maze.entry), maze.moves_at(maze.entry)
    return go(way + [1])
return go([])"""
    dfs = f"class DFS:\n    def solve(self, maze, search):\n{indent(body, ' ' * 8)}\n"
    calls = [Call(name, Solve((ROOM,))) for name in "ab"]
    claims = ask({"solvers/dfs.py": dfs}, Target("solvers/dfs.py", "DFS"), *calls, limits=ROOMY)
    assert {claim.outcome for claim in claims} == {"endless"}
    assert len({claim.spent for claim in claims}) == 1, "with fewer turns, after the first, too"
    assert claims[0].spent is not None
    assert claims[0].spent.what == "questions"
    assert 9_000 < claims[0].spent.count < 13_200


IN_THREADS = """
import sys
import threading

def deep(levels):
    return levels == 0 or list(map(deep, [levels - 1]))[0]

def run(count, levels):
    found = []
    threads = [threading.Thread(target=lambda: found.append(deep(levels))) for _ in range(count)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return found == [True] * count
"""


def test_threads_may_have_large_stacks() -> None:
    """They are given to those that ask; their size is told as Python does."""
    told = f"[threading.stack_size(size) for size in ({512 * MIB}, 0, {MIB}, 0)]"
    large = "sys.setrecursionlimit(10**6)\nthreading.stack_size({} * 2**20)\nreturn run(1, 4000)"
    found = check_each(
        [
            large.format(64),
            large.format(16_384),
            f"threading.stack_size({512 * MIB})\nreturn all(run(2, 500) for _ in range(20))",
            f"return {told} == [0, {512 * MIB}, 0, {MIB}]",
        ],
        before=IN_THREADS,
        count=2,
    )
    assert {answered(claim) for claims in found.values() for claim in claims} == {truth_value(True)}


# --- memory ---------------------------------------------------------------------------------------


def test_too_much_memory_is_that_each_time_however_it_shows() -> None:
    before = """
    class Raised:
        def __enter__(self): pass
        def __exit__(self, *_): raise ValueError
    """
    suppressed = """
    import contextlib
    kept = []
    with contextlib.suppress(MemoryError):
        while True: kept.append(bytearray(10**6))
    while True: kept = [kept, {}]  # what is left is used up to the last byte
    """
    found = check_each(
        [
            "return bytearray(10**10)",
            "import itertools\nreturn list(itertools.count())",
            "import threading\nthreading.stack_size(512 * 2**20)\nreturn bytearray(2**30)",
            suppressed,
            "kept = []\nwhile True:\n    try: kept.append([0] * 2**17)\n    except MemoryError: return True",
            "kept = []\ntry:\n    while True: kept.append(bytearray(1 << 20))\nfinally:\n    return True",
            "try: return bytearray(10**11)\nexcept Exception as error: raise ValueError from error",
            "with Raised(): bytearray(10**11)",
            "kept = [bytearray(b'x') * (300 << 20)]\nimport ctypes; ctypes.string_at(8)",
        ],
        before=before,
        count=2,
        limits=ROOMY,
    )
    assert {body: [claim.outcome for claim in claims] for body, claims in found.items()} == dict.fromkeys(
        found, ["out-of-memory"] * 2
    )
    faults = [
        (claim.fault.kind, claim.fault.message) for two in found.values() for claim in two if claim.fault
    ]
    assert faults == [("MemoryError", "")] * 2 * len(found)


def test_what_is_no_want_of_memory_is_caught_as_ever() -> None:
    found = check_each(
        [
            "try: raise OSError(2, 'no')\nexcept: return True",
            "try: raise SystemError('own')\nexcept (KeyError, Exception): return True",
            "def deep(): deep()\ntry: deep()\nexcept RecursionError: return True",
            "try: pass\nfinally: return True",
        ]
    )
    assert {answered(claim) for (claim,) in found.values()} == {truth_value(True)}


# --- output ---------------------------------------------------------------------------------------


def test_too_much_output_is_dropped() -> None:
    expected = {
        "while True: print('x' * 50)": "endless",
        "import sys\nfor _ in range(200): sys.stderr.write('x' * 50)\nreturn True": "returned",
        "import os\nfor _ in range(200): os.write(2, b'x' * 5000)\nreturn True": "returned",
        "import os\nif not os.fork():\n    for _ in range(200): print('x' * 50)\nos.wait()": "returned",
        "print('x' * 4096)\nreturn True": "returned",
    }
    found = check_each(expected, count=2, limits=PATIENT)
    assert {body: [claim.outcome for claim in claims] for body, claims in found.items()} == {
        body: [outcome] * 2 for body, outcome in expected.items()
    }
    assert {len(claim.output) for claims in found.values() for claim in claims} == {QUICK.output_bytes}


def test_a_value_that_is_larger_than_a_reply_may_be() -> None:
    code = "from lab import *\nclass MyGenerator:\n    def __init__(self, rng): pass\n"
    code += (
        "    def generate(self, factory, dimension): return factory.fully_connected(Dimension(150, 150))\n"
    )
    target = Target("generators/my_generator.py", "MyGenerator")
    call = Call("c", Generate(rows=2, columns=2, seed=1, times=10, noise=1))
    (claim,) = ask({target.file: code}, target, call)
    assert claim.outcome == "output-limit"
