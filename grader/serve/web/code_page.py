"""The page with the code of an attempt, where staff write comments at lines."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import Response

from grader.api import LineComment, ResultFolder
from grader.errors import GraderError, InputError
from grader.serve.web.staff import find_attempt, log_action, run_when_free, without_folders
from grader.serve.web.visits import Visit, redirect_to


def code_page(visit: Visit, *, trouble: str = "", typed: Mapping[str, str] | None = None) -> Response:
    """Answer with the code of an attempt as it was graded, the comments at its lines, and a form for one.

    The URL may name a line, or a comment that is to be changed; ``typed`` is what was refused.
    """
    attempt, person = find_attempt(visit)
    result, folder = ResultFolder(visit.site.data.result(attempt)), visit.site.data.course(person.course)
    comments = folder.line_comments(person.folder, attempt.result_key or "")
    asked = visit.request.query_params
    changed = next((each for each in comments if str(each["number"]) == asked.get("number")), None)
    if typed is None and changed is not None:
        place, number = f"{changed['file']}:{changed['line']}", str(changed["number"])
        typed = {"place": place, "text": changed["text"], "number": number}
    return visit.page(
        "staff/code.html.j2",
        here="",
        about=person,
        attempt=attempt,
        code=result.read_code(),
        comments=comments,
        choices=_choices(visit),
        typed=typed or {"place": asked.get("at", "")},
        trouble=trouble,
    )


def _choices(visit: Visit) -> dict[str, str]:
    """Return the course's texts for comments; none where they cannot be read, which a comment tells."""
    try:
        return visit.site.data.course(visit.who.course).comment_choices()
    except InputError:
        return {}


def comment_at_line(visit: Visit) -> Response:
    """Write a comment at a line, change it, or take it back, as ``grader comment`` does."""
    attempt, person = find_attempt(visit)
    form, number = visit.form, visit.form.get("number", "")
    text = form.get("text", "").replace("\r\n", "\n").strip() or form.get("choice", "")
    asked = LineComment(
        visit.who.name,
        "" if form.get("remove") else form.get("place", ""),
        "" if form.get("remove") else text,
        int(number) if number.isdecimal() and len(number) < 10 else 0,
        bool(form.get("remove")),
    )
    result, folder = ResultFolder(visit.site.data.result(attempt)), visit.site.data.course(person.course)
    key = attempt.result_key or ""
    try:
        told = run_when_free(lambda: folder.comment_line(person.folder, asked, result, key, attempt.number))
    except GraderError as error:
        return code_page(visit, trouble=without_folders(visit, error), typed=form)
    log_action(visit, "comment at a line", person.name, told.removeprefix(f"{person.folder}: "))
    return redirect_to(f"/staff/attempts/{attempt.id}/code#comment")
