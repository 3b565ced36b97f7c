"""A check withdrawn for the whole class, or counted again: first whose marks would move, then the deed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

from grader.batch.desk import at, is_begun, mark, settle
from grader.batch.marks.adjusted import laid
from grader.batch.marks.ledger import Decision, append, decisions, withdrawals
from grader.batch.report.facts import load
from grader.batch.report.write import write_reports
from grader.course.late import lateness_of
from grader.errors import InputError
from grader.exports.unfinished import marked_unfinished
from grader.grading.pipeline import RESULTS
from grader.model import ResultsJson
from grader.results import read
from grader.text import visible


@dataclass(frozen=True, slots=True)
class Move:
    """One submission whose mark would be another."""

    name: str
    before: ResultsJson
    after: ResultsJson

    def __str__(self) -> str:
        """The old mark and the new one."""
        return f"{visible(self.name)}: {mark(self.before)} -> {mark(self.after)}"

    @property
    def gained(self) -> float:
        """By how much."""
        return self.after["score"] - self.before["score"]


def withdraw(
    out: Path, check: str, who: str, reason: str, *, undo: bool, agree: Callable[[Sequence[str]], bool]
) -> bool:
    """Withdraw a check, or count it again with ``undo``, if that is agreed to; return whether it was done.

    ``agree`` is asked with the lines that say whose marks would move. Raises InputError.
    """
    with at(out) as journal:
        facts, known = load(out), withdrawals(out)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        decision = Decision(now, who, "", "restore" if undo else "withdraw", 0.0, reason, check=check)
        is_there = is_begun(out, decision)
        if not is_there:
            results = _results(out, [hand_in.name for hand_in in facts.found.hand_ins])
            _check(check, known, results, undo=undo)
            others = {id_: each for id_, each in known.items() if id_ != check}
            moves = _moves(out, results, others if undo else {**others, check: decision})
            if not agree([_told(check, moves, len(results)), *(f"  {move}" for move in moves)]):
                return False
        with marked_unfinished(out):
            if not is_there:
                append(out, decision)
            settle(out, journal)
            write_reports(out, facts, journal)
        return True


def _results(out: Path, names: Sequence[str]) -> dict[str, ResultsJson]:
    return {name: read(path) for name in names if (path := out / name / RESULTS).is_file()}


def _check(
    check: str, known: Mapping[str, Decision], results: Mapping[str, ResultsJson], *, undo: bool
) -> None:
    """See whether it can be done. Raises InputError."""
    if check in known and not undo:
        by = known[check]
        raise InputError(f"{check} is withdrawn already, by {visible(by.who)}, {visible(by.when)}")
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
        Move(name, each, laid(each, lateness_of(each), decided.get(name, ()), withdrawn))
        for name, each in results.items()
    )
    return [move for move in found if mark(move.before) != mark(move.after)]


def _told(check: str, moves: Sequence[Move], count: int) -> str:
    if not moves:
        return f"{visible(check)}: none of {count} marks would move"
    by = mean(move.gained for move in moves)
    return f"{visible(check)}: {len(moves)} of {count} marks would move, by {by:+.4g} points on average"
