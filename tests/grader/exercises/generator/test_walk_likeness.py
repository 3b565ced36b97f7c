"""A random walk is known by the walls that it opens, however it is spelt, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from grader.exercises.generator.given_walk import Opening, walks_alike
from grader.shipped import bank
from grader.verification.bank import submissions_in
from lab import Dimension, Factory, Generator, Maze, Vector
from lab.generators import AldousBroder
from reference.generators.registry import GENERATORS
from tests.submissions.loader import FILES

SIZE = Dimension(5, 5)
SEEDS = range(20)
LEFTOVER = "generator-imports-what-it-does-not-use"
"""It cannot be loaded without what passes leftovers over."""
FILE = FILES["generator"]
RIGHT = {
    name: files[FILE]
    for name, files in submissions_in(bank() / "right", FILE).items()
    if name.startswith("generator-") and [*files] == [FILE] and name != LEFTOVER
}

WALK = """
from lab import Generator
class MyGenerator(Generator):
    def generate(self, factory, dimension):
        random, rng = self.rng.random, self.rng
        maze = factory.fully_disconnected(dimension)
        position = dimension.random_position(self.rng)
        seen = START
        while len(seen) < dimension.position_count:
            moves = maze.moves_at(position)
            move = MOVE
            neighbour = position + move
            if NEW:
                maze.break_wall(position, move)
                ADD
            position = neighbour
        return maze
"""
SPELT = [
    {"ADD": "seen |= {neighbour}"},
    {"MOVE": "rng.choice(moves)"},
    {"MOVE": "moves[rng.randrange(len(moves))]"},
    {"START": "{position: True}", "ADD": "seen[neighbour] = True"},
    {"NEW": "seen.isdisjoint((neighbour,))"},
    {"MOVE": "moves[int(random() * 12) % len(moves)]"},
    {"MOVE": "(random(), moves[int(random() * len(moves))])[1]"},
    {"while len(seen) < dimension.position_count": "for _ in iter(lambda: len(seen) < 25, False)"},
]
USUAL = {
    "START": "{position}",
    "MOVE": "moves[int(random() * len(moves))]",
    "NEW": "neighbour not in seen",
    "ADD": "seen.add(neighbour)",
}


class Noting(Factory):
    """Makes mazes that note the walls that are opened."""

    def __init__(self, noted: list[Opening]) -> None:
        self.noted = noted

    def fully_disconnected(self, dimension: Dimension) -> Maze:
        noted = self.noted

        class Noted(Maze):
            def break_wall(self, position: tuple[int, int], direction: tuple[int, int]) -> None:
                super().break_wall(position, direction)
                noted.append((Vector(*position), Vector(*position) + direction))

        return Noted.from_text(super().fully_disconnected(dimension).to_text())


def openings(made: type[Generator]) -> Iterator[list[Opening]]:
    for seed in SEEDS:
        noted: list[Opening] = []
        made(Random(seed)).generate(Noting(noted), SIZE)
        yield noted[:24]


def is_walk(made: type[Generator]) -> bool:
    return walks_alike(SIZE, list(openings(made)))


@pytest.mark.parametrize("spelt", SPELT)
def test_the_walk_is_known_in_all_spellings(spelt: dict[str, str]) -> None:
    source = WALK
    for word, code in (USUAL | spelt).items():
        source = source.replace(word, code)
    names: dict[str, type[Generator]] = {}
    exec(source, names)  # noqa: S102 - our own
    assert is_walk(names["MyGenerator"])


@pytest.mark.parametrize("name", GENERATORS)
def test_of_the_references_generators_only_the_given_one_walks(name: str) -> None:
    assert is_walk(GENERATORS[name]) is (GENERATORS[name] is AldousBroder)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", RIGHT)
def test_of_the_right_generators_of_the_bank_only_walks_walk(name: str) -> None:
    names: dict[str, type[Generator]] = {}
    exec(RIGHT[name], names)  # noqa: S102 - our own
    is_own_walk = name.startswith(("generator-own-walk", "generator-own-random-walk"))
    assert is_walk(names["MyGenerator"]) is is_own_walk


def test_claims_that_are_no_openings_are_no_walk() -> None:
    assert not walks_alike(SIZE, [])
    far = [(Vector(1, 1), Vector(9, 9))] * 24
    assert not walks_alike(SIZE, [far] * 20)
    assert not walks_alike(SIZE, [[(Vector(1, 1), Vector(1, 2))] * 24] * 20)
