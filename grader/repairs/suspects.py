"""Which lines are to blame, as far as the lines tell that were run where it went wrong, and where not.

A. Ochiai's coefficient, found the best of its kind by R. Abreu, P. Zoeteweij and A. van Gemund: On the
accuracy of spectrum-based fault localization, 2007.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import sqrt
from typing import Final

from grader.repairs.edits import Edit

UNSEEN: Final = 0.1
"""The blame of a line that no failed call ran."""
NEAR: Final = 2
"""Something is missing where the lines before or after it are to blame, within two."""

Lines = Collection[int]


def suspicion(failed: Sequence[Lines], passed: Sequence[Lines]) -> Callable[[Edit], float]:
    """Return a function that rates how likely an edit is the one needed, from the lines that calls ran."""

    def blame(line: int) -> float:
        wrong = sum(line in lines for lines in failed)
        right = sum(line in lines for lines in passed)
        return wrong / sqrt(len(failed) * (wrong + right)) if wrong else UNSEEN

    def of(edit: Edit) -> float:
        if edit.loading:
            return edit.weight
        places = range(edit.line, edit.line + NEAR + 1) if edit.after else (edit.line,)
        return edit.weight * max(map(blame, places))

    return of
