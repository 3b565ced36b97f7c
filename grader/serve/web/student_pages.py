"""The pages for students: handing in, the result of an attempt, the list of attempts, and their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.model import ResultsJson
from grader.serve.attempt_rules import count_attempts_left
from grader.serve.store import attempts, credentials, marks
from grader.serve.store.attempts import Attempt
from grader.serve.store.people import Person
from grader.serve.upload_storage import choose, find_choice
from grader.serve.web.guard import BODY_BYTES
from grader.serve.web.progress_texts import (
    ProgressTexts,
    describe_progress,
    describe_state,
    load_attempt_states,
)
from grader.serve.web.site import Site
from grader.serve.web.visible_results import (
    CheckChanges,
    check_titles,
    compare_checks,
    translated_page,
    visible_results,
)
from grader.serve.web.visits import Visit, redirect_to
from grader.text import visible

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


@dataclass(frozen=True, slots=True)
class Deadline:
    """A student's deadline, as the page shows it."""

    text: str
    own: bool
    over: bool


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
        attempts=attempt_rows(visit, known),
        why_counts=visit.t(f"serve.attempts.{site.courses[person.course].attempts.counts}"),
        partly=site.hides(person, visit.now),
        lab=site.lab is not None,
        tokens=credentials.list_tokens(site.store, person.id),
        token=token,
        token_command=f"MAZE_TOKEN={token} maze submit --to {address}",
        most_mib=BODY_BYTES >> 20,
        most_bytes=BODY_BYTES,
        trouble=trouble,
    )


def attempt_page(visit: Visit) -> Response:
    """Answer with the result of an attempt, and the changes since the one before."""
    attempt = find_own_attempt(visit, visit.request.path_params["attempt"])
    under_way = _is_new(attempt)
    results = visible_results(visit.site, visit.who, attempt, visit.now)
    page = translated_page(results, visit.t) if results else None
    before, change = _changes_since(visit, attempt, results)
    return visit.page(
        "attempt.html.j2",
        attempt=attempt,
        standing=_progress_of(visit, attempt) if under_way else None,
        reload=RELOAD_SECONDS if under_way else 0,
        told_of_state=describe_state(attempt, visit.t),
        candidates=_candidates(visit, attempt),
        result=page,
        partly=visit.site.hides(visit.who, visit.now),
        before=before,
        change=change,
        titles=check_titles(page) if page else {},
        counts=_counted_attempt(visit) == attempt.id,
    )


def _candidates(visit: Visit, attempt: Attempt) -> list[tuple[str, str]]:
    """Return the names of what the student has to choose from, each with its time and files."""
    choice = find_choice(visit.site.data, attempt)
    return [
        (visible(each["name"]), ", ".join(filter(None, (_time(visit, each["modified"]), *each["files"]))))
        for each in (choice["candidates"] if choice else ())
    ]


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


def _format_mark(visit: Visit, results: ResultsJson | None) -> str:
    if results is None:
        return ""
    layer = results.get("adjusted")
    if layer and layer["exempt"]:
        return "–"
    number = visit.t.number
    return visit.t("page.points", score=number(results["score"]), max=number(results["max_score"]))


def _changes_since(
    visit: Visit, attempt: Attempt, results: ResultsJson | None
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
    rubric = visit.site.courses[visit.who.course]
    if rubric.attempts.counts == "best" and visit.site.hides(visit.who, visit.now):
        return ""
    standing = marks.get(visit.site.store, visit.who.id)
    return standing.attempt if standing else ""


def _is_new(attempt: Attempt) -> bool:
    """Tell whether an attempt has no result yet and is queued; one that is graded again keeps its result."""
    return attempt.state in ("waiting", "running") and not attempt.has_result


def _progress_of(visit: Visit, attempt: Attempt) -> ProgressTexts:
    standing = load_attempt_states(visit.site.store, [attempt.id])[attempt.id]
    return describe_progress(standing, visit.site.courses[attempt.course], visit.t)


def may_hand_in(site: Site, person: Person, now: float) -> bool:
    """Tell whether a person may hand in; a waiting attempt does not count, since the next one replaces it."""
    times = attempts.counted_times(site.store, person.id, but_waiting=True)
    return count_attempts_left(site.courses[person.course].attempts, times, now).is_open


def attempts_left_text(visit: Visit) -> str:
    """Return a sentence on how many attempts are left, and when there will be one more."""
    times = attempts.counted_times(visit.site.store, visit.who.id)
    found, t = count_attempts_left(visit.site.courses[visit.who.course].attempts, times, visit.now), visit.t
    when = (
        None if found.next_at is None else f"{visit.site.local_time(visit.who.course, found.next_at):%H:%M}"
    )
    if found.left is None:
        return t("serve.tickets.unlimited")
    if found.left == 0:
        return t("serve.tickets.never") if when is None else t("serve.tickets.none", when=when)
    sentence = t("serve.tickets.one") if found.left == 1 else t("serve.tickets.many", count=found.left)
    return sentence if when is None else f"{sentence} {t('serve.tickets.next', when=when)}"


def _deadline(visit: Visit) -> Deadline | None:
    at = visit.site.deadline(visit.who)
    if at is None:
        return None
    own = marks.own_deadline(visit.site.store, visit.who.id) == at
    return Deadline(visit.format_time(at), own, visit.now > at)


def make_token(visit: Visit) -> Response:
    """Make a token, and show it this one time."""
    if len(credentials.list_tokens(visit.site.store, visit.who.id)) >= _MOST_TOKENS:
        raise HTTPException(400, "wrong")
    return student_page(visit, token=credentials.create_token(visit.site.store, visit.who.id, "", visit.now))


def delete_token(visit: Visit) -> Response:
    """Delete a token of the visitor."""
    credentials.remove_token(visit.site.store, visit.who.id, visit.form.get("token", ""))
    return redirect_to("/")
