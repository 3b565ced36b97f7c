"""Scores on their way to a platform, and the tokens that it gives for them."""

from __future__ import annotations

from email.utils import formatdate
from threading import Event

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from grader.errors import PlatformError
from grader.serve.lti import platforms
from grader.serve.lti.keys import make_jwks
from grader.serve.lti.platform_client import PlatformClient
from grader.serve.lti.platform_requests import NoAnswerError, PlatformAnswer
from grader.serve.lti.score_sender import FIRST_PAUSE_SECONDS, ScoreSender
from grader.serve.store import courses, marks, outbox, people
from tests.grader.serve.lti.gradebook_line import (
    TOKEN,
    Canvas,
    Line,
    Moodle,
    answer_with,
    enrol_ada,
    give_mark,
    line_with,
    only_item,
    send,
    send_one,
)
from tests.grader.serve.lti.world import LINE_ITEM, NOW, SCORE, World, key, registration


def test_a_score_arrives_as_the_platform_wants_it(world: World) -> None:
    enrol_ada(world)
    line = line_with(200)
    assert send(world, line)
    ((url, body, headers),) = line.asked
    assert url == "https://platform.example.org/line/7/scores?type=3"
    assert body == {
        "userId": "ada",
        "scoreGiven": 80.0,
        "scoreMaximum": 100.0,
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
        "timestamp": "2027-01-15T08:00:00.000Z",
        "submission": {"submittedAt": "1970-01-01T00:00:01.000Z"},
        "https://canvas.instructure.com/lti/submission": {
            "new_submission": True,
            "submitted_at": "1970-01-01T00:00:01.000Z",
        },
    }
    assert headers == {"Authorization": "Bearer t0", "Content-Type": "application/vnd.ims.lis.v1.score+json"}
    assert only_item(world).sent_at == NOW
    assert not send(world, line)


def test_pauses_double_up_to_an_hour(world: World) -> None:
    enrol_ada(world)
    now, pauses = NOW, []
    for _ in range(10):
        assert send(world, line_with(503), now)
        then = only_item(world).next_at
        assert then is not None
        assert not send(world, line_with(), then - 0.5)
        pauses.append(then - now)
        now = then
    assert pauses == [15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600]


DEADLINE, WEEK = NOW - 3600.0, 7 * 86400.0


def test_a_mark_that_leaves_after_the_deadline_is_of_the_time_of_its_attempt(world: World) -> None:
    """Canvas would call it late, take its own points off, and count an attempt for each adjustment."""
    ada, canvas = world.launch(world.answer()), Canvas(attempts_allowed=2)
    give_mark(world, ada, 80.0, NOW, handed_in=DEADLINE - 60)
    assert send(world, canvas)
    for day, score in enumerate((85.0, 70.0, 90.0)):  # adjusted, graded again, adjusted once more
        give_mark(world, ada, score, NOW + WEEK + day)
        assert send(world, canvas, NOW + WEEK + day)
    outbox.resend(world.store, NOW + 2 * WEEK, only_item(world).id)
    assert send(world, canvas, NOW + 2 * WEEK)
    assert canvas.submissions == [DEADLINE - 60]
    assert canvas.grades == [80.0, 85.0, 70.0, 90.0, 90.0]


def test_where_no_attempt_is_left_at_the_platform_the_mark_arrives_all_the_same(world: World) -> None:
    ada, canvas = world.launch(world.answer()), Canvas(attempts_allowed=1)
    for number in range(2):
        give_mark(world, ada, 50.0 + number, NOW + number, handed_in=DEADLINE + number)
        assert send(world, canvas, NOW + number)
    item = only_item(world)
    assert "422" in item.error
    assert "maximum number of allowed attempts" in item.error
    assert item.next_at is not None
    assert send(world, canvas, item.next_at)
    assert (canvas.submissions, canvas.grades) == ([DEADLINE], [50.0, 51.0])
    assert only_item(world).sent_at == item.next_at


def test_a_platform_that_took_it_and_lost_its_answer_has_one_submission(world: World) -> None:
    ada, canvas = world.launch(world.answer()), Canvas(loses_answers=3)
    give_mark(world, ada, 80.0, NOW, handed_in=DEADLINE)
    now: float | None = NOW
    while now is not None and only_item(world).sent_at is None:
        assert send(world, canvas, now)
        now = only_item(world).next_at
    assert canvas.submissions == [DEADLINE]


def test_a_score_that_is_not_newer_has_not_arrived_and_is_sent_as_newer(world: World) -> None:
    """Somebody touched the mark in Moodle meanwhile, whose clock is ahead."""
    enrol_ada(world)
    moodle = Moodle([(int(NOW) + 20, 10.0)])
    send(world, moodle)
    item = only_item(world)
    assert (item.sent_at, item.next_at) == (None, NOW + 15)
    assert "409" in item.error
    assert "Refusing score with an earlier timestamp" in item.error
    send(world, moodle, NOW + 15)
    send(world, moodle, NOW + 45)
    assert moodle.kept[-1] == (NOW + 45, 80.0)
    assert only_item(world).sent_at == NOW + 45


def test_what_arrived_before_arrives_as_the_same_again(world: World) -> None:
    enrol_ada(world)
    moodle = Moodle(loses_answers=1)
    for now in (NOW, NOW + 15, NOW + 45):
        assert send(world, moodle, now)
    assert moodle.kept == [(NOW, 80.0), (NOW + 45, 80.0)]
    assert only_item(world).sent_at == NOW + 45


@pytest.mark.parametrize(
    ("wish", "pause"), [("9999999999", 86400.0), (formatdate(NOW + 90, usegmt=True), 90.0), ("soon", 15.0)]
)
def test_a_platform_is_left_alone_for_as_long_as_it_wants(world: World, wish: str, pause: float) -> None:
    enrol_ada(world)
    send(world, Line([answer_with(429, retry_after=wish)]))
    assert only_item(world).next_at == NOW + pause


def test_a_mark_that_changes_while_the_old_one_is_sent_is_sent_too(world: World) -> None:
    ada, line = enrol_ada(world), line_with(200, 200)

    def changes(url: str, *, data: bytes | None, headers: dict[str, str]) -> PlatformAnswer:
        if not url.endswith("/token") and not line.asked:
            give_mark(world, ada, 90.0, NOW)
        return line(url, data=data, headers=headers)

    scores = PlatformClient(key("own"), send=changes)
    assert send_one(world.store, scores, NOW)
    assert send_one(world.store, scores, NOW)
    sent = [(body["scoreGiven"], body["timestamp"]) for _, body, _ in line.asked]
    assert sent == [(80.0, "2027-01-15T08:00:00.000Z"), (90.0, "2027-01-15T08:00:01.000Z")]
    assert only_item(world).sent_at == NOW


def test_what_a_dead_process_took_is_sent_by_the_next(world: World) -> None:
    enrol_ada(world)
    assert outbox.take(world.store, NOW) is not None
    assert outbox.take(world.store, NOW + outbox.LEASE_SECONDS - 1) is None
    assert outbox.take(world.store, NOW + outbox.LEASE_SECONDS) is not None


def test_a_mark_that_would_tell_of_hidden_checks_waits_for_the_deadline(world: World) -> None:
    ada = enrol_ada(world)
    courses.put(world.store, "mazes", "Mazes", marks_from=NOW + 60)
    assert outbox.take(world.store, NOW) is None
    outbox.resend(world.store, NOW, only_item(world).id)
    assert outbox.take(world.store, NOW + 59) is None, "not even where staff ask for it"
    marks.put_deadline(world.store, ada.id, NOW + 90)
    assert outbox.take(world.store, NOW + 60) is None, "the deadline is the student's own"
    assert outbox.take(world.store, NOW + 90) is not None


def test_a_mark_from_before_the_launch_is_sent_as_well(world: World) -> None:
    """Who came first from a link without a grade, and then from the task itself."""
    ada = world.launch(world.answer(**{"https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": None}))
    give_mark(world, ada, 70.0, NOW)
    assert outbox.list_for_course(world.store, "mazes") == []
    world.launch(world.answer())
    outbox.add_changed_marks(world.store, NOW)
    assert (only_item(world).score, only_item(world).lineitem) == (70.0, LINE_ITEM)


def test_a_platform_that_hangs_holds_up_nobody_else(world: World) -> None:
    """Eight scores for it lie before the one for another platform."""
    hanging, let_go, arrived = Event(), Event(), Event()
    other = platforms.add(world.store, registration(issuer="https://other.example.org"))
    for number in range(8):
        sub = f"student {number}"
        ada = world.launch(world.answer(sub=sub))
        give_mark(world, ada, 80.0, NOW - 60)
    bob = people.put(world.store, people.Newcomer("mazes", "Bob", "student", "lti", f"{other.id}:bob"), NOW)
    outbox.put_lineitem(world.store, bob.id, platform=other.id, url="https://other.example.org/line")
    give_mark(world, bob, 50.0, NOW)

    def ask(url: str, **_: object) -> PlatformAnswer:
        if url.endswith("/token"):
            return TOKEN
        if url == "https://other.example.org/line/scores":
            assert hanging.wait(60)
            arrived.set()
            return answer_with(200)
        hanging.set()
        assert let_go.wait(60)
        raise NoAnswerError("platform.example.org did not answer: timed out")

    thread = ScoreSender(world.store, PlatformClient(key("own"), send=ask), clock=lambda: NOW)
    thread.start()
    try:
        assert arrived.wait(60)
    finally:
        let_go.set()
        thread.end()
    items = outbox.list_for_course(world.store, "mazes")
    assert [item.name for item in items if item.sent_at is not None] == ["Bob"]
    assert sum(item.tries for item in items if item.name != "Bob") == 1, "it is left alone for a while"


def test_a_token_is_asked_for_with_a_word_signed_by_what_is_published(world: World) -> None:
    enrol_ada(world)
    line, (shown,) = line_with(200), make_jwks(key("own"))["keys"]
    send(world, line)
    signed = jwt.decode(line.form.pop("client_assertion"), RSAKey.import_key(shown), algorithms=["RS256"])
    assert line.form == {
        "grant_type": "client_credentials",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "scope": SCORE,
    }
    once, client, url = signed.claims.pop("jti"), "client-1", world.platform.token_url
    assert signed.claims == {"iss": client, "sub": client, "aud": url, "iat": NOW, "exp": NOW + 300}
    assert len(once) > 20
    assert signed.header["kid"] == shown["kid"]


def test_a_token_that_is_refused_is_not_used_again(world: World) -> None:
    enrol_ada(world)
    line = line_with(401, 200)
    send(world, line)
    send(world, line, NOW + FIRST_PAUSE_SECONDS)
    assert (len(line.asked), line.tokens) == (2, 2)
    assert only_item(world).sent_at is not None


@pytest.mark.parametrize("token", [b"[]", b'{"access_token": 5}', b'{"access_token": "a\\r\\nb"}'])
def test_without_a_token_nothing_is_sent_and_staff_see_why(world: World, token: bytes) -> None:
    enrol_ada(world)
    send(world, Line([], PlatformAnswer(200, {}, token)))
    item = only_item(world)
    assert item.sent_at is None
    assert item.error
    assert item.next_at == NOW + FIRST_PAUSE_SECONDS


def test_what_was_never_sent_is_announced_when_it_is(world: World) -> None:
    ada, canvas = world.launch(world.answer()), Canvas()
    give_mark(world, ada, 80.0, NOW, handed_in=DEADLINE)
    send(world, Line([PlatformError("p did not answer: refused")]))
    send(world, Line([answer_with(503)]), NOW + 15)
    assert send(world, canvas, NOW + 45)
    assert canvas.submissions == [DEADLINE]
