"""What there is to say of what was handed in, beside the checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from grader.languages import Message

RemarkKind = Literal[
    "note",
    "moved",
    "taken",
    "helper",
    "opened",
    "encoding",
    "mended",
    "unsure",
    "refused",
    "cost",
    "bonus",
    "accepted",
]


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that was left out or is worth a note, that was repaired so that what was meant is graded,
    that a person has to decide, or that is not what was asked for and counts all the same."""

    kind: RemarkKind
    source: str
    """What the student called it."""
    file: str
    """What it is graded as; empty where it is not one file."""
    message: Message

    @property
    def is_put_right(self) -> bool:
        """Whether something was repaired."""
        return self.kind not in ("note", "unsure", "refused", "cost", "bonus", "accepted")


def note(message: Message, source: str = "") -> Remark:
    """Return a remark that only informs: what was left out, and why, or which attempt is graded."""
    return Remark("note", source, "", message)
