"""What a misconception is: a wrong model of an exercise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from grader.model import Call, Claim
from lab.exercises import Exercise, Takes

Pair = tuple[Call, Claim]
Explains = Callable[[str, Sequence[Any]], bool]
"""Tells whether a model of an exercise explains all that was seen."""


@dataclass(frozen=True, slots=True)
class Model:
    """A wrong model of exercises of a kind; the catalogues of the languages hold its hint, by its name."""

    name: str
    explains: Explains
    broad: bool = False
    """It says where a submission goes wrong rather than how, and is asked only where no other model explains
    what was seen."""
    takes: tuple[Takes, ...] = ()
    """The solvers that it is a model of, by the cell that they go on with; all where none is named."""

    def is_of(self, exercise: Exercise) -> bool:
        """Tell whether it is a model of this exercise, among those of its kind."""
        return not self.takes or exercise.takes in self.takes


@dataclass(frozen=True, slots=True)
class Reader:
    """How the claims of an exercise are read, and which of them are wrong."""

    read: Callable[[Sequence[Pair]], list[Any]]
    wrong_of: Callable[[str, Sequence[Any]], list[Any]]


def one_by_one(is_right: Callable[[str, Any], bool]) -> Callable[[str, Sequence[Any]], list[Any]]:
    """Return a function that picks those that are wrong, each judged on its own."""
    return lambda exercise, seen: [each for each in seen if not is_right(exercise, each)]
