"""Sites that run in threads of the test, each at a port of its own, by the server that serves students."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import uvicorn
from starlette.types import ASGIApp

from grader.serve.web.app import server_config

Serve = Callable[[ASGIApp], None]


@contextmanager
def running(host: str = "127.0.0.1", certificate: Path | None = None) -> Iterator[tuple[str, Serve]]:
    """An address, and what has a site answer there until the end; by https with a certificate."""
    servers: list[tuple[uvicorn.Server, Thread]] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve(app: ASGIApp) -> None:
            config = server_config(app)
            config.ssl_certfile = certificate
            server = uvicorn.Server(config)
            thread = Thread(target=server.run, args=([listening],))
            thread.start()
            servers.append((server, thread))

        try:
            yield f"http{'s' * bool(certificate)}://{host}:{listening.getsockname()[1]}", serve
        finally:
            for server, thread in servers:
                server.should_exit = True
                thread.join()
