"""From a reply to a claim: everything about its shape is checked, nothing about its truth.

What comes out is typed: as many runs as mazes, as many steps as were asked for, pairs of whole numbers
where positions stand. Whoever is handed a claim need not know how a reply looks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, get_args

from grader.errors import ProtocolError
from grader.model import Arguments, Call, Claim, Fault, Frame, Generate, IsPerfect, Outcome, RunScript, Solve
from grader.model.claims import (
    NONE,
    BoolValue,
    ClaimValue,
    GeneratedMazes,
    IntValue,
    MazeValue,
    NoneValue,
    OddElement,
    OtherValue,
    PerfectionAnswer,
    Positions,
    Raised,
    Revisits,
    ScriptSteps,
    SolveRun,
    SolveRuns,
    Spent,
    Value,
    VectorsValue,
    VectorValue,
    truth_value,
)
from grader.session.budgets import size_of
from grader.session.wire import MAX_COORDINATE
from lab.watch import STREAMS

MAX_VECTORS: Final = 20_000
MAX_TEXT: Final = 2_000
MAX_MAZE: Final = 100_000
FEW: Final = 100
"""At most this many positions cost little, whatever their hashes are."""
MAX_OUTPUT: Final = 5_000
"""More characters of what a call printed are shown to nobody, and not kept."""
_OUTCOMES: Final[Mapping[object, Outcome]] = {outcome: outcome for outcome in get_args(Outcome)}
_STAGES: Final[Mapping[object, Literal["import", "construct", "call"]]] = {
    "import": "import",
    "construct": "construct",
    "call": "call",
}
_COUNTED: Final[Mapping[object, Literal["turns", "questions"]]] = {
    "turns": "turns",
    "questions": "questions",
}
_ADDRESS: Final = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")

Table = dict[str, object]
"""A JSON object of which only the keys are known."""


def claim_of(message: Mapping[str, object], call: Call) -> Claim:
    """Read the reply to a call. Raises ProtocolError."""
    outcome = _OUTCOMES.get(_exactly(message.get("outcome"), "outcome"))
    if outcome is None:
        raise _off("outcome")
    output = _text(message.get("output", ""), "output")[:MAX_OUTPUT]
    seconds = _seconds(message.get("cpu_seconds", 0.0), "cpu_seconds")
    value, fault = message.get("value"), message.get("fault")
    read = None if value is None else _value_of(value, call.arguments, outcome == "returned")
    if read is None and outcome == "returned":
        raise _off("value")
    if fault is None and outcome not in ("returned", "endless", "timeout"):
        raise _off("fault")
    told = None if fault is None or outcome == "returned" else _fault(fault)
    spent = _spent(message["spent"], call) if outcome == "endless" and "spent" in message else None
    return Claim(call.id, outcome, read, told, output, seconds, spent)


def without_addresses(text: str) -> str:
    """The text with every address in memory hidden: they differ from run to run."""
    return _ADDRESS.sub("0x…", text) if "0x" in text else text


# --- parts ----------------------------------------------------------------------------------------


def _off(where: str) -> ProtocolError:
    return ProtocolError(f"the reply's {where} is not as the protocol has it")


def _table(value: object, required: set[str], where: str, *, allowed: frozenset[str] = frozenset()) -> Table:
    if type(value) is not dict:
        raise _off(where)
    if value.keys() != required and not required <= value.keys() <= required | allowed:
        raise _off(where)
    return value


def _list(value: object, most: int, where: str) -> list[object]:
    if type(value) is not list or len(value) > most:
        raise _off(where)
    return value


def _exactly(value: object, where: str, most: int | None = None) -> str:
    """A text as it stands."""
    if type(value) is not str or (most is not None and len(value) > most):
        raise _off(where)
    return value


def _text(value: object, where: str, most: int | None = None) -> str:
    """A text without addresses."""
    return without_addresses(_exactly(value, where, most))


def _count(value: object, where: str) -> int:
    if type(value) is not int or value < 0:
        raise _off(where)
    return value


def _seconds(value: object, where: str) -> float:
    if (type(value) is int or type(value) is float) and value >= 0:
        return float(value)
    raise _off(where)


def _truth(value: object, where: str) -> bool:
    if type(value) is not bool:
        raise _off(where)
    return value


def _positions(value: object, most: int, where: str) -> Positions:
    """Pairs of whole numbers; there are thousands in a reply, so none costs a call."""
    if type(value) is not list or len(value) > most:
        raise _off(where)
    if not value:
        return ()
    try:
        pairs = tuple([(row, column) for row, column in value])
    except (TypeError, ValueError):
        raise _off(where) from None
    for row, column in pairs:
        if type(row) is not int or type(column) is not int:
            raise _off(where)
    if len(pairs) > FEW:
        least, largest = min(map(min, pairs)), max(map(max, pairs))
        if not -MAX_COORDINATE < least <= largest < MAX_COORDINATE:
            raise _off(where)
    return pairs


def _spent(value: object, call: Call) -> Spent:
    told = _table(value, {"what", "count"}, "spent")
    what = _COUNTED.get(_exactly(told["what"], "spent"))
    if what is None:
        raise _off("spent")
    return Spent(what, _count(told["count"], "spent"), size_of(call))


# --- faults ---------------------------------------------------------------------------------------


def _fault(value: object) -> Fault:
    told = _table(value, {"kind", "message", "stage", "trace"}, "fault")
    stage = _STAGES.get(_exactly(told["stage"], "stage"))
    if stage is None:
        raise _off("stage")
    trace = tuple(map(_frame, _list(told["trace"], 20, "trace")))
    return Fault(_text(told["kind"], "fault", 200), _text(told["message"], "fault", MAX_TEXT), trace, stage)


def _frame(value: object) -> Frame:
    told = _table(value, {"file", "line", "function", "code"}, "trace")
    file, function, code = (_text(told[key], "trace", MAX_TEXT) for key in ("file", "function", "code"))
    return Frame(file, _count(told["line"], "trace"), function, code)


# --- R: what a call gave --------------------------------------------------------------------------


def _given(value: object) -> Value:
    if type(value) is dict and type(kind := value.get("type")) is str and kind in _READERS:
        return _READERS[kind](value)
    raise _off("value")


def _only(value: Table) -> object:
    """What stands in an R beside its type: there are tens of thousands."""
    if len(value) != 2 or "value" not in value:
        raise _off("value")
    return value["value"]


def _none(value: Table) -> NoneValue:
    if len(value) != 1:
        raise _off("value")
    return NONE


def _bool(value: Table) -> BoolValue:
    return truth_value(_truth(_only(value), "value"))


def _int(value: Table) -> IntValue:
    number = _only(value)
    if type(number) is not int:
        raise _off("value")
    return IntValue(number)


def _vector(value: Table) -> VectorValue:
    (position,) = _positions([_only(value)], 1, "value")
    return VectorValue(position)


def _vectors(value: Table) -> VectorsValue:
    told = _table(value, {"type", "value", "container"}, "value")
    return VectorsValue(
        _positions(told["value"], MAX_VECTORS, "value"), _text(told["container"], "value", 40)
    )


def _maze(value: Table) -> MazeValue:
    return MazeValue(_exactly(_only(value), "value", MAX_MAZE))


def _other(value: Table) -> OtherValue:
    told = _table(value, {"type", "class", "text"}, "value", allowed=frozenset({"index", "element"}))
    described = _text(told["class"], "value", MAX_TEXT), _text(told["text"], "value", MAX_TEXT)
    if "index" not in told and "element" not in told:
        return OtherValue(*described)
    element = _table(told.get("element"), {"class", "text"}, "value")
    class_name, text = (_text(element[key], "value", MAX_TEXT) for key in ("class", "text"))
    return OtherValue(*described, OddElement(_count(told.get("index"), "value"), class_name, text))


_READERS: Final[Mapping[str, Callable[[Table], Value]]] = {
    "none": _none,
    "bool": _bool,
    "int": _int,
    "vector": _vector,
    "vectors": _vectors,
    "maze": _maze,
    "other": _other,
}


# --- kinds of calls -------------------------------------------------------------------------------

_CUT_RUN: Final = {*STREAMS, "used_search", "late_looks", "changed"}
_RUN: Final = {*_CUT_RUN, "returned"}
_PERHAPS: Final = frozenset({"pending", "revisits"})


def _value_of(value: object, asked: Arguments, whole: bool) -> ClaimValue:
    """What came of a call: all of it where it returned, else as much as is known."""
    match asked:
        case Solve(mazes):
            return _solved(value, mazes, whole)
        case RunScript(steps):
            return ScriptSteps(tuple(map(_step, _members(value, "steps", len(steps), whole))))
        case IsPerfect(maze):
            told = _table(value, {"returned", "changed"}, "value")
            return PerfectionAnswer(_given(told["returned"]), _changed(told["changed"], maze))
        case Generate():
            return GeneratedMazes(tuple(map(_given, _members(value, "returned", asked.times, whole))))


def _members(value: object, key: str, count: int, whole: bool) -> list[object]:
    """The list of a value that holds nothing else: as many as were asked for, or fewer."""
    found = _list(_table(value, {key}, "value")[key], count, key)
    if whole and len(found) != count:
        raise _off(key)
    return found


def _solved(value: object, mazes: Sequence[str], whole: bool) -> SolveRuns:
    """The last run of a call without a value may have been cut off."""
    runs = _members(value, "runs", len(mazes), whole)
    last = 0 if whole else len(runs)
    numbered = enumerate(zip(runs, mazes, strict=False), start=1)
    return SolveRuns(tuple([_run(run, maze, number == last) for number, (run, maze) in numbered]))


def _run(value: object, maze: str, may_be_cut: bool) -> SolveRun:
    if may_be_cut and type(value) is dict and "returned" not in value:
        run, returned = _table(value, _CUT_RUN, "run", allowed=_PERHAPS), None
    else:
        run = _table(value, _RUN, "run")
        returned = _given(run["returned"])
    taken, asked, probed, tested = (
        _positions(run[name], len(maze), name)
        for name in STREAMS  # a maze has fewer cells than characters
    )
    used, looks = _truth(run["used_search"], "used_search"), _count(run["late_looks"], "late_looks")
    changed = _changed(run["changed"], maze)
    pending = _count(run["pending"], "pending") if "pending" in run else None
    revisits = _revisits(run["revisits"]) if "revisits" in run else None
    return SolveRun(returned, taken, asked, probed, tested, used, looks, changed, pending, revisits)


def _revisits(value: object) -> Revisits:
    told = _table(value, {"cell", "times", "first"}, "revisits")
    cell, first = _positions([told["cell"], told["first"]], 2, "revisits")
    return Revisits(cell, _count(told["times"], "revisits"), first)


def _changed(value: object, maze: str) -> str | None:
    """The text of a changed maze: as long as the maze's own, or some words instead."""
    return None if value is None else _exactly(value, "changed", max(len(maze), MAX_TEXT))


def _step(value: object) -> Value | Raised:
    if type(value) is dict and len(value) == 1 and "returned" in value:
        return _given(value["returned"])
    told = _table(value, {"raised", "lookup"}, "steps")
    return Raised(_exactly(told["raised"], "steps"), _truth(told["lookup"], "steps"))
