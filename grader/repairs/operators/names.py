"""Names that are taken for one another."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from grader.repairs.edits import Edit, Sort
from grader.repairs.source import ParsedFile

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
    own = _own_attributes(source)
    for node in source.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and _is_value(source, node):
            yield from _among(source, node, _known(source, node))
        elif isinstance(node, ast.Attribute):
            yield from _among(source, node, own)


def as_elsewhere(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that use a name as the same function does elsewhere: ``find(a)`` for ``a``."""
    for function in source.functions:
        calls = [node for node in ast.walk(function) if source.called(node) is not None]
        forms = {
            source.of(call.args[0]): source.of(call)
            for call in calls
            if isinstance(call, ast.Call) and len(call.args) == 1 and isinstance(call.args[0], ast.Name)
        }
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and _is_value(source, node):
                form = forms.get(node.id)
                if form is not None and not isinstance(source.parents[node], ast.Call):
                    yield source.replaced(node, form, "name.form")


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


def _own_attributes(source: ParsedFile) -> list[str]:
    """Return the attributes that the object sets on itself."""
    stored = [
        source.of(node)
        for node in source.nodes
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    ]
    return [text for text in dict.fromkeys(stored) if text.startswith("self.")]
