"""Mazes of all kinds, drawn with a fixed seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from lab import Dimension, Factory, Maze
from reference.generators.wilson import Wilson


def drawn_mazes(count: int) -> Iterator[str]:
    """Yield perfect mazes, ones with cycles, islands or both, and single cells; some lack an exit."""
    rng = Random(15)
    yield "+-+\n|S|\n+-+"
    for number in range(count - 1):
        dimension = Dimension(rng.randint(1, 7), rng.randint(2, 7))
        maze = _perfect(dimension, rng) if number % 3 else Factory().fully_disconnected(dimension)
        _change(maze, rng, share=rng.choice((0, 0.1, 0.4)) if number % 3 else rng.random())
        yield _marked(maze, rng)


def _perfect(dimension: Dimension, rng: Random) -> Maze:
    return Wilson(rng).generate(Factory(), dimension)


def _change(maze: Maze, rng: Random, *, share: float) -> None:
    """Flip this share of the inner walls."""
    for cell in maze.dimension.all_positions():
        for move in maze.moves_at(cell)[1:]:
            if rng.random() < share:
                (maze.break_wall if maze.is_wall(cell, move) else maze.build_wall)(cell, move)


def _marked(maze: Maze, rng: Random) -> str:
    """Put entry and exit anywhere, sometimes without an exit; return the text."""
    lines = [list(line) for line in maze.to_text().replace("S", " ").replace("E", " ").split("\n")]
    places = rng.sample(maze.dimension.all_positions(), 2)
    for place, mark in zip(places, "S " if rng.random() < 0.15 else "SE", strict=True):
        lines[2 * place.row - 1][2 * place.column - 1] = mark
    return "\n".join(map("".join, lines))
