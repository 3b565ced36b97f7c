"""What the student's code returns, as plain data.

No method of a student's object is called here: types are compared by identity, or looked for among
the real bases of the object's class, and contents are read through the methods of the built-in
types. The text for people is made from the same. Plain data may have any shape, as what the student's
code is given may (PROTOCOL.md, section D).
"""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from gc import get_referents
from itertools import chain, islice, repeat
from operator import is_
from types import BuiltinFunctionType, FunctionType, GeneratorType, MappingProxyType, MethodType
from typing import Any, Final

from lab.dimension import Dimension
from lab.maze import Maze
from lab.vector import Vector

from .wire import MAX_COORDINATE, MAX_NUMBER

Plain = dict[str, Any]

MAX_VECTORS: Final = 20_000
"""More than any way needs; a longer list is described, not sent."""
MAX_TEXT: Final = 200
"""A value is described in at most 200 characters."""
_MAX_ELEMENTS: Final = 8
"""At most 8 elements of a collection are described."""
_MAX_SORTED: Final = 1_000
"""Of a set, the first 8 of at most 1,000 sorted texts are described: its own order may be random."""

MAX_MAZE: Final = 100_000
"""More characters than a maze has that is asked for, or one four times as large; longer text is described."""

_CONTAINERS: Final[dict[type[Any], str]] = {
    list: "list",
    tuple: "tuple",
    deque: "deque",
    type({}.keys()): "dict_keys",
    type(OrderedDict().keys()): "odict_keys",
    type({}.values()): "dict_values",
    type(OrderedDict().values()): "odict_values",
}
_DERIVABLE: Final = (list, tuple, deque)
"""The containers that a class can be derived from, and is then read as."""
_SETS: Final = (set, frozenset)
_FUNCTIONS: Final = (FunctionType, BuiltinFunctionType, MethodType)
_NAME: Final[Any] = type.__dict__["__name__"]
_MRO: Final[Any] = type.__dict__["__mro__"]
_elements: Final[Callable[[Any], Iterator[Any]]] = tuple.__iter__
_length: Final[Callable[[Any], int]] = tuple.__len__
maze_text_of: Final[Callable[[Maze], str]] = Maze.to_text


def plain(value: object, most: int = MAX_VECTORS) -> Plain:
    """Turn a value into an R; describe a list of more vectors than ``most``."""
    kind = type(value)
    if value is None:
        return {"type": "none"}
    if kind is bool:
        return {"type": "bool", "value": value}
    # what most calls give, found without a look at its bases
    if kind is list or (kind is tuple and _length(value) != 2):
        return _vectors(value, kind, most)
    number = None if kind is Vector else _whole(value)
    if number is not None:
        return {"type": "int", "value": number}
    position = pair(value)
    if position is not None:
        return {"type": "vector", "value": position}
    container = _container(kind)
    if container is not None:
        return _vectors(value, container, most)
    if is_a(Maze, kind):
        return _maze(value)
    return other(value)


def iterated(value: object) -> object:
    """Return the keys of a dict, or of a read-only view of one, as a tuple; any other value as it is."""
    if type(value) is MappingProxyType:
        value = get_referents(value)[0]
    kind: Any = next((kind for kind in (OrderedDict, dict) if is_a(kind, type(value))), None)
    return value if kind is None else tuple(kind.__iter__(value))


def pair(value: object) -> list[int] | None:
    """Return the row and the column of a Vector, or of any tuple like it; None for all else."""
    kind = type(value)
    if kind is not Vector and kind is not tuple and not is_a(tuple, kind):
        return None
    if _length(value) != 2:
        return None
    row, column = _elements(value)
    if type(row) is not int or type(column) is not int:
        row, column = _whole(row), _whole(column)
        if row is None or column is None:
            return None
    if -MAX_COORDINATE < row < MAX_COORDINATE and -MAX_COORDINATE < column < MAX_COORDINATE:
        return [row, column]
    return None


def positions_of(stream: list[Any]) -> list[tuple[int, int]]:
    """Return the positions of a stream; leave out what is no position."""
    seen = stream[:]
    if not _all_plain(seen):  # the classes of positions may be the student's own, their methods too
        seen = [(cell[0], cell[1]) for cell in map(pair, seen) if cell is not None]
    return seen


def _all_plain(values: list[Any]) -> bool:
    """Tell whether the values are all vectors, or all tuples, that ``pair`` accepts, in one check of all."""
    if not values:
        return True
    kind = type(values[0])
    if not (kind is Vector or kind is tuple) or not _are_all(kind, values) or set(map(len, values)) != {2}:
        return False
    numbers = list(chain.from_iterable(values))
    return _are_all(int, numbers) and -MAX_COORDINATE < min(numbers) <= max(numbers) < MAX_COORDINATE


def _are_all(kind: type, values: list[Any]) -> bool:
    """Tell whether all are of exactly this class, without asking the classes themselves."""
    return all(map(is_, map(type, values), repeat(kind)))


def _whole(value: Any) -> int | None:
    """Return the number of an int, or of an object of a derived class, bool among them; None for all else."""
    kind = type(value)
    if kind is not int:
        if not is_a(int, kind):
            return None
        value = int.__index__(value)
    return value if -MAX_NUMBER < value < MAX_NUMBER else None


def is_a(base: type, kind: type) -> bool:
    """Tell whether the class is the base, or is derived from it."""
    return _is_one_of(base, _MRO.__get__(kind))


def _is_one_of(kind: type, kinds: Iterable[type]) -> bool:
    """Tell whether the class is among these; ``in`` would ask the classes themselves what they equal."""
    return any(each is kind for each in kinds)


def _container(kind: type) -> type | None:
    """Return the built-in container that a class is, or is derived from; None where it is none."""
    if _is_one_of(kind, _CONTAINERS):
        return kind
    return next((base for base in _DERIVABLE if is_a(base, kind)), None)


def other(value: object) -> Plain:
    """Describe a value of any other kind."""
    return {"type": "other", "class": class_name(value), "text": describe(value)}


def class_name(value: object) -> str:
    """Return the name of the value's real class, whatever it says about itself."""
    name = _NAME.__get__(type(value))
    return clean(name if type(name) is str else "?", 80)


def clean(text: str, length: int) -> str:
    """Cut a text to a length, and make visible what is no character of Unicode."""
    cut = str.__getitem__(text, slice(length))
    return cut.encode("utf-8", "backslashreplace").decode("utf-8")[:length]


def _vectors(value: Any, container: Any, most: int) -> Plain:
    if container.__len__(value) > most:
        return other(value)
    elements = list(container.__iter__(value))
    if _all_plain(elements):
        return {"type": "vectors", "value": [*map(list, elements)], "container": _CONTAINERS[container]}
    found = []
    for index, element in enumerate(elements):
        position = pair(element)
        if position is None:
            told = {"class": class_name(element), "text": describe(element)}
            return {**other(value), "index": index, "element": told}
        found.append(position)
    return {"type": "vectors", "value": found, "container": _CONTAINERS[container]}


def _maze(value: Any) -> Plain:
    try:
        text = maze_text_of(value)
    except Exception:  # noqa: BLE001 - its fields may hold anything by now
        return {**other(value), "text": "a maze whose inside was changed so that it cannot be written"}
    if type(text) is not str:
        return other(value)
    if len(text) > MAX_MAZE:
        return {**other(value), "text": f"a maze of {len(text)} characters, far too large"}
    return {"type": "maze", "value": text}


# --- texts for people ---------------------------------------------------------------------------


def describe(value: object, depth: int = 2) -> str:
    """Describe a value in 200 characters at most."""
    try:
        return clean(_text(value, depth), MAX_TEXT)
    except Exception:  # noqa: BLE001 - it changed under our hands: another thread of the student's is still at work
        return f"an object of the class {class_name(value)}"


def _text(value: Any, depth: int) -> str:
    kind = type(value)
    if kind is str:
        return repr(value[:MAX_TEXT])
    if kind is int and value.bit_length() > 300:
        return f"a whole number of {value.bit_length()} bits"
    if value is None or _is_one_of(kind, (bool, int, float, complex)):
        return repr(value)
    if _is_one_of(kind, (bytes, bytearray)):
        return repr(kind(value[:MAX_TEXT]))
    if kind is dict or _is_one_of(kind, _SETS):
        return _collection(value, kind, depth)
    container = _container(kind)
    return _object(value) if container is None else _collection(value, container, depth)


def _object(value: Any) -> str:
    if type(value) is type:
        return f"the class {_NAME.__get__(value)}"
    if _is_one_of(type(value), _FUNCTIONS):
        return f"the function {getattr(value, '__name__', '?')}"
    if type(value) is GeneratorType:
        return "a generator (a function with yield)"
    return f"an object of the class {class_name(value)}"


def _collection(value: Any, kind: Any, depth: int) -> str:
    """Describe the first elements, read through the built-in type that the value is, or is derived from."""
    opening, closing = _brackets(kind)
    if depth == 0:
        return f"{opening}...{closing}"
    if kind is dict:
        first = islice(value.items(), _MAX_ELEMENTS)
        shown = [f"{_text(key, depth - 1)}: {_text(element, depth - 1)}" for key, element in first]
    else:
        most = _MAX_SORTED if kind in _SETS else _MAX_ELEMENTS
        shown = [_text(element, depth - 1) for element in islice(kind.__iter__(value), most)]
    if kind in _SETS:
        shown = sorted(shown)[:_MAX_ELEMENTS]  # what lies in a set has no order of its own
    count = kind.__len__(value)
    if kind is set and count == 0:
        return "set()"  # {} is a dict
    if count > _MAX_ELEMENTS:
        shown.append(f"... {count} in all")
    if kind is tuple and count == 1:
        shown.append("")
    return opening + ", ".join(shown).rstrip(" ") + closing


def _brackets(kind: type) -> tuple[str, str]:
    plain_brackets = {list: ("[", "]"), tuple: ("(", ")"), dict: ("{", "}"), set: ("{", "}")}
    if kind in plain_brackets:
        return plain_brackets[kind]
    return f"{_CONTAINERS.get(kind, 'frozenset')}([", "])"


MAX_PARTS: Final = 1_000_000
"""A value of more than 1,000,000 parts is described, not sent."""
MAX_KEYS: Final = 50_000
"""A set or a dictionary of more than 50,000 keys is described."""
MAX_NESTING: Final = 8
"""What lies more than 8 collections deep is described."""
MAX_CHARACTERS: Final = 100_000
"""A longer text is described."""

_VIEWS: Final[tuple[Any, ...]] = (type({}.keys()), type({}.values()), type({}.items()))
_AS_TUPLES: Final[tuple[tuple[type, Callable[[Any], Iterator[Any]]], ...]] = (
    (tuple, tuple.__iter__),
    (deque, deque.__iter__),
    *((view, view.__iter__) for view in _VIEWS),
)
"""What is sent as a tuple, and how its elements are read, in order."""


class _TooMuch(Exception):  # noqa: N818 - named after what happened
    """The value has more parts than are sent."""


def data(value: Any, most: int = MAX_PARTS) -> Any:
    """Return a value as a D; describe one that has more than ``most`` parts."""
    try:
        return _Teller(most).told(value, 0)
    except _TooMuch:
        return _described(value)


class _Teller:
    """Turns a value into a D, and counts its parts on the way."""

    def __init__(self, most: int) -> None:
        self._left = most

    def _count(self, parts: int) -> None:
        self._left -= parts
        if self._left < 0:
            raise _TooMuch

    def told(self, value: Any, depth: int) -> Any:
        self._count(1)
        return self._counted(value, depth)

    def _counted(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind is Vector and depth < MAX_NESTING:  # as below, in a third of the time
            pair = [*tuple.__iter__(value)]
            is_whole = len(pair) == 2 and type(pair[0]) is type(pair[1]) is int
            if is_whole and -MAX_NUMBER < min(pair) <= max(pair) < MAX_NUMBER:
                self._count(2)
                return {"v": pair}
        if value is None or kind is bool or (kind is int and -MAX_NUMBER < value < MAX_NUMBER):
            return value
        if kind is str or kind is float:
            return _scalar(value)
        found = None if depth == MAX_NESTING else self._collection(value, kind, depth + 1)
        return _single(value, kind) if found is None else found

    def _collection(self, value: Any, kind: type, depth: int) -> Any:
        if kind is MappingProxyType:
            value, kind = iterated(value), tuple
        if is_a(list, kind):
            return self._each(list.__iter__(value), depth)
        for base, read in _AS_TUPLES:
            if is_a(base, kind):
                return self._tuple(read(value), depth)
        if is_a(dict, kind):
            return self._mapping(value, kind, depth)
        for kept in (set, frozenset):
            if is_a(kept, kind):
                return self._set(kept.__iter__(value), kept.__len__(value), depth)
        return None

    def _each(self, elements: Iterator[Any], depth: int) -> list[Any]:
        parts = [*islice(elements, self._left + 1)]
        self._count(len(parts))
        return [
            part if type(part) is int and -MAX_NUMBER < part < MAX_NUMBER else self._counted(part, depth)
            for part in parts
        ]

    def _tuple(self, elements: Iterator[Any], depth: int) -> Any:
        told = self._each(elements, depth)
        is_pair = len(told) == 2 and type(told[0]) is int and type(told[1]) is int
        return {"v": told} if is_pair else {"t": told}

    def _mapping(self, value: Any, kind: type, depth: int) -> Any:
        if dict.__len__(value) > MAX_KEYS:
            raise _TooMuch
        items = OrderedDict.items(value) if is_a(OrderedDict, kind) else dict.items(value)
        return {"d": [[self._key(key, depth), self.told(item, depth)] for key, item in items]}

    def _set(self, elements: Iterator[Any], count: int, depth: int) -> Any:
        if count > MAX_KEYS:
            raise _TooMuch
        return {"s": [self._key(element, depth) for element in elements]}

    def _key(self, key: Any, depth: int) -> Any:
        """Return a key as a D; describe one that cannot be a key on the other side, too."""
        told = self.told(key, depth)
        return told if can_be_key(told) else _described(key)


def can_be_key(told: Any) -> bool:
    """Tell whether a D can be a dictionary key on the trusted side: text, a number, or a tuple of such.

    Thousands of pairs of large numbers can be made that share one hash.
    """
    if type(told) is not dict:
        return type(told) is not list
    ((name, content),) = told.items()
    if name == "v":
        return bool(-MAX_COORDINATE < min(content) <= max(content) < MAX_COORDINATE)
    return name in ("f", "o", "z") or (name == "t" and all(map(can_be_key, content)))


def _scalar(value: Any) -> Any:
    if type(value) is float:
        return value if math.isfinite(value) and abs(value) < MAX_NUMBER else {"f": repr(value)}
    return (
        value.encode("utf-8", "backslashreplace").decode()
        if len(value) <= MAX_CHARACTERS
        else _described(value)
    )


def _single(value: Any, kind: type) -> Any:
    """Return as a D what is no collection, or lies too deep."""
    if is_a(Maze, kind):
        try:
            text = maze_text_of(value)
        except Exception:  # noqa: BLE001 - its fields may hold anything by now
            return _described(value)
        return {"m": text} if type(text) is str and len(text) <= MAX_MAZE else _described(value)
    if kind is Dimension:
        return {"z": [value.row_count, value.column_count]}
    if is_a(int, kind):
        number = int.__index__(value)
        return number if -MAX_NUMBER < number < MAX_NUMBER else _described(value)
    if is_a(float, kind):
        return _scalar(float.__float__(value))
    return _scalar(str.__str__(value)) if is_a(str, kind) else _described(value)


def _described(value: Any) -> Any:
    return {"o": [class_name(value), describe(value)]}


def made(told: Any) -> Any:
    """Make the value that a D of the grader's stands for."""
    if type(told) is list:
        return [made(part) for part in told]
    if type(told) is not dict:
        return told
    ((name, content),) = told.items()
    return _MAKERS[name](content)


_MAKERS: Final[dict[str, Callable[[Any], Any]]] = {
    "t": lambda parts: tuple(map(made, parts)),
    "s": lambda parts: set(map(made, parts)),
    "d": lambda items: {made(key): made(item) for key, item in items},
    "v": lambda pair: Vector(*pair),
    "m": Maze.from_text,
    "z": lambda pair: Dimension(*pair),
    "f": float,
}
