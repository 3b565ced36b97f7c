"""Drawing the examples of a property once, the same for everybody."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

Example = TypeVar("Example", bound=Hashable)


def draw(strategy: st.SearchStrategy[Example], count: int, seed: int) -> tuple[Example, ...]:
    """Return ``count`` different examples, always the same for the same strategy and seed.

    Fewer where the strategy has no more of them.
    """
    found: dict[Example, None] = {}
    for attempt in range(4):
        before = len(found)
        _collect(strategy, found, count + count // 8 + 10, seed + attempt)
        if len(found) >= count or len(found) == before:
            break
    return tuple(found)[:count]


def _collect(strategy: st.SearchStrategy[Example], found: dict[Example, None], count: int, seed: int) -> None:
    @hypothesis.seed(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example: Example) -> None:
        found.setdefault(example)

    collect()
