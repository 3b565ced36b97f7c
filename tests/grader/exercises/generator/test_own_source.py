"""A copy of AldousBroder is known by its source, however it is disguised, and own work is no copy."""

from __future__ import annotations

import ast
import inspect
from base64 import b64encode
from collections.abc import Mapping
from time import process_time

import pytest

from grader.exercises.generator.own_source import COPIED_SHARE, Origin, _given, origin_of
from grader.exercises.generator.source_shape import Function, shape_of
from grader.model import Target
from lab.generators import AldousBroder, aldous_broder
from reference.generators.registry import GENERATORS
from tests.submissions.loader import cases

FILE = "generators/my_generator.py"
TARGET = Target(FILE, "MyGenerator")
GIVEN = inspect.getsource(aldous_broder)
COPY = GIVEN.replace("class AldousBroder", "class Copy")
WALK = """
from lab import Generator
class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        cell = dimension.random_position(self.rng)
        seen = {cell}
        while len(seen) < dimension.position_count:
            moves = maze.moves_at(cell)
            move = MOVE
            if cell + move not in seen:
                maze.break_wall(cell, move)
                seen.add(cell + move)
            cell = cell + move
        return maze
"""
NESTED = """
from lab import Generator
class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze, cell = factory.fully_disconnected(dimension), dimension.random_position(self.rng)
        seen = [cell]
        def step():
            nonlocal cell
            moves, number = maze.moves_at(cell), self.rng.random()
            move = moves[int(number * len(moves))]
            before, cell = cell, cell + move
            if cell in seen:
                return
            maze.break_wall(before, move)
            seen.append(cell)
        while True:
            step()
            if len(seen) >= dimension.position_count:
                break
        return maze
"""
OWN = "class MyGenerator:\n    def generate(self, factory, dimension): pass\n"


def origin(files: Mapping[str, str]) -> Origin:
    return origin_of({path: ast.parse(text) for path, text in files.items()}, TARGET)


@pytest.mark.parametrize(
    "files",
    [
        {FILE: GIVEN.replace("AldousBroder", "MyGenerator")},
        {FILE: COPY + "class MyGenerator(Copy): pass"},
        {FILE: COPY + "MyGenerator = Copy"},
        {FILE: COPY + OWN + "MyGenerator.generate = Copy.generate"},
        {FILE: "from .walker import Copy as C\nclass MyGenerator(C): pass", "generators/walker.py": COPY},
        {FILE: COPY + "class MyGenerator(globals()['Co' + 'py']): pass"},
        {FILE: WALK.replace("MOVE", "moves[int(self.rng.random() * len(moves))]")},
        {FILE: WALK.replace("MOVE", "moves[int(self.rng.random() ** 1.01 * len(moves))]")},
        {FILE: WALK.replace("MOVE", "moves[int((self.rng.random(), self.rng.random())[1] * len(moves))]")},
        {FILE: WALK.replace("MOVE", "(draw := self.rng.random) and moves[int(draw() * len(moves))]")},
        {FILE: NESTED},
        {FILE: f"names = {{}}\nexec({NESTED!r}, names)\nMyGenerator = names['MyGenerator']"},
    ],
)
def test_copies_are_known(files: dict[str, str]) -> None:
    assert origin(files) is Origin.COPIED


@pytest.mark.parametrize(
    "move",
    [
        "self.rng.choice(moves)",
        "self.rng.choices(moves)[0]",
        "self.rng.sample(moves, 1)[0]",
        "moves[self.rng.randrange(len(moves))]",
        "moves[self.rng.randint(0, len(moves) - 1)]",
    ],
)
def test_a_walk_with_a_choice_of_ones_own_is_own_work(move: str) -> None:
    assert origin({FILE: WALK.replace("MOVE", move)}) is Origin.OWN


@pytest.mark.parametrize(
    "files",
    [
        {FILE: OWN, "generators/walker.py": COPY},
        {FILE: COPY + OWN},
        {FILE: COPY + OWN + "if __name__ == '__main__':\n    print(Copy(1).generate(2, 3))"},
        {FILE: COPY + OWN + "def compare():\n    maze = Copy(1).generate(2, 3)\n    return maze"},
    ],
)
def test_a_copy_that_nothing_comes_to_is_no_hand_in(files: dict[str, str]) -> None:
    assert origin(files) is Origin.OWN


@pytest.mark.parametrize("name", [name for name, made in GENERATORS.items() if made is not AldousBroder])
def test_no_other_algorithm_is_near(name: str) -> None:
    tree = ast.parse(inspect.getsource(inspect.getmodule(GENERATORS[name])))  # type: ignore[arg-type]
    given, words = _given()
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    assert len(given & shape_of(functions, words)) < (COPIED_SHARE - 0.1) * len(given)


def test_every_right_generator_of_the_corpus_is_own_work() -> None:
    for case in cases():
        files = case.files()
        if case.kind == "right" and FILE in files:
            trees = {path: _parsed(content) for path, content in files.items() if path.endswith(".py")}
            assert origin_of(trees, TARGET) is Origin.OWN, case.name


def _parsed(content: bytes) -> ast.Module | None:
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError):
        return None


def test_where_other_code_may_run_nothing_is_seen() -> None:
    assert origin({FILE: f"{OWN}exec(input())"}) is Origin.UNSEEN
    assert origin_of({FILE: None}, TARGET) is Origin.UNSEEN
    assert origin({}) is Origin.UNSEEN


def test_source_that_is_made_to_take_long_ends_soon() -> None:
    begun = process_time()
    assert origin({FILE: f"{OWN}if a: pass\n" + "elif a: pass\n" * 2000}) in (Origin.OWN, Origin.UNSEEN)
    more = OWN.replace("pass", "\n        while x:\n")
    assert origin({FILE: more + "            x = x + x\n" * 3000}) is Origin.OWN
    leaves, calls = "            if x in x: continue\n" * 1000, "            x = f(x)\n" * 1000
    assert origin({FILE: more + leaves + calls}) is Origin.OWN
    text = b64encode(b"while x: pass\n" * 500)
    assert origin({FILE: f"{OWN}exec({[text] * 100})"}) is Origin.UNSEEN
    assert process_time() - begun < 20
