"""Statements that stand in a loop or under a condition, and should not, or should and do not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from grader.repairs.edits import Edit, Sort, Splice
from grader.repairs.source import Block, ParsedFile

_Moved = (*(ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign), ast.Return, ast.Break, ast.Continue)
"""A condition, or a loop, that stands elsewhere makes another program."""
_Compound = (ast.For, ast.While, ast.If, ast.With, ast.Try)


def moved(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that move a statement out of a block, or into one."""
    for _, block in source.blocks():
        for one in block:
            if isinstance(one, _Compound):
                yield from _out_at_the_end(source, one)
                yield from _out_at_the_beginning(source, one)
        for one, other in pairwise(block):
            if isinstance(one, _Compound):
                yield from _in_at_the_end(source, one, other)
            if isinstance(other, ast.For | ast.While):
                yield from _in_at_the_beginning(source, one, other)


def _last_block(compound: ast.stmt) -> Block:
    """Return the block at the end of a compound statement."""
    blocks = [getattr(compound, name, []) for name in ("body", "orelse", "finalbody")]
    return [block for block in blocks if block][-1]


def _width(source: ParsedFile, statement: ast.stmt) -> int:
    return len(source.indent(statement))


def _out_at_the_end(source: ParsedFile, compound: ast.stmt) -> Iterator[Edit]:
    """Yield edits that move the last statement of a block, or of a block at its end, behind the whole."""
    block = _last_block(compound)
    while True:
        last = block[-1]
        is_moved = len(block) > 1 and isinstance(last, _Moved)
        if is_moved and source.is_alone(last) and source.is_alone(compound):
            less = _width(source, compound) - _width(source, last)
            if less < 0:
                yield Edit(source.shifted(last, less), _sort(compound), last.lineno)
        if not isinstance(last, _Compound):
            return
        block = _last_block(last)


def _in_at_the_end(source: ParsedFile, compound: ast.stmt, after: ast.stmt) -> Iterator[Edit]:
    """Yield edits that make the statement after a block its last, or the last of a block at its end."""
    while isinstance(compound, _Compound):
        last = _last_block(compound)[-1]
        if isinstance(after, _Moved) and source.is_alone(after) and source.is_alone(last):
            more = _width(source, last) - _width(source, after)
            if more > 0:
                yield Edit(source.shifted(after, more), _sort(compound), after.lineno)
        compound = last


def _out_at_the_beginning(source: ParsedFile, compound: ast.stmt) -> Iterator[Edit]:
    """Yield the edit that does the first statement of a loop once, before the loop."""
    if not isinstance(compound, ast.For | ast.While) or len(compound.body) == 1:
        return
    first = compound.body[0]
    if isinstance(first, ast.Assign | ast.AnnAssign | ast.Expr) and source.is_alone(first):
        at = source.begin_of_line(compound.lineno)
        put = (at, at, f"{source.indent(compound)}{source.of(first)}\n")
        yield Edit((put, _taken_out(source, first)), "each_turn.first", first.lineno)


def _in_at_the_beginning(source: ParsedFile, before: ast.stmt, loop: ast.For | ast.While) -> Iterator[Edit]:
    """Yield the edit that does the statement before a loop at each turn."""
    first = loop.body[0]
    if isinstance(before, ast.Assign | ast.AnnAssign) and source.is_alone(before) and source.is_alone(first):
        at = source.begin_of_line(first.lineno)
        put = (at, at, f"{source.indent(first)}{source.of(before)}\n")
        yield Edit((put, _taken_out(source, before)), "each_turn.first", before.lineno)


def _taken_out(source: ParsedFile, statement: ast.stmt) -> Splice:
    return source.start(statement), source.end(statement), "pass"


def _sort(compound: ast.stmt) -> Sort:
    return "each_turn" if isinstance(compound, ast.For | ast.While) else "under_condition"
