"""A small edit of a text, and what is asked about the place where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "all_or_any",
    "answer",
    "arguments",
    "bound",
    "both",
    "by_one",
    "changing",
    "closely",
    "comparison",
    "condition",
    "copied",
    "counted",
    "direction",
    "each_turn",
    "empty",
    "end",
    "entry_or_exit",
    "equal",
    "has_been",
    "known",
    "leaves",
    "lives_on",
    "luck",
    "marks",
    "method",
    "most_or_least",
    "name",
    "needed",
    "negation",
    "no_exit",
    "nothing",
    "number",
    "order",
    "part",
    "row_or_column",
    "same",
    "sequence",
    "truth",
    "turned",
    "taken_back",
    "under_condition",
    "walls",
    "way_order",
    "what_returned",
    "wrapped",
]
"""What is asked about the place: ``said.look_<kind>`` in the catalogues."""

Splice = tuple[int, int, str]
"""What stands from one offset to another, and what takes its place."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a file: no two of its splices touch."""

    splices: tuple[Splice, ...]
    kind: Kind
    weight: float
    """How often edits of this sort are what is needed, against others."""
    line: int
    """The line that is pointed at, or after which something is missing."""
    after: bool = False
    """Whether something is missing after the line."""
    loading: bool = False
    """The line is run when the file is loaded, so that no call can tell whether it is to blame."""

    @property
    def growth(self) -> int:
        """By how many characters the text grows."""
        return sum(len(new) - (end - start) for start, end, new in self.splices)

    def apply(self, text: str) -> str:
        """Return the text as it is after the edit."""
        for start, end, new in sorted(self.splices, reverse=True):
            text = text[:start] + new + text[end:]
        return text
