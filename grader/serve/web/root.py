"""The pages below a path of a host, such as /grader, beside other sites there.

Pages know nothing of it but what their templates put before each link (``root``). Some proxies take the path
away before they pass a request on, others do not, and both are understood; where a page sends a browser on,
the path is put before the place. Cookies are for the path alone.
"""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Root:
    """Takes the path away from requests, and puts it before where browsers are sent; ASGI middleware."""

    def __init__(self, app: ASGIApp, *, root: str) -> None:
        """``root`` is the path without a slash at its end; empty for a host of one's own."""
        self._app, self._root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
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
