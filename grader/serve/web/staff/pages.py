"""The pages for staff: the class, the review items, the queue, the log, a person, and the sent scores."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from statistics import mean, median
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.batch.report.review_items import KINDS, PROPOSALS
from grader.batch.report.write import PAGE
from grader.errors import InputError
from grader.exports.review_items import ITEMS
from grader.grading.pipeline import FEEDBACK, RESULTS, STAFF_PAGE
from grader.results import read
from grader.serve.store import attempts, courses, marks, outbox, people, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.marks import PersonMark
from grader.serve.store.outbox import OutboxItem
from grader.serve.store.people import Person
from grader.serve.web.progress_texts import format_duration
from grader.serve.web.visits import Visit

_TAKEN_AWAY: Final = "no attempt counts any more: clear the mark at the platform"


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
    return visit.page(
        "staff/people.html.j2",
        here="/staff/",
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
    return visit.page(
        "staff/review.html.j2",
        here="/staff/review",
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
    return visit.page(
        "staff/queue.html.j2", here="/staff/queue", running=jobs("running"), waiting=waiting, faults=faults
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
    return visit.page(
        "staff/audit.html.j2", here="/staff/audit", acts=courses.list_log(visit.site.store, visit.who.course)
    )


def find_person(visit: Visit) -> Person:
    """Return the person in the URL. Raises HTTPException if they are not in the visitor's course."""
    found = people.get(visit.site.store, visit.request.path_params["person"])
    if found is None or found.course != visit.who.course:
        raise HTTPException(404, "missing")
    return found


def find_attempt(visit: Visit) -> tuple[Attempt, Person]:
    """Return the attempt in the URL and its owner. Raises HTTPException if not in the visitor's course."""
    found = attempts.get(visit.site.store, visit.request.path_params["attempt"])
    person = people.get(visit.site.store, found.person) if found is not None else None
    if found is None or person is None or found.course != visit.who.course:
        raise HTTPException(404, "missing")
    return found, person


def person_page(visit: Visit) -> Response:
    """Answer with the page about the person in the URL."""
    return render_person(visit, find_person(visit))


def render_person(visit: Visit, person: Person, **outcome: Any) -> Response:
    """Return the page about a person; ``outcome`` is the result of an action, such as ``trouble`` or
    ``link``."""
    site = visit.site
    folder = site.data.course(person.course) / person.folder
    try:
        results = read(folder / RESULTS)
    except InputError:
        results = None
    known = attempts.list_for_person(site.store, person.id)
    own, deadline = marks.own_deadline(site.store, person.id), site.deadline(person)
    pages = {
        each.id: [name for name in (FEEDBACK, STAFF_PAGE) if (site.data.attempt(each.id) / name).is_file()]
        for each in known
    }
    return visit.page(
        "staff/person.html.j2",
        here="",
        about=person,
        attempts=known,
        pages=pages,
        standing=marks.get(site.store, person.id),
        results=results,
        decisions=results.get("adjusted", {"decisions": []})["decisions"] if results else [],
        checks=[check for part in results["exercises"] for check in part["checks"]] if results else [],
        has_staff_page=(folder / STAFF_PAGE).is_file(),
        deadline=None if deadline is None else visit.format_time(deadline),
        deadline_value=None
        if deadline is None
        else f"{site.local_time(person.course, deadline):%Y-%m-%dT%H:%M}",
        has_own=own is not None,
        **{"link": "", **outcome},
    )


def scores_page(visit: Visit) -> Response:
    """Answer with the list of scores: whether each arrived, or why not."""
    outbox.add_changed_marks(visit.site.store, visit.now)
    items = outbox.list_for_course(visit.site.store, visit.who.course)
    marked = marks.marks_by_person(visit.site.store, visit.who.course)
    rows = [
        (item, _state(visit, item) if item.person in marked else _TAKEN_AWAY)
        for item in sorted(items, key=lambda item: item.sent_at is not None)
    ]
    sent = sum(item.sent_at is not None for item in items)
    unreachable = outbox.list_unreachable(visit.site.store, visit.who.course)
    return visit.page(
        "staff/scores.html.j2", here="/staff/scores", rows=rows, sent=sent, unreachable=unreachable
    )


def _state(visit: Visit, item: OutboxItem) -> str:
    """Return the state of a score in words."""
    if item.sent_at is not None:
        return f"sent {visit.format_time(item.sent_at)}"
    if visit.site.hidden_shown_from(item.person, visit.who.course) > visit.now:
        return "sent after the deadline, since it would reveal hidden checks"
    if item.next_at is None:
        return f"given up after {item.tries} tries: {item.error}"
    if item.error:
        return f"try {item.tries} failed: {item.error}; the next try is at {visit.format_time(item.next_at)}"
    return "on its way"
