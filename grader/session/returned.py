"""From an R to what a call gave: the values of grader/inside/PROTOCOL.md by their type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from grader.model.claims import (
    NONE,
    BoolValue,
    IntValue,
    MazeValue,
    NoneValue,
    OddElement,
    OtherValue,
    Value,
    VectorsValue,
    VectorValue,
    truth_value,
)
from grader.session import shapes

MAX_VECTORS: Final = 20_000
MAX_MAZE: Final = 100_000


def value_of(value: object, most: int = MAX_VECTORS) -> Value:
    """Read an R, of at most ``most`` vectors. Raises ProtocolError."""
    if type(value) is dict and type(kind := value.get("type")) is str and kind in _READERS:
        return _vectors(value, most) if kind == VectorsValue.kind else _READERS[kind](value)
    raise shapes.off("value")


def _only(value: shapes.Table) -> object:
    """Return what stands in an R beside its type, quickly: there are tens of thousands."""
    if len(value) != 2 or "value" not in value:
        raise shapes.off("value")
    return value["value"]


def _none(value: shapes.Table) -> NoneValue:
    if len(value) != 1:
        raise shapes.off("value")
    return NONE


def _bool(value: shapes.Table) -> BoolValue:
    return truth_value(shapes.truth(_only(value), "value"))


def _int(value: shapes.Table) -> IntValue:
    number = _only(value)
    if type(number) is not int:
        raise shapes.off("value")
    return IntValue(number)


def _vector(value: shapes.Table) -> VectorValue:
    (position,) = shapes.positions([_only(value)], 1, "value")
    return VectorValue(position)


def _vectors(value: shapes.Table, most: int = MAX_VECTORS) -> VectorsValue:
    told = shapes.table(value, {"type", "value", "container"}, "value")
    vectors = shapes.positions(told["value"], min(most, MAX_VECTORS), "value")
    return VectorsValue(vectors, shapes.text(told["container"], "value", 40))


def _maze(value: shapes.Table) -> MazeValue:
    return MazeValue(shapes.exactly(_only(value), "value", MAX_MAZE))


def _other(value: shapes.Table) -> OtherValue:
    told = shapes.table(value, {"type", "class", "text"}, "value", allowed=frozenset({"index", "element"}))
    described = (
        shapes.text(told["class"], "value", shapes.MAX_TEXT),
        shapes.text(told["text"], "value", shapes.MAX_TEXT),
    )
    if "index" not in told and "element" not in told:
        return OtherValue(*described)
    element = shapes.table(told.get("element"), {"class", "text"}, "value")
    class_name, text = (shapes.text(element[key], "value", shapes.MAX_TEXT) for key in ("class", "text"))
    return OtherValue(*described, OddElement(shapes.count(told.get("index"), "value"), class_name, text))


_READERS: Final[Mapping[str, Callable[[shapes.Table], Value]]] = {
    "none": _none,
    "bool": _bool,
    "int": _int,
    "vector": _vector,
    "vectors": _vectors,
    "maze": _maze,
    "other": _other,
}
