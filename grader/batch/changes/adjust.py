"""``grader adjust``: write a decision about one mark into the ledger, and apply it to the results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grader.batch.marks.layers import without_layers
from grader.batch.marks.ledger import Action, Decision, append, decisions
from grader.batch.marks.update import format_mark, update_marks
from grader.batch.open_results import find_submission, open_results, was_interrupted
from grader.batch.report.class_facts import load
from grader.batch.report.write import write_reports
from grader.course.late_work import apply, read_lateness
from grader.errors import InputError
from grader.exports.unfinished import marked_unfinished
from grader.grading.pipeline import RESULTS
from grader.model import ResultsJson
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


def adjust_mark(out: Path, who: str, change: MarkChange) -> str:
    """Write a decision into the ledger, apply it to the results, and return a line with both marks.

    An earlier change that was interrupted, or that found the disk full, is completed first; repeating that
    same decision does not record it twice.
    """
    with open_results(out) as journal:
        name, facts = find_submission(out, who, journal.entries()), load(out)
        before = read(out / name / RESULTS)
        is_recorded = was_interrupted(out, _decision(name, change, 0.0, 0.0))
        if not is_recorded:
            _check(without_layers(before), change, decisions(out).get(name, []))
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
        return f"{visible(name)}: {format_mark(before)} -> {format_mark(read(out / name / RESULTS))}"


def _automatic_marks(results: ResultsJson) -> tuple[float, float]:
    """Return the grader's mark for the work, and what is left of it after lateness."""
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
