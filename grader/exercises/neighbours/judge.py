"""Judge whether these are the cells that one step reaches, and report the first that is not."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from lab import Maze, Vector


def judge(
    arguments: Mapping[str, Any], returned: Collection[Vector], expected: Collection[Vector]
) -> tuple[str, Mapping[str, object]] | None:
    """Return what is wrong with the cells returned for a position; None if nothing is."""
    maze: Maze = arguments["maze"]
    position: Vector = arguments["position"]
    wrong = next((cell for cell in returned if cell not in expected), None)
    if wrong is not None:
        steps = abs(wrong.row - position.row) + abs(wrong.column - position.column)
        behind_a_wall = steps == 1 and maze.dimension.includes(wrong)
        return "through_a_wall" if behind_a_wall else "no_neighbour", {"cell": wrong, "position": position}
    missing = next((cell for cell in sorted(expected) if cell not in returned), None)
    if missing is not None:
        return "missing", {"cell": missing, "position": position}
    return None if len(returned) == len(expected) else ("twice", {"position": position})
