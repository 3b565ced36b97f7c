"""The pages for staff, which are in English: the queue and the log, persons, actions and exports."""

from __future__ import annotations

import io
import os
import re
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from tempfile import gettempdir
from threading import Lock
from typing import Any, Final, Literal, TypeVar, cast, get_args

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from grader.api import ClassFolder, MarkChange, Report, ResultFolder, read_points
from grader.disk import Busy
from grader.errors import GraderError, InputError
from grader.serve.lti.registration import list_pending
from grader.serve.store import attempts, courses, credentials, mails, marks, outbox, people, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.courses import AuditEntry
from grader.serve.store.outbox import OutboxItem
from grader.serve.store.people import Person, Rank
from grader.serve.uploads import Conditions, hand_in, upload_paths
from grader.serve.web.student_pages import (
    MOST_FILES,
    Files,
    UploadRejected,
    check_files,
    file_name,
    format_duration,
)
from grader.serve.web.visits import Visit, check_access, find_visit, redirect_to, texts_of

_Action = Literal["check", "score", "exempt", "undo", "keep"]
REQUEST: Final = "request"
"""The kind of review items that are answered on pages of their own."""
_TAKEN_AWAY: Final = "no attempt counts any more: clear the mark at the platform"


@dataclass(frozen=True, slots=True)
class QueuedAttempt:
    """A row of the queue."""

    attempt: Attempt
    person: Person
    why: str


def review_page(visit: Visit, *, trouble: str = "") -> Response:
    """Answer with the review items, as the reports of the class list them."""
    folder = visit.site.data.course(visit.who.course)
    items = [item for item in folder.items() if item["kind"] != REQUEST]
    found = [item for item in items if visit.request.query_params.get("all") or not item["when"]]
    requests = [each for each in folder.requests() if each.state == "open" or each.is_answered]
    known = {person.folder: person for person in people.list_for_course(visit.site.store, visit.who.course)}
    return visit.page(
        "staff/review.html.j2",
        here="/staff/review",
        groups=[(kind, list(theirs)) for kind, theirs in groupby(found, key=lambda item: item["kind"])],
        known=known,
        requests=[each for each in requests if each.state == "open" or visit.request.query_params.get("all")],
        words=ClassFolder.KINDS,
        proposals=ClassFolder.PROPOSALS,
        done=sum(bool(item["when"]) for item in items) + sum(each.is_answered for each in requests),
        by_marking=ClassFolder.BY_PERSONS,
        shows_all=bool(visit.request.query_params.get("all")),
        taken=folder.taken_items(),
        shares=(shares := folder.shares()),
        counts=Counter(shares.of(item["submission"]) for item in items if not item["when"]),
        is_shareable=sum(person.is_staff for person in known.values()) > 1,
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

    waiting = sorted(jobs("waiting"), key=lambda job: places[job.attempt.id].ahead) + jobs("unread")
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
    if attempt.state == "unread":
        return "it is read, to see whether there is an exercise in it"
    reasons = [f"retried after a machine fault: {attempt.reason}"] if attempt.reason else []
    reasons += ["it is graded again"] if attempt.has_result else []
    if place is not None:
        ahead = f"{place.ahead} ahead of it" if place.ahead else "it is next"
        reasons.append(f"{ahead}, {place.running} running; within {format_duration(place.seconds, visit.t)}")
    return "; ".join(reasons)


def audit_page(visit: Visit) -> Response:
    """Answer with the log of what staff did."""
    acts = courses.list_log(visit.site.store, visit.who.course)
    return visit.page("staff/audit.html.j2", here="/staff/audit", listed=visit.listing(acts))


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
    folder = site.data.course(person.course).result(person.folder)
    try:
        results = Report.read(folder.path).data
    except InputError:
        results = None
    known = attempts.list_for_person(site.store, person.id)
    pages = {each.id: ResultFolder(site.data.result(each)).pages() for each in known}
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
        has_staff_page=folder.has_staff_page,
        deadline=site.deadline(person),
        has_own=marks.own_deadline(site.store, person.id) is not None,
        may=visit.may,
        mail=mails.get(site.store, person.id),
        sends=site.sends_mails and bool(person.email),
        typed=visit.form if outcome.get("trouble") else {},
        **{"link": "", "asked": None, **outcome},
    )


def scores_page(visit: Visit, *, trouble: str = "") -> Response:
    """Answer with the list of scores: whether each arrived, or why not; and platforms to be confirmed."""
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
        "staff/scores.html.j2",
        here="/staff/scores",
        rows=rows,
        sent=sent,
        unreachable=unreachable,
        pending=list_pending(visit.site.store, visit.who.course),
        trouble=trouble,
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
        trouble = "This attempt is already waiting or running, or a newer one is waiting."
        return render_person(visit, person, trouble=trouble)
    return _log_and_return(visit, person, "rerun", f"attempt {attempt.number}")


def withdraw_attempt(visit: Visit) -> Response:
    """Ask whether to withdraw an attempt; if that is sure, withdraw it, so that it does not count."""
    attempt, person = find_attempt(visit)
    expect(visit, "withdraw")
    if not visit.form.get("sure"):
        return render_person(visit, person, asked=attempt)
    attempts.withdraw(visit.site.store, attempt.id)
    return _log_and_return(visit, person, "withdraw attempt", f"attempt {attempt.number}")


def restore_attempt(visit: Visit) -> Response:
    """Undo a withdrawal."""
    attempt, person = find_attempt(visit)
    expect(visit, "withdraw")
    if not attempts.restore(visit.site.store, attempt.id):
        trouble = "This attempt is not withdrawn, or a newer one is waiting."
        return render_person(visit, person, trouble=trouble)
    return _log_and_return(visit, person, "undo withdrawal", f"attempt {attempt.number}")


def change_rank(visit: Visit) -> Response:
    """Make a teacher of an assistant, or the other way round."""
    person, rank = find_person(visit), visit.form.get("rank", "")
    if rank not in get_args(Rank) or not person.is_staff:
        raise HTTPException(400, "wrong")
    if not people.give_rank(visit.site.store, person, cast(Rank, rank)):
        trouble = f"{person.name} is the only teacher of the course: make another one first."
        return render_person(visit, person, trouble=trouble)
    return _log_and_return(visit, person, "rank", rank)


def expect(visit: Visit, act: str) -> None:
    """Raise HTTPException if the visitor is an assistant, and the course leaves this to teachers."""
    if not visit.may(act):
        raise HTTPException(403, "rank")


def download_attempt(visit: Visit) -> Response:
    """Answer with what was handed in: the file, or a zip of several."""
    attempt, _ = find_attempt(visit)
    paths = [*upload_paths(visit.site.data.upload(attempt.id), attempt.labels)]
    if not all(path.is_file() for path in paths):  # it was replaced
        raise HTTPException(404, "missing")
    if len(paths) == 1:
        return FileResponse(paths[0], media_type="application/octet-stream", filename=attempt.labels[0])
    with zipfile.ZipFile(content := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for path in paths:
            archive.write(path, path.name)
    headers = {"Content-Disposition": f'attachment; filename="attempt-{attempt.number}.zip"'}
    return Response(content.getvalue(), media_type="application/zip", headers=headers)


async def hand_in_for(request: Request) -> Response:
    """Hand in for a student, whom it costs no attempt."""
    return await run_in_threadpool(_hand_in_for, *await read_upload(request, "files", MOST_FILES))


def _hand_in_for(visit: Visit, files: Files) -> Response:
    person = find_person(visit)
    try:
        check_files(visit.site, files)
    except UploadRejected as refused:
        return render_person(visit, person, trouble=refused.reason_in(visit.t))
    free = Conditions(costs=False)
    attempt = hand_in(visit.site.data, visit.site.store, person.id, files, visit.now, free)
    return _log_and_return(visit, person, "hand in", f"attempt {attempt.number}")


async def read_upload(request: Request, field: str, most: int) -> tuple[Visit, Files]:
    """Return the visit of staff who send a form, and the files in a field. Raises HTTPException."""
    visit = await run_in_threadpool(find_visit, request)
    if visit.person is None or not visit.person.is_staff:
        raise HTTPException(404, "missing")
    async with request.form(max_files=most, max_fields=10) as form:
        visit = check_access(replace(visit, form=texts_of(form)), "staff")
        came = [each for each in form.getlist(field) if isinstance(each, UploadFile) and each.filename]
        return visit, [(file_name(each), await each.read()) for each in came]


def set_deadline(visit: Visit) -> Response:
    """Set a student's own deadline, or delete it."""
    person, wanted = find_person(visit), visit.form.get("deadline", "")
    if visit.form.get("back"):
        marks.remove_deadline(visit.site.store, person.id)
        return _log_and_return(visit, person, "deadline", "everybody's again")
    try:
        zoned = visit.site.courses[person.course].read_moment(wanted)
    except ValueError as error:
        trouble = f"Expected a date and a time, such as 2026-11-27 23:59, got {wanted or 'nothing'}: {error}."
        return render_person(visit, person, trouble=trouble)
    marks.put_deadline(visit.site.store, person.id, zoned.timestamp())
    return _log_and_return(visit, person, "deadline", zoned.isoformat(timespec="minutes"))


def adjust_mark(visit: Visit) -> Response:
    """Change a mark, as ``grader adjust`` does."""
    person = find_person(visit)
    folder, name = visit.site.data.course(person.course), person.folder
    try:
        change = read_change(visit)
        if change.action == "exempt":
            expect(visit, "exempt")
        outcome = run_when_free(lambda: folder.adjust(name, change))
    except GraderError as error:
        return render_person(visit, person, trouble=without_folders(visit, error))
    told = f"{outcome}; {change.reason}".rstrip("; ")
    return _log_and_return(visit, person, f"adjust {change.action}", told)


def read_change(visit: Visit) -> MarkChange:
    """Read the change of a mark from the form. Raises InputError."""
    action, reason = visit.form.get("action", ""), visit.form.get("reason", "").strip()
    if action not in get_args(_Action):
        raise HTTPException(400, "wrong")
    if action not in ("undo", "keep") and not reason:
        raise InputError("expected a reason; the student reads it")
    points = read_points(visit.form.get("points", "")) if action in ("check", "score") else 0.0
    comment, check = visit.form.get("comment", "").strip(), visit.form.get("check", "")
    return MarkChange(
        cast(_Action, action), visit.who.name, reason, comment, check if action == "check" else "", points
    )


def share_items(visit: Visit) -> Response:
    """Share the work out by lot among the staff of the course, or no longer."""
    store, course = visit.site.store, visit.who.course
    names = sorted({each.name for each in people.list_for_course(store, course) if each.is_staff})
    wanted = [] if visit.form.get("end") else names
    try:
        told = run_when_free(lambda: visit.site.data.course(course).share_out(wanted, visit.who.name))
    except GraderError as error:
        return review_page(visit, trouble=without_folders(visit, error))
    log_action(visit, "share out", "all", told)
    return redirect_to("/staff/review")


def close_item(visit: Visit) -> Response:
    """Close a review item, or open it again."""
    item, again = visit.form.get("item", ""), bool(visit.form.get("again"))
    folder = visit.site.data.course(visit.who.course)
    act = folder.reopen_item if again else folder.close_item
    try:
        run_when_free(lambda: act(item, visit.who.name))
    except GraderError as error:
        return review_page(visit, trouble=without_folders(visit, error))
    log_action(visit, "reopen" if again else "looked at", visit.form.get("about", ""), item)
    return redirect_to("/staff/review?all=1" if again else "/staff/review")


def make_link(visit: Visit) -> Response:
    """Make a link that signs a student in once, and show it this one time, or have it sent.

    Only whoever runs the service makes links for staff: else any of them could act under another's name.
    """
    person = find_person(visit)
    if person.is_staff:
        raise HTTPException(403, "wrong")
    expect(visit, "links")
    if visit.form.get("by") == "mail" and visit.site.sends_mails and person.email:
        mails.put(visit.site.store, person.id, visit.now)
        return _log_and_return(visit, person, "sign-in link by mail", person.email)
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
        log_action(visit, "send scores", "all", f"{len(wanted)} score{'s' * (len(wanted) > 1)}")
    else:
        log_action(visit, "send score", wanted[0].name, f"{wanted[0].score:g} of {wanted[0].max_score:g}")
    return redirect_to("/staff/scores")


def log_action(visit: Visit, what: str, whom: str, detail: str = "") -> None:
    """Log an action of the visitor."""
    act = AuditEntry(visit.now, visit.who.name, visit.who.course, what, whom, detail)
    courses.log(visit.site.store, act)


def without_folders(visit: Visit, error: Exception) -> str:
    """Return what is wrong; of the paths of the server that it holds, only the last names."""
    folders = "|".join(re.escape(f"{each}{os.sep}") for each in (visit.site.data.folder, gettempdir()))
    return re.sub(rf"(?:{folders})(?:[^\s:]*{re.escape(os.sep)})?", "", f"{error}")


def run_when_free(act: Callable[[], T]) -> T:
    """Run ``act`` when no other process uses the class folder, and return its result.

    Raises GraderError if the folder stays in use for 20 seconds.
    """
    for _ in range(_TRIES):
        with _ONE_AT_A_TIME, suppress(Busy):
            return act()
        time.sleep(_PAUSE_SECONDS)
    raise GraderError(_BUSY)


_TYPES: Final = {".csv": "text/csv; charset=utf-8", ".zip": "application/zip", ".xml": "application/xml"}
TABLE: Final = "grades.csv"


def export_page(visit: Visit, *, trouble: str = "") -> Response:
    """Answer with the page that lists the downloads."""
    results = visit.site.data.course(visit.who.course)
    return visit.page(
        "staff/export.html.j2",
        here="/staff/export",
        platforms=list(ClassFolder.PLATFORMS),
        has_class=results.has_table,
        held=[f"{name} ({', '.join(kinds)})" for name, kinds in sorted(results.open_kinds().items())],
        asked=sum(each.state == "open" for each in results.requests()),
        trouble=trouble,
    )


async def download_export(request: Request) -> Response:
    """Answer with a table or an archive."""
    visit, books = await read_upload(request, "gradebook", 1)
    return await run_in_threadpool(_answer_download, visit, next(iter(books), ("", b"")))


def _answer_download(visit: Visit, gradebook: tuple[str, bytes]) -> Response:
    what = visit.form.get("what", "")
    if what not in ClassFolder.EXPORTS:
        raise HTTPException(400, "wrong")
    try:
        content = run_when_free(lambda: _make_export(visit, what, gradebook))
    except (GraderError, OSError) as error:
        return export_page(visit, trouble=without_folders(visit, error))
    name = TABLE if what == TABLE else f"{visit.who.course}-{what}{ClassFolder.EXPORTS[what]}"
    log_action(visit, "export", name)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=_TYPES[Path(name).suffix], headers=headers)


def _make_export(visit: Visit, what: str, gradebook: tuple[str, bytes]) -> bytes:
    """Return the content of an export. Raises InputError or DiskError."""
    form = visit.form
    return visit.site.data.course(visit.who.course).export(
        what,
        visit.site.courses[visit.who.course],
        gradebook,
        form.get("assignment", "").strip() or None,
        zero=form.get("refused") == "zero",
        anyway=bool(form.get("anyway")),
    )
