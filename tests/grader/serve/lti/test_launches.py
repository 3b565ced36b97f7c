"""Launches over the pages that browsers see."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from starlette.testclient import TestClient

from grader.course.rubric import load_rubric
from grader.errors import PlatformError
from grader.exercises import registry
from grader.serve.data_folder import DataFolder
from grader.serve.lti import platforms
from grader.serve.lti.keys import KeySets
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_requests import PlatformAnswer
from grader.serve.store import credentials
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.launch_pages import launch_routes
from grader.serve.web.site import Site
from tests.grader.serve.lti.world import ISSUER, NOW, URL, claims, key, key_set, registration, token
from tests.grader.serve.made import COURSE

MANY = 50
"""More than there are threads for all pages."""


@pytest.fixture
def site(data: DataFolder, store: Store) -> Site:
    platforms.add(store, registration())
    return Site(data, store, {COURSE: load_rubric(checks=registry.titles())}, url=URL, clock=lambda: NOW)


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
