"""Names that are taken for one another, that are meant, and what is missing."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from grader.repairs.source import Edit, Function, ParsedFile, Sort

_GROUPS: Final[tuple[tuple[Sort, tuple[str, ...]], ...]] = (
    ("end", ("first_pending", "last_pending", "closest_pending")),
    ("walls.method", ("valid_moves_at", "moves_at")),
    ("walls.method", ("is_wall", "is_clear")),
    ("walls.built", ("build_wall", "break_wall")),
    ("walls.built", ("fully_connected", "fully_disconnected")),
    ("entry_or_exit", ("entry", "exit")),
    ("row_or_column", ("row", "column")),
    ("row_or_column", ("row_count", "column_count")),
    ("direction", ("NORTH", "EAST", "SOUTH", "WEST")),
    ("most_or_least", ("min", "max")),
    ("all_or_any", ("any", "all")),
    ("method", ("append", "extend")),
    ("method", ("keys", "values", "items")),
    ("method.drawn", ("randint", "randrange")),
)
"""The sort of the edit, and names that stand for one another."""


def siblings(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that use another method or name of the same family."""
    for node in source.nodes:
        name = _name(node)
        for sort, group in _GROUPS:
            if name in group:
                for other in group:
                    if other != name:
                        yield _renamed(source, node, name, other, sort)


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else ""


def _renamed(source: ParsedFile, node: ast.AST, name: str, other: str, sort: Sort) -> Edit:
    assert isinstance(node, ast.expr)  # noqa: S101 - it has a name
    end = source.end(node)
    line = source.text.count("\n", 0, end) + 1
    return Edit(((end - len(name), end, other),), sort, line)


def ends(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that use the other end of a list."""
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="pop"), args=[]):
                yield source.replaced(node, f"{source.of(value)}.pop(0)", "end")
                yield source.replaced(node, f"{source.of(value)}.popleft()", "end")
            case ast.Call(func=ast.Attribute(value=value, attr="pop"), args=[one]):
                other = "-1" if source.of(one) == "0" else "0"
                yield source.replaced(node, f"{source.of(value)}.pop({other})", "end")
            case ast.Call(func=ast.Attribute(value=value, attr="popleft")):
                yield source.replaced(node, f"{source.of(value)}.pop()", "end")
            case ast.Call(func=ast.Attribute(value=value, attr="appendleft"), args=[one]):
                yield source.replaced(node, f"{source.of(value)}.append({source.of(one)})", "end")
            case ast.Call(func=ast.Attribute(value=value, attr="insert"), args=[_, one]):
                yield source.replaced(node, f"{source.of(value)}.append({source.of(one)})", "end")
            case ast.Subscript(slice=index) if source.of(index) in ("0", "-1"):
                other = "-1" if source.of(index) == "0" else "0"
                yield source.replaced(index, other, "end.index")


def other_names(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that use another name that the function knows, or another attribute of the object."""
    stored = [
        source.of(node)
        for node in source.nodes
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    ]
    own = [text for text in dict.fromkeys(stored) if text.startswith("self.")]
    for node in source.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and _is_value(source, node):
            yield from _among(source, node, _known(source, node))
        elif isinstance(node, ast.Attribute):
            yield from _among(source, node, own)


def _among(source: ParsedFile, node: ast.expr, names: Sequence[str]) -> Iterator[Edit]:
    """Yield edits that replace a node, if it is one of the names, with each of the others."""
    own = source.of(node)
    if own in names:
        yield from (source.replaced(node, name, "name") for name in names if name != own)


def _known(source: ParsedFile, node: ast.Name) -> Sequence[str]:
    function = source.function_of(node)
    return [] if function is None else source.bound_in(function)


def _is_value(source: ParsedFile, node: ast.Name) -> bool:
    """Tell whether a name stands for a value that is passed on, not for what is called or asked."""
    above = source.parents.get(node)
    return not isinstance(above, ast.Attribute) and not (isinstance(above, ast.Call) and above.func is node)


_IN_ORDER: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
_NAMES: Final = ("north", "east", "south", "west")


def directions(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that put directions that are all written out in the required order, or its opposite."""
    for node in source.nodes:
        if isinstance(node, ast.List | ast.Tuple | ast.Dict) and isinstance(
            getattr(node, "ctx", ast.Load()), ast.Load
        ):
            parts = node.keys if isinstance(node, ast.Dict) else node.elts
            ranks = [_rank(part) for part in parts]
            if sorted(ranks) != [0, 1, 2, 3]:
                continue
            for order in (sorted(range(4), key=ranks.__getitem__), sorted(range(4), key=lambda n: -ranks[n])):
                spots = _parts(source, node)
                splices = tuple(
                    (*spot, source.text[slice(*spots[number])])
                    for spot, number in zip(spots, order, strict=True)
                    if spot != spots[number]
                )
                if splices:
                    yield Edit(splices, "order", node.lineno)


def _parts(source: ParsedFile, node: ast.List | ast.Tuple | ast.Dict) -> list[tuple[int, int]]:
    """Return where each element begins and ends; of a dict, each key with its value."""
    if isinstance(node, ast.Dict):
        return [
            (source.start(key), source.end(value))
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        ]
    return [(source.start(part), source.end(part)) for part in node.elts]


def _rank(node: ast.expr | None) -> int:
    """Return which direction a node is, as its place in the order; -1 for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return _NAMES.index(name.lower()) if name.lower() in _NAMES else -1
        case ast.Tuple(elts=[one, other]) | ast.List(elts=[one, other]) | ast.Call(args=[one, other]):
            values = (_number(one), _number(other))
            return _IN_ORDER.index(values) if values in _IN_ORDER else -1
    return -1


def _number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return None


def taken_back(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that take what was put on a list before a condition off it again after the condition."""
    for _, block in source.blocks():
        for number, statement in enumerate(block):
            owner = _appended_to(source, statement)
            if owner is None:
                continue
            for after in block[number + 1 :]:
                if isinstance(after, ast.If) and source.is_alone(after):
                    yield _inserted_after(source, after, f"{owner}.pop()")
    for node in source.nodes:
        owner = _appended_to(source, node)
        if owner is not None:
            yield source.replaced(node, f"{owner}.pop()", "taken_back.instead")  # type: ignore[arg-type]


def _appended_to(source: ParsedFile, node: ast.AST) -> str | None:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="append"))):
            return source.of(owner)
    return None


def _inserted_after(source: ParsedFile, statement: ast.stmt, text: str) -> Edit:
    last = statement.end_lineno or statement.lineno
    at = source.end(statement)
    return Edit(((at, at, f"\n{source.indent(statement)}{text}"),), "taken_back", last, after=True)


def returned(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that let a function that ends without a return give something back."""
    for function in source.functions:
        last = function.body[-1]
        if isinstance(last, ast.Return | ast.Raise) or not source.is_alone(last) or _yields(function):
            continue
        gives = any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(function))
        values = ["True", "False"] if gives else source.bound_in(function)
        for value in values:
            end, line = source.end(last), last.end_lineno or last.lineno
            put = (end, end, f"\n{source.indent(last)}return {value}")
            yield Edit((put,), "nothing", line, after=True)


def _yields(function: Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))


def without_an_exit(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that handle a maze without an exit before anything is asked about its exit."""
    for function in source.functions:
        asked = [n for n in ast.walk(function) if isinstance(n, ast.Attribute) and n.attr == "exit"]
        first = function.body[0]
        if not asked or not source.is_alone(first) or function.name != source.method:
            continue
        parts = [node for node in asked if isinstance(source.parents.get(node), ast.Attribute)]
        one = min(parts or asked, key=lambda node: node.lineno)
        at = source.begin_of_line(first.lineno)
        put = (at, at, f"{source.indent(first)}if {source.of(one)} is None: return None\n")
        yield Edit((put,), "no_exit" if parts else "no_exit.bare", one.lineno)
