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
from grader.serve.web.progress_texts import told
from grader.serve.web.student_pages import own_attempt
from grader.serve.web.visits import Visit, let_in, visit_of

_STILL_HERE = ": still here\n\n"


async def attempt_events(request: Request) -> Response:
    """Stream the events of an attempt to its owner."""

    def follow() -> tuple[Visit, Attempt]:
        visit = let_in(visit_of(request), "person")
        return visit, own_attempt(visit, request.path_params["attempt"])

    visit, attempt = await run_in_threadpool(follow)
    return _stream(visit, _of_attempt(visit, attempt))


async def course_events(request: Request) -> Response:
    """Stream to staff an event whenever something has changed."""
    visit = await run_in_threadpool(lambda: let_in(visit_of(request), "staff"))
    return _stream(visit, _of_course(visit))


def _stream(visit: Visit, events: AsyncIterator[str]) -> Response:
    hub: ChangeWatcher = visit.request.app.state.hub
    hub.enter(visit.who.id)

    async def counted() -> AsyncIterator[str]:
        try:
            async for event in events:
                yield event
        finally:
            hub.leave(visit.who.id)

    return StreamingResponse(counted(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _of_attempt(visit: Visit, attempt: Attempt) -> AsyncIterator[str]:
    hub: ChangeWatcher = visit.request.app.state.hub
    rubric = visit.site.courses[attempt.course]
    async for standing in hub.attempt(attempt.id):
        if standing is None:
            yield _STILL_HERE
        elif standing.is_under_way:
            yield _event("standing", told(standing, rubric, visit.t).as_data())
        else:
            yield _event("ended", {})


async def _of_course(visit: Visit) -> AsyncIterator[str]:
    hub: ChangeWatcher = visit.request.app.state.hub
    async for is_changed in hub.anything():
        yield _event("changed", {}) if is_changed else _STILL_HERE


def _event(name: str, value: Mapping[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(value)}\n\n"
