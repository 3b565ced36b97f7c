"""What every answer says to the browser, whatever page it is.

Scripts and styles come from files of this site alone, so that a text which got through all escaping would
still not run. Pages that are made of what students handed in are their own origin, without cookies and forms.
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
"""Of pages that are made of what students handed in; each of these names its own style and script besides."""
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


class Headers:
    """Adds to each answer what it does not say of itself; ASGI middleware."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        """``secure`` where browsers come by https, and shall go on to."""
        self._app, self._secure = app, secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if self._secure:
                    headers.setdefault("Strict-Transport-Security", _BY_TLS)
            await send(message)

        await self._app(scope, receive, with_headers)
