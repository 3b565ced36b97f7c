"""The pages for students: handing in, an attempt while it waits and when it is graded, and their tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from grader.api import CourseRules, ExerciseDone, ReleaseFolder, Report
from grader.languages import DEFAULT, Catalogue, catalogue
from grader.serve.store import attempts, credentials, marks, queue, settings
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.people import Person
from grader.serve.store.queue import QueuePlace
from grader.serve.uploads import Conditions, choose, find_choice, hand_in, is_undecided
from grader.serve.web import visits
from grader.serve.web.asked import asking, unread_requests
from grader.serve.web.guard import BODY_BYTES
from grader.serve.web.visible_results import CheckChanges, compare_checks, visible_results
from grader.serve.web.visits import Site, Visit, find_visit, redirect_to, texts_of, wants_data
from grader.text import in_bytes, visible

_TOLD_STATES: Final = ("refused", "fault", "replaced", "withdrawn", "unread")


@dataclass(frozen=True, slots=True)
class AttemptState:
    """The state of an attempt: its place in the queue, or its progress."""

    attempt: Attempt
    place: QueuePlace | None
    """The place in the queue; None if the attempt does not wait."""
    steps: tuple[ExerciseDone, ...]
    """The exercises that are graded already."""


@dataclass(frozen=True, slots=True)
class ExerciseProgress:
    """The progress of an exercise, as the page shows it."""

    id: str
    title: str
    state: str
    """One of done, now and later."""
    told: str


@dataclass(frozen=True, slots=True)
class ProgressTexts:
    """The texts that the page shows."""

    sentence: str
    steps: tuple[ExerciseProgress, ...]


def load_attempt_states(store: Store, ids: Iterable[str]) -> dict[str, AttemptState]:
    """Return the states of attempts, by id."""
    places = queue.places(store)
    found = [attempt for id_ in ids if (attempt := attempts.get(store, id_)) is not None]
    return {
        attempt.id: AttemptState(
            attempt, places.get(attempt.id), tuple(attempts.list_steps(store, attempt.id))
        )
        for attempt in found
    }


def describe_progress(standing: AttemptState, rules: CourseRules, t: Catalogue) -> ProgressTexts:
    """Return the texts about the state of an attempt."""
    return ProgressTexts(_sentence(standing, rules, t), tuple(_lines(standing, rules, t)))


def describe_state(attempt: Attempt, t: Catalogue) -> str:
    """Return a text about an attempt that is not graded and does not wait; empty for others."""
    if is_undecided(attempt):
        return t("serve.told.undecided")
    if attempt.state == "refused" and not attempt.has_result:
        return t("serve.told.no_exercise", reasons=attempt.reason)
    return t(f"serve.told.{attempt.state}") if attempt.state in _TOLD_STATES else ""


def _sentence(standing: AttemptState, rules: CourseRules, t: Catalogue) -> str:
    place = standing.place
    if standing.attempt.state == "running":
        return t("serve.live.running", done=len(standing.steps), count=len(rules.titles))
    if place is None:
        return describe_state(standing.attempt, t) or t("serve.live.ended")
    if not isfinite(place.seconds):
        return t("serve.live.place_stalled")
    key = {0: "place_next", 1: "place_one"}.get(place.ahead, "place")
    return t(f"serve.live.{key}", ahead=place.ahead, time=format_duration(place.seconds, t))


def format_duration(seconds: float, t: Catalogue) -> str:
    """Return a waiting time in words, in minutes rounded up."""
    minutes = ceil(seconds / 60)
    return t("serve.live.minute") if minutes <= 1 else t("serve.live.minutes", count=minutes)


def _lines(standing: AttemptState, rules: CourseRules, t: Catalogue) -> Iterator[ExerciseProgress]:
    done = {step.exercise: step for step in standing.steps}
    is_running = standing.attempt.state == "running"
    for id_, own_title in rules.titles.items():
        title = t.get(f"title.exercise.{id_}") or own_title or id_
        step = done.get(id_)
        if step is not None:
            points = t("page.points", score=t.number(step.score), max=t.number(step.max_score))
            yield ExerciseProgress(id_, title, "done", points if step.max_score else t("serve.live.graded"))
        else:
            yield ExerciseProgress(id_, title, "now" if is_running else "later", "")
            is_running = False


RELOAD_SECONDS: Final = 5
"""A page without scripts is reloaded every 5 seconds while an attempt is graded."""
_MOST_TOKENS: Final = 10
"""A person may have at most 10 tokens."""


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """A row in the list of attempts."""

    attempt: Attempt
    mark: str
    change: CheckChanges | None
    """The changes since the last earlier attempt with a result."""
    counts: bool


def find_own_attempt(visit: Visit, id_: str) -> Attempt:
    """Return an attempt of the visitor. Raises the same HTTPException for others' and unknown attempts."""
    found = attempts.get(visit.site.store, id_)
    if found is None or found.person != visit.who.id:
        raise HTTPException(404, "missing")
    return found


def home_page(visit: Visit) -> Response:
    """Answer with a student's first page; redirect staff to theirs."""
    return redirect_to("/staff/") if visit.who.is_staff else student_page(visit)


def student_page(visit: Visit, *, status: int = 200, token: str = "", trouble: str = "") -> Response:
    """Return the first page of a student, perhaps with a new token or an error message (``trouble``)."""
    site, person = visit.site, visit.who
    known = attempts.list_for_person(site.store, person.id)
    under_way = next(filter(_is_new, known), None)
    standing = _progress_of(visit, under_way) if under_way else None
    address = site.address(visit.request)
    return visit.page(
        "student.html.j2",
        status,
        open=under_way,
        standing=standing,
        reload=RELOAD_SECONDS if under_way else 0,
        deadline=_deadline(visit),
        tickets=attempts_left_text(visit),
        may_hand_in=may_hand_in(site, person, visit.now),
        unread=unread_requests(visit, known),
        attempts=attempt_rows(visit, known),
        why_counts=visit.t(f"serve.attempts.{site.courses[person.course].counts}"),
        partly=site.hides(person, visit.now),
        lab=site.lab_path(person.course),
        has_kit=person.course in site.releases,
        tokens=credentials.list_tokens(site.store, person.id, visit.now),
        token=token,
        token_command=f"MAZE_TOKEN={token} maze submit --to {address}",
        most_mib=BODY_BYTES >> 20,
        most_bytes=BODY_BYTES,
        trouble=trouble,
    )


def attempt_page(
    visit: Visit, *, status: int = 200, trouble: str = "", typed: Mapping[str, str] = MappingProxyType({})
) -> Response:
    """Answer with the result of an attempt, and the changes since the one before.

    ``typed`` is what a student wrote about a check and was refused.
    """
    attempt = find_own_attempt(visit, visit.request.path_params["attempt"])
    if wants_data(visit.request):
        return JSONResponse(attempt_data(visit.request, visit.who, attempt))
    under_way = _is_new(attempt)
    results = visible_results(visit.site, visit.who, attempt, visit.now)
    before, change = _changes_since(visit, attempt, results)
    choice = find_choice(visit.site.data, attempt)
    return visit.page(
        "attempt.html.j2",
        status,
        attempt=attempt,
        standing=_progress_of(visit, attempt) if under_way else None,
        reload=RELOAD_SECONDS if under_way else 0,
        told_of_state=describe_state(attempt, visit.t),
        candidates=[
            (visible(each["name"]), ", ".join(filter(None, (_time(visit, each["modified"]), *each["files"]))))
            for each in (choice["candidates"] if choice else ())
        ],
        result=results.page(visit.t) if results else None,
        partly=visit.site.hides(visit.who, visit.now),
        before=before,
        change=change,
        titles=results.titles(visit.t) if results else {},
        counts=_counted_attempt(visit) == attempt.id,
        asking=asking(visit, attempt, results),
        typed=typed,
        trouble=trouble,
    )


def attempt_data(request: Request, person: Person, found: Attempt) -> dict[str, Any]:
    """Return an attempt as data for programs."""
    site: Site = request.app.state.site
    now, t = site.clock(), catalogue(DEFAULT)
    standing = load_attempt_states(site.store, [found.id])[found.id]
    results = visible_results(site, person, found, now)
    address = site.address(request)
    data: dict[str, Any] = {
        "attempt": found.id,
        "number": found.number,
        "state": "waiting" if found.state == "unread" else found.state,
        "page": f"{address}/attempts/{found.id}",
        "told": describe_progress(standing, site.courses[person.course], t).sentence,
    }
    if results is not None:
        data |= {"score": results.score, "max_score": results.max_score, "causes": results.causes(t)}
        data["feedback"] = f"{address}/feedback/{found.id}/"
    return data


def _time(visit: Visit, modified: str | None) -> str:
    return visit.format_time(datetime.fromisoformat(modified).timestamp()) if modified else ""


def choose_candidate(visit: Visit) -> Response:
    """Take what the student chose of an undecided upload; it is graded, and counts as one attempt."""
    attempt = find_own_attempt(visit, visit.request.path_params["attempt"])
    choice, which = find_choice(visit.site.data, attempt), visit.form.get("which", "")
    if choice is None or which not in [str(n + 1) for n in range(len(choice["candidates"]))]:
        raise HTTPException(400, "wrong")
    if not may_hand_in(visit.site, visit.who, visit.now):
        return student_page(visit, status=429, trouble=visit.t("serve.hand_in.none_left"))
    choose(visit.site.data, attempt, choice["question"], int(which))
    if attempts.rerun(visit.site.store, attempt.id):
        attempts.count_again(visit.site.store, attempt.id)
    return redirect_to(f"/attempts/{attempt.id}")


def attempt_rows(visit: Visit, known: Sequence[Attempt]) -> list[AttemptRow]:
    """Return the rows of the attempts, the newest first, each with its mark and changes."""
    found: list[AttemptRow] = []
    before, counted = None, _counted_attempt(visit)
    for attempt in reversed(known):
        results = visible_results(visit.site, visit.who, attempt, visit.now)
        change = compare_checks(before, results) if before and results else None
        found.append(AttemptRow(attempt, _format_mark(visit, results), change, attempt.id == counted))
        before = results or before
    return found[::-1]


def _format_mark(visit: Visit, results: Report | None) -> str:
    if results is None:
        return ""
    if results.is_exempt:
        return "–"
    number = visit.t.number
    return visit.t("page.points", score=number(results.score), max=number(results.max_score))


def _changes_since(
    visit: Visit, attempt: Attempt, results: Report | None
) -> tuple[Attempt | None, CheckChanges | None]:
    """Return the last earlier attempt with a result, and the changes since; a pair of None if there is
    none."""
    for before in attempts.list_for_person(visit.site.store, visit.who.id) if results else ():
        if before.number < attempt.number:
            earlier = visible_results(visit.site, visit.who, before, visit.now)
            if earlier is not None and results is not None:
                return before, compare_checks(earlier, results)
    return None, None


def _counted_attempt(visit: Visit) -> str:
    """Return the id of the attempt that counts; empty if that would reveal results of hidden checks."""
    rules = visit.site.courses[visit.who.course]
    if rules.counts == "best" and visit.site.hides(visit.who, visit.now):
        return ""
    standing = marks.get(visit.site.store, visit.who.id)
    return standing.attempt if standing else ""


def _is_new(attempt: Attempt) -> bool:
    """Tell whether an attempt has no result yet and is queued; one that is graded again keeps its result."""
    return attempt.is_under_way and not attempt.has_result


def _progress_of(visit: Visit, attempt: Attempt) -> ProgressTexts:
    standing = load_attempt_states(visit.site.store, [attempt.id])[attempt.id]
    return describe_progress(standing, visit.site.courses[attempt.course], visit.t)


def may_hand_in(site: Site, person: Person, now: float) -> bool:
    """Tell whether a person may hand in; a waiting attempt does not count, since the next one replaces it."""
    times = attempts.counted_times(site.store, person.id, but_waiting=True)
    return site.courses[person.course].attempts_left(times, now).is_open


def attempts_left_text(visit: Visit) -> str:
    """Return a sentence on how many attempts are left, and when there will be one more."""
    times = attempts.counted_times(visit.site.store, visit.who.id)
    rules, t = visit.site.courses[visit.who.course], visit.t
    found = rules.attempts_left(times, visit.now)
    when = None if found.next_at is None else f"{rules.local_time(found.next_at):%H:%M}"
    if found.left is None:
        return t("serve.tickets.unlimited")
    if found.left == 0:
        return t("serve.tickets.never") if when is None else t("serve.tickets.none", when=when)
    sentence = t("serve.tickets.one") if found.left == 1 else t("serve.tickets.many", count=found.left)
    return sentence if when is None else f"{sentence} {t('serve.tickets.next', when=when)}"


def _deadline(visit: Visit) -> Mapping[str, str]:
    """Return what the page says of a deadline, and of what late work costs; empty if there is none."""
    at, rules, t = visit.site.deadline(visit.who), visit.site.courses[visit.who.course], visit.t
    if at is None:
        return {}
    own = t("serve.deadline_own") if marks.own_deadline(visit.site.store, visit.who.id) == at else ""
    left = _time_left(at - visit.now, t) if visit.now <= at else t("serve.deadline_over")
    until = t("serve.deadline", when=visit.format_time(at), zone=rules.zone)
    return {"until": " ".join(filter(None, (until, own, left))), "costs": " ".join(_late_costs(rules, t))}


def _time_left(seconds: float, t: Catalogue) -> str:
    """Return how much time is left as a sentence, in whole units, of which there are two at least."""
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return t(f"serve.late.{unit}", count=int(seconds // length))
    return t("serve.late.minute")


def _late_costs(rules: CourseRules, t: Catalogue) -> Iterator[str]:
    """Yield sentences on what late work costs, where there is a deadline."""
    if (late := rules.late) is None:
        return
    if late.per_day and late.max_days != 0:
        yield t("serve.late.per_day", percent=t.number(late.per_day))
    if late.max_days is not None:
        key = {0: "nothing", 1: "limit_one"}.get(late.max_days, "limit")
        yield t(f"serve.late.{key}", days=late.max_days)
    elif not late.per_day:
        yield t("serve.late.free")
    if late.grace_minutes and (late.per_day or late.max_days is not None):
        yield t("serve.late.grace", minutes=t.number(late.grace_minutes))


def downloads(find: Callable[[ReleaseFolder, str], Path]) -> visits.View:
    """Return the view that answers with a file of the release of the visitor's course, for a language."""

    def download(visit: Visit) -> Response:
        if visit.who.course not in visit.site.releases:
            raise HTTPException(404, "missing")
        path = find(visit.site.releases[visit.who.course], visit.language)
        return FileResponse(path, filename=path.name)

    return download


def make_token(visit: Visit) -> Response:
    """Make a token, and show it this one time."""
    if len(credentials.list_tokens(visit.site.store, visit.who.id, visit.now)) >= _MOST_TOKENS:
        raise HTTPException(400, "wrong")
    return student_page(visit, token=credentials.create_token(visit.site.store, visit.who.id, "", visit.now))


def delete_token(visit: Visit) -> Response:
    """Delete a token of the visitor."""
    credentials.remove_token(visit.site.store, visit.who.id, visit.form.get("token", ""))
    return redirect_to("/")


MOST_FILES: Final = 60
"""An upload may have at most 60 files."""
_MOST_PARTS: Final = 10 * MOST_FILES
"""A form with more than 600 files is not read to its end."""
_MOST_NAME: Final = 200
"""The name of a file may have at most 200 characters."""
Files = Sequence[tuple[str, bytes]]
"""The names and contents of uploaded files."""


class UploadRejected(Exception):  # noqa: N818 - named after what happened
    """An upload was rejected; the reason is a key of the catalogues, with values."""

    def __init__(self, key: str, status: int, **values: object) -> None:
        super().__init__(key)
        self.key, self.status, self.values = key, status, values

    def reason_in(self, t: Catalogue) -> str:
        """Return the reason in a language."""
        return t(f"serve.{self.key}", **self.values)

    def as_data(self) -> Response:
        """Return the answer to a program."""
        return JSONResponse({"error": self.reason_in(catalogue(DEFAULT))}, self.status)


def accept_upload(site: Site, person: Person, files: Files, now: float) -> Attempt:
    """Store an upload and queue it as an attempt. Raises UploadRejected or DiskError."""
    check_files(site, files)
    if site.courses[person.course].requests and all(name.casefold() == "request.txt" for name, _ in files):
        raise UploadRejected("hand_in.request", 400)
    size, most = sum(len(content) for _, content in files), site.limits.kept_bytes

    def check() -> None:
        if not may_hand_in(site, person, now):
            raise UploadRejected("hand_in.none_left", 429)
        if attempts.count_stored_bytes(site.store, person.id) + size > most:
            raise UploadRejected("hand_in.quota", 413, most=in_bytes(most))

    def is_clear(stored: Sequence[tuple[Path, str]]) -> bool:
        return site.names_tell(stored, site.courses[person.course].added)

    check()
    return hand_in(site.data, site.store, person.id, files, now, Conditions(is_clear, check=check))


def check_files(site: Site, files: Files) -> None:
    """Raise UploadRejected if there are no files, or too many, or the service is about to stop."""
    if not files:
        raise UploadRejected("hand_in.nothing", 400)
    if len(files) > MOST_FILES:
        raise UploadRejected("hand_in.too_many", 400, most=MOST_FILES)
    if settings.get(site.store, settings.CLOSING):
        raise UploadRejected("hand_in.closing", 503)


def check_upload_rate(site: Site, person: Person, now: float) -> None:
    """Check that a person does not upload too often. Raises UploadRejected."""
    if not site.rates.uploads.allows(str(person.id), now):
        raise UploadRejected("hand_in.too_often", 429)


async def submit(request: Request) -> Response:
    """Accept the form on the student's page."""
    visit = await run_in_threadpool(_begin_upload, request)
    if isinstance(visit, Response):
        return visit
    with visit.site.rates.uploading.hold(str(visit.who.id)) as may:
        if not may:
            return await run_in_threadpool(_show_refusal, visit, UploadRejected("hand_in.too_often", 429))
        async with request.form(max_files=_MOST_PARTS, max_fields=5) as form:
            visits.check_csrf(visit.sign_in, texts_of(form))
            came = [each for each in form.getlist("files") if isinstance(each, UploadFile) and each.filename]
            return await run_in_threadpool(_store_files, visit, came)


def _begin_upload(request: Request) -> Visit | Response:
    """Return the visit of a person who may upload, or a refusal, before any of the upload is read."""
    visit = find_visit(request)
    try:
        check_upload_rate(visit.site, visit.who, visit.now)
    except UploadRejected as refused:
        return _show_refusal(visit, refused)
    return visit


def _store_files(visit: Visit, came: Sequence[UploadFile]) -> Response:
    """Read the files into memory, in one of a few threads, and store them."""
    files = [(file_name(each), each.file.read()) for each in came]
    try:
        attempt = accept_upload(visit.site, visit.who, files, visit.site.clock())
    except UploadRejected as refused:
        return _show_refusal(visit, refused)
    if wants_data(visit.request):
        return JSONResponse(attempt_data(visit.request, visit.who, attempt), 201)
    return redirect_to(f"/attempts/{attempt.id}")


def _show_refusal(visit: Visit, refused: UploadRejected) -> Response:
    if wants_data(visit.request):
        return refused.as_data()
    return student_page(visit, status=refused.status, trouble=refused.reason_in(visit.t))


def file_name(file: UploadFile) -> str:
    """Return the student's name for a file, without the folders that some browsers send."""
    name = (file.filename or "").replace("\\", "/").rsplit("/", 1)[-1]
    if len(name) > _MOST_NAME:
        raise HTTPException(400, "wrong")
    return name
