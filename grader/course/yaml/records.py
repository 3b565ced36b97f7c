"""Read the keys of a YAML file by the types of a dataclass: its fields are the keys, their types the bounds.

A field says with ``Meta`` what its value may be, and what it is for. What no type can say has a reader of its
own, and is ``Any`` here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from types import MappingProxyType, NoneType
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Meta

from grader.course.yaml.value import Value

Record = TypeVar("Record")
Reader = Callable[[Value], Any]
_LONGEST: Final = 1000
"""The most characters of a text whose type sets no bound."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a file: its type, its default, and what a value may be."""

    name: str
    kind: Any
    meta: Meta
    default: Any
    """MISSING for a key that has to be there."""

    @property
    def is_required(self) -> bool:
        """Whether a file without this key is refused."""
        return self.default is MISSING

    @property
    def is_size(self) -> bool:
        """Whether it is a number of bytes, which may have a unit."""
        return self.name.endswith("_bytes")


@cache
def keys_of(record: type) -> Mapping[str, Key]:
    """Return the keys that a dataclass describes, in order."""
    hints = get_type_hints(record, include_extras=True)
    made = (_key(each, hints[each.name]) for each in fields(record))
    return {key.name: key for key in made}


def fields_of(value: Value, record: type) -> dict[str, Value]:
    """Return the values of a mapping by key, refusing unknown keys and missing ones."""
    keys = keys_of(record).values()
    return value.fields(required=_names(keys, True), optional=_names(keys, False))


def read_fields(
    given: Mapping[str, Value], record: type, readers: Mapping[type, Reader] = MappingProxyType({})
) -> dict[str, Any]:
    """Read the values that have types, by key; one that is not given gets its default.

    ``readers`` are for types that are no numbers, texts, choices or records.
    """
    return {
        name: _read(given[name], key, readers) if name in given else key.default
        for name, key in keys_of(record).items()
        if key.kind is not Any
    }


def read_record(
    value: Value, record: type[Record], readers: Mapping[type, Reader] = MappingProxyType({})
) -> Record:
    """Read a mapping whose keys all have types."""
    return record(**read_fields(fields_of(value, record), record, readers))


def _names(keys: Iterable[Key], is_required: bool) -> list[str]:
    return [key.name for key in keys if key.is_required is is_required]


def _key(field: Field[Any], hint: Any) -> Key:
    kind, meta = (hint.__origin__, hint.__metadata__[0]) if get_origin(hint) is Annotated else (hint, Meta())
    parts = [part for part in get_args(kind) if part is not NoneType]
    if NoneType in get_args(kind):  # a key that may be missing
        kind = parts[0]
        if get_origin(kind) is Annotated:
            kind, meta = kind.__origin__, kind.__metadata__[0]
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    return Key(field.name.rstrip("_"), kind, meta, default)


def _read(value: Value, key: Key, readers: Mapping[type, Reader]) -> Any:
    kind, least, most = key.kind, key.meta.ge, key.meta.le
    if kind in readers:
        return readers[kind](value)
    if get_origin(kind) is Literal:
        return value.choice(get_args(kind))
    if is_dataclass(kind) and isinstance(kind, type):
        return read_record(value, kind, readers)
    if kind is str:
        return value.text(most=key.meta.max_length or _LONGEST)
    if least is None or most is None:
        raise TypeError(f"{key.name}: expected bounds")
    if kind is float:
        return value.number(least=least, most=most)
    return (value.size if key.is_size else value.whole)(least=int(least), most=int(most))
