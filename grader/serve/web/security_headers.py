"""The security headers of all responses.

Scripts and styles may only come from files of this site, so that injected text would not run even if escaping
failed. Pages with content that students handed in are an origin of their own, without cookies and forms.
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


class SecurityHeaders:
    """ASGI middleware that adds the headers that a response does not set itself."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        """Wrap an application; ``secure`` tells browsers to keep using https."""
        self._app, self._secure = app, secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request and add the headers to its response."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if self._secure:
                    headers.setdefault("Strict-Transport-Security", _BY_TLS)
            await send(message)

        await self._app(scope, receive, with_headers)
