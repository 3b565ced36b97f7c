"""Pages on learning platforms beside launches: who has not handed in, and platforms to be registered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from anyio import CapacityLimiter
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from grader.errors import InputError, LaunchError, PlatformError
from grader.serve.lti import platforms
from grader.serve.lti.claims import read_member
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_client import PlatformClient
from grader.serve.lti.registration import register, settle
from grader.serve.store import attempts, outbox, people
from grader.serve.web import staff
from grader.serve.web.guard import client_address
from grader.serve.web.sign_in_pages import frame_page
from grader.serve.web.visits import Visit, make_endpoint, redirect_to

_THREADS: Final = 4
"""Pages that wait for a platform have 4 threads of their own."""


_Missing = tuple[str, str, int | None]
"""Name and e-mail address of a student who handed in nothing, and the number of who opened the lab."""


def platform_routes(lti: LaunchService, client: PlatformClient) -> list[Route]:
    """Return the routes of pages that ask learning platforms, and of the confirmation of one."""
    threads = CapacityLimiter(_THREADS)
    missing, register = partial(missing_page, client), partial(register_page, lti)
    return [
        Route("/staff/missing", make_endpoint(missing, "staff", threads=threads)),
        Route("/staff/platforms", make_endpoint(settle_platform, "teacher"), methods=["POST"]),
        Route("/lti/register/{token}", make_endpoint(register, "anyone", threads=threads)),
    ]


def register_page(lti: LaunchService, visit: Visit) -> Response:
    """Register this service at the platform that opened a link; answer with a page that may be in a frame."""
    if not visit.site.rates.guesses.allows(client_address(visit.request), visit.now):
        raise HTTPException(429, "often")
    try:
        register(lti, visit.request.path_params["token"], visit.request.query_params, visit.now)
    except (LaunchError, PlatformError) as error:
        return frame_page(visit, 403 if isinstance(error, LaunchError) else 502, refused=str(error))
    page = frame_page(visit, is_registered=True)
    page.headers["Cross-Origin-Opener-Policy"] = "unsafe-none"  # the platform's window is told to close it
    return page


def settle_platform(visit: Visit) -> Response:
    """Confirm a platform that registered itself for the course, or drop it."""
    confirms, course = bool(visit.form.get("confirm")), visit.who.course
    pending, deployment = visit.form.get("platform", ""), visit.form.get("deployment", "")
    try:
        issuer = settle(visit.site.store, course, pending, deployment=deployment, confirms=confirms)
    except (InputError, LaunchError) as error:
        return staff.scores_page(visit, trouble=f"{error}.")
    staff.log_action(visit, "platform confirmed" if confirms else "platform dropped", "", issuer)
    return redirect_to("/staff/scores")


def missing_page(client: PlatformClient, visit: Visit) -> Response:
    """Answer with the list of students who have handed in nothing; nobody becomes a person by it."""
    store, course = visit.site.store, visit.who.course
    handed_in = {each.person for each in attempts.list_for_course(store, course) if each.state != "withdrawn"}
    known = people.list_for_course(store, course)
    missing: list[_Missing] = [
        (each.name, each.email, each.id) for each in known if not each.is_staff and each.id not in handed_in
    ]
    trouble, lists = "", platforms.list_members_urls(store, course)
    try:
        missing += _strangers(client, visit, {each.external for each in known if each.origin == "lti"})
    except PlatformError as error:
        trouble = f"Who never opened the lab is not known: {error}"
    missing.sort(key=lambda each: (each[0].casefold(), each[1]))
    return visit.page(
        "staff/missing.html.j2", here="", missing=missing, has_lists=bool(lists), trouble=trouble
    )


def _strangers(client: PlatformClient, visit: Visit, known: set[str]) -> Iterator[_Missing]:
    """Yield the members of the course at its platforms who never opened the lab. Raises PlatformError."""
    for platform, url in platforms.list_members_urls(visit.site.store, visit.who.course):
        for member in filter(None, map(read_member, client.list_members(platform, url, visit.now))):
            if (external := outbox.external_id(platform.id, member.subject)) not in known:
                known.add(external)
                yield member.name, member.email, None
