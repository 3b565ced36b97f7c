"""Turns a notebook of marimo, which is a Python file around an app, into the code of its cells."""

from __future__ import annotations

import ast
import re
from typing import Final

from grader.intake.python_source import parse_source

_APP: Final = re.compile(r"^(\w+) = marimo\.App\(", re.MULTILINE)


def without_marimo(text: str) -> str | None:
    """Return the code of all cells, with unchanged line numbers; None if this is no notebook of marimo.

    The bodies of cells, and of the setup, become blocks of the module, as their names are the module's.
    """
    app = _APP.search(text)
    tree = parse_source(text) if app else None
    if app is None or tree is None:
        return None
    lines = re.split(r"\r\n|\r|\n", text)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            _open_cell(lines, statement, app[1])
        elif isinstance(statement, ast.With) and _is_of(app[1], statement.items[0].context_expr):
            _replace(lines, statement.lineno, statement.body[0].lineno - 1, "if True:")
        elif "marimo" in ast.unparse(statement) and isinstance(statement, ast.Assign):
            _blank(lines, statement)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and [alias.name for alias in node.names] == ["marimo"]:
            _blank(lines, node)
    return "\n".join(lines)


def _open_cell(
    lines: list[str], statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, app: str
) -> None:
    """Remove the app's decorators from a definition, and open it where it is a cell."""
    own = [each for each in statement.decorator_list if _is_of(app, each)]
    for decorator in own:
        _replace(lines, decorator.lineno, decorator.end_lineno or decorator.lineno, "")
    is_cell = any(re.match(rf"{app}\.cell\b", ast.unparse(each)) for each in own)
    if is_cell and not isinstance(statement, ast.ClassDef):
        _replace(lines, statement.lineno, statement.body[0].lineno - 1, "if True:")
        for inner in statement.body:
            if isinstance(inner, ast.Return):
                _blank(lines, inner)


def _is_of(app: str, node: ast.expr) -> bool:
    return ast.unparse(node).startswith(f"{app}.")


def _blank(lines: list[str], statement: ast.stmt) -> None:
    """Put ``pass`` in the place of a statement."""
    indent = " " * statement.col_offset
    _replace(lines, statement.lineno, statement.end_lineno or statement.lineno, f"{indent}pass")


def _replace(lines: list[str], first: int, last: int, text: str) -> None:
    lines[first - 1 : last] = [text, *[""] * (last - first)]
