"""The mistakes that a test maze should catch: described in words, or named by ids of misconceptions."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import Final

import yaml

from grader.course.yaml.value import Value, one_of, quoted
from grader.exercises.registry import misconceptions

_LIKE_AN_ID: Final = re.compile(r"[^\s.]+\.\S+")
_CLOSE: Final = 0.6
"""The least similarity (0 to 1) at which ids of the exercise are suggested."""
_HARDLY_WORDS: Final = 0.8
"""The least similarity (0 to 1) to an exercise's id at which a text counts as a misspelt id of it."""


def read_catches(value: Value, exercises: Collection[str]) -> tuple[str, ...]:
    """Return the mistakes of ``catches``, ids in lower case; ``exercises`` are those that use the maze."""
    if not isinstance(value.node, yaml.SequenceNode):
        return (_part(value, exercises),)
    return value.distinct(
        lambda part: _part(part, exercises), "a mistake, in words or by its id", shown=quoted
    )


def _part(part: Value, exercises: Collection[str]) -> str:
    text = part.text(most=200)
    id_ = text.casefold()
    if id_ not in misconceptions():
        _refuse_misspelt(part, id_)
        return text
    exercise = id_.partition(".")[0]
    if exercise not in exercises:
        part.refuse(f"{id_} is a mistake in {exercise}, and this maze is for {', '.join(exercises)}")
    return id_


def _refuse_misspelt(part: Value, id_: str) -> None:
    """Refuse a text that looks like a misspelt id: it begins with an exercise, or resembles an id."""
    of_exercise = [known for known in misconceptions() if known.partition(".")[0] == id_.partition(".")[0]]
    cutoff = _CLOSE if of_exercise else _HARDLY_WORDS
    near = get_close_matches(id_, misconceptions(), n=3, cutoff=cutoff)
    if _LIKE_AN_ID.fullmatch(id_) and (of_exercise or near):
        meant = (
            f"did you mean {' or '.join(map(quoted, near))}?" if near else f"expected {one_of(of_exercise)}"
        )
        part.refuse(f"unknown misconception {quoted(part.text(most=200))}; {meant}")
