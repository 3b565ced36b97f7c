"""The Search that stays outside: it decides for a solver whose own is wrong (``inside/asked_search.py``).

All that the solver learns is what any right Search would have told it. Told ahead is what comes of the steps
that it makes next if it goes on as before: by which method it takes cells, in which order it records the
moves from there, and which of them. Who goes on otherwise has to ask what comes of that.

What a call may ask is bounded by counting: its steps, the steps of a question, and the cells that are
looked through. That work is done outside of the box, where no limit of the box ends it. A solver that goes
beyond is endless, on every machine alike; only a box that lies sends a question that is too long by itself.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Final

from grader.errors import ProtocolError, QuestionsSpent
from grader.exercises.kit.facts import facts_of
from grader.model import Call, Solve
from grader.session.connection import MAX_STEPS, at_size, size_of
from lab import MOVES, Maze, Vector
from reference.solvers.search import Search

STEPS: Final = (4_000, 27)
"""The steps of a search that a call may make at the most: these numbers times 1 and the size. Right solvers
that mark cells again make up to 24 for each cell."""
LOOKS: Final = (100_000, 4_000, 4)
"""The cells that may be looked through: these numbers times 1, the size and its square. For a right solver
that takes the closest of many cells, and asks at each side of each, it is twice the square."""
_FURTHEST: Final = 2**20
"""No row or column of a maze lies beyond."""
TAKES: Final = ("first_pending", "last_pending", "closest_pending")
"""The methods that take a pending cell."""
_ARGUMENTS: Final = {"mark_as_pending": 1, "record": 3, **dict.fromkeys(TAKES, 0)}
"""How many positions each method takes."""
AHEAD: Final = (64, 256)
"""Of so many cells that are taken next it is told at first, and at the most, what comes of them."""

Foreseen = str | list[int]
"""A method that takes a cell; or a move that is recorded from there, and what that changes."""


class _Search(Search):
    """The right one, which learns how a solver goes on."""

    def __init__(self, maze: Maze | None, looks: Counter[str]) -> None:
        super().__init__()
        self._maze = maze
        self._takes = ""
        """The method by which a cell was taken last."""
        self._at: Vector | None = None
        """That cell."""
        self._taken: set[Vector] = set()
        self._recorded: dict[Vector, bool] = {}
        """The moves that were recorded from there, and whether they led to a new cell."""
        self._order: Sequence[Vector] = MOVES
        self._way = 0
        """Which moves it records: all, those to cells that are not known, or to cells that were not taken."""
        self._looks = looks
        """By method, how many cells were looked through."""
        self.foreseen: list[Foreseen] = []
        """What was told ahead."""
        self._then, self._ahead = self, AHEAD[0]
        """The search after all of that, and how many cells are foreseen."""

    def look_ahead(self) -> list[Foreseen]:
        """Return the steps that are expected next."""
        self._looks["copy"] += len(self._distances)
        self._then = copy(self)
        for name in ("_distances", "_moves", "_pending", "_taken", "_recorded"):
            setattr(self._then, name, getattr(self, name).copy())
        self.foreseen = [*self._then._foresee()]
        return self.foreseen

    def after(self, done: int) -> _Search:
        """Return the search after so many of the foreseen steps; the fewer, the fewer are foreseen next."""
        taken = sum(step in TAKES for step in self.foreseen[:done])
        ahead = min(AHEAD[1], 2 * (taken + 1)) if self.foreseen else self._ahead
        search = self._then if done == len(self.foreseen) else self
        if search is self:
            deque(islice(self._foresee(), done), maxlen=0)
        search._ahead = ahead
        return search

    def do(self, method: str, positions: Sequence[Vector]) -> list[int]:
        """Make a step; return the distance that it gives a cell, and whether it makes it pending.

        The list is empty where nothing changes. Raises LookupError.
        """
        if method in TAKES:
            self._learn()
            self._takes = method
            self._take_next()
        elif method == "mark_as_pending":
            self._looks[method] += len(self._pending)
            self.mark_as_pending(*positions)
        else:
            return self._change(*positions)
        return []

    def _foresee(self) -> Iterator[Foreseen]:
        """Make the steps that are expected next, and yield them."""
        self._learn()
        left = [*self._order]
        for move in self._recorded:
            del left[: left.index(move) + 1 if move in left else 0]
        yield from self._records(left)
        for _ in range(self._ahead if self._takes else 0):
            if not self._pending:
                return
            self._take_next()
            yield self._takes
            if self._maze is not None and self._at == self._maze.exit:
                return
            yield from self._records(self._order)

    def _records(self, moves: Sequence[Vector]) -> Iterator[Foreseen]:
        """Record, of these moves from the cell that was taken last, those that are expected."""
        there, at = self._moves_there(), self._at
        past: Collection[Vector] = ((), self._distances, self._taken)[self._way]
        for move in moves:
            if move in there and at is not None and (end := at + move) not in past:
                yield [*move, *self._change(at, move, end)]

    def _moves_there(self) -> tuple[Vector, ...]:
        """Return the moves from the cell that was taken last."""
        if self._maze is None or self._at is None:
            return ()
        try:
            return self._maze.valid_moves_at(self._at)
        except ValueError:  # it lies in no maze
            return ()

    def _take_next(self) -> None:
        self._looks[self._takes] += len(self._pending) if self._takes == "closest_pending" else 0
        self._at, self._recorded = getattr(self, self._takes)(), {}
        self._taken.add(self._at)

    def _change(self, start: Vector, move: Vector, end: Vector) -> list[int]:
        before = self._distances.get(end)
        self.record(start, move, end)
        if start == self._at and move in MOVES:
            self._recorded[move] = before is None
        after = self._distances[end]
        return [] if after == before else [after, int(before is None)]

    def _learn(self) -> None:
        """Learn from what was recorded since a cell was taken."""
        at, recorded = self._at, self._recorded
        if at is None:
            return
        moves = iter(recorded)
        self._order = [next(moves) if move in recorded else move for move in self._order]
        there = self._moves_there()
        fresh = {move for move in there if recorded.get(move, at + move not in self._distances)}
        ways = ({*there}, fresh, {move for move in there if at + move not in self._taken})
        fits = [number for number, way in enumerate(ways) if recorded.keys() == way]
        if fits and self._way not in fits:
            self._way = fits[0]


class SearchAnswers:
    """The searches of one call of a solver."""

    def __init__(self, call: Call) -> None:
        """Begin a call."""
        self._mazes = call.arguments.mazes if isinstance(call.arguments, Solve) else ()
        self._searches: dict[int, _Search] = {}
        self._steps, self._looks = 0, Counter[str]()
        self._most_steps, self._most_looks = (at_size(size_of(call), factors) for factors in (STEPS, LOOKS))

    def answer(self, question: Mapping[str, object]) -> dict[str, object]:
        """Make the steps of a question; return what they changed, and what is foreseen.

        Raises ProtocolError, and QuestionsSpent where the call has asked for more than it may.
        """
        number, done, steps = question.get("search"), question.get("done"), question.get("steps")
        if type(number) is not int or type(steps) is not list or not 0 < len(steps) <= MAX_STEPS:
            raise ProtocolError("a question to the search is not as the protocol has it")
        search = self._searches.get(number) or self._new(number)
        if type(done) is not int or not 0 <= done <= len(search.foreseen):
            raise ProtocolError("a question tells of other steps than were foreseen")
        self._count(done)
        search = self._searches[number] = search.after(done)
        changes = list[list[int]]()
        for step in steps:
            method, positions = _read(step)
            self._count(1)
            try:
                change = search.do(method, positions)
            except LookupError as error:
                search.foreseen = []
                return {"changes": changes, "lookup": str(error.args[0]) if error.args else ""}
            if method == "record":
                changes.append(change)
        return {"changes": changes, "foreseen": search.look_ahead()}

    @property
    def looks(self) -> int:
        """How many cells were looked through."""
        return self._looks.total()

    def _new(self, number: int) -> _Search:
        """Return a new search; solvers have one for each of their mazes, in order."""
        mazes = self._mazes[len(self._searches) :][:1]
        self._searches[number] = _Search(facts_of(mazes[0]).maze if mazes else None, self._looks)
        return self._searches[number]

    def _count(self, steps: int) -> None:
        """Count steps before they are made. Raises QuestionsSpent."""
        self._steps += steps
        if self._steps > self._most_steps or self.looks > self._most_looks:
            raise QuestionsSpent(self._steps)


def _read(step: object) -> tuple[str, list[Vector]]:
    """Read a step as a method and its positions. Raises ProtocolError."""
    if type(step) is not list or len(step) != 2 or type(step[1]) is not list:
        raise ProtocolError("a step of a question is not as the protocol has it")
    method, positions = step
    if type(method) is not str or _ARGUMENTS.get(method) != len(positions):
        raise ProtocolError(
            f"there is no call {str(method)[:40]!r} of a search with {len(positions)} positions"
        )
    return method, [_position(position) for position in positions]


def _position(position: object) -> Vector:
    if type(position) is not list or len(position) != 2:
        raise ProtocolError("a position in a question is no pair")
    for number in position:
        if type(number) is not int or not -_FURTHEST < number < _FURTHEST:
            raise ProtocolError("a position in a question lies in no maze")
    return Vector(*position)
