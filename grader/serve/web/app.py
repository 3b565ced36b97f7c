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
    token_pages,
    upload_form,
)
from grader.serve.web.change_watcher import ChangeWatcher
from grader.serve.web.error_pages import disk, failed, refused
from grader.serve.web.guard import Guard
from grader.serve.web.security_headers import SecurityHeaders
from grader.serve.web.site import Site
from grader.serve.web.staff import actions, course_pages, export_page, person_page, scores_page
from grader.serve.web.url_prefix import UrlPrefix
from grader.serve.web.visits import View, Who, asset, page, see

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def create_app(site: Site, more: Sequence[Route] = ()) -> ASGIApp:
    """Make the application; ``more`` are the routes of other ways to sign in."""
    handlers = {HTTPException: refused, DiskError: disk, OSError: disk}
    app = Starlette(
        routes=[*_routes(), *more],
        middleware=[
            Middleware(ExceptionMiddleware, handlers=handlers),
            Middleware(Guard, url=site.url, names=site.names, limits=site.limits),
        ],
        exception_handlers={**handlers, Exception: failed},
        lifespan=_lifespan,
    )
    app.state.site = site
    app.router.redirect_slashes = False  # it believes what a request says of its host
    return SecurityHeaders(UrlPrefix(app, root=site.root), secure=site.is_secure)


def _routes() -> list[Route]:
    return [
        Route("/static/{name}", _static),
        _get("/", student_pages.home),
        _get("/sign-in", sign_in_pages.page, "anyone"),
        _post("/sign-in", sign_in_pages.by_name, "anyone"),
        _get("/invite/{token}", sign_in_pages.invitation, "anyone"),
        _post("/invite/{token}", sign_in_pages.accept, "anyone"),
        _post("/sign-out", sign_in_pages.leave),
        Route("/submit", upload_form.submit, methods=["POST"]),
        _get("/attempts/{attempt}", student_pages.attempt_page),
        Route("/attempts/{attempt}/events", event_streams.attempt_events),
        _get("/feedback/{attempt}/", feedback_pages.feedback),
        _post("/token", token_pages.make),
        _post("/token/delete", token_pages.delete),
        Route("/api/submit", api.submit, methods=["POST"]),
        Route("/api/attempts/{attempt}", api.attempt),
        _get("/staff", lambda _: see("/staff/"), "anyone"),
        _get("/staff/", course_pages.people_page, "staff"),
        Route("/staff/events", event_streams.course_events),
        _get("/staff/class/{path:path}", feedback_pages.class_file, "staff"),
        _get("/staff/people/{person:int}", person_page.person_page, "staff"),
        _get("/staff/attempts/{attempt}/{page}", feedback_pages.staff_feedback, "staff"),
        _post("/staff/attempts/{attempt}/rerun", actions.rerun, "staff"),
        _post("/staff/attempts/{attempt}/withdraw", actions.withdraw, "staff"),
        _post("/staff/people/{person:int}/deadline", actions.extend, "staff"),
        _post("/staff/people/{person:int}/adjust", actions.adjust, "staff"),
        _post("/staff/people/{person:int}/invite", actions.invite, "staff"),
        _get("/staff/review", course_pages.review_page, "staff"),
        _post("/staff/review", actions.look, "staff"),
        _get("/staff/queue", course_pages.queue_page, "staff"),
        _get("/staff/scores", scores_page.page, "staff"),
        _post("/staff/scores", scores_page.again, "staff"),
        _get("/staff/export", export_page.page, "staff"),
        Route("/staff/export", export_page.download, methods=["POST"]),
        _get("/staff/audit", course_pages.audit_page, "staff"),
    ]


def _get(path: str, view: View, who: Who = "person") -> Route:
    return Route(path, page(view, who))


def _post(path: str, view: View, who: Who = "person") -> Route:
    return Route(path, page(view, who), methods=["POST"])


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    try:
        content = asset(name)
    except KeyError:
        raise HTTPException(404, "missing") from None
    kind = _TYPES[name.rsplit(".", 1)[-1]]
    return Response(
        content, media_type=kind, headers={"Cache-Control": "public, max-age=31536000, immutable"}
    )


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    app.state.hub = ChangeWatcher(app.state.site)
    yield
    await app.state.hub.close()
