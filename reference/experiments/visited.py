"""How many cells do DFS, BFS and Dijkstra visit before they reach the exit, by the texture of the maze?

Entry and exit are drawn for each maze: in opposite corners, every search would visit nearly all cells.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final

from lab import Dimension, Factory, Maze, Solver
from lab.graph import from_passages, passages
from lab.render.plot import drawing
from lab.watch import Watch, watched
from reference.experiments.results import Cell, Table
from reference.generators.registry import GENERATORS
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.dijkstra import Dijkstra
from reference.solvers.search import Search

_SOLVERS: Final[dict[str, type[Solver]]] = {"DFS": DFS, "BFS": BFS, "Dijkstra": Dijkstra}
_MORE_OPENINGS: Final = 10
"""In the texture with cycles, one wall in this many is opened."""


def measure(*, size: int, mazes: int, seed: int) -> Table:
    """Return the average number of visited cells and of moves, for each texture and each solver."""
    columns = [f"{name}, {what}" for name in _SOLVERS for what in ("visited", "moves")]
    rows: list[tuple[Cell, ...]] = []
    for name, make in textures().items():
        rng = Random(f"{seed} {name}")
        made = [_with_other_ends(make(rng, Dimension(size, size)), rng) for _ in range(mazes)]
        found = [_visits(solver, made) for solver in _SOLVERS.values()]
        rows.append((name, *(average for pair in found for average in pair)))
    return Table(("texture", *columns), tuple(rows))


def textures() -> dict[str, Callable[[Random, Dimension], Maze]]:
    """Return functions that make mazes, by texture: all generators, with cycles, and an empty room."""

    def made(name: str) -> Callable[[Random, Dimension], Maze]:
        return lambda rng, dimension: GENERATORS[name](rng).generate(Factory(), dimension)

    return {
        **{name: made(name) for name in GENERATORS},
        "Wilson, with cycles": lambda rng, dimension: _with_cycles(made("Wilson")(rng, dimension), rng),
        "An empty room": lambda _, dimension: Factory().fully_connected(dimension),
    }


def plot(table: Table, path: Path) -> None:
    """Draw a bar for each texture and solver. Raises MissingPackage or OSError."""
    names, width = table.column("texture"), 0.8 / len(_SOLVERS)
    with drawing(path, salt=path.stem, panels=2, size=(6.4, 6.4), sharey=True) as panels:
        for axes, what in zip(panels, ("visited", "moves"), strict=True):
            for place, solver in enumerate(_SOLVERS):
                at = [row + width * (place - 1) for row in range(len(names))]
                axes.barh(at, table.column(f"{solver}, {what}"), height=width, label=solver)
            axes.grid(visible=True, axis="x", alpha=0.3)
        panels[0].set(title="cells visited", yticks=range(len(names)), yticklabels=names)
        panels[1].set(title="moves of the way")
        panels[0].invert_yaxis()
        panels[0].figure.legend(
            *panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(_SOLVERS)
        )


def _visits(solver: type[Solver], mazes: list[Maze]) -> tuple[float, float]:
    """Return a solver's average numbers of visited cells and of returned moves."""
    visits, moves = [], []
    for maze in mazes:
        watch = Watch()
        way = solver().solve(maze, watched(Search, watch)())
        visits.append(len(set(watch.streams()[0])))
        moves.append(len(way or ()))
    return fmean(visits), fmean(moves)


def _with_other_ends(maze: Maze, rng: Random) -> Maze:
    entry, exit_ = rng.sample(maze.dimension.all_positions(), 2)
    return from_passages(passages(maze), maze.dimension, ends=(entry, exit_))


def _with_cycles(maze: Maze, rng: Random) -> Maze:
    closed = sorted(passages(Factory().fully_connected(maze.dimension)) - passages(maze))
    opened = rng.sample(closed, len(closed) // _MORE_OPENINGS)
    return from_passages([*passages(maze), *opened], maze.dimension)
