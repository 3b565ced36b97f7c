"""The pages below a path of a host that has other sites, behind proxies of both kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from grader.serve.lti.keys import load_own_key
from grader.serve.lti.launch_service import LaunchService
from grader.serve.service import LAB_CONFIG, OWN_PATHS
from grader.serve.web.app import create_app
from grader.serve.web.sign_in_pages import launch_routes
from grader.serve.web.visits import Site
from tests.grader.serve.made import COURSE
from tests.grader.serve.web.made import FILES, graded, newest, person

URL = "https://example.edu/grader"
LINK = re.compile(r'(?:href|src|action|data-follow|data-events)="([^"]*)"')


@pytest.fixture
def below(site: Site) -> Site:
    return replace(site, url=URL)


@pytest.fixture(params=[URL, "https://example.edu"], ids=["passed on", "taken away"])
def client(below: Site, request: pytest.FixtureRequest) -> Iterator[TestClient]:
    """A browser behind a proxy that passes the path on, or takes it away."""
    with TestClient(create_app(below), base_url=request.param, follow_redirects=False) as client:
        client.headers["Host"] = "127.0.0.1:8080"  # as proxies have it where nobody tells them otherwise
        client.headers |= {"Origin": "https://example.edu", "Sec-Fetch-Site": "same-origin"}
        yield client


def test_all_links_and_redirects_stay_below_the_path(client: TestClient, below: Site) -> None:
    def ask(path: str, form: dict[str, str] | None = None, **more: object) -> Response:
        url = str(client.base_url).rstrip("/") + path
        return client.get(url) if form is None else client.post(url, data=form, **more)  # type: ignore[arg-type]

    assert ask("/").headers["location"] == "/grader/sign-in"
    signed_in = ask("/sign-in", {"name": "Ada", "role": "student", "course": COURSE})
    assert signed_in.headers["location"] == "/grader/"
    cookie, *told = signed_in.headers["set-cookie"].split(";")
    assert cookie.startswith("__Secure-session=")
    assert {"path=/grader", "secure", "httponly"} <= {part.strip().lower() for part in told}
    client.cookies.clear()
    client.headers["Cookie"] = cookie
    pages = [ask("/").text]
    form = {"csrf": pages[0].split('name="csrf" value="')[1].split('"')[0]}
    attempt = ask("/submit", form, files=[("files", file) for file in FILES]).headers["location"]
    assert re.fullmatch(r"/grader/attempts/[0-9a-f]{32}", attempt)
    pages.append(ask(attempt.removeprefix("/grader")).text)
    graded(below, newest(below, person(below, "Ada")))
    pages += [ask("/token", form).text, ask(attempt.removeprefix("/grader")).text]
    assert "maze submit --to https://example.edu/grader" in pages[2]
    assert ask("/sign-out", form).headers["location"] == "/grader/sign-in"
    pages.append(ask("/sign-in").text)
    links = {link for page in pages for link in LINK.findall(page)}
    assert len(links) > 10
    assert [link for link in links if not link.startswith(("/grader/", "#", "?"))] == []


def test_others_of_the_host_are_none_of_its_pages(below: Site) -> None:
    with TestClient(create_app(below), base_url="https://example.edu", follow_redirects=False) as client:
        assert client.get("/graders/sign-in").status_code == 404
        assert client.get("/grader/grader/sign-in").status_code == 404
        assert "clear-site-data" not in client.get("/grader/sign-in").headers


def test_a_path_that_pages_have_themselves_is_known(site: Site, tmp_path: Path) -> None:
    (tmp_path / LAB_CONFIG).write_text("{}")
    lti = LaunchService(site.store, URL, load_own_key(site.data.lti), [COURSE])
    app = create_app(replace(site, lab=tmp_path), launch_routes(lti))
    while not hasattr(app, "routes"):
        app = app._app  # type: ignore[attr-defined] # the application is inside of what is around it
    assert {route.path.split("/")[1] for route in app.routes} - {""} == OWN_PATHS
