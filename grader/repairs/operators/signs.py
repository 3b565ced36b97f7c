"""Signs and numbers: what is compared, counted and joined."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from grader.repairs.edits import Edit, Sort
from grader.repairs.source import ParsedFile

_EQUAL, _AROUND, _NOT, _SAME = "equal", "comparison", "negation", "same"
_COMPARED: Final[Mapping[type[ast.cmpop], tuple[str, tuple[tuple[str, Sort], ...]]]] = {
    ast.Lt: ("<", (("<=", _EQUAL), (">", _AROUND), (">=", _AROUND))),
    ast.LtE: ("<=", (("<", _EQUAL), (">=", _AROUND), (">", _AROUND), ("==", _AROUND))),
    ast.Gt: (">", ((">=", _EQUAL), ("<", _AROUND), ("<=", _AROUND))),
    ast.GtE: (">=", ((">", _EQUAL), ("<=", _AROUND), ("<", _AROUND), ("==", _AROUND))),
    ast.Eq: ("==", (("!=", _NOT), ("<=", _AROUND), (">=", _AROUND))),
    ast.NotEq: ("!=", (("==", _NOT), ("<", _AROUND), (">", _AROUND))),
    ast.In: ("in", (("not in", _NOT),)),
    ast.NotIn: ("not in", (("in", _NOT),)),
    ast.Is: ("is", (("==", _SAME), ("is not", _NOT))),
    ast.IsNot: ("is not", (("!=", _SAME), ("is", _NOT))),
}
"""What a sign can be mistaken for, with the sort of the edit."""
_COUNTED: Final[Mapping[type[ast.operator], tuple[str, tuple[str, ...]]]] = {
    ast.Add: ("+", ("-", "*")),
    ast.Sub: ("-", ("+",)),
    ast.Mult: ("*", ("+", "//")),
    ast.FloorDiv: ("//", ("*", "%")),
    ast.Div: ("/", ("//",)),
    ast.Mod: ("%", ("//",)),
}

_SMALL: Final = (0, 1, 2)
_LARGE: Final = 10
"""A number of 10 or more may be meant to be beyond any other."""


def compared(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that use another sign of comparison."""
    for node in source.nodes:
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARED:
            old, others = _COMPARED[type(node.ops[0])]
            for new, sort in others:
                yield from source.between(node.left, node.comparators[0], old, new, sort)


def joined(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that use ``and`` for ``or``, and vice versa."""
    for node in source.nodes:
        if isinstance(node, ast.BoolOp) and len(node.values) == 2:
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield from source.between(node.values[0], node.values[1], old, new, "both")


def counted(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that use another arithmetic operation."""
    for node in source.nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in _COUNTED:
            old, others = _COUNTED[type(node.op)]
            for new in others:
                if new == "*" and isinstance(node.op, ast.Add) and not _is_of_a_grid(source, node):
                    continue  # 0 times the cost of a step is a step that costs nothing
                yield from source.between(node.left, node.right, old, new, "counted")
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
            old, new = ("+=", "-=") if isinstance(node.op, ast.Add) else ("-=", "+=")
            yield from source.between(node.target, node.value, old, new, "counted")


def _is_of_a_grid(source: ParsedFile, node: ast.BinOp) -> bool:
    """Tell whether a number of rows and one of columns are put together."""
    names = [source.of(part).lower() for part in (node.left, node.right)]
    return "row" in "".join(names) and any("col" in name for name in names)


def by_one(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that change a whole number, mostly by one, or turn a truth value into its opposite."""
    for node in source.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield source.replaced(node, str(not node.value), "truth")
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            value = node.value
            is_part = _is_part(source.parents.get(node))
            near = (value + by for by in (1, -1) if value + by or not is_part)
            yield from (source.replaced(node, str(number), "by_one") for number in near)
            others = (small for small in _SMALL if abs(small - value) > 1 and (small or not is_part))
            yield from (source.replaced(node, str(small), "number") for small in others)
            if value >= _LARGE:
                yield source.replaced(node, str(value * 1000), "number.large")
        elif isinstance(node, ast.expr) and _is_bound(source, node):
            text, above = source.of(node), source.parents.get(node)
            is_end = (
                isinstance(above, ast.Call) and source.of(above.func) == "range" and node is above.args[-1]
            )
            for by in ("+ 1", "- 1"):
                sort = "bound.range" if is_end and by == "+ 1" else "bound"  # a range ends before its end
                yield source.replaced(node, f"{text} {by}", sort)


def _is_part(above: ast.AST | None) -> bool:
    """Tell whether a number is added or multiplied: 0 there changes nothing, or leaves nothing."""
    return isinstance(above, ast.BinOp | ast.AugAssign)


def _is_bound(source: ParsedFile, node: ast.expr) -> bool:
    """Tell whether something ends at this value: a range, a slice, a comparison."""
    above = source.parents.get(node)
    if isinstance(node, ast.Constant | ast.UnaryOp | ast.Slice | ast.Starred):
        return False
    match above:
        case ast.Call(func=ast.Name(id="range")) | ast.Call(func=ast.Attribute(attr="randint" | "randrange")):
            return node in above.args
        case ast.Compare(ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() | ast.Eq() | ast.NotEq()]):
            return node in above.comparators
        case ast.Slice():
            return True
    return False


def negated(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that negate a condition, or let it tell None from what is empty."""
    for node in source.nodes:
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield source.replaced(node.test, f"not {source.operand(node.test)}", "negation")
            yield from _told_from_none(source, node.test)
        elif isinstance(node, ast.comprehension):
            for condition in node.ifs:
                yield source.replaced(condition, f"not {source.operand(condition)}", "negation")


def _told_from_none(source: ParsedFile, test: ast.expr) -> Iterator[Edit]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        if isinstance(test.operand, ast.Compare | ast.BoolOp | ast.UnaryOp):
            return  # that is never None
        yield source.replaced(test, f"{source.operand(test.operand)} is None", "empty")
    elif isinstance(test, ast.Name | ast.Call | ast.NamedExpr):
        yield source.replaced(test, f"{source.operand(test)} is not None", "empty")


def arguments_swapped(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that swap two values that stand side by side."""
    for node in source.nodes:
        for one, other in _side_by_side(source, node):
            first = (source.start(one), source.end(one), source.of(other))
            second = (source.start(other), source.end(other), source.of(one))
            yield Edit((first, second), "arguments", one.lineno)


_Pairs = Iterable[tuple[ast.expr, ast.expr]]


def _side_by_side(source: ParsedFile, node: ast.AST) -> _Pairs:
    """Return the pairs of values whose order may be another.

    The entry of a heap is left out: its order makes the algorithm what it is.
    """
    match node:
        case ast.Call(args=values):
            return _not_as_called(source, node, pairwise(values))
        case ast.Tuple(elts=values, ctx=ast.Load()) | ast.List(elts=values, ctx=ast.Load()):
            above = source.parents.get(node)
            is_put = isinstance(above, ast.Call) and "heappush" in source.of(above.func)
            return () if is_put else pairwise(values)
        case ast.BinOp(op=ast.Sub() | ast.Add(), left=left, right=right):
            return ((left, right),)
    return ()


def _not_as_called(source: ParsedFile, call: ast.Call, pairs: _Pairs) -> _Pairs:
    """Yield the pairs of arguments that are not both named like the parameters that they are for."""
    function = source.called(call)
    names = [] if function is None else [a.arg for a in function.args.args if a.arg != "self"]
    as_called = list(pairwise(names))
    for number, (one, other) in enumerate(pairs):
        if (source.of(one), source.of(other)) not in as_called[number : number + 1]:
            yield one, other
