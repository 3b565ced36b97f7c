"""How often a student may hand in where feedback comes at once, and which attempt counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, cast

from grader.course.yaml.value import Value

COUNTS: Final = ("best", "last")
_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class Allowance:
    """A bucket of attempts, which fills up again."""

    burst: int | None = None
    """How many one may hand in at once; None where there is no limit."""
    per_hour: float = 0.0
    """How many come back an hour, up to ``burst``."""
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
