"""What a judge finds wrong with a claim, and how claims are put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.model import Claim, Fault, Json, Status
from grader.model.claims import (
    BoolValue,
    IntValue,
    MazeValue,
    NoneValue,
    OtherValue,
    Value,
    VectorsValue,
    VectorValue,
)
from lab import MOVES

SHOWN = 12
"""At most 12 elements of a list are spelt out in a sentence."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: the sentence for people, and both sides as data for the pictures."""

    status: Status
    message: str
    expected: Mapping[str, Json]
    actual: Mapping[str, Json]
    hint: str = ""
    extra: Mapping[str, Json] = field(default_factory=dict)
    decides: bool = False
    """It is decisive for the whole exercise, which then earns nothing."""


_MOVE_NAMES = {tuple(move): move.name for move in MOVES}

_ENDINGS: dict[str, tuple[Status, str]] = {
    "timeout": ("timeout", "was still running when its time was over"),
    "out-of-memory": ("out-of-memory", "used more memory than it may"),
    "output-limit": ("output-limit", "printed or returned more than it may"),
    "violation": ("violation", "answered the grader out of turn"),
}


def ending(claim: Claim, *, expected: Mapping[str, Json], **actual: Json) -> Finding | None:
    """The finding for a call that gave no value; None where it returned."""
    if claim.outcome == "returned":
        return None
    fault = claim.fault
    if claim.outcome == "endless":
        text = endless_text(claim)
        return Finding("endless", text, expected, {"text": text, "fault": fault_data(fault), **actual})
    if claim.outcome in _ENDINGS:
        status, text = _ENDINGS[claim.outcome]
        return Finding(status, text, expected, {"text": text, "fault": fault_data(fault), **actual})
    text = fault_text(fault)
    status = "missing" if claim.outcome == "missing" else "crashed"
    return Finding(status, text, expected, {"text": text, "fault": fault_data(fault), **actual})


def endless_text(claim: Claim) -> str:
    """How far a call came that was cut off by the count of its steps."""
    if claim.spent is None:
        return "went on for ever while the file was loaded"
    if claim.spent.what == "questions":
        return f"went on for ever: {claim.spent.count} questions to a maze of {claim.spent.size} cells"
    return f"went on for ever: {claim.spent.count} turns of its loops and functions"


def fault_text(fault: Fault | None) -> str:
    """What happened, and where in the student's files."""
    if fault is None:
        return "ended without a word"
    if fault.kind == "missing":
        return fault.message
    while_ = {"import": " while the file was loaded", "construct": " while it was made"}.get(fault.stage, "")
    what = fault.kind if not fault.message else f"{fault.kind}: {_first_line(fault.message)}"
    verb = "ended with" if fault.kind.startswith(("exit status", "signal")) else "raised"
    if not fault.trace:
        return f"{verb} {what}{while_}"
    last = fault.trace[-1]
    return f"{verb} {what}{while_} ({last.file}, line {last.line}, in {last.function})"


def fault_data(fault: Fault | None) -> Json:
    """A fault as results.json has it."""
    if fault is None:
        return None
    trace: list[Json] = [
        {"file": frame.file, "line": frame.line, "function": frame.function, "code": frame.code}
        for frame in fault.trace
    ]
    return {"kind": fault.kind, "message": fault.message, "stage": fault.stage, "trace": trace}


def describe(value: Value) -> str:
    """A returned value in a few words."""
    match value:
        case NoneValue():
            return "None"
        case BoolValue(given) | IntValue(given):
            return str(given)
        case VectorValue(cell):
            return cell_text(cell)
        case VectorsValue(vectors, container):
            text = moves_text(vectors)
            return text if container == "list" else f"{text} (a {container})"
        case MazeValue():
            return "a maze"
        case OtherValue(type_name, text):
            return f"{text} (a {type_name})"


def cell_text(cell: Sequence[int]) -> str:
    """A cell as people write it."""
    return f"({cell[0]}, {cell[1]})"


def moves_text(vectors: Sequence[Sequence[int]]) -> str:
    """A list of moves by their names; of cells, where they are no moves."""
    shown = [_MOVE_NAMES.get((v[0], v[1])) or cell_text(v) for v in vectors[:SHOWN]]
    if len(vectors) > SHOWN:
        shown.append(f"… {len(vectors)} in all")
    return "[" + ", ".join(shown) + "]"


def cells_text(cells: Sequence[Sequence[int]]) -> str:
    """Cells one after the other."""
    shown = [cell_text(cell) for cell in cells[:SHOWN]]
    if len(cells) > SHOWN:
        shown.append(f"… {len(cells)} in all")
    return " ".join(shown)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _first_line(text: str) -> str:
    first = text.split("\n", 1)[0]
    return first if len(first) <= 200 else first[:199] + "…"
