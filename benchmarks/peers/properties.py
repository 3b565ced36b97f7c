"""The properties of the peers' tests, drawn by Hypothesis: the same examples each time, none stored."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.peers.drawn import EXAMPLES, LARGEST, perfect, with_a_passage_less, with_a_passage_more
from lab import Dimension, Maze

DRAWN = st.tuples(st.builds(Dimension, *[st.integers(2, LARGEST)] * 2), st.integers(0, 2**32 - 1))
PROPERTIES = {
    "perfect": (perfect, True),
    "a passage more": (with_a_passage_more, False),
    "a passage less": (with_a_passage_less, False),
}
"""By name: how a maze is made, and whether it is perfect."""


def hold(is_perfect: Callable[[Maze], object], name: str) -> None:
    """Try a property on all its examples. Raises AssertionError."""
    made, expected = PROPERTIES[name]

    @settings(max_examples=EXAMPLES, database=None, derandomize=True, deadline=None)
    @given(DRAWN)
    def try_one(drawn: tuple[Dimension, int]) -> None:
        maze = made(*drawn)
        assert is_perfect(maze) is expected, f"\n{maze}"  # noqa: S101 - it is what the peers look for

    try_one()
