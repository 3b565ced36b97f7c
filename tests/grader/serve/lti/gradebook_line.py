"""A line of a platform's gradebook, and scores that wait to be sent there."""

from __future__ import annotations

import json
import urllib.parse
from dataclasses import dataclass, field
from typing import Any

from grader.errors import PlatformError
from grader.serve.lti.outward import Answer
from grader.serve.lti.scores import Scores
from grader.serve.store import counting, outbox, people
from grader.serve.store.counting import Standing
from tests.grader.serve.lti.world import NOW, World, key
from tests.grader.serve.made import an_attempt

TOKEN = Answer(200, {}, b'{"access_token": "t0", "expires_in": 3600}')


@dataclass
class Line:
    """A platform at the other end: answers in turn, and what it was asked."""

    answers: list[Answer | PlatformError]
    token: Answer = TOKEN
    asked: list[tuple[str, Any, dict[str, str]]] = field(default_factory=list)
    tokens: int = 0

    def __call__(self, url: str, *, data: bytes, headers: dict[str, str]) -> Answer:
        if url.endswith("/token"):
            self.tokens += 1
            self.form = dict(urllib.parse.parse_qsl(data.decode()))
            return self.token
        self.asked.append((url, json.loads(data), headers))
        answer = self.answers.pop(0)
        if isinstance(answer, PlatformError):
            raise answer
        return answer


def answer_with(number: int, **headers: str) -> Answer:
    return Answer(number, {name.replace("_", "-"): value for name, value in headers.items()}, b"")


def line_with(*statuses: int) -> Line:
    return Line([answer_with(number) for number in statuses])


def scores_over(line: Line) -> Scores:
    return Scores(key("own"), ask=line)


def enrol_ada(world: World, score: float = 80.0, now: float = NOW) -> people.Person:
    """Ada, who came from the platform, and has a mark."""
    ada = world.launch(world.answer())
    give_mark(world, ada, score, now)
    return ada


def give_mark(world: World, ada: people.Person, score: float, now: float) -> None:
    standing = counting.get(world.store, ada.id)
    attempt = standing.attempt if standing else an_attempt(world.store, ada).id
    counting.put(world.store, ada.id, Standing(attempt, score, 100.0))
    outbox.collect(world.store, now)


def only_item(world: World) -> outbox.Item:
    (item,) = outbox.of_course(world.store, "mazes")
    return item
