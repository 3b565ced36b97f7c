"""A perfection checker's answers, maze by maze, and whether they follow certain features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.exercises.kit.maze_features import Features, features_of
from grader.exercises.kit.misconception import Explains, Pair
from grader.model import Claim, IsPerfect
from grader.model.claims import BoolValue, MazeValue, NoneValue, OtherValue, Value

_ENDLESS = ("endless", "timeout", "out-of-memory", "output-limit")


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer."""

    text: str
    answer: str
    """True, False, endless, raised, deep (a RecursionError), or the type of R in PROTOCOL.md."""
    value: str
    """The answer as text."""
    changed: bool
    outcome: str = "returned"
    """As in the claim."""

    @property
    def features(self) -> Features:
        """The features of the maze."""
        return features_of(self.text)


def read(pairs: Sequence[Pair]) -> list[Answer]:
    """Read the answers of checkers that were given only one maze."""
    asked = [(call.asked(IsPerfect), claim) for call, claim in pairs]
    return [_answer(it.maze, claim) for it, claim in asked if not it.before]


def _answer(text: str, claim: Claim) -> Answer:
    if claim.answer is None:
        deep = claim.fault is not None and claim.fault.kind == "RecursionError"
        ending = "endless" if claim.outcome in _ENDLESS else claim.outcome
        return Answer(text, "deep" if deep else ending, "", changed=False, outcome=claim.outcome)
    returned = claim.answer.returned
    value = _text(returned)
    answer = value if isinstance(returned, BoolValue) else returned.kind
    return Answer(text, answer, value, claim.answer.changed is not None)


def _text(returned: Value) -> str:
    match returned:
        case MazeValue(text) | OtherValue(_, text):
            return text
        case NoneValue():
            return "None"
    return str(returned.value)


def is_right(_exercise: str, answer: Answer) -> bool:
    """Return whether the answer is right, and the maze unchanged."""
    return answer.answer == str(answer.features.perfect) and not answer.changed


Rule = Callable[[Features], "bool | str"]
"""Return what a checker answers, or how it ends, from the features of a maze."""


def by_features(*rules: Rule) -> Explains:
    """Return a model of a checker that follows one of these rules."""

    def explains(_exercise: str, answers: Sequence[Answer]) -> bool:
        return any(
            all(each.answer == str(rule(each.features)) and not each.changed for each in answers)
            for rule in rules
        )

    return explains


def by_each(explains_each: Callable[[Answer], bool]) -> Explains:
    """Return a model that explains each answer separately."""
    return lambda _exercise, answers: all(map(explains_each, answers))
