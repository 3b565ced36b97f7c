"""A copy is known by its tree, whatever its names are; what is not where it is said to be is unseen."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap

import pytest

from grader.exercises.generator.kind import GIVEN
from grader.exercises.kit.trees import BEYOND, Compared, Copies, given_trees
from grader.model import Claim
from grader.model.claims import Ran
from lab.generators import AldousBroder

FILE = "generators/my_generator.py"
COPY = textwrap.dedent(inspect.getsource(AldousBroder.generate))


def compared(source: str, *ran: tuple[str, int, str], unseen: tuple[str, ...] = ()) -> Compared:
    copies = Copies(given_trees(GIVEN), lambda: {FILE: ast.parse(source)}, lambda work, _: work())
    return copies.among([Claim("c", "returned", ran=Ran(ran, unseen=unseen)), Claim("d", "returned")])


@pytest.mark.parametrize(
    "source",
    [
        COPY,
        re.sub(r"\b(position|seen|maze)\b(?! =:)", r"\1_1", COPY),
        COPY.replace("self", "this").replace("def generate", "def made"),
        "@staticmethod\n" + COPY.replace('"""', "'", 1).replace('"""', "'", 1),
        COPY.replace("seen = {", "seen: set[Vector] = {"),
        COPY.replace(": Factory", "").replace("-> Maze", "-> list[int]") + "# mine",
    ],
)
def test_a_copy_is_known_whatever_its_names_are(source: str) -> None:
    name = "made" if "def made" in source else "generate"
    assert compared(source, (FILE, 1, name)) == Compared((GIVEN,))


@pytest.mark.parametrize(
    "source",
    [
        COPY.replace("self.rng.random() * ", "self.rng.random() ** 1.01 * "),
        COPY.replace("moves[int(self.rng.random() * len(moves))]", "self.rng.choice(moves)"),
        COPY.replace("position + move", "move + position"),
        COPY.replace("break_wall", "build_wall"),
    ],
)
def test_what_does_another_thing_is_none(source: str) -> None:
    assert source != COPY
    assert compared(source, (FILE, 1, "generate")) == Compared()


def test_a_copy_that_did_not_run_is_no_hand_in() -> None:
    source = f"{COPY}def own():\n    pass\n"
    assert compared(source, (FILE, source.count("\n") - 1, "own")) == Compared()


def test_parts_of_functions_are_not_looked_for() -> None:
    assert compared(COPY, (FILE, 3, "<listcomp>")) == Compared()


def test_what_is_not_there_or_stands_in_no_file_was_not_compared() -> None:
    assert compared(COPY, (FILE, 2, "generate"), ("other.py", 1, "own")).unseen == (
        "generators/my_generator.py, generate",
        "other.py, own",
    )
    assert compared(COPY, unseen=("<module>",)).unseen == ("<module>",)


def test_what_takes_too_long_to_read_was_not_compared() -> None:
    copies = Copies(given_trees(GIVEN), dict, lambda *_: None)
    assert copies.among([Claim("c", "returned", ran=Ran(((FILE, 1, "f"),)))]) == Compared(unseen=(BEYOND,))
