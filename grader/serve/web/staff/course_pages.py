"""The pages for staff about a whole course: the class, the review items, the queue, and the log."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from statistics import mean, median

from starlette.responses import Response

from grader.batch.report.review_items import KINDS, PROPOSALS
from grader.batch.report.write import PAGE
from grader.exports.review_items import ITEMS
from grader.serve.store import attempts, audit, marks, people, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.marks import PersonMark
from grader.serve.store.people import Person
from grader.serve.web.progress_texts import format_duration
from grader.serve.web.staff.shared import render_staff_page
from grader.serve.web.visits import Visit


@dataclass(frozen=True, slots=True)
class StudentRow:
    """A row of the class list."""

    person: Person
    attempts: tuple[Attempt, ...]
    standing: PersonMark | None

    @property
    def last(self) -> Attempt | None:
        """Return the newest attempt; None if there is none."""
        return self.attempts[-1] if self.attempts else None

    @property
    def counted(self) -> Attempt | None:
        """Return the attempt that counts; None if there is none."""
        wanted = self.standing.attempt if self.standing else ""
        return next((each for each in self.attempts if each.id == wanted), None)


@dataclass(frozen=True, slots=True)
class QueuedAttempt:
    """A row of the queue."""

    attempt: Attempt
    person: Person
    why: str


def people_page(visit: Visit) -> Response:
    """Answer with the list of the class."""
    site, course = visit.site, visit.who.course
    rows = list(_rows(visit))
    shares = [100 * row.standing.score / row.standing.max_score for row in rows if row.standing]
    return render_staff_page(
        visit,
        "people.html.j2",
        "/staff/",
        rows=rows,
        namesakes=Counter(row.person.name for row in rows),
        colleagues=[each for each in people.list_for_course(site.store, course) if each.is_staff],
        counts=queue.count_by_state(site.store, course),
        mean=mean(shares) if shares else None,
        median=median(shares) if shares else None,
        has_class=(site.data.course(course) / PAGE).is_file(),
    )


def _rows(visit: Visit) -> Iterator[StudentRow]:
    site, course = visit.site, visit.who.course
    theirs: dict[int, list[Attempt]] = {}
    for attempt in attempts.list_for_course(site.store, course):
        theirs.setdefault(attempt.person, []).append(attempt)
    standings = marks.marks_by_person(site.store, course)
    for person in people.list_for_course(site.store, course):
        if not person.is_staff or person.id in theirs:
            yield StudentRow(person, tuple(theirs.get(person.id, ())), standings.get(person.id))


def review_page(visit: Visit, *, trouble: str = "") -> Response:
    """Answer with the review items, as the reports of the class list them."""
    path = visit.site.data.course(visit.who.course) / ITEMS
    items = json.loads(path.read_bytes()) if path.is_file() else []
    found = [item for item in items if visit.request.query_params.get("all") or not item["when"]]
    known = {person.folder: person for person in people.list_for_course(visit.site.store, visit.who.course)}
    return render_staff_page(
        visit,
        "review.html.j2",
        "/staff/review",
        groups=[(kind, list(theirs)) for kind, theirs in groupby(found, key=lambda item: item["kind"])],
        known=known,
        words=KINDS,
        proposals=PROPOSALS,
        done=len(items) - sum(not item["when"] for item in items),
        shows_all=bool(visit.request.query_params.get("all")),
        trouble=trouble,
    )


def queue_page(visit: Visit) -> Response:
    """Answer with the jobs that are running, waiting, or failed with a machine fault."""
    store, course = visit.site.store, visit.who.course
    known = {person.id: person for person in people.list_for_course(store, course)}
    all_ = attempts.list_for_course(store, course)
    places = queue.places(store)

    def jobs(state: str) -> list[QueuedAttempt]:
        found = [each for each in all_ if each.state == state]
        return [
            QueuedAttempt(each, known[each.person], _why(visit, each, places.get(each.id))) for each in found
        ]

    waiting = sorted(jobs("waiting"), key=lambda job: places[job.attempt.id].ahead)
    faults = jobs("fault")[::-1]
    return render_staff_page(
        visit, "queue.html.j2", "/staff/queue", running=jobs("running"), waiting=waiting, faults=faults
    )


def _why(visit: Visit, attempt: Attempt, place: queue.QueuePlace | None) -> str:
    """Return why an attempt waits, or why it failed."""
    if attempt.state == "running":
        return f"try {attempt.tries}, since {visit.format_time(attempt.started or attempt.at)}"
    if attempt.state == "fault":
        return attempt.reason
    reasons = [f"retried after a machine fault: {attempt.reason}"] if attempt.reason else []
    reasons += ["it is graded again"] if attempt.has_result else []
    if place is not None:
        ahead = f"{place.ahead} ahead of it" if place.ahead else "it is next"
        reasons.append(f"{ahead}, {place.running} running; about {format_duration(place.seconds, visit.t)}")
    return "; ".join(reasons)


def audit_page(visit: Visit) -> Response:
    """Answer with the log of what staff did."""
    return render_staff_page(
        visit, "audit.html.j2", "/staff/audit", acts=audit.list_for_course(visit.site.store, visit.who.course)
    )
