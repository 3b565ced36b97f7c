"""The pages below a path of a host that has other sites, behind proxies of both kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from starlette.testclient import TestClient

from grader.serve.lti.claims import load_own_key
from grader.serve.lti.launch_service import LaunchService
from grader.serve.service import LAB_CONFIG, OWN_PATHS
from grader.serve.store import credentials, people
from grader.serve.store.people import Newcomer
from grader.serve.web.app import create_app
from grader.serve.web.sign_in_pages import launch_routes
from grader.serve.web.visits import Site
from tests.grader.serve.made import COURSE
from tests.grader.serve.web.made import FILES, graded, newest, person

URL = "https://example.edu/grader"
ORIGIN = {"Origin": "https://example.edu", "Sec-Fetch-Site": "same-origin"}
LINK = re.compile(r'(?:href|src|action|data-follow|data-events)="([^"]*)"')


@pytest.fixture
def below(site: Site) -> Site:
    return replace(site, url=URL)


@pytest.fixture(params=["https://example.edu/grader", "https://example.edu"], ids=["passed on", "taken away"])
def client(below: Site, request: pytest.FixtureRequest) -> Iterator[TestClient]:
    """A browser behind a proxy that passes the path on, or takes it away."""
    lti = LaunchService(below.store, URL, load_own_key(below.data.lti), [COURSE])
    app = create_app(below, launch_routes(lti))
    with TestClient(app, base_url=request.param, follow_redirects=False) as client:
        client.headers["Host"] = "127.0.0.1:8080"  # as proxies have it where nobody tells them otherwise
        yield client


def _ask(
    client: TestClient, path: str, form: dict[str, str] | None = None, **more: object
) -> tuple[str, str]:
    """The page at a path of the service, and where it sends the browser on."""
    url = str(client.base_url).rstrip("/") + path
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    headers = {**ORIGIN, "Cookie": cookies} if cookies else ORIGIN
    answer = (
        client.get(url, headers=headers)
        if form is None
        else client.post(url, data=form, headers=headers, **more)  # type: ignore[arg-type]
    )
    assert answer.status_code < 400, (path, answer.text)
    return answer.text, answer.headers.get("location", "")


def _sign_in(client: TestClient, name: str, role: str) -> str:
    answer = client.post(
        str(client.base_url).rstrip("/") + "/sign-in",
        data={"name": name, "role": role, "course": COURSE},
        headers=ORIGIN,
    )
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Secure-session=")
    assert {"path=/grader", "secure", "httponly"} <= {part.strip().lower() for part in cookie.split(";")[1:]}
    client.cookies.clear()
    client.cookies.set("__Secure-session", cookie.partition("=")[2].partition(";")[0])
    return answer.headers["location"]


def _csrf(page: str) -> str:
    return page.split('name="csrf" value="')[1].split('"')[0]


def test_all_links_and_redirects_stay_below_the_path(client: TestClient, below: Site) -> None:
    assert _ask(client, "/")[1] == "/grader/sign-in"
    assert _sign_in(client, "Ada", "student") == "/grader/"
    home, _ = _ask(client, "/")
    form = {"csrf": _csrf(home)}
    _, attempt = _ask(client, "/submit", form, files=[("files", file) for file in FILES])
    assert re.fullmatch(r"/grader/attempts/[\w-]{24}", attempt)
    under_way, _ = _ask(client, attempt.removeprefix("/grader"))
    graded(below, newest(below, person(below, "Ada")))
    shown, _ = _ask(client, "/token", form)
    assert "maze submit --to https://example.edu/grader" in shown
    pages = [home, under_way, shown, _ask(client, attempt.removeprefix("/grader"))[0]]
    assert _ask(client, "/sign-out", form)[1] == "/grader/sign-in"
    client.cookies.clear()
    pages.append(_ask(client, "/sign-in")[0])
    links = {link for page in pages for link in LINK.findall(page)}
    assert len(links) > 10
    outside = {link for link in links if not link.startswith(("/grader/", "#", "?"))}
    assert outside == set()


def test_staff_stay_below_it_too(client: TestClient, below: Site) -> None:
    _sign_in(client, "Ada", "student")
    _ask(client, "/submit", {"csrf": _csrf(_ask(client, "/")[0])}, files=[("files", file) for file in FILES])
    graded(below, newest(below, person(below, "Ada")))
    bob = people.put(below.store, Newcomer(COURSE, "Bob", "student", "invite", "1"), 1.0)
    _sign_in(client, "Grace", "staff")
    assert _ask(client, "/staff")[1] == "/grader/staff/"
    open_, done = {"/staff/"}, set[str]()
    while open_ - done:
        path = min(open_ - done)
        done.add(path)
        for link in LINK.findall(_ask(client, path)[0]):
            assert link.startswith(("/grader/", "#", "?")), (path, link)
            place = urlsplit(urljoin(f"/grader{path}", link)).path.removeprefix("/grader")
            if re.fullmatch(r"/staff/(|people/\d+|review|queue|scores|export|audit)", place):
                open_.add(place)
    assert len(done) == 8
    form = {"csrf": _csrf(_ask(client, "/staff/review")[0] + _ask(client, "/staff/export")[0])}
    shown, _ = _ask(client, f"/staff/people/{bob.id}/invite", form)
    assert "https://example.edu/grader/invite/" in shown


def test_an_invitation_leads_there(client: TestClient, below: Site) -> None:
    bob = people.put(below.store, Newcomer(COURSE, "Bob", "student", "invite", "1"), 1.0)
    token = credentials.create_invitation(below.store, bob.id, 1.0)
    page, _ = _ask(client, f"/invite/{token}")
    assert f'action="/grader/invite/{token}"' in page
    assert _ask(client, f"/invite/{token}", {})[1] == "/grader/"


def test_others_of_the_host_are_none_of_its_pages(below: Site) -> None:
    with TestClient(create_app(below), base_url="https://example.edu", follow_redirects=False) as client:
        assert client.get("/graders/sign-in").status_code == 404
        assert client.get("/grader/grader/sign-in").status_code == 404
        assert "clear-site-data" not in client.get("/grader/sign-in").headers


def test_a_path_that_pages_have_themselves_is_known(site: Site, tmp_path: Path) -> None:
    (tmp_path / LAB_CONFIG).write_text("{}")
    site = replace(site, lab=tmp_path)
    lti = LaunchService(site.store, URL, load_own_key(site.data.lti), [COURSE])
    app = create_app(site, launch_routes(lti))
    firsts = set()
    while not hasattr(app, "routes"):
        app = app._app  # type: ignore[attr-defined] # the application is inside of what is around it
    for route in app.routes:
        firsts.add(route.path.split("/")[1])
    assert firsts - {""} == OWN_PATHS
