"""Serve a changing page to a browser on this machine, at 127.0.0.1."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Self

from lab.render.page import asset

Page = Callable[..., str]
"""Formats a page; ``page(script=...)`` adds a script to it."""


class LivePage:
    """A page at an address; browsers reload it when it changes."""

    def __init__(self) -> None:
        self._page, self._version = "", 0
        served = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                served._answer(self)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the inherited name
                """Say nothing: the screen is for the tests."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._host = f"127.0.0.1:{self._server.server_port}"
        self.address = f"http://{self._host}/"
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def show(self, page: Page) -> None:
        """Replace the page."""
        version = self._version + 1
        script = f'\nconst SHOWN = "{version}";' + asset("follow.js")
        self._page = page(script=script)
        self._version = version

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        """Answer the two known paths; requests under another host name are refused."""
        texts = {"/": ("text/html", self._page), "/version": ("text/plain", str(self._version))}
        if request.path not in texts or request.headers.get("Host") != self._host:
            request.send_error(HTTPStatus.NOT_FOUND)
            return
        kind, text = texts[request.path]
        content = text.encode()
        request.send_response(HTTPStatus.OK)
        request.send_header("Content-Type", f"{kind}; charset=utf-8")
        request.send_header("Content-Length", str(len(content)))
        request.send_header("Cache-Control", "no-store")
        request.end_headers()
        request.wfile.write(content)
