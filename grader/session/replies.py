"""From a reply to a claim: everything about its shape is checked, nothing about its truth.

What comes out is typed: as many runs as mazes, as many steps as were asked for, pairs of whole numbers
where positions stand. Whoever is handed a claim need not know how a reply looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from json import dumps
from typing import Final, Literal, get_args

from grader.model import (
    Arguments,
    Ask,
    Call,
    Claim,
    Fault,
    Frame,
    Generate,
    IsPerfect,
    Outcome,
    RunScript,
    Solve,
)
from grader.model.claims import (
    ClaimValue,
    FunctionAnswer,
    GeneratedMazes,
    PerfectionAnswer,
    Raised,
    Ran,
    Revisits,
    ScriptSteps,
    SolveRun,
    SolveRuns,
    Spent,
    Value,
)
from grader.model.data import DataReader
from grader.session import shapes
from grader.session.connection import cells_of, size_of
from grader.session.shapes import MAX_MAZE, value_of
from lab.leftovers import KINDS, MOST, NAMED, Leftover
from lab.steps import MOST_EVENTS, MOST_NAMES, MOST_SAME, Event
from lab.steps import Kind as EventKind
from lab.watch import STREAMS

MAX_OUTPUT: Final = 5_000
"""At most 5,000 characters of what a call printed are kept; nobody is shown more."""
MAX_MOVES: Final = 400
"""A list of more than 400 vectors, and of more than four a cell of the maze, is described by its box."""
MAX_WALK: Final = 100
"""Of a run that was cut off, at most 100 positions are sent one by one."""
MAX_KIND: Final = 200
"""The name of an exception's class has at most 80 characters, that of how a process ended fewer."""
MAX_OPENED: Final = 24
"""Of a generator's call the first 24 walls that it opened are told."""
MAX_LEFT: Final = 80
"""The name of what was passed over has at most 80 characters."""
MAX_RAN: Final = 500
"""Of a call at most 500 functions that ran are told, and as many that stand in no file."""
MAX_LINES: Final = 10_000
"""A call runs at most 10,000 lines of a file."""
_PARTS: Final = len(Event._fields)
_EVENTS: Final[Mapping[object, EventKind]] = {kind: kind for kind in get_args(EventKind)}
_OUTCOMES: Final[Mapping[object, Outcome]] = {
    outcome: outcome for outcome in get_args(Outcome) if outcome != "not-asked"
}
"""Whether a call is made, the grader alone says."""
_STAGES: Final[Mapping[object, Literal["import", "construct", "call"]]] = {
    "import": "import",
    "construct": "construct",
    "call": "call",
}
_COUNTED: Final[Mapping[object, Literal["turns", "questions", "waits"]]] = {
    "turns": "turns",
    "questions": "questions",
    "waits": "waits",
}


def claim_of(message: Mapping[str, object], call: Call) -> Claim:
    """Read the reply to a call. Raises ProtocolError."""
    outcome = _OUTCOMES.get(shapes.exactly(message.get("outcome"), "outcome"))
    if outcome is None:
        raise shapes.off("outcome")
    output = shapes.text(message.get("output", ""), "output")[:MAX_OUTPUT]
    seconds = shapes.seconds(message.get("cpu_seconds", 0.0), "cpu_seconds")
    value, fault = message.get("value"), message.get("fault")
    read = None if value is None else _value_of(value, call.arguments, outcome == "returned")
    if read is None and outcome == "returned":
        raise shapes.off("value")
    if fault is None and outcome not in ("returned", "endless", "timeout"):
        raise shapes.off("fault")
    told = None if fault is None or outcome == "returned" else _fault(fault)
    spent = _spent(message["spent"], call) if outcome == "endless" and "spent" in message else None
    left = tuple(map(_left, shapes.items(message.get("left", []), MOST, "left")))
    ran = _ran(message["ran"]) if "ran" in message else None
    claim = Claim(call.id, outcome, read, told, output, seconds, spent, left=left, ran=ran)
    if "steps" in message:
        events = shapes.items(message["steps"], MOST_EVENTS, "steps")
        return replace(claim, events=tuple(map(_event, events)))
    if "lines" not in message:
        return claim
    lines = shapes.items(message["lines"], MAX_LINES, "lines")
    return replace(claim, lines=frozenset(shapes.count(line, "lines") for line in lines))


def _event(value: object) -> Event:
    """Read something that happened while a call was recorded."""
    told = shapes.items(value, _PARTS, "steps")
    kind, line, call, text, values, column, same = told if len(told) == _PARTS else [None] * _PARTS
    event_kind = _EVENTS.get(shapes.exactly(kind, "steps"))
    if type(values) is not dict or len(values) > MOST_NAMES or event_kind is None:
        raise shapes.off("steps")
    if type(same) is not dict or len(same) > MOST_SAME:
        raise shapes.off("steps")
    shown = {
        shapes.exactly(name, "steps", shapes.MAX_TEXT): shapes.text(held, "steps", shapes.MAX_TEXT)
        for name, held in values.items()
    }
    return Event(
        event_kind,
        shapes.count(line, "steps"),
        shapes.count(call, "steps"),
        shapes.text(text, "steps", shapes.MAX_TEXT),
        shown,
        shapes.count(column, "steps"),
        {
            shapes.exactly(name, "steps", shapes.MAX_TEXT): shapes.count(n, "steps")
            for name, n in same.items()
        },
    )


def _ran(value: object) -> Ran:
    told = shapes.table(value, {"functions", "chose", "unseen"}, "ran")
    functions, unseen = (shapes.items(told[key], MAX_RAN, "ran") for key in ("functions", "unseen"))
    return Ran(
        tuple(map(_function, functions)),
        shapes.truth(told["chose"], "ran"),
        tuple(shapes.text(each, "ran", shapes.MAX_TEXT) for each in unseen),
    )


def _function(value: object) -> tuple[str, int, str]:
    file, line, name = told if len(told := shapes.items(value, 3, "ran")) == 3 else [None] * 3
    file, name = (shapes.exactly(each, "ran", shapes.MAX_TEXT) for each in (file, name))
    return file, shapes.count(line, "ran"), name


def _left(value: object) -> Leftover:
    kind, what, file, line = told if len(told := shapes.items(value, 4, "left")) == 4 else [None] * 4
    name = shapes.exactly(what, "left", MAX_LEFT)
    if kind not in KINDS or (name and not NAMED.fullmatch(name)):
        raise shapes.off("left")
    return Leftover(
        str(kind), name, shapes.exactly(file, "left", shapes.MAX_TEXT), shapes.count(line, "left")
    )


def _spent(value: object, call: Call) -> Spent:
    told = shapes.table(value, {"what", "count"}, "spent")
    what = _COUNTED.get(shapes.exactly(told["what"], "spent"))
    if what is None:
        raise shapes.off("spent")
    return Spent(what, shapes.count(told["count"], "spent"), size_of(call))


# --- faults ---------------------------------------------------------------------------------------


def _fault(value: object) -> Fault:
    told = shapes.table(value, {"kind", "message", "stage", "trace"}, "fault")
    stage = _STAGES.get(shapes.exactly(told["stage"], "stage"))
    if stage is None:
        raise shapes.off("stage")
    trace = tuple(map(_frame, shapes.items(told["trace"], 20, "trace")))
    return Fault(
        shapes.text(told["kind"], "fault", MAX_KIND),
        shapes.text(told["message"], "fault", shapes.MAX_TEXT),
        trace,
        stage,
    )


def _frame(value: object) -> Frame:
    told = shapes.table(value, {"file", "line", "function", "code"}, "trace")
    file, function, code = (
        shapes.text(told[key], "trace", shapes.MAX_TEXT) for key in ("file", "function", "code")
    )
    return Frame(file, shapes.count(told["line"], "trace"), function, code)


_READER: Final = DataReader(shapes.without_addresses)


# --- kinds of calls -------------------------------------------------------------------------------

_CUT_RUN: Final = {*STREAMS, "used_search", "late_looks", "changed"}
_RUN: Final = {*_CUT_RUN, "returned"}
_PERHAPS: Final = frozenset({"pending", "revisits"})


def _value_of(value: object, asked: Arguments, whole: bool) -> ClaimValue:
    """Return what a call gave: all of it where it returned, else as much as is known."""
    match asked:
        case Solve(mazes):
            # the last run may have been cut off where the call did not return
            runs = _members(value, "runs", len(mazes), whole)
            last = 0 if whole else len(runs)
            numbered = enumerate(zip(runs, mazes, strict=False), start=1)
            return SolveRuns(tuple([_run(run, maze, number == last) for number, (run, maze) in numbered]))
        case RunScript(steps):
            return ScriptSteps(tuple(map(_step, _members(value, "steps", len(steps), whole))))
        case IsPerfect(maze):
            told = shapes.table(value, {"returned", "changed"}, "value")
            return PerfectionAnswer(value_of(told["returned"]), _changed(told["changed"], maze))
        case Ask():
            return _answer(value)
        case Generate():
            return _generated(value, asked.times, whole)


def _generated(value: object, times: int, whole: bool) -> GeneratedMazes:
    told = dict(shapes.table(value, {"returned"}, "value", allowed=frozenset({"opened"})))
    opened = tuple(shapes.positions(told.pop("opened", []), 2 * MAX_OPENED, "opened"))
    mazes = tuple(map(value_of, _members(told, "returned", times, whole)))
    return GeneratedMazes(mazes, tuple(zip(opened[::2], opened[1::2], strict=False)))


def _members(value: object, key: str, count: int, whole: bool) -> list[object]:
    """Return the list that a value holds, and nothing else; it may be shorter than asked unless ``whole``."""
    found = shapes.items(shapes.table(value, {key}, "value")[key], count, key)
    if whole and len(found) != count:
        raise shapes.off(key)
    return found


def _run(value: object, maze: str, may_be_cut: bool) -> SolveRun:
    cells = cells_of(maze)
    if may_be_cut and type(value) is dict and "returned" not in value:
        run, returned = shapes.table(value, _CUT_RUN, "run", allowed=_PERHAPS), None
    else:
        run = shapes.table(value, _RUN, "run")
        returned = value_of(run["returned"], max(MAX_MOVES, 4 * cells))
    taken, asked, probed, tested = (shapes.positions(run[name], 2 * cells, name) for name in STREAMS)
    used, looks = (
        shapes.truth(run["used_search"], "used_search"),
        shapes.count(run["late_looks"], "late_looks"),
    )
    changed = _changed(run["changed"], maze)
    pending = shapes.count(run["pending"], "pending") if "pending" in run else None
    revisits = _revisits(run["revisits"]) if "revisits" in run else None
    return SolveRun(returned, taken, asked, probed, tested, used, looks, changed, pending, revisits)


def _revisits(value: object) -> Revisits:
    told = shapes.table(value, {"cell", "times", "first", "walk"}, "revisits")
    cell, first = shapes.positions([told["cell"], told["first"]], 2, "revisits")
    walk = shapes.positions(told["walk"], MAX_WALK, "revisits")
    return Revisits(cell, shapes.count(told["times"], "revisits"), first, walk)


def _answer(value: object) -> FunctionAnswer:
    told = shapes.table(value, {"returned", "changed", "used_search"}, "value")
    changed = None if told["changed"] is None else shapes.exactly(told["changed"], "changed", MAX_MAZE)
    try:
        returned = _READER.read(told["returned"])
    except (ValueError, TypeError):
        raise shapes.off("value") from None
    return FunctionAnswer(returned, changed, shapes.truth(told["used_search"], "used_search"))


def _changed(value: object, maze: str) -> str | None:
    """Read the text of a changed maze: no longer than the maze's own, or some words instead."""
    return None if value is None else shapes.exactly(value, "changed", max(len(maze), shapes.MAX_TEXT))


def _step(value: object) -> Value | Raised:
    if type(value) is dict and len(value) == 1 and "returned" in value:
        return value_of(value["returned"])
    told = shapes.table(value, {"raised", "lookup"}, "steps")
    return Raised(shapes.exactly(told["raised"], "steps", MAX_KIND), shapes.truth(told["lookup"], "steps"))


def length_of_output(reply: Mapping[str, object]) -> int:
    """Return the bytes of what a call printed, which has a limit of its own and is mostly not kept."""
    return len(dumps(reply["output"])) if reply.get("output") else 0
