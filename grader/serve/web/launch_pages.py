"""The routes for launches from learning platforms, with their cookies and pages."""

from __future__ import annotations

import re
import urllib.parse
from dataclasses import replace
from functools import partial
from typing import Final

from anyio import CapacityLimiter
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from grader.errors import LaunchError, PlatformError
from grader.serve.lti.keys import make_jwks
from grader.serve.lti.launch_service import LIFE_SECONDS, LaunchService
from grader.serve.store import credentials
from grader.serve.web import cookies
from grader.serve.web.rate_limits import RateLimit, client_address
from grader.serve.web.response_headers import POLICY
from grader.serve.web.visits import Visit, make_endpoint

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
    keys, launch = make_jwks(lti.key), partial(_launch, lti)
    return [
        Route("/lti/login", make_endpoint(partial(_login, lti, rate), "anyone"), methods=["GET", "POST"]),
        Route(
            "/lti/launch",
            make_endpoint(launch, "anyone", threads=CapacityLimiter(_THREADS)),
            methods=["POST"],
        ),
        Route("/lti/jwks", make_endpoint(lambda _: JSONResponse(keys), "anyone")),
    ]


def _login(lti: LaunchService, rate: RateLimit, visit: Visit) -> Response:
    """Start a login, or show a link to do so in a new window if the page is in a frame."""
    if not rate.allows(client_address(visit.request), visit.now):
        raise HTTPException(429, "often")
    given = {**visit.request.query_params, **visit.form}
    hints: dict[str, str] = {name: given[name] for name in _HINTS if name in given}
    try:
        if not _has_window(visit):
            lti.find_platform(hints)
            query = urllib.parse.urlencode({**hints, _WINDOW: "own"})
            return _page(visit, href=f"/lti/login?{query}")
        browser = _read_browser_secret(visit) or credentials.new_secret()
        response = RedirectResponse(lti.start_login(hints, browser=browser, now=visit.now), 303)
    except LaunchError as error:
        return _page(visit, 400, refused=str(error))
    response.set_cookie(
        *(visit.site.cookie_name(_COOKIE), browser, LIFE_SECONDS),
        path=visit.site.path,
        secure=True,
        httponly=True,
        samesite="none",  # the platform's form brings it back
    )
    return response


def _has_window(visit: Visit) -> bool:
    """Tell whether the page is not in a frame, so that the browser accepts cookies."""
    place = visit.request.headers.get("sec-fetch-dest")
    return place == "document" or (place is None and _WINDOW in visit.request.query_params)


def _launch(lti: LaunchService, visit: Visit) -> Response:
    """Accept a launch and sign this browser in; only failed launches count against the limit of an
    address."""
    try:
        person = lti.accept_launch(visit.form, browser=_read_browser_secret(visit), now=visit.now)
    except LaunchError as error:
        if not visit.site.rates.launches.allows(client_address(visit.request), visit.now):
            raise HTTPException(429, "often") from None
        return _page(visit, 403, refused=str(error))
    except PlatformError as error:
        return _page(visit, 502, refused=str(error))
    return cookies.sign_in(visit.site, visit.request, person)


def _page(visit: Visit, status: int = 200, *, href: str = "", refused: str = "") -> Response:
    """Return a page that may be shown in a frame, and so has no personal data or buttons."""
    stranger = replace(visit, person=None, sign_in=None)
    response = stranger.page("launch.html.j2", status, href=href, refused=refused)
    response.headers["Content-Security-Policy"] = _IN_A_FRAME
    return response


def _read_browser_secret(visit: Visit) -> str:
    """Return the secret in the browser's cookie for logins; empty if there is none."""
    kept = visit.request.cookies.get(visit.site.cookie_name(_COOKIE), "")
    return kept if _SECRET.fullmatch(kept) else ""
