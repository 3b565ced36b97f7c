"""How a runner begins and ends, in which process a call is made, and what code can tell of that."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from grader.model import Call, Limits, Solve, Target
from grader.model.claims import IntValue
from grader.sandbox.base import Box
from grader.session.connection import encode
from grader.session.session import Session
from tests.grader.session.popen_box import (
    CHECKER,
    PATIENT,
    ROOM,
    PopenBackend,
    answered,
    checker,
    contents,
    open_session,
    question,
    submission,
)

pytestmark = pytest.mark.processes

COUNTS_ITS_CALLS = """
import sys
frame = sys._getframe()
while type(frame.f_locals.get("self")).__name__ != "_Child":
    frame = frame.f_back
return len(frame.f_locals["self"]._job.calls)
"""
LONG = "+-+-+-+\n|S    |\n+-+-+-+"


def test_code_that_is_alone_has_as_many_calls_before_it_as_in_company() -> None:
    company = [question(f"c{number}") for number in range(7)]
    with open_session({CHECKER.file: checker(COUNTS_ITS_CALLS)}) as session:
        session.run(CHECKER, company)
        alone = session.run(CHECKER, company[:2], isolate=True)
    assert [answered(claim) for claim in alone] == [IntValue(8)] * 2


def test_code_that_is_alone_finds_no_other_mazes_in_memory_than_in_company() -> None:
    """A solver holds a watched maze and counts itself; those of other calls were read before it was there."""
    code = """
import gc
from lab import Maze
class BFS:
    def solve(self, maze, search):
        raise ValueError(sum(issubclass(type(thing), Maze) for thing in gc.get_objects()))
"""
    target = Target("solvers/bfs.py", "BFS")
    company = [Call("a", Solve((ROOM,))), Call("b", Solve((LONG,)))]
    with open_session({target.file: code}) as session:
        claims = [*session.run(target, company), *session.run(target, company, isolate=True)]
    assert {claim.fault.message for claim in claims if claim.fault} == {"1"}


def test_of_the_calls_that_are_not_to_be_made_nothing_is_answered() -> None:
    """Each prints, and would end the process."""
    body = "global count\ncount += 1\nprint(count)\nreturn count if count == 1 else __import__('os')._exit(3)"
    company = [question(f"c{number}") for number in range(3)]
    with open_session({CHECKER.file: checker(body, before="count = 0")}) as session:
        assert [claim.outcome for claim in session.run(CHECKER, company)] == ["returned", "died", "returned"]
        alone = session.run(CHECKER, company, isolate=True)
    assert [(claim.outcome, claim.output) for claim in alone] == [("returned", "1\n")] * 3


def test_the_names_of_the_moves_come_out_in_another_order_then() -> None:
    spelt = ("north east south west", "NORTH EAST SOUTH WEST", "North East South West", "N E S W", "n e s w")
    body = f"return [' '.join(set(names.split())) for names in {spelt}]"
    with open_session({CHECKER.file: checker(body)}) as session:
        told = [session.run(CHECKER, [replace(question(), anew=anew)])[0] for anew in (False, True)]
    usual, other = (ast.literal_eval(str(getattr(answered(claim), "text", ""))) for claim in told)
    assert len(usual) == len(spelt)
    assert not [names for names, others in zip(usual, other, strict=True) if names == others]


@pytest.mark.parametrize("isolate", [False, True])
def test_after_an_endless_call_the_others_go_on_in_the_same_box_without_those_of_its_group(
    isolate: bool,
) -> None:
    body = "while maze.dimension.row_count == 1: pass\nreturn True"
    mazes = {"a": "+-+-+\n|S E|\n+-+-+", "b": ROOM}
    calls = [question(name, group=name[0], maze=mazes[name[0]]) for name in ("a1", "b1", "a2", "b2")]
    backend = PopenBackend(contents())
    with Session(backend, PATIENT, submission({CHECKER.file: checker(body)})) as session:
        claims = session.run(CHECKER, calls, isolate=isolate)
    assert [claim.outcome for claim in claims] == ["endless", "returned", "endless", "returned"]
    assert [claim.spent is not None for claim in claims] == [True, False, False, False], "a2 was not made"
    assert len(backend.boxes) == 1


def test_a_program_that_is_started_once_more_has_all_files_and_limits() -> None:
    """The job is larger than a pipe holds, and the code raises as it does elsewhere."""
    files = {
        CHECKER.file: checker("import padding\nraise KeyError(len(padding.TEXT))"),
        "padding.py": "TEXT = 'x'\n" + "#" * 200_000,
    }
    with open_session(files) as session:
        claims = [session.run(CHECKER, [replace(question(), anew=anew)])[0] for anew in (False, True)]
    assert claims[0].outcome == "raised"
    assert claims[0] == replace(claims[1], cpu_seconds=claims[0].cpu_seconds)


# --- the runner by itself -----------------------------------------------------------------------


@pytest.fixture
def box() -> Iterator[Box]:
    made = PopenBackend(contents()).open(Limits())
    yield made
    made.close()


def everything(box: Box, *messages: dict[str, Any]) -> bytes:
    """Send the messages, and return all that comes until the runner ends."""
    deadline = time.monotonic() + 120
    for message in messages:
        box.write(encode(message), deadline=deadline)
    answer = b""
    while data := box.read(deadline=deadline):
        answer += data
    return answer


@pytest.mark.parametrize("message", [{"type": "dance"}, {"type": "hello", "protocol": 99, "limits": {}}])
def test_what_it_does_not_understand_ends_it_without_an_answer(box: Box, message: dict[str, object]) -> None:
    assert everything(box, message) == b""
