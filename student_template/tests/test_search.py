"""The public tests of solvers/search.py."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest
from conftest import at_work
from public_checks import stands_for, your

from lab import EAST, NORTH, SOUTH, Vector
from lab.commands import search_state
from lab.way import cell_text, describe, is_list

START = Vector(2, 2)
KINDS_OF_KNOWN_CELLS = (
    *(tuple, list, deque, dict, MappingProxyType),
    *(type({}.keys()), type({}.values()), type(OrderedDict().keys()), type(OrderedDict().values())),
)
"""What grading takes for known cells as well."""
GOES_BACK = "moves_to goes back from cell to cell, by the moves that record has kept: does it keep each move?"


class Story:
    """A new Search of yours with the calls so far, which a failure lists."""

    def __init__(self) -> None:
        self.search = your("Search")()
        self.steps: list[str] = []
        self.recorded: dict[Vector, list[Vector]] = defaultdict(list)
        """The moves that were recorded to each cell."""
        self.why: Callable[[], str] = str
        """Says what is behind a wrong answer, or nothing."""
        self.mark(START)

    def mark(self, cell: Vector) -> None:
        self._step(f"mark_as_pending({cell_text(cell)})")
        self.search.mark_as_pending(cell)

    def record(self, start: Vector, move: Vector) -> Vector:
        """Record a move, and return the cell that it leads to."""
        end = start + move
        self._step(f"record({cell_text(start)}, {move.name}, {cell_text(end)})")
        self.search.record(start, move, end)
        self.recorded[end].append(move)
        return end

    def take(self, name: str, expected: Vector) -> None:
        self._step(f"{name}()")
        self._compare(getattr(self.search, name)(), expected)

    def ask(self, name: str, cell: Vector, expected: Any) -> None:
        self._step(f"{name}({cell_text(cell)})")
        self._compare(getattr(self.search, name)(cell), expected)

    def leads_to(self, cell: Vector, expected: list[Vector]) -> None:
        self._step(f"moves_to({cell_text(cell)})")
        self.why = lambda: search_state.wrong_move(self.search, self.recorded, cell, expected)
        try:
            actual = self.search.moves_to(cell)
        except Exception:
            at_work(f"{self._situation()}\n\n{self.why() or GOES_BACK}")
            raise
        self._compare(list(actual) if is_list(actual) else actual, expected)

    def knows(self, *cells: Vector) -> None:
        self._step("known_cells")
        known = self.search.known_cells
        if not isinstance(known, KINDS_OF_KNOWN_CELLS):
            text = f"search.known_cells gave an object of the class {type(known).__name__}; "
            text += "expected a tuple, a list, a dict, or the keys or values of one."
            pytest.fail(f"{text}\n\n{self._told()}", pytrace=False)
        self._compare(tuple(known), cells)

    def has_pending(self, expected: bool) -> None:
        self._step("has_pending_cells()")
        self._compare(self.search.has_pending_cells(), expected)

    def _step(self, step: str) -> None:
        self.steps.append(step)
        at_work(self._situation())

    def _situation(self) -> str:
        return f"It was in the last of these steps:\n\n{self._told()}"

    def _told(self) -> str:
        return "\n".join(f"    search.{step}" for step in self.steps)

    def _compare(self, actual: Any, expected: Any) -> None:
        if actual == expected:
            return
        text = f"After these steps the last answer is wrong.\n\n{self._told()}\n"
        text += f"\nexpected: {_text(expected)}\nactual:   {_text(actual)}\n\n{self.why()}"
        pytest.fail(text.rstrip(), pytrace=False)


def _text(value: Any) -> str:
    if isinstance(value, Vector):
        return value.name if abs(value.row) + abs(value.column) == 1 and 0 in value else cell_text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_text(item) for item in value) + "]"
    return describe(value)


class TestSearch:
    @stands_for("new-cell", "known-cell", "shorter-way", "order", "separate")
    def test_unknown_cell_becomes_pending(self) -> None:
        """makes an unknown cell pending"""
        story = Story()
        story.take("first_pending", START)
        north = story.record(START, NORTH)
        story.has_pending(True)
        story.take("first_pending", north)
        story.has_pending(False)

    @stands_for("new-cell", "known-cell", "shorter-way", "separate")
    def test_unknown_cell_becomes_known(self) -> None:
        """knows the cells in the order they were found"""
        story = Story()
        north = story.record(START, NORTH)
        east = story.record(START, EAST)
        further = story.record(north, EAST)
        story.knows(START, north, east, further)

    @stands_for("new-cell", "known-cell", "shorter-way", "order", "way-back")
    def test_distance(self) -> None:
        """counts one move more than to the cell before"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        story.ask("distance_to", north, 1)
        story.ask("distance_to", corner, 2)

    @stands_for("new-cell", "known-cell", "shorter-way", "way-back")
    def test_moves(self) -> None:
        """remembers the moves that lead to a cell"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        story.leads_to(corner, [NORTH, EAST])

    @stands_for("known-cell")
    def test_longer_way(self) -> None:
        """keeps the shorter way when a longer one is found"""
        story = Story()
        east = story.record(START, EAST)
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        story.record(corner, SOUTH)
        story.ask("distance_to", east, 1)
        story.leads_to(east, [EAST])

    @stands_for("known-cell")
    def test_equally_long_way(self) -> None:
        """keeps the first of two ways that are equally long"""
        story = Story()
        north = story.record(START, NORTH)
        east = story.record(START, EAST)
        corner = story.record(north, EAST)
        story.record(east, NORTH)
        story.ask("distance_to", corner, 2)
        story.leads_to(corner, [NORTH, EAST])

    @stands_for("shorter-way")
    def test_shorter_way(self) -> None:
        """takes over a shorter way to a known cell"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        east = story.record(corner, SOUTH)
        story.record(START, EAST)
        story.ask("distance_to", east, 1)
        story.leads_to(east, [EAST])

    @stands_for("known-cell", "shorter-way")
    def test_known_cell_is_pending_once(self) -> None:
        """does not make a pending cell pending a second time"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        east = story.record(corner, SOUTH)
        story.record(START, EAST)
        for cell in (START, north, corner, east):
            story.take("first_pending", cell)
        story.has_pending(False)

    @stands_for("known-cell", "shorter-way")
    def test_visited_cell_is_not_pending_again(self) -> None:
        """does not make a visited cell pending again, even for a shorter way"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        east = story.record(corner, SOUTH)
        for cell in (east, corner, north, START):
            story.take("last_pending", cell)
        story.record(START, EAST)
        story.ask("distance_to", east, 1)
        story.has_pending(False)

    @stands_for("order")
    def test_order_of_pending_cells(self) -> None:
        """gives the pending cells out first, last and closest"""
        story = Story()
        north = story.record(START, NORTH)
        corner = story.record(north, EAST)
        south = story.record(START, SOUTH)
        story.take("first_pending", START)
        story.take("last_pending", south)
        story.take("closest_pending", north)
        story.take("closest_pending", corner)

    @stands_for("known-cell")
    def test_entry_stays_the_beginning(self) -> None:
        """leaves the entry as the beginning of every way"""
        story = Story()
        north = story.record(START, NORTH)
        story.record(north, SOUTH)
        story.ask("distance_to", START, 0)
        story.leads_to(START, [])

    @stands_for("separate")
    def test_two_searches(self) -> None:
        """keeps two searches apart"""
        first, second = Story(), Story()
        shared = search_state.Shared(first.search, second.search)
        first.record(START, NORTH)
        second.why = lambda: shared.told(START)
        second.knows(START)
        second.take("first_pending", START)
        second.has_pending(False)
