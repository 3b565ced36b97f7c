"""The values of the variables of each call, as short texts, at each moment.

Only changes are kept, and of many the last ones. A value whose parts are the same objects as before is not
written out again: that is what makes it cheap enough for each line.
"""

from __future__ import annotations

import json
from array import array
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import islice
from operator import is_
from typing import Any, Final, NamedTuple

from lab.identities import Identities
from lab.recorded import is_dull
from lab.steps import shown

MOST_VALUES: Final = 40_000
"""As many changes are kept: those of a right solver on 20 x 20 cells are some 10,000."""
_PARTS: Final = 12
"""What is written of a collection is told by its first 12 elements and their number, but for a set."""
_SET: Final = 200
_WRITTEN: Final = 5_000
"""The texts of as many objects are remembered."""
SHARED: Final = "="
"""Stands among the variables for the collections that several places hold, each with these and its text."""
_CONSTANT: Final = (int, float, bool, str, type(None))


class ValueChange(NamedTuple):
    """A variable of a call has another value from a moment on; without a name, the call has ended."""

    moment: int
    call: int
    name: str
    text: str


class ValueHistory:
    """What the variables held, call by call."""

    def __init__(self) -> None:
        self.running = array("L")
        """The call of each line that ran."""
        self.changes: deque[ValueChange] = deque()
        self.since = 0
        """The moment before which values are not known any more."""
        self._identities = Identities()
        self._before: dict[int, dict[str, str]] = {}
        """What the changes that are no longer kept amount to, for calls that had not ended then."""
        self._held: dict[int, dict[str, str]] = {}
        self._written: dict[int, tuple[object, Sequence[object], int, str]] = {}
        """Objects by their identity, with what their texts depend on."""

    def look(self, call: int, variables: Sequence[tuple[str, Any]], moment: int) -> None:
        """Keep what has changed in a call."""
        held = self._held.setdefault(call, {SHARED: "[]"})
        shared = [[names, self._text(value)] for names, value in self._identities.shared(variables)]
        texts = ((name, self._text(value)) for name, value in variables)
        for name, text in (*texts, (SHARED, json.dumps(shared))):
            if held.get(name) != text:
                held[name] = text
                if not is_dull(name, text):
                    self._keep(ValueChange(moment, call, name, text))

    def _text(self, value: object) -> str:
        """Return a value as a text; that of the same object with the same parts is not made again."""
        known = self._written.get(id(value))
        parts, count = _parts(value)
        if known is not None and known[2] == count and all(map(is_, known[1], parts)):
            return known[3]
        text = shown(value)
        if count and all(map(_is_fixed, parts)):
            if len(self._written) >= _WRITTEN:
                self._written.clear()
            self._written[id(value)] = value, parts, count, text
        else:
            self._written.pop(id(value), None)
        return text

    def end(self, call: int, moment: int) -> None:
        """Note that a call has ended."""
        self._held.pop(call, None)
        self._keep(ValueChange(moment, call, "", ""))

    def _keep(self, change: ValueChange) -> None:
        self.changes.append(change)
        if len(self.changes) > MOST_VALUES:
            left = self.changes.popleft()
            self.since = left.moment
            if left.name:
                self._before.setdefault(left.call, {})[left.name] = left.text
            else:
                self._before.pop(left.call, None)

    def told(self, first: int, last: int) -> dict[str, Any]:
        """Return the values between two moments as plain data.

        ``calls`` are the moments at which another call goes on, with its number; ``held`` tells for each call
        and variable its values, each with its moment, as places in ``texts``.
        """
        running = self.running[first:last]
        turns = [n for n, call in enumerate(running) if not n or call != running[n - 1]]
        before = (
            ValueChange(self.since, call, *each)
            for call, held in self._before.items()
            for each in held.items()
        )
        texts: dict[str, int] = {}
        held: dict[int, dict[str, list[list[int]]]] = {}
        known = {running[n] for n in turns}
        for moment, call, name, text in (*before, *self.changes):
            if name and call in known and moment <= last:
                place = texts.setdefault(text, len(texts))
                _add(held.setdefault(call, {}).setdefault(name, []), max(0, moment - first), place)
        return {
            "since": max(0, self.since - first),
            "calls": [[n, running[n]] for n in turns],
            "held": held,
            "texts": [*texts],
        }


def _add(history: list[list[int]], moment: int, place: int) -> None:
    """Add a value to those of a variable; of two at one moment, the later one counts."""
    if history and history[-1][0] == moment:
        history.pop()
    history.append([moment, place])


def _parts(value: Any) -> tuple[Sequence[object], int]:
    """Return the objects on which the text of a value depends, and its length; of what is no collection, the
    value itself."""
    kind = type(value)
    if kind in (list, tuple, deque):
        return [*islice(value, _PARTS)], len(value)
    if kind in (set, frozenset):
        return [*islice(value, _SET)], len(value)
    if issubclass(kind, Mapping) and kind.__module__ in ("builtins", "collections"):
        return [*islice(value, _PARTS), *islice(value.values(), _PARTS)], len(value)
    return (value,), 1


def _is_fixed(part: object) -> bool:
    """Tell whether an object cannot change: a number, a text, or a tuple of them."""
    if isinstance(part, tuple):
        return all(map(_is_fixed, tuple.__iter__(part)))
    return type(part) in _CONSTANT
