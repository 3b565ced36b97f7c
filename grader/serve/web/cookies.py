"""The cookie of a sign-in.

Theory of operation: signing in sets a new cookie, and ends the sign-in of the cookie that the browser sent,
so that a planted cookie is useless afterwards. The cookie is for this host only, scripts cannot read it, and
browsers do not send it with the forms of other sites; in addition, each form of this site contains a token of
the sign-in. With https the cookie is called ``__Host-session``, which browsers bind to its host and to https;
below a path of a host (``--url https://host/grader``) it is ``__Secure-session``, for that path; without
https, as on a developer's machine, it is ``session``, since browsers reject the other names there.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from grader.serve.store import credentials, people
from grader.serve.store.credentials import SignIn
from grader.serve.store.people import Person
from grader.serve.web.site import Site

CSRF: Final = "csrf"


def find_visitor(site: Site, request: HTTPConnection, now: float) -> tuple[Person | None, SignIn | None]:
    """Return the person who is signed in, with the sign-in; a pair of None for all others."""
    token = request.cookies.get(site.cookie, "")
    found = credentials.find_sign_in(site.store, token, now) if token else None
    person = people.get(site.store, found.person) if found else None
    if person is None or person.course not in site.courses:
        return None, None
    return person, found


def sign_in(site: Site, request: HTTPConnection, person: Person) -> Response:
    """Sign a person in; set the cookie, and end the sign-in that the browser had before.

    Return the way to the first page.
    """
    now = site.clock()
    hours = credentials.HOURS_BY_LINK if person.origin == "invite" else credentials.HOURS
    _, before = find_visitor(site, request, now)
    if before is not None:
        credentials.end_sign_in(site.store, before)
    token, _ = credentials.begin_sign_in(site.store, person.id, now, hours=hours)
    response = RedirectResponse("/", 303)
    response.set_cookie(
        site.cookie,
        token,
        max_age=round(hours * 3600),
        path=site.path,
        secure=site.is_secure,
        httponly=True,
        samesite="lax",
    )
    return response


def sign_out(site: Site, ended: SignIn, response: Response) -> None:
    """End a sign-in, in the database and in the browser."""
    credentials.end_sign_in(site.store, ended)
    response.delete_cookie(site.cookie, path=site.path, secure=site.is_secure, httponly=True, samesite="lax")
    if not site.root:  # what other sites of the host keep is not ours to clear
        response.headers["Clear-Site-Data"] = '"cache", "storage"'


def check_csrf(sign_in: SignIn | None, form: Mapping[str, str]) -> None:
    """Check that a form comes from a page of this sign-in. Raises HTTPException."""
    sent = form.get(CSRF, "").encode()
    if sign_in is None or not secrets.compare_digest(sent, sign_in.csrf.encode()):
        raise HTTPException(403, "origin")
