"""A runner that lies: every message of the protocol, of either side, at every place of a conversation.

What a message is worth hangs on where it stands. Before any code of the submission has run, a wrong one is
a fault of the machine; after that it costs the call in hand its answer, and the box; it never is an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from grader.errors import SandboxError
from grader.grading.search_answers import SearchAnswers
from grader.session.connection import encode
from grader.session.session import Session
from tests.fake_backends import ScriptedBackend, greeting
from tests.grader.session.exchanges import LIMITS, SUBMISSION, YES, done, reply, run
from tests.grader.session.popen_box import CHECKER, question

STEPS = [["first_pending", []]]
MESSAGES: dict[str, Mapping[str, Any]] = {
    "hello": {"type": "hello", "protocol": 1, "runner": "mine"},
    "hello of another protocol": {"type": "hello", "protocol": 2, "runner": "mine"},
    "load": {"type": "load", "files": {}},
    "loaded": {"type": "loaded", "files": 2},
    "loaded something else": {"type": "loaded", "files": 3},
    "round": {"type": "round", "id": 1, "calls": []},
    "bye": {"type": "bye"},
    "a question": {"type": "question", "round": 1, "id": "c1", "search": 1, "done": 0, "steps": STEPS},
    "a question of another round": {
        "type": "question",
        "round": 7,
        "id": "c1",
        "search": 1,
        "done": 0,
        "steps": STEPS,
    },
    "a question of another call": {
        "type": "question",
        "round": 1,
        "id": "c9",
        "search": 1,
        "done": 0,
        "steps": STEPS,
    },
    "an answer": {"type": "answer", "value": [1, 1], "left": False},
    "the reply": {"type": "reply", "round": 1, "id": "c1", **YES},
    "a reply of the next call": {"type": "reply", "round": 1, "id": "c2", **YES},
    "a reply of another round": {"type": "reply", "round": 2, "id": "c1", **YES},
    "done": {"type": "done", "round": 1},
    "done of another round": {"type": "done", "round": 2},
    "no type": {"round": 1, "id": "c1", **YES},
    "a type that is a list": {"type": ["reply"], "round": 1, "id": "c1", **YES},
    "a verdict": {"type": "verdict", "round": 1, "id": "c1", "status": "passed", "score": 100},
}
RIGHT = {
    "before hello": "hello",
    "while files are loaded": "loaded",
    "in a call": "the reply",
    "at the end": "done",
}


@pytest.mark.parametrize("name", [name for name in MESSAGES if name != RIGHT["before hello"]])
def test_before_hello_it_is_a_fault_of_the_machine(name: str) -> None:
    with pytest.raises(SandboxError, match="did not start"):
        run(ScriptedBackend(greet=lambda message: encode(dict(MESSAGES[name]))))


@pytest.mark.parametrize("name", [name for name in MESSAGES if name != RIGHT["while files are loaded"]])
def test_while_the_files_are_loaded_it_is_a_fault_of_the_machine(name: str) -> None:
    def greet(message: Mapping[str, Any]) -> bytes:
        return greeting(message) if message["type"] == "hello" else encode(dict(MESSAGES[name]))

    with pytest.raises(SandboxError, match="did not start"):
        run(ScriptedBackend(greet=greet))


@pytest.mark.parametrize("name", [name for name in MESSAGES if name != RIGHT["in a call"]])
@pytest.mark.parametrize("search_is_asked", [False, True])
def test_in_a_call_it_is_a_violation_of_that_call(name: str, *, search_is_asked: bool) -> None:
    """A question that fits is none where a search is asked; what comes after it still has to be the reply."""
    lies = [encode(dict(MESSAGES[name])), reply("c2", **YES), done()]
    backend = ScriptedBackend(scripts=[lies, [reply("c2", 2, **YES), done(2)]])
    answers = SearchAnswers if search_is_asked else None
    claims = run(backend, question("c1"), question("c2"), answers=answers)
    assert [claim.outcome for claim in claims] == ["violation", "returned"]
    assert len(backend.boxes) == 2


@pytest.mark.parametrize("name", [name for name in MESSAGES if name != RIGHT["at the end"]])
def test_in_the_place_of_done_it_costs_the_box(name: str) -> None:
    backend = ScriptedBackend(scripts=[[reply(**YES), encode(dict(MESSAGES[name])), done()]])
    with Session(backend, LIMITS, SUBMISSION) as session:
        (claim,) = session.run(CHECKER, [question("c1")])
        assert (claim.outcome, session.restarts) == ("returned", 1)


@pytest.mark.parametrize("name", MESSAGES)
def test_between_two_rounds_it_is_a_violation_of_the_call_that_comes(name: str) -> None:
    """Whatever waits in the pipe is read as the first reply: of a round whose number it cannot have."""
    ahead = [reply(**YES), done() + encode(dict(MESSAGES[name]))]
    backend = ScriptedBackend(scripts=[ahead, [reply("c8", 3, **YES), done(3)]])
    with Session(backend, LIMITS, SUBMISSION) as session:
        assert [claim.outcome for claim in session.run(CHECKER, [question("c1")])] == ["returned"]
        later = session.run(CHECKER, [question("c7"), question("c8")])
        assert [claim.outcome for claim in later] == ["violation", "returned"]
        assert session.restarts == 1
