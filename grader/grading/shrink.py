"""Showing a mistake on a small, plain maze.

First every small maze of the check's kind is tried, the smallest first, in a few messages. Where
the submission is right on all of them, Hypothesis looks for a smaller maze than the one at hand.

A submission may answer differently from call to call: by the time, by chance, by what memory is left.
Hypothesis takes that for a mistake in the test and gives up. So each maze is asked about once, and what
is wrong once is wrong. Whatever ends a search early, the smallest mistake that was seen is shown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import NoSuchExample, Unsatisfiable

from grader.cases.draw import without_our_constants
from grader.cases.strategies import FAMILIES
from grader.checks.base import Case, Ladder, Wrong
from grader.oracle.facts import facts_of

Attempt = Callable[[Sequence[Case]], Wrong | None]
"""Tries cases, and returns the first that is wrong."""

STEPS = (50, 1000)
"""At most 50 rungs are tried at first, and 1,000 more after them: most mistakes show on the first few."""

EXAMPLES = 60
"""Hypothesis draws at most 60 mazes before it shrinks one on which the mistake shows."""

_LOG = logging.getLogger("grader")


def from_the_ladder(ladder: Ladder, wrong: Wrong, attempt: Attempt) -> Wrong | None:
    """The mistake on the smallest rung that shows it; None where none does."""
    rungs = [text for text in ladder.rungs if _size(text) <= _size(wrong.case.maze)]
    start = 0
    for step in STEPS:
        cases = [ladder.case(text) for text in rungs[start : start + step]]
        found = attempt(cases) if cases else None
        if found is not None:
            return found
        start += step
    return None


def with_hypothesis(ladder: Ladder, wrong: Wrong, attempt: Attempt) -> Wrong:
    """The mistake on the smallest maze that Hypothesis comes upon; ``wrong`` where it finds none.

    Raises what ``attempt`` raises, and nothing else.
    """
    if ladder.family is None:
        return wrong
    limit = _size(wrong.case.maze)
    texts = FAMILIES[ladder.family].map(lambda maze: maze.to_text()).filter(lambda text: _size(text) < limit)
    tries = _Tries(ladder, wrong, attempt)
    try:
        with without_our_constants():
            hypothesis.find(texts, tries.is_wrong, settings=_SETTINGS)
    except (NoSuchExample, Unsatisfiable):
        pass  # the mistake shows on no smaller maze that was drawn, or there is none
    except Exception:  # noqa: BLE001 - a smaller example is not worth a mark that is lost
        _LOG.exception("Hypothesis has ended before it found the smallest maze of the kind %s", ladder.family)
    finally:
        tries.attempt = None  # Hypothesis ends in cycles, which would keep all claims alive
    if tries.error is not None:
        raise tries.error
    return tries.smallest


class _Tries:
    """The mazes that Hypothesis asks about, each tried once, and the smallest that is wrong."""

    def __init__(self, ladder: Ladder, wrong: Wrong, attempt: Attempt) -> None:
        self.attempt: Attempt | None = attempt
        self.smallest = wrong
        self.error: BaseException | None = None
        """What the attempt has raised: nothing is tried after that."""
        self._ladder = ladder
        self._known: dict[str, bool] = {}

    def is_wrong(self, text: str) -> bool:
        """Whether the submission was wrong on the maze when it was tried."""
        if text not in self._known:
            self._known[text] = self._try(text)
        return self._known[text]

    def _try(self, text: str) -> bool:
        if self.attempt is None or self.error is not None:
            return False
        try:
            found = self.attempt([self._ladder.case(text)])
        except BaseException as error:  # noqa: BLE001 - raised later: Hypothesis takes what it sees for an answer
            self.error = error
            return False
        if found is not None and _size(text) < _size(self.smallest.case.maze):
            self.smallest = found
        return found is not None


def _size(text: str | None) -> int:
    """The number of cells."""
    return facts_of(text).dimension.position_count if text else 0


_SETTINGS = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
