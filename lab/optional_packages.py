"""Optional packages: imported only where they are needed, with a one-line error if they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class MissingPackage(ImportError):  # noqa: N818 - named after what happened
    """A package is not installed; the message says how to get it."""


def need(module: str, *, package: str | None = None) -> Any:
    """Import a module of an optional package. Raises MissingPackage."""
    try:
        return import_module(module)
    except ImportError:
        name = package or module.partition(".")[0]
        raise MissingPackage(f"{name} is not installed here; get it with: pip install {name}") from None
