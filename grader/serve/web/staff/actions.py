"""The actions of staff: each runs the code of the corresponding command, and is logged."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Final, TypeVar, cast

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.batch.changes import adjust
from grader.batch.changes.adjust import MarkChange
from grader.batch.changes.review import review
from grader.batch.lock import Busy
from grader.batch.marks.ledger import Action
from grader.course.late_work import read_moment
from grader.errors import GraderError, InputError
from grader.platforms.points import parse_points
from grader.serve.store import attempts, courses, credentials, marks, outbox
from grader.serve.store.courses import AuditEntry
from grader.serve.store.people import Person
from grader.serve.web.staff.pages import find_attempt, find_person, render_person, review_page
from grader.serve.web.visits import Visit, redirect_to

T = TypeVar("T")
_TRIES: Final = 200
_BUSY: Final = "The class is being updated: try again in a minute."
_PAUSE_SECONDS: Final = 0.1
_ONE_AT_A_TIME: Final = Lock()
"""Guards the class folders among the threads of this process; the lock of a folder excludes only others."""


def rerun_attempt(visit: Visit) -> Response:
    """Queue an attempt to be graded again."""
    attempt, person = find_attempt(visit)
    if not attempts.rerun(visit.site.store, attempt.id):
        return render_person(
            visit, person, trouble="This attempt is already waiting or running, or a newer one is waiting."
        )
    return _log_and_return(visit, person, "rerun", f"attempt {attempt.number}")


def withdraw_attempt(visit: Visit) -> Response:
    """Withdraw an attempt, so that it does not count."""
    attempt, person = find_attempt(visit)
    attempts.withdraw(visit.site.store, attempt.id)
    return _log_and_return(visit, person, "withdraw attempt", f"attempt {attempt.number}")


def set_deadline(visit: Visit) -> Response:
    """Set a student's own deadline, or delete it."""
    person, wanted = find_person(visit), visit.form.get("deadline", "")
    if visit.form.get("back"):
        marks.remove_deadline(visit.site.store, person.id)
        return _log_and_return(visit, person, "deadline", "everybody's again")
    try:
        zoned = read_moment(wanted, visit.site.zone(person.course))
    except ValueError as error:
        trouble = f"Expected a date and a time, such as 2026-11-27 23:59, got {wanted or 'nothing'}: {error}."
        return render_person(visit, person, trouble=trouble)
    marks.put_deadline(visit.site.store, person.id, zoned.timestamp())
    return _log_and_return(visit, person, "deadline", zoned.isoformat(timespec="minutes"))


def adjust_mark(visit: Visit) -> Response:
    """Change a mark, as ``grader adjust`` does."""
    person = find_person(visit)
    folder = visit.site.data.course(person.course)
    try:
        change = _read_change(visit)
        outcome = run_when_free(lambda: adjust.adjust_mark(folder, person.folder, change))
    except GraderError as error:
        return render_person(visit, person, trouble=str(error).replace(f"{folder}", "").strip(": "))
    return _log_and_return(
        visit, person, f"adjust {change.action}", f"{outcome}; {change.reason}".rstrip("; ")
    )


def _read_change(visit: Visit) -> MarkChange:
    """Read the change of a mark from the form. Raises InputError."""
    action, reason = visit.form.get("action", ""), visit.form.get("reason", "").strip()
    if action not in ("check", "score", "exempt", "undo", "keep"):
        raise HTTPException(400, "wrong")
    if action not in ("undo", "keep") and not reason:
        raise InputError("expected a reason; the student reads it")
    points = _read_points(visit.form.get("points", "")) if action in ("check", "score") else 0.0
    if action == "check" and points == 0:
        raise InputError("expected points to add or to take off, such as 1 or -2.5")
    comment, check = visit.form.get("comment", "").strip(), visit.form.get("check", "")
    return MarkChange(
        cast(Action, action), visit.who.name, reason, comment, check if action == "check" else "", points
    )


def _read_points(text: str) -> float:
    points = parse_points(text)
    if points is None:
        raise InputError(f"expected points, such as 1 or -2.5, and 1000 for a thousand, got {text[:40]!r}")
    return points


def close_item(visit: Visit) -> Response:
    """Close a review item, or open it again."""
    item, again = visit.form.get("item", ""), bool(visit.form.get("again"))
    folder = visit.site.data.course(visit.who.course)
    close, reopen = ([], [item]) if again else ([item], [])
    try:
        run_when_free(lambda: review(folder, close, reopen, visit.who.name))
    except GraderError as error:
        return review_page(visit, trouble=str(error))
    log_action(visit, "reopen" if again else "looked at", visit.form.get("about", ""), item)
    return redirect_to("/staff/review?all=1" if again else "/staff/review")


def make_link(visit: Visit) -> Response:
    """Make a link that signs a student in once, and show it this one time.

    Only whoever runs the service makes links for staff: else any of them could act under another's name.
    """
    person = find_person(visit)
    if person.is_staff:
        raise HTTPException(403, "wrong")
    token = credentials.create_invitation(visit.site.store, person.id, visit.now, visit.who.id)
    log_action(visit, "sign-in link", person.name)
    return render_person(visit, person, link=f"{visit.site.address(visit.request)}/invite/{token}")


def _log_and_return(visit: Visit, person: Person, what: str, detail: str) -> Response:
    """Log an action on a person, and return to the person's page."""
    log_action(visit, what, person.name, detail)
    return redirect_to(f"/staff/people/{person.id}")


def resend_score(visit: Visit) -> Response:
    """Queue a score, or all of the course, to be sent once more."""
    items, asked = outbox.list_for_course(visit.site.store, visit.who.course), visit.form.get("score")
    wanted = [item for item in items if asked in (str(item.id), "all")]
    if not wanted:
        raise HTTPException(404, "missing")
    outbox.resend(visit.site.store, visit.now, *(item.id for item in wanted))
    if asked == "all":
        log_action(visit, "send scores", "all", f"{len(wanted)} scores")
    else:
        log_action(visit, "send score", wanted[0].name, f"{wanted[0].score:g} of {wanted[0].max_score:g}")
    return redirect_to("/staff/scores")


def log_action(visit: Visit, what: str, whom: str, detail: str = "") -> None:
    """Log an action of the visitor."""
    act = AuditEntry(visit.now, visit.who.name, visit.who.course, what, whom, detail)
    courses.log(visit.site.store, act)


def run_when_free(act: Callable[[], T]) -> T:
    """Run ``act`` when no other process uses the class folder, and return its result.

    Raises GraderError if the folder stays in use for 20 seconds.
    """
    for _ in range(_TRIES):
        with _ONE_AT_A_TIME, suppress(Busy):
            return act()
        time.sleep(_PAUSE_SECONDS)
    raise GraderError(_BUSY)
