"""Reads a Python file of literals under names; nothing in it is ever run.

A statement is a literal under one name, a docstring, or ``pass``. Literals are numbers, texts, True, False,
None, and lists and tuples of them. Anything else is reported with its line.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

MOST_CHARACTERS: Final = 20_000
"""A file of more characters is not read."""
_DEEPEST: Final = 4
"""Lists lie at most 4 deep in each other."""
_LARGEST: Final = 2**53
"""Whole numbers of this size or more are none that anybody writes here."""
_SHOWN: Final = 60
"""Of a line at most 60 characters are shown."""

Value: TypeAlias = "bool | int | float | str | list[Value] | tuple[Value, ...] | None"


@dataclass(frozen=True, slots=True)
class NoLiteral:
    """What stands under a name and is no literal."""

    line: int
    code: str
    """The line, cut where it is long."""


class UnreadableError(ValueError):
    """The file as a whole cannot be read: why, and in which line (0 where no line is the reason)."""

    def __init__(
        self, reason: Literal["too_long", "no_python", "no_assignment"], line: int = 0, code: str = ""
    ) -> None:
        self.reason, self.line, self.code = reason, line, code
        super().__init__(_ENGLISH[reason].format(line=line, code=code, most=MOST_CHARACTERS))


_ENGLISH: Final = {
    "too_long": "expected at most {most} characters",
    "no_python": "line {line} is no Python: {code}",
    "no_assignment": "line {line}: expected a literal under a name, such as order = [(1, 1)], got: {code}",
}


def read_literals(text: str) -> Mapping[str, Value | NoLiteral]:
    """Return the literals of a file by their names; of a name that comes twice, the last.

    Raises UnreadableError where the file is too long, is no Python, or holds other statements.
    """
    if len(text) > MOST_CHARACTERS:
        raise UnreadableError("too_long")
    lines = text.splitlines()
    found: dict[str, Value | NoLiteral] = {}
    for statement in _parsed(text, lines).body:
        for name, value in _assigned(statement, lines):
            try:
                found[name] = _value(value, _DEEPEST)
            except _OddError as odd:
                found[name] = NoLiteral(odd.line, _line(lines, odd.line))
    return found


def _parsed(text: str, lines: list[str]) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except SyntaxError as error:
            number = error.lineno or 1
            raise UnreadableError("no_python", number, _line(lines, number)) from None
        except (ValueError, RecursionError, MemoryError):
            raise UnreadableError("no_python", 1, _line(lines, 1)) from None


def _assigned(statement: ast.stmt, lines: list[str]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the name and the value of an assignment; nothing of what does nothing."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
        case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
            pass
        case _:
            raise UnreadableError("no_assignment", statement.lineno, _line(lines, statement.lineno))


class _OddError(Exception):
    """A part of a value is no literal."""

    def __init__(self, node: ast.expr) -> None:
        self.line = node.lineno
        super().__init__()


def _value(node: ast.expr, deep: int) -> Value:
    match node:
        case ast.Constant(value=None | bool() | float() | str() as constant):
            return constant
        case ast.Constant(value=int(number)) if number < _LARGEST:
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))) if number < _LARGEST:
            return -number
        case ast.List(elts=parts) if deep:
            return [_value(part, deep - 1) for part in parts]
        case ast.Tuple(elts=parts) if deep:
            return tuple(_value(part, deep - 1) for part in parts)
    raise _OddError(node)


def _line(lines: list[str], number: int) -> str:
    line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
