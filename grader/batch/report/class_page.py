"""The class page, index.html: an overview of the class, for staff only."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import mean, median
from urllib.parse import quote

from grader.batch.report.class_facts import ClassFacts
from grader.batch.report.common_edits import shared_edits
from grader.batch.report.fairness import STRONG, records, together
from grader.batch.report.plots import Plot
from grader.batch.report.review_items import KINDS, PROPOSALS, Item, items_of
from grader.batch.report.rows import Concern, Row
from grader.batch.report.similar_groups import Alike
from grader.batch.report.templates import render
from grader.exports.plot import BINS
from grader.languages import DEFAULT, catalogue
from grader.text import visible

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
class MisconceptionGroup:
    """Submissions with the same misconception."""

    id: str
    title: str
    """The title of the exercise, and the name of the misconception in words."""
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
) -> str:
    """Return the page.

    ``gone`` names submissions that were graded and are no longer handed in; ``items`` is the review, with
    every item open by default; ``without_work`` names the students who handed in nothing; the files of
    ``plots`` lie beside the page.
    """
    graded = [row for row in rows if row.status == "graded"]
    items = items_of(rows, alike, {}) if items is None else items
    waiting = [item for item in items if item.is_open]
    shares = [100 * row.score / row.max_score for row in graded if row.score is not None and row.max_score]
    found_groups, checks = groups(graded), records(graded)

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
        exercises=facts.exercises,
        checks=checks,
        together=together(checks),
        strong=STRONG,
        groups=[group for group in found_groups if len(group.rows) > 1],
        singles=[group for group in found_groups if len(group.rows) == 1],
        changes=shared_edits(graded),
        titles={group.id: group.title for group in found_groups},
        to_do=[(kind, list(theirs)) for kind, theirs in groupby(waiting, key=lambda item: item.kind)],
        is_short=_is_short,
        done=len(items) - len(waiting),
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
        open=_by_name(waiting),
        link=lambda row, page="feedback": f"{quote(row.name)}/{page}.html",
        shown=visible,
    )


def _beside_the_marks(rows: Sequence[Row]) -> list[tuple[str, list[tuple[Row, Concern]]]]:
    """Return what asks nothing, by kind, with the submissions of which it was seen."""
    found = [
        (kind, [(row, each) for row in rows for each in row.concerns if each.kind == kind]) for kind in KINDS
    ]
    return [(kind, seen) for kind, seen in found if seen and kind not in PROPOSALS]


def _by_name(items: Iterable[Item]) -> Mapping[str, Sequence[Item]]:
    """Return the items by each submission that they name."""
    found: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        for name in (item.submission, *item.others):
            found[name].append(item)
    return found


def _is_short(items: Sequence[Item]) -> bool:
    """Return whether the items are few enough to be shown unfolded."""
    return len(items) <= _FEW and sum(1 + len(item.others) for item in items) <= _FEW_NAMES


def histogram(shares: Sequence[float]) -> list[Bar]:
    """Count scores in percent in bins of equal width; full marks fall in the last one."""
    width = 100 // BINS
    counts = [0] * BINS
    for share in shares:
        counts[min(BINS - 1, max(0, int(share // width)))] += 1
    most = max(counts) or 1
    return [Bar(n * width, (n + 1) * width, count, 100 * count / most) for n, count in enumerate(counts)]


def groups(rows: Sequence[Row]) -> list[MisconceptionGroup]:
    """Group submissions by misconception, the most frequent first."""
    holders: dict[str, dict[str, Row]] = defaultdict(dict)
    titles: dict[str, str] = {}
    for row in rows:
        for exercise in row.exercises:
            for check in exercise.checks:
                if check.misconception:
                    holders[check.misconception][row.name] = row
                    titles[check.misconception] = f"{exercise.title}: {_title_of(check.misconception)}"
    made = [
        MisconceptionGroup(id_, titles[id_], catalogue(DEFAULT).hint(id_), tuple(theirs.values()))
        for id_, theirs in holders.items()
    ]
    return sorted(made, key=lambda group: (-len(group.rows), group.id))


def _title_of(misconception: str) -> str:
    return misconception.rpartition(".")[2].replace("-", " ")
