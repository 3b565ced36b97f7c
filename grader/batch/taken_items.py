"""Who has which item of the review open, so that no two people decide on the same one.

An item is taken by whoever opens it, for ten minutes since the last key, and is free when it was decided or
left. That is kept in the results' own database, so that it holds between two terminals and in the service.
Whoever comes back to an item that nobody has taken since may go on.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from grader.batch.journal import FILE, Journal
from grader.errors import InputError
from grader.text import visible

TAKEN_SECONDS: Final = 600.0
"""An item is free ten minutes after the last key."""


def take_item(out: Path, item: str, names: Collection[str], who: str, now: float | None = None) -> str:
    """Take an item about these submissions, or go on having it; return who has it, perhaps another person.

    It is known by any text, such as the id of an item of the review. ``now`` is in seconds since the epoch.
    """
    now = time.time() if now is None else now
    with Journal(out) as journal:
        return journal.take(item, names, who, now, now + TAKEN_SECONDS)


def give_back(out: Path, items: Iterable[str], who: str) -> None:
    """Let others have these items, as far as this person has them."""
    with Journal(out) as journal:
        journal.give_back(items, who)


def taken_items(out: Path, now: float | None = None) -> dict[str, str]:
    """Return who has which item now."""
    if not (out / FILE).is_file():
        return {}
    with Journal(out) as journal:
        return journal.taken(time.time() if now is None else now)


def expect_free(out: Path, items: Iterable[str], who: str, now: float | None = None) -> None:
    """Raise InputError if another person has one of these items."""
    taken = taken_items(out, now)
    for item in items:
        if (other := taken.get(item, who)) != who:
            raise InputError(
                f"{visible(other)} has taken this item ({visible(item)}), so nothing was decided: ask "
                f"{visible(other)}, or wait until ten minutes have passed without a key"
            )
