"""Statements that are too many, or stand in the wrong order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from grader.repairs.edits import Edit
from grader.repairs.source import ParsedFile

_SIMPLE = (
    *(ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return),
    *(ast.Break, ast.Continue, ast.Delete, ast.Raise),
)
_ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
SHORT: Final = 3
"""A condition of at most three lines is taken away with what depends on it."""
LONG: Final = 8
"""Outside of loops, a condition or loop of at most 8 lines is taken away: it is beside the main work."""


def deleted(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that leave out a statement."""
    for _, block in source.blocks():
        for statement in block:
            if isinstance(statement, _SIMPLE) and not _is_docstring(statement):
                yield source.replaced(statement, "pass", "needed")
            elif isinstance(statement, ast.If) and _is_short(statement) and source.is_alone(statement):
                yield source.replaced(statement, "pass", "needed.part")
            elif isinstance(statement, ast.If | ast.For) and _is_aside(source, statement):
                yield source.replaced(statement, "pass", "needed.aside")


def _is_aside(source: ParsedFile, statement: ast.If | ast.For) -> bool:
    return (
        not statement.orelse
        and _length(statement) <= LONG
        and source.is_alone(statement)
        and source.loop_of(statement) is None
    )


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_short(condition: ast.If) -> bool:
    return not condition.orelse and _length(condition) <= SHORT


def _length(statement: ast.stmt) -> int:
    return (statement.end_lineno or statement.lineno) - statement.lineno + 1


def without_condition(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that always do what depends on a condition, or always its alternative."""
    for node in source.nodes:
        if isinstance(node, ast.If):
            if node.orelse or not isinstance(node.body[-1], _ENDS) or _is_last(source, node):
                yield source.replaced(node.test, "True", "condition.always")
            if node.orelse:
                yield source.replaced(node.test, "False", "condition.never")


def _is_last(source: ParsedFile, node: ast.If) -> bool:
    """Tell whether nothing follows a condition in its block, which else would never be reached."""
    return any(block[-1] is node for _, block in source.blocks())


def swapped(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that swap two neighbouring statements."""
    for _, block in source.blocks():
        for one, other in pairwise(block):
            if _is_docstring(one) or not source.is_alone(one) or not source.is_alone(other):
                continue
            if _length(one) + _length(other) > 2 * SHORT:
                continue
            first = (source.start(one), source.end(one), source.of(other))
            second = (source.start(other), source.end(other), source.of(one))
            yield Edit((first, second), "sequence", one.lineno)
