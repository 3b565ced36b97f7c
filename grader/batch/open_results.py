"""Opening a folder of results for a change, and finding the submission in it that a person names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from grader.batch.journal import FILE, Journal, JournalRow
from grader.batch.lock import hold
from grader.batch.marks.ledger import Decision, is_last
from grader.batch.report.class_facts import load
from grader.errors import InputError
from grader.exports.unfinished import UNFINISHED
from grader.text import visible

_NAMED: Final = 5
"""An error names at most 5 of the submissions that there are."""


@contextmanager
def open_results(out: Path) -> Iterator[Journal]:
    """Lock a folder of results and open its journal. Raises InputError."""
    if not (out / FILE).is_file():
        raise InputError("expected a folder of results that grader batch wrote", path=out)
    with hold(out), Journal(out) as journal:
        yield journal


def was_interrupted(out: Path, decision: Decision) -> bool:
    """Tell whether the decision is the last one in the ledger, and was not applied to its end."""
    return (out / UNFINISHED).exists() and is_last(out, decision)


def find_submission(out: Path, who: str, entries: Mapping[str, JournalRow]) -> str:
    """Return the name of a submission, given its folder, or the number or name of its student.

    Raises InputError where none or several fit.
    """
    if who in entries:
        return who
    wanted = visible(who, one_line=True).casefold()
    found = [
        hand_in.name
        for hand_in in load(out).found.hand_ins
        if hand_in.name in entries and wanted in (hand_in.id.casefold(), hand_in.student.casefold())
    ]
    if len(found) != 1:
        told = ", ".join(map(visible, found or sorted(entries)[:_NAMED]))
        if not found and len(entries) > _NAMED:
            told += f" and {len(entries) - _NAMED} more"
        what = "may be any of" if found else "is none of"
        raise InputError(f"{visible(who)} {what} the submissions here ({told})", path=out)
    return found[0]
