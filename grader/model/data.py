"""Plain data of any shape as it crosses the border of a box, both ways: PROTOCOL.md, section D.

``Reader`` and ``data_of`` read what is told; ``told`` tells what an exercise's own code draws or returns, and
refuses what no submission could tell. The other side of the border is ``grader/inside/values.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeAlias

from grader.languages import Message
from lab import Dimension, Maze, MazeFormatError, Vector

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
Telling: TypeAlias = bool | int | float | str | Message | Sequence["Telling"] | Mapping[str, "Telling"] | None


_MAX_NUMBER: Final = 2**53
"""Numbers of this size or more are not the same in every language."""
_MAX_COORDINATE: Final = 2**20
"""Pairs with larger numbers cannot be keys: thousands of them can be found that share one hash."""
_MAX_KEYS: Final = 50_000
"""A dictionary or a set from outside has at most 50,000 keys."""
_MAX_ALIKE: Final = 200
"""Keys that share one hash are each compared with all the others: 200 of them cost little."""
_MAX_MAZE: Final = 100_000
"""The text of a maze from outside has at most 100,000 characters."""
_MAX_WORDS: Final = 2_000
"""A description from outside has at most 2,000 characters."""
_MAX_NESTING: Final = 8
"""What lies more than 8 collections deep comes from a submission only as a description."""
_MAX_CHARACTERS: Final = 100_000
"""A text of more than 100,000 characters comes from a submission only as a description."""


@dataclass(frozen=True, slots=True)
class Described:
    """A part of an answer that is no plain data, in words."""

    type_name: str
    text: str


Data: TypeAlias = object
"""What a function may return: None, a truth value, a number, a text, a Vector, a Maze, a Dimension, something
described; lists, tuples, frozen sets and dictionaries of them."""


class DataReader:
    """Reads plain data from outside; ``clean`` makes texts fit to be shown, ``set_of`` makes sets."""

    def __init__(
        self, clean: Callable[[str], str] = str, set_of: Callable[[list[Data]], Data] = frozenset
    ) -> None:
        self._clean, self._set_of = clean, set_of
        self._readers: dict[str, Callable[[Any], Data]] = {
            "t": lambda content: tuple(map(self.read, _parts(content))),
            "s": lambda content: self._set_of(self._keys(_parts(content, _MAX_KEYS))),
            "d": self._mapping,
            "v": lambda content: Vector(*_pair(content)),
            "m": self._maze,
            "z": lambda content: Dimension(*_pair(content)),
            "f": lambda content: float(_text(content, 400)),
            "o": self._described,
        }

    def read(self, told: object) -> Data:
        """Return the data. Raises ValueError where it has another form."""
        if told is None or type(told) in (bool, int, float):
            return told
        if type(told) is str:
            return self._clean(told)
        if type(told) is list:
            return [part if type(part) is int else self.read(part) for part in told]
        if type(told) is dict and len(told) == 1:
            ((name, content),) = told.items()
            if name in self._readers:
                return self._readers[name](content)
        return _refuse()

    def _mapping(self, content: object) -> Data:
        pairs = [_parts(item, 2) for item in _parts(content, _MAX_KEYS)]
        values = [self.read(value) for _, value in pairs]
        return dict(zip(self._keys([key for key, _ in pairs]), values, strict=True))

    def _keys(self, told: list[object]) -> list[Data]:
        """Return the keys of a set or a dictionary. Raises ValueError where making it would take long."""
        keys = [self._key(key) for key in told]
        if len(keys) <= _MAX_ALIKE:
            return keys
        hashes = Counter({repr(key): hash(key) for key in keys}.values())
        return keys if max(hashes.values()) <= _MAX_ALIKE else _refuse()

    def _key(self, told: object) -> Data:
        key = self.read(told)
        return key if is_key(key) else _refuse()

    def _maze(self, content: object) -> Data:
        """Return a maze; text that is no maze is described in words."""
        try:
            return Maze.from_text(_text(content, _MAX_MAZE))
        except MazeFormatError as error:
            return Described("Maze", f"a maze that cannot be read: {error}"[:_MAX_WORDS])

    def _described(self, content: object) -> Data:
        kind, words = (self._clean(_text(part, _MAX_WORDS)) for part in _parts(content, 2))
        return Described(kind, words)


_FIXED: Final = frozenset({bool, int, float, str, Vector, type(None)})
"""Types whose values cannot change, of which large answers are made."""
data_of: Final = DataReader().read
"""Reads plain data of the grader's own."""


def copied(data: Data) -> Data:
    """Return data that may be changed while the original stays; what cannot change is shared."""
    if isinstance(data, list):
        return [*data] if _FIXED.issuperset(map(type, data)) else [*map(copied, data)]
    if isinstance(data, tuple) and not isinstance(data, Vector):
        return tuple([copied(part) for part in data])
    if isinstance(data, dict):
        return {key: copied(value) for key, value in data.items()}
    return data.copy() if isinstance(data, Maze) else data


def is_key(key: Data) -> bool:
    """Tell whether data from outside may be the key of a dictionary, or lie in a set."""
    if isinstance(key, Vector):
        return all(-_MAX_COORDINATE < number < _MAX_COORDINATE for number in key)
    if isinstance(key, tuple):
        return all(map(is_key, key))
    return not isinstance(key, (list, dict, set, frozenset, Maze))


def _parts(content: object, most: int | None = None) -> list[object]:
    return content if type(content) is list and (most is None or len(content) <= most) else _refuse()


def _pair(content: object) -> tuple[int, int]:
    row, column = _parts(content, 2)
    return (row, column) if type(row) is int and type(column) is int else _refuse()


def _text(content: object, most: int) -> str:
    return content if type(content) is str and len(content) <= most else _refuse()


def _refuse() -> NoReturn:
    raise ValueError("expected plain data as the protocol has it")


def told(value: object, depth: int = 0) -> Json:
    """Return a value as it is sent.

    Raises TypeError for what is not plain data, and for what no submission could send.
    """
    if (write_exact := _EXACT.get(type(value))) is not None:
        return write_exact(value)
    if type(value) is Vector and depth < _MAX_NESTING:
        return _told_tuple(value, depth + 1)
    for kind, write in _SINGLE.items():
        if isinstance(value, kind):
            return write(value)
    for kind, write_all in _COLLECTIONS.items():
        if isinstance(value, kind):
            if depth == _MAX_NESTING:
                raise TypeError(f"expected {_MAX_NESTING} collections in one another at the most, got more")
            return write_all(value, depth + 1)
    raise TypeError(f"expected plain data, got an object of the class {type(value).__name__}")


def _told_text(text: str) -> Json:
    if len(text) > _MAX_CHARACTERS:
        raise TypeError(f"expected a text of {_MAX_CHARACTERS} characters at the most, got {len(text)}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise TypeError(f"expected a text of whole characters, got half of a pair in {text!r:.80}") from None
    return str.__str__(text)


def _told_whole(number: int) -> Json:
    if abs(number) >= _MAX_NUMBER:
        raise TypeError(f"expected a whole number below 2^53, got one of {number.bit_length()} bits")
    return int(number)


def _told_maze(maze: Maze) -> Json:
    text = maze.to_text()
    if len(text) > _MAX_MAZE:
        raise TypeError(f"expected a maze of {_MAX_MAZE} characters at the most, got {len(text)}")
    return {"m": text}


_EXACT: Final[dict[type, Callable[[Any], Json]]] = {type(None): lambda _: None, bool: bool, int: _told_whole}
_SINGLE: Final[dict[type, Callable[[Any], Json]]] = {
    str: _told_text,
    int: _told_whole,
    float: lambda number: float(number) if abs(number) < _MAX_NUMBER else {"f": repr(float(number))},
    Maze: _told_maze,
    Dimension: lambda size: {"z": [size.row_count, size.column_count]},
}


def _told_each(values: Iterable[object], depth: int) -> list[Json]:
    return [
        value if type(value) is int and -_MAX_NUMBER < value < _MAX_NUMBER else told(value, depth)
        for value in values
    ]


def _told_tuple(values: tuple[object, ...], depth: int) -> Json:
    is_pair = len(values) == 2 and all(type(value) is int for value in values)
    return {"v": _told_each(values, depth)} if is_pair else {"t": _told_each(values, depth)}


def _told_set(values: Collection[object], depth: int) -> Json:
    return {"s": sorted(_told_keys(values, depth), key=repr)}


def _told_mapping(items: dict[object, object], depth: int) -> Json:
    pairs = zip(_told_keys(items, depth), _told_each(items.values(), depth), strict=True)
    return {"d": [[*pair] for pair in pairs]}


def _told_keys(keys: Collection[object], depth: int) -> list[Json]:
    if len(keys) > _MAX_KEYS:
        raise TypeError(f"expected a set or a dictionary of {_MAX_KEYS} keys at the most, got {len(keys)}")
    return [_told_key(key, depth) for key in keys]


def _told_key(key: object, depth: int) -> Json:
    sent = told(key, depth)
    if not is_key(key if type(key) in _FIXED else data_of(sent)):
        raise TypeError(
            "expected texts, numbers, cells, or tuples of such as the keys of a dictionary and in a set, "
            f"got {key!r:.80}"
        )
    return sent


_COLLECTIONS: Final[dict[type, Callable[[Any, int], Json]]] = {
    list: _told_each,
    tuple: _told_tuple,
    set: _told_set,
    frozenset: _told_set,
    dict: _told_mapping,
    type({}.keys()): lambda keys, depth: {"t": _told_each(keys, depth)},
    type({}.values()): lambda values, depth: {"t": _told_each(values, depth)},
}
