"""A platform that registers itself, by a link, over HTTP; and where a service may be led by one."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpx2
import pytest

from grader.cli import main
from grader.errors import PlatformError
from grader.serve.data_folder import DataFolder
from grader.serve.lti import platforms, registration
from grader.serve.lti.claims import LTI
from grader.serve.lti.platform_requests import send_request
from grader.serve.store import courses
from grader.serve.store.database import Store
from tests.grader.serve.lti import world
from tests.grader.serve.lti.school import School, make_certificate, school_and_service
from tests.grader.serve.lti.world import TEACHER
from tests.grader.serve.made import COURSE

_PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"
_TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls") / "school.pem")


@pytest.fixture
def school(
    data: DataFolder, store: Store, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[School]:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with school_and_service(data, store, certificate) as made:
        yield made


def _link(store: Store, *inside: str) -> str:
    return registration.open_link(store, COURSE, inside, time.time())


def _open(school: School, link: str, **changes: str) -> httpx2.Response:
    asked = {"openid_configuration": f"{school.url}/openid-configuration", "registration_token": "access-1"}
    return school.browser().get(link, params={**asked, **changes})


def _sign_in(school: School, role: str, course: str = COURSE) -> httpx2.Client:
    browser = school.browser()
    browser.headers["origin"] = school.tool
    browser.post("/sign-in", data={"name": "Grace", "role": role, "course": course})
    return browser


def _settle(browser: httpx2.Client, **form: str) -> httpx2.Response:
    page = browser.get("/staff/scores").text + browser.get("/").text
    found = {
        name: value
        for name in ("csrf", "platform")
        for value in re.findall(rf'name="{name}" value="([^"]+)"', page)[:1]
    }
    return browser.post("/staff/platforms", data={**found, **form})


def test_nobody_is_let_in_before_a_teacher_confirms_what_came(school: School, store: Store) -> None:
    link = _link(store, "localhost")
    assert "The lab is registered" in _open(school, link).text
    (asked,) = school.registered
    assert asked["redirect_uris"] == [f"{school.tool}/lti/launch"]
    assert asked[_TOOL]["custom_parameters"] == {"course": COURSE}
    assert [each["type"] for each in asked[_TOOL]["messages"]] == [
        "LtiResourceLinkRequest",
        "LtiDeepLinkingRequest",
    ]
    assert asked[_TOOL]["messages"][1]["placements"] == ["ContentArea"]
    hints = {"iss": school.url, "login_hint": "x", "client_id": "client-1", "window": "own"}
    assert (
        "expected a platform that is registered here" in school.browser().get("/lti/login", params=hints).text
    )
    assert _settle(_sign_in(school, "student"), confirm="1").status_code == 404
    assert platforms.list_platforms(store) == []
    teacher = _sign_in(school, "staff")
    told = teacher.get("/staff/scores").text
    assert all(f"<li>{line}</li>" in told for line in (f"Platform: {school.url}", "Deployment: deployment-1"))
    assert _settle(teacher, confirm="1").status_code == 303
    assert "platform confirmed" in teacher.get("/staff/audit").text
    assert school.launch(school.browser(), sub="ada", name="Ada").headers["location"] == "/"
    refused = school.launch(school.browser(), **{f"{LTI}custom": {"course": "trees"}})
    assert "to be one of mazes" in refused.text
    assert school.teacher().get("/staff/").status_code == 200
    assert "was used" in _open(school, link).text
    assert "under the same client id" in _open(school, _link(store, "localhost")).text


def test_canvas_names_no_deployment_and_a_teacher_does(school: School, store: Store) -> None:
    """It places links by its own words, and its name for itself is no audience of tokens."""
    placed = {"type": "LtiDeepLinkingRequest", "placements": ["assignment_selection", "editor_button"]}
    supported = {"product_family_code": "canvas", "messages_supported": [placed]}
    school.deployment = ""
    school.configured = {"authorization_server": "sso.canvaslms.com", _PLATFORM: supported}
    courses.put(store, "trees", "Trees")
    assert _open(school, _link(store, "localhost")).status_code == 200
    assert registration.list_pending(store, "trees") == []
    (pending,) = registration.list_pending(store, COURSE)
    teacher = _sign_in(school, "staff")
    assert "expected a deployment id, got none" in _settle(teacher, confirm="1").text
    assert _settle(teacher, confirm="1", deployment="deployment-1").status_code == 303
    (message,) = school.registered[0][_TOOL]["messages"]
    assert message["placements"] == ["assignment_selection"]
    assert [platform.audience for platform in platforms.list_platforms(store)] == [""]
    assert "another teacher was faster" in _settle(teacher, platform=pending["id"]).text
    assert school.launch(school.browser(), **{f"{LTI}roles": [TEACHER]}).status_code == 303


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"openid_configuration": "http://localhost/"}, "starts with https://"),
        ({"openid_configuration": "https://10.0.0.1/"}, "inside a network"),
        ({"openid_configuration": "https://[::ffff:127.0.0.1]/"}, "inside a network"),
        ({"openid_configuration": "https://[2002:7f00:1::]/"}, "inside a network"),
        ({"openid_configuration": "https://169.254.169.254/"}, "inside a network"),
        ({"registration_token": "a b"}, "expected a registration token"),
        ({"registration_token": "wrong"}, "401: Access token missing"),
        ({"issuer": "https://canvas.instructure.com"}, "speaks for localhost"),
        ({"jwks_uri": "http://localhost/jwks"}, "starts with https://"),
        ({"registration_endpoint": "https://127.0.0.1/"}, "inside a network"),
        ({"token_endpoint": 5}, "expected token_endpoint from the platform"),
    ],
)
def test_what_leads_elsewhere_is_not_followed(
    school: School, store: Store, said: dict[str, Any], told: str
) -> None:
    link, asked = _link(store, "localhost"), {"openid_configuration", "registration_token"}
    school.configured = {name: value for name, value in said.items() if name not in asked}
    answer = _open(school, link, **{name: value for name, value in said.items() if name in asked})
    assert answer.status_code in (403, 502)
    assert told in answer.text
    school.configured = {}
    assert _open(school, link).status_code == 200, "the link is open still"


def test_a_platform_inside_has_to_be_named(school: School, store: Store) -> None:
    assert "inside a network, which only --allow-host allows" in _open(school, _link(store)).text
    assert school.registered == []
    away = _open(school, _link(store, "localhost", "127.0.0.1"), openid_configuration=f"{school.url}/away")
    assert "the platform answered 307" in away.text, "to another host is not followed"


def test_the_command_prints_the_link(
    school: School, data: DataFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--data", str(data.folder), "--allow-host", "localhost"]
    assert main(["serve", "platform", "register", COURSE, *where]) == 0
    (link,) = re.findall(r"^http\S+$", capsys.readouterr().out, re.MULTILINE)
    assert _open(school, link).status_code == 200


def test_a_link_ends(school: School, store: Store) -> None:
    link = registration.open_link(store, COURSE, ["localhost"], time.time() - 3601)
    assert "older than an hour" in _open(school, link).text
    _link(store)
    assert store.value("select count(*) from lti_registrations") == 1


@pytest.mark.parametrize(("host", "speaks"), [("sso.canvaslms.com", True), ("sso.canvaslms.org", False)])
def test_canvas_speaks_for_its_schools(host: str, speaks: bool) -> None:
    names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
    said = {"issuer": "https://canvas.instructure.com", **dict.fromkeys(names, "https://sso.canvaslms.com/x")}
    with nullcontext() if speaks else pytest.raises(PlatformError, match="speaks for"):
        registration.read_configuration(said, f"https://{host}/api/lti/security/openid-configuration")


def test_a_name_is_resolved_once_and_the_address_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that changes in between, to an address inside, is never asked for again."""
    addresses, connected = iter(["93.184.215.14", "127.0.0.1"]), list[Any]()

    def resolve(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(addresses), 443))]

    def connect(where: Any, *_: Any) -> socket.socket:
        connected.append(where)
        raise OSError("nobody there")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:3128")
    with pytest.raises(PlatformError, match="nobody there"):
        send_request("https://rebinds.example.org/", inside=())
    assert connected == [("93.184.215.14", 443)]
    with pytest.raises(PlatformError, match="inside a network"):
        send_request("https://rebinds.example.org/", inside=())


def test_what_registered_itself_leads_inside_at_no_later_time(store: Store) -> None:
    new = world.registration(course=COURSE, inside="", jwks_url="https://127.0.0.1:1/jwks")
    with pytest.raises(PlatformError, match="inside a network"):
        platforms.add(store, new).bound(send_request)(new.jwks_url)
