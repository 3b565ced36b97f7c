"""What a misconception is: a wrong model of an exercise."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from grader.exercises.kit.code_patterns import Reads
from grader.model import Call, Claim
from lab.exercises import Exercise, Takes

Pair = tuple[Call, Claim]
Explains = Callable[[str, Sequence[Any]], bool]
"""Tells whether a model of an exercise explains all that was seen."""


GoesBy = Literal["answers", "code", "kind"]


@dataclass(frozen=True, slots=True)
class Model:
    """A wrong model of exercises of a kind; the catalogues of the languages hold its hint, by its name."""

    name: str
    explains: Explains
    goes_by: GoesBy = "answers"
    """What it goes by, from the surest to the least sure: answers that only this mistake gives; the code,
    with answers that others may give as well; or no more than the kind of maze that goes wrong. One that is
    less sure is asked only where no other explains what was seen."""
    takes: tuple[Takes, ...] = ()
    """The solvers that it is a model of, by the cell that they go on with; all where none is named."""

    code: Reads | None = None
    """Tells whether the code has what the hint speaks of: other code may give the same answers. None where
    the hint speaks of what came only."""

    in_hidden: bool = False
    """It does not show in the cases that students see: where only hidden ones went wrong, the code alone
    tells."""

    def is_of(self, exercise: Exercise) -> bool:
        """Tell whether it is a model of this exercise, among those of its kind."""
        return not self.takes or exercise.takes in self.takes

    def fits(self, exercise: str, seen: Sequence[Any], code: ast.Module | None) -> bool:
        """Tell whether it explains all that was seen, and the code has what the hint speaks of."""
        if not self.explains(exercise, seen):
            return False
        return self.code is None or (code is not None and self.code(code))


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
