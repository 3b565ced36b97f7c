"""What a student's pages show of requests for another look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from grader.api import Report
from grader.serve.store import answers, attempts, marks
from grader.serve.store.attempts import Attempt
from grader.serve.uploads import choose_attempt
from grader.serve.web.visits import Visit

DAY: Final = 24 * 3600.0


def unread_requests(visit: Visit, known: Sequence[Attempt]) -> list[tuple[str, str]]:
    """Return the checks of requests that are closed, as the student has not read yet, with their attempts."""
    folder = visit.site.data.course(visit.who.course)
    of_work = {each.work: each.id for each in reversed(known)}
    read = answers.list_read(visit.site.store, visit.who.id)
    closed = [
        each for each in folder.requests(visit.who.folder) if each.is_answered or each.state == "outdated"
    ]
    return [
        (each.check, of_work[each.work]) for each in closed if each.id not in read and each.work in of_work
    ]


def asking(visit: Visit, attempt: Attempt, results: Report | None) -> dict[str, Any]:
    """Return what the page of an attempt shows of requests for another look; answers are read now."""
    site, person = visit.site, visit.who
    theirs = [] if results is None else site.data.course(person.course).requests(person.folder)
    requests = {each.check: each for each in theirs if each.work == attempt.work}
    for each in requests.values():
        if each.is_answered or each.state == "outdated":
            answers.mark_read(site.store, person.id, each.id, visit.now)
    terms = site.courses[person.course].requests if _counts(visit, attempt) else None
    lost = [
        check
        for exercise in (results.page(visit.t).exercises if results else ())
        for check in exercise.checks
        if check.id in requests
        or (terms and check.may_be_asked and visit.now <= until(visit, attempt, check.hidden))
    ]
    return {"lost": lost, "requests": requests, "terms": terms}


def _counts(visit: Visit, attempt: Attempt) -> bool:
    """Tell whether an attempt counts, as far as the student may know; its mark is published later."""
    site, person = visit.site, visit.who
    rules, own = site.courses[person.course], marks.own_deadline(site.store, person.id)
    chosen = choose_attempt(rules, attempts.list_for_person(site.store, person.id), own)
    is_secret = rules.counts == "best" and site.hides(person, visit.now)
    return chosen is not None and chosen.id == attempt.id and not is_secret


def until(visit: Visit, attempt: Attempt, is_hidden: bool) -> float:
    """Return until when a student may ask about a check of an attempt; 0 where there are no requests."""
    site, person = visit.site, visit.who
    if (terms := site.courses[person.course].requests) is None:
        return 0.0
    shown_from = site.hidden_shown_from(person.id, person.course) if is_hidden else 0.0
    return max(attempt.ended or attempt.at, shown_from) + terms.days * DAY
