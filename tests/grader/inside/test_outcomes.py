"""Every way in which a call can end, by a submission that ends it so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.claims import IntValue, PerfectionAnswer, truth_value
from tests.grader.session.popen_box import CHECKER, QUICK, answered, ask, check, checker, question


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


@pytest.mark.parametrize("module", ["collections", "lab"])
def test_a_name_that_a_library_lacks_is_told_without_its_file(module: str) -> None:
    (claim,) = ask({CHECKER.file: f"from {module} import deqe\n{checker('deqe()')}"}, CHECKER, question())
    assert claim.fault is not None
    assert claim.fault.message == f"cannot import name 'deqe' from '{module}'"


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


def test_how_a_process_ended_counts_however_long_after_its_pipe() -> None:
    """As that of a large process on a busy machine."""
    limits = replace(QUICK, call_wall_seconds=60.0)
    (claim,) = check(
        "import os, threading; os.closerange(3, 256); threading.Event().wait(0.5); os._exit(3)", limits=limits
    )
    assert claim.outcome == "died"


def test_a_process_that_ends_at_import_answers_every_call_alike() -> None:
    claims = ask({CHECKER.file: "import os\nos._exit(0)"}, CHECKER, question("a"), question("b"))
    assert [claim.outcome for claim in claims] == ["died", "died"]
    assert {claim.fault.stage for claim in claims if claim.fault} == {"import"}


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


def test_so_it_is_for_code_that_does_not_name_it() -> None:
    draws = "import statistics\nreturn int(statistics.NormalDist().samples(1)[0] * 10**9)"
    first, second = check(draws, count=2)
    assert first.value == second.value


def test_input_is_at_its_end() -> None:
    (claim,) = check("import sys\nreturn sys.stdin.read() == ''")
    assert answered(claim) == truth_value(True)


def test_too_large_a_file_is_an_error_of_the_students() -> None:
    (claim,) = check("open('x', 'wb').write(bytes(200_000))")
    assert claim.outcome == "raised"
    assert claim.fault is not None
    assert claim.fault.kind == "OSError"


def test_an_exception_may_claim_any_line() -> None:
    (claim,) = check(
        "error = SyntaxError('no'); error.filename = __file__; error.lineno = 2**70; raise error"
    )
    assert claim.outcome == "raised"
    assert claim.fault is not None
    assert [frame.line for frame in claim.fault.trace[1:]] == [2**31 - 1]
