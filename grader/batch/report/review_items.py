"""The items of the review: questions that only a person can answer, and whether somebody has."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from grader.batch.marks.ledger import Decision
from grader.batch.report.similar_groups import Alike, AlikeGroup
from grader.disk import write_whole
from grader.exports.grades_csv import Row
from grader.exports.review_items import ITEMS

PROPOSALS: Final[Mapping[str, str]] = {
    "undecided": "say so with grader choose, or grader review --next; in grader serve the student does",
    "refused": "ask for the six files and grade again; or grader adjust --score",
    "fault": "grader batch --resume grades it again, and in grader serve Rerun on the student's page",
    "unsure": "look at the files: what has the best name, and is Python, is graded",
    "unloadable": "look at the first error: one line, or how the files came, may have cost it all",
    "conflict": "grader adjust --keep, or --undo",
    "violation": "read the code before the mark stands",
    "late": "find out when it came, and give it with grader late --times; or the mark stands",
    "alike": "look at both",
    "same_name": "ask whose name it is: the same name draws the same mazes, so that answers can be passed on",
}
"""The kinds of questions that only a person can answer, in the order of the list, and what to do."""
KINDS: Final[Mapping[str, str]] = {
    "undecided": "Which attempt or file counts?",
    "refused": "Refused",
    "fault": "Could not be graded",
    "unsure": "Which file was meant?",
    "unloadable": "Nothing could be loaded",
    "conflict": "The grader's mark has changed since a person decided",
    "violation": "Broke the protocol of the sandbox",
    "late": "Marked late",
    "alike": "Suspiciously alike",
    "same_name": "Mazes drawn from the same name",
    "few": "Few of the exercises",
    "outlier": "Out of line with the rest",
    "limits": "Ran into limits of the sandbox",
    "time": "Took long",
    "walks": "Works as what was given does",
    "repaired": "Put right",
}
"""The titles of these kinds, and of those that ask nothing: there the mark stands."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question."""

    id: str
    """Stays the same as long as the reason to ask does."""
    submission: str
    kind: str
    text: str
    who: str = ""
    when: str = ""
    """The person who closed it, and when; both are empty while it is open."""
    others: tuple[str, ...] = ()
    """Further submissions that it concerns; those of earlier work begin with the name of a folder."""
    pages: tuple[tuple[str, str], ...] = ()
    """For each pair, who they are, and the page that shows their code side by side."""

    @property
    def is_open(self) -> bool:
        """Whether nobody has closed it yet."""
        return not self.when


def items_of(rows: Sequence[Row], alike: Alike, looked: Mapping[str, Decision]) -> list[Item]:
    """Return the review's items, sorted by kind and name; groups of similar submissions keep their order."""
    found = [
        _item((row.name,), concern.kind, concern, looked)
        for row in rows
        for concern in row.concerns
        if concern.kind in PROPOSALS
    ]
    found += [_item_of_group(group, looked) for group in alike.groups]
    found += [_item(names, "same_name", title, looked) for title, names in _of_one_name(rows)]
    kinds = list(PROPOSALS)
    return sorted(
        found,
        key=lambda item: (kinds.index(item.kind), *((item.submission, item.text) if not item.others else ())),
    )


def _of_one_name(rows: Sequence[Row]) -> Iterator[tuple[str, list[str]]]:
    """Yield exercises in which several submissions got their cases from the same name, with these."""
    by_name: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        for exercise in row.exercises:
            if exercise.drawn_from:
                by_name.setdefault((exercise.title, exercise.drawn_from), []).append(row.name)
    yield from ((title, names) for (title, _), names in by_name.items() if len(names) > 1)


def _item_of_group(group: AlikeGroup, looked: Mapping[str, Decision]) -> Item:
    pages = tuple((f"{pair.one} and {pair.other}", pair.page) for pair in group.pairs if pair.page)
    return replace(_item(group.names, "alike", group.text, looked), pages=pages)


def _item(names: Sequence[str], kind: str, text: str, looked: Mapping[str, Decision]) -> Item:
    whole = "\0".join((*names, kind, text)).encode("utf-8", "surrogatepass")
    id_ = hashlib.sha256(whole).hexdigest()[:8]
    by = looked.get(id_)
    done = (by.who, by.when) if by else ("", "")
    return Item(id_, names[0], kind, str(text), *done, tuple(names[1:]))


def save_items(out: Path, items: Sequence[Item]) -> None:
    """Store the items with the results, where exports look for open ones."""
    write_whole(out / ITEMS, json.dumps([asdict(item) for item in items]).encode())
