"""Plain data that were changed: what is of use as a value somewhere gets there more often than by chance.

The bytes are lines. The first names the sample that is changed; each other one is the place of a value in it,
its keys joined by dots, a tab, and the new value in JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def changed(data: bytes, sample: Callable[[str], Any]) -> Any:
    """The sample of that name with the changes; lines that change nothing are passed over."""
    name, *lines = data.split(b"\n")
    found = sample(name.decode("ascii", "replace"))
    for line in lines:
        place, _, value = line.partition(b"\t")
        with suppress(ValueError, RecursionError, LookupError, TypeError):
            _change(found, place.decode().split("."), json.loads(value))
    return found


def _change(part: Any, place: list[str], value: Any) -> None:
    """Put the value at the place. Raises LookupError, TypeError, or ValueError where there is none."""
    for key in place[:-1]:
        part = part[int(key)] if isinstance(part, list) else part[key]
    if isinstance(part, list):
        part[int(place[-1])] = value
    else:
        part[place[-1]] = value
