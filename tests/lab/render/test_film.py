from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import EAST, SOUTH, Dimension, Factory, Generator, Maze, Solver, Vector
from lab.graph import passages
from lab.render.film import Film, Moment, film_generator, film_solver
from reference.generators.registry import GENERATORS
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.search import Search
from tests.lab.drawn import ROOMY

B = Maze.from_text("+-+-+-+\n|S  | |\n+-+ + +\n|E    |\n+-+-+-+")


def played(film: Film) -> Maze:
    """The maze as it is when the film is over."""
    maze = film.start.copy()
    for moment in film.moments:
        if moment.wall is not None:
            (maze.break_wall if moment.is_open else maze.build_wall)(moment.cell, moment.wall)
    return maze


@given(st.sampled_from(sorted(GENERATORS)), ROOMY, st.integers(0, 99))
def test_a_film_of_a_generator_ends_with_the_maze_it_makes(
    name: str, dimension: Dimension, seed: int
) -> None:
    film = film_generator(GENERATORS[name](Random(seed)), dimension, title=name)
    assert played(film) == GENERATORS[name](Random(seed)).generate(Factory(), dimension)
    assert film.title == name


def test_only_the_last_maze_asked_for_is_filmed() -> None:
    class Twice(Generator):
        def generate(self, factory: Factory, dimension: Dimension) -> Maze:
            factory.fully_disconnected(dimension).break_wall((1, 1), EAST)
            maze = factory.fully_connected(dimension).copy()
            maze.build_wall((1, 1), SOUTH)
            return maze

    film = film_generator(Twice(Random(1)), Dimension(2, 2), title="")
    assert film.start == Factory().fully_connected(Dimension(2, 2))
    assert film.moments == (Moment(Vector(2, 1), "joined", Vector(-1, 0), is_open=False),)


def test_a_generator_that_asks_for_no_maze_cannot_be_filmed() -> None:
    class Copyist(Generator):
        def generate(self, factory: Factory, dimension: Dimension) -> Maze:
            return B

    with pytest.raises(ValueError, match="Copyist asked the factory for no maze"):
        film_generator(Copyist(Random(1)), Dimension(2, 2), title="")


def test_a_film_of_a_solver_shows_its_visits_and_then_its_way() -> None:
    film = film_solver(B, BFS, Search, title="BFS")
    visited = [moment.cell for moment in film.moments if moment.ink == "visited"]
    way = [moment.cell for moment in film.moments if moment.ink == "way"]
    assert visited == [(1, 1), (1, 2), (2, 2), (2, 3), (2, 1)]
    assert way == [(1, 1), (1, 2), (2, 2), (2, 1)]
    assert film.moments[len(visited)].ink == "way"
    assert passages(film.start) == passages(B)


def test_a_film_of_a_solver_may_end_without_a_way() -> None:
    walled = Maze.from_text("+-+-+\n|S|E|\n+-+-+")
    assert [moment.ink for moment in film_solver(walled, DFS, Search, title="").moments] == ["visited"]


def test_a_solver_that_leaves_the_maze_is_filmed_inside_of_it() -> None:
    class Lost(Solver):
        def solve(self, maze: Maze, search: Search) -> list[Vector]:
            strange: list[Any] = [Vector(1, 2), Vector(0, 7), None]
            for cell in strange:
                search.mark_as_pending(cell)
                search.first_pending()
            return [Vector(-1, 0)]

    film = film_solver(B, Lost, Search, title="Lost")
    assert film.moments == (Moment(Vector(1, 2), "visited"),)
