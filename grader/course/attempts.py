"""How often a student may submit to the service, and which attempt counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from grader.course.yaml.records import fields_of, read_fields
from grader.course.yaml.value import Value


@dataclass(frozen=True, slots=True)
class Allowance:
    """A bucket of attempts that refills over time."""

    burst: Annotated[int, Meta(ge=1, le=1000, description="how many may come at once")] | None = None
    """None for no limit."""
    per_hour: Annotated[float, Meta(ge=0, le=1000, description="how many are added per hour")] = 0.0
    counts: Annotated[Literal["best", "last"], Meta(description="the attempt that counts")] = "best"


def read_allowance(value: Value) -> Allowance:
    """Read the key ``attempts`` of a rubric. Raises RubricError with line and column."""
    fields = fields_of(value, Allowance)
    if "per_hour" in fields and "burst" not in fields:
        value.refuse("the key 'burst' is missing: add how many attempts may come at once")
    return Allowance(**read_fields(fields, Allowance))
