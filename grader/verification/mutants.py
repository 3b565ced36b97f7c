"""Mutants: right code with one small change, which usually is a mistake.

The operators are the usual ones of mutation testing (DeMillo, Lipton and Sayward: Hints on test data
selection, 1978), with pairs of names of the lab that are easily confused. A mutant that passes all tests
reveals a gap in them, or is equivalent to the original.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Final

from grader.verification.bank import KnownSubmission
from lab.exercises import EXERCISES, Exercise

Change = Callable[[ast.AST], "ast.AST | None"]
"""Return a node's replacement; None if the change does not apply."""

_COMPARED: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_TWINS: Final = {
    "first_pending": "last_pending", "last_pending": "first_pending", "closest_pending": "first_pending",
    "entry": "exit", "exit": "entry", "row": "column", "column": "row", "NORTH": "SOUTH", "EAST": "WEST",
    "row_count": "column_count", "column_count": "row_count", "append": "appendleft", "popleft": "pop",
    "valid_moves_at": "moves_at", "break_wall": "build_wall", "build_wall": "break_wall",
    "min": "max", "max": "min",
}  # fmt: skip
_UNWRAPPED: Final = {"reversed", "sorted", "list", "tuple", "set"}


def make_mutants(
    bank: Sequence[KnownSubmission], count: int, exercises: Collection[Exercise] = EXERCISES, *, seed: int = 1
) -> list[KnownSubmission]:
    """Return up to ``count`` mutants of right submissions, drawn at random from all of them.

    Each is wrong in one exercise; a file that several submissions share is mutated only once.
    """
    found: list[KnownSubmission] = []
    seen: set[bytes] = set()
    for known in bank:
        if known.loses or known.earns_nothing:
            continue
        for exercise in exercises:
            source = known.files.get(exercise.file, b"")
            if source and source not in seen:
                seen.add(source)
                found += _mutants_of_file(known, exercise, source)
    Random(seed).shuffle(found)
    return sorted(found[:count], key=lambda mutant: mutant.name)


def _mutants_of_file(known: KnownSubmission, exercise: Exercise, source: bytes) -> Iterator[KnownSubmission]:
    style = known.name.partition("--")[2] or known.name
    for number, (operator, line, text) in enumerate(_mutated(source)):
        name = f"mutant--{exercise.id}-{style}-{line}-{operator}-{number}"
        files = {**known.files, exercise.file: text.encode()}
        only = frozenset({exercise.id})
        yield KnownSubmission(name, files, loses=only, exercises=only)


def _mutated(source: bytes) -> Iterator[tuple[str, int, str]]:
    """Yield operator, line and full source of every mutant; none if the source is not Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    seen = {ast.unparse(tree)}
    for node, put in _places(tree):
        for operator, change in _OPERATORS.items():
            changed = change(node)
            if changed is None:
                continue
            put(changed)
            text = ast.unparse(tree)
            put(node)
            if text not in seen:
                seen.add(text)
                yield operator, getattr(node, "lineno", 0), text


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, Callable[[ast.AST], None]]]:
    """Yield every node below the module, with a function that replaces it."""
    for parent in list(ast.walk(tree)):
        for name, value in ast.iter_fields(parent):
            if isinstance(value, ast.AST):
                yield value, partial(setattr, parent, name)
            elif isinstance(value, list):
                for index, node in enumerate(value):
                    if isinstance(node, ast.AST):
                        yield node, partial(value.__setitem__, index)


def _compare(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Compare) or type(node.ops[0]) not in _COMPARED:
        return None
    return ast.Compare(node.left, [_COMPARED[type(node.ops[0])](), *node.ops[1:]], node.comparators)


def _sum(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return None
    return ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)


def _junction(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.BoolOp):
        return None
    return ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _constant(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, int):
        return None
    return ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)


def _negation(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.If | ast.While):
        return None
    changed = copy.copy(node)
    changed.test = ast.UnaryOp(ast.Not(), node.test)
    return changed


def _deletion(node: ast.AST) -> ast.AST | None:
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if is_docstring or not isinstance(node, ast.Expr | ast.Assign | ast.AugAssign | ast.Break | ast.Continue):
        return None
    return ast.Pass()


def _twin(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Attribute) and node.attr in _TWINS:
        return ast.Attribute(node.value, _TWINS[node.attr], node.ctx)
    if isinstance(node, ast.Name) and node.id in _TWINS:
        return ast.Name(_TWINS[node.id], node.ctx)
    return None


def _unwrapping(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or len(node.args) != 1:
        return None
    return node.args[0] if node.func.id in _UNWRAPPED else None


def _turned_round(node: ast.AST) -> ast.AST | None:
    """Reverse the items of a loop."""
    if not isinstance(node, ast.For):
        return None
    changed = copy.copy(node)
    changed.iter = _call("reversed", _call("list", node.iter))
    return changed


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def _swapped(node: ast.AST) -> ast.AST | None:
    """Swap the first two arguments of a call."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return None
    first, second, *others = node.args
    return ast.Call(node.func, [second, first, *others], node.keywords)


def _without_else(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.If | ast.For | ast.While) or not node.orelse:
        return None
    changed = copy.copy(node)
    changed.orelse = []
    return changed


def _early_return(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Return) or node.value is None:
        return None
    is_none = isinstance(node.value, ast.Constant) and node.value.value is None
    return ast.Return(ast.List([], ast.Load()) if is_none else ast.Constant(None))


_OPERATORS: Final[Mapping[str, Change]] = {
    "compare": _compare,
    "sum": _sum,
    "junction": _junction,
    "constant": _constant,
    "negation": _negation,
    "deletion": _deletion,
    "twin": _twin,
    "unwrapping": _unwrapping,
    "return": _early_return,
    "turned": _turned_round,
    "swapped": _swapped,
    "else": _without_else,
}
