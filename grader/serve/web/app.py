"""The application, with the table of all routes: the path of each, who may use it, and what answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from grader.errors import DiskError
from grader.serve.web import (
    api,
    event_streams,
    feedback_pages,
    sign_in_pages,
    student_pages,
    upload_form,
)
from grader.serve.web.change_watcher import ChangeWatcher
from grader.serve.web.error_pages import answer_disk_error, answer_failure, answer_refusal
from grader.serve.web.guard import Guard
from grader.serve.web.security_headers import SecurityHeaders
from grader.serve.web.site import Site
from grader.serve.web.staff import actions, course_pages, export_page, person_page, scores_page
from grader.serve.web.url_prefix import UrlPrefix
from grader.serve.web.visits import View, Who, make_endpoint, read_asset, redirect_to

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def create_app(site: Site, more: Sequence[Route] = ()) -> ASGIApp:
    """Make the application; ``more`` are the routes of other ways to sign in."""
    handlers = {HTTPException: answer_refusal, DiskError: answer_disk_error, OSError: answer_disk_error}
    app = Starlette(
        routes=[*_routes(), *more],
        middleware=[
            Middleware(ExceptionMiddleware, handlers=handlers),
            Middleware(Guard, url=site.url, names=site.names, limits=site.limits),
        ],
        exception_handlers={**handlers, Exception: answer_failure},
        lifespan=_lifespan,
    )
    app.state.site = site
    app.router.redirect_slashes = False  # it believes what a request says of its host
    return SecurityHeaders(UrlPrefix(app, root=site.root), secure=site.is_secure)


def _routes() -> list[Route]:
    return [
        Route("/static/{name}", _static),
        _get("/", student_pages.home_page),
        _get("/sign-in", sign_in_pages.sign_in_page, "anyone"),
        _post("/sign-in", sign_in_pages.sign_in_by_name, "anyone"),
        _get("/invite/{token}", sign_in_pages.invitation_page, "anyone"),
        _post("/invite/{token}", sign_in_pages.accept_invitation, "anyone"),
        _post("/sign-out", sign_in_pages.sign_out),
        Route("/submit", upload_form.submit, methods=["POST"]),
        _get("/attempts/{attempt}", student_pages.attempt_page),
        _post("/attempts/{attempt}/choose", student_pages.choose_candidate),
        Route("/attempts/{attempt}/events", event_streams.stream_attempt),
        _get("/feedback/{attempt}/", feedback_pages.feedback_page),
        _post("/token", student_pages.make_token),
        _post("/token/delete", student_pages.delete_token),
        Route("/api/submit", api.submit, methods=["POST"]),
        Route("/api/attempts/{attempt}", api.show_attempt),
        _get("/staff", lambda _: redirect_to("/staff/"), "anyone"),
        _get("/staff/", course_pages.people_page, "staff"),
        Route("/staff/events", event_streams.stream_course),
        _get("/staff/class/{path:path}", feedback_pages.class_page, "staff"),
        _get("/staff/people/{person:int}", person_page.person_page, "staff"),
        _get("/staff/attempts/{attempt}/{page}", feedback_pages.staff_feedback_page, "staff"),
        _post("/staff/attempts/{attempt}/rerun", actions.rerun_attempt, "staff"),
        _post("/staff/attempts/{attempt}/withdraw", actions.withdraw_attempt, "staff"),
        _post("/staff/people/{person:int}/deadline", actions.set_deadline, "staff"),
        _post("/staff/people/{person:int}/adjust", actions.adjust_mark, "staff"),
        _post("/staff/people/{person:int}/invite", actions.make_link, "staff"),
        _get("/staff/review", course_pages.review_page, "staff"),
        _post("/staff/review", actions.close_item, "staff"),
        _get("/staff/queue", course_pages.queue_page, "staff"),
        _get("/staff/scores", scores_page.scores_page, "staff"),
        _post("/staff/scores", scores_page.resend_score, "staff"),
        _get("/staff/export", export_page.export_page, "staff"),
        Route("/staff/export", export_page.download_export, methods=["POST"]),
        _get("/staff/audit", course_pages.audit_page, "staff"),
    ]


def _get(path: str, view: View, who: Who = "person") -> Route:
    return Route(path, make_endpoint(view, who))


def _post(path: str, view: View, who: Who = "person") -> Route:
    return Route(path, make_endpoint(view, who), methods=["POST"])


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    try:
        content = read_asset(name)
    except KeyError:
        raise HTTPException(404, "missing") from None
    kind = _TYPES[name.rsplit(".", 1)[-1]]
    return Response(
        content, media_type=kind, headers={"Cache-Control": "public, max-age=31536000, immutable"}
    )


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    app.state.watcher = ChangeWatcher(app.state.site)
    yield
    await app.state.watcher.close()
