"""The sandboxes that there are; none is imported before it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from grader.lazy import LazyFunction
from grader.sandbox.base import Backend

AUTO: Final = "auto"
"""Stands for the strongest that works here."""

BACKENDS: Final[Mapping[str, Callable[[], Backend]]] = {
    "docker": LazyFunction("grader.sandbox.docker.backend:DockerBackend"),
    "bubblewrap": LazyFunction("grader.sandbox.bubblewrap.backend:BubblewrapBackend"),
    "process": LazyFunction("grader.sandbox.process:ProcessBackend"),
}
"""The strongest first: the order in which ``auto`` tries them."""
