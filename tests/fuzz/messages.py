"""A JSON table with a sample of each kind of reply of a box."""

from __future__ import annotations

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
