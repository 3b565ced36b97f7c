"""The page on which staff mark: question by question, without names, in an order by lot."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import Response

from grader.api import read_points
from grader.errors import GraderError
from grader.serve.web.staff import log_action, run_when_free
from grader.serve.web.visits import Visit, redirect_to

_HERE = "/staff/marking"


def marking_page(visit: Visit, *, trouble: str = "") -> Response:
    """Answer with the questions, or with the next answer to one of them."""
    folder, who = visit.site.data.course(visit.who.course), visit.who.name
    asked, after = (visit.request.query_params.get(key, "") for key in ("check", "after"))
    try:
        questions = run_when_free(lambda: folder.questions(who)) if folder.has_table else []
        question = next((each for each in questions if each.check == asked), None)
        waiting = list(question.waiting) if question is not None else []
        if after in waiting:  # it was skipped
            place = waiting.index(after) + 1
            waiting = [*waiting[place:], *waiting[:place]]
            folder.give_back(after, who)
        answer = run_when_free(lambda: folder.take_answer(waiting[0], who)) if waiting else None
    except GraderError as error:
        questions, answer, waiting, trouble = [], None, [], f"{error}"
    return visit.page(
        "staff/marking.html.j2",
        here=_HERE,
        questions=questions,
        answer=answer,
        left=len(waiting),
        typed=visit.form if trouble else {},
        trouble=trouble,
    )


def mark_answer(visit: Visit) -> Response:
    """Record what the form gives for an answer, or take back what the visitor marked last."""
    folder, who, form = visit.site.data.course(visit.who.course), visit.who.name, visit.form
    check = visit.request.query_params.get("check", "")
    try:
        if form.get("undo"):
            run_when_free(lambda: folder.take_back_mark(who))
            log_action(visit, "take back a mark", check)
        else:
            more = read_points(form["more"]) if form.get("more", "").strip() else 0.0
            reason, item = form.get("reason", ""), form.get("item", "")
            met = [int(key[3:]) for key in form if key.startswith("met") and key[3:].isdigit()]
            run_when_free(lambda: folder.mark(item, who, met, more, reason))
            folder.give_back(item, who)  # for another person, where two mark it
            log_action(visit, "mark", check)
    except GraderError as error:
        return marking_page(visit, trouble=f"{error}")
    return redirect_to(f"{_HERE}?check={quote(check)}")
