"""Open a folder of results for a change, and find the submission that a person names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from grader.batch.journal import FILE, Journal, JournalRow
from grader.batch.lock import hold
from grader.batch.marks.ledger import Decision, is_last
from grader.batch.pseudonyms import with_real_names
from grader.batch.report.class_facts import load
from grader.batch.submission_lookup import SubmissionLookup
from grader.errors import InputError
from grader.exports.result_files import UNFINISHED
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
    """Return whether the decision is the last one in the ledger, and was only applied in part."""
    return (out / UNFINISHED).exists() and is_last(out, decision)


def find_submission(
    out: Path, who: str, entries: Mapping[str, JournalRow], key: Path | str | None = None
) -> str:
    """Find a submission by its folder, a file in it, or its student's number or name; return its name.

    ``key`` names the students of results under pseudonyms. Raises InputError if none or several match.
    """
    who = _folder_in(out, who)
    if who in entries:
        return who
    facts = load(out)
    own = with_real_names(facts.found.hand_ins, key)
    lookup = SubmissionLookup({name: each for name, each in own.items() if name in entries}, facts.called)
    found = lookup.find(who)
    if len(found) != 1:
        told = ", ".join(map(visible, found or sorted(entries)[:_NAMED]))
        if not found and len(entries) > _NAMED:
            told += f" and {len(entries) - _NAMED} more"
        what = "may be any of" if found else "is none of"
        more = "" if found else lookup.propose(who)
        if not (found or more or key) and facts.asked.get("pseudonyms"):
            more = "these results are under pseudonyms: give the key that names them (--key)"
        raise InputError(
            f"{visible(who)} {what} the submissions here ({told})" + (f"; {more}" if more else ""), path=out
        )
    return found[0]


def _folder_in(out: Path, who: str) -> str:
    """Return the results folder that a path leads into, or the text itself if it is no such path."""
    name = who.rstrip("/") or who
    with suppress(ValueError, IndexError, OSError, RuntimeError):
        if "/" in name:
            return Path(name).resolve().relative_to(out.resolve()).parts[0]
    return name
