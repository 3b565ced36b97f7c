"""Parts of a reply by their shape: each of these raises ProtocolError for any other one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from grader.errors import ProtocolError
from grader.model.claims import (
    NONE,
    IntValue,
    MazeValue,
    NoneValue,
    OddElement,
    OtherValue,
    Positions,
    Value,
    VectorsValue,
    VectorValue,
    truth_value,
)
from grader.session.connection import MAX_COORDINATE

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


MAX_VECTORS: Final = 20_000
MAX_MAZE: Final = 100_000


def value_of(value: object, most: int = MAX_VECTORS) -> Value:
    """Read an R (PROTOCOL.md of grader/inside), of at most ``most`` vectors. Raises ProtocolError."""
    if type(value) is dict and type(kind := value.get("type")) is str and kind in _READERS:
        return _vectors(value, most) if kind == VectorsValue.kind else _READERS[kind](value)
    raise off("value")


def _only(value: Table) -> object:
    """Return what stands in an R beside its type, quickly: there are tens of thousands."""
    if len(value) != 2 or "value" not in value:
        raise off("value")
    return value["value"]


def _none(value: Table) -> NoneValue:
    if len(value) != 1:
        raise off("value")
    return NONE


def _int(value: Table) -> IntValue:
    number = _only(value)
    if type(number) is not int:
        raise off("value")
    return IntValue(number)


def _vector(value: Table) -> VectorValue:
    (position,) = positions([_only(value)], 1, "value")
    return VectorValue(position)


def _vectors(value: Table, most: int = MAX_VECTORS) -> VectorsValue:
    told = table(value, {"type", "value", "container"}, "value")
    vectors = positions(told["value"], min(most, MAX_VECTORS), "value")
    return VectorsValue(vectors, text(told["container"], "value", 40))


def _other(value: Table) -> OtherValue:
    told = table(value, {"type", "class", "text"}, "value", allowed=frozenset({"index", "element"}))
    described = (text(told["class"], "value", MAX_TEXT), text(told["text"], "value", MAX_TEXT))
    if "index" not in told and "element" not in told:
        return OtherValue(*described)
    element = table(told.get("element"), {"class", "text"}, "value")
    class_name, said = (text(element[key], "value", MAX_TEXT) for key in ("class", "text"))
    return OtherValue(*described, OddElement(count(told.get("index"), "value"), class_name, said))


_READERS: Final[Mapping[str, Callable[[Table], Value]]] = {
    "none": _none,
    "bool": lambda value: truth_value(truth(_only(value), "value")),
    "int": _int,
    "vector": _vector,
    "vectors": _vectors,
    "maze": lambda value: MazeValue(exactly(_only(value), "value", MAX_MAZE)),
    "other": _other,
}
