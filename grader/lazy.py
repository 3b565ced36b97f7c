"""What a registry names and nobody needs yet: imported when it is first called."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True)
class LazyFunction:
    """Stands for the function that ``place`` names, as "grader.exports.junit:export", until it is called."""

    place: str

    def __call__(self, *arguments: Any) -> Any:
        """Import it, and call it with the arguments."""
        module, _, name = self.place.partition(":")
        return getattr(import_module(module), name)(*arguments)
