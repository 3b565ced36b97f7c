"""AldousBroder's walk is recognised in every disguise that is listed, and nobody else's work for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from grader.exercises.generator.given_walk import is_given_walk
from grader.exercises.kit.facts import Facts
from lab import MOVES, Dimension, Factory, Maze, Vector
from lab.generators import AldousBroder
from reference.generators.my_generator import MyGenerator
from reference.generators.registry import GENERATORS

SIZE = Dimension(5, 5)
SEEDS = range(40, 50)

Choose = Callable[[Random, Sequence[Vector]], Vector]


def given(rng: Random, moves: Sequence[Vector]) -> Vector:
    return moves[int(rng.random() * len(moves))]


def walk(rng: Random, start: Vector, choose: Choose = given) -> Maze:
    """A random walk, written once more."""
    maze = Factory().fully_disconnected(SIZE)
    seen, here = {start}, start
    while len(seen) < SIZE.position_count:
        move = choose(rng, maze.moves_at(here))
        if here + move not in seen:
            maze.break_wall(here, move)
            seen.add(here + move)
        here = here + move
    return maze


def throwing_away(rng: Random, moves: Sequence[Vector]) -> Vector:
    rng.random()
    return given(rng, moves)


def mirrored(maze: Maze) -> Maze:
    other = Factory().fully_disconnected(SIZE)
    for cell in SIZE.all_positions():
        for move in maze.valid_moves_at(cell):
            other.break_wall((cell.row, SIZE.column_count + 1 - cell.column), (move.row, -move.column))
    return other


def after(rng: Random, draw: Callable[[], object]) -> Maze:
    draw()
    return AldousBroder(rng).generate(Factory(), SIZE)


DISGUISES: dict[str, Callable[[Random], Maze]] = {
    "none": lambda rng: AldousBroder(rng).generate(Factory(), SIZE),
    "a number less": lambda rng: walk(rng, Vector(1, 1)),
    "a number more": lambda rng: after(rng, rng.random),
    "half a number more": lambda rng: after(rng, lambda: rng.getrandbits(8)),
    "seven numbers more": lambda rng: after(rng, lambda: [rng.random() for _ in range(7)]),
    "another start": lambda rng: walk(rng, Vector(3, 2)),
    "a number more at each step": lambda rng: walk(rng, Vector(1, 1), throwing_away),
    "moves in reverse": lambda rng: walk(rng, Vector(5, 5), lambda rng, moves: given(rng, moves[::-1])),
    "mirrored": lambda rng: mirrored(AldousBroder(rng).generate(Factory(), SIZE)),
    "mirrored, and a number more": lambda rng: mirrored(after(rng, rng.random)),
}


def bumping(rng: Random, moves: Sequence[Vector]) -> Vector:
    while (move := MOVES[int(rng.random() * 4)]) not in moves:
        pass
    return move


OWN: dict[str, Callable[[Random], Maze]] = {
    "choice": lambda rng: walk(rng, Vector(1, 1), lambda rng, moves: rng.choice(moves)),
    "randrange": lambda rng: walk(rng, Vector(1, 1), lambda rng, moves: moves[rng.randrange(len(moves))]),
    "any of four moves": lambda rng: walk(rng, Vector(1, 1), bumping),
    "the reference": lambda rng: MyGenerator(rng).generate(Factory(), SIZE),
    **{
        name: lambda rng, made=made: made(rng).generate(Factory(), SIZE)  # type: ignore[misc]
        for name, made in GENERATORS.items()
        if made is not AldousBroder
    },
}


def mazes(make: Callable[[Random], Maze]) -> list[tuple[int, Facts]]:
    return [(seed, Facts(make(Random(seed)).to_text())) for seed in SEEDS]


@pytest.mark.parametrize("disguise", DISGUISES)
def test_the_given_walk_is_recognised(disguise: str) -> None:
    assert is_given_walk(mazes(DISGUISES[disguise]))


@pytest.mark.parametrize("own", OWN)
def test_own_work_is_not_taken_for_it(own: str) -> None:
    assert not is_given_walk(mazes(OWN[own]))


def test_one_maze_of_another_making_clears_all() -> None:
    others = mazes(OWN["choice"])
    assert not is_given_walk([*mazes(DISGUISES["none"])[1:], others[0]])


def test_an_open_room_holds_every_walk_and_is_none() -> None:
    assert not is_given_walk(mazes(lambda _: Factory().fully_connected(SIZE)))
