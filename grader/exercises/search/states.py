"""What a Search holds after each step of a script, asked from outside, beside what a right one holds.

For each step the script is run up to there with new searches. Then the known cells are asked for, the
distance and the moves of each, and the pending cells are taken one by one; no attribute is read by name. That
is done three times, with the first pending cell, the last and the closest. Where the first two do not agree,
or the third is as from a right one, it may be the taking that is wrong, and what is pending is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from grader.exercises.kit.check import Wrong
from grader.exercises.kit.kind import AskedState
from grader.exercises.search.judge import LOOKUP, Given, Script, answers, call_text, came
from grader.model import Call, Claim, RunScript, StateStep, Step
from grader.model.claims import (
    MazeValue,
    OtherValue,
    Positions,
    Raised,
    VectorsValue,
    VectorValue,
    truth_value,
)
from lab.recorded import Told
from lab.steps import shown

MOST_ASKED: Final = 24
"""It is asked after at most 24 steps what is held."""
MOST_SHOWN, MOST_WRONG = 4, 3
"""What is held is shown after at most four steps, and of at most three things that are wrong."""
_LONGEST: Final = 300
"""An answer is shown with 300 characters."""
_FINDS: Final = ("mark_as_pending", "record")
_TAKES: Final = ("first_pending", "last_pending", "closest_pending")
_PARTS: Final = ("known_cells", "pending", "distance_to", "moves_to")
Make = Callable[[Sequence[Call]], Sequence[Claim]]
Question = tuple[str, Step]
"""What is asked about, and how."""
State = Mapping[str, Given]
"""What is held, by what was asked about."""


def asked_state(wrong: Wrong, claim: Claim, make_calls: Make) -> AskedState | None:
    """Return the first step after which what is held is wrong; else the step whose answer is wrong."""
    script, at = wrong.case.given, wrong.finding.step
    if not isinstance(script, Script) or at is None:
        return None
    steps, seen = tuple(script.steps), list[tuple[State, State]]()
    for ours, right in _states(steps[: min(at, MOST_ASKED)], claim, make_calls):
        seen.append((ours, right))
        if odd := [name for name, given in ours.items() if right[name] != given]:
            return _parting(steps, seen, odd)
    if at >= len(claim.steps):
        return None
    is_right = len(seen) == at and all(ours == right for ours, right in seen)
    key = "state_right" if is_right else "step"
    return AskedState(at, _before(steps, at), Told(key, None, {"step": call_text(steps[at])}))


def _states(steps: Sequence[Step], claim: Claim, make_calls: Make) -> Iterator[tuple[State, State]]:
    """Yield what is held after each step, and in a right one, as far as the steps go as in the claim."""
    for end in range(1, len(steps) + 1):
        asked = [_questions(steps[:end], takes) for takes in _TAKES]
        scripts = [(*steps[:end], *(step for _, step in each)) for each in asked]
        claims = make_calls([Call(f"{claim.call}/{end}/{n}", RunScript(s)) for n, s in enumerate(scripts)])
        gave = [_given(each) for each in claims]
        if any(each[:end] != _given(claim)[:end] for each in gave):
            return
        ours, nearest = _state(asked, [each[end:] for each in gave])
        right, due = _state(asked, [answers(run)[end:] for run in scripts])
        for name in nearest.keys() & ours.keys():
            if nearest[name] == due[name] and ours[name] != right[name]:
                ours.pop(name)
        yield ours, right
        if not all(each.came_back for each in claims):
            return


def _questions(steps: Sequence[Step], takes: str) -> list[Question]:
    """Return what is asked after some steps: what each search knows, then what waits in it."""
    knows, waits = list[Question](), list[Question]()
    several = any(search for search, *_ in steps)
    for search in dict.fromkeys(search for search, *_ in steps):
        found = [vectors[-1] for other, method, vectors in steps if other == search and method in _FINDS]
        own: list[Step] = [(search, "known_cells", ())]
        own += [(search, method, (cell,)) for method in _PARTS[2:] for cell in dict.fromkeys(found)]
        texts = [call_text(step) for step in own]
        knows += zip(texts if several else (text.partition(".")[2] for text in texts), own, strict=True)
        name = f"{texts[0].partition('.')[0]}: pending" if several else "pending"
        waits += [
            (name, (search, "has_pending_cells", ())),
            *[(name, (search, takes, ()))] * (len(found) + 1),
        ]
    return [*knows, *waits]


def _given(claim: Claim) -> tuple[Given, ...]:
    """Return the answers, as far as they go, and the exception that ended them as the last one."""
    fault = claim.fault if claim.outcome == "raised" else None
    return claim.steps if fault is None else (*claim.steps, Raised(fault.kind, is_lookup=False))


def _answered(asked: Sequence[Question], gave: Sequence[Given]) -> dict[str, list[Given]]:
    answered = dict[str, list[Given]]()
    for (name, step), given in zip(asked, gave, strict=False):
        answered.setdefault(name, []).append(came(step, given))
    return answered


def _state(
    asked: Sequence[Sequence[Question]], gave: Sequence[Sequence[Given]]
) -> tuple[dict[str, Given], dict[str, Positions]]:
    """Return what is held, by the answers of the runs, and the pending cells with the closest first."""
    first, last, closest = map(_answered, asked, gave)
    held, nearest = dict[str, Given](), dict[str, Positions]()
    for name, (answer, *taken) in first.items():
        if not name.endswith("pending"):
            held[name] = answer
            continue
        cells, turned, nearest[name] = (_cells(each.get(name, [])) for each in (first, last, closest))
        if answer == truth_value(bool(cells)) and taken[-1:] == [LOOKUP] and cells == turned[::-1]:
            held[name] = VectorsValue(cells)
    return held, nearest


def _cells(gave: Sequence[Given]) -> Positions:
    return tuple(each.value for each in gave if isinstance(each, VectorValue))


def _parting(steps: Sequence[Step], seen: Sequence[tuple[State, State]], odd: Sequence[str]) -> AskedState:
    """Tell which step made what is held wrong, with what was held after the steps up to there."""
    at, (ours, right) = len(seen) - 1, seen[-1]
    part = min(odd, key=lambda name: next(n for n, each in enumerate(_PARTS) if each in name))
    values = {"part": part, "came": _text(ours[part]), "due": _text(right[part])}
    told = Told("state", None, {"step": call_text(steps[at]), **values})
    wrong = ([name for name in odd if name.endswith(_PARTS[:2])] or odd)[:MOST_WRONG]
    table = [
        StateStep(number + 1, call_text(steps[number]), *(_shown(state, wrong) for state in states))
        for number, states in enumerate(seen)
        if any(name in state for state in states for name in wrong)
    ]
    return AskedState(at, _before(steps, at), told, tuple(table[-MOST_SHOWN:]))


def _shown(state: State, names: Sequence[str]) -> dict[str, str]:
    return {name: _text(state[name]) for name in names if name in state}


def _text(given: Given) -> str:
    match given:
        case Raised(text) | OtherValue(_, text) | MazeValue(text):
            return text[:_LONGEST]
        case VectorsValue(vectors):
            return f"[{', '.join(map(shown, vectors))}]"[:_LONGEST]
        case VectorValue(cell):
            return shown(cell)
    return str(getattr(given, "value", None))


def _before(steps: Sequence[Step], at: int) -> list[int]:
    """Return the earlier steps with the same search."""
    return [number for number in range(at) if steps[number][0] == steps[at][0]]
