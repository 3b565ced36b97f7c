"""The web process, which ``grader serve`` starts with its configuration as JSON: uvicorn."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from grader.batch.worker import die_with_parent
from grader.course.plan import disagreement
from grader.course.rubric import Rubric, load_rubric
from grader.exercises.registry import titles
from grader.serve.data_folder import DataFolder
from grader.serve.lti.keys import load_own_key
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.score_client import ScoreClient
from grader.serve.lti.score_sender import ScoreSender
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.launch_pages import launch_routes
from grader.serve.web.site import Site

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
        {id_: _rubric(path) for id_, path in config["courses"].items()},
        demo=config["demo"],
        lab=Path(config["lab"]) if config["lab"] else None,
        url=config["url"],
        names=frozenset({config["host"].lower(), socket.gethostname().lower()}),
    )
    lti = LaunchService(store, config["url"] or _own_url(listening), key, tuple(site.courses))
    sender = ScoreSender(store, ScoreClient(key))
    sender.start()
    try:
        app = create_app(site, launch_routes(lti))
        uvicorn.Server(server_config(app, proxies=config["proxies"])).run([listening])
    finally:
        sender.end()


def _own_url(listening: socket.socket) -> str:
    """Return the URL for a browser on this machine."""
    return f"http://localhost:{listening.getsockname()[1]}"


def _rubric(path: str | None) -> Rubric:
    """Load the rubric of a course: the shipped one if there is no path."""
    return load_rubric(Path(path) if path else None, checks=titles(), agrees=disagreement)


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
        elif self._waiting is None and not self._is_answering():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

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
