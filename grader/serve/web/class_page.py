"""The page with the class: who is in it, searched, filtered and sorted, fifty at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from grader.errors import InputError
from grader.serve.invitations import add_class as invite_class
from grader.serve.invitations import links_table, read_people
from grader.serve.store import attempts, mails, marks, people, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.marks import PersonMark
from grader.serve.store.people import Person
from grader.serve.web.staff import log_action, read_upload
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
    "waiting": lambda row: row.last is not None and row.last.is_under_way,
    "nothing to grade": lambda row: row.last is not None and row.last.state == "refused",
    "not graded": lambda row: row.last is not None and row.last.state == "fault",
}
"""Whom the class may be reduced to."""


def class_page(visit: Visit, *, told: str = "", trouble: str = "") -> Response:
    """Answer with the list of the class."""
    site, course, asked = visit.site, visit.who.course, visit.request.query_params
    by, words = asked.get("by", "name"), asked.get("q", "").casefold().split()
    rows = list(_rows(visit, by))
    key = ORDERS.get(by) or (lambda row: -1.0 if row.points is None else row.points)
    fits = STATES.get(asked.get("show", ""), STATES["everybody"])
    found = [row for row in rows if fits(row) and all(word in _searched(row.person) for word in words)]
    asked_for = [each for each in site.data.course(course).requests() if each.state == "open"]
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
        requests=len(asked_for),
        oldest=datetime.fromisoformat(asked_for[0].when).timestamp() if asked_for else 0.0,
        colleagues=[each for each in people.list_for_course(site.store, course) if each.is_staff],
        counts=queue.count_by_state(site.store, course),
        mean=mean(shares) if shares else None,
        median=median(shares) if shares else None,
        has_class=site.data.course(course).has_page,
        unsent=mails.list_failed(site.store, course),
        sends=site.sends_mails,
        told=told,
        trouble=trouble,
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


_LARGEST_TABLE: Final = 1 << 20
"""A table of people may have 1 MiB."""


async def add_class(request: Request) -> Response:
    """Add the people of a table."""
    visit, files = await read_upload(request, "table", 1)
    return await run_in_threadpool(_add_class, visit, *next(iter(files), ("class.csv", b"")))


def _add_class(visit: Visit, name: str, content: bytes) -> Response:
    """Add people, and say what became of them; the links that no mail takes away are downloaded."""
    site, course = visit.site, visit.who.course
    if not visit.who.is_teacher:
        raise HTTPException(403, "rank")
    try:
        if not 0 < len(content) <= _LARGEST_TABLE:
            raise InputError(f"expected a table of up to {_LARGEST_TABLE >> 20} MiB: choose class.csv")
        newcomers = list(read_people(content, Path(name), [course]))
    except InputError as error:
        return class_page(visit, trouble=str(error))
    told, links = invite_class(site.store, newcomers, now=visit.now, by=visit.who.id, sends=site.sends_mails)
    log_action(visit, "add people", course, told)
    if not links:
        return class_page(visit, told=told)
    headers = {"Content-Disposition": 'attachment; filename="links.csv"'}
    table = links_table(links, site.address(visit.request))
    return Response(table, media_type="text/csv; charset=utf-8", headers=headers)
