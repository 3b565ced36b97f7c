"""What outlives the call that it belongs to: defaults, and what class, object or module keep."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from grader.repairs.edits import Edit, Splice
from grader.repairs.source import Function, ParsedFile

_MAKERS: Final = ("list", "dict", "set", "deque", "defaultdict", "Counter")


def _is_mutable(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _MAKERS
    return isinstance(node, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


def defaults(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that make a default anew at each call instead of once."""
    for function in source.functions:
        parameters = [*function.args.posonlyargs, *function.args.args]
        values = function.args.defaults
        for parameter, value in zip(parameters[len(parameters) - len(values) :], values, strict=True):
            if _is_mutable(value):
                text = f"if {parameter.arg} is None: {parameter.arg} = {source.of(value)}"
                put = _at_the_beginning(source, function, text)
                none = (source.start(value), source.end(value), "None")
                if put is not None:
                    yield Edit((none, put), "lives_on", value.lineno, loading=True)


def kept(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that make anew at each call what is made once, for the class, the object or the module."""
    for name, value, line in _made_once(source):
        for function in source.functions:
            if function.name != "__init__" and (
                function.name == source.method or name in source.of(function)
            ):
                put = _at_the_beginning(source, function, _anew(name, value))
                if put is not None:
                    yield Edit((put,), "lives_on", line, loading=True)


def _made_once(source: ParsedFile) -> Iterator[tuple[str, str, int]]:
    """Yield what is made when the file is loaded or the object is made: name, value and line."""
    for node in source.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            target, value = node.target, node.value
        else:
            continue
        above = source.parents.get(node)
        if isinstance(above, ast.ClassDef) and isinstance(target, ast.Name) and _is_mutable(value):
            yield f"self.{target.id}", source.of(value), node.lineno
        elif isinstance(above, ast.Module) and isinstance(target, ast.Name) and _is_mutable(value):
            yield target.id, source.of(value), node.lineno
        elif isinstance(above, Function) and above.name == "__init__" and isinstance(target, ast.Attribute):
            yield source.of(target), source.of(value), node.lineno


def _anew(name: str, value: str) -> str:
    return f"{name} = {value}" if name.startswith("self.") else f"{name}.clear()"


def _at_the_beginning(source: ParsedFile, function: Function, text: str) -> Splice | None:
    """Return the splice that puts a statement first in a function, after its docstring."""
    body = function.body
    has_docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    first = body[1] if has_docstring and len(body) > 1 else body[0]
    if not source.is_alone(first):
        return None
    at = source.begin_of_line(first.lineno)
    return at, at, f"{source.indent(first)}{text}\n"
