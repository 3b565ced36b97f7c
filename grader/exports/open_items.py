"""What people still have to look at, as the reports of the class left it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Final

from grader.errors import InputError

ITEMS: Final = ".items.json"


def open_kinds(out: Path) -> Counter[str]:
    """How many items of each kind nobody has looked at. Raises InputError."""
    path = out / ITEMS
    if not path.is_file():
        return Counter()
    try:
        return Counter(item["kind"] for item in json.loads(path.read_bytes()) if not item["when"])
    except (OSError, ValueError, TypeError, KeyError):
        raise InputError("expected what grader batch wrote: run grader review", path=path) from None


def check_closed(out: Path, *, anyway: bool) -> list[str]:
    """What is still open, in words. Raises InputError where it should not be."""
    kinds = open_kinds(out)
    if not kinds:
        return []
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    if anyway:
        return [f"open, and exported anyway: {told}"]
    raise InputError(
        f"a person has to look at some of these first ({told}): see grader review, or export --anyway",
        path=out,
    )
