"""Every way in which a call can end, by a submission that ends it so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model import Call, Generate, Spent, Target
from grader.model.claims import IntValue, PerfectionAnswer, truth_value
from tests.grader.session.popen_box import CHECKER, QUICK, ask, check, checker, question


def test_a_call_that_returns() -> None:
    (claim,) = check("return True")
    assert claim.outcome == "returned"
    assert claim.value == PerfectionAnswer(truth_value(True), None)
    assert claim.fault is None


def test_an_exception_comes_with_the_students_lines_only() -> None:
    (claim,) = check("return sorted([1, 2], key=self.broken)\ndef helper(): pass", before="import json")
    assert claim.outcome == "raised"
    assert claim.fault is not None
    assert claim.fault.kind == "AttributeError"
    assert claim.fault.stage == "call"
    assert [(frame.file, frame.function, frame.code) for frame in claim.fault.trace] == [
        (CHECKER.file, "is_perfect", "return sorted([1, 2], key=self.broken)")
    ]


def test_an_exception_at_import_answers_every_call_alike() -> None:
    claims = ask({CHECKER.file: "x = 1\nraise KeyError('no')"}, CHECKER, question("a"), question("b"))
    assert {(claim.outcome, claim.fault.kind, claim.fault.stage) for claim in claims if claim.fault} == {
        ("raised", "KeyError", "import")
    }
    assert [claim.call for claim in claims] == ["a", "b"]


def test_an_exception_in_the_constructor() -> None:
    code = "class PerfectionChecker:\n    def __init__(self, size): pass\n"
    (claim,) = ask({CHECKER.file: code}, CHECKER, question())
    assert claim.outcome == "raised"
    assert claim.fault is not None
    assert (claim.fault.kind, claim.fault.stage) == ("TypeError", "construct")


@pytest.mark.parametrize("leave", ["sys.exit(3)", "raise SystemExit(3)", "exit(3)", "quit(3)"])
def test_leaving_is_an_exception(leave: str) -> None:
    first, second = check(f"import sys; {leave}", count=2)
    assert first.outcome == second.outcome == "raised"
    assert first.fault is not None
    assert (first.fault.kind, first.fault.message) == ("SystemExit", "3")


@pytest.mark.parametrize("kind", ["KeyboardInterrupt", "GeneratorExit", "type('Own', (BaseException,), {})"])
def test_every_base_exception_is_caught(kind: str) -> None:
    (claim,) = check(f"raise {kind}")
    assert claim.outcome == "raised"


def test_a_process_that_ends_is_dead_and_the_rest_goes_on() -> None:
    body = """
    import os
    if os.path.exists("x"): return True
    os._exit(3)
    """
    claims = check(body, count=3)
    assert [claim.outcome for claim in claims] == ["died"] * 3
    assert {claim.fault.kind for claim in claims if claim.fault} == {"exit status 3"}


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("os.abort()", "signal 6"),
        ("os.kill(os.getpid(), 9)", "signal 9"),
        ("os.kill(os.getpid(), 15)", "signal 15"),
        ("import ctypes; ctypes.string_at(8)", "signal 11"),
        ("os._exit(0)", "exit status 0"),
        ("os._exit(137)", "exit status 137"),
    ],
)
def test_how_a_process_ended(how: str, kind: str) -> None:
    (claim,) = check(f"import os; {how}")
    assert claim.outcome == "died"
    assert claim.fault is not None
    assert (claim.fault.kind, claim.fault.stage) == (kind, "call")


def test_a_process_that_ends_at_import_answers_every_call_alike() -> None:
    claims = ask({CHECKER.file: "import os\nos._exit(0)"}, CHECKER, question("a"), question("b"))
    assert [claim.outcome for claim in claims] == ["died", "died"]
    assert {claim.fault.stage for claim in claims if claim.fault} == {"import"}


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
        "import time; time.sleep(60)",
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
    code = checker("import time\nif maze.dimension.row_count > 1: time.sleep(60)\nreturn True")
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
    claims = ask({CHECKER.file: code}, CHECKER, *calls)
    assert [claim.outcome for claim in claims] == ["returned"] * 15


def test_a_call_that_sleeps_may_last_three_times_its_seconds() -> None:
    limits = replace(QUICK, call_wall_seconds=60.0)
    body = "time.sleep(50)"
    (claim,) = check(body, before="import time", limits=limits)
    assert claim.outcome == "timeout"


@pytest.mark.parametrize(
    "body",
    [
        "return bytearray(10**10)",
        "kept = []\nwhile True: kept.append(bytearray(10**6))",
        "raise MemoryError",
        "return [0] * 10**9",
        "import mmap\nreturn mmap.mmap(-1, 10**10)",
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
        "print('x' * 4096)",
        "import os\nif not os.fork():\n    while True: print('x' * 50)\nos.wait()",
    ],
)
def test_too_much_output(body: str) -> None:
    first, second = check(body, count=2)
    assert first.outcome == second.outcome == "output-limit"
    assert len(first.output) == QUICK.output_bytes


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


@pytest.mark.parametrize(
    ("files", "kind", "found"),
    [
        ({}, "no file", ""),
        ({CHECKER.file: "x = 1"}, "no name", ""),
        ({CHECKER.file: "PerfectionChecker = 3"}, "no class", "3"),
        ({CHECKER.file + "/x.py": "PerfectionChecker = 3"}, "no file", ""),
    ],
)
def test_what_is_missing(files: dict[str, str], kind: str, found: str) -> None:
    (claim,) = ask(files, CHECKER, question())
    assert claim.outcome == "missing"
    assert claim.fault is not None
    assert (claim.fault.kind, claim.fault.message) == (kind, found)


def test_a_missing_method_is_an_exception() -> None:
    (claim,) = ask({CHECKER.file: "class PerfectionChecker: pass"}, CHECKER, question())
    assert claim.outcome == "raised"
    assert claim.fault is not None
    assert "has no attribute 'is_perfect'" in claim.fault.message


def test_output_goes_with_its_call() -> None:
    code = checker("self.count = 1\nprint('from', maze.dimension)\nimport sys; print('and', file=sys.stderr)")
    code = "print('loading')\n" + code
    claims = ask(
        {CHECKER.file: code}, CHECKER, question("a"), question("b", maze="+-+-+\n|S  |\n+-+-+"), question("c")
    )
    assert [claim.output for claim in claims] == [
        "loading\nfrom 2 x 2\nand\n",
        "from 1 x 2\nand\n",
        "from 2 x 2\nand\n",
    ]


def test_addresses_in_what_is_printed_are_hidden() -> None:
    (claim,) = check("print(self)\nraise ValueError(self)")
    assert claim.output == "<perfection_checker.PerfectionChecker object at 0x…>\n"
    assert claim.fault is not None
    assert claim.fault.message == "<perfection_checker.PerfectionChecker object at 0x…>"


def test_each_call_in_a_process_of_its_own() -> None:
    code = checker("global count\ncount += 1\nreturn count", before="count = 0")
    calls = [question("a"), question("b"), question("c")]
    together = ask({CHECKER.file: code}, CHECKER, *calls)
    alone = ask({CHECKER.file: code}, CHECKER, *calls, isolate=True)
    assert [claim.answer for claim in together] == [PerfectionAnswer(IntValue(n), None) for n in (1, 2, 3)]
    assert [claim.answer for claim in alone] == [PerfectionAnswer(IntValue(1), None)] * 3


def test_the_global_random_is_the_same_in_every_call() -> None:
    first, second = check("import random\nreturn random.randrange(10**9)", count=2)
    assert first.value == second.value


def test_input_is_at_its_end() -> None:
    (claim,) = check("input()")
    assert claim.fault is not None
    assert claim.fault.kind == "EOFError"


def test_too_large_a_file_is_an_error_of_the_students() -> None:
    (claim,) = check("open('x', 'wb').write(bytes(200_000))")
    assert claim.outcome == "raised"
    assert claim.fault is not None
    assert claim.fault.kind == "OSError"


def test_the_time_for_a_whole_submission() -> None:
    limits = replace(QUICK, submission_wall_seconds=0.0)
    (claim,) = check("return True", limits=limits)
    assert claim.outcome == "timeout"
    assert claim.fault is not None
    assert "used up" in claim.fault.message
