"""What a misconception is: a wrong model of an exercise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from grader.model import Call, Claim

Pair = tuple[Call, Claim]
Explains = Callable[[str, Sequence[Any]], bool]
"""Tells whether a model of an exercise explains all that was seen."""


@dataclass(frozen=True, slots=True)
class Model:
    """A wrong model of one or more exercises; the catalogues of the languages hold its hint, by its name."""

    name: str
    exercises: tuple[str, ...]
    explains: Explains
    broad: bool = False
    """It says where a submission goes wrong rather than how, and is asked only where no other model explains
    what was seen."""
