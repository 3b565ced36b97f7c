"""The page for staff about the scores that are sent to learning platforms."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.serve.store import marks, outbox
from grader.serve.store.outbox import OutboxItem
from grader.serve.web.staff.shared import log_action, render_staff_page
from grader.serve.web.visits import Visit, redirect_to

_TAKEN_AWAY: Final = "no attempt counts any more: clear the mark at the platform"


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
    return render_staff_page(
        visit, "scores.html.j2", "/staff/scores", rows=rows, sent=sent, unreachable=unreachable
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
