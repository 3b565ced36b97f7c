"""What a judge finds wrong with a claim, and how claims are put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, log10
from typing import Any, Final

from grader.languages import Message, Text, said
from grader.model import Claim, Fault, Json, Status, Telling, unseen
from grader.model.claims import (
    BoolValue,
    CallsBefore,
    IntValue,
    MazeValue,
    NoneValue,
    OtherValue,
    Positions,
    Value,
    VectorsValue,
    VectorValue,
)
from lab import MOVES, Vector
from lab.maze import Position

SHOWN = 12
"""The most elements of a list that a sentence spells out."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: the sentence for people, and both sides as data for the pictures."""

    status: Status
    message: Message
    expected: Mapping[str, Telling]
    actual: Mapping[str, Telling]
    hint: Text = ""
    extra: Mapping[str, Telling] = field(default_factory=dict)
    decides: bool = False
    """Whether it makes the whole exercise earn nothing."""
    part: float = 0.0
    """The fraction of the points that is earned nevertheless, if the judge counts what is right."""
    fault: Fault | None = None
    """The exception that ended the call."""
    undone: bool = False
    """Whether too many answers are wrong for the check to count."""
    step: int | None = None
    """The index of the script's step that went wrong."""

    @property
    def is_unwritten(self) -> bool:
        """Whether the call came to what is still to be written."""
        fault = self.fault
        return self.status == "crashed" and fault is not None and fault.kind == "NotImplementedError"


_MOVE_NAMES: Final[dict[Position, str]] = {move: move.name for move in MOVES}

_ENDINGS: Final[dict[tuple[str, bool], tuple[Status, Message]]] = {
    ("timeout", False): ("timeout", said("timeout")),
    ("timeout", True): ("timeout", said("timeout_import")),
    ("out-of-memory", False): ("out-of-memory", said("out_of_memory")),
    ("out-of-memory", True): ("out-of-memory", said("out_of_memory_import")),
    ("output-limit", False): ("output-limit", said("output_limit")),
    ("violation", False): ("violation", said("violation")),
}
"""By outcome, and whether it happened while the file was loaded."""

_RAISED: Final = {"call": "raised", "import": "raised_at_import", "construct": "raised_at_construct"}
_ENDED: Final = {"call": "ended", "import": "ended_at_import", "construct": "ended_at_construct"}


def ending(claim: Claim, *, expected: Mapping[str, Telling], **actual: Telling) -> Finding | None:
    """Return the finding for a call that did not return; None if it did."""
    if claim.outcome == "returned":
        return None
    status, text = _ending(claim, actual)
    came = {"text": text, "fault": fault_data(claim.fault), **actual}
    return Finding(status, text, expected, came, fault=claim.fault)


def _ending(claim: Claim, seen: Mapping[str, Telling]) -> tuple[Status, Message]:
    if claim.outcome == "endless":
        return "endless", endless_text(claim, seen)
    status: Status = "missing" if claim.outcome == "missing" else "crashed"
    at_import = claim.fault is not None and claim.fault.stage == "import"
    told = _ENDINGS.get((claim.outcome, at_import)) or _ENDINGS.get((claim.outcome, False))
    return told or (status, fault_text(claim.fault))


def not_asked(claim: Claim) -> Finding:
    """Return the finding for a call that was not made, since those before it had used up the time."""
    before = claim.before or CallsBefore(0, 0.0)
    seconds, count = _coarse(before.seconds), _coarse(before.count)
    each = seconds / max(1.0, count)
    text = said("not_asked", count=f"{count:g}", seconds=f"{seconds:g}", each=f"{each:g}")
    return Finding("not-asked", text, {"text": ""}, {"text": text})


def unmarked(what: Message) -> Finding:
    """Return the finding of a judge of all calls together that what decides was not looked at, or not whole.

    The check gives no points yet, and takes none from others: a person decides.
    """
    return Finding("unmarked", unseen(what), {}, {})


def _coarse(number: float) -> float:
    """Return a measured number with one digit, which is 1, 2 or 5: it hangs on the machine."""
    if number <= 0:
        return 0.0
    power = 10.0 ** floor(log10(number))
    digit = min((1, 2, 5, 10), key=lambda digit: abs(log10(digit * power / number)))
    return digit * power


def endless_text(claim: Claim, seen: Mapping[str, Telling]) -> Message:
    """Say how far a call got before it exceeded its step budget, and about which cell it asked."""
    if claim.spent is None:
        at_import = claim.fault is None or claim.fault.stage == "import"
        return said("endless_import" if at_import else "endless")
    if claim.spent.what == "questions":
        asked: Any = {"count": claim.spent.count, "cells": claim.spent.size}
        match seen:
            case {"outside": (int(row), int(column))}:
                return said("endless_outside", **asked, cell=cell_text((row, column)))
            case {"revisits": {"cell": (int(row), int(column)), "times": int(times), "how": str(how)}}:
                return said(f"endless_{how}", **asked, cell=cell_text((row, column)), times=times)
        return said("endless_questions", **asked)
    if claim.spent.what == "waits":
        return _at_line(said("endless_waits"), claim.fault)
    return said("endless_turns", count=claim.spent.count)


def fault_text(fault: Fault | None) -> Message:
    """Say what happened, and where in the student's files."""
    if fault is None:
        return said("no_word")
    keys = _ENDED if fault.kind.startswith(("exit status", "signal")) else _RAISED
    what = fault.kind if not fault.message else f"{fault.kind}: {_first_line(fault.message)}"
    return _at_line(said(keys[fault.stage], what=what), fault)


def _at_line(text: Message, fault: Fault | None) -> Message:
    """Add the innermost line of the submission at which a call ended."""
    if fault is None or not fault.trace:
        return text
    last = fault.trace[-1]
    return said("at_line", ending=text, file=last.file, line=last.line, function=last.function)


def fault_data(fault: Fault | None) -> Json:
    """Return a fault as in results.json."""
    if fault is None:
        return None
    trace: list[Json] = [
        {"file": frame.file, "line": frame.line, "function": frame.function, "code": frame.code}
        for frame in fault.trace
    ]
    return {"kind": fault.kind, "message": fault.message, "stage": fault.stage, "trace": trace}


def describe(value: Value) -> Text:
    """Describe a returned value in a few words."""
    match value:
        case NoneValue():
            return "None"
        case BoolValue(given) | IntValue(given):
            return str(given)
        case VectorValue(cell):
            return cell_text(cell)
        case VectorsValue(vectors, container):
            text = moves_text(vectors)
            return text if container == "list" else said("of_class", value=text, kind=container)
        case MazeValue():
            return said("maze_value")
        case OtherValue("generator"):
            return said("a_generator")
        case OtherValue(type_name, other):
            return other if type_name in other else said("of_class", value=other, kind=type_name)


def cell_text(cell: Position) -> str:
    """Return a cell as people write it."""
    return f"({cell[0]}, {cell[1]})"


def move_name(move: Vector) -> Message:
    """Return the name of a move."""
    return Message(f"move.{move.name}")


def moves_text(vectors: Positions) -> Text:
    """List moves by name, as Python would; vectors that are no moves, as cells."""
    shown = ", ".join(_MOVE_NAMES.get(vector) or cell_text(vector) for vector in vectors[:SHOWN])
    return f"[{shown}]" if len(vectors) <= SHOWN else said("more_moves", shown=shown, count=len(vectors))


def cells_text(cells: Sequence[Position]) -> Text:
    """List the cells."""
    shown = " ".join(map(cell_text, cells[:SHOWN]))
    return shown if len(cells) <= SHOWN else said("more_cells", shown=shown, count=len(cells))


def ordinal(number: int) -> Message:
    """Return 1st, 2nd, 3rd, 4th …"""
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return said(f"ordinal_{suffix}", number=number)


def _first_line(text: str) -> str:
    first = text.split("\n", 1)[0]
    return first if len(first) <= 200 else first[:199] + "…"
