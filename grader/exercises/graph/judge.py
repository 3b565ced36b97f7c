"""Judge whether a graph is that of the maze, and report the first difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lab import Maze

Judged = tuple[str, Mapping[str, object]] | None


def judge(arguments: Mapping[str, Any], returned: Any, expected: Any) -> Judged:
    """Return what is wrong with an adjacency list (a mapping) or a matrix; None if nothing is."""
    maze: Maze = arguments["maze"]
    if isinstance(expected, dict):
        return _judge_list(maze, returned, expected)
    return _judge_size(returned, len(expected)) or _judge_matrix(maze, returned, expected)


def _judge_list(maze: Maze, returned: Mapping[Any, Any], expected: Mapping[Any, Any]) -> Judged:
    for cell, wanted in expected.items():
        if cell not in returned:
            return "cell_missing", {"cell": cell}
        found = _judge_neighbors(maze, cell, returned[cell], [*wanted])
        if found is not None:
            return found
    extra = next((cell for cell in returned if cell not in expected), None)
    return None if extra is None else ("no_cell", {"cell": extra, "at": (extra,)})


def _judge_neighbors(maze: Maze, cell: Any, reached: Any, wanted: list[Any]) -> Judged:
    at = (cell,)
    if not isinstance(reached, (list, tuple)):
        return "no_neighbors", {"cell": cell, "value": reached, "at": at}
    beside = next((other for other in reached if other not in wanted), None)
    if beside is not None and any(cell + move == beside for move in maze.moves_at(cell)):
        return "through_a_wall", {"cell": cell, "other": beside, "at": at}
    if any(other not in wanted for other in reached):
        return "no_neighbor", {"cell": cell, "value": beside, "at": at}
    missing = [other for other in wanted if other not in reached]
    if missing:
        return "neighbor_missing", {"cell": cell, "other": missing[0], "at": at}
    if len(reached) > len(wanted):
        return "neighbor_twice", {"cell": cell, "at": at}
    return None if [*reached] == wanted else ("other_order", {"cell": cell, "at": at})


def _judge_size(returned: Sequence[Any], count: int) -> Judged:
    if len(returned) != count:
        return "rows", {"rows": len(returned), "count": count}
    for number, row in enumerate(returned):
        size = len(row) if isinstance(row, (list, tuple)) else 0
        if size != count:
            return "columns", {"row": number + 1, "columns": size, "count": count, "at": (number,)}
    return None


def _judge_matrix(maze: Maze, returned: Sequence[Any], expected: Sequence[Sequence[int]]) -> Judged:
    for row, (came, wanted) in enumerate(zip(returned, expected, strict=True)):
        for column, (one, other) in enumerate(zip(came, wanted, strict=True)):
            right = returned[0][0] if row == column else other
            if one != right or one not in (0, 1):
                return _wrong_number(maze, returned, row, column, right)
    return None


def _wrong_number(maze: Maze, returned: Sequence[Any], row: int, column: int, right: object) -> Judged:
    number, here = returned[row][column], {"row": row + 1, "column": column + 1, "at": (row, column)}
    if number not in (0, 1):
        return "no_number", {"value": number, **here}
    if row == column:
        return "diagonal", here
    cells = maze.dimension.all_positions()
    named = {"cell": cells[row], "other": cells[column], **here}
    if returned[column][row] == right:
        return "not_symmetric", named
    if right:
        return "edge_missing", named
    return "edge_too_many", named
