"""Whose marks move where a rubric has other criteria than the results: told before they are graded again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path

from grader.batch.job import work_in
from grader.batch.journal import Journal
from grader.batch.ledger import decisions, withdrawals
from grader.batch.marking import for_persons
from grader.batch.marks import with_layers
from grader.course.late_work import read_lateness
from grader.course.rubric import Rubric
from grader.errors import InputError
from grader.grading.engine import RESULTS
from grader.model import CriterionJson, ResultsJson
from grader.results import format_mark, read
from grader.text import visible


def tell_criteria(out: Path, rubric: Rubric, journal: Journal) -> list[str]:
    """Return a line for each mark that moves since criteria have changed, below one that says how many."""
    now = {
        check.id: [CriterionJson(text=each.text, points=each.points) for each in check.criteria]
        for exercise in rubric.exercises
        for check in exercise.checks
        if check.criteria
    }
    works = {name: work_in(entry.key) for name, entry in journal.entries().items()}
    found = [*_changed(out, works, now)]
    if not found:
        return []
    moved = [f"  {line}" for line in found if line]
    return [f"criteria have changed: {len(moved) or 'none'} of {len(found)} marks move", *moved]


def _changed(out: Path, works: Mapping[str, str], now: Mapping[str, list[CriterionJson]]) -> Iterator[str]:
    """Yield a line for each work with other criteria; an empty one where the mark stays."""
    known, withdrawn = decisions(out), withdrawals(out)
    for name, results in _results(out, works):
        after = deepcopy(results)
        changed = [check for _, check in for_persons(after) if now.get(check["id"], []) != check["criteria"]]
        if not any(now.get(check["id"]) for check in changed):
            continue
        for check in changed:
            check["criteria"] = now.get(check["id"], check["criteria"])
        after = with_layers(after, read_lateness(after), known.get(name, ()), withdrawn, works[name])
        before, then = format_mark(results), format_mark(after)
        yield "" if before == then else f"{visible(name)}: {before} -> {then}"


def _results(out: Path, names: Iterable[str]) -> Iterator[tuple[str, ResultsJson]]:
    for name in names:
        try:
            yield name, read(out / name / RESULTS)
        except InputError:
            continue
