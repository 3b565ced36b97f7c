"""The runner by itself: how it begins and how it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from grader.model import Limits
from grader.sandbox.base import Box
from grader.session.wire import encode
from tests.grader.session.popen_box import PopenBackend, contents


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


HELLO = {"type": "hello", "protocol": 1, "limits": {}}


def test_bye_ends_it(box: Box) -> None:
    answer = everything(box, HELLO, {"type": "bye"})
    assert answer.startswith(b'{"type":"hello","protocol":1,"runner":"python ')
    assert answer.count(b"\n") == 1


@pytest.mark.parametrize("message", [{"type": "dance"}, {"type": "hello", "protocol": 99, "limits": {}}])
def test_what_it_does_not_understand_ends_it_without_an_answer(box: Box, message: dict[str, object]) -> None:
    assert everything(box, message) == b""
