"""Scores on their way to a platform."""

from __future__ import annotations

import json
import urllib.parse
from dataclasses import dataclass, field
from email.utils import formatdate
from threading import Event
from typing import Any

import pytest
from joserfc import jwt

from grader.errors import PlatformError
from grader.serve.lti import platforms
from grader.serve.lti.outward import Answer
from grader.serve.lti.scores import Scores, scores_url
from grader.serve.lti.sender import FIRST_PAUSE_SECONDS, MOST_TRIES, Sender, send_one
from grader.serve.store import counting, courses, extensions, outbox, people
from grader.serve.store.counting import Standing
from tests.grader.serve.lti.world import LINE_ITEM, NOW, SCORE, World, key
from tests.grader.serve.made import an_attempt

_TOKEN = Answer(200, {}, b'{"access_token": "t0", "expires_in": 3600}')


@dataclass
class _Line:
    """A platform at the other end: answers in turn, and what it was asked."""

    answers: list[Answer | PlatformError]
    token: Answer = _TOKEN
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


def _status(number: int, **headers: str) -> Answer:
    return Answer(number, {name.replace("_", "-"): value for name, value in headers.items()}, b"")


def _line(*statuses: int) -> _Line:
    return _Line([_status(number) for number in statuses])


def _scores(line: _Line) -> Scores:
    return Scores(key("own"), ask=line)


def _ada(world: World, score: float = 80.0, now: float = NOW) -> people.Person:
    """Ada, who came from the platform, and has a mark."""
    ada = world.launch(world.answer())
    _mark(world, ada, score, now)
    return ada


def _mark(world: World, ada: people.Person, score: float, now: float) -> None:
    standing = counting.get(world.store, ada.id)
    attempt = standing.attempt if standing else an_attempt(world.store, ada).id
    counting.put(world.store, ada.id, Standing(attempt, score, 100.0))
    outbox.collect(world.store, now)


def _only(world: World) -> outbox.Item:
    (item,) = outbox.of_course(world.store, "mazes")
    return item


def test_a_score_arrives_as_the_platform_wants_it(world: World) -> None:
    _ada(world)
    line = _line(200)
    assert send_one(world.store, _scores(line), NOW)
    ((url, body, headers),) = line.asked
    assert url == "https://platform.example.org/line/7/scores?type=3"
    assert body == {
        "userId": "ada",
        "scoreGiven": 80.0,
        "scoreMaximum": 100.0,
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
        "timestamp": "2027-01-15T08:00:00.000Z",
    }
    assert headers == {
        "Authorization": "Bearer t0",
        "Content-Type": "application/vnd.ims.lis.v1.score+json",
    }
    assert _only(world).sent_at == NOW
    assert not send_one(world.store, _scores(line), NOW)


def test_a_token_is_asked_for_with_a_signed_word(world: World) -> None:
    _ada(world)
    line = _line(200)
    send_one(world.store, _scores(line), NOW)
    assert line.form["grant_type"] == "client_credentials"
    assert line.form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    assert line.form["scope"] == SCORE
    said = jwt.decode(line.form["client_assertion"], key("own"), algorithms=["RS256"]).claims
    assert (said["iss"], said["sub"], said["aud"]) == ("client-1", "client-1", world.platform.token_url)


def test_a_token_is_kept_until_it_ends(world: World) -> None:
    ada, line = _ada(world), _line(200, 200, 200)
    scores = _scores(line)
    for number, now in enumerate((NOW, NOW + 3500, NOW + 3541)):
        _mark(world, ada, 81.0 + number, now)
        send_one(world.store, scores, now)
    assert (len(line.asked), line.tokens) == (3, 2)


def test_a_token_that_is_refused_is_not_used_again(world: World) -> None:
    _ada(world)
    line = _line(401, 200)
    scores = _scores(line)
    send_one(world.store, scores, NOW)
    send_one(world.store, scores, NOW + FIRST_PAUSE_SECONDS)
    assert (len(line.asked), line.tokens) == (2, 2)
    assert _only(world).sent_at is not None


@pytest.mark.parametrize(
    "token",
    [
        Answer(400, {}, b"{}"),
        Answer(200, {}, b"<html>"),
        Answer(200, {}, b"[]"),
        Answer(200, {}, b'{"access_token": 5}'),
        Answer(200, {}, b'{"access_token": "a\\r\\nb"}'),
        Answer(200, {}, b'{"access_token": ""}'),
    ],
)
def test_without_a_token_nothing_is_sent_and_staff_see_why(world: World, token: Answer) -> None:
    _ada(world)
    send_one(world.store, _scores(_Line([], token)), NOW)
    item = _only(world)
    assert item.sent_at is None
    assert item.error
    assert item.next_at == NOW + FIRST_PAUSE_SECONDS


def test_pauses_double_up_to_an_hour(world: World) -> None:
    _ada(world)
    now, pauses = NOW, []
    for _ in range(10):
        assert send_one(world.store, _scores(_line(503)), now)
        then = _only(world).next_at
        assert then is not None
        assert not send_one(world.store, _scores(_line()), then - 0.5)
        pauses.append(then - now)
        now = then
    assert pauses == [15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_each_try_has_the_same_time_stamp(world: World) -> None:
    """So that a platform which has it already, though its answer got lost, takes it once."""
    _ada(world)
    line = _Line([PlatformError("p did not answer: timed out"), _status(409)])
    scores = _scores(line)
    send_one(world.store, scores, NOW)
    assert _only(world).error == "p did not answer: timed out"
    send_one(world.store, scores, NOW + FIRST_PAUSE_SECONDS)
    assert line.asked[0][1] == line.asked[1][1]
    assert (_only(world).sent_at, _only(world).error) == (NOW + FIRST_PAUSE_SECONDS, "")


@pytest.mark.parametrize(
    ("wish", "pause"),
    [
        ("120", 120.0),
        ("5", 15.0),
        ("9999999999", 86400.0),
        (formatdate(NOW + 90, usegmt=True), 90.0),
        ("soon", 15.0),
        ("Thu, 01 Jan 2026 00:00:00", 15.0),
    ],
)
def test_a_platform_is_left_alone_for_as_long_as_it_wants(world: World, wish: str, pause: float) -> None:
    _ada(world)
    send_one(world.store, _scores(_Line([_status(429, retry_after=wish)])), NOW)
    assert _only(world).next_at == NOW + pause


def test_what_will_never_be_taken_is_given_up_until_staff_send_it(world: World) -> None:
    _ada(world)
    send_one(world.store, _scores(_line(404)), NOW)
    item = _only(world)
    assert (item.next_at, item.error) == (None, "the platform answered 404")
    assert not send_one(world.store, _scores(_line()), NOW + 1e6)
    outbox.again(world.store, item.id, NOW + 60)
    line = _line(201)
    assert send_one(world.store, _scores(line), NOW + 60)
    assert line.asked[0][1]["timestamp"] == "2027-01-15T08:01:00.000Z"
    assert _only(world).sent_at == NOW + 60


def test_after_three_days_it_is_enough(world: World) -> None:
    _ada(world)
    world.store.rows("update outbox set tries = ?", (MOST_TRIES - 1,))
    send_one(world.store, _scores(_line(500)), NOW)
    assert _only(world).next_at is None


def test_a_mark_that_changes_while_the_old_one_is_sent_is_sent_too(world: World) -> None:
    ada, line = _ada(world), _line(200, 200)

    def changes(url: str, *, data: bytes, headers: dict[str, str]) -> Answer:
        if not url.endswith("/token") and not line.asked:
            _mark(world, ada, 90.0, NOW)
        return line(url, data=data, headers=headers)

    scores = Scores(key("own"), ask=changes)
    assert send_one(world.store, scores, NOW)
    assert send_one(world.store, scores, NOW)
    sent = [(body["scoreGiven"], body["timestamp"]) for _, body, _ in line.asked]
    assert sent == [(80.0, "2027-01-15T08:00:00.000Z"), (90.0, "2027-01-15T08:00:00.001Z")]
    assert _only(world).sent_at == NOW


def test_a_mark_that_stays_is_not_sent_twice(world: World) -> None:
    ada = _ada(world)
    send_one(world.store, _scores(_line(200)), NOW)
    _mark(world, ada, 80.0, NOW + 60)
    assert not send_one(world.store, _scores(_line()), NOW + 60)


def test_what_a_dead_process_took_is_sent_by_the_next(world: World) -> None:
    _ada(world)
    assert outbox.take(world.store, NOW) is not None
    assert outbox.take(world.store, NOW + outbox.LEASE_SECONDS - 1) is None
    assert outbox.take(world.store, NOW + outbox.LEASE_SECONDS) is not None


def test_a_mark_that_would_tell_of_hidden_checks_waits_for_the_deadline(world: World) -> None:
    ada = _ada(world)
    courses.put(world.store, "mazes", "Mazes", marks_from=NOW + 60)
    assert outbox.take(world.store, NOW) is None
    outbox.again(world.store, _only(world).id, NOW)
    assert outbox.take(world.store, NOW + 59) is None, "not even where staff ask for it"
    extensions.put(world.store, ada.id, NOW + 90)
    assert outbox.take(world.store, NOW + 60) is None, "the deadline is the student's own"
    assert outbox.take(world.store, NOW + 90) is not None


def test_a_mark_that_is_taken_away_again_is_not_sent(world: World) -> None:
    ada = _ada(world)
    counting.put(world.store, ada.id, None)
    assert outbox.take(world.store, NOW) is None
    _mark(world, ada, 90.0, NOW)
    assert outbox.take(world.store, NOW) is not None


def test_a_mark_from_before_the_launch_is_sent_as_well(world: World) -> None:
    """Who came first from a link without a grade, and then from the task itself."""
    ada = world.launch(world.answer(**{"https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": None}))
    _mark(world, ada, 70.0, NOW)
    assert outbox.of_course(world.store, "mazes") == []
    world.launch(world.answer())
    outbox.collect(world.store, NOW)
    assert (_only(world).score, _only(world).lineitem) == (70.0, LINE_ITEM)


def test_who_did_not_come_from_a_platform_has_nothing_sent(world: World) -> None:
    eve = people.put(world.store, people.Newcomer("mazes", "Eve", "student", "demo", "eve"), NOW)
    _mark(world, eve, 50.0, NOW)
    assert outbox.of_course(world.store, "mazes") == []


def test_scores_of_a_platform_that_was_taken_away_are_not_sent(world: World) -> None:
    _ada(world)
    platforms.remove(world.store, world.platform.id)
    assert not send_one(world.store, _scores(_line()), NOW)


@pytest.mark.parametrize(
    ("lineitem", "url"),
    [
        ("https://p.example.org/7", "https://p.example.org/7/scores"),
        ("https://p.example.org/7/lineitem?type_id=3", "https://p.example.org/7/lineitem/scores?type_id=3"),
    ],
)
def test_where_scores_go(lineitem: str, url: str) -> None:
    assert scores_url(lineitem) == url


def test_the_thread_sends_until_it_is_ended(world: World) -> None:
    _ada(world)
    arrived = Event()

    def ask(url: str, **_: object) -> Answer:
        if not url.endswith("/token"):
            arrived.set()
        return _TOKEN

    thread = Sender(world.store, Scores(key("own"), ask=ask), clock=lambda: NOW)
    thread.start()
    assert arrived.wait(60)
    thread.end()
    assert _only(world).sent_at == NOW
