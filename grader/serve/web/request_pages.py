"""Requests for another look: the forms on a student's page, and the page on which staff answer one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.api import LookRequest, Report, ResultFolder, read_points
from grader.errors import GraderError, InputError, RequestRefused
from grader.serve.store import answers, attempts, people, tries
from grader.serve.store.attempts import Attempt
from grader.serve.store.people import Person
from grader.serve.web.asked import until
from grader.serve.web.staff import log_action, run_when_free, without_folders
from grader.serve.web.student_pages import attempt_page, find_own_attempt
from grader.serve.web.visible_results import visible_results
from grader.serve.web.visits import Visit, redirect_to
from grader.text import in_bytes
from lab import Maze, MazeFormatError

_Answer = Literal["kept", "changed", "regraded"]
_MAZE_BYTES: Final = 64 * 1024
"""A maze on which code is tried may have at most 64 KiB."""


def act_on_request(visit: Visit) -> Response:
    """Open a request of a student, add to it, or take it back."""
    attempt = find_own_attempt(visit, visit.request.path_params["attempt"])
    folder, name = visit.site.data.course(visit.who.course), visit.who.folder
    act, check, words = (visit.form.get(key, "") for key in ("act", "check", "words"))
    try:
        if act == "ask":
            _ask(visit, attempt, check, words)
        else:
            found = [
                each for each in folder.requests(name) if (each.check, each.work) == (check, attempt.work)
            ]
            if not found or act not in ("reply", "take-back"):
                raise HTTPException(400, "wrong")
            if act == "reply":
                folder.reply(found[0], words, visit.who.name)
            else:
                folder.take_back(found[0], visit.who.name)
    except RequestRefused as refused:
        trouble = visit.t(f"ask.refused.{refused.key}", **refused.values)
        trouble = f"{trouble[:1].upper()}{trouble[1:]}."  # it is a sentence here
        return attempt_page(visit, status=400, trouble=trouble, typed={check: words})
    return redirect_to(f"/attempts/{attempt.id}#asking")


def _ask(visit: Visit, attempt: Attempt, check: str, words: str) -> None:
    """Open a request. Raises RequestRefused, and HTTPException where the page has no form for it."""
    site, person = visit.site, visit.who
    results = visible_results(site, person, attempt, visit.now)
    if results is None or site.courses[person.course].requests is None or check not in results.checks:
        raise HTTPException(400, "wrong")
    rules, folder = site.courses[person.course], site.data.course(person.course)
    ends = until(visit, attempt, results.checks[check]["visibility"] == "hidden")
    times = {"at": rules.local_time(visit.now), "until": rules.local_time(ends)}
    folder.ask(person.folder, check, words, person.name, work=attempt.work, **times)


# --- for staff ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """A line of a student's code."""

    number: int
    text: str
    is_marked: bool
    """Whether the story, or the place to look at, names it."""


def request_page(visit: Visit, *, trouble: str = "", typed: Mapping[str, str] | None = None) -> Response:
    """Answer with a request: the words, the story, the code with the lines marked, and the form to answer."""
    request, about = _find_request(visit)
    site = visit.site
    folder = site.data.course(visit.who.course)
    attempt = _attempt_of(visit, request, about)
    report = Report.read(folder.result(about.folder).path)
    own = request.check.partition(".")[0]
    exercise = next((each for each in report.data["exercises"] if each["id"] == own), None)
    if exercise is None or request.check not in report.checks:
        raise HTTPException(404, "missing")
    kept = ResultFolder(site.data.result(attempt)) if attempt else None
    code = kept.read_code() if kept else {}
    tried = tries.find(site.store, attempt.id, request.check) if attempt else None
    return visit.page(
        "staff/request.html.j2",
        here="",
        request=request,
        about=about,
        attempt=attempt,
        check=report.checks[request.check],
        story=[step["text"] for step in exercise.get("story", ())],
        code=_marked(code, exercise),
        tried=tried,
        maze=tried.maze if tried else _shown_maze(kept, request.check) if kept else "",
        has_staff_page=folder.result(about.folder).has_staff_page,
        before=folder.decided_before(about.folder),
        trouble=trouble,
        typed=typed or {},
    )


def _find_request(visit: Visit) -> tuple[LookRequest, Person]:
    """Return the request in the URL, and whose it is. Raises HTTPException."""
    found = visit.site.data.course(visit.who.course).requests()
    request = next((each for each in found if each.id == visit.request.path_params["request"]), None)
    known = people.list_for_course(visit.site.store, visit.who.course)
    about = next((each for each in known if request and each.folder == request.submission), None)
    if request is None or about is None:
        raise HTTPException(404, "missing")
    return request, about


def _attempt_of(visit: Visit, request: LookRequest, about: Person) -> Attempt | None:
    """Return the attempt that a request is about; None where it is gone."""
    known = attempts.list_for_person(visit.site.store, about.id)
    return next((each for each in known if each.work == request.work), None)


def _shown_maze(kept: ResultFolder, check: str) -> str:
    """Return the maze on which staff see that a check failed; empty where none is shown."""
    try:
        return kept.shown_maze(check)
    except InputError:
        return ""


def _marked(code: Mapping[str, Sequence[str]], exercise: Mapping[str, Any]) -> dict[str, list[MarkedLine]]:
    """Return the files that the story of an exercise names, line by line; all files where it names none."""
    told = [*exercise.get("story", ()), *([exercise["look_at"]] if "look_at" in exercise else [])]
    lines = {(each.get("file"), each.get("line")) for each in told}
    named = {file for file, _ in lines} & code.keys() or code.keys()
    return {
        file: [MarkedLine(number, line, (file, number) in lines) for number, line in enumerate(text, 1)]
        for file, text in code.items()
        if file in named
    }


def answer_request(visit: Visit) -> Response:
    """Answer a request, and have the student told."""
    request, about = _find_request(visit)
    folder, words = visit.site.data.course(visit.who.course), visit.form.get("words", "").strip()
    answer = visit.form.get("answer", "")
    if answer not in get_args(_Answer):
        raise HTTPException(400, "wrong")
    try:
        points = read_points(visit.form.get("points", "")) if answer == "changed" else None
        told = run_when_free(
            lambda: folder.answer(request, cast(_Answer, answer), visit.who.name, words, points)
        )
    except GraderError as error:
        return request_page(visit, trouble=without_folders(visit, error), typed=visit.form)
    if visit.site.sends_mails and about.email:
        answers.put_mail(visit.site.store, about.id, request.id, visit.now)
    log_action(visit, f"answer {answer}", about.name, told)
    return redirect_to("/staff/review")


def try_on_maze(visit: Visit) -> Response:
    """Have the code that a request is about asked its check on a maze; nothing is marked by it."""
    request, about = _find_request(visit)
    attempt, text = _attempt_of(visit, request, about), visit.form.get("maze", "")
    if attempt is None:
        raise HTTPException(404, "missing")
    try:
        maze = _read_maze(text)
        ResultFolder(visit.site.data.result(attempt)).to_try(about.folder, request.check, maze)
    except GraderError as error:
        return request_page(visit, trouble=without_folders(visit, error), typed=visit.form)
    tries.ask(visit.site.store, attempt.id, request.check, maze, visit.now)
    log_action(visit, "try on a maze", about.name, request.check)
    return redirect_to(f"/staff/requests/{request.id}#try")


def _read_maze(text: str) -> str:
    """Return a maze as it is written. Raises InputError where it is none, or too large."""
    if len(text.replace("\r\n", "\n").encode("utf-8", "replace")) > _MAZE_BYTES:
        raise InputError(f"expected a maze of at most {in_bytes(_MAZE_BYTES)}, but this one is larger")
    try:
        return Maze.from_text(text).to_text()
    except MazeFormatError as error:
        raise InputError(f"the maze: {error}") from None
