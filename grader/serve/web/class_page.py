"""The page with the class: who is in it, searched, filtered and sorted, fifty at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import mean, median
from typing import Any, Final

from starlette.responses import Response

from grader.serve.store import attempts, marks, people, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.marks import PersonMark
from grader.serve.store.people import Person
from grader.serve.web.visits import Visit


@dataclass(frozen=True, slots=True)
class StudentRow:
    """A row of the class list."""

    person: Person
    attempts: tuple[Attempt, ...]
    standing: PersonMark | None
    points: float | None
    """The points in the exercise or the check that the class is sorted by."""
    most: float

    @property
    def last(self) -> Attempt | None:
        """Return the newest attempt; None if there is none."""
        return self.attempts[-1] if self.attempts else None

    @property
    def counted(self) -> Attempt | None:
        """Return the attempt that counts; None if there is none."""
        wanted = self.standing.attempt if self.standing else ""
        return next((each for each in self.attempts if each.id == wanted), None)


ORDERS: Final[Mapping[str, Callable[[StudentRow], Any]]] = {
    "name": lambda row: row.person.name.casefold(),
    "mark": lambda row: row.standing.score if row.standing else -1.0,
    "attempts": lambda row: len(row.attempts),
    "last handed in": lambda row: row.last.at if row.last else 0.0,
}
"""What the class may be sorted by, beside the points of each exercise and check."""
STATES: Final[Mapping[str, Callable[[StudentRow], bool]]] = {
    "everybody": lambda _: True,
    "with a mark": lambda row: row.standing is not None,
    "nothing handed in": lambda row: row.last is None,
    "lost points there": lambda row: row.points is not None and row.points < row.most,
    "waiting": lambda row: row.last is not None and row.last.state in ("unread", "waiting", "running"),
    "nothing to grade": lambda row: row.last is not None and row.last.state == "refused",
    "not graded": lambda row: row.last is not None and row.last.state == "fault",
}
"""Whom the class may be reduced to."""


def class_page(visit: Visit) -> Response:
    """Answer with the list of the class."""
    site, course, asked = visit.site, visit.who.course, visit.request.query_params
    by, words = asked.get("by", "name"), asked.get("q", "").casefold().split()
    rows = list(_rows(visit, by))
    key = ORDERS.get(by) or (lambda row: -1.0 if row.points is None else row.points)
    fits = STATES.get(asked.get("show", ""), STATES["everybody"])
    found = [row for row in rows if fits(row) and all(word in _searched(row.person) for word in words)]
    shares = [100 * row.standing.score / row.standing.max_score for row in rows if row.standing]
    return visit.page(
        "staff/people.html.j2",
        here="/staff/",
        rows=rows,
        listed=visit.listing(sorted(found, key=key, reverse=bool(asked.get("down")))),
        asked=asked,
        orders=ORDERS,
        states=STATES,
        checks=site.courses[course].points,
        namesakes=Counter(row.person.name for row in rows),
        colleagues=[each for each in people.list_for_course(site.store, course) if each.is_staff],
        counts=queue.count_by_state(site.store, course),
        mean=mean(shares) if shares else None,
        median=median(shares) if shares else None,
        has_class=site.data.course(course).has_page,
    )


def _searched(person: Person) -> str:
    return f"{person.name} {person.email} {person.external}".casefold()


def _rows(visit: Visit, by: str) -> Iterator[StudentRow]:
    site, course = visit.site, visit.who.course
    theirs: dict[int, list[Attempt]] = {}
    for attempt in attempts.list_for_course(site.store, course):
        theirs.setdefault(attempt.person, []).append(attempt)
    points, most = marks.points_by_person(site.store, course, by), site.courses[course].points.get(by, 0.0)
    standings = marks.marks_by_person(site.store, course)
    for person in people.list_for_course(site.store, course):
        if not person.is_staff or person.id in theirs:
            tried, standing = tuple(theirs.get(person.id, ())), standings.get(person.id)
            yield StudentRow(person, tried, standing, points.get(person.id), most)
