"""What a misconception is: a wrong model of an exercise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from grader.model import Call, Claim
from lab.exercises import Exercise, Takes

Pair = tuple[Call, Claim]
Explains = Callable[[str, Sequence[Any]], bool]
"""Tells whether a model of an exercise explains all that was seen."""


GoesBy = Literal["answers", "kind"]


@dataclass(frozen=True, slots=True)
class Model:
    """A wrong model of exercises of a kind; the catalogues of the languages hold its hint, by its name."""

    name: str
    explains: Explains
    goes_by: GoesBy = "answers"
    """What it goes by: answers that only this mistake gives, or no more than the kind of maze that goes
    wrong. One that is less sure is asked only where no other explains what was seen."""
    takes: tuple[Takes, ...] = ()
    """The solvers that it is a model of, by the cell that they go on with; all where none is named."""

    def is_of(self, exercise: Exercise) -> bool:
        """Tell whether it is a model of this exercise, among those of its kind."""
        return not self.takes or exercise.takes in self.takes


@dataclass(frozen=True, slots=True)
class AnswerReader:
    """How the claims of an exercise are read, and which of them are wrong."""

    read: Callable[[Sequence[Pair]], list[Any]]
    wrong_of: Callable[[str, Sequence[Any]], list[Any]]


@dataclass(frozen=True, slots=True)
class Mask:
    """A mistake that may come on top of another: what was seen is put right for it, and the other shows."""

    name: str
    put_right: Callable[[Any], Any]
    """Returns what would have been seen without the mistake: the same object where it makes no difference."""
    holds: Callable[[Sequence[Any]], bool]
    """Tells whether the mistake was made wherever it could be, going by all that was seen."""
    leaves: frozenset[str] = frozenset()
    """The checks, without the exercise, that are lost for the other mistake as well."""


def one_by_one(is_right: Callable[[str, Any], bool]) -> Callable[[str, Sequence[Any]], list[Any]]:
    """Return a function that picks those that are wrong, each judged on its own."""
    return lambda exercise, seen: [each for each in seen if not is_right(exercise, each)]
