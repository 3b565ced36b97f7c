"""What happens to a maze, moment by moment: a generator, a solver or a walker at work.

A film is plain data. ``lab.render.animation`` turns it into moving SVG or HTML, ``lab.render.gif`` into GIF.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self

from lab.dimension import Dimension
from lab.factory import Factory
from lab.generator import Generator
from lab.maze import Maze, Position
from lab.solver import Solver
from lab.vector import Vector
from lab.watch import Watch, WatchedMaze, watched
from lab.way import flaw

Ink = Literal["joined", "visited", "way", "walked"]
"""Why a cell is coloured: it joined the maze, was visited, is on the solution, or was walked."""


class Moment(NamedTuple):
    """One event: a cell is coloured, and perhaps one of its walls opens or closes."""

    cell: Vector
    ink: Ink
    wall: Vector | None = None
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class Film:
    """The initial maze, and the events that followed."""

    title: str
    start: Maze
    moments: tuple[Moment, ...]


def film_generator(generator: Generator, dimension: Dimension, *, title: str) -> Film:
    """Film the walls that a generator of any kind changes while it makes a maze."""
    factory = _FilmingFactory()
    generator.generate(factory, dimension)
    if factory.start is None:
        raise ValueError(
            f"{type(generator).__name__} asked the factory for no maze: there is nothing to film"
        )
    return Film(title, factory.start, tuple(factory.moments))


def film_solver(maze: Maze, solver: Callable[[], Solver], search: type[Any], *, title: str) -> Film:
    """Film the cells that a solver visits, and then the way that it returns, if it returns one.

    A wrong solver is filmed as well, without its visits outside of the maze.
    """
    watch = Watch()
    moves = solver().solve(WatchedMaze.of(maze, watch), watched(search, watch)())
    streams = watch.streams()
    visits: Iterable[object] = streams[0] if streams else ()
    inside = {cell: cell for cell in maze.dimension.all_positions()}
    seen = [inside[cell] for cell in visits if isinstance(cell, tuple) and cell in inside]
    moments = [Moment(cell, "visited") for cell in dict.fromkeys(seen)]
    if moves is not None and flaw(maze, moves) is None:
        moments += [Moment(cell, "way") for cell in _cells(maze.entry, moves)]
    return Film(title, maze.copy(), tuple(moments))


def film_left_hand(maze: Maze, *, title: str) -> Film:
    """Film a walk by the left-hand rule."""
    from lab.walker import left_hand  # which the students' kit is without

    steps = left_hand(maze).steps
    return Film(title, maze.copy(), tuple(Moment(step.position, "walked") for step in steps))


def _cells(start: Vector, moves: Iterable[Vector]) -> list[Vector]:
    cells = [start]
    for move in moves:
        cells.append(cells[-1] + move)
    return cells


class _FilmingFactory(Factory):
    """Makes mazes that record what is done to them."""

    def __init__(self) -> None:
        self.start: Maze | None = None
        self.moments: list[Moment] = []

    def fully_connected(self, dimension: Dimension) -> Maze:
        return self._filmed(super().fully_connected(dimension))

    def fully_disconnected(self, dimension: Dimension) -> Maze:
        return self._filmed(super().fully_disconnected(dimension))

    def _filmed(self, maze: Maze) -> Maze:
        self.start, self.moments = maze, []  # the generator works on the last maze that it asked for
        return _FilmedMaze.of(maze, self.moments)


class _FilmedMaze(Maze):
    """A maze that records changes of its walls."""

    _moments: list[Moment]

    @classmethod
    def of(cls, maze: Maze, moments: list[Moment]) -> Self:
        filmed = object.__new__(cls)
        filmed._moments = moments
        filmed._fill(maze._grid())
        return filmed

    def copy(self) -> Self:
        return type(self).of(self, self._moments)

    def break_wall(self, position: Position, direction: Position, cost: int = 1) -> None:
        super().break_wall(position, direction, cost)
        self._note(position, direction, is_open=True)

    def build_wall(self, position: Position, direction: Position) -> None:
        super().build_wall(position, direction)
        self._note(position, direction, is_open=False)

    def _note(self, position: Position, direction: Position, *, is_open: bool) -> None:
        here, move = Vector(*position), Vector(*direction)
        # named from the far side: that cell joins
        self._moments.append(Moment(here + move, "joined", move.opposite(), is_open))
