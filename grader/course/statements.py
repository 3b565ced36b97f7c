"""Statements about solvers, in maze files and in an instructor's checks: read, and verified.

No right solver may lose points by a statement, so each is compared with every right way of exploring the
maze, and with a solver that stops as soon as it sees the exit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from grader.course.yaml_values import Value
from grader.exercises.kit.costs import has_costs, least_from
from grader.exercises.kit.facts import Facts, goes_deep
from grader.exercises.kit.small_mazes import Stated
from grader.languages import titles_in
from grader.model import Target
from lab import MOVES, Vector
from lab.exercises import BY_ID, LAB_EXERCISES

FROM_ONE: Final = "rows and columns count from 1"
MOST: Final = 1_000_000
"""The largest number in a statement."""
_MOVES: Final = {move.name: move for move in MOVES}


def read_maze_statements(
    fields: Mapping[str, Value], exercises: Sequence[str], facts: Facts
) -> dict[str, Stated]:
    """Read a maze file's statements about solvers: about all of them, or about each one by key."""
    found: dict[str, dict[str, Any]] = {}
    for key in _given(fields):
        for exercise, value in _of_whom(fields[key], exercises):
            found.setdefault(exercise, {})[key] = _read(key, value)
            refuse_untrue(key, value, exercise, facts)
    return {exercise: Stated(**parts) for exercise, parts in found.items()}


def read_check_statements(fields: Mapping[str, Value]) -> Stated:
    """Return the statements of a check, which apply to all of its mazes."""
    return Stated(**{key: _read(key, fields[key]) for key in _given(fields)})


def read_most_cost(value: Value, facts: Facts) -> int:
    """Read what a way may cost at the most; refuse less than what the cheapest way of the maze costs."""
    most, exit_ = value.whole(least=1, most=MOST), facts.maze.exit
    if not has_costs(facts.text):
        value.refuse("no step of this maze costs more than 1: state at_most_moves")
    if exit_ is None or exit_ not in facts.distances:
        value.refuse("no way leads to an exit, so that a right solver need not look for one")
    least = least_from(facts.maze, facts.maze.entry)[exit_].cost
    if most < least:
        value.refuse(f"the cheapest way costs {least}, at_most_cost is {most}")
    return most


def refuse_untrue(key: str, value: Value, exercise: str, facts: Facts, where: str = "") -> None:
    """Refuse a statement that the reference, or another right solver, violates on a maze."""
    if facts.length is None:
        value.refuse(f"{where}no way leads to an exit, so that a right solver need not look for one")
    complaint = _COMPLAINTS[key](facts, exercise, _read(key, value))
    if complaint:
        value.refuse(f"{where}for {exercise} {complaint}")


def format_cell(cell: Vector) -> str:
    """Format a cell as the files do."""
    return f"[{cell.row}, {cell.column}]"


# --- reading ------------------------------------------------------------------------------------


def _given(fields: Mapping[str, Value]) -> list[str]:
    return [key for key in STATEMENTS if key in fields]


def _of_whom(value: Value, exercises: Sequence[str]) -> list[tuple[str, Value]]:
    if not exercises:
        value.refuse("no solver is among the exercises of this file, so nothing can be stated of one")
    if not value.is_mapping():
        return [(exercise, value) for exercise in exercises]
    named = value.fields(required=(), optional=exercises)
    if not named:
        value.expected(f"at least one of {', '.join(exercises)}", "none")
    return [*named.items()]


def _read(key: str, value: Value) -> Any:
    return _READERS[key](value)


def _count(value: Value) -> int:
    return value.whole(least=1, most=MOST)


def _cells(value: Value) -> tuple[Vector, ...]:
    return value.distinct(read_cell, "a list of cells", shown=format_cell)


def read_cell(item: Value, most_row: int = MOST, most_column: int = MOST) -> Vector:
    """Read a cell, ``[row, column]``."""
    parts = item.items()
    if len(parts) != 2:
        item.expected("a cell [row, column]", f"a list of {len(parts)}")
    row, column = parts
    return Vector(
        row.whole(least=1, most=most_row, note=FROM_ONE),
        column.whole(least=1, most=most_column, note=FROM_ONE),
    )


_READERS: Final[Mapping[str, Callable[[Value], Any]]] = {
    "at_most_visits": _count,
    "at_most_moves": _count,
    "must_visit": _cells,
    "way": lambda value: (
        tuple(_MOVES[item.choice(_MOVES)] for item in value.items())
        or value.expected("a list of moves", "an empty list")
    ),
}
STATEMENTS: Final = tuple(_READERS)


# --- compared with the reference ----------------------------------------------------------------


def _too_low(verb: str, what: str, counts: Sequence[int], most: int, key: str) -> str:
    if counts[0] > most:
        return f"the reference {verb} {counts[0]} {what}, {key} is {most}"
    if max(counts) > most:
        return f"the reference {verb} {counts[0]} {what}, another right solver {max(counts)}, {key} is {most}"
    return ""


def _must_visit_complaint(facts: Facts, exercise: str, cells: tuple[Vector, ...]) -> str:
    orders, ends = facts.orders[exercise], (facts.maze.entry, facts.maze.exit)
    for cell in cells:
        shown = format_cell(cell)
        if not facts.dimension.includes(cell):
            return f"{shown} is outside of the maze of {facts.dimension}"
        if cell in ends:
            return f"{shown} is the entry or the exit, which every solver visits"
        if cell not in orders[0]:
            return f"the reference does not visit {shown}: it visits {_listed(orders[0])}"
        if any(cell not in _before_in_sight(facts, order) for order in orders):
            first, *others = (_before_in_sight(facts, order) for order in orders)
            certain = _listed([cell for cell in first if all(cell in other for other in others)])
            return (
                f"a right solver need not visit {shown}: it may stop where the exit comes in sight, "
                f"and explore cycles in another right order; each visits {certain}"
            )
    return ""


def _before_in_sight(facts: Facts, order: Sequence[Vector]) -> Sequence[Vector]:
    """Return the order up to the first cell that is next to the exit."""
    maze = facts.maze
    sights = (any(cell + move == maze.exit for move in maze.valid_moves_at(cell)) for cell in order)
    return order[: list(sights).index(True) + 1]


def _listed(cells: Iterable[Vector]) -> str:
    return f"[{', '.join(map(format_cell, cells))}]"


def _way_complaint(facts: Facts, exercise: str, way: tuple[Vector, ...]) -> str:
    right = facts.ways[exercise][0]
    if not (_is_only_way(facts, right) if goes_deep(exercise) else _is_only_shortest(facts)):
        kind = "way" if goes_deep(exercise) else "shortest way"
        return f"there is more than one {kind}: state at_most_moves, {len(right)} or more"
    if way == right:
        return ""
    here, there = (", ".join(move.name for move in moves) for moves in (right, way))
    return f"the reference returns [{here}], way is [{there}]"


def _is_only_way(facts: Facts, way: Sequence[Vector]) -> bool:
    """Return whether no other way leads from one cell of the way to another."""
    cells = [facts.maze.entry]
    for move in way:
        cells.append(cells[-1] + move)
    place = {cell: number for number, cell in enumerate(cells)}
    seen: set[Vector] = set()
    for number, start in enumerate(cells):
        todo = [start]
        while todo:
            cell = todo.pop()
            for move in facts.maze.valid_moves_at(cell):
                there = place.get(cell + move)
                if there is None and cell + move not in seen:
                    seen.add(cell + move)
                    todo.append(cell + move)
                elif there is not None and abs(there - number) > (cell == start):
                    return False
    return True


def _is_only_shortest(facts: Facts) -> bool:
    """Return whether the shortest way is unique.

    Then each cell on the way back from the exit has only one neighbour nearer to the entry.
    """
    cell, distances = facts.maze.exit, facts.distances
    while cell is not None and cell != facts.maze.entry:
        nearer = [cell + move for move in facts.maze.valid_moves_at(cell)]
        nearer = [other for other in nearer if distances[other] == distances[cell] - 1]
        if len(nearer) > 1:
            return False
        cell = nearer[0]
    return True


_COMPLAINTS: Final[Mapping[str, Callable[[Facts, str, Any], str]]] = {
    "at_most_visits": lambda facts, exercise, most: _too_low(
        "visits", "cells", [len(order) for order in facts.orders[exercise]], most, "at_most_visits"
    ),
    "at_most_moves": lambda facts, exercise, most: _too_low(
        "returns", "moves", [len(way) for way in facts.ways[exercise]], most, "at_most_moves"
    ),
    "must_visit": _must_visit_complaint,
    "way": _way_complaint,
}


TITLES: Final[Mapping[str, str]] = titles_in("exercise")
"""Titles of exercises by id, as in results.json."""

WITH_MAZES: Final = tuple(each.id for each in LAB_EXERCISES if "maze" in each.parameters)
"""The ids of the lab's exercises whose calls get mazes: all but the search and the generator."""


def target_of(exercise: str) -> Target:
    """Return the file and the name that an exercise asks for."""
    record = BY_ID[exercise]
    return Target(record.file, record.name)
