"""Answers of any form: their description, whether two are equal, and where they differ.

A list equals a tuple of the same parts, a vector equals a plain tuple, and numbers may differ by rounding. If
the right answer is a set of cells, a list of them counts as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from grader.exercises.kit.findings import cell_text, moves_text
from grader.languages import Message, Text, said
from grader.model import Telling
from grader.model.data import Data, Described
from lab import MOVES, Dimension, Maze, Vector

SHOWN: Final = 12
"""The most parts of an answer that a sentence lists."""
CHARACTERS: Final = 200
"""The most characters of a text that a sentence shows."""
TABLE: Final = 24
"""The most rows and columns of a table that are shown."""
DRAWN: Final = 4_000
"""The most moves or cells in a picture: more than the largest maze has cells."""
_FARTHEST: Final = 2**20
"""No maze has more rows or columns."""
_ROUNDING: Final = 1e-9
_WHOLE: Final = frozenset({bool, int, str, type(None)})
"""Types of which two values are the same if they are equal."""

Place = tuple[Data, ...]
"""A place in an answer: its indices from 0, or keys, from outside to inside."""


def difference(expected: Data, returned: Data) -> Place | None:
    """Return the first place at which two answers differ; None if they are equal."""
    if expected == returned:
        return None
    if isinstance(expected, Vector) or isinstance(returned, Vector):
        return None if is_list(expected) and is_list(returned) and _are_near(expected, returned) else ()
    if isinstance(expected, (list, tuple)) and isinstance(returned, (list, tuple)):
        return _of_sequences(expected, returned)
    if isinstance(expected, dict) and isinstance(returned, dict):
        return _of_mappings(expected, returned)
    if isinstance(expected, float) or isinstance(returned, float):
        return None if _are_close(expected, returned) else ()
    if (
        isinstance(expected, frozenset)
        and isinstance(returned, (list, tuple))
        and has_form(returned, "cells")
    ):
        return None if expected == {*returned} and len(expected) == len(returned) else ()
    return None if expected == returned else ()


def _of_sequences(expected: Sequence[Data], returned: Sequence[Data]) -> Place | None:
    for index, (one, other) in enumerate(zip(expected, returned, strict=False)):
        place = difference(one, other)
        if place is not None:
            return (index, *place)
    return None if len(expected) == len(returned) else (min(len(expected), len(returned)),)


def _are_near(expected: Data, returned: Data) -> bool:
    """Return whether a pair of whole numbers equals its counterpart."""
    return _of_sequences(_elements(expected), _elements(returned)) is None


def _of_mappings(expected: Mapping[Data, Data], returned: Mapping[Data, Data]) -> Place | None:
    for key, one in expected.items():
        place = difference(one, returned[key]) if key in returned else ()
        if place is not None:
            return (key, *place)
    return next(((key,) for key in returned if key not in expected), None)


def _are_close(one: Data, other: Data) -> bool:
    if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
        return False
    return math.isclose(one, other, rel_tol=_ROUNDING, abs_tol=_ROUNDING) or (one != one and other != other)


def is_same(one: Data, other: Data) -> bool:
    """Return whether two answers are equal part by part, and of the same types; if in doubt, False."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return is_same([*one], [*other]) and is_same([*one.values()], [*other.values()])
    if not isinstance(one, (list, tuple)) or not isinstance(other, (list, tuple)):
        return type(one) in _WHOLE and one == other
    kinds = [*map(type, one)]
    if kinds != [*map(type, other)]:
        return False
    return one == other if _WHOLE.issuperset(kinds) else all(map(is_same, one, other))


def line_that_differs(expected: Data, returned: Data) -> int | None:
    """Return the number, from 0, of the first line in which two texts differ; None unless one has several."""
    if not isinstance(expected, str) or not isinstance(returned, str) or "\n" not in expected + returned:
        return None
    pairs = zip_longest(expected.split("\n"), returned.split("\n"))
    return next((number for number, (one, other) in enumerate(pairs) if one != other), None)


def at(answer: Data, place: Place) -> Data:
    """Return the part at a place of an answer; None if there is nothing."""
    found: Any = answer
    for key in place:
        try:
            found = found[key]
        except (LookupError, TypeError):
            return None
    return found


# --- the form ---------------------------------------------------------------------------------------


def has_form(returned: Data, form: str) -> bool:
    """Return whether an answer has a form that an exercise can name."""
    return _FORMS[form](returned)


def is_list(returned: Data) -> bool:
    """Return whether an answer is a list or counts as one."""
    return isinstance(returned, (list, tuple))


def _are_cells(answer: Data) -> bool:
    # cells have small numbers; thousands of large ones can share a hash
    return isinstance(answer, (list, tuple, frozenset)) and all(
        isinstance(cell, Vector) and all(-_FARTHEST < number < _FARTHEST for number in cell)
        for cell in answer
    )


def _elements(answer: Data) -> list[Any]:
    """Return the elements of a collection; empty for anything else."""
    return [*answer] if isinstance(answer, (list, tuple, frozenset)) else []


_FORMS: Final[Mapping[str, Callable[[Data], bool]]] = {
    "true-or-false": lambda answer: isinstance(answer, bool),
    "number": lambda answer: isinstance(answer, (int, float)) and not isinstance(answer, bool),
    "text": lambda answer: isinstance(answer, str),
    "moves": lambda answer: is_list(answer) and all(move in MOVES for move in _elements(answer)),
    "cells": _are_cells,
    "cells-in-any-order": _are_cells,
    "maze": lambda answer: isinstance(answer, Maze),
    "list": is_list,
    "mapping": lambda answer: isinstance(answer, dict),
    "anything": lambda answer: not isinstance(answer, Described),
}


# --- for people -------------------------------------------------------------------------------------


def describe_data(value: object, depth: int = 2) -> str:
    """Return a value as Python shows it, shortened if it is long."""
    match value:
        case Described():
            return value.text if value.type_name in value.text else f"{value.text} ({value.type_name})"
        case Maze():
            return f"Maze({value.dimension})"
        case Dimension():
            return f"Dimension({value.row_count}, {value.column_count})"
        case Vector():
            return cell_text(value)
        case str():
            return repr(value if len(value) <= CHARACTERS else f"{value[: CHARACTERS - 1]}…")
        case list() | tuple() | frozenset() | set():
            return _collection(value, depth)
        case dict():
            items = [
                f"{describe_data(key, depth - 1)}: {describe_data(item, depth - 1)}"
                for key, item in [*value.items()][:SHOWN]
            ]
            return "{" + ", ".join([*items, *_rest(len(value))]) + "}" if depth else "{…}"
    return repr(value)


def _collection(value: list[Data] | tuple[Data, ...] | frozenset[Data] | set[Data], depth: int) -> str:
    brackets = {list: "[]", tuple: "()"}.get(type(value), "{}")
    opening, closing = brackets[0], brackets[1]
    if not depth and value:
        return f"{opening}…{closing}"
    elements = (
        sorted(value, key=repr) if isinstance(value, (set, frozenset)) else [*value]
    )  # no order of its own
    parts = [describe_data(part, depth - 1) for part in elements[:SHOWN]]
    return opening + ", ".join([*parts, *_rest(len(value))]) + closing


def _rest(count: int) -> list[str]:
    return [f"… ({count})"] if count > SHOWN else []


def shown(answer: Data, form: str, parts_at: Place | None = None) -> dict[str, Telling]:
    """Return an answer as data for its picture: its text, and its moves, cells, table or maze.

    A text of which a line is wrong is a table with a row for each.
    """
    if form == "moves" and has_form(answer, form):
        moves = _elements(answer)
        return {"text": moves_text(tuple(moves)), "moves": [[*move] for move in moves[:DRAWN]]}
    told: dict[str, Telling] = {"text": _text(answer)}
    if form.startswith("cells") and has_form(answer, form):
        told["visits"] = [[*cell] for cell in _elements(answer)[:DRAWN]]
    elif isinstance(answer, Maze):
        told["mazes"] = [answer.to_text()]
    elif isinstance(answer, str) and parts_at:
        told["table"] = table([[line] for line in answer.split("\n")], parts_at)
    elif isinstance(answer, dict) or is_matrix(answer):
        told["table"] = table(answer, parts_at)
    return told


def _text(answer: Data) -> Text:
    return said("maze_value") if isinstance(answer, Maze) else describe_data(answer)


def is_matrix(answer: Data) -> bool:
    """Return whether an answer is a list of lists."""
    if not isinstance(answer, (list, tuple)) or not answer:
        return False
    return all(is_list(row) and not isinstance(row, Vector) for row in answer)


def table(answer: Data, parts_at: Place | None) -> Telling:
    """Return the shown rows of a matrix or a mapping as texts, with the wrong cell.

    ``wrong`` is the number of its row and, in a matrix, of its column, from 0; the window of rows and columns
    is chosen to include it.
    """
    wrong = [*(parts_at or ())][:2]
    if isinstance(answer, dict):
        keys = [*answer]
        row = keys.index(wrong[0]) if wrong and wrong[0] in keys else None
        first = _first(row, len(keys))
        rows = [[describe_data(key), describe_data(answer[key])] for key in keys[first : first + TABLE]]
        return {"kind": "mapping", "rows": rows, "wrong": None if row is None else [row - first, 1]}
    rows_of = _elements(answer)
    row, column = (number if isinstance(number, int) else None for number in (*wrong, None, None)[:2])
    top = _first(row, len(rows_of))
    widest = max(len(each) for each in rows_of)
    left = _first(column, widest)
    rows = [
        [describe_data(part, 1) for part in [*each][left : left + TABLE]]
        for each in rows_of[top : top + TABLE]
    ]
    cell = None if row is None else [row - top, None if column is None else column - left]
    return {"kind": "matrix", "rows": rows, "first": [top + 1, left + 1], "wrong": cell}


def _first(wrong: int | None, count: int) -> int:
    """Return the first row to show, so that the wrong one is in the middle."""
    return 0 if wrong is None or count <= TABLE else max(0, min(wrong - TABLE // 2, count - TABLE))


def place_text(place: Place) -> Message | None:
    """Describe a place in an answer; None for the answer as a whole."""
    match place:
        case ():
            return None
        case (int() as row, int() as column, *_):
            return said("in_row_and_column", row=row + 1, column=column + 1)
        case (int() as index, *_):
            return said("in_element", number=index + 1)
    return said("for_the_key", key=describe_data(place[0]))
