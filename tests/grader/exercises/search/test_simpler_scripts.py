"""Smaller scripts: fewer calls on cells near (1, 1), which a right Search answers all the same."""

from __future__ import annotations

from itertools import count, pairwise, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercises.search.long_scripts import MOST, extent, is_fair, moved, simpler
from grader.exercises.search.scripts import KINDS, Script, scripts

FAR = (
    (0, "mark_as_pending", ((7, 9),)),
    (0, "record", ((7, 9), (0, 1), (7, 10))),
    (0, "has_pending_cells", ()),
    (0, "distance_to", ((7, 10),)),
    (0, "first_pending", ()),
)


@given(st.sampled_from([*KINDS]).flatmap(scripts))
def test_every_script_that_is_drawn_is_fair(script: Script) -> None:
    assert is_fair(script)


@given(st.sampled_from([*KINDS]).flatmap(scripts), st.data())
def test_what_is_made_of_a_script_is_fair_and_no_larger(script: Script, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(script) - 1))
    for made in simpler(script, at):
        assert is_fair(made)
        assert made != script
        assert (len(made), extent(made)) <= (at + 1, extent(script))


@given(st.sampled_from([*KINDS]).flatmap(scripts))
def test_whatever_is_fair_without_some_calls_in_a_row_is_made(script: Script) -> None:
    sizes = [*takewhile(bool, (len(script) // 2**halved for halved in count(1)))]
    ends = [(at, min(at + size, len(script) - 1)) for size in sizes for at in range(0, len(script) - 1, size)]
    left = [script, *(script[:start] + script[end:] for start, end in ends)]
    fair = dict.fromkeys([script, *map(moved, filter(is_fair, left))][:MOST])
    assert simpler(script, len(script) - 1) == sorted([each for each in fair if each != script], key=len)


def test_the_calls_move_to_the_first_row_and_column() -> None:
    assert moved(FAR)[1] == (0, "record", ((1, 1), (0, 1), (1, 2)))
    assert extent(moved(FAR)) == 3
    assert moved((FAR[2],)) == (FAR[2],)


def test_of_the_calls_after_the_wrong_one_none_is_left_and_others_are_taken_out() -> None:
    made = simpler(FAR, 3)
    assert moved((*FAR[:2], FAR[3])) in made
    assert all(script[-1][1] == "distance_to" for script in made)


@pytest.mark.parametrize(
    ("script", "fair"),
    [
        (FAR, True),
        (FAR[1:], False),
        ((FAR[0], FAR[0]), False),
        ((FAR[3],), True),
        ((*FAR[:2], (0, "record", ((7, 10), (0, -1), (7, 9)))), True),
    ],
)
def test_a_script_is_fair_where_the_contract_says_what_comes(script: Script, fair: bool) -> None:
    assert is_fair(script) is fair


def test_a_cell_from_which_another_was_found_gets_no_shorter_way() -> None:
    way = [(1, 1), (2, 1), (2, 2), (1, 2), (1, 3)]
    pairs = list(pairwise(way))
    steps = [(0, "record", (one, (two[0] - one[0], two[1] - one[1]), two)) for one, two in pairs]
    shorter = (0, "record", ((1, 1), (0, 1), (1, 2)))
    start = (0, "mark_as_pending", ((1, 1),))
    assert is_fair((start, *steps[:3], shorter))
    assert not is_fair((start, *steps, shorter))
