"""Replaces a part of the lab that graded work does not need, so that a leftover import costs nothing.

Each of its names can be imported, but does nothing.
"""

from __future__ import annotations

from typing import NoReturn


def __getattr__(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def absent(*_: object, **__: object) -> NoReturn:
        raise RuntimeError(f"{__name__}.{name} is not there while work is graded: use what the handout lists")

    return absent
