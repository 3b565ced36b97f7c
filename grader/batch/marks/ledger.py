"""What people decided about marks: one JSON line a decision, written once and never changed.

The ledger lies beside the journal and outlives every regrade: the marks of the grader are made anew,
and what people decided is laid over them again.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from grader.disk import writing
from grader.errors import InputError
from grader.text import in_bytes

LEDGER: Final = "ledger.jsonl"
Action = Literal["check", "score", "exempt", "undo", "keep", "looked", "reopen", "withdraw", "restore"]
"""Points of a check, a score, no mark at all; the last one taken back, or all of them confirmed; somebody
has looked at an item of the review, or somebody shall look again; a check withdrawn for the whole class, or
counted again."""
_MOST_BYTES: Final = 64 * 1024 * 1024
"""What people decide about a class is a ten-thousandth of it."""
_OF_MARKS: Final = ("check", "score", "exempt", "undo", "keep")


@dataclass(frozen=True, slots=True)
class Decision:
    """One line."""

    when: str
    who: str
    submission: str
    """Empty where it is about the whole class."""
    action: Action
    automatic: float
    """The mark that the grader gave when this was decided; for points of a check, that of the work alone,
    before anything was taken off for its being late."""
    reason: str = ""
    comment: str = ""
    check: str = ""
    """The check, or the item of the review."""
    points: float = 0.0
    """What the check gets more or less, or the score that it all is. Where the grader's mark is confirmed,
    that mark, and the one of the work alone is ``automatic``."""


def decisions(out: Path) -> dict[str, list[Decision]]:
    """What holds, by submission, in the order in which it was decided. Raises InputError."""
    holding: dict[str, list[Decision]] = {}
    for decision in _read(out / LEDGER):
        if decision.action not in _OF_MARKS:
            continue
        known = holding.setdefault(decision.submission, [])
        if decision.action == "undo":
            del known[-1:]
        elif decision.action == "keep":
            known[:] = [_confirmed(each, decision) for each in known]
        else:
            known.append(decision)
    return {name: known for name, known in holding.items() if known}


def _confirmed(decision: Decision, by: Decision) -> Decision:
    return replace(decision, automatic=by.automatic if decision.action == "check" else by.points)


def withdrawals(out: Path) -> dict[str, Decision]:
    """Which checks are withdrawn, by their ids. Raises InputError."""
    return _holding(out, "withdraw", "restore")


def looked_at(out: Path) -> dict[str, Decision]:
    """Who has looked at which item of the review, by its id. Raises InputError."""
    return _holding(out, "looked", "reopen")


def _holding(out: Path, begins: Action, ends: Action) -> dict[str, Decision]:
    """What was begun and has not ended, by the check or item."""
    found = {}
    for decision in _read(out / LEDGER):
        if decision.action == begins:
            found[decision.check] = decision
        elif decision.action == ends:
            found.pop(decision.check, None)
    return found


def is_last(out: Path, decision: Decision) -> bool:
    """Whether this was written down last, whenever that was and whatever the mark was. Raises InputError."""
    *_, last = (None, *_read(out / LEDGER))
    return last is not None and decision == replace(
        last,
        when=decision.when,
        automatic=decision.automatic,
        points=decision.points if decision.action == "keep" else last.points,
    )


def append(out: Path, decision: Decision) -> None:
    """Write a decision down, so that it is on the disk when this returns. Raises DiskError."""
    path = out / LEDGER
    with writing(path), path.open("ab+") as file:
        _cut_torn_line(path)
        file.write(json.dumps(asdict(decision), ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _cut_torn_line(path: Path) -> None:
    """Take away a last line that was never written to its end: nobody was told that it holds."""
    content = path.read_bytes()
    if content and not content.endswith(b"\n"):
        os.truncate(path, content.rfind(b"\n") + 1)


def _read(path: Path) -> Iterable[Decision]:
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
    decision = Decision(**data)
    numbers = (decision.automatic, decision.points)
    texts = (
        decision.when,
        decision.who,
        decision.submission,
        decision.reason,
        decision.comment,
        decision.check,
    )
    are_numbers = all(type(number) in (int, float) and math.isfinite(number) for number in numbers)
    if decision.action not in _ACTIONS or not are_numbers or not all(isinstance(text, str) for text in texts):
        raise ValueError("no decision")
    "".join(texts).encode()  # half a character is in no page, and in no ledger that we write
    return decision
