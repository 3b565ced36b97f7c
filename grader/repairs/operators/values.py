"""Values, signs and numbers that are written down, and statements in the wrong place."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from grader.repairs.source import Block, Edit, ParsedFile, Sort, Splice


def written_down(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that let what is kept under a key replace what was there, or not."""
    for node in source.nodes:
        match node:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=owner, attr="setdefault"), args=[key, value])
            ):
                text = f"{source.of(owner)}[{source.of(key)}] = {source.of(value)}"
                yield source.replaced(node, text, "known.replaced")
            case ast.Assign(targets=[ast.Subscript(value=owner, slice=key)], value=value):
                text = f"{source.of(owner)}.setdefault({source.of(key)}, {source.of(value)})"
                yield source.replaced(node, text, "known")


def own_luck(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that draw luck from the generator's own source, everywhere or at a single place."""
    if source.method != "generate":
        return
    drawn = [
        node
        for node in source.nodes
        if isinstance(node, ast.Name)
        and node.id == "random"
        and isinstance(source.parents[node], ast.Attribute)
        and source.function_of(node) is not None
    ]
    places = [(source.start(node), source.end(node), "self.rng") for node in drawn]
    if places:
        yield Edit(tuple(places), "luck", drawn[0].lineno)
    if len(places) > 1:
        yield from (Edit((put,), "luck.place", n.lineno) for n, put in zip(drawn, places, strict=True))
    for node in source.nodes:
        if isinstance(node, ast.Subscript) and source.of(node.slice) in ("0", "-1"):
            yield source.replaced(node, f"self.rng.choice(list({source.of(node.value)}))", "luck.choice")


_Moved = (*(ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign), ast.Return, ast.Break, ast.Continue)
"""A condition, or a loop, that stands elsewhere makes another program."""
_Compound = (ast.For, ast.While, ast.If, ast.With, ast.Try)


def moved(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that move a statement out of a block, or into one."""
    for _, block in source.blocks():
        for one in block:
            if isinstance(one, _Compound):
                yield from _out_at_the_end(source, one)
                yield from _out_at_the_beginning(source, one)
        for one, other in pairwise(block):
            if isinstance(one, _Compound):
                yield from _in_at_the_end(source, one, other)
            if isinstance(other, ast.For | ast.While):
                yield from _in_at_the_beginning(source, one, other)


def _last_block(compound: ast.stmt) -> Block:
    """Return the block at the end of a compound statement."""
    blocks = [getattr(compound, name, []) for name in ("body", "orelse", "finalbody")]
    return [block for block in blocks if block][-1]


def _width(source: ParsedFile, statement: ast.stmt) -> int:
    return len(source.indent(statement))


def _out_at_the_end(source: ParsedFile, compound: ast.stmt) -> Iterator[Edit]:
    """Yield edits that move the last statement of a block, or of a block at its end, behind the whole."""
    block = _last_block(compound)
    while True:
        last = block[-1]
        is_moved = len(block) > 1 and isinstance(last, _Moved)
        if is_moved and source.is_alone(last) and source.is_alone(compound):
            less = _width(source, compound) - _width(source, last)
            if less < 0:
                yield Edit(source.shifted(last, less), _sort(compound), last.lineno)
        if not isinstance(last, _Compound):
            return
        block = _last_block(last)


def _in_at_the_end(source: ParsedFile, compound: ast.stmt, after: ast.stmt) -> Iterator[Edit]:
    """Yield edits that make the statement after a block its last, or the last of a block at its end."""
    while isinstance(compound, _Compound):
        last = _last_block(compound)[-1]
        if isinstance(after, _Moved) and source.is_alone(after) and source.is_alone(last):
            more = _width(source, last) - _width(source, after)
            if more > 0:
                yield Edit(source.shifted(after, more), _sort(compound), after.lineno)
        compound = last


def _out_at_the_beginning(source: ParsedFile, compound: ast.stmt) -> Iterator[Edit]:
    """Yield the edit that does the first statement of a loop once, before the loop."""
    if not isinstance(compound, ast.For | ast.While) or len(compound.body) == 1:
        return
    first = compound.body[0]
    if isinstance(first, ast.Assign | ast.AnnAssign | ast.Expr) and source.is_alone(first):
        at = source.begin_of_line(compound.lineno)
        put = (at, at, f"{source.indent(compound)}{source.of(first)}\n")
        yield Edit((put, _taken_out(source, first)), "each_turn.first", first.lineno)


def _in_at_the_beginning(source: ParsedFile, before: ast.stmt, loop: ast.For | ast.While) -> Iterator[Edit]:
    """Yield the edit that does the statement before a loop at each turn."""
    first = loop.body[0]
    if isinstance(before, ast.Assign | ast.AnnAssign) and source.is_alone(before) and source.is_alone(first):
        at = source.begin_of_line(first.lineno)
        put = (at, at, f"{source.indent(first)}{source.of(before)}\n")
        yield Edit((put, _taken_out(source, before)), "each_turn.first", before.lineno)


def _taken_out(source: ParsedFile, statement: ast.stmt) -> Splice:
    return source.start(statement), source.end(statement), "pass"


def _sort(compound: ast.stmt) -> Sort:
    return "each_turn" if isinstance(compound, ast.For | ast.While) else "under_condition"


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
            # 0 that is added changes nothing, and a product with it leaves nothing
            is_part = isinstance(source.parents.get(node), ast.BinOp | ast.AugAssign)
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
