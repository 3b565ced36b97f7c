"""Stands where a part of the lab is that no graded work needs: an import that was left over costs nothing.

Each of its names can be imported, and none of them does anything.
"""

from __future__ import annotations

from typing import NoReturn


def __getattr__(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def absent(*_: object, **__: object) -> NoReturn:
        raise RuntimeError(f"{__name__}.{name} is not there while work is graded: use what the handout lists")

    return absent
