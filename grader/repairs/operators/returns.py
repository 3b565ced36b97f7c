"""What is handed back, and where a loop or a call ends."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.repairs.edits import Edit
from grader.repairs.source import ParsedFile, name_of


def nothing_found(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that return None for its stand-ins (an empty list, False, an error), and vice versa."""
    for node in source.nodes:
        if isinstance(node, ast.Return):
            if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
                yield source.replaced(node, "return []", "nothing")
            elif _is_empty(node.value):
                yield source.replaced(node, "return None", "nothing.empty")
            else:
                yield source.replaced(node, "return None", "nothing.answer")
        elif isinstance(node, ast.Raise):
            yield source.replaced(node, "return None", "nothing.error")
        elif isinstance(node, ast.Expr) and _is_said(node.value) and source.function_of(node):
            yield source.replaced(node, "return None", "nothing")


def _is_empty(value: ast.expr) -> bool:
    match value:
        case ast.Constant() | ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.UnaryOp(operand=ast.Constant()) | ast.Call(args=[]):
            return True
    return False


def _is_said(value: ast.expr) -> bool:
    """Tell whether something is printed to the terminal instead, or the program is left."""
    return isinstance(value, ast.Call) and name_of(value) in ("print", "exit")


def handed_on(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that return what a call of the file's own gives, or what is made and not used."""
    own = {function.name for function in source.functions}
    for node in source.nodes:
        if not isinstance(node, ast.Expr) or source.function_of(node) is None:
            continue
        match node.value:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                sort = "answer" if name in own else "answer.call"
            case ast.YieldFrom(value=value):
                yield source.replaced(node, f"return {source.of(value)}", "what_returned")
                continue
            case ast.Constant() | ast.Yield() | ast.Await():
                continue
            case _:
                sort = "answer"
        yield source.replaced(node, f"return {source.of(node)}", sort)


def first_found(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that end a loop with the find of one turn only if that turn found something."""
    for node in source.nodes:
        if isinstance(node, ast.Return) and source.loop_of(node) is not None and source.is_alone(node):
            match node.value:
                case ast.IfExp(test=test, body=body, orelse=other):
                    for kept, text in ((body, source.of(test)), (other, f"not {source.operand(test)}")):
                        yield source.replaced(node, f"if {text}: return {source.of(kept)}", "leaves.found")
                case ast.Call():
                    put = f"if (found := {source.of(node.value)}): return found"
                    yield source.replaced(node, put, "leaves")
                    yield source.replaced(node, put.replace("):", ") is not None:"), "leaves.found")


def another_answer(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that return only a part of what is returned, or a name that is used in it."""
    for node in source.nodes:
        if not isinstance(node, ast.Return) or node.value is None or isinstance(node.value, ast.Constant):
            continue
        parts: list[ast.expr] = []
        match node.value:
            case ast.Tuple(elts=parts):
                sort = "what_returned"
            case ast.IfExp(test=test):
                parts, sort = [test], "what_returned.copy"
            case ast.Call() | ast.Attribute():
                parts = [n for n in ast.walk(node.value) if isinstance(n, ast.Name)]
                sort = "what_returned.name"
            case _:
                continue
        for part in parts:
            yield source.replaced(node.value, source.of(part), sort)


def endings(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that leave a turn of a loop, or the whole loop, in another way."""
    for node in source.nodes:
        if isinstance(node, ast.Break | ast.Continue):
            other = "continue" if isinstance(node, ast.Break) else "break"
            yield source.replaced(node, other, "leaves")
        elif isinstance(node, ast.Return) and source.loop_of(node) is not None:
            yield source.replaced(node, "continue", "leaves.turn")
            yield source.replaced(node, "break", "leaves.loop")


def for_ever(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that let a loop without an end go on only as long as there is something to take."""
    for node in source.nodes:
        if isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and node.test.value:
            for test in dict.fromkeys(_taken_from(source, node)):
                yield source.replaced(node.test, test, "leaves.empty")


def _taken_from(source: ParsedFile, loop: ast.While) -> Iterator[str]:
    """Yield conditions that hold as long as something is left of what the loop takes from."""
    for node in ast.walk(loop):
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="pop" | "popleft")):
                yield source.of(owner)
            case ast.Call(func=ast.Name(id="heappop") | ast.Attribute(attr="heappop"), args=[owner]):
                yield source.of(owner)
            case ast.Call(
                func=ast.Attribute(value=owner, attr="first_pending" | "last_pending" | "closest_pending")
            ):
                yield f"{source.of(owner)}.has_pending_cells()"
