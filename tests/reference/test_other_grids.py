"""Mazes on rings and on triangles are trees over cells that share sides."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from reference.other_grids import Outlines, draw, make, rings, sides, triangles, way

grids = st.one_of(st.integers(1, 9).map(rings), st.integers(2, 12).map(triangles))


@given(grids, st.integers(0, 2**32))
def test_one_way_leads_from_any_cell_to_any_other(outlines: Outlines, seed: int) -> None:
    passages = make(outlines, Random(seed))
    start, *_, end = outlines
    found = way(passages, start, end)
    assert len(passages) == len(outlines) - 1
    assert (found[0], found[-1], len({*found})) == (start, end, len(found))
    assert passages >= {frozenset(step) for step in pairwise(found)}


@given(st.integers(1, 9))
def test_each_side_within_the_outermost_ring_has_two_cells(count: int) -> None:
    found = sides(rings(count))
    outside = [cells for cells in found.values() if len(cells) == 1]
    assert {len(cells) for cells in found.values()} == {1, 2}
    assert {cell for (cell,) in outside} == {
        cell for cell in rings(count) if str(cell).startswith(f"({count}, ")
    }
    assert len({cell for (cell,) in outside}) == len(outside)  # of each, one side is outside


def test_a_triangle_of_three_rows_has_nine_cells_and_nine_outer_sides() -> None:
    found = sides(triangles(3))
    assert len({cell for cells in found.values() for cell in cells}) == 9
    assert sum(len(cells) == 1 for cells in found.values()) == 9


def test_a_picture_shows_the_walls_that_have_no_passage() -> None:
    outlines = triangles(2)
    passages = make(outlines, Random(1))
    root = ElementTree.fromstring(draw(outlines, passages, way(passages, (0, 0), (1, 2)), title="Four"))
    walls, dashed = (each.attrib["d"] for each in root.iter("{http://www.w3.org/2000/svg}path"))
    assert walls.count("M") == len(sides(outlines)) - len(passages)
    assert dashed.count("L") == 2
