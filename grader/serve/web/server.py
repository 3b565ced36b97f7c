"""The web server: uvicorn, with an end to headers that never come."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS: Final = 10.0
"""How long the first line and the headers of a request may take; bodies are timed in guard.py."""
_MOST_CONNECTIONS: Final = 2000
_GOODBYE_SECONDS: Final = 3
"""How long pages that follow something hold up the end."""


class Protocol(H11Protocol):
    """One connection, which is closed where a request has begun and does not come."""

    header_seconds = HEADER_SECONDS
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Go on to wait where a request is not whole, and stop where its headers are."""
        before = self.scope
        super().data_received(data)
        if self.scope is not before:
            self._stop_waiting()
        elif self._waiting is None and not self._is_answering():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
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


def config(app: ASGIApp, *, proxies: Sequence[str] = ()) -> uvicorn.Config:
    """How the server runs; addresses are not logged, since they hold what nobody should guess.

    Only ``proxies`` are believed in whose name they ask; uvicorn would believe whoever is on this machine.
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
