"""Replay a script of calls on a Search: what a correct Search knows after each call.

The calls and their results are texts in results.json. A script that cannot be replayed from its first call,
for example because a long one was shortened, is not drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.feedback.example import Example, ScriptLine
from lab import MOVES, Vector

_CALL = re.compile(r"(?P<search>search|other_search_\d{1,3})\.(?P<method>\w+)(?:\((?P<arguments>.*)\))?")
_CELL = re.compile(r"\((-?\d{1,9}), (-?\d{1,9})\)")
_NAMED = {move.name: move for move in MOVES}
_MOVE = re.compile("|".join(_NAMED), re.IGNORECASE)
_TAKES = ("first_pending", "last_pending", "closest_pending")
_ASKS = ("distance_to", "moves_to", "has_pending_cells", "known_cells")


@dataclass(frozen=True, slots=True)
class CellNote:
    """What a search knows about a cell: its distance, and the move that led to it."""

    distance: int
    move: Vector | None


@dataclass(frozen=True, slots=True)
class SearchState:
    """What a search knows after a call."""

    search: str
    call: str
    about: Vector | None
    """The call's argument, or the cell that it returned."""
    known: dict[Vector, CellNote]
    pending: tuple[Vector, ...]
    """The pending cells in the order in which they were found."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The last call's expected and actual result, as far as they can be drawn."""

    due: Vector | None = None
    """The expected cell."""
    came: Vector | None = None
    """The returned cell."""
    due_way: tuple[Vector, ...] = ()
    """The cells on the expected way."""
    came_way: tuple[Vector, ...] = ()
    """The cells on the actual way."""


NOTHING = Difference()


def shown_steps(example: Example) -> list[tuple[ScriptLine, ScriptLine | None]]:
    """Return the calls up to the one that differs, each with its expected and actual result."""
    expected, actual = example.expected.steps, example.actual.steps
    last = len(expected) if example.parting_step is None else example.parting_step + 1
    return [(step, actual[n] if n < len(actual) else None) for n, step in enumerate(expected[:last])]


def replay_calls(steps: Sequence[ScriptLine]) -> list[SearchState]:
    """Return a correct Search's state after each call; empty if a call cannot be replayed."""
    searches: dict[str, SearchState] = {}
    moments: list[SearchState] = []
    for step in steps:
        found = _CALL.fullmatch(step.call)
        if found is None:
            return []
        before = searches.get(found["search"], SearchState(found["search"], "", None, {}, ()))
        after = _state_after(before, step, found)
        if after is None:
            return []
        searches[after.search] = after
        moments.append(after)
    return moments


def find_difference(step: ScriptLine, came: ScriptLine | None, last: SearchState) -> Difference:
    """Return the drawable difference between the last call's expected and actual result."""
    gives = (step.gives, came.gives if came is not None else "")
    start = last.about
    if ".moves_to(" in step.call and start is not None:
        due, other = (_moves(given) for given in gives)
        for move in due:
            start = start + move.opposite()
        return Difference(due_way=_cells_along(start, due), came_way=_cells_along(start, other))
    method = step.call.partition(".")[2].partition("(")[0]
    due_cell, came_cell = (_cell(given) for given in gives) if method in _TAKES else (None, None)
    return Difference(due_cell, came_cell)


def _state_after(before: SearchState, step: ScriptLine, found: re.Match[str]) -> SearchState | None:
    """Return the state after a call; None if the call is not in the Search's contract."""
    method, arguments = found["method"], found["arguments"] or ""
    cells, moves = _cells(arguments), _moves(arguments)
    known, pending, about = dict(before.known), before.pending, cells[-1] if cells else None
    if method == "mark_as_pending" and len(cells) == 1:
        known[cells[0]] = CellNote(0, None)
        pending = pending if cells[0] in pending else (*pending, cells[0])
    elif method == "record" and len(cells) == 2 and len(moves) == 1 and cells[0] in known:
        pending = pending if about in known else (*pending, cells[1])
        known[cells[1]] = _better(known.get(cells[1]), CellNote(known[cells[0]].distance + 1, moves[0]))
    elif method in _TAKES and not cells:
        about = _cell(step.gives)
        pending = tuple(cell for cell in pending if cell != about)
    elif method not in _ASKS:
        return None
    return SearchState(before.search, step.call, about, known, pending)


def _better(old: CellNote | None, new: CellNote) -> CellNote:
    return new if old is None or new.distance < old.distance else old


def _cells(text: str) -> list[Vector]:
    return [Vector(int(row), int(column)) for row, column in _CELL.findall(text)]


def _cell(text: str) -> Vector | None:
    return _cells(text)[0] if _CELL.fullmatch(text) else None


def _moves(text: str) -> list[Vector]:
    return [_NAMED[name.lower()] for name in _MOVE.findall(text)]


def _cells_along(start: Vector, moves: Sequence[Vector]) -> tuple[Vector, ...]:
    """Return the cells along the moves; none if there are no moves."""
    cells = [start]
    for move in moves:
        cells.append(cells[-1] + move)
    return tuple(cells) if moves else ()
