"""Put faults into right code, by other changes than those with which the grader tries to correct mistakes.

Each is one change of the text, at a known line.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

Change = tuple[ast.expr | ast.stmt, str]
"""A node and its replacement."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A source text with one fault."""

    operator: str
    line: int
    text: str


def faults_of(text: str) -> Iterator[Fault]:
    """Yield all faults of a file, by operator, in text order."""
    tree = ast.parse(text)
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def of(node: ast.expr | ast.stmt) -> slice:
        last, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return slice(starts[node.lineno - 1] + node.col_offset, starts[last - 1] + column)

    for name, operator in OPERATORS.items():
        for node in ast.walk(tree):
            for old, new in operator(node, lambda part: text[of(part)]):
                place = of(old)
                yield Fault(name, old.lineno, text[: place.start] + new + text[place.stop :])


Of = Callable[[ast.expr | ast.stmt], str]


def _half_a_sum(node: ast.AST, of: Of) -> Iterator[Change]:
    if isinstance(node, ast.BinOp):
        yield from ((node, of(part)) for part in (node.left, node.right))


def _half_a_condition(node: ast.AST, of: Of) -> Iterator[Change]:
    if isinstance(node, ast.BoolOp):
        yield from ((node, of(part)) for part in node.values)


def _certain(node: ast.AST, _of: Of) -> Iterator[Change]:
    if isinstance(node, ast.If):
        yield from ((node.test, truth) for truth in ("True", "False"))


def _not_the_first(node: ast.AST, of: Of) -> Iterator[Change]:
    if isinstance(node, ast.For):
        yield node.iter, f"list({of(node.iter)})[1:]"


def _by_value(node: ast.AST, of: Of) -> Iterator[Change]:
    if isinstance(node, ast.For):
        yield node.iter, f"sorted({of(node.iter)}, key=str)"


def _seven_off(node: ast.AST, _of: Of) -> Iterator[Change]:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield node, str(node.value + 7)


def _bare(node: ast.AST, of: Of) -> Iterator[Change]:
    if isinstance(node, ast.Call) and len(node.args) == 1:
        yield node, of(node.args[0])


def _anew(node: ast.AST, of: Of) -> Iterator[Change]:
    if isinstance(node, ast.AugAssign):
        yield node, f"{of(node.target)} = {of(node.value)}"


def _twice(node: ast.AST, of: Of) -> Iterator[Change]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node, f"{of(node)}; {of(node)}"


def _cut_short(node: ast.AST, of: Of) -> Iterator[Change]:
    if isinstance(node, ast.For | ast.While) and isinstance(node.body[-1], ast.Assign | ast.Expr):
        yield node.body[-1], f"{of(node.body[-1])}; break"


def _left_out(node: ast.AST, _of: Of) -> Iterator[Change]:
    if isinstance(node, ast.Assign | ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield node, "pass"


def _key_for_value(node: ast.AST, of: Of) -> Iterator[Change]:
    match node:
        case ast.Assign(targets=[ast.Subscript(value=owner, slice=key)], value=value):
            yield node, f"{of(owner)}[{of(value)}] = {of(key)}"


def _stale(node: ast.AST, of: Of) -> Iterator[Change]:
    if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
        yield node.target, f"next_{of(node.target)}"


def _always_the_same(node: ast.AST, of: Of) -> Iterator[Change]:
    if isinstance(node, ast.Call):
        for argument in node.args[1:]:
            yield argument, of(node.args[0])


OPERATORS: Final[dict[str, Callable[[ast.AST, Of], Iterator[Change]]]] = {
    "half a sum": _half_a_sum,
    "half a condition": _half_a_condition,
    "certain": _certain,
    "not the first": _not_the_first,
    "by value": _by_value,
    "seven off": _seven_off,
    "bare": _bare,
    "anew": _anew,
    "twice": _twice,
    "cut short": _cut_short,
    "left out": _left_out,
    "key for value": _key_for_value,
    "stale": _stale,
    "always the same": _always_the_same,
}
