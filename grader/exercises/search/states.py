"""What a Search holds after each step of a script, asked from outside, beside what a right one holds.

For each step the script is run up to there with new searches, and then asked (``lab.held``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from grader.exercises.kit.check import Wrong
from grader.exercises.kit.kind import AskedState
from grader.exercises.search.judge import Given, Script, answers, call_text, came
from grader.model import Call, Claim, RunScript, StateStep, Step
from grader.model.claims import MazeValue, OtherValue, Raised, VectorsValue, VectorValue
from lab.held import NO_END, NOTHING, Held, held_after, of_state, wrong_parts
from lab.recorded import Told
from lab.steps import shown

MOST_ASKED: Final = 24
"""It is asked after at most 24 steps what is held."""
MOST_SHOWN, MOST_WRONG = 4, 3
"""What is held is shown after at most four steps, and of at most three things that are wrong."""
_LONGEST: Final = 300
"""An answer is shown with 300 characters."""
Make = Callable[[Sequence[Call]], Sequence[Claim]]


def asked_state(wrong: Wrong, claim: Claim, make_calls: Make) -> AskedState | None:
    """Return the first step after which what is held is wrong; else the step whose answer is wrong."""
    script, at = wrong.case.given, wrong.finding.step
    if not isinstance(script, Script) or at is None:
        return None
    steps, seen = tuple(script.steps), list[tuple[Held, Held]]()
    for ours, right in _states(steps[: at + 1], claim, make_calls):
        seen.append((ours, right))
        if odd := wrong_parts(ours, right):
            return _parting(steps, seen, odd)
    if at >= len(claim.steps):
        return None
    is_right = 0 < at == len(seen) and all(ours.state == right.state for ours, right in seen)
    key = "state_right" if is_right else "step"
    return AskedState(at, _before(steps, at), Told(key, None, {"step": call_text(steps[at])}))


def _states(steps: Sequence[Step], claim: Claim, make_calls: Make) -> Iterator[tuple[Held, Held]]:
    """Yield what is held after each step before the last, and in a right one, while it goes as claimed."""
    has_ended = False

    def ask(script: Sequence[Step]) -> list[str]:
        nonlocal has_ended
        (again,) = make_calls([Call(f"{claim.call}/asked", RunScript(tuple(script)))])
        is_same = again.steps[:end] == claim.steps[:end] and len(again.steps) >= end
        has_ended = has_ended or not is_same or not again.came_back
        last = [NO_END] if again.outcome == "endless" else []
        return [*_texts(script, [*again.steps, *_raised(again)]), *last] if is_same else []

    for end in range(1, min(len(steps) - 1, MOST_ASKED) + 1):
        ours = held_after(steps[:end], ask, steps)
        yield ours, held_after(steps[:end], lambda script: _texts(script, answers(script)), steps)
        if has_ended:
            return


def _raised(claim: Claim) -> list[Raised]:
    """Return the exception that ended a script, as the answer to its last step."""
    fault = claim.fault if claim.outcome == "raised" else None
    return [] if fault is None else [Raised(fault.kind, is_lookup=False)]


def _texts(steps: Sequence[Step], gave: Sequence[Given]) -> list[str]:
    return [_text(came(step, given)) for step, given in zip(steps, gave, strict=False)]


def _parting(steps: Sequence[Step], seen: Sequence[tuple[Held, Held]], odd: Sequence[str]) -> AskedState:
    """Tell which step made what is held wrong, with what was held after the steps up to there."""
    at, last = len(seen) - 1, seen[-1]
    told = of_state(call_text(steps[at]), odd[0], *last)
    owner = re.match(r"other_search_(\d+)", odd[0])
    if told.key == "state" and owner and int(owner[1]) not in {search for search, *_ in steps[: at + 1]}:
        told = told._replace(key="state_new")  # it is made after these steps
    told = told._replace(values={name: text[:_LONGEST] for name, text in told.values.items()})
    wrong = ([name for name in odd if name.endswith(("known_cells", "pending"))] or odd)[:MOST_WRONG]
    table = [
        StateStep(number + 1, call_text(steps[number]), *(_shown(held, wrong) for held in both))
        for number, both in enumerate(seen)
        if any(name in held.state for held in both for name in wrong)
    ]
    return AskedState(at, _before(steps, at), told, tuple(table[-MOST_SHOWN:]))


def _shown(held: Held, names: Sequence[str]) -> dict[str, str]:
    return {name: held.state[name][:_LONGEST] for name in names if name in held.state}


def _text(given: Given) -> str:
    match given:
        case Raised(kind, is_lookup):
            return NOTHING if is_lookup else kind
        case OtherValue(_, text) | MazeValue(text):
            return text
        case VectorsValue(vectors):
            return f"[{', '.join(map(shown, vectors))}]"
        case VectorValue(cell):
            return shown(cell)
    return str(getattr(given, "value", None))


def _before(steps: Sequence[Step], at: int) -> list[int]:
    """Return the earlier steps with the same search."""
    return [number for number in range(at) if steps[number][0] == steps[at][0]]
