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
from grader.serve.web import api, feedback, live, sign_in, student, tokens, uploads
from grader.serve.web.guard import Guard
from grader.serve.web.headers import Headers
from grader.serve.web.hub import Hub
from grader.serve.web.problems import disk, failed, refused
from grader.serve.web.root import Root
from grader.serve.web.site import Site
from grader.serve.web.staff import acts, export, lists, one, scores
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
    return Headers(Root(app, root=site.root), secure=site.is_secure)


def _routes() -> list[Route]:
    return [
        Route("/static/{name}", _static),
        _get("/", student.home),
        _get("/sign-in", sign_in.page, "anyone"),
        _post("/sign-in", sign_in.by_name, "anyone"),
        _get("/invite/{token}", sign_in.invitation, "anyone"),
        _post("/invite/{token}", sign_in.accept, "anyone"),
        _post("/sign-out", sign_in.leave),
        Route("/submit", uploads.submit, methods=["POST"]),
        _get("/attempts/{attempt}", student.attempt_page),
        Route("/attempts/{attempt}/events", live.attempt_events),
        _get("/feedback/{attempt}/", feedback.feedback),
        _post("/token", tokens.make),
        _post("/token/delete", tokens.delete),
        Route("/api/submit", api.submit, methods=["POST"]),
        Route("/api/attempts/{attempt}", api.attempt),
        _get("/staff", lambda _: see("/staff/"), "anyone"),
        _get("/staff/", lists.people_page, "staff"),
        Route("/staff/events", live.course_events),
        _get("/staff/class/{path:path}", feedback.class_file, "staff"),
        _get("/staff/people/{person:int}", one.person_page, "staff"),
        _get("/staff/attempts/{attempt}/{page}", feedback.staff_feedback, "staff"),
        _post("/staff/attempts/{attempt}/rerun", acts.rerun, "staff"),
        _post("/staff/attempts/{attempt}/withdraw", acts.withdraw, "staff"),
        _post("/staff/people/{person:int}/deadline", acts.extend, "staff"),
        _post("/staff/people/{person:int}/adjust", acts.adjust, "staff"),
        _post("/staff/people/{person:int}/invite", acts.invite, "staff"),
        _get("/staff/review", lists.review_page, "staff"),
        _post("/staff/review", acts.look, "staff"),
        _get("/staff/queue", lists.queue_page, "staff"),
        _get("/staff/scores", scores.page, "staff"),
        _post("/staff/scores", scores.again, "staff"),
        _get("/staff/export", export.page, "staff"),
        Route("/staff/export", export.download, methods=["POST"]),
        _get("/staff/audit", lists.audit_page, "staff"),
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
    app.state.hub = Hub(app.state.site)
    yield
    await app.state.hub.close()
