"""What a teaching assistant does with results that are there: marks are changed, and all pages with them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast

from grader.batch.journal import FILE, Journal, JournalRow
from grader.batch.lock import hold
from grader.batch.marks.adjusted import automatic, laid
from grader.batch.marks.ledger import Action, Decision, append, decisions, is_last, withdrawals
from grader.batch.report.facts import load
from grader.batch.report.items import Item
from grader.batch.report.write import write_reports
from grader.course.late import apply, lateness_of
from grader.errors import InputError
from grader.exports.unfinished import UNFINISHED, marked_unfinished
from grader.feedback import render_html
from grader.grading.pipeline import FEEDBACK, RESULTS, STAFF, STAFF_PAGE
from grader.model import LateJson, ResultsJson
from grader.results import as_json, read
from grader.text import visible

Layers = tuple[LateJson | None, Sequence[Decision], Mapping[str, Decision]]
_NAMED: Final = 5
"""So many submissions are named where none is the one that was meant."""
_LANGUAGE: Final = re.compile(rb'<html lang="([a-z]{2,3})">')


@dataclass(frozen=True, slots=True)
class MarkChange:
    """What is asked for."""

    action: Action
    who: str
    reason: str = ""
    comment: str = ""
    check: str = ""
    points: float = 0.0


@contextmanager
def at(out: Path) -> Iterator[Journal]:
    """The journal of a folder of results, while nobody else writes there. Raises InputError."""
    if not (out / FILE).is_file():
        raise InputError("expected a folder of results that grader batch wrote", path=out)
    with hold(out), Journal(out) as journal:
        yield journal


def decide(out: Path, who: str, change: MarkChange) -> str:
    """Write a decision down and lay it over the results; return what became of the mark.

    What was not finished, since somebody stopped it or the disk was full, is finished first; the same
    decision given again is then no second one.
    """
    with at(out) as journal:
        name, facts = submission_of(out, who, journal.entries()), load(out)
        before = read(out / name / RESULTS)
        is_there = is_begun(out, _decision(name, change, 0.0, 0.0))
        if not is_there:
            _check(automatic(before), change, decisions(out).get(name, []))
        with marked_unfinished(out):
            settle(out, journal)
            is_ours = journal.intact(name)
            if is_ours and not is_there:
                append(out, _decision(name, change, *_marks(read(out / name / RESULTS))))
                settle(out, journal)
            write_reports(out, facts, journal)
        if not is_ours:
            raise InputError(
                f"this is not what the grader wrote: grade it again first, by grader regrade {out} {name}",
                path=out / name / RESULTS,
            )
        return f"{visible(name)}: {mark(before)} -> {mark(read(out / name / RESULTS))}"


def _marks(results: ResultsJson) -> tuple[float, float]:
    """What the grader gave for the work, and what lateness left of it."""
    work = automatic(results)
    return work["score"], apply(work, lateness_of(results))["score"]


def is_begun(out: Path, decision: Decision) -> bool:
    """Whether this was the last that was written down, and what follows from it was not finished."""
    return (out / UNFINISHED).exists() and is_last(out, decision)


def review(out: Path, close: Sequence[str], reopen: Sequence[str], who: str) -> tuple[Item, ...]:
    """Close or open items again, by their id, submission or kind; return all of them. Raises InputError."""
    with at(out) as journal:
        facts = load(out)
        with marked_unfinished(out):
            settle(out, journal)
            items = write_reports(out, facts, journal).items
        changes = [(item, "looked") for item in _meant(items, close) if item.is_open]
        changes += [(item, "reopen") for item in _meant(items, reopen) if not item.is_open]
        if not changes:
            return items
        with marked_unfinished(out):
            for item, action in changes:
                change = MarkChange(cast(Action, action), who, check=item.id)
                append(out, _decision(item.submission, change, 0.0, 0.0))
            return write_reports(out, facts, journal).items


def _meant(items: Sequence[Item], names: Sequence[str]) -> list[Item]:
    found = []
    for name in names:
        meant = [item for item in items if name in (item.id, item.submission, item.kind)]
        if not meant:
            raise InputError(
                f"expected an item, a submission or a kind of grader review, got {visible(name)}"
            )
        found += meant
    return found


def submission_of(out: Path, who: str, entries: Mapping[str, JournalRow]) -> str:
    """The submission that a person means: by its folder, or by the number or name of the student."""
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


def _decision(name: str, change: MarkChange, work: float, mark: float) -> Decision:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    words = (change.reason, change.comment, change.check)
    if change.action == "keep":
        return Decision(now, change.who, name, change.action, work, *words, mark)
    automatic = work if change.action == "check" else mark
    return Decision(now, change.who, name, change.action, automatic, *words, change.points)


def _check(results: ResultsJson, change: MarkChange, known: list[Decision]) -> None:
    """See whether it can be done. Raises InputError."""
    checks = [check["id"] for exercise in results["exercises"] for check in exercise["checks"]]
    if "fault" in results:
        raise InputError(f"{results['submission']} has no mark yet: grade it again first")
    if change.action == "check" and change.check not in checks:
        near = [check for check in checks if check.partition(".")[0] == change.check.partition(".")[0]]
        raise InputError(
            f"expected a check of the rubric, got {change.check}; there are {', '.join(near or checks)}"
        )
    if change.action == "score" and not 0 <= change.points <= results["max_score"]:
        raise InputError(f"expected a score from 0 to {results['max_score']:g}, got {change.points:g}")
    if change.action in ("undo", "keep") and not known:
        raise InputError(f"nothing was decided about {results['submission']}")


def mark(results: ResultsJson) -> str:
    """The mark that holds, for people."""
    layer = results.get("adjusted")
    return "exempt" if layer and layer["exempt"] else f"{results['score']:g}"


def settle(
    out: Path, journal: Journal, lates: Mapping[str, LateJson | None] = MappingProxyType({})
) -> list[str]:
    """Lay lateness, and what people decided, over all results of which that is not so yet.

    ``lates`` is what is known of lateness now; where it says nothing of a submission, what its results tell
    stays. Results that are not what the grader wrote are left to be graded again. Return whose mark has
    changed, from what to what.
    """
    known, withdrawn, changed = decisions(out), withdrawals(out), []
    for name, entry in journal.entries().items():
        path = out / name / RESULTS
        if not path.is_file() or not (withdrawn or name in known or lates.get(name) or _has_layer(path)):
            continue
        try:
            results = read(path)
        except InputError:
            continue
        late = lates[name] if name in lates else lateness_of(results)
        layers = late, known.get(name, ()), withdrawn
        made = laid(results, *layers)
        if not journal.knows(name, path.read_bytes(), as_json(made)):
            continue
        if as_json(made) != as_json(results) or not journal.intact(name):
            language = _language(out / name / FEEDBACK)
            staff = _staff(out / name, layers, language)
            journal.rewrite(entry, as_json(made), _page(made, language), staff)
        if mark(made) != mark(results):
            changed.append(f"{visible(name)}: {mark(results)} -> {mark(made)}")
    return changed


def _has_layer(path: Path) -> bool:
    content = path.read_bytes()
    return any(key in content for key in (b'\n "adjusted":', b'\n "late":', b'\n "withdrawn":'))


def _staff(folder: Path, layers: Layers, language: str | None) -> dict[str, bytes]:
    """The files for staff with the same layers, as far as they are there and can be read."""
    try:
        made = laid(read(folder / STAFF), *layers)
    except InputError:
        return {}
    files = {STAFF: as_json(made)}
    if (folder / STAFF_PAGE).is_file():
        files[STAFF_PAGE] = _page(made, language)
    return files


def _page(results: ResultsJson, language: str | None) -> bytes:
    return render_html(json.loads(as_json(results)), language=language).encode()


def _language(page: Path) -> str | None:
    """The language in which a page was written."""
    try:
        found = _LANGUAGE.search(page.read_bytes()[:1000])
    except OSError:
        return None
    return found[1].decode() if found else None
