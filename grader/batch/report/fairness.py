"""Find checks that may be unfair: who failed each, on what, and how well it separates strong work from weak.

All figures are of the grader's own verdicts, before lateness and adjustments. A student whose exercise is
missing, skipped or unchanged from the template has not failed its checks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation
from typing import Final

from grader.batch.report.rows import UNWRITTEN
from grader.exports.grades_csv import CheckRow, Row

STRONG: Final = 95.0
"""A submission is strong if it has at least 95 percent of the points."""
_SOME: Final = 3
"""With fewer failures than this, a check may look odd by accident."""
_LINES: Final = 17
"""Mazes of up to 17 lines of text, or 34 columns, are drawn on the page."""
_NOT_TAKEN: Final = ("missing", "skipped", "unmarked", UNWRITTEN)


@dataclass(frozen=True, slots=True)
class ToldSentence:
    """A message of a check, and the submissions that got it."""

    sentence: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A case on which a check failed: its maze or its description, and the messages that students got."""

    label: str
    maze: str
    told: tuple[ToldSentence, ...]

    @property
    def count(self) -> int:
        """The number of submissions that failed on it."""
        return sum(len(told.rows) for told in self.told)

    @property
    def drawing(self) -> str:
        """The maze, if it is small enough to be drawn on the page; else empty."""
        lines = self.maze.splitlines()
        return self.maze if len(lines) <= _LINES and all(len(line) <= 2 * _LINES for line in lines) else ""


@dataclass(frozen=True, slots=True)
class Record:
    """The statistics of one check in the class."""

    id: str
    exercise: str
    title: str
    passed: int
    count: int
    """The number of graded submissions."""
    failed: int
    separation: float | None
    """The item-rest correlation, from -1 to 1; None where it is undefined."""
    only: tuple[Row, ...]
    """The submissions that failed this check and no other."""
    is_harsh: bool
    """Whether all submissions that failed only this check are strong."""
    is_withdrawn: bool
    """Whether the check is withdrawn, so that it counts for nobody."""
    shown: tuple[Counterexample, ...]
    """The cases on which it was failed, the most frequent first."""

    @property
    def is_odd(self) -> bool:
        """Whether strong work fails it more often than weak work, in at least three submissions."""
        return self.separation is not None and self.separation < 0 and self.failed >= _SOME


def records(rows: Sequence[Row]) -> list[Record]:
    """Return the record of each check, in the order of the rubric."""
    columns: dict[str, dict[str, tuple[Row, CheckRow]]] = defaultdict(dict)
    titles: dict[str, str] = {}
    for row in rows:
        for exercise in row.exercises:
            for check in exercise.checks:
                columns[check.id][row.name] = row, check
                titles.setdefault(check.id, exercise.title)
    totals = {
        row.name: sum(check.max_score for check in _checks(row) if check.status == "passed") for row in rows
    }
    return [_record(titles[id_], list(column.values()), totals, len(rows)) for id_, column in columns.items()]


def together(found: Iterable[Record]) -> list[tuple[Record, ...]]:
    """Return groups of checks that the same two or more submissions failed: one mistake may cost twice."""
    groups: dict[frozenset[str], list[Record]] = defaultdict(list)
    for record in found:
        if record.failed > 1:
            groups[_failing(record)].append(record)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def item_rest(passed: Sequence[bool], rest: Sequence[float]) -> float | None:
    """Return how well a check separates strong work from weak: the item-rest correlation, from -1 to 1.

    That is Pearson's correlation of passing the check (1 or 0) with the points of all other checks, over the
    submissions that were judged on it. The check's own points are excluded, since they would correlate with
    themselves (S. Henrysson, "Correction of item-total correlations in item analysis", Psychometrika 28,
    1963, 211-218). None if either is the same for everybody, as for a check that all pass, or if fewer than
    two submissions were judged.
    """
    try:
        return correlation([float(each) for each in passed], rest)
    except StatisticsError:
        return None


def _record(
    exercise: str, column: Sequence[tuple[Row, CheckRow]], totals: Mapping[str, float], count: int
) -> Record:
    taken = [(row, check) for row, check in column if check.status not in _NOT_TAKEN]
    passed = [check.status == "passed" for _, check in taken]
    rest = [
        totals[row.name] - check.max_score * good for (row, check), good in zip(taken, passed, strict=True)
    ]
    separation = item_rest(passed, rest)
    failures = [pair for pair, good in zip(taken, passed, strict=True) if not good]
    only = tuple(row for row, _ in failures if len(_lost(row)) == 1)
    is_harsh = bool(only) and all(
        totals[row.name] >= STRONG * sum(check.max_score for check in _checks(row)) / 100 for row in only
    )
    first = column[0][1]
    return Record(
        *(first.id, exercise, first.title, sum(passed), count, len(failures), separation, only),
        is_harsh,
        any(check.is_withdrawn for _, check in column),
        _group_failures(failures),
    )


def _group_failures(failures: Iterable[tuple[Row, CheckRow]]) -> tuple[Counterexample, ...]:
    by_maze: dict[tuple[str, str], dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row, check in failures:
        by_maze[check.maze, check.label][check.message].append(row)
    made = [
        Counterexample(
            label, maze, tuple(ToldSentence(sentence, tuple(rows)) for sentence, rows in told.items())
        )
        for (maze, label), told in by_maze.items()
    ]
    return tuple(sorted(made, key=lambda each: (-each.count, len(each.maze), each.maze, each.label)))


def _failing(record: Record) -> frozenset[str]:
    return frozenset(row.name for case in record.shown for told in case.told for row in told.rows)


def _checks(row: Row) -> list[CheckRow]:
    return [check for exercise in row.exercises for check in exercise.checks]


def _lost(row: Row) -> list[CheckRow]:
    return [check for check in _checks(row) if check.status not in ("passed", "unmarked")]
