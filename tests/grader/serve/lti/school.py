"""A learning platform at an address of its own, which speaks as Moodle does, and browsers from there."""

from __future__ import annotations

import time
import urllib.parse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from joserfc import jwt
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from grader.course.rules import load_rules
from grader.serve.data_folder import DataFolder
from grader.serve.lti import platforms
from grader.serve.lti.claims import LTI
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_client import PlatformClient
from grader.serve.store import settings
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.platform_pages import platform_routes
from grader.serve.web.sign_in_pages import launch_routes
from grader.serve.web.visits import Site
from tests.grader.serve.lti.world import ENDPOINT, TEACHER, claims, key, key_set, registration, token
from tests.grader.serve.made import COURSE
from tests.grader.serve.running import running

NAMES = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
_MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"


@dataclass
class School:
    """A platform at an address, with what it lists, for a service at another one."""

    url: str
    tool: str
    members: list[dict[str, Any]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """What was asked of the list of members."""
    configured: dict[str, Any] = field(default_factory=dict)
    """What its configuration says otherwise."""
    deployment: str = "deployment-1"
    registered: list[dict[str, Any]] = field(default_factory=list)
    opened: ExitStack = field(default_factory=ExitStack)

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/jwks", lambda _: JSONResponse(key_set(key("one")))),
                Route("/token", self._token, methods=["POST"]),
                Route("/members", self._members),
                Route("/openid-configuration", self._configuration),
                Route("/away", lambda _: RedirectResponse("https://127.0.0.1/")),
                Route("/register", self._register, methods=["POST"]),
            ]
        )

    def _configuration(self, request: Request) -> Response:
        """Answer as Canvas does, which wants the token for this, too."""
        if request.headers.get("authorization") != "Bearer access-1":
            return Response("Access token missing", 401)
        names = {
            "authorization_endpoint": "auth",
            "token_endpoint": "token",
            "jwks_uri": "jwks",
            "registration_endpoint": "register",
        }
        messages = [
            {"type": "LtiResourceLinkRequest"},
            {"type": "LtiDeepLinkingRequest", "placements": ["ContentArea", "RichTextEditor"]},
        ]
        return JSONResponse(
            {
                "issuer": self.url,
                **{name: f"{self.url}/{path}" for name, path in names.items()},
                "https://purl.imsglobal.org/spec/lti-platform-configuration": {
                    "messages_supported": messages
                },
                **self.configured,
            }
        )

    async def _register(self, request: Request) -> Response:
        """Answer as Moodle does."""
        if request.headers.get("authorization") != "Bearer access-1":
            return Response("missing_registration_token", 401)
        self.registered.append(await request.json())
        tool = {"deployment_id": self.deployment} if self.deployment else {}
        return JSONResponse(
            {"client_id": "client-1", "https://purl.imsglobal.org/spec/lti-tool-configuration": tool}
        )

    async def _token(self, request: Request) -> Response:
        """The service signs its request with the key that it publishes."""
        form = dict(await request.form())
        said = jwt.decode(str(form["client_assertion"]), key("own"), algorithms=["RS256"]).claims
        assert (said["iss"], said["aud"]) == ("client-1", f"{self.url}/token")
        return JSONResponse({"access_token": form["scope"], "token_type": "bearer", "expires_in": 3600})

    async def _members(self, request: Request) -> Response:
        """Two members on a page, whatever is asked for; the next page is named in a header."""
        self.asked.append(request.url.query)
        if request.headers["authorization"] != f"Bearer {_MEMBERS}":
            return Response("Unauthorized", 401)
        begin = int(request.query_params.get("page", "0"))
        page = {"id": str(request.url), "members": self.members[begin : begin + 2]}
        following = f'<{self.url}/members?id=5&page={begin + 2}>; rel="next"'
        headers = {"Link": following} if begin + 2 < len(self.members) else {}
        return JSONResponse(page, headers=headers)

    def browser(self) -> httpx2.Client:
        return self.opened.enter_context(httpx2.Client(base_url=self.tool))

    def launch(self, browser: httpx2.Client, **changes: Any) -> httpx2.Response:
        """Begin a login as a platform does, answer it, and return what the browser gets for the token."""
        hints = {"iss": self.url, "login_hint": "x", "client_id": "client-1", "window": "own"}
        begun = browser.get("/lti/login", params=hints)
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(begun.headers["location"]).query))
        for name in list(browser.cookies):  # they are for https, and this is a browser at http
            browser.headers["cookie"] = f"{name}={browser.cookies[name]}"
        said = claims(asked["nonce"], iss=self.url, iat=int(time.time()), exp=int(time.time()) + 300)
        said |= {f"{LTI}target_link_uri": f"{self.tool}/lti/launch", NAMES: self.names(), ENDPOINT: {}}
        form = {"state": asked["state"], "id_token": token({**said, **changes})}
        answer = browser.post("/lti/launch", data=form)
        browser.headers.pop("cookie", None)
        return answer

    def names(self) -> dict[str, Any]:
        return {"context_memberships_url": f"{self.url}/members?id=5", "service_versions": ["2.0"]}

    def teacher(self) -> httpx2.Client:
        """A browser in which a teacher is signed in."""
        browser = self.browser()
        answer = self.launch(browser, sub="grace", name="Grace", **{f"{LTI}roles": [TEACHER]})
        assert answer.headers["location"] == "/"
        return browser


def make_certificate(path: Path) -> Path:
    """A certificate for localhost, which signs itself, and its key."""
    key, day, now = ec.generate_private_key(ec.SECP256R1()), timedelta(days=1), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - day, now + day)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    signed = made.add_extension(names, critical=False).sign(key, hashes.SHA256())
    path.write_bytes(signed.public_bytes(pem) + key.private_bytes(pem, form, serialization.NoEncryption()))
    return path


def service_at(url: str, data: DataFolder, store: Store) -> tuple[Site, LaunchService, ASGIApp]:
    """A service with a course, into which people get from platforms, and by any name."""
    site = Site(data, store, {COURSE: load_rules()}, url=url, demo=True)
    lti = LaunchService(store, url, key("own"), [COURSE])
    return site, lti, create_app(site, [*launch_routes(lti), *platform_routes(lti, PlatformClient(lti.key))])


def register(store: Store, there: str) -> None:
    """Register the platform at an address."""
    places = {f"{name}_url": f"{there}/{name}" for name in ("auth", "token", "jwks")}
    platforms.add(store, registration(issuer=there, **places))


@contextmanager
def school_and_service(data: DataFolder, store: Store, certificate: Path | None = None) -> Iterator[School]:
    """A service, and a platform that whoever runs it has registered, or one by https that nobody has."""
    host = "localhost" if certificate else "127.0.0.1"
    with running("localhost") as (url, serve), running(host, certificate) as (there, serve_school):
        school = School(there, url)
        serve_school(school.app())
        if certificate is None:
            register(store, there)
        settings.put(store, settings.ADDRESS, url)
        serve(service_at(url, data, store)[-1])
        with school.opened:
            yield school
