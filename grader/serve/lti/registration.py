"""Registration of a platform by itself (LTI dynamic registration 1.0), and what a teacher makes of it.

Theory of operation. Whoever runs the service prints a link, which is open for an hour, and to one platform.
Its administrator gives the link to the platform, which opens it with the address of its configuration. The
service reads that, registers itself there, and keeps what came apart from the registered platforms: so no
login is begun for it, and no launch let in, until a teacher of the course has confirmed it. It may launch
that course alone, takes the place of no platform that is known, and speaks for its own host only; whatever is
asked of it, now and later, is asked of public addresses by https (platform_requests.py).
"""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from grader.errors import InputError, LaunchError, PlatformError
from grader.serve.lti import platforms
from grader.serve.lti.claims import (
    CHOOSE,
    DEEP_LINKING,
    LINE_ITEM,
    RESOURCE_LINK,
    SCORE,
    SUBMISSION_REVIEW,
    keep_strings,
    read_object,
)
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_client import MEMBERS, is_plain
from grader.serve.lti.platform_requests import PlatformAnswer, check_url, send_request
from grader.serve.lti.platforms import Registration
from grader.serve.store import courses, credentials, settings
from grader.serve.store.database import Store
from grader.text import visible

LIFE_SECONDS: Final = 3600.0
"""A link is open for 3600 seconds."""
_LONGEST: Final = 2048
"""What a platform says of itself may have at most 2048 characters a value."""
_TOOL: Final = "https://purl.imsglobal.org/spec/lti-tool-configuration"
_PLATFORM: Final = "https://purl.imsglobal.org/spec/lti-platform-configuration"
_ENDPOINTS: Final = {
    "issuer": "issuer",
    "auth_url": "authorization_endpoint",
    "token_url": "token_endpoint",
    "jwks_url": "jwks_uri",
}
_PLACEMENTS: Final = ("assignment_selection", "ContentArea")
"""Where links are chosen, in the words of Canvas and of Moodle."""
_SPEAKS_FOR: Final = {"sso.canvaslms.com": "canvas.instructure.com"}
"""Canvas has its configuration at another host than its issuer, which is the same for all of its schools."""


def open_link(store: Store, course: str, inside: Sequence[str], now: float) -> str:
    """Return a new link for a course; ``inside`` are hosts that may be at private addresses.

    Raises InputError.
    """
    platforms.check_course(store, course)
    token = credentials.new_secret()
    store.rows("delete from lti_registrations where came is null and expires <= ?", (now,))
    row = {"link_sha": credentials.digest(token), "course": course, "expires": now + LIFE_SECONDS}
    store.insert("lti_registrations", {**row, "inside": " ".join(inside)})
    return f"{settings.get(store, settings.ADDRESS)}/lti/register/{token}"


def register(lti: LaunchService, token: str, query: Mapping[str, str], now: float) -> None:
    """Register this service at the platform that opened a link, and keep what the platform says of itself.

    Raises LaunchError, or PlatformError where the platform does not do its part; the link stays open then.
    """
    is_open = "link_sha = ? and expires > ? and came is null"
    link = (credentials.digest(token), now)
    row = lti.store.row(f"select course, inside from lti_registrations where {is_open}", link)  # noqa: S608 - ours
    if row is None:
        raise LaunchError(
            "this link for a registration was used, or is older than an hour: ask for another one"
        )
    url, access = query.get("openid_configuration", ""), query.get("registration_token", "")
    if not is_plain(access):
        raise LaunchError("expected a registration token that a platform makes, got something else")
    send = partial(send_request, inside=row["inside"].split())
    headers = dict.fromkeys(("Content-Type", "Accept"), "application/json")
    headers |= {"Authorization": f"Bearer {access}"} if access else {}  # Canvas wants it for both
    said = _read(send(check_url(url, "openid_configuration", https=True), headers=headers))
    came = read_configuration(said, url)
    asked = json.dumps(_make_request(lti, row["course"], said)).encode()
    answer = _read(send(_text(said, "registration_endpoint"), data=asked, headers=headers))
    came["client_id"] = _text(answer, "client_id")
    came["deployment"] = str(read_object(answer, _TOOL).get("deployment_id") or "")[:_LONGEST]
    _check_new(lti.store, came)
    statement = f"update lti_registrations set came = ? where {is_open} returning course"  # noqa: S608 - ours
    if not lti.store.rows(statement, (json.dumps(came), *link)):
        raise LaunchError("this link for a registration was used by another platform meanwhile")


def _read(answer: PlatformAnswer) -> dict[str, Any]:
    if not answer.is_success:
        raise PlatformError(f"the platform did not register this service: {answer.refusal}")
    found = answer.json()
    if not isinstance(found, dict):
        raise PlatformError("expected a JSON object from the platform, got something else")
    return found


def read_configuration(said: Mapping[str, Any], url: str) -> dict[str, str]:
    """Return the values of a registration in a platform's configuration at a URL. Raises PlatformError."""
    came = {name: check_url(_text(said, key), key, https=True) for name, key in _ENDPOINTS.items()}
    host, speaks = (urllib.parse.urlsplit(each).hostname or "" for each in (url, came["issuer"]))
    if speaks not in (host, _SPEAKS_FOR.get(host)):
        raise PlatformError(f"expected a platform that speaks for {host}, got {visible(came['issuer'])}")
    audience = str(said.get("authorization_server"))
    return {**came, "audience": audience if "://" in audience else ""}  # Canvas names a host, and wants none


def _make_request(lti: LaunchService, course: str, platform: Mapping[str, Any]) -> dict[str, Any]:
    """Return what this service says of itself, with those of its messages that the platform supports."""
    title = courses.load_titles(lti.store)[course]
    listed = read_object(platform, _PLATFORM).get("messages_supported")
    supported = {
        str(each.get("type")): keep_strings(each.get("placements"))
        for each in (listed if isinstance(listed, list) else ())
        if isinstance(each, dict)
    }
    placements = [each for each in _PLACEMENTS if each in supported.get(DEEP_LINKING, ())]
    known: dict[str, dict[str, object]] = {
        RESOURCE_LINK: {"target_link_uri": lti.launch_url},
        DEEP_LINKING: {"target_link_uri": f"{lti.launch_url}{CHOOSE}", "placements": placements},
        SUBMISSION_REVIEW: {"target_link_uri": lti.launch_url},
    }
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": f"{lti.url}/lti/login",
        "redirect_uris": [lti.launch_url],
        "client_name": title,
        "jwks_uri": f"{lti.url}/lti/jwks",
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join((SCORE, LINE_ITEM, MEMBERS)),
        _TOOL: {
            "domain": urllib.parse.urlsplit(lti.url).netloc,
            "target_link_uri": lti.launch_url,
            "custom_parameters": {"course": course},
            "claims": ["iss", "sub", "name", "given_name", "family_name", "email"],
            "https://canvas.instructure.com/lti/privacy_level": "public",  # without it, no names come
            "messages": [
                {"type": type_, "label": title, **more}
                for type_, more in known.items()
                if type_ in supported or not supported
            ],
        },
    }


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST:
        raise PlatformError(f"expected {name} from the platform, of at most {_LONGEST} characters")
    return value


def _check_new(store: Store, came: Mapping[str, str]) -> None:
    known = {(each.issuer, each.client_id) for each in platforms.list_platforms(store)}
    if (came["issuer"], came["client_id"]) in known:
        raise LaunchError("this platform is registered here, under the same client id: nothing was changed")


def list_pending(store: Store, course: str) -> list[dict[str, str]]:
    """Return what the platforms said of themselves that registered for a course, and wait for a teacher."""
    statement = "select link_sha, came from lti_registrations where course = ? and came is not null"
    return [{**json.loads(row["came"]), "id": row["link_sha"]} for row in store.rows(statement, (course,))]


def settle(store: Store, course: str, pending: str, *, deployment: str = "", confirms: bool) -> str:
    """Register a platform that waits, or drop it; return its issuer. Raises InputError or LaunchError."""
    with store.transaction():
        row = store.row(
            "delete from lti_registrations where link_sha = ? and course = ? and came is not null "
            "returning inside, came",
            (pending, course),
        )
        if row is None:
            raise InputError("expected a platform that waits to be confirmed: another teacher was faster")
        came: dict[str, str] = json.loads(row["came"])
        named = came.pop("deployment") or deployment.strip()
        if confirms:
            _check_new(store, came)
            new = {**came, "deployments": frozenset({named} - {""}), "inside": row["inside"]}
            platforms.add(store, Registration(**new, course=course))
    return came["issuer"]
