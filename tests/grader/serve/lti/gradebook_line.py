"""A line of a platform's gradebook, and scores that wait to be sent there."""

from __future__ import annotations

import json
import urllib.parse
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from grader.errors import PlatformError
from grader.serve.lti.platform_client import PlatformClient, SendRequest
from grader.serve.lti.platform_requests import NoAnswerError, PlatformAnswer
from grader.serve.lti.score_sender import send_score
from grader.serve.store import marks, outbox, people
from grader.serve.store.database import Store
from grader.serve.store.marks import PersonMark
from tests.grader.serve.lti.world import NOW, World, key
from tests.grader.serve.made import an_attempt

TOKEN = PlatformAnswer(200, {}, b'{"access_token": "t0", "expires_in": 3600}')


@dataclass
class Line:
    """A platform at the other end: answers in turn, and what it was asked."""

    answers: list[PlatformAnswer | PlatformError]
    token: PlatformAnswer = TOKEN
    asked: list[tuple[str, Any, dict[str, str]]] = field(default_factory=list)
    tokens: int = 0

    def __call__(self, url: str, *, data: bytes | None, headers: dict[str, str]) -> PlatformAnswer:
        assert data is not None
        if url.endswith("/token"):
            self.tokens += 1
            self.form = dict(urllib.parse.parse_qsl(data.decode()))
            return self.token
        self.asked.append((url, json.loads(data), headers))
        answer = self.answers.pop(0)
        if isinstance(answer, PlatformError):
            raise answer
        return answer


@dataclass
class Canvas:
    """Canvas's side of a line item, as its ScoresController has it: each score is a new submission, of now,
    unless it says otherwise."""

    now: float = NOW
    attempts_allowed: int | None = None
    loses_answers: int = 0
    submissions: list[float] = field(default_factory=list)
    """When each was handed in."""
    grades: list[float] = field(default_factory=list)

    def __call__(self, url: str, *, data: bytes | None, headers: dict[str, str]) -> PlatformAnswer:
        assert data is not None
        if url.endswith("/token"):
            return TOKEN
        score = json.loads(data)
        extension = score.get("https://canvas.instructure.com/lti/submission", {})
        if extension.get("new_submission", True):
            if self.attempts_allowed is not None and len(self.submissions) >= self.attempts_allowed:
                return PlatformAnswer(
                    422, {}, b'{"errors": {"message": "The maximum number of allowed attempts"}}'
                )
            told = extension.get("submitted_at")
            self.submissions.append(datetime.fromisoformat(told).timestamp() if told else self.now)
        self.grades.append(score["scoreGiven"])
        if self.loses_answers:
            self.loses_answers -= 1
            raise NoAnswerError("p did not answer: timed out")
        return PlatformAnswer(200, {}, b"{}")


@dataclass
class Moodle:
    """Moodle's side: what is not newer in whole seconds is refused."""

    kept: list[tuple[int, float]] = field(default_factory=list)
    loses_answers: int = 0

    def __call__(self, url: str, *, data: bytes | None, headers: dict[str, str]) -> PlatformAnswer:
        assert data is not None
        if url.endswith("/token"):
            return TOKEN
        score = json.loads(data)
        at = int(datetime.fromisoformat(score["timestamp"]).timestamp())
        if self.kept and self.kept[-1][0] >= at:
            reason = "Refusing score with an earlier timestamp for item 7 and user 5"
            return PlatformAnswer(409, {}, json.dumps({"status": 409, "reason": reason}).encode())
        self.kept.append((at, score["scoreGiven"]))
        if self.loses_answers:
            self.loses_answers -= 1
            raise NoAnswerError("p did not answer: timed out")
        return PlatformAnswer(200, {}, b"")


def answer_with(number: int, **headers: str) -> PlatformAnswer:
    return PlatformAnswer(number, {name.replace("_", "-"): value for name, value in headers.items()}, b"")


def line_with(*statuses: int) -> Line:
    return Line([answer_with(number) for number in statuses])


def send(world: World, line: SendRequest, now: float = NOW) -> bool:
    """Send the score that waits longest over a line, with the token that it gave; whether there was one."""
    client = world.clients.setdefault(id(line), PlatformClient(key("own"), send=line))
    return send_one(world.store, client, now)


def enrol_ada(world: World, score: float = 80.0, now: float = NOW) -> people.Person:
    """Ada, who came from the platform, and has a mark."""
    ada = world.launch(world.answer())
    give_mark(world, ada, score, now)
    return ada


def give_mark(
    world: World, ada: people.Person, score: float, now: float, *, handed_in: float | None = None
) -> None:
    """A mark for the attempt that counts, or for one that was handed in then."""
    standing = marks.get(world.store, ada.id)
    is_new = standing is None or handed_in is not None
    attempt = (
        an_attempt(world.store, ada, handed_in or 1.0).id if is_new or not standing else standing.attempt
    )
    marks.put(world.store, ada.id, PersonMark(attempt, score, 100.0))
    outbox.add_changed_marks(world.store, now)


def only_item(world: World) -> outbox.OutboxItem:
    (item,) = outbox.list_for_course(world.store, "mazes")
    return item


def send_one(store: Store, scores: PlatformClient, now: float) -> bool:
    """Send the score that waits longest; whether there was one."""
    outbox.add_changed_marks(store, now)
    item = outbox.take(store, now)
    if item is not None:
        send_score(store, scores, item, now)
    return item is not None
