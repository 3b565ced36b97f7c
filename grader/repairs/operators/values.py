"""Values that are written down: by which method, how much of them, and by which luck."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from grader.repairs.edits import Edit
from grader.repairs.source import ParsedFile

_MOST_PARTS: Final = 3
"""Of several values that are kept together the first 3 are tried."""
_MOST_NAMES: Final = 6
"""Of the names of a function the first 6 are tried."""


def written_down(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that let what is kept under a key replace what was there, or not; or keep another value."""
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
            case ast.AugAssign(target=target):
                function = source.function_of(node)
                names = [] if function is None else source.bound_in(function)[:_MOST_NAMES]
                for name in names:
                    if name != source.of(target):
                        yield source.replaced(node, f"{source.of(target)} = {name}", "counted.name")


def one_of_several(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that keep one of several values instead of all of them together."""
    for node in source.nodes:
        match node:
            case ast.Assign(
                targets=[ast.Name() | ast.Subscript() as kept], value=ast.Tuple(elts=parts) as pair
            ):
                sort = "wrapped" if isinstance(kept, ast.Subscript) else "wrapped.pair"
                for part in parts[:_MOST_PARTS]:
                    yield source.replaced(pair, source.of(part), sort)


def twice_or_half(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that count what is compared once from each side, or only once."""
    for node in source.nodes:
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Lt | ast.Gt):
            for side in (node.left, node.comparators[0]):
                if isinstance(side, ast.BinOp | ast.Name) and _is_counted(source, side):
                    yield source.replaced(side, f"2 * {source.operand(side)}", "counted.double")
                    yield source.replaced(side, f"{source.operand(side)} // 2", "counted.half")


def _is_counted(source: ParsedFile, node: ast.expr) -> bool:
    """Tell whether a value may be a number.

    It may if it is an operation, or a name that is assigned a call, an operation or a constant.
    """
    if isinstance(node, ast.BinOp):
        return True
    text = source.of(node)
    return any(
        isinstance(other, ast.Assign | ast.AugAssign)
        and isinstance(other.value, ast.Call | ast.BinOp | ast.Constant)
        and text in {source.of(t) for t in getattr(other, "targets", [getattr(other, "target", None)]) if t}
        for other in source.nodes
    )


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
