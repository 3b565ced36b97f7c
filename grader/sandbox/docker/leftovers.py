"""Containers that a grader left behind: labelled when created, removed by the next grader that starts.

A grader also removes leftovers when it ends: its own and those of its workers, which may have been killed, or
whose engine may not have answered.
"""

from __future__ import annotations

import atexit
import contextlib
import os
from typing import Final

import docker
from docker.errors import APIError, NotFound
from requests.exceptions import Timeout

from grader.errors import SandboxError
from grader.sandbox.docker.engine import FAILURES
from grader.sandbox.owner import identity, is_over

BOX_LABEL: Final = "maze-grader.box"
_OWNER_LABEL: Final = "maze-grader.owner"
_TRIES: Final = 3
"""How often the engine is asked to remove a container."""
_LAST_SECONDS: Final = 5
"""How long each answer of the engine may take when the grader ends."""
_swept: Final[set[tuple[int, str]]] = set()
"""Processes and engines whose leftovers were removed already."""


def labels() -> dict[str, str]:
    """Return the labels that identify a container's grader."""
    return {BOX_LABEL: "1", _OWNER_LABEL: identity(os.getpid())}


def sweep(client: docker.APIClient) -> int:
    """Remove this machine's containers whose grader no longer runs; return their number."""
    swept = 0
    for container in client.containers(all=True, filters={"label": BOX_LABEL}):
        if is_over(container["Labels"].get(_OWNER_LABEL, "")):
            with contextlib.suppress(SandboxError):
                remove(client, container["Id"])
                swept += 1
    return swept


def sweep_once(client: docker.APIClient) -> None:
    """Remove leftovers on this process's first call, and when it ends."""
    key = (os.getpid(), str(client.base_url))
    if key not in _swept:
        sweep(client)
        _swept.add(key)
        atexit.register(_leave, client, os.getpid())


def _leave(client: docker.APIClient, process: int) -> None:
    """Remove the containers of this grader and its workers, as far as the engine answers."""
    if process != os.getpid():  # a fork
        return
    client.timeout = _LAST_SECONDS
    with contextlib.suppress(SandboxError, *FAILURES):
        for container in client.containers(all=True, filters={"label": BOX_LABEL}):
            owner = container["Labels"].get(_OWNER_LABEL, "")
            if owner == identity(process) or is_over(owner):
                remove(client, container["Id"])


def remove(client: docker.APIClient, container: str) -> None:
    """Kill and remove a container. Raises SandboxError if the engine fails in three tries."""
    failure: Exception | None = None
    for _ in range(_TRIES):
        try:
            client.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            if error.status_code == 409:  # another caller's removal is under way
                return
            failure = error
        except Timeout as error:
            failure = error
            break
        except FAILURES as error:
            failure = error
        else:
            return
    raise SandboxError(f"the engine does not remove the container {container[:12]}: {failure}") from failure
