"""The back ends, each imported only when it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from grader.lazy import LazyFunction
from grader.sandbox.base import Backend

AUTO: Final = "auto"
"""Stands for the strongest back end that works here."""

BACKENDS: Final[Mapping[str, Callable[[], Backend]]] = {
    "docker": LazyFunction("grader.sandbox.docker.backend:DockerBackend"),
    "bubblewrap": LazyFunction("grader.sandbox.bubblewrap.backend:BubblewrapBackend"),
    "process": LazyFunction("grader.sandbox.process:ProcessBackend"),
}
"""The back ends, the strongest first: ``auto`` tries them in this order."""
