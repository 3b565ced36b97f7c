"""Python's collector of circles, in a process that grades: when it looks, and at what."""

from __future__ import annotations

import gc
from typing import Final

THRESHOLDS: Final = (200_000, 20, 100)
"""Replies are large trees of plain data without circles: collecting at every 700th object took more
time than parsing them."""


def collect_seldom() -> None:
    """Look for circles seldom from now on; processes that are forked do so as well."""
    gc.set_threshold(*THRESHOLDS)


def settle() -> None:
    """Between two submissions: let go of what the last one left, so that memory stays flat however long
    the night, and do not look again at what is kept for the next, mazes by the thousand."""
    gc.collect()
    gc.freeze()
