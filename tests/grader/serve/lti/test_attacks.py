"""What somebody may try who wants to get in as another."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

import pytest
from joserfc.jwk import RSAKey
from starlette.testclient import TestClient

from grader.course.rules import load_rules
from grader.errors import LaunchError, PlatformError
from grader.serve.data_folder import DataFolder
from grader.serve.lti import platforms
from grader.serve.lti.claims import LTI
from grader.serve.lti.keys import KeySets
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_requests import PlatformAnswer
from grader.serve.store import credentials, people
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.sign_in_pages import launch_routes
from grader.serve.web.visits import Site
from tests.grader.serve.lti.world import (
    ISSUER,
    NOW,
    URL,
    World,
    claims,
    key,
    key_set,
    named,
    registration,
    token,
)
from tests.grader.serve.made import COURSE


def _refused(world: World, form: dict[str, str], why: str, **how: Any) -> None:
    with pytest.raises(LaunchError, match=why):
        world.launch(form, **how)
    assert people.list_for_course(world.store, "mazes") == []


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"aud": ["client-2", "client-3"]}, "expected aud"),
        ({"aud": ["client-1", "client-2"], "azp": None}, "expected azp"),
        ({"aud": ["client-1", "client-2"], "azp": "client-2"}, "expected azp"),
        ({"azp": "client-2"}, "expected azp"),
        ({"exp": NOW - 31}, "expired"),
        ({"exp": None}, "expected exp"),
        ({"exp": float("inf")}, "expected exp"),
        ({"iat": NOW - 601}, "expired"),
        ({"nbf": NOW + 31}, "of the future"),
        ({"nonce": None}, "nonce"),
        ({f"{LTI}deployment_id": None}, "expected a deployment"),
        ({f"{LTI}target_link_uri": f"{URL}/lti/launch/../"}, "expected target_link_uri"),
        ({"sub": "x" * 256}, "anonymous"),
    ],
)
def test_a_token_for_another_service_moment_or_login_is_refused(
    closed: World, changes: dict[str, Any], why: str
) -> None:
    _refused(closed, closed.answer(**changes), why)


def _refused_forged(world: World, forge: Callable[[dict[str, Any]], str], why: str, **hints: str) -> None:
    """Refuse what somebody forges of the claims that the platform would send."""
    asked = world.begin(**hints)
    _refused(world, {"state": asked["state"], "id_token": forge(claims(asked["nonce"]))}, why)


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _unsigned(header: dict[str, Any], said: dict[str, Any]) -> str:
    return f"{_base64(json.dumps(header).encode())}.{_base64(json.dumps(said).encode())}"


@pytest.mark.parametrize("algorithm", ["none", "NONE", "HS256", "RS512", None])
def test_no_algorithm_but_ours_is_read(closed: World, algorithm: object) -> None:
    header = {"alg": algorithm, "kid": "one"}
    _refused_forged(closed, lambda said: f"{_unsigned(header, said)}.", "RS256")


@pytest.mark.parametrize("form_of_key", ["pem", "json"])
def test_the_public_key_is_no_shared_secret(closed: World, form_of_key: str) -> None:
    public = key("one")
    secret = public.as_pem(private=False) if form_of_key == "pem" else json.dumps(key_set(public)).encode()

    def forge(said: dict[str, Any]) -> str:
        head = _unsigned({"alg": "HS256", "kid": "one"}, said)
        return f"{head}.{_base64(hmac.digest(secret, head.encode(), hashlib.sha256))}"

    _refused_forged(closed, forge, "RS256")


def test_a_key_that_the_token_brings_is_not_used(world: World) -> None:
    evil = key("evil")
    brought = {"jwk": evil.as_dict(private=False), "jku": "https://evil.example.org/jwks", "kid": "one"}
    _refused_forged(world, lambda said: _signed_by_hand(brought, said, evil), "signature")
    assert world.asked == [world.platform.jwks_url]


def _signed_by_hand(header: dict[str, Any], said: dict[str, Any], by: RSAKey) -> str:
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.hashes import SHA256

    head = _unsigned({"alg": "RS256", **header}, said)
    private = by.private_key
    assert private is not None
    return f"{head}.{_base64(private.sign(head.encode(), PKCS1v15(), SHA256()))}"


@pytest.mark.parametrize("kid", ["two", "", "../one", "one\x00", "x" * 5000])
def test_an_id_of_a_key_that_is_not_published_is_refused(closed: World, kid: str) -> None:
    _refused_forged(closed, lambda said: token(said, kid=kid), "a key that the platform does not publish")


def test_a_platform_speaks_for_nobody_of_another(world: World) -> None:
    """The other one publishes its own key under the same id, and claims to be the first."""
    other = platforms.add(
        world.store,
        registration(issuer="https://other.example.org", jwks_url="https://other.example.org/jwks"),
    )
    by_other = named(key("other"), "one")
    world.publish(other, key_set(by_other))
    _refused_forged(world, lambda said: token(said, by=by_other), "signature")
    _refused_forged(world, lambda said: token(said, by=by_other), "expected iss", iss=other.issuer)


def test_of_many_who_use_a_launch_at_once_one_is_let_in(world: World) -> None:
    form, barrier = world.answer(), Barrier(8)

    def use(_: int) -> str:
        barrier.wait()
        try:
            return world.launch(form).name
        except LaunchError as error:
            return str(error).partition(",")[0]
        finally:
            world.store.close()

    with ThreadPoolExecutor(8) as threads:
        came = sorted(threads.map(use, range(8)))
    assert came == ["Ada Lovelace", *["this launch was used before"] * 7]


@pytest.mark.parametrize("browser", ["", "another"])
def test_nobody_is_signed_in_by_a_launch_that_another_browser_began(closed: World, browser: str) -> None:
    """An attacker who ends his own login in another's browser would have that one work under his name."""
    _refused(closed, closed.answer(), "another browser", browser=browser)


def test_what_is_kept_of_a_login_is_not_what_goes_out(world: World) -> None:
    asked = world.begin("the browser's secret")
    kept = world.store.path.read_bytes() + world.store.path.with_name("serve.sqlite-wal").read_bytes()
    assert not any(
        secret.encode() in kept for secret in (asked["state"], asked["nonce"], "the browser's secret")
    )


@pytest.mark.parametrize("word", ["zip", "exp"])
def test_what_is_critical_and_unknown_is_refused(closed: World, word: str) -> None:
    header = {"kid": "one", "crit": [word], word: True}
    _refused_forged(closed, lambda said: _signed_by_hand(header, said, key("one")), "signature")


MANY = 50
"""More than there are threads for all pages."""


@pytest.fixture
def site(data: DataFolder, store: Store) -> Site:
    platforms.add(store, registration())
    return Site(data, store, {COURSE: load_rules()}, url=URL, clock=lambda: NOW)


def _launch(client: TestClient, lti: LaunchService) -> int:
    """Begin and end a login, as a browser does."""
    browser = credentials.new_secret()
    asked = lti.start_login({"iss": ISSUER, "login_hint": "ada"}, browser=browser, now=NOW)
    told = dict(part.split("=", 1) for part in asked.split("?", 1)[1].split("&"))
    form = {"state": told["state"], "id_token": token(claims(told["nonce"]))}
    headers = {"Cookie": f"__Host-launch={browser}"}
    return client.post("/lti/launch", data=form, headers=headers).status_code


def test_a_platform_that_sends_no_keys_holds_up_no_page(site: Site) -> None:
    asked, let_go = Event(), Event()

    def hangs(_: str) -> PlatformAnswer:
        asked.set()
        assert let_go.wait(60)
        raise PlatformError("platform.example.org did not answer: timed out")

    lti = LaunchService(site.store, URL, key("own"), [COURSE], KeySets(hangs))
    with (
        TestClient(create_app(site, launch_routes(lti)), base_url=URL, follow_redirects=False) as client,
        ThreadPoolExecutor(MANY) as pool,
    ):
        launches = [pool.submit(_launch, client, lti) for _ in range(MANY)]
        try:
            assert asked.wait(60)
            pages = [client.get("/sign-in").status_code for _ in range(MANY)]
            waiting = sum(not launch.done() for launch in launches)
        finally:
            let_go.set()
        assert pages == [200] * MANY
        assert waiting == MANY
        assert {launch.result() for launch in launches} == {502}


def test_refused_launches_of_an_address_lock_out_no_right_one(site: Site) -> None:
    lti = LaunchService(site.store, URL, key("own"), [COURSE], KeySets(_keys))
    with TestClient(create_app(site, launch_routes(lti)), base_url=URL, follow_redirects=False) as client:
        refused = [client.post("/lti/launch", data={"state": f"{n}"}).status_code for n in range(70)]
        assert set(refused) == {403, 429}
        assert refused[-1] == 429
        assert _launch(client, lti) == 303


def _keys(_: str) -> PlatformAnswer:
    return PlatformAnswer(200, {}, json.dumps(key_set(key("one"))).encode())
