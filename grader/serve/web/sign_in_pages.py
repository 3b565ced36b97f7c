"""Sign-in by name, by a one-time link, or by a launch from a learning platform."""

from __future__ import annotations

import re
import urllib.parse
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

from anyio import CapacityLimiter
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from grader.errors import LaunchError, PlatformError
from grader.serve.lti.claims import CHOOSE
from grader.serve.lti.keys import make_jwks
from grader.serve.lti.launch_service import LIFE_SECONDS, CourseChoice, LaunchService
from grader.serve.store import courses, credentials, people
from grader.serve.store.courses import AuditEntry
from grader.serve.store.people import Newcomer, Role
from grader.serve.web import visits
from grader.serve.web.guard import POLICY, RateLimit, client_address
from grader.serve.web.visits import Visit, make_endpoint, redirect_to

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
    return visits.sign_in(visit.site, visit.request, people.put(visit.site.store, who, visit.now))


def invitation_page(visit: Visit) -> Response:
    """Answer with the page of a link; only its button uses the link up, so that mail scanners do not."""
    token = visit.request.path_params["token"]
    person = visit.site.find_person(credentials.find_invited(visit.site.store, token, visit.now))
    if person is None:
        raise _invalid_link(visit)
    return visit.page("invite.html.j2", invited=person, action=visit.request.url.path)


def accept_invitation(visit: Visit) -> Response:
    """Sign in by a link, and use it up; the log tells where one that staff made was used."""
    token = visit.request.path_params["token"]
    used = credentials.use_invitation(visit.site.store, token, visit.now)
    person = visit.site.find_person(used[0] if used else None)
    if used is None or person is None:
        raise _invalid_link(visit)
    if used[1] is not None and (maker := people.get(visit.site.store, used[1])):
        act = AuditEntry(visit.now, maker.name, person.course, "sign-in link used", person.name)
        courses.log(visit.site.store, act)
    return visits.sign_in(visit.site, visit.request, person)


def sign_out(visit: Visit) -> Response:
    """Sign out."""
    response = redirect_to("/sign-in")
    if visit.sign_in is not None:
        visits.sign_out(visit.site, visit.sign_in, response)
    return response


def _invalid_link(visit: Visit) -> HTTPException:
    """Return the error for an invalid link, or for too many of them."""
    is_guessing = not visit.site.rates.guesses.allows(client_address(visit.request), visit.now)
    return HTTPException(429, "often") if is_guessing else HTTPException(410, "invite")


_THREADS: Final = 16
"""Launches have 16 threads of their own, since each may wait for the keys of a platform."""
_WINDOW: Final = "window"
"""The link that opens a window has this parameter, for browsers that do not send Sec-Fetch-Dest."""
_IN_A_FRAME: Final = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""The policy of pages that may be shown in a frame: they have a link or an error, and no personal data."""
_COOKIE: Final = "launch"
_SECRET: Final = re.compile(r"[\w-]{43}", re.ASCII)
"""The cookie of a login has this form."""
_HINTS: Final = ("iss", "login_hint", "client_id", "lti_message_hint", "lti_deployment_id", "target_link_uri")


def launch_routes(lti: LaunchService) -> list[Route]:
    """Return the routes for logins, launches and the public keys."""
    rate = RateLimit(600, 600)  # a class behind one address launches at the same minute
    login, launch, keys = partial(_login, lti, rate), partial(_launch, lti), make_jwks(lti.key)
    threads = CapacityLimiter(_THREADS)
    return [
        Route("/lti/login", make_endpoint(login, "anyone"), methods=["GET", "POST"]),
        Route("/lti/launch", make_endpoint(launch, "anyone", threads=threads), methods=["POST"]),
        Route("/lti/jwks", make_endpoint(lambda _: JSONResponse(keys), "anyone")),
    ]


def _login(lti: LaunchService, rate: RateLimit, visit: Visit) -> Response:
    """Start a login, or show a link to do so in a new window if the page is in a frame.

    Deep linking starts in the frame, since the platform waits for its end there, and signs nobody in.
    """
    if not rate.allows(client_address(visit.request), visit.now):
        raise HTTPException(429, "often")
    given = {**visit.request.query_params, **visit.form}
    hints: dict[str, str] = {name: given[name] for name in _HINTS if name in given}
    try:
        # in a window of its own, not in a frame, the browser accepts cookies
        place = visit.request.headers.get("sec-fetch-dest")
        in_window = place == "document" or (place is None and _WINDOW in visit.request.query_params)
        chooses = hints.get("target_link_uri") == f"{lti.launch_url}{CHOOSE}"
        if not in_window and not chooses:
            lti.find_platform(hints)
            query = urllib.parse.urlencode({**hints, _WINDOW: "own"})
            return frame_page(visit, href=f"/lti/login?{query}")
        browser = _read_browser_secret(visit) or credentials.new_secret()
        response = RedirectResponse(lti.start_login(hints, browser=browser, now=visit.now), 303)
    except LaunchError as error:
        return frame_page(visit, 400, refused=str(error))
    response.set_cookie(
        *(visit.site.cookie_name(_COOKIE), browser, LIFE_SECONDS),
        path=visit.site.path,
        secure=True,
        httponly=True,
        samesite="none",  # the platform's form brings it back
    )
    if chooses:  # browsers keep a cookie of a frame apart for each site around it, or not at all
        response.headers["set-cookie"] += "; Partitioned"
    return response


def _launch(lti: LaunchService, visit: Visit) -> Response:
    """Accept a launch and sign this browser in, or show what there is to choose by deep linking.

    Only failed launches count against the limit of an address.
    """
    try:
        came = lti.accept_launch(visit.form, browser=_read_browser_secret(visit), now=visit.now)
    except LaunchError as error:
        if not visit.site.rates.launches.allows(client_address(visit.request), visit.now):
            raise HTTPException(429, "often") from None
        return frame_page(visit, 403, refused=str(error))
    except PlatformError as error:
        return frame_page(visit, 502, refused=str(error))
    if isinstance(came, CourseChoice):
        page = frame_page(visit, choice=came)
        takes = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(came.return_url))
        policy = _IN_A_FRAME.replace("form-action 'self'", f"form-action {takes}")
        page.headers["Content-Security-Policy"] = policy
        return page
    return visits.sign_in(visit.site, visit.request, *came)


def frame_page(visit: Visit, status: int = 200, **shown: Any) -> Response:
    """Return a page that may be shown in a frame, and so has no personal data, and no button that does
    anything here.

    ``shown`` is one of ``href`` (a link), ``refused`` (why), ``choice`` (of courses), and ``is_registered``.
    """
    stranger = replace(visit, person=None, sign_in=None)
    nothing = {"href": "", "refused": "", "choice": None, "is_registered": False}
    response = stranger.page("launch.html.j2", status, **{**nothing, **shown})
    response.headers["Content-Security-Policy"] = _IN_A_FRAME
    return response


def _read_browser_secret(visit: Visit) -> str:
    """Return the secret in the browser's cookie for logins; empty if there is none."""
    kept = visit.request.cookies.get(visit.site.cookie_name(_COOKIE), "")
    return kept if _SECRET.fullmatch(kept) else ""
