"""What a call that is traced is given: the maze, what every course has, and what ``--given`` says."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from lab.commands.errors import CommandError
from lab.exercises import Exercise
from lab.factory import Factory
from lab.maze import Maze
from lab.vector import Vector

_KNOWN: Final = ("maze", "search", "dimension", "factory", "rng")
"""What needs not be given."""
_LONGEST: Final = 160
"""No command with longer options is proposed."""
_TROUBLE: Final = frozenset('"$`\\!%')
"""What a shell interprets within double quotes."""


def read_given(texts: Sequence[str]) -> dict[str, object]:
    """Return the values of texts such as ``key=(2, 3)`` by name; pairs of whole numbers are vectors.

    Raises CommandError.
    """
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            found[name.strip()] = _with_vectors(ast.literal_eval(value.strip()))
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            told = "expected a name and a value as in Python, such as 'key=(2, 3)'"
            raise CommandError(f"--given {text!r}: {told}") from None
    return found


def _with_vectors(value: Any) -> Any:
    if isinstance(value, tuple) and len(value) == 2 and all(type(each) is int for each in value):
        return Vector(*value)
    if isinstance(value, dict):
        return {_with_vectors(key): _with_vectors(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set)):
        return type(value)(map(_with_vectors, value))
    return value


def given_options(exercise: Exercise, given: Mapping[str, object]) -> str | None:
    """Return the options by which a call is given these arguments; None where a shell or a reader has trouble
    with them.
    """
    texts = [f"{name}={_plain(given[name])!r}" for name in exercise.parameters if name not in _KNOWN]
    options = "".join(f' --given "{text}"' for text in texts)
    try:
        is_read = len(options) <= _LONGEST and [*read_given(texts).values()] == [
            given[t.partition("=")[0]] for t in texts
        ]
    except CommandError:
        return None
    return options if is_read and not _TROUBLE & {*"".join(texts)} else None


def _plain(value: Any) -> Any:
    """Return a value with plain pairs in place of vectors."""
    if isinstance(value, Vector):
        return (*value,)
    if isinstance(value, dict):
        return {_plain(key): _plain(each) for key, each in value.items()}
    return type(value)(map(_plain, value)) if isinstance(value, (list, tuple, set)) else value


def arguments_of(exercise: Exercise, maze: Maze, search: object, given: Mapping[str, object]) -> list[object]:
    """Return the arguments of a call in their order.

    Raises CommandError if one is missing or not asked for.
    """
    known = {
        "maze": maze,
        "search": search,
        "dimension": maze.dimension,
        "factory": Factory(),
        "rng": Random(0),
    }
    names = exercise.parameters
    if unknown := [name for name in given if name not in names or name in ("maze", "search")]:
        others = [name for name in names if name not in known]
        told = f"expected {' or '.join(others)}" if others else "it takes nothing that can be given"
        raise CommandError(f"--given: {exercise.name} has no {unknown[0]}; {told}")
    if missing := [name for name in names if name not in known and name not in given]:
        told = f"say what it is, as in --given '{missing[0]}=(2, 3)'"
        raise CommandError(f"{exercise.name} is given {missing[0]} beside the maze: {told}")
    return [given.get(name, known.get(name)) for name in names]
