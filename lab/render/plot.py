"""A maze as a plot of matplotlib, the solution as a red line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab.maze import Maze
from lab.optional_packages import need
from lab.render.colours import PAPER, WALL
from lab.render.strokes import middles, walls
from lab.vector import Vector

_INCHES = 0.25
"""The side of a cell."""


def plot(maze: Maze, *, solution: Sequence[Vector] | None = None, axes: Any = None) -> Any:
    """Draw the maze and return its ``matplotlib.figure.Figure``; onto ``axes`` where they are given.

    Raises MissingPackage where there is no matplotlib.
    """
    figure = axes.figure if axes is not None else _figure(maze)
    axes = axes if axes is not None else figure.add_subplot()
    collections = need("matplotlib.collections")
    lines = [[(x1, y1), (x2, y2)] for x1, y1, x2, y2 in walls(maze)]
    axes.add_collection(collections.LineCollection(lines, colors=WALL, linewidths=1.5, capstyle="round"))
    if solution:
        axes.plot(*zip(*middles(maze.entry, solution), strict=True), color="red", linewidth=2)
    for letter, position in (("S", maze.entry), ("E", maze.exit)):
        if position is not None:
            ground = {"boxstyle": "circle,pad=0.1", "facecolor": PAPER, "edgecolor": "none"}
            axes.text(
                position.column - 0.5, position.row - 0.5, letter, ha="center", va="center", bbox=ground
            )
    axes.set_xlim(-0.2, maze.dimension.column_count + 0.2)
    axes.set_ylim(maze.dimension.row_count + 0.2, -0.2)
    axes.set_aspect("equal")
    axes.axis("off")
    return figure


def save_plot(maze: Maze, path: str | Path, *, solution: Sequence[Vector] | None = None) -> None:
    """Write the plot into a file; its suffix says what kind (png, svg, pdf)."""
    plot(maze, solution=solution).savefig(path, bbox_inches="tight", metadata=still(path))


def still(path: str | Path) -> dict[str, None]:
    """Return metadata that leaves the date out, so that the same picture is the same file."""
    return {"Date": None} if Path(path).suffix == ".svg" else {}


def _figure(maze: Maze) -> Any:
    size = (max(1, _INCHES * maze.dimension.column_count), max(1, _INCHES * maze.dimension.row_count))
    return need("matplotlib.figure").Figure(figsize=size)
