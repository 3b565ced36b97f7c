"""The sandboxes that there are; none is imported before it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from grader.later import Later
from grader.sandbox.base import Backend

AUTO: Final = "auto"
"""Stands for the strongest that works here."""

BACKENDS: Final[Mapping[str, Callable[[], Backend]]] = {
    "docker": Later("grader.sandbox.docker.backend:DockerBackend"),
    "bubblewrap": Later("grader.sandbox.bubblewrap.backend:BubblewrapBackend"),
    "process": Later("grader.sandbox.process:ProcessBackend"),
}
"""The strongest first: the order in which ``auto`` tries them."""
