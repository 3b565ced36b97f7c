"""The wrong models, one file each: adding one is adding a file with a ``MODEL`` in it."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from grader.misconceptions.model import Model

MODELS: dict[str, Model] = {
    name: import_module(f"{__name__}.{name}").MODEL for name in sorted(m.name for m in iter_modules(__path__))
}
"""Every model, by the name of its file."""
