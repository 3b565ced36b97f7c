"""The page for staff about one person: the attempts, the mark, and the possible actions."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from grader.errors import InputError
from grader.grading.pipeline import FEEDBACK, RESULTS, STAFF_PAGE
from grader.results import read
from grader.serve.store import attempts, extensions, marks
from grader.serve.store.people import Person
from grader.serve.web.staff.shared import find_person, render_staff_page
from grader.serve.web.visits import Visit


def person_page(visit: Visit) -> Response:
    """Answer with the page about the person in the URL."""
    return render_person(visit, find_person(visit))


def render_person(visit: Visit, person: Person, **outcome: Any) -> Response:
    """Return the page about a person; ``outcome`` is the result of an action, such as ``trouble`` or
    ``link``."""
    site = visit.site
    folder = site.data.course(person.course) / person.folder
    try:
        results = read(folder / RESULTS)
    except InputError:
        results = None
    known = attempts.list_for_person(site.store, person.id)
    own, deadline = extensions.get(site.store, person.id), site.deadline(person)
    pages = {
        each.id: [name for name in (FEEDBACK, STAFF_PAGE) if (site.data.attempt(each.id) / name).is_file()]
        for each in known
    }
    return render_staff_page(
        visit,
        "person.html.j2",
        "",
        about=person,
        attempts=known,
        pages=pages,
        standing=marks.get(site.store, person.id),
        results=results,
        decisions=results.get("adjusted", {"decisions": []})["decisions"] if results else [],
        checks=[check for part in results["exercises"] for check in part["checks"]] if results else [],
        has_staff_page=(folder / STAFF_PAGE).is_file(),
        deadline=None if deadline is None else visit.format_time(deadline),
        deadline_value=None
        if deadline is None
        else f"{site.local_time(person.course, deadline):%Y-%m-%dT%H:%M}",
        has_own=own is not None,
        **{"link": "", **outcome},
    )
