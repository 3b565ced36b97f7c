"""Plots with matplotlib: a maze with its solution as a red line, in reproducible files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from lab.costs import has_costs
from lab.maze import Maze
from lab.optional_packages import need
from lab.render import costs
from lab.render.colours import PAPER, WALL
from lab.render.strokes import middles, walls
from lab.vector import Vector

_INCHES = 0.25
"""The side of a cell."""


def plot(maze: Maze, *, solution: Sequence[Vector] | None = None, axes: Any = None) -> Any:
    """Draw the maze, onto ``axes`` if given, and return its ``matplotlib.figure.Figure``.

    Raises MissingPackage if matplotlib is not installed.
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
    for x, y, _, cost in costs.middles(maze):
        ground = {"boxstyle": "round,pad=0.15", "facecolor": costs.SHADES[cost], "edgecolor": costs.FRAME}
        axes.text(x, y, str(cost), ha="center", va="center", color=costs.ink_on(cost), bbox=ground, size=7)
    if has_costs(maze):
        axes.text(0, maze.dimension.row_count + 0.2, costs.LEGEND, va="top", size=7)
    axes.set_xlim(-0.2, maze.dimension.column_count + 0.2)
    axes.set_ylim(maze.dimension.row_count + 0.2, -0.2)
    axes.set_aspect("equal")
    axes.axis("off")
    return figure


def save_plot(maze: Maze, path: str | Path, *, solution: Sequence[Vector] | None = None) -> None:
    """Write the plot into a file of the kind that its suffix says (png, svg, pdf)."""
    plot(maze, solution=solution).savefig(path, bbox_inches="tight", metadata=still(path))


@contextmanager
def drawing(
    path: Path,
    *,
    salt: str,
    size: tuple[float, float] = (6.4, 4.2),
    panels: int = 1,
    kind: str = "",
    metadata: Mapping[str, str] = MappingProxyType({}),
    **more: Any,
) -> Iterator[Any]:
    """Yield the axes of panels side by side, and write the plot at the end; the same plot gives the same
    bytes.

    ``salt`` names the plot, ``size`` is in inches, ``kind`` is svg or png if the path does not say so, and
    ``more`` is for matplotlib's ``subplots``. The user's settings are ignored, and a ``$`` in a text is not
    read as a formula. Raises MissingPackage or OSError.
    """
    own = {"svg.hashsalt": salt, "svg.fonttype": "none", "text.parse_math": False, "savefig.dpi": 200}
    need("matplotlib")
    with need("matplotlib.style").context(["default", own]):
        figure = need("matplotlib.figure").Figure(figsize=size, layout="constrained")
        yield figure.subplots(1, panels, **more)
        kind = kind or path.suffix.removeprefix(".")
        figure.savefig(path, format=kind, metadata={**still(f"plot.{kind}"), **metadata})


def still(path: str | Path) -> dict[str, None]:
    """Return metadata without a date, so that the same picture gives the same bytes."""
    return {"Date": None} if Path(path).suffix == ".svg" else {}


def _figure(maze: Maze) -> Any:
    size = (max(1, _INCHES * maze.dimension.column_count), max(1, _INCHES * maze.dimension.row_count))
    return need("matplotlib.figure").Figure(figsize=size)
