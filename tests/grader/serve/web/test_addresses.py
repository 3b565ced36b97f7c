"""From where a request comes, what it calls the service, also below a path of a host that has other sites."""

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
from grader.serve.store import credentials
from grader.serve.web.app import create_app, server_config
from grader.serve.web.sign_in_pages import launch_routes
from grader.serve.web.visits import Site
from tests.grader.serve.made import COURSE
from tests.grader.serve.web.conftest import Enter
from tests.grader.serve.web.made import FILES, Visitor, graded, newest, person


@pytest.mark.parametrize("host", ["localhost.evil.example", "127.0.0.1.evil.example", ""])
def test_a_name_that_leads_here_by_somebody_elses_will_is_refused(
    ada: Visitor, site: Site, host: str
) -> None:
    """A page of evil.example whose name leads to this machine would be of the same origin for a browser."""
    own = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    form = {"csrf": ada.csrf()}
    for answer in (ada.client.post("/token", data=form, headers=own), ada.client.get("/", headers=own)):
        assert answer.status_code == 421
        assert host not in answer.text or not host
    assert ada.client.get("/static/site.css", headers=own).status_code == 200, (
        "the page that says so has a style"
    )
    told = ada.client.get("/api/attempts/x", headers=own)
    assert (told.status_code, "--url" in told.json()["error"]) == (421, True)
    assert credentials.list_tokens(site.store, ada.person.id, site.clock()) == []


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://mazes.example.edu", 303),
        ("https://mazes.example.edu:443", 303),
        ("http://mazes.example.edu:443", 403),
        ("https://127.0.0.1:8080", 403),
    ],
)
def test_an_origin_is_scheme_host_and_port(site: Site, origin: str, status: int) -> None:
    with TestClient(
        create_app(replace(site, url="https://mazes.example.edu")), follow_redirects=False
    ) as client:
        form = {"name": "Ada", "role": "student", "course": COURSE}
        headers = {"Origin": origin, "Host": "127.0.0.1:8080"}
        assert client.post("/sign-in", data=form, headers=headers).status_code == status


def _tries(client: TestClient, token: str, forwarded: str = "") -> int:
    headers = {"Authorization": f"Bearer {token}", **({"X-Forwarded-For": forwarded} if forwarded else {})}
    return client.get("/api/attempts/none", headers=headers).status_code


def test_a_right_token_is_right_whatever_others_of_its_address_try(ada: Visitor, enter: Enter) -> None:
    """A campus is one address."""
    headers, eve = ada.bearer(), enter("")
    assert {_tries(eve.client, f"guess {number}") for number in range(100)} == {401, 429}
    right = [eve.client.get("/api/attempts/none", headers=headers).status_code for _ in range(100)]
    assert right == [404] * 100
    assert eve.client.post("/api/submit", content=b"x", headers=headers).status_code == 201


def _behind(site: Site, proxies: list[str], peer: str) -> TestClient:
    """A browser, or a proxy, at an address, as the server sees it that the service runs."""
    loaded = server_config(create_app(site), proxies=proxies)
    loaded.load()
    return TestClient(loaded.loaded_app, base_url="http://localhost", client=(peer, 5000))


@pytest.mark.parametrize(
    ("proxies", "peer", "is_believed"),
    [([], "127.0.0.1", False), (["10.0.0.1"], "10.0.0.2", False), (["10.0.0.0/24", "::1"], "10.0.0.9", True)],
)
def test_only_the_proxy_that_is_named_says_from_where_others_come(
    site: Site, monkeypatch: pytest.MonkeyPatch, proxies: list[str], peer: str, is_believed: bool
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    client = _behind(site, proxies, peer)
    tried = [_tries(client, f"guess {number}", f"192.0.2.{number}") for number in range(25)]
    assert tried == ([401] * 25 if is_believed else [401] * 20 + [429] * 5)


def test_who_makes_up_the_beginning_of_a_chain_is_one_address(site: Site) -> None:
    client = _behind(site, ["10.0.0.1"], "10.0.0.1")
    tried = [_tries(client, f"guess {number}", f"192.0.2.{number}, 203.0.113.7") for number in range(25)]
    assert tried == [401] * 20 + [429] * 5


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
