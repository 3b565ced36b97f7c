"""The judge of Search: a script of calls, each with what the reference's Search gave."""

from __future__ import annotations

from collections.abc import Sequence

from grader.model import Claim, Plain
from grader.oracle.findings import Finding, cell_text, ending, moves_text
from lab import MOVES
from reference.solvers.search import Search

_MOVE_NAMES = {tuple(move): move.name.upper() for move in MOVES}
_SAYS_NOTHING = ("mark_as_pending", "record")
_LOOKUP: Plain = {"raised": "LookupError"}

FIRST_SHOWN, LAST_SHOWN = 10, 30
MOST_SHOWN = 60
"""A script with more calls is shown with its first and its last ones, up to the one that went wrong."""

Step = Sequence[Plain]
"""``[instance, method, [position, …]]``, as in PROTOCOL.md."""


def answers(steps: Sequence[Step]) -> list[Plain]:
    """What the reference answers to each step: plain data, comparable with ``plain`` of a claim."""
    searches: dict[int, Search] = {}
    return [
        _answer(searches.setdefault(instance, Search()), method, arguments)
        for instance, method, arguments in steps
    ]


def judge_script(steps: Sequence[Step], right: Sequence[Plain], claim: Claim) -> Finding | None:
    """Every step gave what it should."""
    came = [_came(step, given) for step, given in zip(steps, _steps(claim), strict=False)]
    for index, (wanted, answer) in enumerate(zip(right, came, strict=False)):
        if wanted != answer:
            text = f"{call_text(steps[index])} {_words(answer)}; expected {_wanted(wanted)}"
            text += _beyond_what_is_shown(wanted, answer)
            return _finding(steps, right, came, index, text)
    if claim.outcome == "returned":
        return None
    end = len(steps) if len(steps) <= MOST_SHOWN else len(came) + 1
    expected, actual = (_transcript(steps, given, end) for given in (right, came))
    broken = ending(claim, expected=expected, **actual)
    if broken is None or len(came) >= len(steps):
        return broken
    text = f"{call_text(steps[len(came)])} {broken.message}"
    at = {"parts_at": len(actual["steps"])}
    return Finding(broken.status, text, expected, broken.actual, extra=at)


def call_text(step: Step) -> str:
    """A step as a student would write it."""
    instance, method, arguments = step
    name = "search" if instance == 0 else f"other_search_{instance}"
    if method == "known_cells":
        return f"{name}.known_cells"
    shown = [cell_text(argument) for argument in arguments]
    if method == "record":
        shown[1] = _MOVE_NAMES[tuple(arguments[1])]
    return f"{name}.{method}({', '.join(shown)})"


def _answer(search: Search, method: str, arguments: Sequence[Plain]) -> Plain:
    vectors = [tuple(argument) for argument in arguments]
    try:
        value = getattr(search, method)
        value = value if method == "known_cells" else value(*vectors)
    except LookupError:
        return _LOOKUP
    if method in _SAYS_NOTHING:
        return {"none": None}
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, int):
        return {"int": value}
    if method in ("known_cells", "moves_to"):
        return {"vectors": [list(vector) for vector in value]}
    return {"vector": list(value)}


def _steps(claim: Claim) -> Sequence[Plain]:
    return claim.value["steps"] if claim.value else []


def _came(step: Step, given: Plain) -> Plain:
    """A step of a claim in the form of ``_answer``; what record itself returns does not matter."""
    if "raised" in given:
        return _LOOKUP if given["lookup"] else {"raised": given["raised"]}
    if step[1] in _SAYS_NOTHING:
        return {"none": None}
    returned = given["returned"]
    if returned["type"] == "int" and step[1] == "has_pending_cells":
        return {"bool": bool(returned["value"])}
    if returned["type"] == "other":
        return {"other": returned["text"]}
    return {returned["type"]: returned.get("value")}


def _words(answer: Plain) -> str:
    if "raised" in answer:
        return f"raised {answer['raised']}"
    return f"gave {_value_text(answer)}"


def _wanted(answer: Plain) -> str:
    return f"a {answer['raised']}" if "raised" in answer else _value_text(answer)


def _value_text(answer: Plain) -> str:
    ((kind, value),) = answer.items()
    if kind == "vector":
        return cell_text(value)
    if kind == "vectors":
        return moves_text(value)
    return str(value)


def _beyond_what_is_shown(wanted: Plain, answer: Plain) -> str:
    """Where two long lists differ that are cut to the same text."""
    one, other = wanted.get("vectors"), answer.get("vectors")
    if one is None or other is None or moves_text(one) != moves_text(other):
        return ""
    at = next(at for at, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])
    return f" (element {at + 1} is {moves_text(other[at : at + 1])}, not {moves_text(one[at : at + 1])})"


def _transcript(steps: Sequence[Step], given: Sequence[Plain], end: int) -> dict[str, Plain]:
    """The calls before the end, with what they gave; of many the first and the last ones."""
    numbers = list(range(min(end, len(given))))
    if end > MOST_SHOWN:
        numbers = [number for number in numbers if number < FIRST_SHOWN or number >= end - LAST_SHOWN]
    lines = [{"call": call_text(steps[at]), "gives": _wanted(given[at])} for at in numbers]
    text = f"{lines[-1]['call']} gives {lines[-1]['gives']}" if lines else ""
    if end > MOST_SHOWN:
        left_out = end - FIRST_SHOWN - LAST_SHOWN
        lines.insert(FIRST_SHOWN, {"call": f"… {left_out} more calls", "gives": "…"})
    return {"text": text, "steps": lines}


def _finding(
    steps: Sequence[Step], right: Sequence[Plain], came: Sequence[Plain], index: int, text: str
) -> Finding:
    expected, actual = (_transcript(steps, given, index + 1) for given in (right, came))
    at = {"parts_at": len(actual["steps"]) - 1}
    return Finding("failed", text, expected, actual, _hint(steps, index), at)


def _hint(steps: Sequence[Step], index: int) -> str:
    """A question about the last record before the step that went wrong."""
    recorded = [step for step in steps[:index] if step[1] == "record"]
    if not recorded:
        return ""
    return f"What should {call_text(recorded[-1])} have noted, and what did it?"
