"""What Python's exceptions mean, asked of those that the Python at hand raises."""

from __future__ import annotations

import pytest

from lab.commands.slips import sentences
from lab.exceptions import PythonError, explain
from lab.slips import FileText
from lab.suggestion import suggested, suggestion

GIVEN = """
import heapq, random
from collections import deque
from dataclasses import dataclass
from lab import EAST, NORTH, Dimension, Factory, Maze, Vector
from reference.solvers.search import Search
cell, cells, known, waiting = Vector(1, 2), [Vector(1, 2)], {}, deque()
maze, wide = Maze.from_text("+-+\\n|S|\\n+-+"), Factory().fully_connected(Dimension(2, 3))
class Node:
    def without(): ...
@dataclass
class Sized:
    size: int
class Larger(Sized): ...
class Named:
    def __eq__(self, other): return True
def visit(number): return visit(number + 1)
def count():
    total += 1
"""
FILE = """
class Search:
    passed = 0
    def __init__(self): self.seen = sorted(set())
    def record(self): ...
class Node:
    def without(): ...


@dataclass
class Sized:
    size: int
class Larger(Sized): ...

class Named:
    def __eq__(self, other): ...
"""


def told(code: str, file: str = FILE) -> str:
    """What is told of the exception that comes when the code is run; it stands at the end of the file."""
    names: dict[str, object] = {}
    exec(GIVEN, names)  # noqa: S102 - the code of this test
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which one is asked of the hint
        exec(code, names)  # noqa: S102
    said = str(caught.value) + suggestion(caught.value)
    raised = PythonError(type(caught.value).__name__, said, code=code)
    return sentences(explain(raised, FileText.of(f"{file}\n{code}")))


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("known[None]", "is asked for None"),
        ("known[cell]", "nothing for this cell"),
        ("[].pop()", "nothing is left"),
        ("heapq.heappop([])", "nothing is left"),
        ("cells[1]", "count from 0"),
        ("[][0] = 1", "count from 0"),
        ("()[0]", "nothing is left"),
        ("cells.clear() or cells[-1]", "nothing is left"),
        ("random.choice([])", "nothing to choose from"),
        ("None.row", "value here is None"),
        ("for each in None: ...", "value here is None"),
        ("cell + None", "value here is None"),
        ("for each in cells.copy: ...", "parentheses of its call"),
        ("for each in Search().moves_to: ...", "parentheses of its call"),
        ("Search().last_pending.row", "parentheses of its call"),
        ("cell()", "is a value (Vector)"),
        ("{cells}", "A list can be neither"),
        ("known[[1, 2]] = 1", "A list can be neither"),
        ("count()", "belongs to that function alone"),
        ("visit(1)", "call within call"),
        ("known[cell] = 1\nfor each in known: known[None] = 1", "changed meanwhile"),
        ("cells + cell", "only another list"),
        ("cells.add(cell)", "A list has no add"),
        ("waiting.push(cell)", "A collections.deque has no push"),
        ("one, other = cells", "taken apart"),
        ("one, other = 1", "taken apart"),
        ("sorted([Node(), Node()])", "compares the next ones, and a Node"),
        ("Node().without()", "without of Node (line 7) has no self"),
        ("wide.build_wall(Vector(1, 3), EAST)", "No cell lies on the other side"),
        ("cells.append(cell).row", "value here is None"),
        ("random.shuffle((1, 2))", "A tuple cannot be changed"),
        ("del (1, 2)[0]", "A tuple cannot be changed"),
        ("wide.moves_at(cell).sort()", "A tuple cannot be changed"),
        ("Node() < Node()", "There is no < between a Node and a Node"),
        ("cell - cell", "There is no - between a Vector and a Vector"),
        ("max(1, cell)", "There is no > between a Vector and a int"),
        ("{Sized(1)}", "By line 10, Sized has an __eq__ and no __hash__"),
        ("known[Larger(1)] = 1", "By line 10, Larger has an __eq__ and no __hash__"),
        ("{Named()}", "By line 16, Named has an __eq__ and no __hash__"),
        ("from lab import Vectro", "is Vector meant?"),
        ("import my_generator", "is generators.my_generator meant?"),
        ("import search", "is solvers.search meant?"),
        ("import numpyy", "there are only Python's standard library"),
        ("from lab import NORHT", "is NORTH meant?"),
        ("serach = search", "is Search meant?"),
        ("heappush([], 1)", "“from heapq import heappush”"),
        ("math.inf", "“import math”"),
        ("record(cell)", "within a method it is self.record"),
        ("seen.add(cell)", "within a method it is self.seen"),
    ],
)
def test_an_exception_is_explained(code: str, hint: str) -> None:
    assert hint in told(code)


@pytest.mark.parametrize(
    "code",
    [
        *("raise ValueError('no such maze')", "1 / 0", "known['key']", "undefined", "visit()", "x = dist"),
        *("queue.append(1)", "len(1, 2)", "Node().without(1, 2)", "waiting.pushleft(1)", "import lab.extra"),
        *("import solvers.tools", "without_so", "Search.__init__()"),
    ],
)
def test_of_others_nothing_is_guessed(code: str) -> None:
    meant = told(code)
    assert "meant?" not in meant
    assert not meant or "A collections.deque has no pushleft" in meant


class Own:
    def __init__(self) -> None:
        self._distances = self.seen = 0

    def look(self, name: str) -> object:
        return getattr(self, name)


@pytest.mark.parametrize(
    ("name", "meant", "meant_outside"),
    [
        ("_distance", "_distances", "_distances"),
        ("distances", "_distances", ""),
        ("sen", "seen", "seen"),
        ("Look", "look", "look"),
        ("visited", "", ""),
        ("seen" * 11, "", ""),
    ],
)
def test_what_python_proposes_is_kept_and_nothing_else_guessed(
    name: str, meant: str, meant_outside: str
) -> None:
    own = Own()
    for look, expected in ((own.look, meant), (own.__getattribute__, meant_outside)):
        with pytest.raises(AttributeError) as caught:
            look(name)
        message = f"{caught.value}{suggestion(caught.value)}"
        assert suggested(message) == expected
        assert explain(PythonError("AttributeError", message)) == []


def test_nothing_is_proposed_of_what_cannot_be_looked_into() -> None:
    class Rude:
        def __dir__(self) -> list[str]:
            raise ValueError

    with pytest.raises(AttributeError) as caught:
        Rude().__getattribute__("__dirr__")
    assert (suggestion(caught.value), suggestion(ValueError()), suggestion(AttributeError("x"))) == (
        "",
        "",
        "",
    )


@pytest.mark.parametrize(
    ("kind", "message", "said"),
    [
        ("ModuleNotFoundError", "No module named 'tkinter'", "While it is graded there are only Python's"),
        ("NameError", "name 'exit' is not defined", "exit is there where Python is used interactively"),
        ("FileNotFoundError", "[Errno 2] No such file: 'maze.txt'", "While it is graded there are no files"),
        ("PermissionError", "[Errno 1] Operation not permitted", "no network and no other programs"),
        ("NameError", "name 'x' is not defined (from numpy import *: No module)", "there are only Python's"),
        ("AttributeError", "module 'queue' has no attribute 'mine'", "rename your queue.py"),
    ],
)
def test_what_is_not_there_is_told(kind: str, message: str, said: str) -> None:
    assert said in sentences(explain(PythonError(kind, message, own={"queue"})))
