"""The actions of staff: each runs the code of the corresponding command, and is logged."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.batch.desk import MarkChange, decide, review
from grader.batch.marks.ledger import Action
from grader.errors import GraderError, InputError
from grader.platforms.points import parse_points
from grader.serve.store import attempts, extensions, marks, tokens
from grader.serve.store.people import Person
from grader.serve.web.staff.course_pages import review_page
from grader.serve.web.staff.person_page import page_of
from grader.serve.web.staff.shared import attempt_of, note, person_of, when_free
from grader.serve.web.visits import Visit, see


def rerun(visit: Visit) -> Response:
    """Queue an attempt to be graded again."""
    attempt, person = attempt_of(visit)
    if not attempts.rerun(visit.site.store, attempt.id):
        return page_of(visit, person, trouble="It waits or runs already, or a newer attempt waits.")
    note(visit, "rerun", person.name, f"attempt {attempt.number}")
    return see(_page(person))


def withdraw(visit: Visit) -> Response:
    """Withdraw an attempt, so that it does not count."""
    attempt, person = attempt_of(visit)
    attempts.withdraw(visit.site.store, attempt.id)
    note(visit, "withdraw attempt", person.name, f"attempt {attempt.number}")
    return see(_page(person))


def extend(visit: Visit) -> Response:
    """Set a student's own deadline, or delete it."""
    person, wanted = person_of(visit), visit.form.get("deadline", "")
    if visit.form.get("back"):
        extensions.take_back(visit.site.store, person.id)
        note(visit, "deadline", person.name, "everybody's again")
        return see(_page(person))
    try:
        moment = datetime.fromisoformat(wanted)
    except ValueError:
        trouble = f"Expected a date and a time, such as 2026-11-27 23:59, got {wanted}."
        return page_of(visit, person, trouble=trouble)
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=visit.site.zone(person.course))
    extensions.put(visit.site.store, person.id, zoned.timestamp())
    note(visit, "deadline", person.name, zoned.isoformat(timespec="minutes"))
    return see(_page(person))


def adjust(visit: Visit) -> Response:
    """Change a mark, as ``grader adjust`` does."""
    person = person_of(visit)
    folder = visit.site.data.course(person.course)
    try:
        change = _change(visit)
        told = when_free(lambda: decide(folder, person.folder, change))
    except GraderError as error:
        return page_of(visit, person, trouble=str(error).replace(f"{folder}", "").strip(": "))
    marks.touch(visit.site.store, person.id)
    note(visit, f"adjust {change.action}", person.name, f"{told}; {change.reason}".rstrip("; "))
    return see(_page(person))


def _change(visit: Visit) -> MarkChange:
    """Read the change of a mark from the form. Raises InputError."""
    action, reason = visit.form.get("action", ""), visit.form.get("reason", "").strip()
    if action not in ("check", "score", "exempt", "undo", "keep"):
        raise HTTPException(400, "wrong")
    if action not in ("undo", "keep") and not reason:
        raise InputError("expected a reason; the student reads it")
    points = _points(visit.form.get("points", "")) if action in ("check", "score") else 0.0
    if action == "check" and points == 0:
        raise InputError("expected points to add or to take off, such as 1 or -2.5")
    comment, check = visit.form.get("comment", "").strip(), visit.form.get("check", "")
    return MarkChange(
        cast(Action, action), visit.who.name, reason, comment, check if action == "check" else "", points
    )


def _points(text: str) -> float:
    points = parse_points(text)
    if points is None:
        raise InputError(f"expected points, such as 1 or -2.5, and 1000 for a thousand, got {text[:40]!r}")
    return points


def look(visit: Visit) -> Response:
    """Close a review item, or open it again."""
    item, again = visit.form.get("item", ""), bool(visit.form.get("again"))
    folder = visit.site.data.course(visit.who.course)
    close, reopen = ([], [item]) if again else ([item], [])
    try:
        when_free(lambda: review(folder, close, reopen, visit.who.name))
    except GraderError as error:
        return review_page(visit, trouble=str(error))
    note(visit, "reopen" if again else "looked at", visit.form.get("about", ""), item)
    return see("/staff/review?all=1" if again else "/staff/review")


def invite(visit: Visit) -> Response:
    """Make a link that signs a person in once, and show it this one time."""
    person = person_of(visit)
    token = tokens.invite(visit.site.store, person.id, visit.now)
    note(visit, "sign-in link", person.name)
    return page_of(visit, person, link=f"{visit.site.address(visit.request)}/invite/{token}")


def _page(person: Person) -> str:
    return f"/staff/people/{person.id}"
