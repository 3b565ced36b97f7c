"""How often somebody may try: token buckets in memory, of one process."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from starlette.requests import Request

_MOST_KEYS: Final = 10_000
"""Buckets that are kept; the one that was used longest ago goes first."""


def origin(request: Request) -> str:
    """From which address a request comes, as the server or the proxy before it tells."""
    return request.client.host if request.client else ""


@dataclass
class Rate:
    """``burst`` tries at once, and ``per_minute`` more; for each key a bucket of its own."""

    burst: float
    per_minute: float
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    """What was left in a bucket, and when that was, in seconds."""
    _lock: Lock = field(default_factory=Lock)

    def allows(self, key: str, now: float, *, cost: float = 1.0) -> bool:
        """Take a token, where one is left at this time; with a cost of 0 only tell whether one is."""
        with self._lock:
            left, since = self._buckets.pop(key, (self.burst, now))
            left = min(self.burst, left + max(0.0, now - since) * self.per_minute / 60)
            is_allowed = left >= max(cost, 1.0)
            self._buckets[key] = (left - cost if is_allowed else left, now)
            while len(self._buckets) > _MOST_KEYS:
                self._buckets.popitem(last=False)
            return is_allowed


@dataclass
class AtOnce:
    """``most`` things at the same time, for each key."""

    most: int
    _held: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def one(self, key: str) -> Iterator[bool]:
        """Whether one more may be done; it is, until the end."""
        with self._lock:
            may = self._held[key] < self.most
            self._held[key] += may
        try:
            yield may
        finally:
            with self._lock:
                self._held[key] -= may
                self._held += Counter()  # without those that do nothing


@dataclass
class Rates:
    """What is counted, each by whom it is about."""

    guesses: Rate = field(default_factory=lambda: Rate(20, 20))
    """Tokens and links that were wrong, by address."""
    stale: Rate = field(default_factory=lambda: Rate(3, 3))
    """The same of one token, wherever it comes from."""
    launches: Rate = field(default_factory=lambda: Rate(60, 60))
    """Launches that were refused, by address: many reload a page that was used, and read why."""
    uploads: Rate = field(default_factory=lambda: Rate(10, 6))
    """Uploads of one person, whatever became of them."""
    uploading: AtOnce = field(default_factory=lambda: AtOnce(2))
    """Uploads of one person that are on their way: each may take its time, and its room."""
    actions: Rate = field(default_factory=lambda: Rate(120, 120))
    """All else that one person changes."""
