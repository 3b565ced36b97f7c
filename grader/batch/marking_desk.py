"""Where persons mark: question by question, all answers to one before the next, without names.

The answers come in an order by lot, which is another for each question. Whoever marks one is told neither
whose it is nor what another person gave. The terminal and the service use the same functions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Final

from grader.batch.code_text import files_in, is_cut
from grader.batch.ledger import Decision, append, decisions, last_mark
from grader.batch.marking import digest_of, for_persons, points_of
from grader.batch.marks import update_marks
from grader.batch.open_results import open_beside
from grader.batch.report.class_facts import load
from grader.batch.report.class_page import load_items, write_reports
from grader.batch.report.rows import BY_PERSONS, Item
from grader.batch.taken_items import expect_free, take_item, taken_items
from grader.course.rubric import load_rubric
from grader.course.yaml_values import hint
from grader.errors import InputError
from grader.exercises.registry import titles
from grader.exports.grades_csv import marked_unfinished
from grader.grading.engine import RESULTS
from grader.model import CheckJson, CriterionJson, ExerciseJson
from grader.results import checks_of, read

_BEGINNING: Final = 2_000
"""So many characters are shown of what was not read."""


@dataclass(frozen=True, slots=True)
class Question:
    """A check that persons mark, as one of them sees it."""

    check: str
    title: str
    waiting: tuple[str, ...]
    """The ids of the items that this person may mark, in the order of their lots."""
    taken: int
    """How many others have open."""


@dataclass(frozen=True, slots=True)
class AnswerToMark:
    """One work's answer to a question, without its name."""

    item: str
    check: str
    title: str
    criteria: tuple[CriterionJson, ...]
    max_score: float
    file: str
    texts: tuple[tuple[str, str], ...]
    """What is handed in: texts by their names, or the code of the file."""
    html: str
    """A text in Markdown as it is shown; empty where it is shown as it was written."""
    model: str
    """The exercise's model answer in Markdown."""
    apart: tuple[float, ...]
    """The points of two persons, where a third one decides."""
    gone: tuple[str, ...]
    """Criteria that were met and are no more, where it is to be marked anew."""
    trouble: str = ""
    """Why the file cannot be shown; empty mostly."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a person gives for an answer."""

    who: str
    criteria: tuple[str, ...]
    """The texts of those that are met."""
    more: float = 0.0
    """Points beside them, also fewer."""
    reason: str = ""


def questions(out: Path, who: str) -> list[Question]:
    """Return the questions with answers that this person may mark. Raises InputError."""
    found: dict[str, list[Item]] = {}
    marked, taken, items = _marked(out), taken_items(out), _items(out)
    checks = checks_of(read(out / items[0].submission / RESULTS)) if items else []
    order = {check["id"]: place for place, check in enumerate(checks)}
    for item in items:
        by = marked.get((item.submission, item.check, item.file), [])
        is_done = len(by) >= item.markers if item.kind == "marking" else len(by) > 2
        if (who not in by and not is_done) or item.kind == "criteria":
            found.setdefault(item.check, []).append(item)
    return [
        Question(
            check,
            _title(*_check_of(out, theirs[0].submission, check)),
            tuple(each.id for each in _by_lot(theirs) if taken.get(each.id, who) == who),
            sum(taken.get(each.id, who) != who for each in theirs),
        )
        for check, theirs in sorted(found.items(), key=lambda pair: order.get(pair[0], 0))
    ]


def _title(exercise: ExerciseJson, check: CheckJson) -> str:
    return f"{exercise['title']}: {check['title']}"


def _items(out: Path) -> list[Item]:
    """Return the open items that are answered by marking."""
    parts = [part for item in load_items(out) for part in item.parts or (item,)]
    return [part for part in parts if part.kind in BY_PERSONS and part.is_open]


def _by_lot(items: Collection[Item]) -> list[Item]:
    def lot(item: Item) -> str:
        named = f"{item.check}\0{item.submission}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(named).hexdigest()

    return sorted(items, key=lot)


def _marked(out: Path) -> Mapping[tuple[str, str, str], list[str]]:
    """Return who has marked what, also since the items were written: by submission, check and file."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for name, known in decisions(out).items():
        for each in known:
            if each.action == "mark":
                found.setdefault((name, each.check, each.work), []).append(each.who)
    return found


def take_answer(out: Path, item: str, who: str) -> bool:
    """Take an answer, so that nobody else marks it meanwhile; return whether it was free."""
    return take_item(out, item, _find(out, item).names, who) == who


def answer_of(out: Path, item: str) -> AnswerToMark:
    """Return the answer that an item asks about. Raises InputError."""
    found = _find(out, item)
    exercise, check = _check_of(out, found.submission, found.check)
    with open_beside(out) as (journal, _):
        code = dict(journal.code([found.submission])).get(found.submission, b"")
    handed_in = exercise["handed_in"]
    texts: dict[str, str] = {"": handed_in["text"]} if handed_in.get("text") else {}
    if "values" in handed_in:
        names = check.get("shows") or [*handed_in["values"]]
        texts = {name: handed_in["values"].get(name, "") for name in names}
    trouble = check["message"] if check.get("said", {}).get("message", [""])[0] == "said.unseen" else ""
    if not texts:
        source = files_in(code).get(handed_in["file"], b"").decode("utf-8", "replace")
        texts = {"": f"{source[:_BEGINNING]}…" if trouble and len(source) > _BEGINNING else source}
        trouble = trouble or ("only a part of the file is kept here" if is_cut(code) else "")
    return AnswerToMark(
        item=found.id,
        check=check["id"],
        title=_title(exercise, check),
        criteria=tuple(check["criteria"]),
        max_score=check["max_score"],
        file=handed_in["file"],
        texts=tuple(texts.items()),
        html=handed_in.get("html", ""),
        model=_model(out, exercise["id"]),
        apart=tuple(check.get("apart", ())),
        gone=tuple(check.get("gone", ())),
        trouble=trouble,
    )


def _find(out: Path, item: str) -> Item:
    found = next((each for each in _items(out) if each.id == item), None)
    if found is None:
        raise InputError(f"nothing is to be marked by the name {item[:40]!r}: it may be marked by now")
    return found


def _check_of(out: Path, name: str, id_: str) -> tuple[ExerciseJson, CheckJson]:
    results = read(out / name / RESULTS)
    found = next((pair for pair in for_persons(results) if pair[1]["id"] == id_), None)
    if found is None:
        raise InputError(f"expected a check that a person marks, got {id_}")
    return found


def _model(out: Path, exercise: str) -> str:
    """Return the model answer of an exercise; empty if there is none, or the rubric is not there."""
    rubric = load(out).asked.get("rubric")
    path = Path(rubric) if rubric else None
    if path is not None and not path.is_file():
        return ""
    return _models(path, path.stat().st_mtime_ns if path else 0).get(exercise, "")


@lru_cache(maxsize=8)
def _models(rubric: Path | None, _changed: int) -> Mapping[str, str]:
    found = load_rubric(rubric, checks=titles(), with_mazes=False)
    return {each.id: each.model for each in found.own_exercises}


def mark_answer(out: Path, item: str, mark: Mark) -> None:
    """Record what a person gives for the answer of an item, and apply it. Raises InputError."""
    expect_free(out, [item], mark.who)
    found = _find(out, item)
    exercise, check = _check_of(out, found.submission, found.check)
    worth = {each["text"]: each["points"] for each in check["criteria"]}
    for text in mark.criteria:
        if text not in worth:
            raise InputError(f"expected a criterion of {check['id']}, got {text[:80]!r}; {hint(text, worth)}")
    if mark.more and not mark.reason.strip():
        raise InputError("expected a reason for points beside the criteria; the student can read it")
    decision = Decision(
        *(_now(), mark.who, found.submission, "mark", 0.0, mark.reason.strip()),
        check=check["id"],
        points=mark.more,
        work=digest_of(exercise),
        criteria=tuple((text, worth[text]) for text in dict.fromkeys(mark.criteria)),
    )
    _expect_in_range(check, decision)
    _record(out, decision)


def _expect_in_range(check: CheckJson, decision: Decision) -> None:
    """Refuse points that lead below 0 or above the points of the check."""
    met = points_of(check, replace(decision, points=0.0))
    if not 0 <= met + decision.points <= check["max_score"]:
        least, most = 0.0 - met, check["max_score"] - met
        raise InputError(
            f"expected points beside the criteria from {least:+g} to {most:+g}, so that the check has from 0 "
            f"to {check['max_score']:g}, got {decision.points:+g}"
        )


def take_back(out: Path, who: str) -> str:
    """Take back what a person marked last; return the id of the item that it is again. Raises InputError."""
    last = last_mark(out, who)
    if last is None:
        raise InputError("nothing of yours is to be taken back")
    _record(out, replace(last, when=_now(), action="unmark", reason="", points=0.0, criteria=()))
    same = (last.submission, last.check)
    return next((each.id for each in _items(out) if (each.submission, each.check) == same), "")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _record(out: Path, *made: Decision) -> None:
    """Write decisions into the ledger, and bring results and tables up to date."""
    with open_beside(out) as (journal, is_beside):
        if is_beside:
            append(out, *made, is_beside=True)
            return
        with marked_unfinished(out):
            append(out, *made)
            update_marks(out, journal)
            write_reports(out, load(out), journal)
