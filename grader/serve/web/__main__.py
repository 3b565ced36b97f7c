"""The web process, as ``grader serve`` starts it: what it serves stands in the one argument, as JSON."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn

from grader import checks
from grader.course.plan import disagreement
from grader.course.rubric import Rubric, load_rubric
from grader.serve.data import Data
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.server import config
from grader.serve.web.site import Site


def main(told: dict[str, Any]) -> None:
    """Serve ``data`` with its ``courses`` (rubrics by id) at the socket ``fd``, until it is ended."""
    data = Data(Path(told["data"]))
    site = Site(
        data,
        Store(data.database),
        {id_: _rubric(path) for id_, path in told["courses"].items()},
        demo=told["demo"],
        url=told["url"],
    )
    uvicorn.Server(config(create_app(site))).run([socket.socket(fileno=told["fd"])])


def _rubric(path: str | None) -> Rubric:
    """The rubric of a course, the shipped one where there is no file of its own."""
    return load_rubric(Path(path) if path else None, checks=checks.TITLES, agrees=disagreement)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
