"""The key of the service, and those of platforms."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from joserfc.jwk import OctKey, RSAKey

from grader.errors import LaunchError, PlatformError
from grader.serve.lti.keys import (
    LIFE_SECONDS,
    PAUSE_SECONDS,
    KeySets,
    load_own_key,
    make_jwks,
    parse_keys,
)
from grader.serve.lti.platform_requests import PlatformAnswer
from tests.grader.serve.lti.world import World, key, key_set


def test_the_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    first = load_own_key(tmp_path / "lti")
    assert load_own_key(tmp_path / "lti") == first
    assert (tmp_path / "lti/key.pem").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "lti").stat().st_mode & 0o777 == 0o700
    assert [file.name for file in (tmp_path / "lti").iterdir()] == ["key.pem"]


def test_of_keys_that_are_made_at_once_one_is_everybodys(tmp_path: Path) -> None:
    barrier = Barrier(2)

    def make(_: int) -> RSAKey:
        barrier.wait()
        return load_own_key(tmp_path)

    with ThreadPoolExecutor(2) as threads:
        assert len({made.kid for made in threads.map(make, range(2))}) == 1


def test_what_is_published_has_no_secret_in_it() -> None:
    (shown,) = make_jwks(key("own"))["keys"]
    assert set(shown) == {"kty", "n", "e", "kid", "alg", "use"}


def test_keys_of_a_platform_are_kept_for_an_hour(world: World) -> None:
    sets = world.lti.key_sets
    for moment in (0.0, LIFE_SECONDS - 1):
        world.time = moment
        assert sets.key(world.platform, "one").kid == "one"
    assert len(world.asked) == 1
    world.time = LIFE_SECONDS
    world.publish(world.platform, key_set(key("two")))
    with pytest.raises(LaunchError):
        sets.key(world.platform, "one")


def test_a_new_key_is_found_and_made_up_ones_are_not_looked_for_in_a_storm(world: World) -> None:
    sets = world.lti.key_sets
    sets.key(world.platform, "one")
    world.publish(world.platform, key_set(key("one"), key("two")))
    world.time = PAUSE_SECONDS - 1
    for kid in map(str, range(50)):
        with pytest.raises(LaunchError):
            sets.key(world.platform, kid)
    assert len(world.asked) == 1
    world.time = PAUSE_SECONDS
    assert sets.key(world.platform, "two").kid == "two"
    assert len(world.asked) == 2


def test_a_platform_that_does_not_answer_is_left_alone_for_a_while(world: World) -> None:
    asked: list[str] = []

    def fetch(url: str) -> PlatformAnswer:
        asked.append(url)
        raise PlatformError("p did not answer: timed out")

    sets = KeySets(fetch, lambda: 0.0)
    for _ in range(3):
        with pytest.raises(PlatformError, match="keys of the platform cannot be had: p did not answer"):
            sets.key(world.platform, "one")
    assert len(asked) == 1


def test_only_keys_for_our_algorithm_are_used() -> None:
    good = key_set(key("one"))["keys"][0]
    others = [
        {**good, "kid": "other-use", "use": "enc"},
        {**good, "kid": "other-algorithm", "alg": "RS512"},
        {**good, "kid": 5},
        {**good, "kid": "no-number", "n": "?"},
        {**good, "kid": "huge", "n": good["n"] * 40},
        {**good, "kid": "slow", "e": good["n"]},
        {**OctKey.generate_key(256).as_dict(private=True), "kid": "secret"},
        {**good, "kid": "small", "n": good["n"][:171]},
        "no key",
    ]
    assert set(parse_keys({"keys": [*others, good]})) == {"one"}
