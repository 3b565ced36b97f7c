"""The page of one item of the review, which is taken by whoever opens it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.api import ClassFolder, Report
from grader.errors import GraderError, InputError
from grader.serve.store import marks, people
from grader.serve.web.staff import (
    expect,
    log_action,
    read_change,
    review_page,
    run_when_free,
    without_folders,
)
from grader.serve.web.visits import Visit, redirect_to


def item_page(visit: Visit, *, trouble: str = "", typed: Mapping[str, str] | None = None) -> Response:
    """Answer with the item in the URL, which the visitor takes, with who has it and what may be decided.

    ``typed`` is what was refused. What is no item any more was decided, or asks something else now.
    """
    folder, id_ = _folder(visit), visit.request.path_params["item"]
    item = next((each for each in folder.items() if each["id"] == id_), None)
    if item is None:
        return review_page(
            visit, trouble="This is no item of the review any more: it was decided, or changed."
        )
    is_open, who = not item["when"], visit.who.name
    holder = folder.take_item(id_, who) if is_open else ""
    known = {each.folder: each for each in people.list_for_course(visit.site.store, visit.who.course)}
    names = [item["submission"], *item["others"]]
    about = known.get(item["submission"]) if len(names) == 1 else None
    standing = marks.get(visit.site.store, about.id) if about else None
    results = _results(folder, item["submission"]) if about else None
    return visit.page(
        "staff/item.html.j2",
        here="/staff/review",
        item=item,
        texts=[part["text"] for part in item["parts"]] or [item["text"]],
        names=names,
        known=known,
        about=about,
        standing=standing,
        checks=[*Report(results).checks.values()] if results else [],
        results=results,
        has_staff_page=folder.result(item["submission"]).has_staff_page,
        title=ClassFolder.KINDS[item["kind"]],
        proposal=ClassFolder.PROPOSALS[item["kind"]],
        is_open=is_open,
        is_mine=is_open and holder == who,
        holder=holder,
        typed=typed or {},
        may=visit.may,
        trouble=trouble,
    )


def _folder(visit: Visit) -> ClassFolder:
    return visit.site.data.course(visit.who.course)


def _results(folder: ClassFolder, name: str) -> Any:
    try:
        return Report.read(folder.result(name).path).data
    except InputError:
        return None


def act_on_item(visit: Visit) -> Response:
    """Go on having the item in the URL, give it back, close it, or change the mark that it is about."""
    folder, id_, act = _folder(visit), visit.request.path_params["item"], visit.form.get("action", "")
    if act == "have":
        is_mine = folder.take_item(id_, visit.who.name) == visit.who.name
        return Response(status_code=204 if is_mine else 409)
    if act == "leave":
        folder.give_back(id_, visit.who.name)
        return redirect_to("/staff/review")
    try:
        told = _decide(visit, folder, id_)
    except GraderError as error:
        return item_page(visit, trouble=without_folders(visit, error), typed=visit.form)
    log_action(visit, "looked at" if act == "done" else f"adjust {act}", visit.form.get("about", ""), told)
    is_left = any(each["id"] == id_ and not each["when"] for each in folder.items())
    return redirect_to(f"/staff/review/{id_}" if is_left else "/staff/review")


def _decide(visit: Visit, folder: ClassFolder, id_: str) -> str:
    """Apply what the form decides, and return what is logged. Raises GraderError."""
    if visit.form.get("action") == "done":
        run_when_free(lambda: folder.close_item(id_, visit.who.name))
        return id_
    change = replace(read_change(visit), item=id_)
    if change.action == "exempt":
        expect(visit, "exempt")
    item = next((each for each in folder.items() if each["id"] == id_), None)
    if item is None or item["others"]:
        raise HTTPException(400, "wrong")
    told = run_when_free(lambda: folder.adjust(item["submission"], change))
    return f"{told}; {change.reason}".rstrip("; ")
