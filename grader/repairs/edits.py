"""A small edit of a text, and what is asked about the place where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Kind = str
"""What is asked about the place: ``said.look_<kind>`` in the catalogues."""
Sort = str
"""A kind, or one sort of it after a dot."""

_BY_WEIGHT: Final = {
    9.0: "lives_on luck name.misspelt order.call",
    8.0: "order",
    7.0: "answer nothing.empty order.slice part walls.method what_returned",
    6.0: "end equal known.replaced leaves.empty name.corner nothing.error same walls",
    5.0: (
        "all_or_any both bound.range entry_or_exit leaves.found most_or_least row_or_column truth "
        "turned walls.built wrapped"
    ),
    4.5: "changing",
    4.0: (
        "by_one comparison condition counted direction each_turn empty end.index leaves luck.place "
        "needed negation no_exit order.loop under_condition way_order"
    ),
    3.0: (
        "arguments condition.always counted.name each_turn.first leaves.turn method name.form "
        "needed.part nothing number.large sequence taken_back turned.move wrapped.pair"
    ),
    2.5: "has_been known marks",
    2.0: (
        "bound condition.never counted.double leaves.loop method.drawn needed.last number "
        "taken_back.instead what_returned.copy wrapped.item"
    ),
    1.5: "copied counted.half luck.choice name needed.aside no_exit.bare turned.name what_returned.name",
    1.0: "answer.call nothing.answer",
}
WEIGHTS: Final[Mapping[Sort, float]] = {
    sort: weight for weight, sorts in _BY_WEIGHT.items() for sort in sorts.split()
}
"""How often edits of each sort are what is needed, against others."""
KINDS: Final = frozenset({"closely", *(sort.partition(".")[0] for sort in WEIGHTS)})
"""All kinds, and what is asked where edits of several kinds agree on the place."""

Splice = tuple[int, int, str]
"""What stands from one offset to another, and what takes its place."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a file: no two of its splices touch."""

    splices: tuple[Splice, ...]
    sort: Sort
    line: int
    """The line that is pointed at, or after which something is missing."""
    after: bool = False
    """Whether something is missing after the line."""
    loading: bool = False
    """The line is run when the file is loaded, so that no call can tell whether it is to blame."""

    @property
    def kind(self) -> Kind:
        """What is asked about the place."""
        return self.sort.partition(".")[0]

    @property
    def weight(self) -> float:
        """How often edits of this sort are what is needed."""
        return WEIGHTS[self.sort]

    @property
    def growth(self) -> int:
        """By how many characters the text grows."""
        return sum(len(new) - (end - start) for start, end, new in self.splices)

    def apply(self, text: str) -> str:
        """Return the text as it is after the edit."""
        for start, end, new in sorted(self.splices, reverse=True):
            text = text[:start] + new + text[end:]
        return text
