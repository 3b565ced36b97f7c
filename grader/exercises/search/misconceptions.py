"""Wrong models of Search: what it notes of a cell, and which pending cell it gives out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import gt, le, lt

from grader.exercises.kit.code_patterns import calls_within
from grader.exercises.kit.misconception import Explains, Model
from grader.exercises.search.script_runs import (
    RIGHT,
    Cells,
    Record,
    by_rules,
    first,
    last,
    least,
    one_further,
    recording,
    way,
)
from lab import Vector


def _by_records(*records: Record) -> Explains:
    """Return the model of a Search that is right except that it uses one of these ``record``."""
    return by_rules(*(replace(RIGHT, record=record) for record in records))


def _by_closest(*ranks: Callable[[int, int, Vector], tuple[object, ...]]) -> Explains:
    """Return the model of a Search that is right except for which pending cell it regards as the closest."""
    return by_rules(*(replace(RIGHT, closest=least(rank)) for rank in ranks))


def _always(_new: int, _known: int) -> bool:
    return True


def _never(_new: int, _known: int) -> bool:
    return False


def _in_front(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    new = end not in cells.distances
    RIGHT.record(cells, start, move, end)
    if new:
        cells.pending.insert(0, cells.pending.pop())


def _not_pending(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    before = cells.pending[:]
    RIGHT.record(cells, start, move, end)
    cells.pending[:] = before


def _distance_only(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    kept = cells.moves.get(end, move)
    RIGHT.record(cells, start, move, end)
    cells.moves[end] = kept


def _move_only(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    kept = cells.distances.get(end, one_further(cells, start))
    RIGHT.record(cells, start, move, end)
    cells.distances[end] = kept


def _start_for_move(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    RIGHT.record(cells, start, move, end)
    if cells.moves[end] == move:
        cells.moves[end] = start


def _turned_round(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    RIGHT.record(cells, start, move.opposite(), end)


def _no_move(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    RIGHT.record(cells, start, move, end)
    cells.moves[end] = None


def _marks(cells: Cells, _start: Vector, _move: Vector, end: Vector) -> None:
    """Do what mark_as_pending does."""
    cells.distances[end], cells.moves[end] = 0, None
    if end not in cells.pending:
        cells.pending.append(end)


def _nothing(_cells: Cells, _start: Vector, _move: Vector, _end: Vector) -> None:
    """Leave a known cell as it is."""


def _marking_new(known: Record) -> Record:
    """Return a ``record`` that marks unknown cells as pending last of all, and does this with a known one."""

    def recorded(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
        (known if end in cells.distances else _marks)(cells, start, move, end)

    return recorded


def _while_pending(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    if end not in cells.distances or end in cells.pending:
        RIGHT.record(cells, start, move, end)


def _new_unless_pending(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    """Record a move, but take a known cell that is not pending for a new one."""
    if end in cells.pending:
        RIGHT.record(cells, start, move, end)
        return
    cells.distances[end], cells.moves[end] = one_further(cells, start), move
    cells.pending.append(end)


def _known_only(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    """Record a move to a known cell; raise KeyError for a new one."""
    if cells.distances[end] > one_further(cells, start):
        RIGHT.record(cells, start, move, end)


def _to_the_back(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
    """Record a move, but put a known cell that gets a shorter way last in known_cells, as if found anew."""
    before = cells.distances.get(end)
    RIGHT.record(cells, start, move, end)
    if cells.distances[end] != before:
        cells.distances[end] = cells.distances.pop(end)


def _less(by: int) -> Record:
    """Return a ``record`` in which a shorter way makes a cell nearer by this much, whatever its length."""

    def recorded(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
        before = cells.distances.get(end)
        RIGHT.record(cells, start, move, end)
        if before is not None and cells.distances[end] != before:
            cells.distances[end] = before - by

    return recorded


_SOME_SHORTER: tuple[Callable[[int], bool], ...] = (
    lambda gain: gain == 1,
    lambda gain: gain == 2,
    lambda gain: gain == 3,
    lambda gain: gain > 1,
    lambda gain: gain > 2,
    lambda gain: 0 < gain < 3,
    lambda gain: gain > 0 and gain % 2 == 0,
    lambda gain: gain > 0 and gain % 2 == 1,
)
"""By how much a way may have to be shorter."""


def _gaining(is_enough: Callable[[int], bool]) -> Record:
    return recording(lambda new, known: is_enough(known - new))


def _or_nothing(cells: Cells, cell: Vector) -> list[Vector]:
    return way(cells, cell) if cell in cells.moves else []


def _is_shorter(cells: Cells, start: Vector, end: Vector) -> bool:
    return one_further(cells, start) < cells.distances[end]


def _was_taken(cells: Cells, _start: Vector, end: Vector) -> bool:
    return end not in cells.pending


def _pending_again(*conditions: Callable[[Cells, Vector, Vector], bool]) -> Record:
    """Return a ``record`` that makes a known cell pending again where all these conditions hold."""

    def recorded(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
        if end in cells.distances and all(condition(cells, start, end) for condition in conditions):
            cells.pending.append(end)
        RIGHT.record(cells, start, move, end)

    return recorded


MODELS = (
    # Gives a value back where a LookupError is asked for.
    Model(
        "answers-for-nothing",
        by_rules(
            replace(RIGHT, way=_or_nothing),
            replace(RIGHT, of_nothing=("none", None)),
            replace(RIGHT, way=_or_nothing, of_nothing=("none", None)),
        ),
    ),
    # Replaces the way to a known cell even by a longer one.
    Model("always-updates", _by_records(recording(_always), recording(gt))),
    # Asks whether a cell is pending, where it should ask whether it is known.
    Model("asks-the-pending-cells", _by_records(_new_unless_pending)),
    # Gives another pending cell than the closest one, or the wrong one of equals.
    Model(
        "closest-wrong",
        _by_closest(
            lambda distance, at, _: (-distance, at),
            lambda distance, at, _: (-distance, -at),
            lambda distance, at, _: (distance, -at),
            lambda distance, _, cell: (distance, cell),
        ),
    ),
    # Gives out pending cells from the wrong end, or puts new ones at the wrong end.
    Model(
        "ends-swapped",
        by_rules(
            replace(RIGHT, first=last, last=first),
            replace(RIGHT, first=last),
            replace(RIGHT, last=first),
            replace(RIGHT, record=_in_front),
        ),
    ),
    # Keeps the distance of a cell, but not the move that led there.
    Model("forgets-the-move", _by_records(_no_move)),
    Model("forgets-to-make-pending", _by_records(_not_pending)),
    # Takes over only the distance, or only the move, of a shorter way.
    Model("half-an-update", _by_records(_distance_only, _move_only)),
    # Moves a known cell to another place among the known ones.
    Model("known-cells-change-places", _by_records(_to_the_back)),
    # Looks up the distance of a cell that is not known yet.
    Model("looks-up-the-unknown", _by_records(_known_only)),
    # Leaves a cell pending that it has given out.
    Model("leaves-it-pending", by_rules(replace(RIGHT, take=lambda cells, at: cells.pending[at]))),
    # Keeps the cell that was left where the move is asked for.
    Model("keeps-the-start", _by_records(_start_for_move)),
    # Keeps the first way to a cell when a shorter one turns up.
    Model("never-updates", _by_records(recording(_never))),
    # Has mark_as_pending undo what it noted of an unknown cell.
    Model(
        "marks-as-pending",
        _by_records(*map(_marking_new, (_nothing, RIGHT.record, _marks))),
        code=lambda code: calls_within(code, "record", "mark_as_pending"),
    ),
    # Keeps the move that leads back instead of the one that leads there.
    Model("opposite-moves", _by_records(_turned_round)),
    Model(
        "pends-again",
        _by_records(
            _pending_again(_is_shorter),
            _pending_again(),
            _pending_again(_was_taken),
            _pending_again(_is_shorter, _was_taken),
        ),
    ),
    # Replaces the way to a known cell by one that is just as long.
    Model("relaxes-on-a-tie", _by_records(recording(le))),
    # All searches share their cells.
    Model("shared", by_rules(RIGHT, shared=True)),
    # Takes over some shorter ways, and not others.
    Model(
        "takes-some-shorter-ways",
        _by_records(*map(_gaining, _SOME_SHORTER), recording(lambda new, known: new // 2 < known // 2)),
    ),
    # Takes no shorter way over to a cell that is not pending any more.
    Model("updates-while-pending", _by_records(_while_pending)),
    # Gives the moves to a cell in the order of the way back.
    Model(
        "way-from-the-cell",
        by_rules(replace(RIGHT, way=lambda cells, cell: way(cells, cell)[::-1])),
    ),
    # Does not count the distance on from the cell that the move starts in.
    Model(
        "wrong-distance",
        _by_records(
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
