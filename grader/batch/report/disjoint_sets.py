"""Groups that grow together: the union-find structure (R. Tarjan, 1975)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


class DisjointSets:
    """Each name in a group of its own at first."""

    def __init__(self, names: Iterable[str]) -> None:
        self._above = {name: name for name in names}

    def join(self, one: str, other: str) -> bool:
        """Make one group of two; tell whether they were two."""
        first, second = sorted((self._top(one), self._top(other)))
        self._above[second] = first
        return first != second

    def all(self) -> list[list[str]]:
        """The groups, and in each the names, in their order."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self._above):
            found[self._top(name)].append(name)
        return list(found.values())

    def _top(self, name: str) -> str:
        while self._above[name] != name:
            self._above[name] = name = self._above[self._above[name]]
        return name
