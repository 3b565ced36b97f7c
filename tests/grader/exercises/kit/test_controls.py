"""The mazes of the controls: what they look like tells nothing of what is asked about them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from grader.exercises.kit.draw import FAMILIES
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.small_mazes import LEAST_WAY, SETS, sets_to_tell_apart, with_a_way
from grader.exercises.kit.solvers.cases import CONTROLS, SolverCases
from lab import Maze


def test_the_four_of_a_set_differ_in_kind_only() -> None:
    for texts in sets_to_tell_apart(seed=5):
        perfect, more, fewer, as_many = facts = [facts_of(text) for text in texts]
        assert len({(each.dimension, each.maze.entry, each.maze.exit) for each in facts}) == 1
        assert [each.is_perfect for each in facts] == [True, False, False, False]
        assert not more.islands
        assert not fewer.cycle
        assert as_many.cycle
        assert as_many.islands
        assert fewer.passage_count < perfect.passage_count == as_many.passage_count < more.passage_count


def test_odd_and_even_numbers_of_cells_are_as_frequent() -> None:
    parities = Counter(facts_of(texts[0]).dimension.position_count % 2 for texts in sets_to_tell_apart(5))
    assert parities == {0: SETS / 2, 1: SETS / 2}


def test_another_seed_draws_other_sets() -> None:
    assert not set(sets_to_tell_apart(5)) & set(sets_to_tell_apart(6))


@given(FAMILIES["no way"])
def test_a_way_is_made_without_touching_a_wall(maze: Maze) -> None:
    text = maze.to_text()
    found = with_a_way(text, Random(3))
    if found is not None:
        assert (facts_of(found).length or 0) >= LEAST_WAY
        assert facts_of(found).walls == Facts(text).walls


def test_where_all_ways_are_short_none_is_made() -> None:
    assert with_a_way("+-+-+\n|S|E|\n+-+-+", Random(3)) is None


@pytest.mark.parametrize("examples", [5, 60])
def test_few_drawn_mazes_make_as_many_controls_as_many_do(examples: int) -> None:
    controls = SolverCases(CaseBook(1, examples), "bfs").controls
    assert 0.75 * CONTROLS < len({case.facts.text for case in controls}) == len(controls) < 2 * CONTROLS
