"""Submissions that attack the runner: forged answers, stolen descriptors, survivors."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.model import Call, Claim, Solve, Target
from grader.model.claims import truth_value
from tests.grader.session.popen_box import (
    BFS,
    CHECKER,
    QUICK,
    ROOM,
    SEARCH,
    PopenBox,
    answered,
    ask,
    check,
    check_each,
    checker,
    open_session,
    question,
)

pytestmark = pytest.mark.processes

EVERY_DESCRIPTOR = """
import os
def shout(data):
    for descriptor in range(3, 256):
        try: os.write(descriptor, data)
        except OSError: pass
"""


GARBAGE = (
    "b'garbage\\n'",
    "b'x' * 10_000_000",
    'b\'{"type": "done", "round": 1}\\n\'',
    'b\'{"type":"reply","round":1,"id":"c2","outcome":"returned"}\\n\'',
    'b\'{"type":"reply","round":1,"id":"c1","outcome":"passed"}\\n\'',
    'b\'{"type":"reply","round":1,"id":"c1","outcome":"\\xff"}\\n\'',
)


def test_writing_to_every_descriptor_is_a_violation_of_that_call() -> None:
    row = "+-+-+\n|S  |\n+-+-+"
    calls = [question("c0", maze=row), question("c1"), question("c2", maze=row)]
    bodies = [f"if maze.dimension.row_count > 1: shout({data})\nreturn True" for data in GARBAGE]
    files = {f"{n}.py": checker(body, before=EVERY_DESCRIPTOR) for n, body in enumerate(bodies)}
    with open_session(files) as session:
        claims = [session.run(Target(file, CHECKER.name), calls) for file in files]
        assert session.restarts == 0
    outcomes = ["returned", "violation", "returned"]
    assert [[claim.outcome for claim in each] for each in claims] == [outcomes] * len(GARBAGE)


TAILS = (
    '"value":NaN}',
    '"value":{"returned":{"type":"bool","value":1},"changed":null},"cpu_seconds":0}',
    '"value":' + "[" * 100 + "]" * 100 + "}",
    '"value":"\\\\ud800"}',
)


def test_a_forged_answer_of_the_wrong_shape_costs_the_box() -> None:
    heads = [f'{{"type":"reply","round":{n},"id":"c1","outcome":"returned",' for n in range(1, 5)]
    lines = [head + tail + "\\n" for head, tail in zip(heads, TAILS, strict=True)]
    bodies = [f"shout({line!r}.encode())\nreturn True" for line in lines]
    files = {f"{n}.py": checker(body, before=EVERY_DESCRIPTOR) for n, body in enumerate(bodies)}
    with open_session(files) as session:
        claims = [session.run(Target(file, CHECKER.name), [question("c1")])[0] for file in files]
        assert {claim.outcome for claim in claims} == {"violation"}
        assert session.restarts == len(TAILS)


@pytest.fixture
def each_round_ends_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Lets a signal come to every runner once it was handed a round."""
    write = PopenBox.write

    def choose(number: int) -> None:
        def write_and_signal(box: PopenBox, data: bytes, *, deadline: float) -> None:
            write(box, data, deadline=deadline)
            if b'"type":"round"' in data:
                box.process.send_signal(number)

        monkeypatch.setattr(PopenBox, "write", write_and_signal)

    return choose


def test_a_submission_that_breaks_box_after_box_is_not_run_for_ever(
    each_round_ends_in: Callable[[int], None],
) -> None:
    each_round_ends_in(signal.SIGKILL)
    files = {CHECKER.file: checker("import threading\nthreading.Event().wait(60)")}
    with open_session(files) as session:
        claims = session.run(CHECKER, [question(f"c{number}") for number in range(40)])
        assert {claim.outcome for claim in claims} == {"violation"}
        assert session.restarts == 9


def test_a_runner_that_was_stopped_is_a_time_out(
    each_round_ends_in: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    each_round_ends_in(signal.SIGSTOP)
    monkeypatch.setattr("grader.session.session.GRACE_SECONDS", 1.5)
    limits = replace(QUICK, call_wall_seconds=0.2)
    files = {CHECKER.file: checker("import threading\nthreading.Event().wait(60)")}
    with open_session(files, limits) as session:
        (claim,) = session.run(CHECKER, [question()])
        assert claim.outcome == "timeout"


def test_a_closed_answer_is_a_violation() -> None:
    found = check_each(
        [
            "import os; os.closerange(0, 256)",
            "import os, threading; os.closerange(3, 256); threading.Event().wait(60)",
            "import os\nfor n in range(3, 256):\n    try: os.dup2(1, n)\n    except OSError: pass",
            "import builtins; builtins.len = builtins.dict = None",  # and nothing can be written any more
        ],
        count=2,
        cpu=0.3,
    )
    assert {claim.outcome for claims in found.values() for claim in claims} == {"violation"}


BREAKS = (
    "import os; os.close(1); os.close(2)",
    "import sys; sys.stdout.close(); sys.stderr.close()",
    "import os\nif os.fork() == 0: os._exit(0)\nos.wait()",
    "import os, threading\nthreading.Thread(target=lambda: print('late'), daemon=True).start()",
    "import json; json.dumps = json.loads = json.JSONEncoder = None",
    "import os; os.write = os._exit = os.getpid = None",
    "import time; time.sleep = time.monotonic = time.process_time = None",
    "import sys; sys.modules.clear()",
    "import lab.maze; lab.maze.Maze.to_text = lab.maze.Maze._grid = lambda self: 'x'",
)


def test_what_a_student_may_break_and_still_answers() -> None:
    found = check_each([f"{body}\nreturn True" for body in BREAKS], count=2)
    firsts = {body: claims[0] for body, claims in found.items()}
    assert {body: claim.fault or answered(claim) for body, claim in firsts.items()} == dict.fromkeys(
        firsts, truth_value(True)
    )


def test_a_broken_search_leaves_solvers_alone_that_do_not_use_it() -> None:
    own = "class BFS:\n    def solve(self, maze, search): return [(0, 1), (1, 0)]\n"
    files = {"solvers/bfs.py": own, "solvers/search.py": "import os\nraise SystemExit"}
    assert _solve(files).outcome == "returned"
    claim = _solve({**files, "solvers/bfs.py": BFS})
    assert claim.fault is not None
    assert claim.fault.kind == "SearchNotLoaded"
    assert claim.fault.message == "solvers/search.py could not be used: SystemExit"
    claim = _solve({"solvers/bfs.py": BFS})
    assert claim.fault is not None
    assert claim.fault.message == (
        "solvers/search.py could not be used: the file solvers/search.py was not handed in"
    )
    assert _solve({"solvers/bfs.py": BFS, "solvers/search.py": SEARCH}).outcome == "returned"


def _solve(files: dict[str, str]) -> Claim:
    (claim,) = ask(files, Target("solvers/bfs.py", "BFS"), Call("c1", Solve((ROOM,))))
    return claim


def test_a_slow_drip_does_not_hold_the_runner() -> None:
    body = "import os, threading\nwhile True:\n    os.write(9, b'x')\n    threading.Event().wait(0.01)"
    (claim,) = check(body)
    assert claim.outcome in ("timeout", "violation")
