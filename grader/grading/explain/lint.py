"""Statements that hardly anybody means, as a linter finds them: read off the file, never run.

Each is an oversight in nearly every program that has it, such as a method that is named and not called. It is
shown only of work that lost something, and only where no edit is known that puts it right.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, get_args

Kind = Literal[
    "uncalled",
    "row_or_column",
    "glued",
    "same_row",
    "no_effect",
    "gives_none",
    "answer",
    "first_turn",
    "unreached",
]
"""In the order in which they are looked for: the surest first.

A method is named where its answer is asked for; a row and a column are added, or written behind each other;
the rows of a table are one list; a value is worked out and dropped; the None of a method that changes its
list is used; the answer of a function's call of itself is dropped; a loop ends in its first turn, whichever
way it goes; a line stands behind one that leaves.
"""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_METHODS: Final = {
    *("has_pending_cells", "first_pending", "last_pending", "closest_pending", "distance_to", "moves_to"),
    *("valid_moves_at", "moves_at", "is_exit", "is_clear", "is_wall", "is_valid_at", "has_exit"),
    *("all_positions", "random_position", "opposite", "pop", "popleft", "copy", "keys", "values", "items"),
}
"""Methods that give something."""
_CHANGES: Final = {"append", "appendleft", "extend", "insert", "reverse", "sort", "clear", "heappush"}
"""Methods that change something, and give None."""
_WORKS_OUT: Final = {"sorted", "reversed", "len", "min", "max", "sum", "abs", "union", "difference"} | {
    *("valid_moves_at", "moves_at", "moves_to", "distance_to", "is_exit", "all_positions", "opposite", "copy")
}
"""What gives something, and changes nothing."""
_COORDINATES: Final = {"row", "column", "col", "r", "c", "x", "y", "i", "j"}
_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Oversight:
    """One of them, with its line."""

    kind: Kind
    line: int


def oversight_in(tree: ast.Module) -> Oversight | None:
    """Return the surest oversight in a file, of several the first; None where there is none."""
    nodes = [*ast.walk(tree)]
    own = {node.name for node in nodes if isinstance(node, _FUNCTIONS)}
    for kind in KINDS:
        lines = [found.lineno for node in nodes for found in _FINDERS[kind](node, own)]
        if lines:
            return Oversight(kind, min(lines))
    return None


Found = Iterator[ast.expr | ast.stmt]


def _uncalled(node: ast.AST, own: set[str]) -> Found:
    """Yield a method in a condition, a sum or a loop, where only what it gives makes sense."""
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            asked = [test]
        case ast.BoolOp(values=values):
            asked = values
        case ast.UnaryOp(operand=operand):
            asked = [operand]
        case ast.Compare(left=left, comparators=others):
            asked = [left, *others]
        case ast.BinOp(left=left, right=right):
            asked = [left, right]
        case ast.For(iter=over) | ast.comprehension(iter=over):
            asked = [over]
        case _:
            asked = []
    yield from (each for each in asked if isinstance(each, ast.Attribute) and each.attr in _METHODS - own)


def _row_or_column(node: ast.AST, _own: set[str]) -> Found:
    """Yield the sum, or the difference, of a row and a column."""
    match node:
        case ast.BinOp(
            left=ast.Attribute(attr=one), op=ast.Add() | ast.Sub(), right=ast.Attribute(attr=other)
        ) if {one, other} == {"row", "column"}:
            yield node


def _glued(node: ast.AST, _own: set[str]) -> Found:
    """Yield a text of a row and a column with nothing between them: (1, 11) and (11, 1) have the same."""
    match node:
        case ast.JoinedStr(values=[ast.FormattedValue(value=one), ast.FormattedValue(value=other)]):
            pair = one, other
        case ast.BinOp(
            left=ast.Call(func=ast.Name(id="str"), args=[one]),
            op=ast.Add(),
            right=ast.Call(func=ast.Name(id="str"), args=[other]),
        ):
            pair = one, other
        case _:
            return
    if all(map(_is_coordinate, pair)):
        yield node


def _is_coordinate(value: ast.AST) -> bool:
    match value:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name.lower() in _COORDINATES
        case ast.Subscript(slice=ast.Constant(value=0 | 1)):
            return True
    return False


def _same_row(node: ast.AST, _own: set[str]) -> Found:
    """Yield a list of lists that is made by multiplication, so that all of them are one."""
    match node:
        case ast.BinOp(left=ast.List(elts=[row]), op=ast.Mult()):
            if isinstance(row, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp)) or (
                isinstance(row, ast.BinOp) and isinstance(row.left, ast.List)
            ):
                yield node


def _no_effect(node: ast.AST, own: set[str]) -> Found:
    """Yield a statement that works something out, and does nothing with it."""
    if not isinstance(node, ast.Expr):
        return
    match node.value:
        case ast.BinOp() | ast.Compare() | ast.Subscript() | ast.BoolOp() | ast.Name() | ast.Attribute():
            yield node
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _WORKS_OUT - own:
            yield node


def _gives_none(node: ast.AST, own: set[str]) -> Found:
    """Yield the use of what a method gives that only changes its list."""
    used: list[ast.expr | None] = []
    match node:
        case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.Return(value=value):
            used = [value]
        case ast.For(iter=over):
            used = [over]
        case ast.BinOp(left=left, right=right):
            used = [left, right]
        case ast.Call(args=args):
            used = [*args]
    for each in used:
        match each:
            case ast.Call(func=ast.Attribute(attr=name)) if name in _CHANGES - own:
                yield each


def _given_up(node: ast.AST, _own: set[str]) -> Found:
    """Yield the call of a function within itself whose answer is dropped, though it answers elsewhere."""
    if not isinstance(node, _FUNCTIONS):
        return
    inside = [*_within(node)]
    answers = [each.value for each in inside if isinstance(each, ast.Return) and each.value is not None]
    if all(isinstance(answer, ast.Constant) and answer.value is None for answer in answers):
        return
    if any(isinstance(each, (ast.Nonlocal, ast.Global)) for each in inside):
        return
    for each in inside:
        match each:
            case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))) if (
                name == node.name
            ):
                yield each


def _first_turn(node: ast.AST, _own: set[str]) -> Found:
    """Yield an if that ends its loop in the first turn, whichever way it goes."""
    if not isinstance(node, (ast.For, ast.While)):
        return
    for each in node.body:
        if isinstance(each, ast.If) and each.orelse and _ends_loop(each.body) and _ends_loop(each.orelse):
            yield each


def _never_reached(node: ast.AST, _own: set[str]) -> Found:
    """Yield a statement that stands behind one that leaves its block."""
    for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
        if isinstance(block, list):
            yield from (
                after
                for before, after in pairwise(block)
                if isinstance(before, _LEAVES) and not isinstance(after, _FUNCTIONS)
            )


def _ends_loop(block: list[ast.stmt]) -> bool:
    match block[-1]:
        case ast.Return() | ast.Break():
            return True
        case ast.If(body=body, orelse=[_, *_] as others):
            return _ends_loop(body) and _ends_loop(others)
    return False


def _within(function: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, _FUNCTIONS):
            yield child
            yield from _within(child)


_FINDERS: Final[dict[Kind, Callable[[ast.AST, set[str]], Found]]] = {
    "uncalled": _uncalled,
    "row_or_column": _row_or_column,
    "glued": _glued,
    "same_row": _same_row,
    "no_effect": _no_effect,
    "gives_none": _gives_none,
    "answer": _given_up,
    "first_turn": _first_turn,
    "unreached": _never_reached,
}
