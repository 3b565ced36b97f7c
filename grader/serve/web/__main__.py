"""The entry point of the web process, which ``grader serve`` starts with its configuration as JSON."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn

from grader.batch.worker import die_with_parent
from grader.course.plan import disagreement
from grader.course.rubric import Rubric, load_rubric
from grader.exercises.registry import titles
from grader.serve.data_folder import DataFolder
from grader.serve.lti.keys import load_own_key
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.score_client import ScoreClient
from grader.serve.lti.score_sender import ScoreSender
from grader.serve.store.database import Store
from grader.serve.web.app import create_app
from grader.serve.web.launch_pages import launch_routes
from grader.serve.web.server import server_config
from grader.serve.web.site import Site


def main(config: dict[str, Any]) -> None:
    """Serve the folder ``data`` with its ``courses`` (rubrics by id) at the socket ``fd``, until
    terminated."""
    die_with_parent(config["parent"])
    data = DataFolder(Path(config["data"]))
    store, key, listening = Store(data.database), load_own_key(data.lti), socket.socket(fileno=config["fd"])
    site = Site(
        data,
        store,
        {id_: _rubric(path) for id_, path in config["courses"].items()},
        demo=config["demo"],
        url=config["url"],
        names=frozenset({config["host"].lower(), socket.gethostname().lower()}),
    )
    lti = LaunchService(store, config["url"] or _own_url(listening), key, tuple(site.courses))
    sender = ScoreSender(store, ScoreClient(key))
    sender.start()
    try:
        app = create_app(site, launch_routes(lti))
        uvicorn.Server(server_config(app, proxies=config["proxies"])).run([listening])
    finally:
        sender.end()


def _own_url(listening: socket.socket) -> str:
    """Return the URL for a browser on this machine."""
    return f"http://localhost:{listening.getsockname()[1]}"


def _rubric(path: str | None) -> Rubric:
    """Load the rubric of a course: the shipped one if there is no path."""
    return load_rubric(Path(path) if path else None, checks=titles(), agrees=disagreement)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
