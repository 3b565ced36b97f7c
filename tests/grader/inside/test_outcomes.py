"""Every way in which a call can end, by a submission that ends it so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.claims import IntValue, PerfectionAnswer
from tests.grader.session.popen_box import CHECKER, QUICK, ask, ask_each, check, check_each, checker, question

pytestmark = pytest.mark.processes


def test_an_exception_comes_with_the_students_lines_only() -> None:
    (claim,) = check("return sorted([1, 2], key=self.broken)\ndef helper(): pass", before="import json")
    assert claim.fault is not None
    assert (claim.outcome, claim.fault.kind, claim.fault.stage) == ("raised", "AttributeError", "call")
    assert [(frame.file, frame.function, frame.code) for frame in claim.fault.trace] == [
        (CHECKER.file, "is_perfect", "return sorted([1, 2], key=self.broken)")
    ]


@pytest.mark.parametrize("module", ["collections", "lab"])
def test_a_name_that_a_library_lacks_is_told_without_its_file(module: str) -> None:
    (claim,) = ask({CHECKER.file: f"from {module} import deqe\n{checker('deqe()')}"}, CHECKER, question())
    assert claim.fault is not None
    assert claim.fault.message == f"cannot import name 'deqe' from '{module}'"


RAISED = {
    checker("import sys; sys.exit(3)"): ("SystemExit", "3", "call"),
    checker("raise type('Own', (BaseException,), {})"): ("Own", "", "call"),
    "x = 1\nraise KeyError('no')": ("KeyError", "'no'", "import"),
    "class PerfectionChecker:\n    def __init__(self, size): pass\n": ("TypeError", None, "construct"),
    checker("open('x', 'wb').write(bytes(200_000))"): ("OSError", None, "call"),
}


def test_every_exception_is_caught_in_every_call() -> None:
    claims = ask_each([*RAISED], question("a"), question("b"))
    for (kind, message, stage), both in zip(RAISED.values(), claims, strict=True):
        assert [claim.call for claim in both] == ["a", "b"]
        for claim in both:
            assert claim.fault is not None
            assert (claim.outcome, claim.fault.kind, claim.fault.stage) == ("raised", kind, stage)
            assert message in (None, claim.fault.message)


def test_how_a_process_ended() -> None:
    expected = {
        "import os; os.kill(os.getpid(), 15)": "signal 15",
        "import ctypes; ctypes.string_at(8)": "signal 11",
        "import os; os._exit(0)": "exit status 0",
    }
    found = check_each(expected, count=2)
    told = {body: [(c.outcome, c.fault and c.fault.kind) for c in claims] for body, claims in found.items()}
    assert told == {body: [("died", kind)] * 2 for body, kind in expected.items()}


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


def test_output_goes_with_its_call() -> None:
    code = checker("self.count = 1\nprint('from', maze.dimension)\nimport sys; print('and', file=sys.stderr)")
    row = question("b", maze="+-+-+\n|S  |\n+-+-+")
    claims = ask({CHECKER.file: "print('loading')\n" + code}, CHECKER, question("a"), row, question("c"))
    assert [claim.output for claim in claims] == [
        "loading\nfrom 2 x 2\nand\n",
        "from 1 x 2\nand\n",
        "from 2 x 2\nand\n",
    ]


def test_each_call_in_a_process_of_its_own() -> None:
    code = checker("global count\ncount += 1\nreturn count", before="count = 0")
    calls = [question("a"), question("b"), question("c")]
    together = ask({CHECKER.file: code}, CHECKER, *calls)
    alone = ask({CHECKER.file: code}, CHECKER, *calls, isolate=True)
    assert [claim.answer for claim in together] == [PerfectionAnswer(IntValue(n), None) for n in (1, 2, 3)]
    assert [claim.answer for claim in alone] == [PerfectionAnswer(IntValue(1), None)] * 3


def test_the_global_random_is_the_same_in_every_call() -> None:
    found = check_each(
        [
            "import random\nreturn random.randrange(10**9)",
            "import statistics\nreturn int(statistics.NormalDist().samples(1)[0] * 10**9)",
        ],
        count=2,
    )
    assert all(first.value == second.value for first, second in found.values())
