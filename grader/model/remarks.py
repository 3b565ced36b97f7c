"""What intake has to say of the shape of what was handed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from grader.languages import Message

RemarkKind = Literal["moved", "taken", "helper", "opened", "encoding", "unsure", "refused", "cost"]


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that was put right so that what was meant is graded, or that a person has to decide."""

    kind: RemarkKind
    source: str
    """What the student called it."""
    file: str
    """What it is graded as; empty where it is not one file."""
    message: Message

    @property
    def is_repair(self) -> bool:
        """Whether something was put right."""
        return self.kind not in ("unsure", "refused", "cost")
