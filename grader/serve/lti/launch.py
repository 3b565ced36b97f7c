"""Reads from the claims of a launch who comes, with which role in the course, and where scores go."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from grader.errors import LaunchError, PlatformError
from grader.serve.lti.claims import LTI, Claims
from grader.serve.lti.platform_requests import check_url
from grader.serve.lti.platforms import CourseBinding
from grader.text import visible

SCORE: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
LINE_ITEM: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
_ENDPOINT: Final = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
_MEMBERSHIP: Final = r"http://purl\.imsglobal\.org/vocab/lis/v2/membership"
_PRINCIPAL: Final = re.compile(
    rf"{_MEMBERSHIP}#(?P<whole>[A-Za-z]+)"
    rf"|{_MEMBERSHIP}/(?P<parent>[A-Za-z]+)(?:#[A-Za-z-]+)?"
    r"|(?P<short>[A-Za-z]+)"
)
"""Matches a role in the course, as in appendix A.2.3 of LTI 1.3: ``membership#Learner``, a sub-role below its
principal (``membership/Learner#Instructor`` is a learner), and the short name that older platforms send."""
_STAFF: Final = frozenset({"Instructor", "TeachingAssistant", "Administrator", "ContentDeveloper"})
"""People with one of these roles in the course are staff."""
_STUDENT: Final = "Learner"
"""People with this role in the course are students."""
_LONGEST_NAME: Final = 120
"""A name is cut after 120 characters."""
_LONGEST_EMAIL: Final = 254
"""An e-mail address is cut after 254 characters."""
_LONGEST_ID: Final = 255
"""An id is cut after 255 characters."""


@dataclass(frozen=True, slots=True)
class Launch:
    """The data of a validated launch."""

    platform: int
    subject: str
    name: str
    email: str
    is_staff: bool
    asked: CourseBinding
    """The course at the platform, or the link if the launch names none, and the course of the service that
    the custom parameter ``course`` names; empty if there is none."""
    link: str
    """The link that was opened, by the platform's id."""
    lineitem: str
    """The URL of the line item for scores; empty if the launch names none."""
    container: str
    """The URL of all line items of the course, where that of the link may be found or made; empty if the
    platform does not allow it."""


def read_launch(claims: Claims, platform: int) -> Launch:
    """Read a launch from validated claims. Raises LaunchError."""
    context, link = _read_object(claims, f"{LTI}context"), _read_object(claims, f"{LTI}resource_link")
    endpoint = _read_object(claims, _ENDPOINT)
    if not _read_id(link):
        raise LaunchError("expected a launch from a link of a course (resource_link with an id)")
    return Launch(
        platform=platform,
        subject=claims["sub"],
        name=_read_name(claims),
        email=_one_line(claims.get("email"), _LONGEST_EMAIL),
        is_staff=_is_staff(_keep_strings(claims.get(f"{LTI}roles"))),
        asked=CourseBinding(
            _one_line(_read_object(claims, f"{LTI}custom").get("course"), _LONGEST_ID),
            platform,
            _read_id(context) or f"link {_read_id(link)}",
            _one_line(context.get("title") or link.get("title"), _LONGEST_NAME),
        ),
        link=_read_id(link),
        lineitem=_read_endpoint(endpoint, "lineitem", SCORE),
        container=_read_endpoint(endpoint, "lineitems", SCORE, LINE_ITEM),
    )


def _is_staff(roles: Iterable[str]) -> bool:
    """Tell whether a person with these roles is staff. Only roles in the course count: a teacher elsewhere
    may be a student here.

    Raises LaunchError if the person is neither staff nor a student.
    """
    here = {_course_role(role) for role in roles}
    if here & _STAFF:
        return True
    if _STUDENT in here:
        return False
    raise LaunchError(
        "expected a role in the course, Learner or Instructor: have yourself enrolled on the platform"
    )


def _course_role(role: str) -> str:
    """Return the principal of a role in the course; empty for a role in the institution or the system, or one
    that is not in the LTI vocabulary."""
    found = _PRINCIPAL.fullmatch(role)
    return found[found.lastgroup or 0] if found else ""


def _read_endpoint(endpoint: dict[str, Any], name: str, *scopes: str) -> str:
    """Return a URL of the service for grades, or nothing if the platform does not allow all of these scopes.

    Raises LaunchError.
    """
    url = endpoint.get(name)
    if not {*scopes} <= {*_keep_strings(endpoint.get("scope"))} or not isinstance(url, str):
        return ""
    try:
        return check_url(url, f"{name} of the launch")
    except PlatformError as error:
        raise LaunchError(str(error)) from None


def _read_name(claims: Claims) -> str:
    """Return the person's name or, if the platform does not send it, the e-mail address or the id."""
    parts = (_one_line(claims.get(part), _LONGEST_NAME) for part in ("given_name", "family_name"))
    name = _one_line(claims.get("name"), _LONGEST_NAME) or " ".join(filter(None, parts))
    return (
        name
        or _one_line(claims.get("email"), _LONGEST_NAME)
        or _one_line(claims["sub"], _LONGEST_NAME)
        or "?"
    )


def _read_object(claims: Claims, name: str) -> dict[str, Any]:
    value = claims.get(name)
    return value if isinstance(value, dict) else {}


def _read_id(value: dict[str, Any]) -> str:
    return _one_line(value.get("id"), _LONGEST_ID)


def _keep_strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _one_line(value: object, longest: int) -> str:
    """Return a claim of any type as a short text on one line; empty if it is not a text."""
    return visible(" ".join(value.split()), limit=longest, one_line=True) if isinstance(value, str) else ""
