"""What a misconception is: a wrong model of an exercise, and the hint for whoever holds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.model import Call, Claim

Pair = tuple[Call, Claim]
Explains = Callable[[str, Sequence[Any]], bool]
"""Tells whether a model of an exercise explains all that was seen."""


@dataclass(frozen=True, slots=True)
class Misconception:
    """A mistake that explains what a submission did, with its hint by language."""

    id: str
    exercise: str
    hints: Mapping[str, str]

    def hint(self, language: str) -> str:
        """Return the hint in the language, the English one where there is none."""
        return self.hints.get(language, self.hints["en"])


@dataclass(frozen=True)
class Model:
    """A wrong model of one or more exercises; a file in ``models/`` holds one of them."""

    name: str
    exercises: tuple[str, ...]
    explains: Explains
    hints: Mapping[str, str]
    """What is likely wrong, and a question that leads on: never the code of the answer."""
