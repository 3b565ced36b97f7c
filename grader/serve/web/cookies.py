"""Who is signed in, by a cookie.

Theory of operation: whoever signs in gets a new cookie, and the sign-in of the one that the browser brought
ends: a cookie that somebody planted is worth nothing afterwards. The cookie is for this host alone, no script
reads it, and no form of another site sends it; each form of ours carries a word of the sign-in besides. By
https it is called ``__Host-session``, which browsers hold to its host and to https; below a path of a host
(``--url https://host/grader``) it is ``__Secure-session``, for that path; and without https, as on one's own
machine, plainly ``session``: they refuse the other names there.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response

from grader.serve.store import people, sign_ins
from grader.serve.store.people import Person
from grader.serve.store.sign_ins import SignIn
from grader.serve.web.site import Site

CSRF: Final = "csrf"


def visitor(site: Site, request: HTTPConnection, now: float) -> tuple[Person | None, SignIn | None]:
    """The person whose browser this is, with the sign-in; twice None for all others."""
    token = request.cookies.get(site.cookie, "")
    found = sign_ins.find(site.store, token, now) if token else None
    person = people.get(site.store, found.person) if found else None
    if person is None or person.course not in site.courses:
        return None, None
    return person, found


def sign_in(site: Site, request: HTTPConnection, response: Response, person: Person) -> SignIn:
    """Sign a person in, and have the response's browser keep it; the one that it had ends."""
    now = site.clock()
    hours = sign_ins.HOURS_BY_LINK if person.origin == "invite" else sign_ins.HOURS
    _, before = visitor(site, request, now)
    if before is not None:
        sign_ins.end(site.store, before)
    token, begun = sign_ins.begin(site.store, person.id, now, hours=hours)
    response.set_cookie(
        site.cookie,
        token,
        max_age=round(hours * 3600),
        path=site.path,
        secure=site.is_secure,
        httponly=True,
        samesite="lax",
    )
    return begun


def sign_out(site: Site, ended: SignIn, response: Response) -> None:
    """Sign a browser out, in the database and in the browser."""
    sign_ins.end(site.store, ended)
    response.delete_cookie(site.cookie, path=site.path, secure=site.is_secure, httponly=True, samesite="lax")
    if not site.root:  # what other sites of the host keep is not ours to clear
        response.headers["Clear-Site-Data"] = '"cache", "storage"'


def check_csrf(sign_in: SignIn | None, form: Mapping[str, str]) -> None:
    """See whether a form is of this sign-in's own pages. Raises HTTPException."""
    sent = form.get(CSRF, "").encode()
    if sign_in is None or not secrets.compare_digest(sent, sign_in.csrf.encode()):
        raise HTTPException(403, "origin")
