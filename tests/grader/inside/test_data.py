"""Plain data of any shape: what goes in comes out, and what is odd is described, whatever it does."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercises.kit.answers import DRAWN, describe_data, difference, is_same, shown
from grader.inside import values as inside
from grader.inside.wire import decode, encode
from grader.model.data import DataReader, Described, copied, data_of, told
from lab import Dimension, Factory, Maze, Vector

MAZE = Factory().fully_connected(Dimension(2, 3))
KEYS: Any = st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=5)
KEYS = KEYS | st.tuples(st.integers(1, 9), st.integers(1, 9)) | st.tuples(KEYS, KEYS, KEYS)
LEAVES: Any = (
    KEYS | st.floats(allow_nan=False) | st.just(MAZE) | st.just(Dimension(3, 4)) | st.just(Vector(1, 2))
)
VALUES: Any = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.frozensets(KEYS, max_size=4)
    ),
    max_leaves=12,
)


def across(value: Any) -> Any:
    """A value as it comes out of a box, over the wire and all."""
    sent = encode({"value": inside.data(value)})
    return DataReader().read(decode(sent, cap=1 << 22)["value"])


@given(VALUES)
def test_what_comes_out_of_a_box_is_what_went_in(value: Any) -> None:
    came = across(value)
    assert difference(value, came) is None
    assert difference(came, value) is None
    describe_data(came)
    json.dumps(shown(came, "anything"), default=str)


@given(VALUES)
def test_arguments_are_made_in_the_box_as_they_were_drawn(value: Any) -> None:
    assert difference(value, inside.made(json.loads(json.dumps(told(value))))) is None
    assert difference(value, data_of(told(value))) is None


@given(VALUES)
def test_a_copy_is_equal_and_shares_nothing_that_can_be_changed(value: Any) -> None:
    assert difference(value, copied(value)) is None
    assert changeable(value).isdisjoint(changeable(copied(value)))


def changeable(value: Any) -> set[int]:
    """The parts of a value that can be changed."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    own = {id(value)} if isinstance(value, (list, dict, Maze)) else set()
    return own.union(*map(changeable, parts))


LISTS: Any = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3), max_leaves=6)


@given(LISTS, LISTS)
def test_a_difference_is_found_from_both_sides(one: Any, other: Any) -> None:
    assert (difference(one, other) is None) == (difference(other, one) is None)


@given(LISTS, LISTS)
def test_what_is_the_same_cannot_be_told_apart(one: Any, other: Any) -> None:
    assert not is_same(one, other) or (repr(one) == repr(other) and difference(one, other) is None)


@pytest.mark.parametrize(
    ("one", "other"), [([1], [True]), ([1], (1,)), ({1: 2}, {True: 2}), (Vector(1, 2), (1, 2)), ([1], [1, 1])]
)
def test_what_is_equal_may_be_of_other_types(one: Any, other: Any) -> None:
    assert not is_same(one, other)
    assert is_same(one, copied(one))


def test_a_list_of_cells_counts_where_a_set_of_them_is_right() -> None:
    cells = frozenset({Vector(1, 1), Vector(1, 2)})
    assert difference(cells, [(1, 2), (1, 1)]) == ()  # plain tuples come out of a box as vectors
    assert difference(cells, [Vector(1, 2), Vector(1, 1)]) is None
    assert difference(cells, [Vector(1, 2), Vector(1, 1), Vector(1, 1)]) == ()
    assert difference([*cells], cells) == ()


class Evil(list[int]):
    def __iter__(self) -> Iterator[int]:
        raise RuntimeError

    def __len__(self) -> int:
        return 10**9


class Odd:
    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __repr__
    __class__ = property(lambda _: list)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Evil([1, 2]), [1, 2]),
        (defaultdict(list, {1: [2]}), {1: [2]}),
        (MappingProxyType({1: 2}), (1,)),
        ({1: 2}.items(), (Vector(1, 2),)),
        ("\ud800", "\\ud800"),
        ({(10**7, 1): 3}, {Described("tuple", "(10000000, 1)"): 3}),
    ],
)
def test_what_is_derived_counts_as_what_it_is_derived_from(value: Any, expected: Any) -> None:
    assert across(value) == expected


def nested(depth: int) -> Any:
    value: Any = {"a": 1}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    "value", [Odd(), object(), lambda: 1, (n for n in [1]), 2**60, b"bytes", range(3), 3j, Odd, json]
)
def test_what_is_no_plain_data_is_described(value: Any) -> None:
    assert isinstance(across(value), Described)
    assert isinstance(across([value])[0], Described)


def test_what_is_too_large_or_too_deep_is_described() -> None:
    circle: list[Any] = []
    circle.append(circle)
    assert "Described" in repr(across(circle))
    many: list[Any] = [1]
    for _ in range(7):
        many = [many] * 20
    assert isinstance(across(many), Described)


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        ({n: n for n in range(50_000)}, {n: n for n in range(50_001)}),
        (frozenset(range(50_000)), frozenset(range(50_001))),
        (2**53 - 1, 2**53),
        (Factory().fully_connected(Dimension(157, 157)), Factory().fully_connected(Dimension(160, 160))),
        (nested(7), nested(8)),
    ],
    ids=["keys", "elements", "number", "maze", "nesting"],
)  # fmt: skip
def test_what_a_box_describes_is_no_answer_of_the_graders_own(within: Any, beyond: Any) -> None:
    assert difference(within, across(within)) is None
    assert difference(within, data_of(told(within))) is None
    assert "Described" in repr(across(beyond))
    with pytest.raises(TypeError):
        told(beyond)


@pytest.mark.parametrize(
    "odd",
    [
        {"x": 1}, {}, {"v": [1]}, {"v": [1, "2"]}, {"v": [1, 2, 3]}, {"d": [[1]]}, {"d": [[[1], 2]]},
        {"s": [[1]]}, {"s": [{"v": [2**21, 1]}]}, {"z": [0, 1]}, {"m": 3}, {"o": ["a", "x" * 5000]},
        {"d": [[1, 2]] * 60_000}, {"v": [1, 2], "t": []},
    ],
)  # fmt: skip
def test_another_form_is_refused(odd: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        DataReader().read(odd)


def of_one_hash(count: int) -> list[tuple[int, int, int]]:
    """Triples that share one hash: the last number of each is solved for."""
    whole, first, second = 2**64 - 1, 11400714785074694791, 14029467366897019727

    def after(lanes: tuple[int, ...]) -> int:
        state = 2870177450012600261
        for lane in lanes:
            state = (state + lane * second) & whole
            state = ((state << 31 | state >> 33) & whole) * first & whole
        return state

    back, found, number = pow(second, -1, 2**64), list[tuple[int, int, int]](), 0
    while len(found) < count:
        number += 1
        last = (12345 - after((7, number))) * back & whole
        if last < 2**53 - 1:
            found.append((7, number, last))
    return found


def test_keys_that_share_a_hash_are_refused() -> None:
    triples = of_one_hash(250)
    assert len({*map(hash, triples)}) == 1
    told_keys = [{"t": [*triple]} for triple in triples]
    for crowded in ({"s": told_keys}, {"d": [[key, 1] for key in told_keys]}):
        with pytest.raises(ValueError, match="plain data"):
            DataReader().read(crowded)
    assert len(DataReader().read({"s": told_keys[:100]})) == 100  # type: ignore[arg-type]
    assert DataReader().read({"s": [{"o": ["Cell", "an object"]}] * 1_000}) == {
        Described("Cell", "an object")
    }


def test_no_more_is_drawn_than_a_maze_has_cells() -> None:
    assert len(shown([Vector(0, 1)] * 50_000, "moves")["moves"]) == DRAWN  # type: ignore[arg-type]
    assert len(shown([Vector(1, 1)] * 50_000, "cells")["visits"]) == DRAWN  # type: ignore[arg-type]
