"""Draw the examples of a property once, the same for everybody."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

Example = TypeVar("Example", bound=Hashable)

DRAWN_FOR_ONE = 3
"""Of so many examples drawn, one is kept: Hypothesis begins with small ones, and few would be large."""


def draw(
    strategy: st.SearchStrategy[Example], count: int, seed: int, size: Callable[[Example], int] = lambda _: 0
) -> tuple[Example, ...]:
    """Return ``count`` different examples, always the same for the same strategy and seed.

    Of all that are drawn, each size keeps its share. Fewer are returned if the strategy has no more of them.
    """
    found: dict[Example, None] = {}
    wanted = count * DRAWN_FOR_ONE
    for attempt in range(4):
        before = len(found)
        _collect(strategy, found, wanted + wanted // 8 + 10, seed + attempt)
        if len(found) >= wanted or len(found) == before:
            break
    by_size = sorted(tuple(found)[:wanted], key=size)
    kept = min(count, len(by_size))
    chosen = {by_size[number * len(by_size) // kept] for number in range(kept)}
    return tuple(example for example in found if example in chosen)


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

    with without_our_constants():
        collect()


@contextmanager
def without_our_constants() -> Iterator[None]:
    """Make Hypothesis draw the same, whatever modules are loaded.

    It mixes constants from all loaded modules that are not installed into its draws, so two checkouts, or a
    checkout and the installed wheel, would get different examples.
    """
    found = providers._get_local_constants
    providers._get_local_constants = Constants
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        providers._get_local_constants = found
        providers.CONSTANTS_CACHE.cache.clear()
