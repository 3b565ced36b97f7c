"""Parts of a reply by their shape: each of these raises ProtocolError for any other one."""

from __future__ import annotations

import re
from typing import Final

from grader.errors import ProtocolError
from grader.model.claims import Positions
from grader.session.wire import MAX_COORDINATE

MAX_TEXT: Final = 2_000
FEW: Final = 100
"""At most 100 positions cost little, whatever their hashes are."""
_ADDRESS: Final = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")

Table = dict[str, object]
"""A JSON object of which only the keys are known."""


def without_addresses(text: str) -> str:
    """Hide every address in memory that a text holds, since they differ from run to run."""
    return _ADDRESS.sub("0x…", text) if "0x" in text else text


def off(where: str) -> ProtocolError:
    """Return the error to raise where something has another shape."""
    return ProtocolError(f"the reply's {where} is not as the protocol has it")


def table(value: object, required: set[str], where: str, *, allowed: frozenset[str] = frozenset()) -> Table:
    """Read an object with these keys, and perhaps some that are allowed."""
    if type(value) is not dict:
        raise off(where)
    if value.keys() != required and not required <= value.keys() <= required | allowed:
        raise off(where)
    return value


def items(value: object, most: int, where: str) -> list[object]:
    """Read a list of at most ``most`` items."""
    if type(value) is not list or len(value) > most:
        raise off(where)
    return value


def exactly(value: object, where: str, most: int | None = None) -> str:
    """Read a text as it stands."""
    if type(value) is not str or (most is not None and len(value) > most):
        raise off(where)
    return value


def text(value: object, where: str, most: int | None = None) -> str:
    """Read a text, and hide addresses in it."""
    return without_addresses(exactly(value, where, most))


def count(value: object, where: str) -> int:
    """Read a whole number that is 0 or more."""
    if type(value) is not int or value < 0:
        raise off(where)
    return value


def seconds(value: object, where: str) -> float:
    """Read a number that is 0 or more."""
    if (type(value) is int or type(value) is float) and value >= 0:
        return float(value)
    raise off(where)


def truth(value: object, where: str) -> bool:
    """Read a truth value."""
    if type(value) is not bool:
        raise off(where)
    return value


def positions(value: object, most: int, where: str) -> Positions:
    """Read pairs of whole numbers; there are thousands in a reply, so none costs a function call."""
    if type(value) is not list or len(value) > most:
        raise off(where)
    if not value:
        return ()
    try:
        pairs = tuple([(row, column) for row, column in value])
    except (TypeError, ValueError):
        raise off(where) from None
    for row, column in pairs:
        if type(row) is not int or type(column) is not int:
            raise off(where)
    if len(pairs) > FEW:
        least, largest = min(map(min, pairs)), max(map(max, pairs))
        if not -MAX_COORDINATE < least <= largest < MAX_COORDINATE:
            raise off(where)
    return pairs
