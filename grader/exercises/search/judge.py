"""The judge of Search: a script of calls, each with the answer of the reference's Search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from grader.exercises.kit.findings import Finding, cell_text, ending, moves_text
from grader.languages import Message, Text, said
from grader.model import Claim, Step, Telling
from grader.model.claims import (
    NONE,
    BoolValue,
    IntValue,
    MazeValue,
    OtherValue,
    Raised,
    Value,
    VectorsValue,
    VectorValue,
    truth_value,
)
from lab import MOVES
from lab.maze import Position
from reference.solvers.search import Search

_MOVE_NAMES: dict[Position, str] = {move: move.name.upper() for move in MOVES}
_SAYS_NOTHING = ("mark_as_pending", "record")
_LOOKUP = Raised("LookupError", is_lookup=True)

FIRST_SHOWN, LAST_SHOWN = 10, 30
MOST_SHOWN = 60
"""A script with more calls is shown with its first and last ones, up to the one that went wrong."""

Given = Value | Raised
"""What a step returned."""


@dataclass(frozen=True)
class Script:
    """Calls with their right answers, computed when they are first used."""

    steps: Sequence[Step]

    @cached_property
    def right(self) -> Sequence[Given]:
        """The reference's answer to each step."""
        return answers(self.steps)


def answers(steps: Sequence[Step]) -> list[Given]:
    """Return the reference's answer to each step."""
    searches: dict[int, Search] = {}
    return [
        _answer(searches.setdefault(instance, Search()), method, arguments)
        for instance, method, arguments in steps
    ]


def judge_script(script: Script, claim: Claim) -> Finding | None:
    """Judge whether every step returned what it should."""
    steps, right = script.steps, script.right
    answered = [came(step, given) for step, given in zip(steps, claim.steps, strict=False)]
    for index, (wanted, answer) in enumerate(zip(right, answered, strict=False)):
        if wanted is not answer and wanted != answer:  # most are one and the same object
            lines = [_lines(script.steps, given, index + 1) for given in (script.right, answered)]
            expected, actual = map(_transcript, lines)
            text = _message(script.steps[index], script.right[index], answered[index])
            at = {"parts_at": len(lines[1]) - 1}
            return Finding("failed", text, expected, actual, extra=at, step=index)
    if claim.outcome == "returned":
        return None
    end = len(steps) if len(steps) <= MOST_SHOWN else len(answered) + 1
    lines = [_lines(steps, given, end) for given in (right, answered)]
    expected, actual = map(_transcript, lines)
    broken = ending(claim, expected=expected, **actual)
    if broken is None or broken.status == "missing" or len(answered) >= len(steps):
        return broken
    if claim.fault is not None and claim.fault.stage == "import":
        return broken  # no step was completed
    call, wanted = call_text(steps[len(answered)]), right[len(answered)]
    text = (
        said("call_ended_though", call=call, ending=broken.message, wanted=_text(wanted))
        if isinstance(wanted, Raised) and claim.outcome == "raised"
        else said("call_ended", call=call, ending=broken.message)
    )
    expected["text"] = said("gives", call=call, value=_text(wanted))
    actual = {**broken.actual, "text": said("call_ended", call=call, ending=broken.message)}
    at = {"parts_at": len(lines[1])}
    return replace(broken, message=text, expected=expected, actual=actual, extra=at, step=len(answered))


def call_text(step: Step) -> str:
    """Return a step as a student would write it."""
    instance, method, arguments = step
    name = "search" if instance == 0 else f"other_search_{instance}"
    if method == "known_cells":
        return f"{name}.known_cells"
    shown = [cell_text(argument) for argument in arguments]
    if method == "record":
        shown[1] = _MOVE_NAMES[arguments[1]]
    return f"{name}.{method}({', '.join(shown)})"


def _answer(search: Search, method: str, arguments: Sequence[Position]) -> Given:
    try:
        value = getattr(search, method)
        value = value if method == "known_cells" else value(*arguments)
    except LookupError:
        return _LOOKUP
    if method in _SAYS_NOTHING:
        return NONE
    if isinstance(value, bool):
        return truth_value(value)
    if isinstance(value, int):
        return IntValue(value)
    if method in ("known_cells", "moves_to"):
        return VectorsValue(tuple(value))
    return VectorValue(value)


def came(step: Step, given: Given) -> Given:
    """Return what a step returned, comparable with ``_answer``.

    So record's own result, the type of container of the vectors, and whether a distance is 1 or 1.0 do not
    matter.
    """
    if isinstance(given, Raised):
        return _LOOKUP if given.is_lookup else given
    if step[1] in _SAYS_NOTHING:
        return NONE
    if isinstance(given, IntValue) and step[1] == "has_pending_cells":
        return truth_value(bool(given.value))
    if isinstance(given, VectorsValue) and given.container != "list":
        return VectorsValue(given.value)
    if isinstance(given, OtherValue) and step[1] == "distance_to" and given.type_name == "float":
        return _whole(given)
    return given


def _whole(given: OtherValue) -> Given:
    """Turn a whole float into an int; return anything else unchanged."""
    with suppress(ValueError):
        number = float(given.text)
        if number.is_integer():
            return IntValue(int(number))
    return given


def _message(step: Step, wanted: Given, answer: Given) -> Message:
    """Say what a step returned, and what it should have."""
    call, due = call_text(step), _text(wanted)
    if isinstance(answer, Raised):
        return said("call_raised", call=call, kind=answer.kind, wanted=due)
    came = _text(answer)
    if not (isinstance(wanted, VectorsValue) and isinstance(answer, VectorsValue)) or came != due:
        return said("gave", call=call, value=came, wanted=due)
    one, other = wanted.value, answer.value  # two long lists, shortened to the same text
    at = next(at for at, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])
    element = {"number": at + 1, "came": moves_text(other[at : at + 1]), "due": moves_text(one[at : at + 1])}
    return said("gave_element", call=call, value=came, wanted=due, **element)


def _text(given: Given) -> Text:
    """Describe what a step returned, or should have."""
    match given:
        case Raised(kind):
            return said("an_error", kind=kind)
        case VectorValue(cell):
            return cell_text(cell)
        case VectorsValue(vectors):
            return moves_text(vectors)
        case MazeValue(text) | OtherValue(_, text):
            return text
        case BoolValue(value) | IntValue(value):
            return str(value)
    return "None"


def _lines(steps: Sequence[Step], given: Sequence[Given], end: int) -> list[dict[str, Text]]:
    """Return the calls before ``end`` with their results, only the first and last ones if there are many."""
    numbers = list(range(min(end, len(given))))
    if end > MOST_SHOWN:
        numbers = [number for number in numbers if number < FIRST_SHOWN or number >= end - LAST_SHOWN]
    lines = [{"call": call_text(steps[at]), "gives": _text(given[at])} for at in numbers]
    if end > MOST_SHOWN:
        left_out = end - FIRST_SHOWN - LAST_SHOWN
        lines.insert(FIRST_SHOWN, {"call": said("more_calls", count=left_out), "gives": "…"})
    return lines


def _transcript(lines: Sequence[Mapping[str, Text]]) -> dict[str, Telling]:
    text = said("gives", call=lines[-1]["call"], value=lines[-1]["gives"]) if lines else ""
    return {"text": text, "steps": lines}
