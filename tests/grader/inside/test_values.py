"""What comes back is turned into plain data by real type; nothing of the student's runs on the way."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from enum import IntEnum
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.inside.values import MAX_MAZE, MAX_VECTORS, describe, iterated, plain
from grader.session.connection import MAX_COORDINATE, MAX_NUMBER, decode, encode
from lab import EAST, NORTH, Dimension, Factory, Maze, Vector
from lab.watch import Watch, WatchedMaze

ROOM = Factory().fully_connected(Dimension(2, 2))


class Trap:
    """Every method that could be called by accident fails the test."""

    def _trap(self, *arguments: object) -> Any:
        raise AssertionError("a student's method was called")

    __eq__ = __repr__ = __str__ = __len__ = __iter__ = __bool__ = __getattr__ = __format__ = _trap
    __hash__ = __index__ = __int__ = __lt__ = __getitem__ = __contains__ = __instancecheck__ = _trap


class TrapList(list):  # type: ignore[type-arg]
    __len__ = __iter__ = __getitem__ = __repr__ = __eq__ = Trap._trap


class TrapTuple(tuple):  # type: ignore[type-arg]
    __len__ = __iter__ = __getitem__ = __repr__ = __eq__ = __hash__ = Trap._trap


class TrapInt(int):
    __index__ = __repr__ = __eq__ = __lt__ = __gt__ = __hash__ = Trap._trap


class Liar:
    __class__ = list  # type: ignore[assignment]


class Meta(type):
    __name__ = property(Trap._trap)
    __mro__ = property(Trap._trap)
    __instancecheck__ = __eq__ = __hash__ = Trap._trap


class WithMeta(metaclass=Meta):
    pass


class MazeOfTheirOwn(Maze):
    def to_text(self) -> str:
        raise AssertionError("a student's method was called")


class Place(Vector):
    __eq__ = __hash__ = __iter__ = __getitem__ = __len__ = Trap._trap


class TrapDict(dict):  # type: ignore[type-arg]
    __len__ = __iter__ = __getitem__ = __repr__ = __eq__ = keys = items = Trap._trap


class Row(IntEnum):
    SAME = 0
    NEXT = 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, {"type": "none"}),
        (True, {"type": "bool", "value": True}),
        (NORTH, {"type": "vector", "value": [-1, 0]}),
        ((), {"type": "vectors", "value": [], "container": "tuple"}),
        ([EAST, (1, 0)], {"type": "vectors", "value": [[0, 1], [1, 0]], "container": "list"}),
        (deque([EAST]), {"type": "vectors", "value": [[0, 1]], "container": "deque"}),
        ({(1, 1): 3}.keys(), {"type": "vectors", "value": [[1, 1]], "container": "dict_keys"}),
        (TrapTuple((1, 2)), {"type": "vector", "value": [1, 2]}),
        (TrapInt(3), {"type": "int", "value": 3}),
        (TrapList([EAST, Place(1, 0)]), {"type": "vectors", "value": [[0, 1], [1, 0]], "container": "list"}),
        ([(TrapInt(1), Row.SAME)], {"type": "vectors", "value": [[1, 0]], "container": "list"}),
        (ROOM, {"type": "maze", "value": ROOM.to_text()}),
        (WatchedMaze.of(ROOM, Watch()), {"type": "maze", "value": ROOM.to_text()}),
        (MazeOfTheirOwn.from_text(ROOM.to_text()), {"type": "maze", "value": ROOM.to_text()}),
    ],
    ids=lambda part: describe(part),
)
def test_what_is_plain(value: object, expected: object) -> None:
    assert plain(value) == expected


@pytest.mark.parametrize(
    "cells", [{1: EAST}.values(), OrderedDict({1: EAST}).values(), OrderedDict({EAST: 1}).keys()]
)
def test_views_of_dicts_are_read(cells: object) -> None:
    told = plain(cells)
    assert (told["type"], told["value"], told["container"]) == ("vectors", [[0, 1]], type(cells).__name__)


def test_a_dict_is_iterated_over_its_keys_without_a_method_of_the_students() -> None:
    moved = OrderedDict({(1, 1): 3, (1, 2): 4})
    moved.move_to_end((1, 1))
    assert iterated(moved) == ((1, 2), (1, 1))
    assert iterated({(1, 2): 1, (1, 1): 0}) == ((1, 2), (1, 1))
    for cells in (TrapDict({(1, 1): 3}), defaultdict(int, {(1, 1): 3})):
        assert iterated(cells) == iterated(MappingProxyType(cells)) == ((1, 1),)
    for value in (None, Trap(), [EAST], {EAST}, {EAST: 1}.keys(), int, Liar()):
        assert iterated(value) is value


@pytest.mark.parametrize(
    ("value", "name", "text"),
    [
        ("north", "str", "'north'"),
        (10**10_000, "int", "a whole number of 33220 bits"),
        ((value for value in [1]), "generator", "a generator (a function with yield)"),
        (Trap(), "Trap", "an object of the class Trap"),
        (TrapInt(MAX_NUMBER), "TrapInt", "an object of the class TrapInt"),
        (WithMeta(), "WithMeta", "an object of the class WithMeta"),
        (WithMeta, "Meta", "an object of the class Meta"),
    ],
    ids=lambda part: describe(part),
)
def test_what_is_something_else(value: object, name: str, text: str) -> None:
    assert plain(value) == {"type": "other", "class": name, "text": text}


@pytest.mark.parametrize(
    ("value", "index", "element"),
    [
        ((1, MAX_COORDINATE), 0, {"class": "int", "text": "1"}),
        ([(1, -MAX_COORDINATE)], 0, {"class": "tuple", "text": f"(1, {-MAX_COORDINATE})"}),
        ([EAST, "N"], 1, {"class": "str", "text": "'N'"}),
        (TrapList([EAST, TrapTuple((1,))]), 1, {"class": "TrapTuple", "text": "(1,)"}),
        (Vector(1, "x"), 0, {"class": "int", "text": "1"}),  # type: ignore[arg-type]
        ([(TrapInt(MAX_NUMBER), 2)], 0, {"class": "tuple", "text": "(an object of the class TrapInt, 2)"}),
    ],
    ids=lambda part: describe(part),
)
def test_a_container_with_something_else_in_it(value: object, index: int, element: object) -> None:
    told = plain(value)
    assert told["type"] == "other"
    assert (told["index"], told["element"]) == (index, element)


def test_lists_that_hold_themselves_or_are_longer_than_any_way() -> None:
    endless: list[object] = []
    endless.append(endless)
    assert plain(endless)["text"] == "[[[...]]]"
    assert plain([EAST] * (MAX_VECTORS + 1))["text"].endswith(f"... {MAX_VECTORS + 1} in all]")


def test_a_maze_whose_inside_was_changed_or_that_is_too_large() -> None:
    broken = ROOM.copy()
    broken._entry = (7, 7)  # type: ignore[assignment]
    assert plain(broken)["type"] == "other"
    del broken._entry
    assert plain(broken)["text"].startswith("a maze whose inside was changed")
    told = plain(Factory().fully_connected(Dimension(160, 160)))
    assert told["text"] == f"a maze of {321 * 322 - 1} characters, far too large"
    assert len(Factory().fully_connected(Dimension(120, 120)).to_text()) < MAX_MAZE


anything: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.builds(Trap),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.integers() | st.text(), inner, max_size=3)
        | st.builds(deque, st.lists(inner, max_size=3))
    ),
    max_leaves=20,
)


@given(anything)
def test_every_value_can_be_sent(value: object) -> None:
    told = plain(value)
    assert decode(encode(told), cap=10_000_000) == told
    assert len(told.get("text", "")) <= 200
