"""Disjoint sets of names that can be joined: the union-find structure (R. Tarjan, 1975)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


class DisjointSets:
    """A partition of names, at first with each name in a set of its own."""

    def __init__(self, names: Iterable[str]) -> None:
        self._above = {name: name for name in names}

    def join(self, one: str, other: str) -> bool:
        """Join the sets of two names; return whether they were different."""
        first, second = sorted((self._top(one), self._top(other)))
        self._above[second] = first
        return first != second

    def all(self) -> list[list[str]]:
        """Return the sets, and the names in each, in alphabetical order."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self._above):
            found[self._top(name)].append(name)
        return list(found.values())

    def _top(self, name: str) -> str:
        while self._above[name] != name:
            self._above[name] = name = self._above[self._above[name]]
        return name
