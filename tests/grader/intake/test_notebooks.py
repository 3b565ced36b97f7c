"""What is taken from a notebook: all that its classes need, and none of what only tries them out."""

from __future__ import annotations

import pytest

from grader.intake.notebooks import Notebook, looks_like_notebook, read_notebook
from tests.grader.intake.shapes import notebook

DFS = "class DFS:\n    def solve(self, maze, search):\n        return "


def taken(*cells: str) -> Notebook:
    found = read_notebook(notebook(*cells))
    assert found is not None
    return found


def code(*cells: str) -> list[str]:
    """The lines that are taken, apart from those of the class."""
    lines = taken(*cells).code.decode().splitlines()
    return [
        line
        for line in lines
        if line and line not in DFS.splitlines() and not line.startswith("        return")
    ]


NEEDED = {
    "a loop that fills a table": (["BACK = {}", "for m in (1, 2):\n    BACK[m] = -m"], "BACK"),
    "a call that fills a table": (["BACK = {}", "BACK.update({1: -1})"], "BACK"),
    "calls in a list": (["BACK = {}", "[BACK.setdefault(m, -m) for m in (1, 2)]"], "BACK"),
    "a call that gives something as well": (["BACK = []", "last = BACK.append(1)"], "BACK"),
    "a sum that is stored": (["BACK = {1: 0}", "BACK[1] += 1"], "BACK"),
    "a function that fills a table": (["BACK = {}", "def fill():\n    BACK[1] = -1", "fill()"], "BACK"),
    "a function that has another fill it": (
        ["BACK = {}", "def fill():\n    BACK[1] = -1", "def both():\n    fill()", "both()"],
        "BACK",
    ),
    "a function that sets a global name": (["def fill():\n    global BACK\n    BACK = {}", "fill()"], "BACK"),
    "a method that comes later": (
        ["class Stack: pass", "def push(self, it): pass", "Stack.push = push"],
        "Stack()",
    ),
    "a method by setattr": (
        ["class Stack: pass", "def push(self, it): pass", "setattr(Stack, 'push', push)"],
        "Stack()",
    ),
    "a method by a decorator": (
        ["class Stack: pass", "def on(kind): return print", "@on(Stack)\ndef push(self, it): pass"],
        "Stack()",
    ),
    "a function of a library": (["import heapq", "HEAP = []", "heapq.heappush(HEAP, 1)"], "HEAP"),
    "each of several": (["A, B = [], []", "for each in (A, B):\n    each.append(1)"], "A + B"),
    "under a condition": (
        ["import sys", "if sys.maxsize > 1:\n    LIMIT = 1\nelse:\n    LIMIT = 2"],
        "LIMIT",
    ),
    "tried": (["try:\n    from solvers.tools import T\nexcept ImportError:\n    T = 1"], "T"),
    "in a context": (["import contextlib", "with contextlib.suppress(KeyError):\n    T = {}[1]"], "T"),
    "a setting": (["import sys, threading", "sys.setrecursionlimit(9)", "threading.stack_size(99999)"], "1"),
    "a setting by its name": (["from sys import setrecursionlimit", "setrecursionlimit(9)"], "1"),
    "a setting under a condition": (["import sys", "if sys.maxsize > 1:\n    sys.setrecursionlimit(9)"], "1"),
    "the lab's own classes": (["from lab import Vector", "Vector.__lt__ = lambda a, b: True"], "1"),
    "a name that is used again": (["T = 1", "T = T + 1"], "T"),
}


@pytest.mark.parametrize("kind", NEEDED)
@pytest.mark.parametrize("is_before", [True, False])
def test_what_the_classes_need_is_kept(kind: str, is_before: bool) -> None:
    cells, value = NEEDED[kind]
    both = [*cells, DFS + value] if is_before else [DFS + value, *cells]
    assert code(*both) == "\n".join(cells).splitlines()


TRIALS = {
    "a solver that runs": "maze = 1\nprint(DFS().solve(maze, None))",
    "a maze from a file": "T.update(Maze.from_file('my maze.txt'))",
    "a maze from a file, by a name": "maze = Maze.from_file('a.txt')\nfor p in maze:\n    T[p] = 1",
    "a question": "T.update({1: input()})",
    "a question in a function": "def ask():\n    return input()\nT.update({1: ask()})",
    "a picture": "import matplotlib.pyplot as plt\nT.update(plt.rcParams)\nplt.show()",
    "solvers that are measured": "for n in range(9):\n    T[n] = DFS().solve(n, None)",
    "a name of a loop": "m = Maze.from_file('a.txt')",
    "no end": "import sys\nsys.exit()",
}


@pytest.mark.parametrize("kind", TRIALS)
def test_what_only_tries_them_out_is_not(kind: str) -> None:
    before = ["from lab import Maze", "T = {}", "for m in (1, 2):\n    T[m] = m"]
    found = code(*before, TRIALS[kind], DFS + "T")
    assert set(found) - {"import sys"} == set("\n".join(before[1:]).splitlines())


def test_a_class_under_a_condition_is_found() -> None:
    found = taken("try:\n    import lab\nfinally:\n    class DFS:\n        x = 1", "print(DFS)")
    assert found.code.decode() == "try:\n    import lab\nfinally:\n    class DFS:\n        x = 1\n\n"


def test_what_begins_as_a_notebook_does_and_what_does_not() -> None:
    begins = (b'{"cells": []}', b'\xef\xbb\xbf {"nbformat": 4}', b'{"worksheets": []}')
    others = (b'{"a": 1}', b"{}", b'x = {"cells": 1}', b"class DFS: pass")
    assert [each for each in (*begins, *others) if looks_like_notebook(each)] == [*begins]


# --- magics ---------------------------------------------------------------------------------------

BFS = "class BFS:\n    x = 1\n"


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["%%writefile a.py\nA = 1\n", "%%writefile -a a.py\nB = 2"], {"a.py": "A = 1\nB = 2\n"}),
        (["%%writefile a.py\nA = 1", "%%writefile --append a.py\nB = 2"], {"a.py": "A = 1\nB = 2\n"}),
        (["%%writefile a.py\nA = 1", "%%writefile 'a.py'\nB = 2"], {"a.py": "B = 2\n"}),
        (["%%file ./solvers/bfs.py\nB = 2"], {"solvers/bfs.py": "B = 2\n"}),
        (["%%writefile /content/solvers/bfs.py\nB = 2"], {"solvers/bfs.py": "B = 2\n"}),
        (["%%writefile ~/my lab/perfection_checker.py\nB = 2"], {"perfection_checker.py": "B = 2\n"}),
        (["%%writefile C:\\lab\\solvers\\bfs.py\nB = 2"], {"solvers/bfs.py": "B = 2\n"}),
        (["%%writefile ../solvers/bfs.py\nB = 2"], {"solvers/bfs.py": "B = 2\n"}),
        (["%%writefile\nB = 2"], {}),
    ],
)
def test_the_files_that_cells_write_are_those_that_jupyter_would(
    cells: list[str], expected: dict[str, str]
) -> None:
    assert {path: content.decode() for path, content in taken(*cells).written} == expected


@pytest.mark.parametrize(
    "cell",
    [
        f"!pip install lab \\\n  --quiet \\\n  --upgrade\n{BFS}",
        f"{BFS}%timeit BFS()\n!echo it's\nY = (5\n     % 2)",
        f"{BFS}BFS??\nfiles = !ls -l \\\n  -a\n",
        "    class BFS:\n        x = 1\n    print(1)",
        "  %%time\n  class BFS:\n      x = 1",
        f"%%capture out\n%%time\n{BFS}",
    ],
)
def test_a_cell_is_read_whatever_only_jupyter_knows_in_it(cell: str) -> None:
    found = taken(cell)
    assert (found.code.decode().strip(), found.broken) == (BFS.strip(), b"")
