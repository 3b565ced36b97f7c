"""Changed plain data, which contain useful values more often than random bytes would.

The bytes are lines. The first names the sample to change; each other one contains the place of a value in it
(its keys joined by dots), a tab, and the new value in JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def changed(data: bytes, sample: Callable[[str], Any]) -> Any:
    """Return the named sample with the changes, ignoring invalid lines."""
    name, *lines = data.split(b"\n")
    found = sample(name.decode("ascii", "replace"))
    for line in lines:
        place, _, value = line.partition(b"\t")
        with suppress(ValueError, RecursionError, LookupError, TypeError):
            _change(found, place.decode().split("."), json.loads(value))
    return found


def _change(part: Any, place: list[str], value: Any) -> None:
    """Put the value at the place. Raises LookupError, TypeError, or ValueError if it does not exist."""
    for key in place[:-1]:
        part = part[int(key)] if isinstance(part, list) else part[key]
    if isinstance(part, list):
        part[int(place[-1])] = value
    else:
        part[place[-1]] = value
