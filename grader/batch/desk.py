"""What a teaching assistant does with results that are there: marks are changed, and all pages with them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

from grader.batch.adjusted import adjusted, automatic
from grader.batch.journal import FILE, Entry, Journal
from grader.batch.ledger import Action, Decision, append, decisions
from grader.batch.lock import hold
from grader.batch.report.facts import load
from grader.batch.report.items import Item
from grader.batch.report.write import write_reports
from grader.errors import InputError
from grader.feedback import render_html
from grader.grading.pipeline import FEEDBACK, RESULTS
from grader.model import ResultsJson
from grader.results import as_json, read
from grader.text import visible

_LANGUAGE: Final = re.compile(rb'<html lang="([a-z]{2,3})">')


@dataclass(frozen=True, slots=True)
class Change:
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


def decide(out: Path, who: str, change: Change) -> str:
    """Write a decision down and lay it over the results; return what became of the mark."""
    with at(out) as journal:
        name = submission_of(out, who, journal.entries())
        results = automatic(read(out / name / RESULTS))
        _check(results, change, decisions(out).get(name, []))
        before, facts = read(out / name / RESULTS), load(out)
        append(out, _decision(name, change, results["score"]))
        settle(out, journal)
        write_reports(out, facts, journal)
        return f"{visible(name)}: {_mark(before)} -> {_mark(read(out / name / RESULTS))}"


def review(out: Path, close: Sequence[str], reopen: Sequence[str], who: str) -> tuple[Item, ...]:
    """Close or open items again, by their id, submission or kind; return all of them. Raises InputError."""
    with at(out) as journal:
        facts = load(out)
        items = write_reports(out, facts, journal).items
        changes = [(item, "looked") for item in _meant(items, close) if item.is_open]
        changes += [(item, "reopen") for item in _meant(items, reopen) if not item.is_open]
        for item, action in changes:
            change = Change(cast(Action, action), who, check=item.id)
            append(out, _decision(item.submission, change, 0.0))
        return write_reports(out, facts, journal).items if changes else items


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


def submission_of(out: Path, who: str, entries: Mapping[str, Entry]) -> str:
    """The submission that a person means: by its folder, or by the number or name of the student."""
    if who in entries:
        return who
    wanted = who.casefold()
    found = [
        hand_in.name
        for hand_in in load(out).found.hand_ins
        if hand_in.name in entries and wanted in (hand_in.id.casefold(), hand_in.student.casefold())
    ]
    if len(found) != 1:
        told = ", ".join(map(visible, found or sorted(entries)[:5]))
        what = "may be any of" if found else "is none of"
        raise InputError(f"{visible(who)} {what} the submissions here ({told})", path=out)
    return found[0]


def _decision(name: str, change: Change, mark: float) -> Decision:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Decision(
        now, change.who, name, change.action, mark, change.reason, change.comment, change.check, change.points
    )


def _check(results: ResultsJson, change: Change, known: list[Decision]) -> None:
    """See whether it can be done. Raises InputError."""
    checks = {check["id"] for exercise in results["exercises"] for check in exercise["checks"]}
    if "fault" in results:
        raise InputError(f"{results['submission']} has no mark yet: grade it again first")
    if change.action == "check" and change.check not in checks:
        raise InputError(f"expected a check of the rubric, got {change.check}; there are {', '.join(checks)}")
    if change.action == "score" and not 0 <= change.points <= results["max_score"]:
        raise InputError(f"expected a score from 0 to {results['max_score']:g}, got {change.points:g}")
    if change.action in ("undo", "keep") and not known:
        raise InputError(f"nothing was decided about {results['submission']}")


def _mark(results: ResultsJson) -> str:
    layer = results.get("adjusted")
    return "exempt" if layer and layer["exempt"] else f"{results['score']:g}"


def settle(out: Path, journal: Journal) -> None:
    """Lay what people decided over all results of which that is not so yet."""
    known = decisions(out)
    for name, entry in journal.entries().items():
        path = out / name / RESULTS
        if not path.is_file() or (name not in known and b'\n "adjusted":' not in path.read_bytes()):
            continue
        results = read(path)
        made = adjusted(results, known.get(name, ()))
        if as_json(made) != as_json(results):
            page = render_html(json.loads(as_json(made)), language=_language(out / name / FEEDBACK))
            journal.rewrite(entry, as_json(made), page.encode())


def _language(page: Path) -> str | None:
    """The language in which a page was written."""
    try:
        found = _LANGUAGE.search(page.read_bytes()[:1000])
    except OSError:
        return None
    return found[1].decode() if found else None
