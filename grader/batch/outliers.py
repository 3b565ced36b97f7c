"""Find exercises whose scores do not fit the other results of the same student.

Perhaps a slip, or a grader's mistake. An exercise is an outlier if

- it earned at most 30 % of its points, and all others of the same submission at least 90 % of theirs;
- or it earned less than in the previous run, by half of its points or more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from grader.model import ExerciseJson

_LOW: Final = 0.3
"""An outlier earned at most this share of its points."""
_HIGH: Final = 0.9
"""All other exercises together earned at least this share of their points."""
_FALL: Final = 0.5
"""Or it earned less than in the previous run by at least this share of its points."""


def shares_of(exercises: Sequence[ExerciseJson]) -> dict[str, float]:
    """Return the fraction of its points that each exercise earned, by id."""
    return {each["id"]: each["score"] / each["max_score"] for each in exercises if each["max_score"]}


def outliers(exercises: Sequence[ExerciseJson], earlier: str) -> Iterator[str]:
    """Yield each outlier in words; ``earlier`` are the shares of the previous run, as JSON or empty."""
    before, now = _parse_shares(earlier), shares_of(exercises)
    for exercise in exercises:
        share = now.get(exercise["id"], 1.0)
        others = [other for other in exercises if other is not exercise]
        rest = _share(others)
        if len(others) > 1 and share <= _LOW and rest >= _HIGH:
            yield f"{exercise['title']}: {share:.0%} of its points, and {rest:.0%} of all others"
        elif before.get(exercise["id"], 0.0) - share >= _FALL:
            yield f"{exercise['title']}: {share:.0%} of its points, and {before[exercise['id']]:.0%} before"


def _share(exercises: Sequence[ExerciseJson]) -> float:
    most = sum(each["max_score"] for each in exercises)
    return sum(each["score"] for each in exercises) / most if most else 0.0


def _parse_shares(earlier: str) -> Mapping[str, float]:
    found: Mapping[str, float] = json.loads(earlier) if earlier else {}
    return found
