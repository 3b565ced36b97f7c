"""Mazes of one's own: the same for the same name on every machine, with what they are named for."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import Maze
from lab.literals import MOST_CHARACTERS, read_literals
from lab.questions import MAZES, SOLVERS, answer_name, draw, first_name, name_key, page, why_name
from lab.texture import moves_into

NAMES = st.text(min_size=1, max_size=60).filter(lambda name: name_key(name) is not None)


def passages(maze: Maze) -> int:
    return sum(len(maze.valid_moves_at(cell)) for cell in maze.dimension.all_positions()) // 2


@given(NAMES)
def test_the_mazes_of_a_name(name: str) -> None:
    for kind, maze in draw(name).items():
        rows, columns = maze.dimension.row_count, maze.dimension.column_count
        assert {rows, columns} <= {4, 5, 6}
        assert maze.exit is not None
        assert maze.exit not in [maze.entry + move for move in maze.valid_moves_at(maze.entry)]
        assert len(moves_into(maze, maze.entry)) == rows * columns
        degrees = sorted(len(maze.valid_moves_at(cell)) for cell in maze.dimension.all_positions())
        if kind == "room":
            assert passages(maze) == 2 * rows * columns - rows - columns
        else:
            assert passages(maze) == rows * columns - 1
        if kind == "corridor":
            assert degrees == [1, 1, *[2] * (rows * columns - 2)]


def test_a_name_gives_these_mazes_for_ever() -> None:
    """What was handed out must not change: answers are worked out on it."""
    texts = "".join(maze.to_text() for maze in draw("Ada Lovelace").values())
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == "4c9a6dba89dc518f"


@pytest.mark.parametrize("other", ["ada lovelace", "  Ada   Lovelace ", "ADA LOVELACE", "Ａda Lovelace"])
def test_case_and_spaces_of_a_name_do_not_matter(other: str) -> None:
    assert draw(other) == draw("Ada Lovelace")


@pytest.mark.parametrize(
    "name", ["", "  ", "12", "a" * 61, "a\0b", "\u202eab", 7, None, ["Ada"], "a" * 10**6]
)
def test_what_is_no_name(name: object) -> None:
    assert name_key(name) is None


@given(NAMES)
def test_the_file_holds_the_name_the_mazes_and_no_answer(name: str) -> None:
    text = page(name)
    assert len(text) < MOST_CHARACTERS // 2  # which leaves room for answers
    literals = dict(read_literals(text))
    assert name_key(literals.pop("name")) == name_key(name)
    for maze in MAZES:
        drawn = literals.pop(maze)
        assert isinstance(drawn, str)
        assert Maze.from_text(drawn) == draw(name)[maze]
    answers = [answer_name(solver, maze) for maze in MAZES for solver in SOLVERS] + [*map(first_name, MAZES)]
    assert literals == {**{answer: [] for answer in answers}, **{why_name(maze): "" for maze in MAZES}}
