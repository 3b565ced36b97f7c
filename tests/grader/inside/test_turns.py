"""Turns are counted wherever code can go round, and the code itself does not notice."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest

from grader.inside import turns


class OverError(BaseException):
    """Stands for the end of the process."""


def over() -> NoReturn:
    raise OverError


@pytest.fixture(autouse=True)
def _uncounted() -> Iterator[None]:
    turns.install(None)
    yield
    turns.install(None)


def run(source: str, most: int = 1_000) -> tuple[dict[str, Any], int]:
    """Run a source, and return its names and the number of turns it took."""
    budget = turns.Counter(most, over)
    turns.install(budget)
    names: dict[str, Any] = {}
    exec(turns.compiled(source, "counted.py"), names)  # noqa: S102 - code of this test
    return names, budget.used


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("for i in range(7):\n    pass", 7),
        ("def f():\n    return 1\nf(), f()", 2),
        ("{i for i in range(6) if i > 3}", 6),
        ("{i: j for i in range(2) for j in range(3)}", 8),
        ("def g():\n    yield 1\n    yield 2\nlist(g())", 1),
        ("class A:\n    def m(self):\n        for i in range(2):\n            pass\nA().m()", 3),
        ("def f(n):\n    return n and f(n - 1)\nf(9)", 10),
        ("import asyncio\nasync def f():\n    return 1\nasyncio.run(f())", 1),
    ],
)
def test_every_turn_is_counted_once(source: str, count: int) -> None:
    _, used = run(source)
    assert used == count


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "def f():\n    f()\nimport sys\nsys.setrecursionlimit(10**6)\nf()",
        "import itertools\n[0 for _ in itertools.count()]",
        "def g():\n    while True:\n        yield 1\nfor _ in g(): pass",
    ],
)
def test_what_never_ends_is_cut_off(source: str) -> None:
    with pytest.raises(OverError):
        run(source, most=500)


def test_the_code_looks_as_it_was_written() -> None:
    source = (
        '"""Module."""\nfrom __future__ import annotations\n\n\ndef f(x: int) -> int:\n    """Text."""\n'
        "    for i in range(3):\n        if i == 2:\n            return 1 // 0\n    return x\n\n\n"
        'class A:\n    """Class."""\n\n    def only(self):\n        """Docstring only."""\n'
    )
    names, _ = run(source)
    assert names["__doc__"] == "Module."
    assert names["f"].__doc__ == "Text."
    assert names["A"].only.__doc__ == "Docstring only."
    assert names["A"]().only() is None
    assert str(inspect.signature(names["f"])) == "(x: 'int') -> 'int'"
    assert names["f"].__code__.co_firstlineno == 5
    with pytest.raises(ZeroDivisionError) as caught:
        names["f"](1)
    assert [frame.lineno for frame in traceback.extract_tb(caught.tb) if frame.filename == "counted.py"] == [
        9
    ]


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    global a, b\n    a = b = 1\nf()\nresult = a + b",
        "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    g()\n    return n\n"
        "result = f()",
        "def f(x, /, y=[i for i in range(3)], *, z=lambda q: q):\n    return x, y, z(4)\nresult = f(1)",
        "class A:\n    xs = [1, 2]\n    ys = [x for x in xs]\nresult = A.ys",
        "def f():\n    try:\n        for i in range(2):\n            try:\n                continue\n"
        "            finally:\n                pass\n    finally:\n        return i\nresult = f()",
    ],
)
def test_the_code_does_what_it_did(source: str) -> None:
    plain: dict[str, Any] = {}
    exec(compile(source, "plain.py", "exec", dont_inherit=True), plain)  # noqa: S102 - code of this test
    counted, _ = run(source)
    assert counted["result"] == plain["result"]
