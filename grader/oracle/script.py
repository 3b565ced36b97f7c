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
            return _finding(steps, right, came, index, text)
    if claim.outcome == "returned":
        return None
    expected = _transcript(steps, right)
    broken = ending(claim, expected=expected, **_transcript(steps, came))
    if broken is None or len(came) >= len(steps):
        return broken
    text = f"{call_text(steps[len(came)])} {broken.message}"
    return Finding(broken.status, text, expected, broken.actual, extra={"parts_at": len(came)})


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


def _transcript(steps: Sequence[Step], given: Sequence[Plain]) -> dict[str, Plain]:
    lines = [
        {"call": call_text(step), "gives": _wanted(answer)}
        for step, answer in zip(steps, given, strict=False)
    ]
    return {"text": f"{lines[-1]['call']} gives {lines[-1]['gives']}" if lines else "", "steps": lines}


def _finding(
    steps: Sequence[Step], right: Sequence[Plain], came: Sequence[Plain], index: int, text: str
) -> Finding:
    end = index + 1
    expected, actual = _transcript(steps[:end], right[:end]), _transcript(steps[:end], came[:end])
    return Finding("failed", text, expected, actual, _hint(steps, index), {"parts_at": index})


def _hint(steps: Sequence[Step], index: int) -> str:
    """A question about the last record before the step that went wrong."""
    recorded = [step for step in steps[:index] if step[1] == "record"]
    if not recorded:
        return ""
    return f"What should {call_text(recorded[-1])} have noted, and what did it?"
