"""``grader adjust``: write a decision about one mark into the ledger, and apply it to the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grader.batch.marks.layers import with_layers, without_layers
from grader.batch.marks.ledger import Action, Decision, append, decisions, withdrawals
from grader.batch.marks.update import format_mark, update_marks
from grader.batch.open_results import find_submission, open_results, was_interrupted
from grader.batch.report.class_facts import load
from grader.batch.report.write import write_reports
from grader.course.late_work import apply, read_lateness
from grader.errors import InputError
from grader.exports.result_files import marked_unfinished
from grader.grading.pipeline import RESULTS
from grader.model import CheckJson, ResultsJson
from grader.results import read
from grader.text import visible


@dataclass(frozen=True, slots=True)
class MarkChange:
    """A change of one submission's mark that a person asks for."""

    action: Action
    who: str
    reason: str = ""
    comment: str = ""
    check: str = ""
    points: float = 0.0


def adjust_mark(out: Path, who: str, change: MarkChange, key: Path | None = None) -> str:
    """Write a decision into the ledger, apply it to the results, and return a line with both marks.

    ``key`` names the students of results under pseudonyms. Giving points to a check that has been given some
    already adds to them, and the line says so. Raises InputError, also for a decision that would change
    nothing.

    An earlier change that was interrupted, or that found the disk full, is completed first; repeating that
    same decision does not record it twice.
    """
    with open_results(out) as journal:
        name, facts = find_submission(out, who, journal.entries(), key), load(out)
        before = read(out / name / RESULTS)
        is_recorded = was_interrupted(out, _decision(name, change, 0.0, 0.0))
        known = [] if is_recorded else decisions(out).get(name, [])
        if not is_recorded:
            _check(without_layers(before), change, known)
            _check_effect(out, before, known, _decision(name, change, *_automatic_marks(before)))
        with marked_unfinished(out):
            update_marks(out, journal)
            is_intact = journal.intact(name)
            if is_intact and not is_recorded:
                append(out, _decision(name, change, *_automatic_marks(read(out / name / RESULTS))))
                update_marks(out, journal)
            write_reports(out, facts, journal)
        if not is_intact:
            raise InputError(
                "this file was changed after the grader wrote it: grade the submission again first, with "
                f"grader regrade {out} {name}",
                path=out / name / RESULTS,
            )
        after = read(out / name / RESULTS)
        return f"{visible(name)}: {format_mark(before)} -> {format_mark(after)}{_told_before(known, change)}"


def _check_effect(out: Path, results: ResultsJson, known: Sequence[Decision], decision: Decision) -> None:
    """Raise InputError if the decision would change nothing."""
    if decision.action not in ("check", "score", "exempt"):
        return
    late, withdrawn = read_lateness(results), withdrawals(out)
    now, then = (with_layers(results, late, some, withdrawn) for some in (known, [*known, decision]))
    if _counting(now) == _counting(then):
        what = f"{decision.check} of {results['submission']}" if decision.check else results["submission"]
        raise InputError(f"nothing would change: {what} {_why_unchanged(then, decision)}")


def _told_before(known: Sequence[Decision], change: MarkChange) -> str:
    """Return a line saying that this check has been given points before; empty if it has not."""
    for each in known:
        if change.action == "check" and (each.check, each.points) == (change.check, change.points):
            before = f"{each.points:+g} before ({visible(each.who)}, {visible(each.when)})"
            return f"\n{change.check} had got {before}: grader adjust --undo takes this one back"
    return ""


def _counting(results: ResultsJson) -> object:
    """Return the parts of a result that a decision may change."""
    return format_mark(results), [check["score"] for check in _checks(results)]


def _why_unchanged(results: ResultsJson, decision: Decision) -> str:
    for check in _checks(results):
        if check["id"] == decision.check:
            return f"has {check['score']:g} of its {check['max_score']:g} points"
    return "is exempt already" if decision.action == "exempt" else f"has {format_mark(results)} already"


def _checks(results: ResultsJson) -> list[CheckJson]:
    return [check for exercise in results["exercises"] for check in exercise["checks"]]


def _automatic_marks(results: ResultsJson) -> tuple[float, float]:
    """Return the grader's mark before and after the late penalty."""
    work = without_layers(results)
    return work["score"], apply(work, read_lateness(results))["score"]


def _decision(name: str, change: MarkChange, work: float, mark: float) -> Decision:
    """Return the line for the ledger; ``work`` and ``mark`` are the grader's marks at this moment."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    words = (change.reason, change.comment, change.check)
    if change.action == "keep":
        return Decision(now, change.who, name, change.action, work, *words, mark)
    automatic = work if change.action == "check" else mark
    return Decision(now, change.who, name, change.action, automatic, *words, change.points)


def _check(results: ResultsJson, change: MarkChange, known: list[Decision]) -> None:
    """Raise InputError where the change does not fit the submission."""
    checks = [check["id"] for check in _checks(results)]
    if "fault" in results:
        first = "choose what counts" if "choice" in results else "grade it again"
        raise InputError(f"{results['submission']} has no mark yet: {first} first")
    if change.action == "check" and change.check not in checks:
        near = [check for check in checks if check.partition(".")[0] == change.check.partition(".")[0]]
        raise InputError(
            f"expected a check of the rubric, got {change.check}; there are {', '.join(near or checks)}"
        )
    if change.action == "score" and not 0 <= change.points <= results["max_score"]:
        raise InputError(f"expected a score from 0 to {results['max_score']:g}, got {change.points:g}")
    if change.action in ("undo", "keep") and not known:
        raise InputError(f"nothing was decided about {results['submission']}")
