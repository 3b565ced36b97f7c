"""Small mazes: all that say something of their own, of each kind, the smallest first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercises.kit.draw import FAMILIES
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.library import HAS
from grader.exercises.kit.small_mazes import IS, read, shape_of, simpler, small_mazes


def size(text: str) -> int:
    return facts_of(text).dimension.position_count


@pytest.mark.parametrize("kind", HAS)
def test_small_mazes_are_of_their_kind_each_comes_once_and_the_smallest_first(kind: str) -> None:
    texts = small_mazes(kind)
    assert all(HAS[kind](text) for text in texts[::7])
    assert len(set(texts)) == len(texts)
    sizes = [len(read(text).cells) for text in texts]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("kind", "cells", "count"),
    [
        ("way", 2, 4),  # both dimensions, each way round
        ("way", 6, 2 * 30 + 2 * 15 * 30),  # two corridors, fifteen trees of 2 x 3 as of 3 x 2
        ("cycles", 4, 12),
        ("cycles", 6, 2 * 8 * 30),
        ("perfect", 4, 3 * (2 + 4)),
        ("missing passage", 3, 3 * 2 * 3),
        ("extra passage", 4, 3),
        ("no way", 2, 2 * 6),
    ],
)
def test_up_to_six_cells_none_is_missing(kind: str, cells: int, count: int) -> None:
    assert sum(len(read(text).cells) == cells for text in small_mazes(kind)) == count


@given(st.sampled_from([*HAS]).flatmap(lambda kind: st.tuples(st.just(kind), FAMILIES[
    kind if kind in FAMILIES else "cycles"])))  # fmt: skip
def test_a_grid_is_the_maze_that_it_was_read_from(drawn: tuple[str, object]) -> None:
    kind, maze = drawn
    text = maze.to_text()  # type: ignore[attr-defined]
    assert read(text).text() == text
    assert IS[kind](shape_of(read(text))) == HAS[kind](text)


@given(st.sampled_from([*FAMILIES]).flatmap(lambda kind: st.tuples(st.just(kind), FAMILIES[kind])))
def test_what_is_made_of_a_maze_is_smaller_and_of_the_same_kind(drawn: tuple[str, object]) -> None:
    kind, maze = drawn
    kind = kind if kind in HAS else "reachable"
    text = maze.to_text()  # type: ignore[attr-defined]
    made = list(simpler(text, kind))
    assert all(HAS[kind](less) and size(less) < size(text) for less in made)
    assert [size(less) for less in made] == sorted(map(size, made))
    assert len(set(made)) == len(made)


def test_a_row_that_is_taken_out_leaves_what_it_joined_joined() -> None:
    shaft = "+-+\n|S|\n+ +\n| |\n+ +\n|E|\n+-+"
    assert list(simpler(shaft, "way")) == ["+-+\n|S|\n+ +\n|E|\n+-+"]
    assert list(simpler("+-+-+\n|S E|\n+-+-+", "way")) == []
