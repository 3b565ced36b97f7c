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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from grader.errors import InputError, LaunchError, PlatformError
from grader.serve.lti import platforms
from grader.serve.lti.claims import CHOOSE, DEEP_LINKING, LINE_ITEM, RESOURCE_LINK, SCORE, SUBMISSION_REVIEW
from grader.serve.lti.platform_client import MEMBERS, is_plain
from grader.serve.lti.platform_requests import PlatformAnswer, check_url, send_request
from grader.serve.lti.platforms import Registration
from grader.serve.store import courses, credentials, settings
from grader.serve.store.database import Store
from grader.text import visible

LIFE_SECONDS: Final = 3600.0
"""A link is open for 3600 seconds."""
_LONGEST: Final = 255
"""An issuer, a client id and a deployment id may have at most 255 characters."""
_LONGEST_URL: Final = 2048
"""An address may have at most 2048 characters."""
_LONGEST_TOKEN: Final = 8192
"""A platform's token for the registration may have at most 8192 characters."""
_TOOL: Final = "https://purl.imsglobal.org/spec/lti-tool-configuration"
_PLATFORM: Final = "https://purl.imsglobal.org/spec/lti-platform-configuration"
_ENDPOINTS: Final = {
    "auth_url": "authorization_endpoint",
    "token_url": "token_endpoint",
    "jwks_url": "jwks_uri",
    "registration": "registration_endpoint",
}
_PLACEMENTS: Final = ("assignment_selection", "ContentArea")
"""Where links are chosen, in the words of Canvas and of Moodle."""
_SPEAKS_FOR: Final = {
    f"sso.{part}canvaslms.com": f"canvas.{part}instructure.com" for part in ("", "beta.", "test.")
}
"""Canvas has its configuration at another host than its issuer, which is the same for all of its schools."""


def open_link(store: Store, course: str, inside: Sequence[str], now: float) -> str:
    """Return a new link for a course; ``inside`` are hosts that may be at private addresses.

    Raises InputError.
    """
    if course not in (known := courses.load_titles(store)):
        raise InputError(
            f"expected a course that is served here ({', '.join(known) or 'none yet'}), got {course}"
        )
    token = credentials.new_secret()
    store.rows("delete from lti_registrations where came is null and expires <= ?", (now,))
    row = {"link_sha": credentials.digest(token), "course": course, "expires": now + LIFE_SECONDS}
    store.insert("lti_registrations", {**row, "inside": json.dumps([*inside])})
    return f"{settings.get(store, settings.ADDRESS)}/lti/register/{token}"


def find_open(store: Store, token: str, now: float) -> tuple[str, tuple[str, ...]] | None:
    """Return the course of a link, and the hosts inside; None if it is void, has ended, or was used."""
    statement = (
        "select course, inside from lti_registrations where link_sha = ? and expires > ? and came is null"
    )
    row = store.row(statement, (credentials.digest(token), now))
    return None if row is None else (row["course"], tuple(json.loads(row["inside"])))


@dataclass(frozen=True, slots=True)
class ToolAddresses:
    """The addresses of this service for platforms."""

    url: str
    login: str
    launch: str
    jwks: str


def register(
    store: Store,
    token: str,
    query: Mapping[str, str],
    tool: ToolAddresses,
    now: float,
    *,
    send: Callable[..., PlatformAnswer] = send_request,
) -> None:
    """Register this service at the platform that opened a link, and keep what the platform says of itself.

    Raises LaunchError, or PlatformError where the platform does not do its part; the link stays open then.
    """
    found = find_open(store, token, now)
    if found is None:
        raise LaunchError(
            "this link for a registration was used, or is older than an hour: ask for another one"
        )
    course, inside = found
    url, access = query.get("openid_configuration", ""), query.get("registration_token", "")
    if not is_plain(access) or len(access) > _LONGEST_TOKEN:
        raise LaunchError("expected a registration token that a platform makes, got something else")
    platform = read_configuration(
        _ask(send(check_url(url, "openid_configuration", https=True), inside=inside)), url
    )
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    asked = make_request(tool, course, courses.load_titles(store)[course], platform["messages"])
    answer = send(
        platform["registration"],
        data=json.dumps(asked).encode(),
        headers={**headers, **({"Authorization": f"Bearer {access}"} if access else {})},
        inside=inside,
    )
    came = {key: platform[key] for key in ("issuer", "auth_url", "token_url", "jwks_url", "audience")}
    came |= _read_answer(_ask(answer))
    _check_new(store, came)
    used = store.rows(
        "update lti_registrations set came = ? where link_sha = ? and came is null returning course",
        (json.dumps(came), credentials.digest(token)),
    )
    if not used:
        raise LaunchError("this link for a registration was used by another platform meanwhile")


def _ask(answer: PlatformAnswer) -> dict[str, Any]:
    if not answer.is_success:
        raise PlatformError(f"the platform did not register this service: {answer.refusal}")
    found = answer.json()
    if not isinstance(found, dict):
        raise PlatformError("expected a JSON object from the platform, got something else")
    return found


def read_configuration(said: Mapping[str, Any], url: str) -> dict[str, Any]:
    """Return the issuer, the addresses, the audience and the messages of a platform's configuration.

    Raises PlatformError.
    """
    issuer = _text(said, "issuer")
    ours, theirs = (
        urllib.parse.urlsplit(each).hostname or "" for each in (url, check_url(issuer, "issuer", https=True))
    )
    if theirs not in (ours, _SPEAKS_FOR.get(ours)):
        raise PlatformError(f"expected a platform that speaks for {ours}, got the issuer {visible(issuer)}")
    found: dict[str, Any] = {
        name: check_url(_text(said, key, _LONGEST_URL), key, https=True) for name, key in _ENDPOINTS.items()
    }
    configured = said.get(_PLATFORM)
    listed = configured.get("messages_supported") if isinstance(configured, dict) else None
    messages = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    audience = said.get("authorization_server")
    return {
        **found,
        "issuer": issuer,
        "audience": audience[:_LONGEST] if isinstance(audience, str) else "",
        "messages": {
            str(each.get("type")): each["placements"] if isinstance(each.get("placements"), list) else []
            for each in messages
        },
    }


def make_request(
    tool: ToolAddresses, course: str, title: str, supported: Mapping[str, Sequence[object]]
) -> dict[str, Any]:
    """Return what this service says of itself, with those of its messages that the platform supports."""
    targets = {
        RESOURCE_LINK: tool.launch,
        DEEP_LINKING: f"{tool.launch}{CHOOSE}",
        SUBMISSION_REVIEW: tool.launch,
    }
    messages = []
    for type_, target in targets.items():
        if type_ in supported or not supported:
            placements = [each for each in _PLACEMENTS if each in supported.get(type_, ())]
            more = {"placements": placements} if placements else {}
            messages.append({"type": type_, "target_link_uri": target, "label": title, **more})
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": tool.login,
        "redirect_uris": [tool.launch],
        "client_name": title,
        "jwks_uri": tool.jwks,
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join((SCORE, LINE_ITEM, MEMBERS)),
        _TOOL: {
            "domain": urllib.parse.urlsplit(tool.url).netloc,
            "target_link_uri": tool.launch,
            "custom_parameters": {"course": course},
            "claims": ["iss", "sub", "name", "given_name", "family_name", "email"],
            "messages": messages,
        },
    }


def _read_answer(said: Mapping[str, Any]) -> dict[str, str]:
    configured = said.get(_TOOL)
    deployment = configured.get("deployment_id") if isinstance(configured, dict) else None
    return {
        "client_id": _text(said, "client_id"),
        "deployment": deployment[:_LONGEST] if isinstance(deployment, str) else "",
    }


def _text(said: Mapping[str, Any], name: str, longest: int = _LONGEST) -> str:
    value = said.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise PlatformError(f"expected {name} from the platform, of at most {longest} characters")
    return value


def _check_new(store: Store, came: Mapping[str, str]) -> None:
    for known in platforms.list_platforms(store):
        if (known.issuer, known.client_id) == (came["issuer"], came["client_id"]):
            raise LaunchError(
                "this platform is registered here, under the same client id: nothing was changed"
            )


@dataclass(frozen=True, slots=True)
class PendingPlatform:
    """What a platform said of itself, for a teacher to confirm."""

    id: str
    issuer: str
    client_id: str
    deployment: str
    """Empty if the platform named none: the teacher does then."""
    hosts: tuple[str, ...]
    """Where people sign in, and where keys and tokens come from."""


def list_pending(store: Store, course: str) -> list[PendingPlatform]:
    """Return the platforms that registered themselves for a course, and wait for a teacher."""
    rows = store.rows(
        "select link_sha, came from lti_registrations where course = ? and came is not null", (course,)
    )
    found = []
    for row in rows:
        came = json.loads(row["came"])
        hosts = {urllib.parse.urlsplit(came[name]).netloc for name in ("auth_url", "token_url", "jwks_url")}
        issuer, client_id, deployment = (came[name] for name in ("issuer", "client_id", "deployment"))
        found.append(PendingPlatform(row["link_sha"], issuer, client_id, deployment, tuple(sorted(hosts))))
    return found


def settle(store: Store, course: str, pending: str, *, deployment: str = "", confirms: bool) -> str:
    """Register a platform that waits, or drop it; return its issuer. Raises InputError."""
    with store.transaction():
        row = store.row(
            "select inside, came from lti_registrations "
            "where link_sha = ? and course = ? and came is not null",
            (pending, course),
        )
        if row is None:
            raise InputError("expected a platform that waits to be confirmed: another teacher was faster")
        came = json.loads(row["came"])
        issuer, deployment = came["issuer"], came.pop("deployment") or deployment.strip()
        if confirms:
            inside = tuple(json.loads(row["inside"]))
            new = Registration(
                **came, deployments=frozenset({deployment} - {""}), course=course, inside=inside
            )
            _check_new(store, came)
            platforms.add(store, new)
        store.rows("delete from lti_registrations where link_sha = ?", (pending,))
    return str(issuer)
