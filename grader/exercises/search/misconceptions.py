"""Wrong models of Search: what it notes of a cell."""

from __future__ import annotations

from collections.abc import Callable
from operator import gt, le, lt

from grader.exercises.kit.misconception import Model
from grader.exercises.search.judge import RIGHT, Cells, Record, by_records, one_further, recording
from lab import Vector


def _always(_new: int, _known: int) -> bool:
    return True


def _never(_new: int, _known: int) -> bool:
    return False


def _not_pending(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    before = cells.pending[:]
    RIGHT(cells, start, move, end)
    cells.pending[:] = before


def _distance_only(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    kept = cells.moves.get(end, move)
    RIGHT(cells, start, move, end)
    cells.moves[end] = kept


def _move_only(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    kept = cells.distances.get(end, one_further(cells, start))
    RIGHT(cells, start, move, end)
    cells.distances[end] = kept


def _less(by: int) -> Record:
    """Return a ``record`` in which a shorter way makes a cell nearer by this much, whatever its length."""

    def recorded(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
        before = cells.distances.get(end)
        RIGHT(cells, start, move, end)
        if before is not None and cells.distances[end] != before:
            cells.distances[end] = before - by

    return recorded


def _is_shorter(cells: Cells, start: Vector, end: Vector) -> bool:
    return one_further(cells, start) < cells.distances[end]


def _was_taken(cells: Cells, _start: Vector, end: Vector) -> bool:
    return end not in cells.pending


def _pending_again(*conditions: Callable[[Cells, Vector, Vector], bool]) -> Record:
    """Return a ``record`` that makes a known cell pending again where all these conditions hold."""

    def recorded(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
        if end in cells.distances and all(condition(cells, start, end) for condition in conditions):
            cells.pending.append(end)
        RIGHT(cells, start, move, end)

    return recorded


MODELS = (
    # Replaces the way to a known cell even by a longer one.
    Model("always-updates", by_records(recording(_always), recording(gt))),
    Model("forgets-to-make-pending", by_records(_not_pending)),
    # Takes over only the distance, or only the move, of a shorter way.
    Model("half-an-update", by_records(_distance_only, _move_only)),
    # Keeps the first way to a cell when a shorter one turns up.
    Model("never-updates", by_records(recording(_never))),
    Model(
        "pends-again",
        by_records(
            _pending_again(_is_shorter),
            _pending_again(),
            _pending_again(_was_taken),
            _pending_again(_is_shorter, _was_taken),
        ),
    ),
    # Replaces the way to a known cell by one that is just as long.
    Model("relaxes-on-a-tie", by_records(recording(le))),
    # All searches share their cells.
    Model("shared", by_records(RIGHT, shared=True)),
    # Does not count the distance on from the cell that the move starts in.
    Model(
        "wrong-distance",
        by_records(
            recording(lt, lambda cells, start: cells.distances[start]),
            recording(lt, lambda _cells, _start: 1),
            recording(lt, lambda _cells, _start: 0),
            recording(lt, lambda cells, start: cells.distances[start] + 2),
            recording(lt, lambda cells, _start: len(cells.distances)),
            _less(1),
            _less(2),
        ),
    ),
)
