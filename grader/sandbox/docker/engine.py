"""The way to a Docker engine: the one that is set, the usual one, or the project's own."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import docker
from docker.context import ContextAPI
from docker.errors import DockerException

from grader.errors import SandboxError

OWN_SOCKET: Final = "unix:///run/maze-grader/docker.sock"
"""Where scripts/docker-engine.sh starts one."""
USUAL_SOCKET: Final = "unix:///var/run/docker.sock"
ADVICE: Final = (
    "start a Docker engine (scripts/install-system.sh, then scripts/docker-engine.sh start), "
    "or set DOCKER_HOST to one that this user may use"
)
TIMEOUT_SECONDS: Final = 20
"""The longest that any one answer of the engine is waited for."""


def connect() -> docker.APIClient:
    """Return a client of the first engine that answers; the same one as long as it does.

    Raises SandboxError.
    """
    client = known()
    try:
        client.ping()
    except (DockerException, OSError):
        _connected.cache_clear()
        client = known()
    return client


def known() -> docker.APIClient:
    """Return the client as it was, though its engine may answer no more. Raises SandboxError."""
    return _connected(os.getpid(), os.environ.get("DOCKER_HOST"))


@lru_cache(maxsize=1)
def _connected(_process: int, chosen: str | None) -> docker.APIClient:
    failures = []
    for address in dict.fromkeys(_addresses(chosen)):
        try:
            _knock(address)
            return docker.APIClient(base_url=address, version="auto", timeout=TIMEOUT_SECONDS)
        except (DockerException, OSError) as error:
            failures.append(f"{address} ({_first_line(error)})")
    raise SandboxError(f"no Docker engine answers: tried {', '.join(failures)}")


def _knock(address: str) -> None:
    """See whether anybody listens: the package leaves a socket open where nobody does. Raises OSError."""
    if address.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as door:
            door.settimeout(TIMEOUT_SECONDS)
            door.connect(address.removeprefix("unix://"))


def _addresses(chosen: str | None) -> Iterator[str]:
    """Where an engine may listen; one that was named is the only one."""
    if chosen:
        yield chosen
        return
    context = ContextAPI.get_current_context()
    if context is not None and context.Host:
        yield str(context.Host).replace("http+unix://", "unix://")
    yield USUAL_SOCKET
    yield OWN_SOCKET


def _first_line(error: BaseException) -> str:
    cause: BaseException = error
    while cause.__cause__ or cause.__context__:
        cause = cause.__cause__ or cause.__context__ or cause
    return str(cause).split("\n", 1)[0][:160]
