"""What a person marks: the criteria of a check, and which works are marked by two."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grader.course.yaml_values import Value
from grader.model import Criterion
from grader.points import round_points

BY_PERSON: Final = ("marked_by", "criteria")
"""Keys of a check that a person marks."""
_MOST: Final = 9
"""There is a digit for each criterion."""
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class SecondMarker:
    """Which works are marked by two persons."""

    share: float
    """From 0 to 1, of the works."""
    differ: float
    """Up to this difference of their points the mean counts; above it, a third person decides."""

    def draws(self, seed: int, submission: str) -> bool:
        """Tell whether a work is among them: its lot hangs on nothing but the seed and its name."""
        lot = hashlib.sha256(f"second marker {seed}\0{submission}".encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(lot[:8], "big") < self.share * 2**64


def read_second_marker(value: Value) -> SecondMarker:
    """Read the key second_marker of a rubric. Raises RubricError."""
    fields = value.fields(required=("share", "differ"))
    share = fields["share"]
    number = str(share.node.value).strip().removesuffix("%").strip()
    if not number.isascii() or not number.isdigit() or not 0 < int(number) <= 100:
        share.expected("a share of the works such as 20 %, from 1 % to 100 %")
    return SecondMarker(int(number) / 100, fields["differ"].number(least=0, most=100))


def is_by_person(body: Value) -> bool:
    """Tell whether this declares a check that a person marks."""
    return body.is_mapping() and any(key.node.value in BY_PERSON for key, _ in body.entries())


def read_criteria(fields: Mapping[str, Value]) -> tuple[Criterion, ...]:
    """Read the criteria of a check that says who marks it. Raises RubricError."""
    fields["marked_by"].choice(("person",))
    return criteria_in(fields["criteria"])


def criteria_in(value: Value) -> tuple[Criterion, ...]:
    """Read texts with their points. Raises RubricError."""
    found = [
        Criterion(key.text(most=_LONGEST), points.number(least=0.01, most=100))
        for key, points in value.entries()
    ]
    if not 0 < len(found) <= _MOST:
        value.expected(f"from one criterion to {_MOST}, each a text with its points", f"{len(found)}")
    for (key, points), each in zip(value.entries(), found, strict=True):
        if each.points != round_points(each.points):
            points.expected("points with two decimals at the most")
        if [other.text for other in found].count(each.text) > 1:
            key.refuse("another criterion has the same text: say in which they differ")
    return tuple(found)


def check_sum(place: Value, criteria: Sequence[Criterion], points: float) -> None:
    """Refuse criteria that do not add up to the points of their check. Raises RubricError."""
    total = round_points(sum(each.points for each in criteria))
    if total != points:
        place.refuse(
            f"expected criteria that add up to the {points:g} points of the check, got {total:g} "
            f"({' + '.join(f'{each.points:g}' for each in criteria)})"
        )
