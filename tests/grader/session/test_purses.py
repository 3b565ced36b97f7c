"""Purses: what one exercise spends is never another's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.session.submission_limits import LEAST_SHARE, Purses, shares_of

FILES = "abcdefghijklmnopqrst"
PLANNED = st.lists(st.integers(0, 2000), min_size=1, max_size=len(FILES)).map(
    lambda counts: dict(zip(FILES, counts, strict=False))
)
SPENDING = st.lists(st.tuples(st.sampled_from(FILES), st.floats(0, 400), st.booleans()), max_size=30)


@given(PLANNED)
def test_all_of_the_time_is_shared_out_and_nobody_gets_less_than_a_fifteenth(calls: dict[str, int]) -> None:
    shares = shares_of(calls)
    assert sum(shares.values()) == pytest.approx(1)
    assert min(shares.values()) >= min(LEAST_SHARE, 1 / len(calls)) - 1e-9
    assert (
        sorted(calls, key=lambda file: (calls[file], file))
        == sorted(shares, key=lambda file: (shares[file], file))
        or len(calls) >= 1 / LEAST_SHARE
    )


@given(PLANNED, SPENDING)
def test_nobody_spends_what_is_anothers(
    calls: dict[str, int], spending: list[tuple[str, float, bool]]
) -> None:
    shares, closed = shares_of(calls), set()
    purses = Purses(300, shares)
    spent = dict.fromkeys(calls, 0.0)
    for file, seconds, is_done in spending:
        if file in calls and file not in closed:
            purses.spend(file, seconds)
            spent[file] += seconds
            if is_done:
                purses.close(file)
                closed.add(file)
        for other in calls.keys() - closed:
            assert purses.left(other) >= 300 * shares[other] - spent[other] - 1e-6
    assert max(map(purses.left, calls)) <= 300 + 1e-6


def test_what_is_left_over_goes_to_those_that_come_after() -> None:
    purses = Purses(300, {"a": 0.5, "b": 0.25, "c": 0.25})
    purses.spend("a", 50)
    assert purses.left("b") == 75
    purses.close("a")
    assert purses.left("b") == purses.left("c") == 175
    purses.spend("b", 170)
    assert (purses.left("b"), purses.left("c")) == (5, 80)


def test_a_file_of_no_plan_may_take_all() -> None:
    assert Purses(300, {}).left("a") == 300
