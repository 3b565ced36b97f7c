import itertools
from random import Random

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.generators.random_tree import Pop, pop_first, pop_last, pop_random
from reference.three_dimensions import Cell, Tower, closed_tower, draw, is_perfect, make, solve

SIZES = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))


def graph_of(tower: Tower) -> "networkx.Graph[Cell]":
    graph: networkx.Graph[Cell] = networkx.Graph()
    graph.add_nodes_from(tower.cells())
    graph.add_edges_from((cell, other) for cell in tower.cells() for other in tower.neighbours(cell))
    return graph


@given(SIZES, st.integers(0, 999), st.sampled_from([pop_last, pop_first, pop_random]))
def test_what_is_made_is_perfect(size: tuple[int, int, int], seed: int, pop: Pop[Cell]) -> None:
    tower = make(*size, Random(seed), pop=pop)
    assert tower.size == size
    assert networkx.is_tree(graph_of(tower))
    assert is_perfect(tower)


@given(SIZES, st.integers(0, 999), st.integers(0, 12))
def test_the_check_agrees_with_networkx(size: tuple[int, int, int], seed: int, changes: int) -> None:
    rng = Random(seed)
    tower = make(*size, rng)
    for matrix in (tower.north_south, tower.west_east, tower.up_down):
        for row in (row for level in matrix for row in level):
            for place in range(len(row)):
                if rng.random() < changes / 100:
                    row[place] = not row[place]
    assert is_perfect(tower) == networkx.is_tree(graph_of(tower))


@given(SIZES, st.integers(0, 999))
def test_the_way_is_a_shortest_one(size: tuple[int, int, int], seed: int) -> None:
    tower = make(*size, Random(seed))
    way = solve(tower, Cell(1, 1, 1), tower.size)
    assert way is not None
    assert (way[0], way[-1]) == ((1, 1, 1), size)
    assert all(after in tower.neighbours(before) for before, after in itertools.pairwise(way))
    assert len(way) - 1 == networkx.shortest_path_length(graph_of(tower), way[0], way[-1])


def test_the_levels_are_drawn_one_below_the_other() -> None:
    tower = closed_tower(3, 1, 3)
    for cell, other in [
        (Cell(1, 1, 1), Cell(1, 1, 2)),
        (Cell(1, 1, 2), Cell(2, 1, 2)),
        (Cell(2, 1, 2), Cell(3, 1, 2)),
        (Cell(3, 1, 2), Cell(3, 1, 3)),
    ]:
        tower.open(cell, other)
    assert draw(tower) == (
        "Level 1\n+-+-+-+\n|  v| |\n+-+-+-+\n\n"
        "Level 2\n+-+-+-+\n| |x| |\n+-+-+-+\n\n"
        "Level 3\n+-+-+-+\n| |^  |\n+-+-+-+"
    )
    way = solve(tower, Cell(1, 1, 1), Cell(3, 1, 3)) or []
    assert draw(tower, way=way).replace("\n", "")[7:] == (
        "+-+-+-+|S.v| |+-+-+-+Level 2+-+-+-+| |x| |+-+-+-+Level 3+-+-+-+| |^.E|+-+-+-+"
    )


def test_wrong_sizes_and_doors_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one level, row and column, got 0, 1 and 1"):
        closed_tower(0, 1, 1)
    with pytest.raises(ValueError, match="two cells next to each other"):
        closed_tower(2, 2, 2).open(Cell(1, 1, 1), Cell(2, 2, 1))
