"""A learning platform: lti1p3platform, which is none of ours, with a small site around it.

It has people who are signed in by a cookie, a page of a course that shows the service in a frame, and a
gradebook.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Any

from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request as LtiRequest
from lti1p3platform.score import UpdateScoreStatus
from lti1p3platform.service_connector import AssignmentsGradesService
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from grader.serve.lti import platforms
from tests.grader.serve.lti.world import LEARNER, key
from tests.grader.serve.running import running

CLIENT, DEPLOYMENT, CONTEXT = "client-1", "deployment-1", "course-9"


class _Login(OIDCLoginAbstract):  # type: ignore[misc] # it comes without types
    def set_lti_message_hint(self, **hint: Any) -> None:
        self._lti_message_hint = hint["hint"]

    def get_redirect(self, url: str) -> Response:
        return RedirectResponse(url, 303)


class _Configured(LTI1P3PlatformConfAbstract):  # type: ignore[misc]
    def init_platform_config(self, **settings: Any) -> None:
        self._registration = settings["registration"]

    def get_registration_by_params(self, **_: Any) -> Registration:
        return self._registration


class _Message(LTIAdvantageMessageLaunchAbstract):  # type: ignore[misc]
    def get_preflight_response(self) -> dict[str, Any]:
        return dict(self._request.query_params)

    def render_launch_form(self, launch_data: dict[str, Any], **_: Any) -> Response:
        fields = "".join(
            f'<input type="hidden" name="{name}" value="{escape(launch_data[name])}">'
            for name in ("id_token", "state")
        )
        form = f'<form method="post" action="{escape(launch_data["launch_url"])}">{fields}</form>'
        return HTMLResponse(f"{form}<script>document.forms[0].submit()</script>")


class _Asked(LtiRequest):  # type: ignore[misc]
    def build_metadata(self, request: dict[str, Any]) -> dict[str, Any]:
        return request


class _Grades(AssignmentsGradesService):  # type: ignore[misc]
    """The gradebook; the newest time stamp wins."""

    book: dict[str, dict[str, Any]]

    def update_score(self, line_item_id: str, score: dict[str, Any]) -> UpdateScoreStatus:
        before = self.book.get(score["userId"])
        if before is not None and score["timestamp"] <= before["timestamp"]:
            return UpdateScoreStatus.OLD_TIMESTAMP
        self.book[score["userId"]] = score
        return UpdateScoreStatus.SUCCESS

    def find_lineitems(self, **_: Any) -> Any: ...
    def find_lineitem(self, line_item_id: str) -> Any: ...
    def create_lineitem(self, creation_data: Any) -> Any: ...
    def update_lineitem(self, line_item: Any) -> Any: ...
    def delete_lineitem(self, line_item_id: str) -> None: ...
    def get_results(self, *_: Any, **__: Any) -> Any: ...


@dataclass
class Platform:
    """A platform at an address, for a service at another one."""

    url: str
    tool: str
    book: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Scores by subject, as they came."""
    roles: dict[str, str] = field(default_factory=dict)
    """Of those who are no learners."""

    def __post_init__(self) -> None:
        secret = key("platform")
        self.registration = (
            Registration()
            .set_iss(self.url)
            .set_client_id(CLIENT)
            .set_deployment_id(DEPLOYMENT)
            .set_launch_url(f"{self.tool}/lti/launch")
            .set_oidc_login_url(f"{self.tool}/lti/login")
            .set_tool_key_set_url(f"{self.tool}/lti/jwks")
            .set_platform_public_key(secret.as_pem(private=False).decode())
            .set_platform_private_key(secret.as_pem(private=True).decode())
        )
        self.configured = _Configured(registration=self.registration)

    def told(self) -> platforms.Registration:
        """What it has an administrator tell the service."""
        return platforms.Registration(
            issuer=self.url,
            client_id=CLIENT,
            deployments=frozenset({DEPLOYMENT}),
            auth_url=f"{self.url}/auth",
            token_url=f"{self.url}/token",
            jwks_url=f"{self.url}/jwks",
        )

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/course/{user}", self._course),
                Route("/start", self._start),
                Route("/auth", self._auth),
                Route("/jwks", self._jwks),
                Route("/token", self._token, methods=["POST"]),
                Route("/line/7/scores", self._scores, methods=["POST"]),
            ]
        )

    async def _course(self, request: Request) -> Response:
        """The page of a course, where somebody is signed in."""
        page = HTMLResponse(
            '<!doctype html><html lang="en"><title>Algorithms</title><h1>Algorithms</h1>'
            '<iframe title="The lab" src="/start" width="900" height="500"></iframe>'
            '<p><a href="/start" target="_blank">The lab in a new window</a></p>'
        )
        page.set_cookie("user", request.path_params["user"])  # Lax, as browsers have it without a word
        return page

    async def _start(self, request: Request) -> Response:
        login = _Login(request, self.configured)
        login.set_lti_message_hint(hint="link-4")
        made: Response = login.initiate_login(request.cookies["user"])
        return made

    async def _auth(self, request: Request) -> Response:
        user = request.query_params["login_hint"]
        if request.cookies.get("user") != user or request.query_params["lti_message_hint"] != "link-4":
            return Response("login_required", 403)
        message = _Message(request, self.configured)
        message.set_user_data(user, [self.roles.get(user, LEARNER)], user.title(), f"{user}@example.org")
        message.set_resource_link_claim("link-4")
        message.set_launch_context_claim(CONTEXT, context_title="Algorithms")
        message.set_ags(f"{self.url}/line", f"{self.url}/line/7?type=3")
        made: Response = message.lti_launch()
        return made

    async def _jwks(self, _: Request) -> Response:
        return JSONResponse(self.configured.get_jwks())

    async def _token(self, request: Request) -> Response:
        """The library fetches the keys of the service for it, and checks what they signed."""
        form = dict(await request.form())
        return JSONResponse(await run_in_threadpool(self.configured.get_access_token, form))

    async def _scores(self, request: Request) -> Response:
        asked = _Asked({"method": "POST", "headers": request.headers, "json": await request.json()})
        grades = _Grades(asked, self.configured, f"{self.url}/line", f"{self.url}/line/7")
        grades.book = self.book
        answer = grades.handle_resp(grades.handle_update_score, line_item_id="7")
        return JSONResponse(answer.result, answer.code)


@contextmanager
def platform_for(tool: str) -> Iterator[Platform]:
    """A platform that runs, for a service at this address."""
    with running() as (url, serve):
        platform = Platform(url, tool)
        serve(platform.app())
        yield platform
