"""Server-sent events for pages that follow live changes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from grader.serve.store.attempts import Attempt
from grader.serve.web.change_watcher import ChangeWatcher
from grader.serve.web.progress_texts import describe_progress
from grader.serve.web.student_pages import find_own_attempt
from grader.serve.web.visits import Visit, check_access, find_visit

_STILL_HERE = ": still here\n\n"


async def stream_attempt(request: Request) -> Response:
    """Stream the events of an attempt to its owner."""

    def follow() -> tuple[Visit, Attempt]:
        visit = check_access(find_visit(request), "person")
        return visit, find_own_attempt(visit, request.path_params["attempt"])

    visit, attempt = await run_in_threadpool(follow)
    return _stream(visit, _of_attempt(visit, attempt))


async def stream_course(request: Request) -> Response:
    """Stream to staff an event whenever something has changed."""
    visit = await run_in_threadpool(lambda: check_access(find_visit(request), "staff"))
    return _stream(visit, _of_course(visit))


def _stream(visit: Visit, events: AsyncIterator[str]) -> Response:
    watcher: ChangeWatcher = visit.request.app.state.watcher
    watcher.open_stream(visit.who.id)

    async def counted() -> AsyncIterator[str]:
        try:
            async for event in events:
                yield event
        finally:
            watcher.close_stream(visit.who.id)

    return StreamingResponse(counted(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _of_attempt(visit: Visit, attempt: Attempt) -> AsyncIterator[str]:
    watcher: ChangeWatcher = visit.request.app.state.watcher
    rubric = visit.site.courses[attempt.course]
    async for standing in watcher.follow_attempt(attempt.id):
        if standing is None:
            yield _STILL_HERE
        elif standing.is_under_way:
            yield _event("standing", describe_progress(standing, rubric, visit.t).as_data())
        else:
            yield _event("ended", {})


async def _of_course(visit: Visit) -> AsyncIterator[str]:
    watcher: ChangeWatcher = visit.request.app.state.watcher
    async for is_changed in watcher.follow_changes():
        yield _event("changed", {}) if is_changed else _STILL_HERE


def _event(name: str, value: Mapping[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(value)}\n\n"
