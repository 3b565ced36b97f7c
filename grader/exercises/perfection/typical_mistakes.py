"""Typical mistakes of perfection checkers, as functions that answer like them.

A maze catches the mistakes that it misleads. They are the grader's own code and run outside the sandbox, on
test mazes that students hand in with their checkers. Each visits every cell only a few times, so that the
size of a maze bounds the work.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from grader.exercises.kit.facts import Facts, Features, part_count
from grader.exercises.perfection.judge import Rule, by_some_moves, marking_found
from lab import EAST, MOVES, NORTH, SOUTH, WEST, Vector

_DEEPEST: Final = 1000
"""Python's default recursion limit."""


def caught_by(text: str) -> frozenset[str]:
    """Return the mistakes that a maze catches: each answers wrongly, or not at all."""
    maze = Features(Facts(text))
    return frozenset(name for name, rule in MISTAKES.items() if rule(maze) is not maze.perfect)


# --- what takes more than a line ------------------------------------------------------------------


def stops_at_the_exit(maze: Features) -> bool:
    """Answer like a checker that goes no further than the exit: it reaches all cells of a perfect maze where
    the exit, if any, is in a dead end."""
    exit_ = maze.maze.exit
    return maze.perfect and (exit_ is None or len(maze.maze.valid_moves_at(exit_)) <= 1)


def is_out(maze: Features) -> bool:
    """Tell whether the exit, if any, can be reached."""
    return maze.maze.exit is None or maze.maze.exit in maze.reached


def _seen_without(rows: int, columns: int) -> Rule:
    """Return the rule of a checker that leaves out so many rows and columns at the end."""
    return lambda maze: _is_tree_among(maze, _kept(maze, rows, columns))


def _is_tree_among(maze: Features, cells: Collection[Vector]) -> bool:
    """Tell whether these cells alone are a perfect maze."""
    kept = set(cells)
    edges = [edge for edge in maze.edges if kept.issuperset(edge)]
    return part_count(kept, edges) == 1 and len(edges) == len(kept) - 1


def _counted_without(rows: int, columns: int) -> Rule:
    """Return the rule of a checker that counts passages, and forgets those of the last rows and columns."""

    def answer(maze: Features) -> bool:
        kept = set(_kept(maze, rows, columns))
        return sum(cell in kept for cell, _ in maze.edges) == len(maze.cells) - 1

    return answer


def _kept(maze: Features, rows: int, columns: int) -> list[Vector]:
    size = maze.maze.dimension
    last_row, last_column = size.row_count - rows, size.column_count - columns
    return [cell for cell in maze.cells if cell.row <= last_row and cell.column <= last_column]


def _but_for_lonely_cells(maze: Features) -> bool:
    """Answer like a checker that overlooks cells without any passage."""
    lonely = sum(not maze.maze.valid_moves_at(cell) for cell in maze.cells)
    return maze.acyclic and maze.part_count - lonely <= 1


def _is_narrow(maze: Features) -> bool:
    """Tell whether the maze is a single row or column."""
    return 1 in (maze.maze.dimension.row_count, maze.maze.dimension.column_count)


def _has_opening_everywhere(maze: Features) -> bool:
    return len(maze.cells) == 1 or all(map(maze.maze.valid_moves_at, maze.cells))


def _has_no_open_room(maze: Features) -> bool:
    """Return whether no square of four cells forms a cycle, the smallest possible one."""
    edges, includes = maze.edges, maze.maze.dimension.includes
    for cell in maze.cells:
        east, south, across = cell + EAST, cell + SOUTH, cell + EAST + SOUTH
        sides = ((cell, east), (cell, south), (east, across), (south, across))
        if includes(across) and all(side in edges for side in sides):
            return False
    return True


def _entry_is_on_a_cycle(maze: Features) -> bool:
    """Return whether a way that avoids the entry joins two of its neighbours."""
    entry, seen = maze.maze.entry, set[Vector]()
    for start in (entry + move for move in maze.maze.valid_moves_at(entry)):
        if start in seen:
            return True
        seen.add(start)
        pending = [start]
        while pending:
            cell = pending.pop()
            ends = (cell + move for move in maze.maze.valid_moves_at(cell))
            new = [end for end in ends if end != entry and end not in seen]
            seen.update(new)
            pending += new
    return False


def _depths(maze: Features) -> tuple[dict[Vector, int], int]:
    """Return each cell's depth in a recursive search from the entry, and the largest step back in depth."""
    depths, back = {maze.maze.entry: 0}, 0
    stack = [(maze.maze.entry, iter(maze.maze.valid_moves_at(maze.maze.entry)))]
    while stack:
        cell, moves = stack[-1]
        for move in moves:
            end = cell + move
            if end not in depths:
                depths[end] = depths[cell] + 1
                stack.append((end, iter(maze.maze.valid_moves_at(end))))
                break
            back = max(back, depths[cell] - depths[end])
        else:
            stack.pop()
    return depths, back


def _numbers_cells_as_in_a_square(maze: Features) -> bool | str:
    """Answer like a checker that numbers cells by the number of rows instead of columns."""
    rows, count = maze.maze.dimension.row_count, len(maze.cells)
    group = list(range(count))

    def find(cell: Vector) -> int:
        number = (cell.row - 1) * rows + cell.column - 1
        while group[number] != number:
            group[number] = group[group[number]]
            number = group[number]
        return number

    try:
        for one, other in sorted(maze.edges):
            first, second = find(one), find(other)
            if first == second:
                return False
            group[first] = second
    except IndexError:
        return "raised"
    return len(maze.edges) == count - 1


def _joins_one_cell_only(maze: Features) -> bool:
    """Answer like a checker that joins groups by moving one cell instead of its whole group."""
    group = {cell: cell for cell in maze.cells}
    for one, other in sorted(maze.edges):
        if group[one] == group[other]:
            return False
        group[other] = group[one]
    return _count(maze) == 0


def _takes_for_square(maze: Features, side: int) -> bool:
    return len(maze.reached) == side * side and len(maze.edges) == side * side - 1


def _without_first(maze: Features, *, row: int = 1, column: int = 1) -> bool:
    """Answer like a checker whose loops start at this row and column; an empty rest counts as perfect."""
    kept = [cell for cell in maze.cells if cell.row >= row and cell.column >= column]
    return not kept or _is_tree_among(maze, kept)


def _count(maze: Features) -> int:
    """Return how many passages a maze has more or fewer than a perfect one."""
    return len(maze.edges) - (len(maze.cells) - 1)


def _never(move: Vector) -> Rule:
    return by_some_moves([other for other in MOVES if other != move])


MISTAKES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "always-true": lambda _maze: True,
        "always-false": lambda _maze: False,
        "turned-round": lambda maze: not maze.perfect,
        # counting
        "counts-passages": lambda maze: _count(maze) == 0,
        "not-too-many-passages": lambda maze: _count(maze) <= 0,
        "enough-passages": lambda maze: _count(maze) >= 0,
        "as-many-as-cells": lambda maze: _count(maze) == 1,
        "two-fewer-than-cells": lambda maze: _count(maze) == -1,
        "counts-both-sides": lambda maze: 2 * len(maze.edges) == len(maze.cells) - 1,
        "one-too-many-in-reach": lambda maze: maze.connected and _count(maze) <= 1,
        "as-many-as-cells-in-reach": lambda maze: maze.connected and _count(maze) == 1,
        # one half, or another
        "reach-only": lambda maze: maze.connected,
        "no-cycle-only": lambda maze: maze.acyclic,
        "no-cycle-in-reach": lambda maze: maze.acyclic_in_reach,
        "either-is-enough": lambda maze: maze.connected or maze.acyclic,
        "an-opening-everywhere": _has_opening_everywhere,
        "openings-and-count": lambda maze: _has_opening_everywhere(maze) and _count(maze) == 0,
        "openings-and-no-cycle": lambda maze: _has_opening_everywhere(maze) and maze.acyclic,
        "openings-and-no-room": lambda maze: _has_opening_everywhere(maze) and _has_no_open_room(maze),
        "overlooks-long-cycles": lambda maze: maze.connected and _has_no_open_room(maze),
        "overlooks-small-cycles": lambda maze: maze.connected and _depths(maze)[1] <= 3,
        "cycles-at-the-entry-only": lambda maze: maze.connected and not _entry_is_on_a_cycle(maze),
        # entry and exit
        "exit-in-reach": lambda maze: maze.maze.exit in maze.reached,
        "exit-in-reach-and-count": lambda maze: is_out(maze) and _count(maze) == 0,
        "exit-in-reach-and-no-cycle": lambda maze: is_out(maze) and maze.acyclic_in_reach,
        "needs-an-exit": lambda maze: maze.perfect and maze.maze.has_exit(),
        "entry-in-the-first-cell": lambda maze: maze.perfect and maze.maze.entry == maze.cells[0],
        "exit-in-the-last-cell": lambda maze: maze.perfect and maze.maze.exit in (None, maze.cells[-1]),
        "stops-at-the-exit": stops_at_the_exit,
        "reach-only-without-exit": lambda maze: maze.connected if maze.maze.exit is None else maze.perfect,
        # rows, columns, and cells that are left out
        "rows-times-rows": lambda maze: _takes_for_square(maze, maze.maze.dimension.row_count),
        "columns-times-columns": lambda maze: _takes_for_square(maze, maze.maze.dimension.column_count),
        "numbers-cells-as-in-a-square": _numbers_cells_as_in_a_square,
        "without-the-last-row": _seen_without(1, 0),
        "without-the-last-column": _seen_without(0, 1),
        "without-last-row-and-column": _seen_without(1, 1),
        "counts-without-the-last-row": _counted_without(1, 0),
        "counts-without-the-last-column": _counted_without(0, 1),
        "without-the-first-row": lambda maze: _without_first(maze, row=2),
        "without-the-first-column": lambda maze: _without_first(maze, column=2),
        "overlooks-lonely-cells": _but_for_lonely_cells,
        "single-cell": lambda maze: maze.perfect and len(maze.cells) > 1,
        "single-rows-are-wrong": lambda maze: maze.perfect and not _is_narrow(maze),
        "single-rows-are-right": lambda maze: maze.perfect or _is_narrow(maze),
        # walking
        "never-north": _never(NORTH),
        "never-east": _never(EAST),
        "never-south": _never(SOUTH),
        "never-west": _never(WEST),
        "east-and-south-only": by_some_moves((EAST, SOUTH)),
        "compares-with-the-last-visited": marking_found,
        "joins-one-cell-only": _joins_one_cell_only,
        "takes-the-way-back-for-a-cycle": lambda maze: (
            not maze.maze.valid_moves_at(maze.maze.entry) and len(maze.cells) == 1
        ),
        "endless-on-cycles": lambda maze: maze.connected if maze.acyclic_in_reach else "endless",
        "goes-too-deep": lambda maze: "deep" if max(_depths(maze)[0].values()) >= _DEEPEST else maze.perfect,
    }
)
"""What a checker with the mistake answers, or how it ends, by name."""
