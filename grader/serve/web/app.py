"""The application: the table of all routes with the path of each, who may use it, and what answers.

Where nothing can, an error page says what went wrong and what to do next.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final, cast

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from grader.errors import DiskError
from grader.languages import catalogue
from grader.serve.web import api, feedback_pages, live_pages, sign_in_pages, student_pages, upload_form
from grader.serve.web.guard import Guard
from grader.serve.web.lab_page import lab_routes
from grader.serve.web.live_pages import ChangeWatcher
from grader.serve.web.response_headers import ResponseHeaders
from grader.serve.web.site import Site
from grader.serve.web.staff import actions, export_page, pages
from grader.serve.web.visits import View, Who, find_visit, make_endpoint, read_asset, redirect_to

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_LOG: Final = logging.getLogger(__name__)
_KINDS: Final = ("missing", "origin", "sign_in", "invite", "large", "slow", "often", "host", "wrong")
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
_BY_STATUS: Final = {401: "sign_in", 403: "origin", 404: "missing", 405: "missing", 413: "large"}


def create_app(site: Site, more: Sequence[BaseRoute] = ()) -> ASGIApp:
    """Make the application; ``more`` are the routes of other ways to sign in."""
    handlers = {HTTPException: answer_refusal, DiskError: answer_disk_error, OSError: answer_disk_error}
    app = Starlette(
        routes=[*_routes(), *more, *(lab_routes(site.lab) if site.lab else ())],
        middleware=[
            Middleware(ExceptionMiddleware, handlers=handlers),
            Middleware(Guard, url=site.url, names=site.names, limits=site.limits),
        ],
        exception_handlers={**handlers, Exception: answer_failure},
        lifespan=_lifespan,
    )
    app.state.site = site
    app.router.redirect_slashes = False  # it believes what a request says of its host
    return ResponseHeaders(app, root=site.root, secure=site.is_secure)


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
        Route("/attempts/{attempt}/events", live_pages.stream_attempt),
        _get("/feedback/{attempt}/", feedback_pages.feedback_page),
        _post("/token", student_pages.make_token),
        _post("/token/delete", student_pages.delete_token),
        Route("/api/submit", api.submit, methods=["POST"]),
        Route("/api/attempts/{attempt}", api.show_attempt),
        _get("/staff", lambda _: redirect_to("/staff/"), "anyone"),
        _get("/staff/", pages.people_page, "staff"),
        Route("/staff/events", live_pages.stream_course),
        _get("/staff/class/{path:path}", feedback_pages.class_page, "staff"),
        _get("/staff/people/{person:int}", pages.person_page, "staff"),
        _get("/staff/attempts/{attempt}/{page}", feedback_pages.staff_feedback_page, "staff"),
        _post("/staff/attempts/{attempt}/rerun", actions.rerun_attempt, "staff"),
        _post("/staff/attempts/{attempt}/withdraw", actions.withdraw_attempt, "staff"),
        _post("/staff/people/{person:int}/deadline", actions.set_deadline, "staff"),
        _post("/staff/people/{person:int}/adjust", actions.adjust_mark, "staff"),
        _post("/staff/people/{person:int}/invite", actions.make_link, "staff"),
        _get("/staff/review", pages.review_page, "staff"),
        _post("/staff/review", actions.close_item, "staff"),
        _get("/staff/queue", pages.queue_page, "staff"),
        _get("/staff/scores", pages.scores_page, "staff"),
        _post("/staff/scores", actions.resend_score, "staff"),
        _get("/staff/export", export_page.export_page, "staff"),
        Route("/staff/export", export_page.download_export, methods=["POST"]),
        _get("/staff/audit", pages.audit_page, "staff"),
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


async def answer_refusal(request: Request, error: Exception) -> Response:
    """Answer a request that was refused."""
    problem = cast(HTTPException, error)
    kind = problem.detail if problem.detail in _KINDS else _BY_STATUS.get(problem.status_code, "wrong")
    if kind == "sign_in" and request.method == "GET":
        return RedirectResponse("/sign-in", 303)
    return await run_in_threadpool(_page, request, kind, problem)


async def answer_disk_error(request: Request, error: Exception) -> Response:
    """Answer a request that failed because the disk is full or read-only; raise any other OSError again."""
    if not isinstance(error, DiskError) and getattr(error, "errno", None) not in _FULL:
        raise error
    _LOG.error("%s %s could not be done: %s", request.method, request.scope["path"], error)
    return await run_in_threadpool(_page, request, "disk", HTTPException(507))


async def answer_failure(request: Request, error: Exception) -> Response:
    """Answer a request on which the service failed; log the error, but nothing that was sent."""
    _LOG.error("%s %s could not be answered", request.method, request.scope["path"], exc_info=error)
    return await run_in_threadpool(_page, request, "fault", HTTPException(500))


def _page(request: Request, kind: str, problem: HTTPException) -> Response:
    if request.url.path.startswith("/api/"):
        t = catalogue("en")
        return JSONResponse({"error": t(f"serve.problem.{kind}.what")}, problem.status_code, problem.headers)
    response = find_visit(request).page("problem.html.j2", problem.status_code, kind=kind)
    response.headers.update(problem.headers or {})
    return response
