"""The headers of all responses, and the path of a host below which the site is served.

Scripts and styles may only come from files of this site, so that injected text would not run even if escaping
failed. Pages with content that students handed in are an origin of their own, without cookies and forms.

The site may lie below a path such as /grader, beside other sites of the host. Pages do not depend on it,
except that their templates put ``root`` before each link. Some proxies strip it before they pass a request
on, and others do not; both work. It is added to redirects, and cookies are for it only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
SANDBOX: Final = "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
"""The policy of pages with content that students handed in; each page adds its own style and script."""
_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",  # with no-referrer, browsers send no Origin with a form
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
_BY_TLS: Final = "max-age=31536000"


class ResponseHeaders:
    """ASGI middleware that adds the headers that a response lacks, and serves a site below a path."""

    def __init__(self, app: ASGIApp, *, root: str, secure: bool) -> None:
        """Wrap an application; ``root`` is the path without a slash at its end, or empty; ``secure`` tells
        browsers to keep using https."""
        self._app, self._root = app, root
        self._headers = {**_HEADERS, **({"Strict-Transport-Security": _BY_TLS} if secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and complete the headers of its response."""
        root = self._root

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if headers.get("location", "").startswith("/"):
                    headers["location"] = root + headers["location"]
            await send(message)

        path: str = scope.get("path", "")
        if root and (path == root or path.startswith(f"{root}/")):
            scope = {**scope, "path": path.removeprefix(root) or "/"}
        await self._app(scope, receive, with_headers)
