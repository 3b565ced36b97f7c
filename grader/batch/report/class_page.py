"""The reports of a class, for staff: its page, its table, and when both are written anew."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from statistics import mean, median
from typing import Any, Final
from urllib.parse import quote

from grader import shipped
from grader.batch.journal import Journal
from grader.batch.ledger import LEDGER, Decision, looked_at
from grader.batch.marks import update_marks
from grader.batch.report import render
from grader.batch.report.class_facts import FILE as FACTS
from grader.batch.report.class_facts import NAMES as PLOTS
from grader.batch.report.class_facts import ClassFacts, Plot, can_plot, write_plots
from grader.batch.report.fairness import STRONG, records, together
from grader.batch.report.rows import KINDS, PROPOSALS, Item, items_of, rows_of, save_items
from grader.batch.report.similar_groups import FILE as ALIKE
from grader.batch.report.similar_groups import FOLDER, Alike, find_similar
from grader.batch.report.similarity import can_compare
from grader.batch.requests import LookRequest, answers_by_item, load_requests, requests_now, tell_right_checks
from grader.disk import write_whole
from grader.errors import InputError
from grader.exports.chosen_students import WITHOUT_WORK, load_students_without_work
from grader.exports.grades_csv import ITEMS, Concern, Row, Status, grades_csv, open_kinds
from grader.exports.grades_csv import NAME as TABLE
from grader.exports.plot import BINS
from grader.languages import DEFAULT, catalogue
from grader.model import LateJson
from grader.text import visible

# --- common edits -----------------------------------------------------------------------------------
# Describe, for staff, the mistakes of the class that one small edit would correct, by the kind of edit.

EDITS: Final[Mapping[str, str]] = {
    "all_or_any": "take “all” for “any”, or the other way round",
    "answer": "do not hand on what their own call gives back",
    "arguments": "have two values in the wrong order",
    "bound": "end one too early or too late",
    "both": "take “and” for “or”, or the other way round",
    "by_one": "are one off",
    "closely": "have a mistake in one place that several changes put right",
    "changing": "change what they go through",
    "comparison": "compare the wrong way round",
    "condition": "have a condition too many, or one that is wrong",
    "copied": "put away what goes on changing",
    "counted": "add where they should take away, or the like",
    "direction": "have a wrong direction",
    "each_turn": "do at each turn of a loop what is to be done once, or the other way round",
    "empty": "take what is empty for nothing",
    "end": "take the other end of the list",
    "entry_or_exit": "take the entry for the exit, or the other way round",
    "equal": "are wrong where two are equal",
    "has_been": "do not look where they have been",
    "known": "do not look what they know already",
    "leaves": "leave a loop too early or too late",
    "lives_on": "keep something from one call to the next",
    "luck": "draw luck from elsewhere",
    "marks": "do not note where they have been",
    "method": "call another method than is meant",
    "most_or_least": "take the most for the least, or the other way round",
    "name": "use another name than is meant",
    "needed": "do something that is not needed",
    "negation": "have a condition the wrong way round",
    "no_exit": "take it for granted that there is an exit",
    "nothing": "give back something else where there is nothing",
    "number": "have a wrong number",
    "order": "go through something in the wrong order",
    "part": "leave a part out",
    "row_or_column": "take rows for columns, or the other way round",
    "same": "ask whether two are the same object, not whether they are equal",
    "sequence": "do two things in the wrong order",
    "taken_back": "do not take back what leads nowhere",
    "truth": "take true for false, or the other way round",
    "turned": "turn a move round, or do not",
    "under_condition": "do under a condition what is always to be done, or the other way round",
    "walls": "do with walls what is not meant",
    "way_order": "give back the way from its other end",
    "what_returned": "give back another type",
    "wrapped": "make something of a value that should stay as it is",
}
"""What students do wrong, by the kind of edit; it follows a number: “34 take the other end of the list”."""


@dataclass(frozen=True, slots=True)
class SharedEdit:
    """Submissions in which the same kind of edit would correct an exercise."""

    exercise: str
    words: str
    rows: tuple[Row, ...]


def shared_edits(rows: Iterable[Row]) -> list[SharedEdit]:
    """Count the kinds of edits by exercise, the most frequent first."""
    found: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        for exercise in row.exercises:
            if exercise.look_at in EDITS:
                found[exercise.title, exercise.look_at][row.name] = row
    made = [SharedEdit(title, EDITS[kind], tuple(theirs.values())) for (title, kind), theirs in found.items()]
    return sorted(made, key=lambda change: (-len(change.rows), change.exercise, change.words))


_FEW = 8
"""Up to this many items of the review are shown unfolded."""
_FEW_NAMES = 100
"""Items that name more submissions than this are folded, too."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of the histogram."""

    low: int
    high: int
    count: int
    height: float
    """Its height in percent of the highest bar."""


@dataclass(frozen=True, slots=True)
class SharedGroup:
    """Submissions whose wrong answers share something."""

    id: str
    title: str
    """The title of the exercise, and in words what they share."""
    hint: str
    rows: tuple[Row, ...]


def class_page(  # noqa: PLR0913 - what the page shows
    rows: Sequence[Row],
    alike: Alike,
    facts: ClassFacts,
    gone: Sequence[str] = (),
    items: Sequence[Item] | None = None,
    without_work: Sequence[str] = (),
    plots: Sequence[Plot] = (),
    requests: Iterable[LookRequest] = (),
) -> str:
    """Return the page.

    ``gone`` names submissions that were graded and are no longer handed in; ``items`` is the review, with
    every item open by default; ``without_work`` names the students who handed in nothing; the files of
    ``plots`` lie beside the page; ``requests`` are those of students for another look.
    """
    graded = [row for row in rows if row.status == "graded"]
    items = items_of(rows, alike, {}) if items is None else items
    waiting = [item for item in items if item.is_open]
    shares = [100 * row.score / row.max_score for row in graded if row.score is not None and row.max_score]
    found_groups, checks = groups(graded), records(graded)
    by_name: dict[str, list[Item]] = defaultdict(list)
    for item in waiting:
        for name in item.names:
            by_name[name].append(item)

    return render(
        "class.html.j2",
        title=facts.title,
        sandbox=facts.sandbox,
        platform=facts.found.platform.title(),
        passed_over=[*map(visible, facts.found.passed_over)],
        rows=rows,
        gone=gone,
        without_work=[*map(visible, without_work)],
        counts=Counter(row.status for row in rows),
        mean=mean(shares) if shares else None,
        median=median(shares) if shares else None,
        bars=histogram(shares),
        plots=plots,
        right_requests=tell_right_checks(requests),
        exercises=facts.exercises,
        checks=checks,
        together=together(checks),
        strong=STRONG,
        groups=[group for group in found_groups if len(group.rows) > 1],
        singles=[group for group in found_groups if len(group.rows) == 1],
        changes=shared_edits(graded),
        titles={group.id: group.title for group in found_groups},
        to_do=[(kind, list(theirs)) for kind, theirs in groupby(waiting, key=lambda item: item.kind)],
        is_short=lambda items: (
            len(items) <= _FEW and sum(1 + len(item.others) for item in items) <= _FEW_NAMES
        ),
        done=len(items) - len(waiting),
        not_graded=[row for row in rows if row.status == "waiting"],
        asked=len(waiting),
        seen=_beside_the_marks(rows),
        proposals=PROPOSALS,
        words=KINDS,
        alike=alike,
        pairs={
            pair.page: f"{facts.called(pair.one)} and {facts.called(pair.other)}"
            for group in alike.groups
            for pair in group.pairs
        },
        names={row.name: row for row in rows},
        called=facts.called,
        open=by_name,
        link=lambda row, page="feedback": f"{quote(row.name)}/{page}.html",
        shown=visible,
    )


def _beside_the_marks(rows: Sequence[Row]) -> list[tuple[str, list[tuple[Row, Concern]]]]:
    """Return what asks nothing, by kind, with the submissions of which it was seen."""
    found = [
        (kind, [(row, each) for row in rows for each in row.concerns if each.kind == kind]) for kind in KINDS
    ]
    return [(kind, seen) for kind, seen in found if seen and kind not in PROPOSALS]


def histogram(shares: Sequence[float]) -> list[Bar]:
    """Count scores in percent in bins of equal width; full marks fall in the last one."""
    width = 100 // BINS
    counts = [0] * BINS
    for share in shares:
        counts[min(BINS - 1, max(0, int(share // width)))] += 1
    most = max(counts) or 1
    return [Bar(n * width, (n + 1) * width, count, 100 * count / most) for n, count in enumerate(counts)]


def groups(rows: Sequence[Row]) -> list[SharedGroup]:
    """Group submissions by what their wrong answers share, the most frequent first."""
    words = catalogue(DEFAULT)
    holders: dict[str, dict[str, Row]] = defaultdict(dict)
    titles: dict[str, str] = {}
    for row in rows:
        for exercise in row.exercises:
            for check in exercise.checks:
                if check.misconception:
                    holders[check.misconception][row.name] = row
                    name = check.misconception.rpartition(".")[2].replace("-", " ")
                    does = ", and ".join(words.shared(check.misconception)) or name
                    titles[check.misconception] = f"{exercise.title}: {does}"
    made = [
        SharedGroup(id_, titles[id_], words.hint(id_), tuple(theirs.values()))
        for id_, theirs in holders.items()
    ]
    return sorted(made, key=lambda group: (-len(group.rows), group.id))


def _tell_nobody(_event: str, **_facts: object) -> None:
    """Say nothing."""


PAGE: Final = "index.html"
NAMES: Final = (TABLE, PAGE)


@dataclass(frozen=True, slots=True)
class ClassStanding:
    """The status of a class, as the reports show it."""

    counts: Counter[Status]
    """The numbers of submissions by status."""
    gone: tuple[str, ...]
    """Submissions that were graded and are no longer handed in: kept on the disk, but in no report."""
    items: tuple[Item, ...]
    """The items of the review."""


NOT_COMPARED: Final = "submissions are compared when all are graded"


def write_reports(
    out: Path, facts: ClassFacts, journal: Journal, tell: Callable[..., None] | None = _tell_nobody
) -> ClassStanding:
    """Write the reports, each file completely or not at all; return the standing that they show.

    ``tell`` hears how far the comparison of submissions is; None leaves it and the plots out.
    """
    hand_ins = facts.found.hand_ins
    entries = journal.entries()
    changed = [name for name in entries if not journal.intact(name)]
    rows = list(rows_of(out, hand_ins, entries, facts.wall_seconds, changed=changed))
    gone = find_gone(facts, journal)
    exercises = [id_ for id_, _ in facts.exercises]
    against = facts.asked.get("against")
    graded = [row.name for row in rows if row.status == "graded"]
    alike, plots = Alike(note=NOT_COMPARED), list[Plot]()
    if tell is not None:
        alike = find_similar(out, journal, graded, Path(against) if against else None, tell)
        plots = write_plots(out, rows, facts)
    requests = requests_now(load_requests(out), entries)
    items = items_of(rows, alike, looked_at(out), requests)
    save_items(out, items)
    write_whole(out / TABLE, grades_csv(rows, exercises, (*PROPOSALS, "waiting"), open_kinds(out)))
    missing = load_students_without_work(out)
    write_whole(out / PAGE, class_page(rows, alike, facts, gone, items, missing, plots, requests).encode())
    return ClassStanding(Counter(row.status for row in rows), gone, tuple(items))


def find_gone(facts: ClassFacts, journal: Journal) -> tuple[str, ...]:
    """Return the submissions that have a result and are no longer handed in."""
    return tuple(sorted(journal.entries().keys() - {hand_in.name for hand_in in facts.found.hand_ins}))


STATE_FILE: Final = ".reports.json"
_FILES: Final = (*NAMES, *PLOTS, ITEMS, FACTS, ALIKE, WITHOUT_WORK)


def update_reports(  # noqa: PLR0913 - what they are made of
    out: Path,
    facts: ClassFacts,
    journal: Journal,
    lates: Mapping[str, LateJson | None],
    missing: Sequence[str],
    language: str | None = None,
    tell: Callable[..., None] | None = _tell_nobody,
) -> ClassStanding:
    """Bring marks, pages in another ``language`` and reports up to date; return where the class stands.

    Nothing is written if neither the reports nor anything that they depend on has changed. ``facts`` are
    saved already; ``tell`` is that of ``write_reports``.
    """
    standing = _load_standing(out, _state(out, facts, journal, lates, missing), facts, journal)
    if standing is None:
        update_marks(out, journal, lates, language)
        write_whole(out / WITHOUT_WORK, json.dumps(missing).encode())
        standing = write_reports(out, facts, journal, tell)
        if tell is not None:
            _save_standing(out, _state(out, facts, journal, lates, missing), standing)
    return standing


def _state(
    out: Path, facts: ClassFacts, journal: Journal, lates: Mapping[str, object], missing: Iterable[str]
) -> str:
    """Return a digest of all that the reports depend on; empty if only making them anew can tell."""
    if facts.asked.get("against"):
        return ""
    sources = shipped.digest("lab", "grader")
    here = can_compare(), can_plot()
    parts = (journal.state(), facts, sorted(lates.items()), list(missing), sources, here)
    digest = hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass"))
    digest.update(_read_if_there(out / LEDGER))
    return digest.hexdigest()


def _load_standing(out: Path, state: str, facts: ClassFacts, journal: Journal) -> ClassStanding | None:
    """Return the stored standing if the reports on the disk were made from this state; else None."""
    try:
        data = json.loads((out / STATE_FILE).read_bytes())
        if not state or data["state"] != state or data["files"] != _files(out):
            return None
        return ClassStanding(Counter(data["counts"]), find_gone(facts, journal), load_items(out))
    except (OSError, ValueError, TypeError, KeyError, InputError):
        return None


def load_items(out: Path) -> tuple[Item, ...]:
    """Return the review's items as they were last written, closed as they are now. Raises InputError."""
    path, looked = out / ITEMS, {**looked_at(out), **answers_by_item(out)}
    if not path.is_file():
        return ()
    try:
        items = [_item(each) for each in json.loads(path.read_bytes())]
    except (OSError, ValueError, TypeError, KeyError):
        raise InputError("expected what grader batch wrote: run grader review", path=path) from None
    return tuple(_as_looked_at(item, looked) for item in items)


def _as_looked_at(item: Item, looked: Mapping[str, Decision]) -> Item:
    """Return an item closed where somebody has looked at the same work; a list, where all of it is."""
    if item.parts:
        parts = tuple(_as_looked_at(part, looked) for part in item.parts)
        last = next((part for part in parts if part.is_open), parts[0])
        return replace(item, parts=parts, who=last.who, when=last.when)
    by = looked.get(item.id)
    is_closed = by is not None and (by.work == item.work or not by.work)
    return replace(item, who=by.who if by and is_closed else "", when=by.when if by and is_closed else "")


def _save_standing(out: Path, state: str, standing: ClassStanding) -> None:
    """Store the state that the reports were made from, with their digest and counts, but no names."""
    data = {"state": state, "files": _files(out), "counts": dict(standing.counts)}
    write_whole(out / STATE_FILE, json.dumps(data).encode())


def _item(data: Mapping[str, Any]) -> Item:
    pages = tuple((who, page) for who, page in data["pages"])
    parts = tuple(map(_item, data["parts"]))
    return Item(**{**data, "others": tuple(data["others"]), "pages": pages, "parts": parts})


def _files(out: Path) -> str:
    """Return a digest of the reports on the disk."""
    digest = hashlib.sha256()
    for path in (*(out / name for name in _FILES), *sorted((out / FOLDER).glob("*.html"))):
        content = _read_if_there(path)
        digest.update(f"|{path.name}|{len(content)}|".encode() + content)
    return digest.hexdigest()


def _read_if_there(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
