"""The token that a platform gives for scores: asked for, kept, and asked for again."""

from __future__ import annotations

import pytest
from joserfc import jwt

from grader.serve.lti.platform_requests import PlatformAnswer
from grader.serve.lti.score_sender import FIRST_PAUSE_SECONDS
from tests.grader.serve.lti.gradebook_line import (
    Line,
    enrol_ada,
    give_mark,
    line_with,
    only_item,
    send,
)
from tests.grader.serve.lti.world import NOW, SCORE, World, key


def test_a_token_is_asked_for_with_a_signed_word(world: World) -> None:
    enrol_ada(world)
    line = line_with(200)
    send(world, line)
    assert line.form["grant_type"] == "client_credentials"
    assert line.form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    assert line.form["scope"] == SCORE
    said = jwt.decode(line.form["client_assertion"], key("own"), algorithms=["RS256"]).claims
    assert (said["iss"], said["sub"], said["aud"]) == ("client-1", "client-1", world.platform.token_url)


def test_a_token_is_kept_until_it_ends(world: World) -> None:
    ada, line = enrol_ada(world), line_with(200, 200, 200)
    for number, now in enumerate((NOW, NOW + 3500, NOW + 3541)):
        give_mark(world, ada, 81.0 + number, now)
        send(world, line, now)
    assert (len(line.asked), line.tokens) == (3, 2)


def test_a_token_that_is_refused_is_not_used_again(world: World) -> None:
    enrol_ada(world)
    line = line_with(401, 200)
    send(world, line)
    send(world, line, NOW + FIRST_PAUSE_SECONDS)
    assert (len(line.asked), line.tokens) == (2, 2)
    assert only_item(world).sent_at is not None


@pytest.mark.parametrize(
    "token",
    [
        PlatformAnswer(400, {}, b"{}"),
        PlatformAnswer(200, {}, b"<html>"),
        PlatformAnswer(200, {}, b"[]"),
        PlatformAnswer(200, {}, b'{"access_token": 5}'),
        PlatformAnswer(200, {}, b'{"access_token": "a\\r\\nb"}'),
        PlatformAnswer(200, {}, b'{"access_token": ""}'),
    ],
)
def test_without_a_token_nothing_is_sent_and_staff_see_why(world: World, token: PlatformAnswer) -> None:
    enrol_ada(world)
    send(world, Line([], token))
    item = only_item(world)
    assert item.sent_at is None
    assert item.error
    assert item.next_at == NOW + FIRST_PAUSE_SECONDS
