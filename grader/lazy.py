"""Functions of registries that are imported when they are first called."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True)
class LazyFunction:
    """A proxy for the function named by ``place``, such as "grader.exports.junit:export"."""

    place: str

    def __call__(self, *arguments: Any) -> Any:
        """Import the function, and call it with the arguments."""
        module, _, name = self.place.partition(":")
        return getattr(import_module(module), name)(*arguments)
