"""What is missing: a way that is taken back, a value that is given back, a word on what may not be there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.repairs.edits import Edit
from grader.repairs.source import Function, ParsedFile


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


def known(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that keep what is already known, always or where its replacement is no less."""
    for node in source.nodes:
        for condition in _known(source, node):
            if isinstance(node, ast.stmt) and source.is_alone(node) and source.function_of(node):
                end = "return" if source.loop_of(node) is None else "continue"
                yield source.inserted_before(node, f"if {condition}: {end}", "known")


def _known(source: ParsedFile, node: ast.AST) -> Iterator[str]:
    """Yield the conditions under which a statement that keeps something has nothing to do."""
    match node:
        case ast.Assign(targets=[ast.Subscript(value=owner, slice=key)], value=value):
            kept, place = source.of(owner), source.of(key)
            yield f"{place} in {kept}"
            if isinstance(value, ast.Name | ast.BinOp) and "\n" not in source.of(value):
                yield f"{place} in {kept} and {kept}[{place}] <= {source.of(value)}"
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="setdefault"), args=[key, _])):
            yield f"{source.of(key)} in {source.of(owner)}"


def opened(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that open a wall towards the cell that is moved to, in a generator that opens none."""
    if source.method != "generate" or "break_wall" in source.text:
        return
    for node in source.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=maze)], value=ast.Call(func=ast.Attribute(attr=made))):
                if made == "fully_disconnected":
                    yield from _opened(source, maze)


def _opened(source: ParsedFile, maze: str) -> Iterator[Edit]:
    for _, block in source.blocks():
        for statement in block:
            for node in ast.walk(statement) if isinstance(statement, ast.Expr) else ():
                match node:
                    case ast.BinOp(op=ast.Add(), left=ast.Name(id=cell), right=ast.Name(id=move)):
                        text = f"{maze}.break_wall({cell}, {move})"
                        if source.is_alone(statement):
                            yield source.inserted_before(statement, text, "walls")
