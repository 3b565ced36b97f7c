"""What a course says of requests for another look: for how long, how many at once, and where mail goes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from grader.course.yaml_values import Value, fields_of, read_fields

_ADDRESS: Final = re.compile(r"[^\s@<>,;:\"?&%#]+@[^\s@<>,;:\"?&%#]+")
"""An address as it may stand in a link."""


@dataclass(frozen=True, slots=True)
class RequestTerms:
    """The terms on which students may ask for another look at a lost check."""

    days: Annotated[int, Meta(ge=1, le=366, description="counted from when a student first sees a check")] = 7
    at_once: Annotated[int, Meta(ge=1, le=100, description="how many of a student's may be open")] = 2
    mail: Annotated[str, Meta(max_length=200, description="the address for them, where no service runs")] = ""

    def until(self, seen: datetime) -> datetime:
        """Return until when a student may ask about a check that was first seen then."""
        return seen + timedelta(days=self.days)


def read_terms(value: Value) -> RequestTerms:
    """Read the key ``requests`` of a rubric. Raises RubricError with line and column."""
    fields = fields_of(value, RequestTerms)
    terms = RequestTerms(**read_fields(fields, RequestTerms))
    if "mail" in fields and not _ADDRESS.fullmatch(terms.mail):
        fields["mail"].expected("an address, such as lab@example.edu")
    return terms


def terms_data(terms: RequestTerms | None) -> dict[str, Any] | None:
    """Return terms as plain data, which ``parse_terms`` reads back."""
    return None if terms is None else asdict(terms)


def parse_terms(data: Mapping[str, Any] | None) -> RequestTerms | None:
    """Read back what ``terms_data`` returned. Raises ValidationError."""
    return None if data is None else msgspec.convert(data, RequestTerms)
