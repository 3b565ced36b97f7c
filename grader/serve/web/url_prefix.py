"""Serves the site below a path of a host, such as /grader, beside other sites there.

Pages do not depend on the path, except that their templates put ``root`` before each link. Some proxies strip
the path before they pass a request on, and others do not; both work. The path is added to redirects. Cookies
are for the path only.
"""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class UrlPrefix:
    """ASGI middleware that strips the path from requests and adds it to redirects."""

    def __init__(self, app: ASGIApp, *, root: str) -> None:
        """Wrap an application; ``root`` is the path without a slash at its end, or empty."""
        self._app, self._root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        root = self._root
        if scope["type"] != "http" or not root:
            await self._app(scope, receive, send)
            return

        async def with_root(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("location", "").startswith("/"):
                    headers["location"] = root + headers["location"]
            await send(message)

        path: str = scope["path"]
        if path == root or path.startswith(f"{root}/"):
            path = path.removeprefix(root) or "/"
        await self._app({**scope, "path": path}, receive, with_root)
