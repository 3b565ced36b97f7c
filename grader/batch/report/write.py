"""Write the reports of a class at the end of a batch: grades.csv, index.html, and plots beside it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.batch.journal import Journal
from grader.batch.marks.ledger import looked_at
from grader.batch.report import class_page
from grader.batch.report.class_facts import ClassFacts
from grader.batch.report.plots import write_plots
from grader.batch.report.review_items import PROPOSALS, Item, items_of, save_items
from grader.batch.report.rows import rows_of
from grader.batch.report.similarity_pages import find_similar
from grader.disk import write_whole
from grader.exports.grades_csv import NAME as TABLE
from grader.exports.grades_csv import Status, grades_csv
from grader.exports.missing_work import load_students_without_work

PAGE: Final = "index.html"
NAMES: Final = (TABLE, PAGE)


@dataclass(frozen=True, slots=True)
class ClassStanding:
    """The status of a class, as the reports show it."""

    counts: Counter[Status]
    """The numbers of submissions by status: graded, refused, fault, waiting, exempt."""
    gone: tuple[str, ...]
    """Submissions that were graded and are no longer handed in: kept on the disk, but in no report."""
    items: tuple[Item, ...]
    """The items of the review."""


def write_reports(out: Path, facts: ClassFacts, journal: Journal) -> ClassStanding:
    """Write the reports, each file completely or not at all; return the standing that they show."""
    hand_ins = facts.found.hand_ins
    entries = journal.entries()
    changed = [name for name in entries if not journal.intact(name)]
    rows = list(rows_of(out, hand_ins, entries, facts.wall_seconds, changed=changed))
    gone = find_gone(facts, journal)
    exercises = [id_ for id_, _ in facts.exercises]
    write_whole(out / TABLE, grades_csv(rows, exercises, PROPOSALS))
    against = facts.asked.get("against")
    codes = journal.code([row.name for row in rows if row.status == "graded"])
    alike = find_similar(out, codes, Path(against) if against else None)
    items = items_of(rows, alike, looked_at(out))
    save_items(out, items)
    missing = load_students_without_work(out)
    plots = write_plots(out, rows, facts)
    write_whole(out / PAGE, class_page.class_page(rows, alike, facts, gone, items, missing, plots).encode())
    return ClassStanding(Counter(row.status for row in rows), gone, tuple(items))


def find_gone(facts: ClassFacts, journal: Journal) -> tuple[str, ...]:
    """Return the submissions that have a result and are no longer handed in."""
    return tuple(sorted(journal.entries().keys() - {hand_in.name for hand_in in facts.found.hand_ins}))
