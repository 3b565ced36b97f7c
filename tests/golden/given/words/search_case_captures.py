"""What a solver knows while it searches: the cells it found, how it got there, and what is left."""

from __future__ import annotations

from lab import Vector


class Search:
    """The cells that are known, each with its distance and the move that led to it.

    A cell is *known* from the moment it is found. It is *pending* until it is taken: then it is
    visited, and its turn is over. You write ``record``; everything else is given.
    """

    def __init__(self) -> None:
        self._distances: dict[Vector, int] = {}
        """For each known cell, in the order they were found: the number of moves that lead to it."""
        self._moves: dict[Vector, Vector | None] = {}
        """For each known cell: the last move on the way to it, None where the way begins."""
        self._pending: list[Vector] = []
        """The cells that wait for their turn, in the order they were found."""

    def mark_as_pending(self, position: Vector) -> None:
        """Make a cell known and pending, with distance 0 and no move that leads to it."""
        self._distances[position] = 0
        self._moves[position] = None
        if position not in self._pending:
            self._pending.append(position)

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        """Note that ``move`` leads from the known cell ``start`` to the cell ``end``.

        - An ``end`` that is not known becomes known and pending, one move further than ``start``.
        - For an ``end`` that is known, the distance and the move change only where the new way is
          shorter. It never becomes pending again.
        """
        distance = self._distances[start] + 1
        match self._distances.get(end):
            case None:
                self._pending.append(end)
                self._distances[end] = distance
                self._moves[end] = move
            case distance:
                if distance < self._distances[end]:
                    self._distances[end] = distance
                    self._moves[end] = move

    def has_pending_cells(self) -> bool:
        """Tell whether a cell is pending."""
        return bool(self._pending)

    def first_pending(self) -> Vector:
        """Take the pending cell that was found first (LookupError when nothing is pending)."""
        return self._take(0)

    def last_pending(self) -> Vector:
        """Take the pending cell that was found last (LookupError when nothing is pending)."""
        return self._take(-1)

    def closest_pending(self) -> Vector:
        """Take the pending cell with the least distance; the one found first wins a tie.

        Raises LookupError when nothing is pending.
        """
        indices = range(len(self._pending))
        closest = min(indices, key=lambda index: self._distances[self._pending[index]], default=0)
        return self._take(closest)

    def distance_to(self, position: Vector) -> int:
        """Return the number of moves on the way to a cell (LookupError for an unknown cell)."""
        self._check_known(position)
        return self._distances[position]

    def moves_to(self, position: Vector) -> list[Vector]:
        """Return the moves that lead to a cell, in order (LookupError for an unknown cell)."""
        self._check_known(position)
        moves: list[Vector] = []
        while (move := self._moves[position]) is not None:
            moves.append(move)
            position = position + Vector(*move).opposite()
            if len(moves) > len(self._moves):
                raise RuntimeError("the recorded moves lead round in a circle, not back to the start")
        return moves[::-1]

    @property
    def known_cells(self) -> tuple[Vector, ...]:
        """All known cells, in the order they were found."""
        return tuple(self._distances)

    def _take(self, index: int) -> Vector:
        if not self._pending:
            raise LookupError("no cell is pending")
        return self._pending.pop(index)

    def _check_known(self, position: Vector) -> None:
        if position not in self._distances:
            raise LookupError(f"the cell {position} is not known")
