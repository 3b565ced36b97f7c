"""What came with which Python: the table holds on the Python that runs, and uses of it are found."""

from __future__ import annotations

import ast
import importlib
import sys

import pytest

from lab.python_versions import SINCE, newer_syntax, newer_than, why_not_there


def is_there(name: str) -> bool:
    """Tell whether this Python has a module, or a name in one."""
    module, _, inner = name.rpartition(".")
    for whole, rest in ((name, ""), (module, inner)):
        try:
            found = importlib.import_module(whole) if whole else None
        except ImportError:
            continue
        return found is not None and (not rest or hasattr(found, rest))
    return False


def test_the_table_is_true_of_this_python() -> None:
    here = sys.version_info[:2]
    assert {name for name in SINCE if is_there(name)} == {n for n, since in SINCE.items() if since <= here}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("from itertools import batched\n", [("itertools.batched", "3.12", 1)]),
        ("import typing\n@typing.override\ndef f(): ...\n", [("typing.override", "3.12", 2)]),
        ("def f() -> Way: ...\nWay = list\n", [("the annotation Way above its definition", "3.14", 1)]),
        (
            "import typing\nif typing.TYPE_CHECKING:\n    from lab import Maze\ndef f(m: Maze): 1\n",
            [("the annotation Maze above its definition", "3.14", 4)],
        ),
        ("try:\n    from itertools import batched\nexcept ImportError:\n    batched = None\n", []),
        ("import sys\nif sys.version_info > (3, 12):\n    from itertools import batched\n", []),
        ("from __future__ import annotations\ndef f() -> Way: ...\nWay = list\n", []),
        ("class Node:\n    def next(self) -> 'Node': ...\n", []),
        ("from itertools import chain\nfrom typing import Self\nx = f'{1!r:>{2}}'\n", []),
    ],
)
def test_what_came_after_a_python_is_found(text: str, told: list[tuple[str, str, int]]) -> None:
    assert [(each.what, each.version, each.line) for each in newer_than((3, 11), text)] == told


@pytest.mark.parametrize(
    ("text", "what", "since"),
    [
        ("type Way = list[int]", "a type statement", (3, 12)),
        ("class Stack[T]:\n    pass", "a parameter in brackets", (3, 12)),
        ('x = f"{names["a"]}"', "a quote within an f-string", (3, 12)),
        ("try:\n    pass\nexcept KeyError, ValueError:\n    pass", "except without parentheses", (3, 14)),
        ('x = t"{y}"', "a t-string", (3, 14)),
    ],
)
def test_newer_syntax_is_told_by_whoever_can_read_it_and_whoever_cannot(
    text: str, what: str, since: tuple[int, int]
) -> None:
    if sys.version_info[:2] >= since:
        assert [(each.what, each.since) for each in newer_than((3, 11), text)][:1] == [(what, since)]
        assert not [*newer_than(since, text)]
    else:
        with pytest.raises(SyntaxError) as caught:
            ast.parse(text)
        line = text.splitlines()[(caught.value.lineno or 1) - 1]
        assert newer_syntax(line) == (what, since, 0)


@pytest.mark.parametrize(
    ("text", "line", "at_import", "below"),
    [
        ("def f() -> Way: ...\nWay = list\n", 1, True, 2),
        ("class A(B): ...\nclass B: ...\n", 1, True, 2),
        ("if TYPE_CHECKING:\n    from lab import Way\ndef f(w: Way): ...\n", 3, True, 0),
        ("if TYPE_CHECKING:\n    from lab import Way\ndef f():\n    Way()\n", 4, False, 0),
    ],
)
def test_a_name_that_is_not_there_yet_is_explained(text: str, line: int, at_import: bool, below: int) -> None:
    name = "B" if "class B" in text else "Way"
    assert why_not_there(ast.parse(text), name, line, at_import=at_import) == (name, line, below)
