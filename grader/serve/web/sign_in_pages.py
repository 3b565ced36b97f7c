"""Sign-in without a learning platform: by name in demonstration mode, otherwise by a one-time link."""

from __future__ import annotations

from typing import cast

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.serve.store import courses, credentials, people
from grader.serve.store.courses import AuditEntry
from grader.serve.store.people import Newcomer, Person, Role
from grader.serve.web import cookies
from grader.serve.web.rate_limits import client_address
from grader.serve.web.site import Site
from grader.serve.web.visits import Visit, redirect_to

_MOST_NAME = 80
"""A name may have at most 80 characters."""


def sign_in_page(visit: Visit) -> Response:
    """Answer with the page on which a visitor signs in."""
    if visit.person is not None:
        return redirect_to("/")
    courses = [(id_, rubric.title) for id_, rubric in visit.site.courses.items()]
    return visit.page("sign_in.html.j2", demo=visit.site.demo, courses=courses)


def sign_in_by_name(visit: Visit) -> Response:
    """Sign in by any name, in demonstration mode only."""
    name, role = visit.form.get("name", "").strip(), visit.form.get("role", "")
    course = visit.form.get("course", "")
    if not visit.site.demo:
        raise HTTPException(404, "missing")
    is_right = 0 < len(name) <= _MOST_NAME and name.isprintable()
    if not is_right or role not in ("student", "staff") or course not in visit.site.courses:
        raise HTTPException(400, "wrong")
    who = Newcomer(course, name, cast(Role, role), "demo", f"{role} {name.casefold()}")
    return cookies.sign_in(visit.site, visit.request, people.put(visit.site.store, who, visit.now))


def invitation_page(visit: Visit) -> Response:
    """Answer with the page of a link; only its button uses the link up, so that mail scanners do not."""
    token = visit.request.path_params["token"]
    person = _find_served_person(visit.site, credentials.find_invited(visit.site.store, token))
    if person is None:
        raise _invalid_link(visit)
    return visit.page("invite.html.j2", invited=person, action=visit.request.url.path)


def accept_invitation(visit: Visit) -> Response:
    """Sign in by a link, and use it up; the log tells where one that staff made was used."""
    token = visit.request.path_params["token"]
    used = credentials.use_invitation(visit.site.store, token, visit.now)
    person = _find_served_person(visit.site, used[0] if used else None)
    if used is None or person is None:
        raise _invalid_link(visit)
    if used[1] is not None and (maker := people.get(visit.site.store, used[1])):
        act = AuditEntry(visit.now, maker.name, person.course, "sign-in link used", person.name)
        courses.log(visit.site.store, act)
    return cookies.sign_in(visit.site, visit.request, person)


def sign_out(visit: Visit) -> Response:
    """Sign out."""
    response = redirect_to("/sign-in")
    if visit.sign_in is not None:
        cookies.sign_out(visit.site, visit.sign_in, response)
    return response


def _find_served_person(site: Site, person: int | None) -> Person | None:
    found = people.get(site.store, person) if person is not None else None
    return found if found is not None and found.course in site.courses else None


def _invalid_link(visit: Visit) -> HTTPException:
    """Return the error for an invalid link, or for too many of them."""
    is_guessing = not visit.site.rates.guesses.allows(client_address(visit.request), visit.now)
    return HTTPException(429, "often") if is_guessing else HTTPException(410, "invite")
