"""The error pages, which say what went wrong and what to do next."""

from __future__ import annotations

import errno
import logging
from typing import Final, cast

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from grader.errors import DiskError
from grader.languages import catalogue
from grader.serve.web.visits import find_visit

_LOG: Final = logging.getLogger(__name__)
_KINDS: Final = ("missing", "origin", "sign_in", "invite", "large", "slow", "often", "host", "wrong")
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
_BY_STATUS: Final = {401: "sign_in", 403: "origin", 404: "missing", 405: "missing", 413: "large"}


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
