"""What Python's exceptions mean, asked of those that the Python at hand raises."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import pytest

from grader.grading.explain.exceptions import explain_exception
from tests.grader.words import english

GIVEN = """
import heapq, random
from collections import deque
from lab import EAST, Vector
from reference.solvers.search import Search
cell, cells, known, waiting = Vector(1, 2), [Vector(1, 2)], {}, deque()
class Node: ...
def visit(number): return visit(number + 1)
def count():
    total += 1
"""


def fault_of(code: str) -> Mapping[str, Any]:
    """What comes when the code is run."""
    names: dict[str, object] = {}
    exec(GIVEN, names)  # noqa: S102 - the code of this test
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which one is asked of the hint
        exec(code, names)  # noqa: S102
    return {"kind": type(caught.value).__name__, "message": str(caught.value)}


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("known[None]", "is asked for None"),
        ("known[cell]", "nothing for this cell"),
        ("known[(1, 2)]", "nothing for this cell"),
        ("[].pop()", "nothing is left"),
        ("waiting.popleft()", "nothing is left"),
        ("set().pop()", "nothing is left"),
        ("heapq.heappop([])", "nothing is left"),
        ("cells[1]", "count from 0"),
        ("cells[1] = cell", "count from 0"),
        ("random.choice([])", "nothing to choose from"),
        ("random.randrange(1, 1)", "nothing to choose from"),
        ("min([])", "nothing to choose from"),
        ("max([])", "nothing to choose from"),
        ("None.row", "value here is None"),
        ("[None][0][0]", "value here is None"),
        ("for each in None: ...", "value here is None"),
        ("one, other = None", "value here is None"),
        ("cell + None", "value here is None"),
        ("1 in None", "value here is None"),
        ("0 < None", "value here is None"),
        ("for each in cells.copy: ...", "parentheses of its call"),
        ("cells.copy[0]", "parentheses of its call"),
        ("for each in Search().moves_to: ...", "parentheses of its call"),
        ("Search().known_cells + visit", "parentheses of its call"),
        ("Search().first_pending + EAST", "parentheses of its call"),
        ("Search().last_pending.row", "parentheses of its call"),
        ("cell()", "is a value (Vector)"),
        ("cells(0)", "is a value (list)"),
        ("{cells}", "A list can be neither"),
        ("known[[1, 2]] = 1", "A list can be neither"),
        ("count()", "belongs to that function alone"),
        ("visit(1)", "call within call"),
        ("known[cell] = 1\nfor each in known: known[None] = 1", "changed meanwhile"),
        ("cells + cell", "only another list"),
        ("cells.add(cell)", "A list has no add"),
        ("waiting.push(cell)", "A collections.deque has no push"),
        ("set().append(cell)", "A set has no append"),
        ("one, other = cells", "taken apart"),
        ("one, = cell", "taken apart"),
        ("one, other = 1", "taken apart"),
        ("[Node(), Node()].sort()", "compares the next ones, and a Node"),
        ("defaultdict(list)", "“from collections import defaultdict”"),
        ("math.inf", "“import math”"),
        ("record(cell)", "within a method it is self.record"),
        ("seen.add(cell)", "within a method it is self.seen"),
    ],
)
def test_an_exception_is_explained(code: str, hint: str) -> None:
    file = "class Search:\n def __init__(self): self.seen = sorted(set())\n def record(self): ..."
    told = explain_exception(fault_of(code), ast.parse(file))
    assert told is not None
    assert hint in english(told)


@pytest.mark.parametrize("code", ["raise ValueError('no such maze')", "1 / 0", "known['key']", "undefined"])
def test_of_others_nothing_is_said(code: str) -> None:
    assert explain_exception(fault_of(code), ast.parse("")) is None


def test_entries_are_compared_only_where_something_is_sorted() -> None:
    assert explain_exception(fault_of("Node() < Node()"), ast.parse("")) is None
