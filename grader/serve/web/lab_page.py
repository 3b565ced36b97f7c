"""The lab in a browser tab: the files of a release, which may do only what each of them says of itself.

Students' code runs there in a frame without an origin: it sees no cookie of the site, and can call nobody.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from grader.serve.options import LAB_CONFIG


def lab_routes(folder: Path) -> list[BaseRoute]:
    """Return the routes of the lab: its files, and its configuration with this service to hand in to."""
    config = {**json.loads((folder / LAB_CONFIG).read_bytes()), "service": "../"}

    async def configuration(_: Request) -> Response:
        return JSONResponse(config)

    async def root(_: Request) -> Response:
        return RedirectResponse("/lab/")

    return [
        Route("/lab", root),
        Route(f"/lab/{LAB_CONFIG}", configuration),
        Mount("/lab", _Files(directory=folder, html=True)),
    ]


class _Files(StaticFiles):
    """Files whose pages carry policies of their own; browsers ask whether theirs are the newest."""

    def file_response(self, *given: Any, **more: Any) -> Response:
        """Answer with a file."""
        response = super().file_response(*given, **more)
        response.headers["Content-Security-Policy"] = "frame-ancestors 'self'"
        response.headers["Cache-Control"] = "no-cache"
        return response
