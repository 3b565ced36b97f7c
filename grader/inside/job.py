"""What one child is to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .budgets import Pace
from .files import Codes

Message = dict[str, Any]


class ChildJob(NamedTuple):
    """What a child is to do, and where it answers."""

    files: Mapping[str, bytes]
    codes: Codes
    """Those of the files that are compiled already."""
    box_folder: str
    limits: Message
    round_id: int
    target: Message
    calls: list[Message]
    to_make: int
    """The number of calls that are made; the others are there so that nobody can tell how many will be."""
    pace: Pace
    search: str
    mark: bytes
    versions: list[str]
    """Other texts of the target's file, in base64; a call may name the number of the one that it is about."""
    lines: bool
    """Whether the lines that a call ran are reported."""
    steps: list[tuple[str, int]]
    """Files of the submission in which each step is reported, with a number that is added to their lines."""
    charged: bool
    """Whether what was left lying around in the code is not passed over."""
