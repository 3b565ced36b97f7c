"""Changed plain data, which contain useful values more often than random bytes would, and replies to change.

The bytes are lines. The first names the sample to change; each other one contains the place of a value in it
(its keys joined by dots), a tab, and the new value in JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

_HEAD: Final = {"type": "reply", "round": 1, "id": "c1", "output": "hi\n", "cpu_seconds": 0.25}
_SEEN: Final = {
    "taken": [[1, 1], [1, 2]],
    "asked": [[1, 1]],
    "probed": [],
    "tested": [[1, 2]],
    "used_search": True,
    "late_looks": 0,
    "changed": None,
}
_AGAIN: Final = {"cell": [1, 1], "times": 812, "first": [1, 2], "walk": [[1, 1], [1, 2], [1, 1]]}
_FRAME: Final = {"file": "solvers/dfs.py", "line": 12, "function": "solve", "code": "cell = stack.pop()"}
_FAULT: Final = {"kind": "IndexError", "message": "pop from empty list", "stage": "call", "trace": [_FRAME]}
_EAST: Final = {"type": "vectors", "value": [[0, 1]], "container": "list"}
_WALLS: Final = "+-+-+\n|S E|\n+-+-+"


def _returned(value: dict[str, Any]) -> dict[str, Any]:
    return {**_HEAD, "outcome": "returned", "value": value}


MESSAGES: Final[dict[str, dict[str, Any]]] = {
    "solved": _returned({"runs": [{**_SEEN, "returned": _EAST}]}),
    "no way": _returned({"runs": [{**_SEEN, "returned": {"type": "none"}}]}),
    "raised": {
        **_HEAD,
        "outcome": "raised",
        "fault": _FAULT,
        "value": {"runs": [{**_SEEN, "pending": 3, "revisits": _AGAIN}]},
    },
    "endless": {
        **_HEAD,
        "outcome": "endless",
        "spent": {"what": "questions", "count": 13200},
        "value": {"runs": [{**_SEEN, "pending": 3, "revisits": _AGAIN}]},
    },
    "steps": _returned(
        {"steps": [{"returned": {"type": "vector", "value": [1, 2]}}, {"raised": "KeyError", "lookup": True}]}
    ),
    "perfect": _returned({"returned": {"type": "bool", "value": True}, "changed": None}),
    "made": _returned({"returned": [{"type": "maze", "value": _WALLS}]}),
    "missing": {**_HEAD, "outcome": "missing", "fault": {**_FAULT, "kind": "no file", "trace": []}},
}
"""A sample of each kind of reply of a box."""


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
