"""Counting what the student's code does: every entry of a function, every turn of a loop.

Theory of operation. A budget of seconds means another thing on a busy machine; a budget of turns means
the same on all. So the source is changed as it is loaded: a call of ``COUNT`` stands first in the body
of every function, loop and lambda, and in the condition of every comprehension. Lines, docstrings and
tracebacks stay as they were, since what is put in takes its place from what stands there. ``COUNT`` is
the ``__next__`` of an iterator that is made of C alone (``chain(repeat(None, n), map(cut_off, ...))``):
it gives None as often as there are turns, and then calls ``cut_off``, which ends the process. Nothing is
raised, so nothing can be caught. Code that is not counted (loops inside C, ``exec``, a counter that was
tampered with) is left to the clock. In handlers of exceptions stands a call as well, by which want of memory
is not caught (``limits.py``).
"""

from __future__ import annotations

import _ast
import builtins
from collections.abc import Callable
from itertools import chain, count, repeat
from operator import length_hint
from types import CodeType
from typing import Any, Final, NoReturn

from .limits import RELEASE, release

COUNT: Final = "__turn__"
"""The name of the counter among the builtins."""
_FUNCTIONS: Final = (_ast.FunctionDef, _ast.AsyncFunctionDef)
_LOOPS: Final = (_ast.For, _ast.AsyncFor, _ast.While)
_TRIES: Final = (_ast.Try, getattr(_ast, "TryStar", _ast.Try))
_CATCH_ALL: Final = frozenset(("MemoryError", "Exception", "BaseException"))
"""Names of exceptions by which a handler catches want of memory."""
_LEAVES: Final = frozenset((_ast.Name, _ast.Constant, _ast.Load, _ast.Store, int, str))
"""Most of what a tree is made of: there is nothing in these to be counted."""


class Counter:
    """Counts to a number; the call after that one does not return."""

    def __init__(self, most: int, cut_off: Callable[[], NoReturn]) -> None:
        self._most, self._left = most, repeat(None, most)
        ends = map(lambda _: cut_off(), count())  # noqa: C417 - a generator would run Python code at each turn
        self.next: Callable[[], None] = chain(self._left, ends).__next__

    @property
    def share(self) -> float:
        """The share of the number that is used up: 1 where all of it is."""
        return self.used / max(1, self._most)

    @property
    def used(self) -> int:
        """The number of calls so far, up to the number that it counts to."""
        return self._most - length_hint(self._left)


def install(counter: Counter | None) -> None:
    """Count turns with this counter from now on; without one, count no turns."""
    setattr(builtins, COUNT, repeat(None).__next__ if counter is None else counter.next)
    setattr(builtins, RELEASE, release)


PREPARE: Final[list[Callable[[Any, str], None]]] = []
"""What changes the tree of the file at a path before its turns are counted."""


def compiled(text: Any, path: str) -> CodeType:
    """Compile a source, or its tree, with its turns counted. Raises what ``compile`` raises."""
    tree: Any = compile(text, path, "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)
    try:
        for prepare in PREPARE:
            prepare(tree, path)
        _count(tree)
        code: CodeType = compile(tree, path, "exec", dont_inherit=True)
        return code
    except RecursionError:  # too deep for this to walk through, not for Python
        return compile(text, path, "exec", dont_inherit=True)


def _count(node: Any) -> None:
    """Insert the calls into a tree, from its leaves up."""
    for value in [*vars(node).values()]:
        for child in value if type(value) is list else (value,):
            if type(child) not in _LEAVES and isinstance(child, _ast.AST):
                _count(child)
    _count_turns(node)
    if isinstance(node, _ast.ExceptHandler) and _catches_all(node.type):
        node.body.insert(0, _statement(node.body[0], RELEASE))
    elif isinstance(node, _TRIES) and node.finalbody:
        node.finalbody.insert(0, _statement(node.finalbody[0], RELEASE))


def _count_turns(node: Any) -> None:
    """Insert a call into a node that can be run repeatedly."""
    if isinstance(node, _FUNCTIONS):
        at = 1 if _has_docstring(node.body) else 0
        node.body.insert(at, _statement(node.body[min(at, len(node.body) - 1)]))
    elif isinstance(node, _LOOPS):
        node.body.insert(0, _statement(node.body[0]))
    elif isinstance(node, _ast.comprehension):
        node.ifs.insert(0, _is_none(node.target))
    elif isinstance(node, _ast.Lambda):
        body = node.body
        node.body = _at(body, _ast.IfExp(_is_none(body), body, _at(body, _ast.Constant(None))))


def _catches_all(kind: Any) -> bool:
    """Tell whether a handler for this kind of exception catches want of memory, as far as its names tell."""
    kinds = kind.elts if isinstance(kind, _ast.Tuple) else (kind,)
    return any(each is None or (isinstance(each, _ast.Name) and each.id in _CATCH_ALL) for each in kinds)


def _has_docstring(body: list[_ast.stmt]) -> bool:
    first = body[0]
    return (
        isinstance(first, _ast.Expr)
        and isinstance(first.value, _ast.Constant)
        and isinstance(first.value.value, str)
    )


def _statement(place: Any, name: str = COUNT) -> Any:
    return _at(place, _ast.Expr(_call(place, name)))


def _is_none(place: Any) -> Any:
    """Return a condition that makes the call and always holds."""
    return _at(place, _ast.Compare(_call(place), [_ast.Is()], [_at(place, _ast.Constant(None))]))


def _call(place: Any, name: str = COUNT) -> Any:
    return _at(place, _ast.Call(_at(place, _ast.Name(name, _ast.Load())), [], []))


def _at(place: Any, node: Any) -> Any:
    """Return the node, put at the place of another one, on its first line."""
    node.lineno = node.end_lineno = place.lineno
    node.col_offset = node.end_col_offset = place.col_offset
    return node
