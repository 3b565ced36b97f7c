"""The ledger of what people decided: an append-only file with one JSON line per decision.

It lies beside the journal and survives regrading: the grader computes its marks anew, and the decisions are
applied to them again (``marks.py``).
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from grader.batch.job import PutRight
from grader.disk import alone, writing
from grader.errors import InputError
from grader.exports.grades_csv import check_running
from grader.text import in_bytes

LEDGER: Final = "ledger.jsonl"
Action = Literal[
    "check", "score", "exempt", "comment", "undo", "keep",
    "looked", "reopen", "withdraw", "restore", "choose", "unchoose", "put-right",
    "line-comment", "no-line-comment", "mark", "unmark", "share",
    "request", "reply", "take-back", "answer-kept", "answer-changed", "answer-regraded", "shown",
]  # fmt: skip
"""The kinds of decisions: points for a check, a score, no mark at all (exempt), a comment alone; the last
one undone, or all of them confirmed (keep); an item of the review closed (looked) or reopened; a check
withdrawn for the whole class, or counted again (restore); one of several attempts or files chosen, or not
any more (unchoose); work that was put right by hand; a comment at a line written, changed, or taken back
(no-line-comment), which decides nothing; work shared out among assistants (share); a check that a person
marks (mark), or does not any more (unmark); what a student asks about a lost check, and its answers
(``requests.py``), and that results were handed on (shown)."""
_MOST_BYTES: Final = 64 * 1024 * 1024
"""A larger ledger is refused; that of a class is ten thousand times smaller."""
_OF_MARKS: Final = ("check", "score", "exempt", "comment", "undo", "keep", "mark", "unmark")


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, a line of the ledger."""

    when: str
    who: str
    submission: str
    """The name of the submission; empty where the decision is about the whole class."""
    action: Action
    automatic: float
    """The grader's mark at the time of the decision; for points of a check, the mark before lateness."""
    reason: str = ""
    comment: str = ""
    check: str = ""
    """The id of the check, of the item of the review, or of the question which of several attempts counts; or
    the digest of what was handed in, where it was put right by hand."""
    points: float = 0.0
    """The points added to the check, the score, or the number of what was chosen. For ``keep``, the confirmed
    mark after lateness; ``automatic`` is then the mark before lateness."""
    work: str = ""
    """The digest of the work that was decided on, looked at, or made by hand; empty if it was unknown."""
    mark: float | None = None
    """The mark that came of it, which stays while other work waits for a decision."""
    file: str = ""
    """The file that a comment at a line is about; empty for other decisions, as all below."""
    digest: str = ""
    """The digest of the file that the person saw."""
    line: int = 0
    """The number of the line, from 1."""
    source: str = ""
    """The text of the line."""
    number: int = 0
    """The number of the comment among those of the submission."""
    attempt: int = 0
    """The number of the attempt that the work was; 0 if it is unknown."""
    criteria: tuple[tuple[str, float], ...] = ()
    """For ``mark``, the criteria that are met, with the points that they had; ``points`` are those beside
    them, and ``work`` is the digest of the file."""


def decisions(out: Path) -> dict[str, list[Decision]]:
    """Return comments and the decisions about marks that are in force, by submission, oldest first.

    Raises InputError.
    """
    lines: dict[str, list[Decision]] = {}
    for decision in _read_lines(out / LEDGER):
        if decision.action in _OF_MARKS:
            lines.setdefault(decision.submission, []).append(decision)
    return {name: known for name, theirs in lines.items() if (known := decided(theirs))}


def line_comments(out: Path) -> dict[str, list[Decision]]:
    """Return the comments at lines that are in force, by submission and in the order of their numbers.

    Raises InputError.
    """
    found: dict[str, list[Decision]] = {}
    for decision in _read_lines(out / LEDGER):
        if decision.action in ("line-comment", "no-line-comment"):
            found.setdefault(decision.submission, []).append(decision)
    return {name: known for name, lines in found.items() if (known := commented(lines))}


def last_sharing(out: Path) -> list[Decision]:
    """Return the lines by which work was shared out last, all of one command. Raises InputError."""
    lines = [each for each in _read_lines(out / LEDGER) if each.action == "share"]
    return [each for each in lines if each.when == lines[-1].when]


def commented(lines: Iterable[Decision]) -> list[Decision]:
    """Return the comments at lines of one submission that are in force after these lines of the ledger."""
    known: dict[int, Decision] = {}
    for decision in lines:
        if decision.action == "line-comment":
            known[decision.number] = decision
        elif decision.action == "no-line-comment":
            known.pop(decision.number, None)
    return list(known.values())


def decided(lines: Iterable[Decision]) -> list[Decision]:
    """Return the decisions about one mark that are in force after these lines of the ledger."""
    known: list[Decision] = []
    for decision in lines:
        if decision.action == "undo":
            del known[-1:]
        elif decision.action == "keep":
            known[:] = [each if each.action == "mark" else _confirmed(each, decision) for each in known]
        elif decision.action in ("mark", "unmark"):
            _mark_anew(known, decision)
        else:
            known.append(decision)
    return known


def _mark_anew(known: list[Decision], decision: Decision) -> None:
    """Put a person's mark in the place of the same person's earlier one; with ``unmark``, take it out."""
    same = (decision.who, decision.check, decision.work)
    places = [
        place
        for place, each in enumerate(known)
        if each.action == "mark" and (each.who, each.check, each.work) == same
    ]
    place = places[0] if places else len(known)
    known[place : place + 1] = [decision] if decision.action == "mark" else []


def _confirmed(decision: Decision, by: Decision) -> Decision:
    automatic = by.automatic if decision.action == "check" else by.points
    return replace(decision, automatic=automatic, work=by.work, mark=by.mark)


def last_mark(out: Path, who: str) -> Decision | None:
    """Return what a person marked last and has not taken back, or None. Raises InputError."""
    known: list[Decision] = []
    for decision in _read_lines(out / LEDGER):
        if decision.action in ("mark", "unmark") and decision.who == who:
            same = (decision.submission, decision.check, decision.work)
            known = [each for each in known if (each.submission, each.check, each.work) != same]
            known += [decision] if decision.action == "mark" else []
    return known[-1] if known else None


def withdrawals(out: Path) -> dict[str, Decision]:
    """Return the decisions that withdraw checks now, by check. Raises InputError."""
    return _holding(out, "withdraw", "restore")


def looked_at(out: Path) -> dict[str, Decision]:
    """Return the decisions that close items of the review now, by item. Raises InputError."""
    return _holding(out, "looked", "reopen")


def choices(out: Path) -> dict[str, Decision]:
    """Return the choices among attempts or files that are in force, by question. Raises InputError."""
    return _holding(out, "choose", "unchoose")


def chosen_numbers(out: Path) -> dict[str, dict[str, int]]:
    """Return the numbers of what was chosen, by submission and question. Raises InputError."""
    found: dict[str, dict[str, int]] = {}
    for question, decision in choices(out).items():
        found.setdefault(decision.submission, {})[question] = int(decision.points)
    return found


def put_right(out: Path) -> dict[str, PutRight]:
    """Return the work that staff put right by hand, by submission. Raises InputError."""
    lines = (each for each in _read_lines(out / LEDGER) if each.action == "put-right")
    return {each.submission: PutRight(path_put_right(out, each), each.check) for each in lines}


def path_put_right(out: Path, decision: Decision) -> Path:
    """Return where the work lies that a person put right by hand."""
    return out / decision.submission / f"put-right-{decision.work[:8]}.zip"


def _holding(out: Path, begins: Action, ends: Action) -> dict[str, Decision]:
    """Return decisions of the kind ``begins`` that no later one of the kind ``ends`` has ended."""
    found = {}
    for decision in _read_lines(out / LEDGER):
        if decision.action == begins:
            found[decision.check] = decision
        elif decision.action == ends:
            found.pop(decision.check, None)
    return found


def is_last(out: Path, decision: Decision) -> bool:
    """Return whether the last line is this decision, ignoring its time, marks and work. Raises InputError."""
    *_, last = (None, *_read_lines(out / LEDGER))
    return last is not None and decision == replace(
        last,
        when=decision.when,
        automatic=decision.automatic,
        points=decision.points if decision.action == "keep" else last.points,
        work=decision.work,
        mark=decision.mark,
    )


def append(out: Path, *decisions: Decision, is_beside: bool = False) -> None:
    """Append decisions, if ``is_beside`` for a run that is going on; they are on the disk when this returns.

    Raises DiskError, and Busy where there is no such run.
    """
    with ledger_alone(out):
        if is_beside:
            check_running(out)
        for decision in decisions:
            _append(out / LEDGER, decision)


def append_made(
    out: Path, make: Callable[[Iterable[Decision]], Decision], *, is_beside: bool = False
) -> Decision:
    """Append what is made of the lines that are there, and return it; nobody else writes in between.

    Raises what ``make`` raises, and what ``append`` does.
    """
    with ledger_alone(out):
        if is_beside:
            check_running(out)
        made = make(_read_lines(out / LEDGER))
        _append(out / LEDGER, made)
        return made


def all_decisions(out: Path) -> list[Decision]:
    """Return all lines of the ledger, in order. Raises InputError."""
    return list(_read_lines(out / LEDGER))


def ledger_alone(out: Path) -> AbstractContextManager[None]:
    """Keep all others from writing decisions; a run ends in such a block, so that none comes too late."""
    return alone(out / ".ledger.lock")


def _append(path: Path, decision: Decision) -> None:
    with writing(path), path.open("ab+") as file:
        # an incomplete last line: the command that wrote it never reported success
        content = path.read_bytes()
        if content and not content.endswith(b"\n"):
            os.truncate(path, content.rfind(b"\n") + 1)
        file.write(json.dumps(asdict(decision), ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _read_lines(path: Path) -> Iterable[Decision]:
    """Yield all lines of a ledger; none if the file does not exist. Raises InputError with the line."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return
    if len(content) > _MOST_BYTES:
        raise InputError(f"expected at most {in_bytes(_MOST_BYTES)} of decisions", path=path)
    lines = content.split(b"\n")[:-1]
    for number, line in enumerate(lines, 1):
        try:
            yield _decision(json.loads(line))
        except (ValueError, TypeError, RecursionError, OverflowError):
            raise InputError(
                "expected a decision as grader adjust writes it: put the line back as it was, or take it out",
                path=path,
                line=number,
            ) from None


_ACTIONS: Final = get_args(Action)


def _decision(data: dict[str, Any]) -> Decision:
    """Parse a decision. Raises ValueError, TypeError or OverflowError if it is invalid."""
    decision = Decision(**data)
    criteria = tuple((text, points) for text, points in decision.criteria)
    decision = replace(decision, criteria=criteria)
    worth = [points for _, points in criteria]
    numbers = (decision.automatic, decision.points, 0.0 if decision.mark is None else decision.mark, *worth)
    texts = (
        decision.when,
        decision.who,
        decision.submission,
        decision.reason,
        decision.comment,
        decision.check,
        decision.work,
        decision.file,
        decision.digest,
        decision.source,
        *(text for text, _ in criteria),
    )
    are_whole = all(type(each) is int for each in (decision.line, decision.number, decision.attempt))
    are_numbers = are_whole and all(
        type(number) in (int, float) and math.isfinite(number) for number in numbers
    )
    if decision.action not in _ACTIONS or not are_numbers or not all(isinstance(text, str) for text in texts):
        raise ValueError("no decision")
    "".join(texts).encode()  # a lone surrogate cannot be shown, and the grader never writes one
    return decision
