"""What is handed back, and where a loop or a call ends."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.repairs.edits import Edit
from grader.repairs.source import Source


def nothing_found(source: Source) -> Iterator[Edit]:
    """None for what stands for it: an empty list, False, an error; and the other way round."""
    for node in source.nodes:
        if isinstance(node, ast.Return):
            if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
                yield source.replaced(node, "return []", "nothing", 3.0)
            elif _is_empty(node.value):
                yield source.replaced(node, "return None", "nothing", 7.0)
            else:
                yield source.replaced(node, "return None", "nothing", 1.0)
        elif isinstance(node, ast.Raise):
            yield source.replaced(node, "return None", "nothing", 6.0)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and source.function_of(node):
            name = getattr(node.value.func, "attr", getattr(node.value.func, "id", ""))
            if name in ("print", "exit"):
                yield source.replaced(node, "return None", "nothing", 3.0)


def _is_empty(value: ast.expr) -> bool:
    match value:
        case ast.Constant() | ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.UnaryOp(operand=ast.Constant()) | ast.Call(args=[]):
            return True
    return False


def handed_on(source: Source) -> Iterator[Edit]:
    """What a call of one's own gives is handed on."""
    own = {function.name for function in source.functions}
    for node in source.nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            name = getattr(function, "attr", getattr(function, "id", ""))
            if name in own and source.function_of(node) is not None:
                yield source.replaced(node, f"return {source.of(node)}", "answer", 7.0)


def endings(source: Source) -> Iterator[Edit]:
    """Another way to leave a turn of a loop, or the whole of it."""
    for node in source.nodes:
        if isinstance(node, ast.Break | ast.Continue):
            other = "continue" if isinstance(node, ast.Break) else "break"
            yield source.replaced(node, other, "leaves", 4.0)
        elif isinstance(node, ast.Return) and source.loop_of(node) is not None:
            yield source.replaced(node, "continue", "leaves", 3.0)
            yield source.replaced(node, "break", "leaves", 2.0)
