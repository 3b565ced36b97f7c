"""The open items of ``grader review``, as stored with the class's reports."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Final

from grader.errors import InputError

ITEMS: Final = ".items.json"


def count_open_items(out: Path) -> Counter[str]:
    """Count the open items of each kind. Raises InputError."""
    path = out / ITEMS
    if not path.is_file():
        return Counter()
    try:
        return Counter(item["kind"] for item in json.loads(path.read_bytes()) if not item["when"])
    except (OSError, ValueError, TypeError, KeyError):
        raise InputError("expected what grader batch wrote: run grader review", path=path) from None


def check_items_closed(out: Path, *, anyway: bool) -> list[str]:
    """Return a message about open items, if any; raise InputError for them unless ``anyway``."""
    kinds = count_open_items(out)
    if not kinds:
        return []
    counts = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    if anyway:
        return [f"open, and exported anyway: {counts}"]
    raise InputError(
        f"a person has to look at some of these first ({counts}): see grader review, or export --anyway",
        path=out,
    )
