"""How often a student may submit to the service, and which attempt counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, cast

from grader.course.yaml.value import Value

COUNTS: Final = ("best", "last")
_MOST: Final = 1000
"""The most attempts that a rubric may allow."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """A bucket of attempts that refills over time."""

    burst: int | None = None
    """The number of attempts that can be made at once; None for no limit."""
    per_hour: float = 0.0
    """How many attempts are added per hour, up to ``burst``."""
    counts: Literal["best", "last"] = "best"


def read_allowance(value: Value) -> Allowance:
    """Read the key ``attempts`` of a rubric. Raises RubricError with line and column."""
    fields = value.fields(required=(), optional=("burst", "per_hour", "counts"))
    if "per_hour" in fields and "burst" not in fields:
        value.refuse("the key 'burst' is missing: add how many attempts may come at once")
    return Allowance(
        fields["burst"].whole(least=1, most=_MOST) if "burst" in fields else None,
        fields["per_hour"].number(least=0, most=_MOST) if "per_hour" in fields else 0.0,
        cast(Literal["best", "last"], fields["counts"].choice(COUNTS)) if "counts" in fields else "best",
    )
