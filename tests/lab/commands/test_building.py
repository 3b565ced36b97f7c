"""What a generator does to walls is noted, and tells what is wrong with its maze."""

from __future__ import annotations

import copy
from collections.abc import Callable

from hypothesis import given

from lab import EAST, SOUTH, Dimension, Factory, Maze, Vector
from lab.commands.building import Flaws, NotedMaze, NotingFactory
from lab.watch import Watch
from tests.lab.drawn import perfect_mazes

SIZE = Dimension(3, 3)


def noted(maze: Maze) -> NotedMaze:
    assert isinstance(maze, NotedMaze)
    return maze


def made(build: Callable[[Factory], Maze]) -> Flaws:
    return noted(build(NotingFactory(Watch()))).flaws


@given(perfect_mazes())
def test_a_perfect_maze_has_no_flaws_whether_it_is_opened_or_walled_up(maze: Maze) -> None:
    factory = NotingFactory(Watch())
    opened, walled = factory.fully_disconnected(maze.dimension), factory.fully_connected(maze.dimension)
    for cell in maze.dimension.all_positions():
        for move in (EAST, SOUTH):
            if maze.is_valid_at(cell, move):
                opened.break_wall(cell, move)
            elif move in maze.moves_at(cell):
                walled.build_wall(cell, move)
    for each in (opened, walled, copy.deepcopy(opened), walled.copy(), noted(opened).apart()):
        assert noted(each).flaws == Flaws(frozenset(), frozenset(), 0)


def test_a_room_goes_round_everywhere_and_walls_cut_everything_off() -> None:
    cells = frozenset(SIZE.all_positions())
    assert made(lambda factory: factory.fully_connected(SIZE)) == Flaws(frozenset(), cells, 4)
    assert made(lambda factory: factory.fully_disconnected(SIZE)) == Flaws(cells - {(1, 1)}, frozenset(), 8)


def test_a_cycle_does_not_make_up_for_an_island() -> None:
    def build(factory: Factory) -> Maze:
        maze = factory.fully_connected(Dimension(2, 3))
        maze.build_wall((1, 2), EAST)
        maze.build_wall((2, 2), EAST)
        maze.build_wall((1, 3), SOUTH)
        maze.break_wall((2, 2), EAST)
        return maze

    lost, circled = frozenset({Vector(1, 3)}), frozenset(map(Vector, (1, 1, 2, 2), (1, 2, 1, 2)))
    assert made(build) == Flaws(lost, circled, 2)
