"""Who of several assistants looks at which work: shared out by lot, or group by group.

The lot is drawn by the names alone, so that work which comes later has its place, and no other changes hands.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grader.batch.deadlines import read_groups
from grader.batch.ledger import Decision, append, last_sharing
from grader.batch.open_results import open_beside
from grader.batch.report.class_facts import load
from grader.errors import InputError
from grader.text import visible


@dataclass(frozen=True, slots=True)
class Shares:
    """Which work is whose."""

    names: tuple[str, ...] = ()
    """The assistants; none where nothing is shared out."""
    drawn: Mapping[str, str] | None = None
    """The assistants by submission, of those that have a group."""

    def of(self, submission: str) -> str:
        """Return whose share a submission is; empty where nothing is shared out."""
        return (self.drawn or {}).get(submission) or draw(self.names, submission)

    def is_for(self, submission: str, who: str) -> bool:
        """Tell whether a person looks at a submission: at all of them, without a share of their own."""
        return who not in self.names or self.of(submission) == who


def draw(names: Sequence[str], what: str) -> str:
    """Return one of the names by lot, the same for the same text; empty without names."""
    return max(
        names,
        key=lambda name: hashlib.sha256(f"{name}\0{what}".encode("utf-8", "surrogatepass")).digest(),
        default="",
    )


def read_shares(out: Path) -> Shares:
    """Return what was shared out last. Raises InputError."""
    lines = last_sharing(out)
    names = tuple(each.reason for each in lines if not each.submission and each.reason)
    return Shares(names, {each.submission: each.reason for each in lines if each.submission})


def share_out(out: Path, names: Sequence[str], by: str, groups: Path | None = None) -> str:
    """Share the work out among these assistants, or with none of them no longer; return who has how much.

    ``groups`` is a table with the columns student and group: a group stays together. Raises InputError.
    """
    if len({*names}) < len(names) or not all(name.strip() for name in names):
        raise InputError(f"expected each assistant once, got {', '.join(map(visible, names))}")
    with open_beside(out) as (_, is_beside):
        hand_ins = load(out).found.hand_ins
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        made = [Decision(now, by, "", "share", 0.0, name) for name in names or [""]]
        for name, group in (read_groups(groups, hand_ins) if groups else {}).items():
            made.append(Decision(now, by, name, "share", 0.0, draw(names, group)))
        append(out, *made, is_beside=is_beside)
    if not names:
        return "shared out no longer"
    shares = read_shares(out)
    count = Counter(shares.of(each.name) for each in hand_ins)
    return f"shared out: {', '.join(f'{visible(name)} {count[name]}' for name in names)}"


def tell_counts(names: Sequence[str]) -> str:
    """Return how many there are of each name, with the most frequent first; empty names are left out."""
    found = Counter(name for name in names if name)
    return ", ".join(f"{visible(name)} {count}" for name, count in found.most_common())
