"""``grader review``: list the items that a person has to look at; close or reopen some of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from grader.batch.marks.ledger import Decision, append
from grader.batch.marks.update import update_marks
from grader.batch.open_results import find_submission, open_results
from grader.batch.report.class_facts import load
from grader.batch.report.review_items import Item
from grader.batch.report.write import write_reports
from grader.errors import InputError
from grader.exports.result_files import marked_unfinished
from grader.text import visible


def review(
    out: Path, close: Sequence[str], reopen: Sequence[str], who: str, key: Path | None = None
) -> tuple[Item, ...]:
    """Close or reopen items, named by id, submission or kind; return all items.

    ``key`` names the students of results under pseudonyms. Raises InputError.
    """
    with open_results(out) as journal:
        facts = load(out)
        with marked_unfinished(out):
            update_marks(out, journal)
            items = write_reports(out, facts, journal).items

        def called(name: str) -> str:
            try:
                return find_submission(out, name, journal.entries(), key)
            except InputError as error:
                expected = "expected an item of grader review, by its id, submission or kind"
                raise InputError(f"{expected}, got {visible(name)}: {error}") from None

        to_close = [item for item in _select(items, close, called) if item.is_open]
        to_reopen = [item for item in _select(items, reopen, called) if not item.is_open]
        if not to_close and not to_reopen:
            return items
        with marked_unfinished(out):
            now = datetime.now(UTC).isoformat(timespec="seconds")
            for item in to_close:
                append(out, Decision(now, who, item.submission, "looked", 0.0, check=item.id))
            for item in to_reopen:
                append(out, Decision(now, who, item.submission, "reopen", 0.0, check=item.id))
            return write_reports(out, facts, journal).items


def _select(items: Sequence[Item], names: Sequence[str], called: Callable[[str], str]) -> list[Item]:
    """Return the items with this id, submission or kind. Raises InputError if a name matches none.

    ``called`` turns any other name of a submission into its id, or raises InputError.
    """
    found = []
    for name in names:
        named = [item for item in items if name in (item.id, item.submission, item.kind)]
        if not named:
            submission = called(name)
            named = [item for item in items if item.submission == submission]
        if not named:
            raise InputError(f"{visible(name)} has no item of grader review")
        found += named
    return found
