"""Who comes with a launch: name, role in the course, and where scores go."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from grader.errors import LaunchError, PlatformError
from grader.serve.lti.claims import LTI, Claims
from grader.serve.lti.outward import check_address
from grader.text import visible

SCORE: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
_ENDPOINT: Final = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
_MEMBERSHIP: Final = r"http://purl\.imsglobal\.org/vocab/lis/v2/membership"
_PRINCIPAL: Final = re.compile(
    rf"{_MEMBERSHIP}#(?P<whole>[A-Za-z]+)"
    rf"|{_MEMBERSHIP}/(?P<parent>[A-Za-z]+)(?:#[A-Za-z-]+)?"
    r"|(?P<short>[A-Za-z]+)"
)
"""A role in the course, as appendix A.2.3 of LTI 1.3 has it: ``membership#Learner``, a sub-role below its
principal (``membership/Learner#Instructor`` is a learner), and the short name that older platforms send."""
_STAFF: Final = frozenset({"Instructor", "TeachingAssistant", "Administrator", "ContentDeveloper"})
_STUDENT: Final = "Learner"
_LONGEST_NAME: Final = 120
_LONGEST_EMAIL: Final = 254
_LONGEST_ID: Final = 255


@dataclass(frozen=True, slots=True)
class Launch:
    """A launch that was validated."""

    platform: int
    subject: str
    name: str
    email: str
    is_staff: bool
    context: str
    """The course at the platform; where it tells none, the link."""
    context_title: str
    wanted: str
    """The course of ours that the custom parameter ``course`` names, or nothing."""
    lineitem: str
    """Where scores go, or nothing."""


def launched(claims: Claims, platform: int) -> Launch:
    """Read a launch from claims that were checked. Raises LaunchError."""
    context, link = _object(claims, f"{LTI}context"), _object(claims, f"{LTI}resource_link")
    if not _id(link):
        raise LaunchError("expected a launch from a link of a course (resource_link with an id)")
    return Launch(
        platform=platform,
        subject=claims["sub"],
        name=_name(claims),
        email=_line(claims.get("email"), _LONGEST_EMAIL),
        is_staff=_is_staff(_strings(claims.get(f"{LTI}roles"))),
        context=_id(context) or f"link {_id(link)}",
        context_title=_line(context.get("title") or link.get("title"), _LONGEST_NAME),
        wanted=_line(_object(claims, f"{LTI}custom").get("course"), _LONGEST_ID),
        lineitem=_lineitem(_object(claims, _ENDPOINT)),
    )


def _is_staff(roles: Iterable[str]) -> bool:
    """Whether one teaches here. Only roles in the course count: whoever teaches elsewhere may learn here.

    Raises LaunchError where somebody does neither.
    """
    here = {_in_the_course(role) for role in roles}
    if here & _STAFF:
        return True
    if _STUDENT in here:
        return False
    raise LaunchError(
        "expected a role in the course, Learner or Instructor: have yourself enrolled on the platform"
    )


def _in_the_course(role: str) -> str:
    """The principal of a role in the course; nothing for one in the institution, the system, or of no
    vocabulary of LTI."""
    found = _PRINCIPAL.fullmatch(role)
    return found[found.lastgroup or 0] if found else ""


def _lineitem(endpoint: dict[str, Any]) -> str:
    """Where scores go, where the platform takes any."""
    url = endpoint.get("lineitem")
    if SCORE not in _strings(endpoint.get("scope")) or not isinstance(url, str):
        return ""
    try:
        return check_address(url, "the line item of the launch")
    except PlatformError as error:
        raise LaunchError(str(error)) from None


def _name(claims: Claims) -> str:
    """The name; where a platform keeps it to itself, whatever else tells people apart."""
    parts = (_line(claims.get(part), _LONGEST_NAME) for part in ("given_name", "family_name"))
    name = _line(claims.get("name"), _LONGEST_NAME) or " ".join(filter(None, parts))
    return name or _line(claims.get("email"), _LONGEST_NAME) or _line(claims["sub"], _LONGEST_NAME) or "?"


def _object(claims: Claims, name: str) -> dict[str, Any]:
    value = claims.get(name)
    return value if isinstance(value, dict) else {}


def _id(value: dict[str, Any]) -> str:
    return _line(value.get("id"), _LONGEST_ID)


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _line(value: object, longest: int) -> str:
    """A short text in one line, of what may be anything."""
    return visible(" ".join(value.split()), limit=longest, one_line=True) if isinstance(value, str) else ""
