"""The application: the table of all routes, and the process that serves them.

Where nothing can, an error page says what went wrong and what to do next.

The feedback pages are at unguessable URLs, only for the people concerned, and in a browser sandbox: they
contain what students handed in. So each is an origin of its own, which cannot reach the cookies, forms
and pages of this site, whatever it contains.

The files of a release, the lab in a browser tab, may do only what each of them says of itself. Students' code
runs there in a frame without an origin: it sees no cookie of the site, and can call nobody.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import logging
import re
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, cast

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from grader.api import ClassFolder, ReleaseFolder, ResultFolder, die_with_parent, load_rules, render_html
from grader.errors import DiskError
from grader.languages import catalogue
from grader.serve.data_folder import DataFolder
from grader.serve.lti.keys import load_own_key
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_client import PlatformClient
from grader.serve.lti.score_sender import ScoreSender
from grader.serve.mail import MailSender, read_server
from grader.serve.service import LAB_CONFIG
from grader.serve.store.database import Store
from grader.serve.store.people import Person
from grader.serve.web import (
    api,
    class_page,
    code_page,
    health,
    item_page,
    marking_page,
    regrade_page,
    request_pages,
    sign_in_pages,
    staff,
    student_pages,
)
from grader.serve.web.api import ChangeWatcher
from grader.serve.web.guard import SANDBOX, Guard, ResponseHeaders
from grader.serve.web.platform_pages import platform_routes
from grader.serve.web.sign_in_pages import launch_routes
from grader.serve.web.staff import find_attempt
from grader.serve.web.student_pages import find_own_attempt
from grader.serve.web.visible_results import visible_results
from grader.serve.web.visits import (
    Site,
    View,
    Visit,
    Who,
    find_visit,
    make_endpoint,
    read_asset,
    redirect_to,
    wants_data,
)

_SANDBOX_HEADERS: Final = {"Content-Security-Policy": SANDBOX, "Cross-Origin-Opener-Policy": "unsafe-none"}
"""Sandboxed pages have these headers; browsers reject one that also has an opener policy."""
_CLASS_PAGES: Final = re.compile(r"index\.html|alike/[0-9]+\.html|[^/\0]+/(feedback|staff)\.html")


def feedback_page(visit: Visit) -> Response:
    """Answer with what a student may see of an attempt, in the student's language."""
    attempt = find_own_attempt(visit, visit.request.path_params["attempt"])
    results = visible_results(visit.site, visit.who, attempt, visit.now)
    if results is None:
        raise HTTPException(404, "missing")
    return sandboxed(render_html(results, visit.language))


def staff_feedback_page(visit: Visit) -> Response:
    """Answer with a page of an attempt as it is on the disk, for staff of its course."""
    attempt, _ = find_attempt(visit)
    for_staff, folder = visit.request.path_params["page"] == "staff", visit.site.data.result(attempt)
    return _page_of(lambda: ResultFolder(folder).read_page(for_staff=for_staff))


def class_folder_page(visit: Visit) -> Response:
    """Answer with a page of the class folder, or with the table or a plot that the class page links to."""
    path = visit.request.path_params["path"]
    folder = visit.site.data.course(visit.who.course)
    if path in ClassFolder.DOWNLOADS and (folder.path / path).is_file():
        return FileResponse(folder.path / path, filename=path)
    if not _CLASS_PAGES.fullmatch(path) or ".." in path.split("/"):
        raise HTTPException(404, "missing")
    return _page_of(lambda: folder.read_page(path))


def sandboxed(page: str | bytes) -> HTMLResponse:
    """Return a sandboxed page, which is an origin of its own."""
    return HTMLResponse(page, headers=_SANDBOX_HEADERS)


def _page_of(read: Callable[[], bytes]) -> Response:
    try:
        return sandboxed(read())
    except OSError:
        raise HTTPException(404, "missing") from None


def lab_routes(folder: Path, path: str = "/lab") -> list[BaseRoute]:
    """Return the routes of the lab: its files, and its configuration with this service to hand in to.

    Pages of this site, and no others, learn from it who is signed in, and the token of the sign-in.
    By ``owner``, which means nothing elsewhere, they keep apart what different people write in one browser.
    """
    config = {**json.loads((folder / LAB_CONFIG).read_bytes()), "service": "../" * path.count("/")}

    def configuration(visit: Visit) -> Response:
        is_own = visit.request.headers.get("sec-fetch-site", "same-origin") == "same-origin"
        person, sign_in = (visit.person, visit.sign_in) if is_own else (None, None)
        who = {"person": person.name if person else None, "csrf": sign_in.csrf if sign_in else None}
        return JSONResponse({**config, **who, "owner": _owner(person) if person else None})

    async def root(_: Request) -> Response:
        return RedirectResponse(f"{path}/")

    return [
        Route(path, root),
        _get(f"{path}/{LAB_CONFIG}", configuration, "anyone"),
        Mount(path, _Files(directory=folder, html=True)),
    ]


def _owner(person: Person) -> str:
    known_by = f"{person.course} {person.origin} {person.external}"
    return hashlib.sha256(known_by.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class _Files(StaticFiles):
    """Files whose pages carry policies of their own; browsers ask whether theirs are the newest."""

    def file_response(self, *given: Any, **more: Any) -> Response:
        """Answer with a file."""
        response = super().file_response(*given, **more)
        response.headers["Content-Security-Policy"] = "frame-ancestors 'self'"
        response.headers["Cache-Control"] = "no-cache"
        return response


_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_LOG: Final = logging.getLogger(__name__)
_KINDS: Final = ("missing", "origin", "rank", "sign_in", "invite", "large", "slow", "often", "host", "wrong")
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
_BY_STATUS: Final = {401: "sign_in", 403: "origin", 404: "missing", 405: "missing", 413: "large"}


def create_app(site: Site, more: Sequence[BaseRoute] = ()) -> ASGIApp:
    """Make the application; ``more`` are the routes of other ways to sign in."""
    handlers = {
        HTTPException: answer_refusal,
        DiskError: answer_disk_error,
        OSError: answer_disk_error,
        ClientDisconnect: answer_nobody,
    }
    labs = lab_routes(site.lab) if site.lab else []
    for id_, release in site.releases.items():
        labs += lab_routes(release.browser, site.lab_path(id_).rstrip("/"))
    app = Starlette(
        routes=[*_routes(), *more, *labs],
        middleware=[
            Middleware(ExceptionMiddleware, handlers=handlers),
            Middleware(Guard, url=site.url, names=site.names, limits=site.limits),
        ],
        exception_handlers={**handlers, Exception: answer_failure},
        lifespan=_lifespan,
    )
    app.state.site, app.state.answers = site, Counter[tuple[str, int]]()
    app.router.redirect_slashes = False  # it believes what a request says of its host
    return ResponseHeaders(app, app.state.answers, root=site.root, secure=site.is_secure)


def _routes() -> list[Route]:
    return [
        Route("/static/{name}", _static),
        Route("/healthz", health.health),
        Route("/metrics", health.metrics),
        _get("/", student_pages.home_page),
        _get("/sign-in", sign_in_pages.sign_in_page, "anyone"),
        _post("/sign-in", sign_in_pages.sign_in_by_name, "anyone"),
        _get("/invite/{token}", sign_in_pages.invitation_page, "anyone"),
        _post("/invite/{token}", sign_in_pages.accept_invitation, "anyone"),
        _post("/sign-out", sign_in_pages.sign_out),
        Route("/submit", student_pages.submit, methods=["POST"]),
        _get("/attempts/{attempt}", student_pages.attempt_page),
        _post("/attempts/{attempt}/choose", student_pages.choose_candidate),
        _post("/attempts/{attempt}/ask", request_pages.act_on_request),
        Route("/attempts/{attempt}/events", api.stream_attempt),
        _get("/feedback/{attempt}/", feedback_page),
        _get("/kit", student_pages.downloads(lambda release, _: release.archive)),
        _get("/handout", student_pages.downloads(ReleaseFolder.handout)),
        _post("/token", student_pages.make_token),
        _post("/token/delete", student_pages.delete_token),
        Route("/api/submit", api.submit, methods=["POST"]),
        Route("/api/attempts/{attempt}", api.show_attempt),
        _get("/staff", lambda _: redirect_to("/staff/"), "anyone"),
        _get("/staff/", class_page.class_page, "staff"),
        Route("/staff/events", api.stream_course),
        Route("/staff/people", class_page.add_class, methods=["POST"]),
        _get("/staff/class/{path:path}", class_folder_page, "staff"),
        _get("/staff/people/{person:int}", staff.person_page, "staff"),
        _get("/staff/attempts/{attempt}/code", code_page.code_page, "staff"),
        _post("/staff/attempts/{attempt}/comment", code_page.comment_at_line, "staff"),
        _get("/staff/attempts/{attempt}/download", staff.download_attempt, "staff"),
        _get("/staff/attempts/{attempt}/{page}", staff_feedback_page, "staff"),
        _post("/staff/attempts/{attempt}/rerun", staff.rerun_attempt, "staff"),
        _post("/staff/attempts/{attempt}/withdraw", staff.withdraw_attempt, "staff"),
        _post("/staff/attempts/{attempt}/restore", staff.restore_attempt, "staff"),
        Route("/staff/people/{person:int}/submit", staff.hand_in_for, methods=["POST"]),
        _post("/staff/people/{person:int}/rank", staff.change_rank, "teacher"),
        _post("/staff/people/{person:int}/deadline", staff.set_deadline, "staff"),
        _post("/staff/people/{person:int}/adjust", staff.adjust_mark, "staff"),
        _post("/staff/people/{person:int}/invite", staff.make_link, "staff"),
        _get("/staff/review", staff.review_page, "staff"),
        _post("/staff/review", staff.close_item, "staff"),
        _post("/staff/share", staff.share_items, "teacher"),
        _get("/staff/review/{item}", item_page.item_page, "staff"),
        _post("/staff/review/{item}", item_page.act_on_item, "staff"),
        _get("/staff/requests/{request}", request_pages.request_page, "staff"),
        _post("/staff/requests/{request}", request_pages.answer_request, "staff"),
        _post("/staff/requests/{request}/try", request_pages.try_on_maze, "staff"),
        _get("/staff/marking", marking_page.marking_page, "staff"),
        _post("/staff/marking", marking_page.mark_answer, "staff"),
        _get("/staff/queue", staff.queue_page, "staff"),
        _get("/staff/regrade", regrade_page.regrade_page, "teacher"),
        _post("/staff/regrade", regrade_page.act_on_regrade, "teacher"),
        _get("/staff/scores", staff.scores_page, "staff"),
        _post("/staff/scores", staff.resend_score, "staff"),
        _get("/staff/export", staff.export_page, "staff"),
        Route("/staff/export", staff.download_export, methods=["POST"]),
        _get("/staff/audit", staff.audit_page, "staff"),
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
    kind, headers = _TYPES[name.rsplit(".", 1)[-1]], {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(content, media_type=kind, headers=headers)


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    app.state.watcher = ChangeWatcher(app.state.site)
    yield
    await app.state.watcher.close()


async def answer_refusal(request: Request, error: Exception) -> Response:
    """Answer a request that was refused."""
    problem = cast(HTTPException, error)
    kind = problem.detail if problem.detail in _KINDS else _BY_STATUS.get(problem.status_code, "wrong")
    if kind == "sign_in" and request.method == "GET" and not wants_data(request):
        return RedirectResponse("/sign-in", 303)
    return await run_in_threadpool(_page, request, kind, problem)


async def answer_disk_error(request: Request, error: Exception) -> Response:
    """Answer a request that failed because the disk is full or read-only; raise any other OSError again."""
    if not isinstance(error, DiskError) and getattr(error, "errno", None) not in _FULL:
        raise error
    _LOG.error("%s %s could not be done: %s", request.method, request.scope["path"], error)
    return await run_in_threadpool(_page, request, "disk", HTTPException(507))


async def answer_nobody(request: Request, _: Exception) -> Response:
    """End a request that was broken off, of which one line is logged: nobody is there to be answered."""
    _LOG.warning("%s %s was broken off", request.method, request.scope["path"])
    return Response(status_code=400)


async def answer_failure(request: Request, error: Exception) -> Response:
    """Answer a request on which the service failed; log the error, but nothing that was sent."""
    _LOG.error("%s %s could not be answered", request.method, request.scope["path"], exc_info=error)
    return await run_in_threadpool(_page, request, "fault", HTTPException(500))


def _page(request: Request, kind: str, problem: HTTPException) -> Response:
    if wants_data(request):
        t = catalogue("en")
        return JSONResponse({"error": t(f"serve.problem.{kind}.what")}, problem.status_code, problem.headers)
    response = find_visit(request).page("problem.html.j2", problem.status_code, kind=kind)
    response.headers.update(problem.headers or {})
    return response


HEADER_SECONDS: Final = 10.0
"""The first line and the headers of a request must arrive within 10 seconds; guard.py limits the body."""
_MOST_CONNECTIONS: Final = 2000
"""At most 2000 connections are served at once."""
_GOODBYE_SECONDS: Final = 3
"""Open streams get 3 seconds to end when the server stops."""


def main(config: dict[str, Any]) -> None:
    """Serve the folder ``data`` with its ``courses`` (rubrics by id) at the socket ``fd``, until
    terminated."""
    die_with_parent(config["parent"])
    data = DataFolder(Path(config["data"]))
    store, key, listening = Store(data.database), load_own_key(data.lti), socket.socket(fileno=config["fd"])
    site = Site(
        data,
        store,
        {id_: load_rules(Path(path) if path else None) for id_, path in config["courses"].items()},
        demo=config["demo"],
        lab=Path(config["lab"]) if config["lab"] else None,
        releases={id_: ReleaseFolder(Path(path)) for id_, path in config["releases"].items()},
        url=config["url"],
        sends_mails=bool(config["mail"]),
        names=frozenset({config["host"].lower(), socket.gethostname().lower()}),
    )
    address = config["url"] or f"http://localhost:{listening.getsockname()[1]}"
    lti = LaunchService(store, address, key, tuple(site.courses))
    client = PlatformClient(key)
    senders: list[ScoreSender | MailSender] = [ScoreSender(store, client)]
    if config["mail"]:
        senders.append(MailSender(store, read_server(**config["mail"]), site.courses, address))
    for each in senders:
        each.start()
    try:
        app = create_app(site, [*launch_routes(lti), *platform_routes(lti, client)])
        uvicorn.Server(server_config(app, proxies=config["proxies"])).run([listening])
    finally:
        for each in senders:
            each.end()


class Protocol(H11Protocol):
    """A connection that is closed if the headers of a request do not arrive in time."""

    header_seconds = HEADER_SECONDS
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Stop the timer when the headers are complete, and start it when a further request begins."""
        before = self.scope
        super().data_received(data)
        if self.scope is not before:
            self._stop_waiting()
        elif self._waiting is None and (self.cycle is None or self.cycle.response_complete):
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.header_seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        self.transport.close()


def server_config(app: ASGIApp, *, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """Return the configuration of the server; URLs are not logged, since they contain secrets.

    Forwarding headers are trusted from ``proxies`` only; by default, uvicorn would trust all of this machine.
    """
    return uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        log_level="warning",
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_GOODBYE_SECONDS,
    )


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
