"""Read a Python file of named literals; nothing in it is ever run.

A statement is an assignment of a literal to one name, a docstring, or ``pass``. Literals are numbers, texts,
True, False, None, and lists and tuples of them. Anything else is reported with its line.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

MOST_CHARACTERS: Final = 20_000
"""A longer file is not read."""
_DEEPEST: Final = 4
"""The deepest nesting of lists."""
_LARGEST: Final = 2**53
"""Whole numbers from here on are refused: nobody needs them here."""
_SHOWN: Final = 60
"""The most characters of a line that are shown."""

Value: TypeAlias = "bool | int | float | str | list[Value] | tuple[Value, ...] | None"


@dataclass(frozen=True, slots=True)
class NoLiteral:
    """A named value that is no literal."""

    line: int
    code: str
    """The line, shortened if it is long."""


class UnreadableError(ValueError):
    """Why the file as a whole cannot be read, and in which line (0 if it is not about a line)."""

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
    """Return a file's literals by name; if a name is assigned twice, the last one.

    Raises UnreadableError if the file is too long, is not Python, or contains other statements.
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
    """Yield name and value of an assignment; nothing for a statement without effect."""
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
    """Part of a value is no literal."""

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
