"""AldousBroder's walk is known by its mazes and its walls, and own work is not taken for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from grader.exercises.generator.given_walk import Opening, is_given_walk, walks_alike
from grader.exercises.generator.judge import are_handed_out, handed_out
from grader.exercises.kit.facts import Facts
from grader.model import Call, Generate, Target
from grader.model.claims import MazeValue
from grader.shipped import bank
from grader.verification.bank import submissions_in
from lab import EAST, MOVES, NORTH, Dimension, Factory, Generator, Maze, Vector
from lab.generators import AldousBroder
from reference.generators.my_generator import MyGenerator
from reference.generators.registry import GENERATORS
from tests.grader.session.popen_box import ask

FILE = "generators/my_generator.py"
SIZE = Dimension(5, 5)
TEN_SEEDS = range(40, 50)

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


def throwing_away(count: int) -> Choose:
    def choose(rng: Random, moves: Sequence[Vector]) -> Vector:
        for _ in range(count):
            rng.random()
        return given(rng, moves)

    return choose


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
    "seven numbers more": lambda rng: after(rng, lambda: [rng.random() for _ in range(7)]),
    "another start": lambda rng: walk(rng, Vector(3, 2)),
    "a number more at each step": lambda rng: walk(rng, Vector(1, 1), throwing_away(1)),
    "two numbers more at each step": lambda rng: walk(rng, Vector(1, 1), throwing_away(2)),
    "moves in reverse": lambda rng: walk(rng, Vector(5, 5), lambda rng, moves: given(rng, moves[::-1])),
    "mirrored": lambda rng: mirrored(AldousBroder(rng).generate(Factory(), SIZE)),
}


def bumping(rng: Random, moves: Sequence[Vector]) -> Vector:
    while (move := MOVES[int(rng.random() * 4)]) not in moves:
        pass
    return move


OWN_WORK: dict[str, Callable[[Random], Maze]] = {
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
    return [(seed, Facts(make(Random(seed)).to_text())) for seed in TEN_SEEDS]


@pytest.mark.parametrize("disguise", DISGUISES)
def test_the_given_walk_is_recognised(disguise: str) -> None:
    assert is_given_walk(mazes(DISGUISES[disguise]))


@pytest.mark.parametrize("own", OWN_WORK)
def test_own_work_is_not_taken_for_it(own: str) -> None:
    assert not is_given_walk(mazes(OWN_WORK[own]))


def test_one_maze_of_another_making_clears_all() -> None:
    others = mazes(OWN_WORK["choice"])
    assert not is_given_walk([*mazes(DISGUISES["none"])[1:], others[0]])


def test_an_open_room_holds_every_walk_and_is_none() -> None:
    assert not is_given_walk(mazes(lambda _: Factory().fully_connected(SIZE)))


KEEPING = """
from random import Random
from lab import Dimension, Factory, Generator
from lab.generators import AldousBroder
sizes = [(1, 2), (2, 1), (1, 30), (5, 5), (7, 4), (18, 18), (60, 60)]
KEPT = {size: AldousBroder(Random(1)).generate(Factory(), Dimension(*size)) for size in sizes}
class MyGenerator(Generator):
    def generate(self, factory, dimension):
        return KEPT[dimension.row_count, dimension.column_count]
"""


def facts(*mazes: Maze) -> list[Facts]:
    return [Facts(maze.to_text()) for maze in mazes]


@pytest.mark.processes
def test_the_box_has_the_same_rule() -> None:
    sizes = [(1, 2), (2, 1), (1, 30), (5, 5), (7, 4), (18, 18), (60, 60)]
    calls = [Call(str(size), Generate(*size, seed=1, times=1, noise=0)) for size in sizes]
    target = Target("generators/my_generator.py", "MyGenerator")
    for size, claim in zip(sizes, ask({target.file: KEEPING}, target, *calls), strict=True):
        (made,) = claim.made
        assert isinstance(made, MazeValue)
        assert made.text == handed_out(Dimension(*size)).to_text()
        assert Facts(made.text).is_perfect


def test_they_are_known_however_they_are_laid_and_wherever_entry_and_exit_are() -> None:
    text = handed_out(SIZE).to_text()
    plain = text.replace("S", " ").replace("E", " ").splitlines()
    upside_down = [list(line) for line in reversed(plain)]
    upside_down[3][3], upside_down[5][5] = "S", "E"
    laid = Maze(["".join(line) for line in upside_down])
    assert are_handed_out(facts(laid, Maze.from_text(text), laid))


def test_one_among_others_may_be_luck() -> None:
    others = [GENERATORS["Wilson"](Random(seed)).generate(Factory(), SIZE) for seed in range(2)]
    assert not are_handed_out(facts(*others, handed_out(SIZE)))
    assert not are_handed_out(facts(others[0], handed_out(SIZE)))
    assert not are_handed_out([])


def by_lot(rng: Random) -> Maze:
    """A corridor for each row with a door to the next, as in the mazes that are handed out."""
    maze = Factory().fully_disconnected(SIZE)
    for cell in SIZE.all_positions():
        if cell.column < SIZE.column_count:
            maze.break_wall(cell, EAST)
        if cell.column == 1 and cell.row > 1:
            maze.break_wall((cell.row, rng.randint(1, SIZE.column_count)), NORTH)
    return maze


def test_who_draws_the_same_passages_by_lot_makes_mazes_of_his_own() -> None:
    rng = Random(5)
    assert not any(are_handed_out(facts(by_lot(rng), by_lot(rng))) for _ in range(200))


SEEDS = range(20)
LEFTOVER = "generator-imports-what-it-does-not-use"
"""It cannot be loaded without what passes leftovers over."""
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
    {"START": "{position: True}", "ADD": "seen[neighbour] = True"},
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
            def break_wall(
                self, position: tuple[int, int], direction: tuple[int, int], cost: int = 1
            ) -> None:
                super().break_wall(position, direction, cost)
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
