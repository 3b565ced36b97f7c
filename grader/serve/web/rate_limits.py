"""Rate limits, kept in the memory of the web process."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from starlette.requests import Request

_MOST_KEYS: Final = 10_000
"""A limit keeps at most 10000 buckets, and drops the least recently used one."""


def client_address(request: Request) -> str:
    """Return the IP address that a request comes from, as reported by the server or its proxy."""
    return request.client.host if request.client else ""


@dataclass
class RateLimit:
    """A token bucket for each key: ``burst`` tries at once, and ``per_minute`` more."""

    burst: float
    per_minute: float
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    """The level of each bucket, and the time of that level in seconds."""
    _lock: Lock = field(default_factory=Lock)

    def allows(self, key: str, now: float, *, cost: float = 1.0) -> bool:
        """Take a token if one is left, and tell whether there was one; with a cost of 0, take none."""
        with self._lock:
            left, since = self._buckets.pop(key, (self.burst, now))
            left = min(self.burst, left + max(0.0, now - since) * self.per_minute / 60)
            is_allowed = left >= max(cost, 1.0)
            self._buckets[key] = (left - cost if is_allowed else left, now)
            while len(self._buckets) > _MOST_KEYS:
                self._buckets.popitem(last=False)
            return is_allowed


@dataclass
class ConcurrencyLimit:
    """A limit of ``most`` operations at the same time for each key."""

    most: int
    _held: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def hold(self, key: str) -> Iterator[bool]:
        """Yield whether one more operation may start; if so, it counts for the duration of the context."""
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
class RateLimits:
    """All rate limits of the site."""

    guesses: RateLimit = field(default_factory=lambda: RateLimit(20, 20))
    """Wrong tokens and links, by IP address."""
    stale: RateLimit = field(default_factory=lambda: RateLimit(3, 3))
    """Uses of the same wrong token, from any address."""
    launches: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    """Refused launches, by IP address: many people reload a page that was already used."""
    uploads: RateLimit = field(default_factory=lambda: RateLimit(10, 6))
    """Uploads of one person, successful or not."""
    uploading: ConcurrencyLimit = field(default_factory=lambda: ConcurrencyLimit(2))
    """Uploads of one person that are still arriving, since each takes time and space."""
    actions: RateLimit = field(default_factory=lambda: RateLimit(120, 120))
    """All other changes by one person."""
