"""Numbers the collections that a student's code holds, so that one list under two names is not taken for two.

Numbers go by the order in which collections are first seen, never by addresses, which are luck. Iterators are
numbered, too.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from types import GeneratorType
from typing import Any, Final

MOST_OBJECTS: Final = 20_000
"""As many objects are numbered; they are kept, so that no other object gets the address of one."""
MOST_PLACES: Final = 100
"""In one collection, and in what one call holds, so many places are looked at; in more, none."""
_LISTS: Final = (list, deque)
_DICTS: Final = (dict, defaultdict, OrderedDict)
_WRAPPERS: Final = (zip, map, filter, enumerate)
_SEQUENCES: Final[tuple[Any, ...]] = (
    [],
    (),
    {},
    {}.values(),
    {}.items(),
    set(),
    deque(),
    range(0),
    range(1 << 70),
)
ITERATORS: Final = (
    *(GeneratorType, *_WRAPPERS, reversed),
    *(type(iter(each)) for each in _SEQUENCES),
    *(type(reversed(_SEQUENCES[place])) for place in (0, 2, 6, 7)),
)
"""Kinds of what can be gone through once."""
_NUMBERED: Final = {*_LISTS, *_DICTS, set, *ITERATORS}


class Identities:
    """The numbers of the objects that were seen."""

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}
        self._objects: list[object] = []

    def of(self, variables: Iterable[tuple[str, Any]]) -> dict[str, int]:
        """Return the numbers of the collections that variables hold, by name.

        Where several places hold the same one, those that are entries of a collection are among the names:
        ``stack[0][1]``. What a tuple holds that stands in two places is one place.
        """
        named, entries, looked = dict[str, int](), dict[str, int](), set[int]()
        for name, value in variables:
            if number := self._number(value):
                named[name] = number
            if id(value) not in looked:
                looked.add(id(value))
                entries |= {place: self._number(held) for place, held in _entries(name, value, looked)}
        counts = Counter([*named.values(), *entries.values()])
        shared = {place: number for place, number in entries.items() if number and counts[number] > 1}
        return named | (shared if len(shared) <= MOST_PLACES else {})

    def shared(self, variables: Iterable[tuple[str, Any]]) -> list[tuple[list[str], object]]:
        """Return the collections that stand in several places, each with these places."""
        places: dict[int, list[str]] = {}
        for place, number in self.of(variables).items():
            places.setdefault(number, []).append(place)
        return [(names, self._objects[number - 1]) for number, names in places.items() if len(names) > 1]

    def _number(self, value: object) -> int:
        """Return the number of a collection; 0 for all else, and where too many were seen."""
        if type(value) not in _NUMBERED:
            return 0
        number = self._seen.get(id(value), 0)
        if not number and len(self._objects) < MOST_OBJECTS:
            self._objects.append(value)
            number = self._seen[id(value)] = len(self._objects)
        return number


def _entries(name: str, value: Any, looked: set[int], depth: int = 2) -> Iterator[tuple[str, object]]:
    """Yield the places of a collection, and of the tuples in it, at which collections stand."""
    kind = type(value)
    if kind in _DICTS:
        items: Iterable[tuple[object, object]] = value.items()
    elif kind in _LISTS or kind is tuple:
        items = enumerate(value)
    else:
        return
    if len(value) > MOST_PLACES:
        return
    for key, held in items:
        if type(held) in _NUMBERED:
            yield f"{name}[{_key(key)}]", held
        if type(held) is tuple and depth and id(held) not in looked:
            looked.add(id(held))
            yield from _entries(f"{name}[{_key(key)}]", held, looked, depth - 1)


def _key(key: object) -> str:
    """Return a key as a short text, without running code of it."""
    if isinstance(key, tuple):
        return f"({', '.join(map(_key, islice(tuple.__iter__(key), 3)))})"
    return repr(key)[:20] if type(key) in (int, str, bool, type(None)) else "…"


def is_used_up(value: Any) -> bool:
    """Tell whether an iterator is known to give nothing more, without asking it for anything."""
    kind = type(value)
    if kind is GeneratorType:
        return value.gi_frame is None
    if kind in _WRAPPERS:
        return any(map(is_used_up, value.__reduce__()[1]))
    return kind in ITERATORS and value.__length_hint__() == 0
