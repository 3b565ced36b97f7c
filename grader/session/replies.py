"""From a reply to a claim: everything about its shape is checked, nothing about its truth.

A judge may take a claim apart without a look at its shape: as many runs as mazes, as many steps as
were asked for, pairs of whole numbers where positions stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, Final, get_args

from grader.errors import ProtocolError
from grader.model import Call, Claim, Fault, Frame, Outcome, Plain
from grader.session.wire import MAX_COORDINATE
from lab.watch import STREAMS

MAX_VECTORS: Final = 20_000
MAX_TEXT: Final = 2_000
MAX_MAZE: Final = 100_000
FEW: Final = 100
"""So many positions cost little, whatever their hashes are."""
MAX_OUTPUT: Final = 5_000
"""More of what a call printed is shown to nobody, and not kept."""
_OUTCOMES: Final[frozenset[str]] = frozenset(get_args(Outcome))
_STAGES: Final = ("import", "construct", "call")
_ADDRESS: Final = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")


def claim_of(message: Mapping[str, Plain], call: Call) -> Claim:
    """Read the reply to a call. Raises ProtocolError."""
    outcome = message.get("outcome")
    _expect(type(outcome) is str and outcome in _OUTCOMES, "outcome")
    output, seconds = message.get("output", ""), message.get("cpu_seconds", 0.0)
    _expect(type(output) is str, "output")
    _expect(type(seconds) in (int, float) and seconds >= 0, "cpu_seconds")
    value, fault = message.get("value"), message.get("fault")
    if value is not None:
        _SHAPES[call.kind](value, call.arguments, outcome == "returned")
    _expect(value is not None or outcome != "returned", "value")
    _expect(fault is not None or outcome in ("returned", "timeout"), "fault")
    told = None if fault is None or outcome == "returned" else _fault(fault)
    printed = without_addresses(output)[:MAX_OUTPUT]
    return Claim(call.id, outcome, value, told, printed, float(seconds))  # type: ignore[arg-type]


def without_addresses(text: str) -> str:
    """The text with every address in memory hidden: they differ from run to run."""
    return _ADDRESS.sub("0x…", text) if "0x" in text else text


def _expect(holds: object, where: str) -> None:
    if not holds:
        raise ProtocolError(f"the reply's {where} is not as the protocol has it")


def _object(value: Plain, required: set[str], where: str, *, allowed: frozenset[str] = frozenset()) -> None:
    _expect(type(value) is dict and required <= value.keys() <= required | allowed, where)


def _list(value: Plain, most: int, where: str) -> None:
    _expect(type(value) is list and len(value) <= most, where)


def _text(value: Plain, most: int, where: str) -> str:
    _expect(type(value) is str and len(value) <= most, where)
    return without_addresses(value)


# --- faults ---------------------------------------------------------------------------------------


def _fault(value: Plain) -> Fault:
    _object(value, {"kind", "message", "stage", "trace"}, "fault")
    _list(value["trace"], 20, "trace")
    _expect(value["stage"] in _STAGES, "stage")
    kind, message = _text(value["kind"], 200, "fault"), _text(value["message"], MAX_TEXT, "fault")
    return Fault(kind, message, tuple(map(_frame, value["trace"])), value["stage"])


def _frame(value: Plain) -> Frame:
    _object(value, {"file", "line", "function", "code"}, "trace")
    _expect(type(value["line"]) is int and value["line"] >= 0, "trace")
    file, function, code = (_text(value[key], MAX_TEXT, "trace") for key in ("file", "function", "code"))
    return Frame(file, value["line"], function, code)


# --- values ---------------------------------------------------------------------------------------


def _position(value: Plain) -> bool:
    return type(value) is list and len(value) == 2 and type(value[0]) is int and type(value[1]) is int


def _positions(value: Plain, most: int, where: str) -> None:
    _list(value, most, where)
    for pair in value:  # not through _position: there are thousands in a reply
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not int or type(pair[1]) is not int:
            _expect(False, where)
    if len(value) > FEW:
        numbers = list(chain.from_iterable(value))
        _expect(-MAX_COORDINATE < min(numbers) <= max(numbers) < MAX_COORDINATE, where)


def _r(value: Plain) -> None:
    """Check an R, and hide the addresses in its texts."""
    _expect(type(value) is dict and type(value.get("type")) is str, "value")
    check = _R.get(value["type"])
    _expect(check is not None and check(value), "value")


def _r_other(value: Plain) -> bool:
    _object(value, {"type", "class", "text"}, "value", allowed=frozenset({"index", "element"}))
    parts = [value]
    if "element" in value or "index" in value:
        _expect(type(value.get("index")) is int and value["index"] >= 0, "value")
        _object(value.get("element"), {"class", "text"}, "value")
        parts.append(value["element"])
    for part in parts:
        part["class"], part["text"] = (_text(part[key], MAX_TEXT, "value") for key in ("class", "text"))
    return True


def _r_vectors(value: Plain) -> bool:
    _object(value, {"type", "value", "container"}, "value")
    _positions(value["value"], MAX_VECTORS, "value")
    _text(value["container"], 40, "value")
    return True


def _of(test: Callable[[Plain], bool]) -> Callable[[Plain], bool]:
    return lambda value: value.keys() == {"type", "value"} and test(value["value"])


_R: Final[Mapping[str, Callable[[Plain], bool]]] = {
    "none": lambda value: value.keys() == {"type"},
    "bool": _of(lambda value: type(value) is bool),
    "int": _of(lambda value: type(value) is int),
    "vector": _of(_position),
    "maze": _of(lambda value: type(value) is str and len(value) <= MAX_MAZE),
    "vectors": _r_vectors,
    "other": _r_other,
}


# --- kinds of calls -------------------------------------------------------------------------------

_RUN: Final = {*STREAMS, "used_search", "late_looks", "changed"}


def _solve(value: Plain, arguments: Mapping[str, Any], whole: bool) -> None:
    _object(value, {"runs"}, "value")
    mazes = arguments["mazes"]
    _list(value["runs"], len(mazes), "runs")
    _expect(not whole or len(value["runs"]) == len(mazes), "runs")
    for number, (run, maze) in enumerate(zip(value["runs"], mazes, strict=False), start=1):
        _run(run, maze, last=not whole and number == len(value["runs"]))


def _run(run: Plain, maze: str, *, last: bool) -> None:
    """Check a run; the last one of a call without a value may have been cut off."""
    if last and type(run) is dict and "returned" not in run:
        _object(run, _RUN, "run", allowed=frozenset({"pending"}))
        _expect(type(run.get("pending", 0)) is int and run.get("pending", 0) >= 0, "pending")
    else:
        _object(run, _RUN | {"returned"}, "run")
        _r(run["returned"])
    for name in STREAMS:
        _positions(run[name], len(maze), name)  # a maze has fewer cells than characters
    _expect(type(run["used_search"]) is bool, "used_search")
    _expect(type(run["late_looks"]) is int and run["late_looks"] >= 0, "late_looks")
    _changed(run["changed"], maze)


def _changed(value: Plain, maze: str) -> None:
    """Check the text of a changed maze: as long as the maze's own, or some words instead."""
    _expect(value is None or (type(value) is str and len(value) <= max(len(maze), MAX_TEXT)), "changed")


def _script(value: Plain, arguments: Mapping[str, Any], whole: bool) -> None:
    _object(value, {"steps"}, "value")
    asked = arguments["steps"]
    _list(value["steps"], len(asked), "steps")
    _expect(not whole or len(value["steps"]) == len(asked), "steps")
    for step in value["steps"]:
        if type(step) is dict and "returned" in step:
            _object(step, {"returned"}, "steps")
            _r(step["returned"])
        else:
            _object(step, {"raised", "lookup"}, "steps")
            _expect(type(step["lookup"]) is bool and type(step["raised"]) is str, "steps")


def _is_perfect(value: Plain, arguments: Mapping[str, Any], whole: bool) -> None:
    _object(value, {"returned", "changed"}, "value")
    _r(value["returned"])
    _changed(value["changed"], arguments["maze"])


def _generate(value: Plain, arguments: Mapping[str, Any], whole: bool) -> None:
    _object(value, {"returned"}, "value")
    _list(value["returned"], arguments["times"], "value")
    _expect(not whole or len(value["returned"]) == arguments["times"], "value")
    for returned in value["returned"]:
        _r(returned)


_SHAPES: Final[Mapping[str, Callable[[Plain, Mapping[str, Any], bool], None]]] = {
    "solve": _solve,
    "script": _script,
    "is_perfect": _is_perfect,
    "generate": _generate,
}
