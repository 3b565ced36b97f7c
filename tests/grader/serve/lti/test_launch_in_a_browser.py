"""From the page of a course to a score in the gradebook, in a real browser.

The platform is lti1p3platform, which is none of ours, with a small site around it: people who are signed in
by a cookie, a page of a course that shows the service in a frame, and a gradebook.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request as LtiRequest
from lti1p3platform.score import UpdateScoreStatus
from lti1p3platform.service_connector import AssignmentsGradesService
from playwright.sync_api import Browser, FilePayload, expect
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from grader.serve.data_folder import DataFolder
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_client import PlatformClient
from grader.serve.store import attempts, outbox, people
from grader.serve.store.database import Store
from grader.serve.web.visits import Site
from tests.grader.serve.lti.gradebook_line import send_one
from tests.grader.serve.lti.school import register, service_at
from tests.grader.serve.lti.world import LEARNER, TEACHER, key
from tests.grader.serve.made import COURSE
from tests.grader.serve.running import running
from tests.grader.serve.web.made import FILES, graded

PATIENCE = 120_000
"""Milliseconds, on a machine that has more to do."""


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
    book: dict[str, dict[str, Any]]

    def update_score(self, line_item_id: str, score: dict[str, Any]) -> UpdateScoreStatus:
        self.book[score["userId"]] = score
        return UpdateScoreStatus.SUCCESS

    def find_lineitems(self, **_: Any) -> Any: ...
    def find_lineitem(self, line_item_id: str) -> Any: ...
    def create_lineitem(self, creation_data: Any) -> Any: ...
    def update_lineitem(self, line_item: Any) -> Any: ...
    def delete_lineitem(self, line_item_id: str) -> None: ...
    def get_results(self, *_: Any, **__: Any) -> Any: ...


class Platform:
    """A platform at an address, for a service at another one."""

    def __init__(self, url: str, tool: str) -> None:
        self.url, self.tool, secret = url, tool, key("platform")
        self.book: dict[str, dict[str, Any]] = {}
        self.chosen: list[dict[str, Any]] = []
        self.configured = _Configured(
            registration=Registration()
            .set_iss(url)
            .set_client_id("client-1")
            .set_deployment_id("deployment-1")
            .set_launch_url(f"{tool}/lti/launch")
            .set_deeplink_launch_url(f"{tool}/lti/launch/choose")
            .set_oidc_login_url(f"{tool}/lti/login")
            .set_tool_key_set_url(f"{tool}/lti/jwks")
            .set_platform_public_key(secret.as_pem(private=False).decode())
            .set_platform_private_key(secret.as_pem(private=True).decode())
        )

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/course/{user}", self._course),
                Route("/start", self._start),
                Route("/chosen", self._choose, methods=["POST"]),
                Route("/auth", self._auth),
                Route("/jwks", lambda _: JSONResponse(self.configured.get_jwks())),
                Route("/token", self._token, methods=["POST"]),
                Route("/line/7/scores", self._scores, methods=["POST"]),
            ]
        )

    async def _course(self, request: Request) -> Response:
        src = f"/start?{request.url.query}"
        page = HTMLResponse(f'<!doctype html><iframe title="The lab" src="{src}"></iframe>')
        page.set_cookie("user", request.path_params["user"])  # Lax, as browsers have it without a word
        return page

    async def _start(self, request: Request) -> Response:
        login, hint = _Login(request, self.configured), request.query_params.get("hint", "link-4")
        login.set_lti_message_hint(hint=hint)
        if hint == "new link":
            login.set_launch_url(f"{self.tool}/lti/launch/choose")
        made: Response = login.initiate_login(request.cookies["user"])
        return made

    async def _auth(self, request: Request) -> Response:
        user = request.query_params["login_hint"]
        hint = request.query_params["lti_message_hint"]
        if request.cookies.get("user") != user or hint not in ("link-4", "new link"):
            return Response("login_required", 403)
        message = _Message(request, self.configured)
        role = LEARNER if hint == "link-4" else TEACHER
        message.set_user_data(user, [role], user.title(), f"{user}@example.org")
        message.set_launch_context_claim("course-9", context_title="Algorithms")
        if hint == "link-4":
            message.set_resource_link_claim("link-4")
            message.set_ags(f"{self.url}/line", f"{self.url}/line/7?type=3")
        else:
            message.set_dl(f"{self.url}/chosen")
        made: Response = message.lti_launch()
        return made

    async def _choose(self, request: Request) -> Response:
        """The library fetches the keys of the service for it, too."""
        form = dict(await request.form())
        self.chosen += await run_in_threadpool(self.configured.validate_deeplinking_resp, form)
        return HTMLResponse("<!doctype html><p>The link is there.</p>")

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
def _both(data: DataFolder, store: Store) -> Iterator[tuple[Platform, Site, LaunchService]]:
    """The service and the platform are two sites for a browser: localhost and 127.0.0.1."""
    with running("localhost") as (url, serve), running() as (there, serve_platform):
        platform = Platform(there, url)
        serve_platform(platform.app())
        register(store, there)
        site, lti, app = service_at(url, data, store)
        serve(app)
        yield platform, site, lti


def test_a_teacher_chooses_the_course_in_the_frame(browser: Browser, data: DataFolder, store: Store) -> None:
    """Nobody is signed in by it, and the platform gets an answer that it can verify."""
    page = browser.new_page()
    with _both(data, store) as (platform, _, _):
        page.set_default_timeout(PATIENCE)
        page.goto(f"{platform.url}/course/grace?hint=new link")
        page.frame_locator("iframe").get_by_role("button", name="Mazes").click()
        expect(page.frame_locator("iframe").get_by_text("The link is there.")).to_be_visible(timeout=PATIENCE)
        (item,) = platform.chosen
        assert (item["type"], item["custom"]) == ("ltiResourceLink", {"course": COURSE})
        assert people.list_for_course(store, COURSE) == []
    page.close()


def test_from_the_course_to_the_gradebook(browser: Browser, data: DataFolder, store: Store) -> None:
    course = browser.new_page()
    with _both(data, store) as (platform, site, lti):
        course.set_default_timeout(PATIENCE)
        course.goto(f"{platform.url}/course/ada")
        with course.expect_popup() as opened:
            course.frame_locator("iframe").get_by_role("link", name="in a new window").click()
        page = opened.value
        expect(page).to_have_url(f"{site.url}/", timeout=PATIENCE)
        (ada,) = people.list_for_course(store, COURSE)
        assert (ada.name, ada.email, ada.role) == ("Ada", "ada@example.org", "student")
        files = [FilePayload(name=name, mimeType="text/x-python", buffer=content) for name, content in FILES]
        page.locator("input[type=file]").first.set_input_files(files)
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            page.locator("main form button[type=submit]").first.click()
        (attempt,) = attempts.list_for_person(store, ada.id)
        graded(site, attempt)
        assert send_one(store, PlatformClient(lti.key), site.clock())
        (item,) = outbox.list_for_course(store, COURSE)
        assert item.error == ""
        score = platform.book["ada"]
        assert (score["scoreGiven"], score["scoreMaximum"]) == (item.score, item.max_score)
        assert score["gradingProgress"] == "FullyGraded"
    course.close()
