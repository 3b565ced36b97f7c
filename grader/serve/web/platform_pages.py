"""The page for staff on who has not handed in, by the lists of members of learning platforms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from anyio import CapacityLimiter
from starlette.responses import Response
from starlette.routing import Route

from grader.errors import PlatformError
from grader.serve.lti import platforms
from grader.serve.lti.claims import read_member
from grader.serve.lti.platform_client import PlatformClient
from grader.serve.store import attempts, outbox, people
from grader.serve.web.visits import Visit, make_endpoint

_THREADS: Final = 4
"""Pages that wait for a platform have 4 threads of their own."""


@dataclass(frozen=True, slots=True)
class MissingStudent:
    """A student who has handed in nothing."""

    name: str
    email: str
    person: int | None
    """The number of the person; None for one who never opened the lab."""


def platform_routes(client: PlatformClient) -> list[Route]:
    """Return the routes of pages that ask learning platforms."""
    view = partial(missing_page, client)
    return [Route("/staff/missing", make_endpoint(view, "staff", threads=CapacityLimiter(_THREADS)))]


def missing_page(client: PlatformClient, visit: Visit) -> Response:
    """Answer with the list of students who have handed in nothing; nobody becomes a person by it."""
    store, course = visit.site.store, visit.who.course
    handed_in = {each.person for each in attempts.list_for_course(store, course) if each.state != "withdrawn"}
    known = people.list_for_course(store, course)
    missing = [
        MissingStudent(each.name, each.email, each.id)
        for each in known
        if not each.is_staff and each.id not in handed_in
    ]
    trouble, lists = "", platforms.list_members_urls(store, course)
    try:
        missing += _strangers(client, visit, {each.external for each in known if each.origin == "lti"})
    except PlatformError as error:
        trouble = f"Who never opened the lab is not known: {error}"
    missing.sort(key=lambda each: (each.name.casefold(), each.email))
    return visit.page(
        "staff/missing.html.j2", here="/staff/scores", missing=missing, has_lists=bool(lists), trouble=trouble
    )


def _strangers(client: PlatformClient, visit: Visit, known: set[str]) -> Iterator[MissingStudent]:
    """Yield the members of the course at its platforms who never opened the lab. Raises PlatformError."""
    for platform, url in platforms.list_members_urls(visit.site.store, visit.who.course):
        for said in client.list_members(platform, url, visit.now):
            member = read_member(said)
            external = outbox.external_id(platform.id, member.subject) if member else ""
            if member and external not in known:
                known.add(external)
                yield MissingStudent(member.name, member.email, None)
