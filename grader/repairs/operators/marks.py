"""What is missing: a look at where the code has been, or a note of it, as it stands elsewhere in the file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from grader.repairs.edits import Edit
from grader.repairs.source import Block, Function, ParsedFile, name_of

_MOST_KEPT, _MOST_CELLS = 3, 4
"""At most 3 containers and 4 cells of a function are tried with each other."""
_ASK_ABOUT_CELLS: Final = ("valid_moves_at", "moves_at", "add", "is_exit")


def guarded(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that insert a conditional exit, copied from elsewhere, or a test whether a cell is kept."""
    for function in source.functions:
        guards = dict.fromkeys(_guards(source, function))
        for loop, block in _places(source, function):
            for statement in block:
                for guard in guards:
                    if loop is not None or "continue" not in guard:
                        yield source.inserted_before(statement, guard, "has_been")


def _guards(source: ParsedFile, function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.If) and len(node.body) == 1 and not node.orelse:
            end = node.body[0]
            if isinstance(end, ast.Continue | ast.Break | ast.Return):
                yield f"if {source.of(node.test)}: {source.of(end)}"
    for kept in _kept(source, function):
        for cell in _cells(source, function):
            yield f"if {cell} in {kept}: continue"


def marked(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that note where the code has been, for another cell or at another place."""
    for function in source.functions:
        notes = dict.fromkeys(_notes(source, function)).keys() - _put_in(source, function)
        for _, block in _places(source, function):
            for statement in block:
                for note in sorted(notes):
                    if note not in source.of(statement):
                        yield source.inserted_before(statement, note, "marks")


def _put_in(source: ParsedFile, function: Function) -> set[str]:
    """Return the statements that would do something twice if they stood there twice, such as those that put
    something into a queue: they may help by accident."""
    return {
        source.of(node)
        for node in ast.walk(function)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and name_of(node.value) != "add"
    }


def _notes(source: ParsedFile, function: Function) -> Iterator[str]:
    """Yield the statements with which the function keeps something, or could."""
    for node in ast.walk(function):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="add" | "append"), args=[one])):
                yield source.of(node)
                if isinstance(one, ast.Name | ast.BinOp | ast.Attribute):
                    method = source.of(node).partition("(")[0]
                    yield from (f"{method}({cell})" for cell in _cells(source, function))
            case ast.Assign(targets=[ast.Subscript()]) | ast.Expr(value=ast.Call(func=ast.Attribute())):
                if "\n" not in source.of(node):
                    yield source.of(node)
    for container in _kept(source, function):
        method = "append" if container in _lists(source) else "add"
        yield from (f"{container}.{method}({cell})" for cell in _cells(source, function))


def _kept(source: ParsedFile, function: Function) -> list[str]:
    """Return the containers that the function looks into or adds to."""
    looked = [
        source.of(node.comparators[0])
        for node in ast.walk(function)
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn)
    ]
    added = [
        source.of(node.func.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add"
    ]
    return list(dict.fromkeys([*looked, *added]))[:_MOST_KEPT]


def _lists(source: ParsedFile) -> set[str]:
    """Return what is made as a list somewhere in the file."""
    made = [
        node for node in source.nodes if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
    ]
    return {source.of(node.targets[0]) for node in made}


def _cells(source: ParsedFile, function: Function) -> list[str]:
    """Return the expressions that stand for a cell: it is looked for, kept, or asked about."""
    found = []
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            found.append(source.of(node.left))
        elif isinstance(node, ast.Call) and _method_of(node) in _ASK_ABOUT_CELLS:
            found += [source.of(argument) for argument in node.args[:1]]
    return [text for text in dict.fromkeys(found) if "\n" not in text][:_MOST_CELLS]


def _places(source: ParsedFile, function: Function) -> Iterator[tuple[ast.AST | None, Block]]:
    """Yield the blocks of a function in which something may be missing, each with the loop around it."""
    for owner, block in source.blocks():
        is_within = owner is function or source.function_of(owner) is function
        if is_within and all(source.is_alone(statement) for statement in block):
            loop = owner if isinstance(owner, ast.For | ast.While) else source.loop_of(owner)
            yield None if owner is function else loop, block


def _method_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""
