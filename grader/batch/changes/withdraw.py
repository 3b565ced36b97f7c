"""``grader withdraw``: withdraw a check for the whole class, or reinstate it, after showing the effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

from grader.batch.marks.layers import with_layers
from grader.batch.marks.ledger import Decision, append, decisions, withdrawals
from grader.batch.marks.update import format_mark, update_marks
from grader.batch.open_results import open_results, was_interrupted
from grader.batch.report.class_facts import load
from grader.batch.report.write import write_reports
from grader.course.late_work import read_lateness
from grader.errors import InputError
from grader.exports.result_files import marked_unfinished
from grader.grading.pipeline import RESULTS
from grader.model import ResultsJson
from grader.results import read
from grader.text import visible


@dataclass(frozen=True, slots=True)
class Move:
    """One submission whose mark would change."""

    name: str
    before: ResultsJson
    after: ResultsJson

    def __str__(self) -> str:
        """Return the name, the old mark and the new one."""
        return f"{visible(self.name)}: {format_mark(self.before)} -> {format_mark(self.after)}"

    @property
    def gained(self) -> float:
        """The change of the score; negative if points are lost."""
        return self.after["score"] - self.before["score"]


def withdraw(
    out: Path, check: str, who: str, reason: str, *, undo: bool, agree: Callable[[Sequence[str]], bool]
) -> bool:
    """Withdraw a check, or reinstate it with ``undo``, if ``agree`` consents; return whether it was done.

    ``agree`` gets lines that say whose marks would change. Raises InputError.
    """
    with open_results(out) as journal:
        facts, known = load(out), withdrawals(out)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        decision = Decision(now, who, "", "restore" if undo else "withdraw", 0.0, reason, check=check)
        is_there = was_interrupted(out, decision)
        if not is_there:
            results = _results(out, [hand_in.name for hand_in in facts.found.hand_ins])
            _check(check, known, results, undo=undo)
            others = {id_: each for id_, each in known.items() if id_ != check}
            moves = _moves(out, results, others if undo else {**others, check: decision})
            if not agree([_summarise(check, moves, len(results)), *(f"  {move}" for move in moves)]):
                return False
        with marked_unfinished(out):
            if not is_there:
                append(out, decision)
            update_marks(out, journal)
            write_reports(out, facts, journal)
        return True


def _results(out: Path, names: Sequence[str]) -> dict[str, ResultsJson]:
    return {name: read(path) for name in names if (path := out / name / RESULTS).is_file()}


def _check(
    check: str, known: Mapping[str, Decision], results: Mapping[str, ResultsJson], *, undo: bool
) -> None:
    """Raise InputError if the check does not exist, or is already in the requested state."""
    if check in known and not undo:
        by = known[check]
        raise InputError(f"{check} was withdrawn already, by {visible(by.who)}, {visible(by.when)}")
    if check not in known and undo:
        there = ", ".join(map(visible, known)) or "none"
        raise InputError(f"{visible(check)} is not withdrawn; withdrawn here: {there}")
    ids = {
        found["id"]: None
        for each in results.values()
        for exercise in each["exercises"]
        for found in exercise["checks"]
    }
    if check not in ids and not undo:
        told = ", ".join(map(visible, ids))
        raise InputError(f"expected a check of these results, got {visible(check)}; there are {told}")


def _moves(out: Path, results: Mapping[str, ResultsJson], withdrawn: Mapping[str, Decision]) -> list[Move]:
    decided = decisions(out)
    found = (
        Move(name, each, with_layers(each, read_lateness(each), decided.get(name, ()), withdrawn))
        for name, each in results.items()
    )
    return [move for move in found if format_mark(move.before) != format_mark(move.after)]


def _summarise(check: str, moves: Sequence[Move], count: int) -> str:
    if not moves:
        return f"{visible(check)}: none of {count} marks would move"
    by = mean(move.gained for move in moves)
    return f"{visible(check)}: {len(moves)} of {count} marks would move, by {by:+.4g} points on average"
