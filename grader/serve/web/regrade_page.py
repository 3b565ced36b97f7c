"""The page on which a course is graded again: how far it is, whose marks would move, what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.api import Report
from grader.serve.dispatcher import list_counted, make_entry
from grader.serve.store import attempts, marks, regrades, settings
from grader.serve.store.marks import PersonMark
from grader.serve.store.people import Person
from grader.serve.web.staff import log_action
from grader.serve.web.visits import Visit, redirect_to


class MarkMove(NamedTuple):
    """What would become of a student's mark, and of which attempt counts, by its number."""

    person: Person
    before: PersonMark | None
    counted_before: int | None
    after: Report
    counts: int


def regrade_page(visit: Visit) -> Response:
    """Answer with the page."""
    store, course = visit.site.store, visit.who.course
    regrade = regrades.get(store, course)
    is_ready = regrade is not None and regrade.is_done and not regrade.publishing
    return visit.page(
        "staff/regrade.html.j2",
        here="/staff/regrade",
        regrade=regrade,
        listed=visit.listing(list(_moves(visit)) if is_ready else []),
        outdated=attempts.count_outdated(store, course, settings.get(store, settings.STAMP + course)),
    )


def act_on_regrade(visit: Visit) -> Response:
    """Grade all again, publish what came of it, or drop it."""
    store, course, action = visit.site.store, visit.who.course, visit.form.get("action", "")
    acts = {
        "begin": lambda: regrades.begin(store, course, visit.now),
        "publish": lambda: regrades.ask_to_publish(store, course),
        "drop": lambda: regrades.drop(store, course),
    }
    if action not in acts or not acts[action]():
        raise HTTPException(400, "wrong")
    log_action(visit, f"grade all again: {action}", "all")
    return redirect_to("/staff/regrade")


def _moves(visit: Visit) -> Iterator[MarkMove]:
    """Yield the students whose mark, or the attempt that counts, would change, or about whom a decision
    conflicts."""
    site, course = visit.site, visit.who.course
    rules, standings = site.courses[course], marks.marks_by_person(site.store, course)
    numbers = {each.id: each.number for each in attempts.list_for_course(site.store, course)}
    counted = list_counted(site.store, course, rules, of_regrade=True)
    reports = site.data.course(course).preview(
        [make_entry(site.data, rules, each) for each in counted.values()]
    )
    for person, each in counted.items():
        after, before = reports.get(each.person.folder), standings.get(person)
        if after is None:
            continue
        then = (each.attempt.id, after.score, after.max_score)
        if after.conflict or before is None or then != (before.attempt, before.score, before.max_score):
            number = numbers.get(before.attempt) if before else None
            yield MarkMove(each.person, before, number, after, each.attempt.number)
