"""Explain how a generator made a cycle: by breaking one wall too many, or by omitting one."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from pathlib import Path
from traceback import walk_stack
from typing import NamedTuple

from lab.commands.mazes import make_bound
from lab.commands.student import is_own_file
from lab.dimension import Dimension
from lab.factory import Factory
from lab.maze import Maze, Position
from lab.vector import Vector
from lab.watch import Watch, WatchedMaze
from lab.way import cell_text


class _Broken(NamedTuple):
    """The cells on both sides of a broken wall, and the student's line that broke it."""

    here: Vector
    there: Vector
    file: str
    line: int


class _Work(Watch):
    """What was observed while a generator worked."""

    __slots__ = ("broken", "built", "empty", "folder", "full")

    def __init__(self, folder: Path, question: Callable[[], object]) -> None:
        super().__init__(question)
        self.folder = folder
        self.broken: list[_Broken] = []
        self.built = self.empty = self.full = 0
        """How many walls it built, and how many mazes it started without walls and with all of them."""


class _Noted(WatchedMaze):
    """A maze that records which walls are built and broken."""

    _watch: _Work

    def build_wall(self, position: Position, direction: Position) -> None:
        super().build_wall(position, direction)
        self._watch.built += 1

    def break_wall(self, position: Position, direction: Position) -> None:
        super().break_wall(position, direction)
        stack = ((frame.f_code.co_filename, line) for frame, line in walk_stack(None))
        own = (place for place in stack if is_own_file(self._watch.folder, Path(place[0])))
        here = Vector(*position)
        self._watch.broken.append(_Broken(here, here + direction, *next(own, ("", 0))))


class _NotingFactory(Factory):
    """Makes mazes that record what is done to them."""

    def __init__(self, work: _Work) -> None:
        self._work = work

    def fully_connected(self, dimension: Dimension) -> Maze:
        self._work.empty += 1
        return _Noted.of(super().fully_connected(dimension), self._work)

    def fully_disconnected(self, dimension: Dimension) -> Maze:
        self._work.full += 1
        return _Noted.of(super().fully_disconnected(dimension), self._work)


def cause_of_cycle(folder: Path, generate: Callable[[Factory], object], maze: Maze) -> str:
    """Say why a maze without islands has a cycle, by watching it being made again; "" if that is unclear.

    It is unclear if another maze is made, or if walls are both built and broken.
    """
    work = _Work(folder, make_bound(maze.dimension.position_count))
    try:
        made = generate(_NotingFactory(work))
    except Exception:  # noqa: BLE001 - a student's code may raise anything, the second time as well
        return ""
    if not isinstance(made, Maze) or made.to_text() != maze.to_text() or work.empty + work.full != 1:
        return ""
    if work.empty and not work.broken:
        return _left_out(maze)
    return _broken(work.broken) if work.full and not work.built else ""


def _left_out(maze: Maze) -> str:
    rows, columns = maze.dimension.row_count, maze.dimension.column_count
    cells = maze.dimension.all_positions()
    sides = sum(len(maze.moves_at(cell)) - len(maze.valid_moves_at(cell)) for cell in cells)
    whole = (rows - 1) * (columns - 1)
    pieces = "1 piece" if whole == 1 else f"{whole} pieces"
    return (
        f"A perfect maze of {rows} x {columns} cells has {pieces} of wall inside, this one {sides // 2}: "
        "has each of your walls one door, and no other gap?"
    )


def _broken(walls: list[_Broken]) -> str:
    """Name the first broken wall between cells that were already connected."""
    joined: dict[Vector, set[Vector]] = {}
    opened = set()
    for wall in walls:
        small, large = sorted((joined.setdefault(cell, {cell}) for cell in wall[:2]), key=len)
        if small is large and frozenset(wall[:2]) not in opened:
            return _told(wall)
        if small is not large:
            large |= small
            joined.update(dict.fromkeys(small, large))
        opened.add(frozenset(wall[:2]))
    return ""


def _told(wall: _Broken) -> str:
    between = f"between {cell_text(wall.here)} and {cell_text(wall.there)}"
    code = linecache.getline(wall.file, wall.line).strip()
    where = f" (line {wall.line}: {code})" if code else ""
    return f"The wall {between} was broken{where} when a way led from one to the other already."
