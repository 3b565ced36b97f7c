"""Calls that use up their count, their seconds, their memory or their output."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model import Call, Generate, Spent, Target
from tests.grader.session.popen_box import CHECKER, PATIENT, QUICK, ask, check, checker, question


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "while True:\n    try: raise ValueError\n    except BaseException: continue",
        "import sys; sys.setswitchinterval(1000)\nwhile True: pass",
        "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))\nwhile True: pass",
        "import itertools\nreturn all(True for _ in itertools.count())",
    ],
)
def test_a_call_that_goes_on_for_ever_is_cut_off_by_the_count(body: str) -> None:
    (claim,) = check(body, cpu=20.0)
    assert claim.outcome == "endless"


@pytest.mark.parametrize(
    "body",
    [
        "import threading; threading.Event().wait(60)",
        "import itertools; max(itertools.repeat(1))",
        "input = __import__('threading').Lock(); input.acquire(); input.acquire()",
        "import builtins\nbuiltins.__turn__ = int\nwhile True: pass",
        "exec('while True: pass')",
    ],
)
def test_what_no_count_sees_runs_into_a_clock(body: str) -> None:
    (claim,) = check(body)
    assert claim.outcome == "timeout"


def test_the_count_is_the_same_every_time() -> None:
    body = "total = 0\nwhile True:\n    total += sum(1 for _ in range(3))"
    first, second = check(body, count=2, cpu=20.0)
    assert first.spent == Spent("turns", 508_320, 4)
    assert second.spent == Spent("turns", 52_000, 4), "after a call that was endless, the file gets fewer"


def test_a_loop_at_import_costs_its_limit_once() -> None:
    calls = [question(f"c{number}") for number in range(50)]
    claims = ask({CHECKER.file: "while True: pass"}, CHECKER, *calls)
    assert {claim.outcome for claim in claims} == {"timeout"}
    assert {claim.fault.stage for claim in claims if claim.fault} == {"import"}
    assert len(claims) == 50


def test_a_group_that_ran_into_a_limit_needs_no_further_run() -> None:
    code = checker(
        "import threading\nif maze.dimension.row_count > 1: threading.Event().wait(60)\nreturn True"
    )
    row = "+-+-+\n|S  |\n+-+-+"
    calls = [
        question("a", group="rooms"),
        question("b", group="rows", maze=row),
        question("c", group="rooms"),
        question("d", group="rows", maze=row),
        question("e", maze=row),
    ]
    claims = ask({CHECKER.file: code}, CHECKER, *calls)
    assert [claim.outcome for claim in claims] == ["timeout", "returned", "timeout", "returned", "returned"]
    assert claims[2].fault is not None
    assert claims[2].fault.kind == "not run"
    assert "the call a" in claims[2].fault.message


def test_no_sum_of_seconds_decides_how_many_calls_of_a_group_are_made() -> None:
    code = checker(
        "end = time.process_time() + 0.1 * (maze.dimension.row_count > 1)\n"
        "exec('while time.process_time() < end: pass')\nreturn True",
        before="import time",
    )
    calls = [question(str(number), group="rooms") for number in range(15)]
    patient = replace(QUICK, call_wall_seconds=60.0)  # a tenth of a second may last long on a busy machine
    claims = ask({CHECKER.file: code}, CHECKER, *calls, limits=patient)
    assert [claim.outcome for claim in claims] == ["returned"] * 15


def test_a_call_that_sleeps_may_last_three_times_its_seconds() -> None:
    limits = replace(QUICK, call_wall_seconds=60.0)
    body = "Event().wait(50)"
    (claim,) = check(body, before="from threading import Event", limits=limits)
    assert claim.outcome == "timeout"


@pytest.mark.parametrize(
    "body",
    [
        "return bytearray(10**10)",
        "kept = []\nwhile True: kept.append(bytearray(10**6))",
        "raise MemoryError",
        "return [0] * 10**9",
        "import mmap\nreturn mmap.mmap(-1, 10**10)",
        """
        import contextlib
        kept = []
        with contextlib.suppress(MemoryError):
            while True: kept.append(bytearray(10**6))
        while True: kept = [kept, {}]  # what is left is used up to the last byte
        """,
    ],
)
def test_too_much_memory(body: str) -> None:
    limits = replace(QUICK, call_wall_seconds=60.0)  # a machine may take its time to give memory
    first, second = check(body, count=2, cpu=5.0, limits=limits)
    assert first.outcome == second.outcome == "out-of-memory"
    assert first.fault is not None
    assert (first.fault.kind, first.fault.message, first.fault.trace) == ("MemoryError", "", ())


def test_too_much_memory_at_import() -> None:
    (claim,) = ask({CHECKER.file: "x = bytearray(10**10)"}, CHECKER, question())
    assert claim.outcome == "out-of-memory"
    assert claim.fault is not None
    assert claim.fault.stage == "import"


@pytest.mark.parametrize(
    "body",
    [
        "while True: print('x' * 50)",
        "import sys\nwhile True: sys.stderr.write('x' * 50)",
        "import os\nwhile True: os.write(1, b'x' * 5000)",
        "import os\nwhile True: os.write(2, b'x' * 5000)",
        "import os\nif not os.fork():\n    while True: print('x' * 50)\nos.wait()",
        "for _ in range(100): print('x' * 50)",
        "print('x' * 4096)",
    ],
)
def test_too_much_output_is_dropped(body: str) -> None:
    first, second = check(f"{body}\nreturn True", count=2, limits=PATIENT, cpu=20.0)
    assert (
        first.outcome
        == second.outcome
        == ("endless" if body.count("while") == 1 and "fork" not in body else "returned")
    )
    assert len(first.output) == len(second.output) == QUICK.output_bytes


def test_as_much_output_as_is_allowed() -> None:
    (claim,) = check("print('x' * 4095)")
    assert claim.outcome == "returned"
    assert claim.output == "x" * 4095 + "\n"


def test_a_value_that_is_larger_than_a_reply_may_be() -> None:
    code = "from lab import *\nclass MyGenerator:\n    def __init__(self, rng): pass\n"
    code += (
        "    def generate(self, factory, dimension): return factory.fully_connected(Dimension(150, 150))\n"
    )

    call = Call("c", Generate(rows=2, columns=2, seed=1, times=10, noise=1))
    (claim,) = ask(
        {"generators/my_generator.py": code}, Target("generators/my_generator.py", "MyGenerator"), call
    )
    assert claim.outcome == "output-limit"


def test_the_time_for_a_whole_submission() -> None:
    limits = replace(QUICK, submission_wall_seconds=0.0)
    (claim,) = check("return True", limits=limits)
    assert claim.outcome == "not-asked"
