"""Validates launches: the claims of an id_token.

Nothing in a token is trusted before its signature is verified with a key that the platform of this login
publishes; the service chooses the algorithm, not the token. Anything that does not conform to LTI 1.3 is
rejected, with a message that says what was expected, for the person who sets up the platform. What is valid
says who comes, with which role in the course, and where scores go.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey

from grader.errors import LaunchError, PlatformError
from grader.serve.lti.keys import ALGORITHM
from grader.serve.lti.platform_requests import check_url
from grader.serve.lti.platforms import CourseBinding, RegisteredPlatform
from grader.serve.store import credentials
from grader.serve.store.people import Rank
from grader.text import visible

LTI: Final = "https://purl.imsglobal.org/spec/lti/claim/"
LEEWAY_SECONDS: Final = 30.0
"""The clocks of the platform and of this machine may differ by up to 30 seconds."""
OLDEST_SECONDS: Final = 600.0
"""A token is valid for at most 600 seconds after it was issued."""
LARGEST_TOKEN: Final = 32 * 1024
"""A token may have at most 32 KiB."""
_END_OF_TIME: Final = 1e11
"""A time in seconds since the epoch must be below this number, far in the future."""
RESOURCE_LINK: Final = "LtiResourceLinkRequest"
"""Somebody opens a link of a course."""
DEEP_LINKING: Final = "LtiDeepLinkingRequest"
"""A teacher chooses what a link of the platform is to lead to."""
SUBMISSION_REVIEW: Final = "LtiSubmissionReviewRequest"
"""Somebody opens, from the gradebook, what one student handed in."""
_MESSAGES: Final = (RESOURCE_LINK, DEEP_LINKING, SUBMISSION_REVIEW)
"""The types of LTI messages that the service accepts."""
CHOOSE: Final = "/choose"
"""Added to the launch URL, this is the target of deep linking."""
_SETTINGS: Final = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
SCORE: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
LINE_ITEM: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
_ENDPOINT: Final = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
_NAMES: Final = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
_MEMBERSHIP: Final = r"http://purl\.imsglobal\.org/vocab/lis/v2/membership"
_ROLE: Final = re.compile(
    rf"(?:{_MEMBERSHIP}#)?(?P<principal>[A-Za-z]+)"
    rf"|{_MEMBERSHIP}/(?P<parent>[A-Za-z]+)(?:#(?P<sub>[A-Za-z-]+))?"
)
"""Matches a role in the course, as in appendix A.2.3 of LTI 1.3: ``membership#Learner``, a sub-role below its
principal (``membership/Learner#Instructor`` is a learner), and the short name that older platforms send."""
_ASSISTANT: Final = "TeachingAssistant"
"""Staff with this role, or a sub-role that begins so, are assistants, whatever else they are."""
_STAFF: Final = frozenset({"Instructor", _ASSISTANT, "Administrator", "ContentDeveloper"})
"""People with one of these roles in the course are staff."""
_STUDENT: Final = "Learner"
"""People with this role in the course are students."""
_LONGEST_NAME: Final = 120
"""A name is cut after 120 characters."""
_LONGEST_EMAIL: Final = 254
"""An e-mail address is cut after 254 characters."""
_LONGEST_ID: Final = 255
"""An id is cut after 255 characters, which those of users may have at most, as OpenID Connect defines it."""

Claims = Mapping[str, Any]
"""The claims of a token, by name."""


def read_key_id(token: str) -> str:
    """Return the id of the key that a token claims to be signed with. Raises LaunchError."""
    if len(token) > LARGEST_TOKEN:
        raise LaunchError(f"expected an id_token of at most {LARGEST_TOKEN // 1024} KiB, got a longer one")
    try:
        head = token.split(".", 1)[0]
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
        algorithm, kid = header["alg"], header["kid"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise LaunchError("expected an id_token whose header names alg and kid") from None
    if algorithm != ALGORITHM or not isinstance(kid, str):
        raise LaunchError(f"expected an id_token signed with {ALGORITHM}, got {str(algorithm)[:40]!r}")
    return kid


def verify_signature(token: str, key: RSAKey) -> Claims:
    """Return the claims of a token that is signed with this key. Raises LaunchError if it is not."""
    try:
        return jwt.decode(token, key, algorithms=[ALGORITHM]).claims
    except (JoseError, ValueError, RecursionError) as error:
        raise LaunchError(
            f"the signature of the launch is not the platform's ({type(error).__name__})"
        ) from None


def check_claims(
    claims: Claims, platform: RegisteredPlatform, *, nonce_sha: str, launch_url: str, now: float
) -> None:
    """Check that the claims are for this service, this login and this time. Raises LaunchError."""
    _expect("iss", claims.get("iss"), platform.issuer)
    audience = claims.get("aud")
    all_of_them = audience if isinstance(audience, list) else [audience]
    if platform.client_id not in all_of_them:
        raise LaunchError(
            f"expected aud of the launch to be {platform.client_id!r}, got {_format_value(audience)}"
        )
    party = claims.get("azp", platform.client_id if len(all_of_them) == 1 else None)
    _expect("azp", party, platform.client_id)
    expires, issued = _read_time(claims, "exp"), _read_time(claims, "iat")
    begins = _read_time(claims, "nbf") if "nbf" in claims else issued
    if expires <= now - LEEWAY_SECONDS or issued <= now - OLDEST_SECONDS:
        raise LaunchError("the launch has expired: open the link on your learning platform again")
    if max(issued, begins) > now + LEEWAY_SECONDS:
        raise LaunchError(
            "the launch is of the future: the clocks of the platform and of this service differ"
        )
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or credentials.digest(nonce) != nonce_sha:
        raise LaunchError("the nonce of the launch is not that of the login it answers")
    deployment = claims.get(f"{LTI}deployment_id")
    if not isinstance(deployment, str) or deployment not in platform.deployments:
        raise LaunchError(
            f"expected a deployment that is registered here, got {_format_value(deployment)}: "
            "whoever runs this service adds it with grader serve platform add"
        )
    _check_message(claims, launch_url)
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_ID:
        raise LaunchError("expected a launch that says who comes (sub): anonymous launches are not let in")


def _check_message(claims: Claims, launch_url: str) -> None:
    """Check the type of the message, its version, and the address to which it is to lead."""
    message, target = claims.get(f"{LTI}message_type"), claims.get(f"{LTI}target_link_uri")
    if message not in _MESSAGES:
        raise LaunchError(
            f"expected message_type of the launch to be one of {', '.join(_MESSAGES)}, "
            f"got {_format_value(message)}"
        )
    _expect("version", claims.get(f"{LTI}version"), "1.3.0")
    if message != DEEP_LINKING or target != f"{launch_url}{CHOOSE}":
        _expect("target_link_uri", target, launch_url)


def _expect(claim: str, got: object, wanted: str) -> None:
    if got != wanted:
        raise LaunchError(f"expected {claim} of the launch to be {wanted!r}, got {_format_value(got)}")


def _format_value(value: object) -> str:
    return repr(value)[:200]


def _read_time(claims: Claims, name: str) -> float:
    value = claims.get(name)
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) < _END_OF_TIME:
        raise LaunchError(
            f"expected {name} of the launch to be a number of seconds, got {_format_value(value)}"
        )
    return float(value)


@dataclass(frozen=True, slots=True)
class Launch:
    """The data of a validated launch."""

    platform: int
    subject: str
    name: str
    email: str
    rank: Rank | None
    """Of staff; None for a student."""
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
    members: str
    """The URL at which the platform lists the members of the course; empty if it does not."""
    reviewed: str
    """The platform's id of the student whose work is to be shown; empty if it is not a submission review."""

    @property
    def is_staff(self) -> bool:
        """Tell whether the person is staff of the course."""
        return self.rank is not None


def read_launch(claims: Claims, platform: int) -> Launch:
    """Read a launch, or a submission review, from validated claims. Raises LaunchError."""
    endpoint, link = read_object(claims, _ENDPOINT), _read_id(read_object(claims, f"{LTI}resource_link"))
    names = read_object(claims, _NAMES)
    reviewed, is_review = "", claims[f"{LTI}message_type"] == SUBMISSION_REVIEW
    if is_review:
        reviewed = _one_line(read_object(claims, f"{LTI}for_user").get("user_id"), _LONGEST_ID)
        if not reviewed:
            raise LaunchError("expected a submission review that says of whom (for_user with a user_id)")
    elif not link:
        raise LaunchError("expected a launch from a link of a course (resource_link with an id)")
    return Launch(
        platform=platform,
        subject=claims["sub"],
        name=read_name(claims, claims["sub"]),
        email=_one_line(claims.get("email"), _LONGEST_EMAIL),
        rank=_read_rank(keep_strings(claims.get(f"{LTI}roles"))),
        asked=_read_course(claims, platform),
        link=link,
        lineitem=_read_endpoint(endpoint, "lineitem", SCORE),
        container=_read_endpoint(endpoint, "lineitems", SCORE, LINE_ITEM),
        members=_read_url(names, "context_memberships_url") if names else "",
        reviewed=reviewed,
    )


def read_name(said: Claims, subject: str) -> str:
    """Return the name of a person as the platform gives it, or what else it says of them."""
    parts = (_one_line(said.get(part), _LONGEST_NAME) for part in ("given_name", "family_name"))
    name = _one_line(said.get("name"), _LONGEST_NAME) or " ".join(filter(None, parts))
    others = (_one_line(other, _LONGEST_NAME) for other in (said.get("email"), subject))
    return name or next(filter(None, others), "?")


def _read_course(claims: Claims, platform: int) -> CourseBinding:
    """Read the course at the platform, or else the link, with the course of the service that it asks for."""
    context, link = read_object(claims, f"{LTI}context"), read_object(claims, f"{LTI}resource_link")
    return CourseBinding(
        _one_line(read_object(claims, f"{LTI}custom").get("course"), _LONGEST_ID),
        platform,
        _read_id(context) or f"link {_read_id(link)}",
        _one_line(context.get("title") or link.get("title"), _LONGEST_NAME),
    )


@dataclass(frozen=True, slots=True)
class DeepLinkingRequest:
    """The data of a validated message that asks which course a link is to lead to."""

    deployment: str
    asked: CourseBinding
    return_url: str
    """The URL at the platform to which the browser takes the choice."""
    data: str | None
    """What the platform wants to have back with the choice."""


def read_deep_linking(claims: Claims, platform: int) -> DeepLinkingRequest:
    """Read a deep linking request of a member of staff from validated claims. Raises LaunchError."""
    settings = read_object(claims, _SETTINGS)
    if _read_rank(keep_strings(claims.get(f"{LTI}roles"))) is None:
        raise LaunchError("expected a teacher to choose what a link leads to, got a student")
    if "ltiResourceLink" not in keep_strings(settings.get("accept_types")):
        raise LaunchError("expected deep linking that takes links to this service (ltiResourceLink)")
    return DeepLinkingRequest(
        deployment=claims[f"{LTI}deployment_id"],
        asked=_read_course(claims, platform),
        return_url=_read_url(settings, "deep_link_return_url"),
        data=settings["data"] if isinstance(settings.get("data"), str) else None,
    )


@dataclass(frozen=True, slots=True)
class CourseMember:
    """A student in a platform's list of members."""

    subject: str
    name: str
    email: str


def read_member(said: Claims) -> CourseMember | None:
    """Read an entry of a platform's list of members; None if it is no student who takes part now."""
    subject = _one_line(said.get("user_id"), _LONGEST_ID)
    try:
        is_student = _read_rank(keep_strings(said.get("roles"))) is None
    except LaunchError:
        is_student = False
    if not (is_student and subject and said.get("status", "Active") == "Active"):
        return None
    return CourseMember(subject, read_name(said, subject), _one_line(said.get("email"), _LONGEST_EMAIL))


def _read_rank(roles: Iterable[str]) -> Rank | None:
    """Return the rank of staff with these roles; None for a student. Only roles in the course count: a
    teacher elsewhere may be a student here.

    Raises LaunchError if the person is neither staff nor a student.
    """
    found = [match for role in roles if (match := _ROLE.fullmatch(role))]
    here = [(match["principal"] or match["parent"], match["sub"] or "") for match in found]
    staff = [(principal, sub) for principal, sub in here if principal in _STAFF]
    if staff:
        helps = any(principal == _ASSISTANT or sub.startswith(_ASSISTANT) for principal, sub in staff)
        return "assistant" if helps else "teacher"
    if _STUDENT in (principal for principal, _ in here):
        return None
    raise LaunchError(
        "expected a role in the course, Learner or Instructor: have yourself enrolled on the platform"
    )


def _read_endpoint(endpoint: dict[str, Any], name: str, *scopes: str) -> str:
    """Return a URL of the service for grades, or nothing if the platform does not allow all of these scopes.

    Raises LaunchError.
    """
    if not {*scopes} <= {*keep_strings(endpoint.get("scope"))} or not isinstance(endpoint.get(name), str):
        return ""
    return _read_url(endpoint, name)


def _read_url(said: dict[str, Any], name: str) -> str:
    """Return a URL that may be requested. Raises LaunchError."""
    try:
        return check_url(str(said.get(name)), f"{name} of the launch")
    except PlatformError as error:
        raise LaunchError(str(error)) from None


def read_object(claims: Claims, name: str) -> dict[str, Any]:
    """Return a claim that is to be an object; an empty one if it is none."""
    value = claims.get(name)
    return value if isinstance(value, dict) else {}


def _read_id(value: dict[str, Any]) -> str:
    return _one_line(value.get("id"), _LONGEST_ID)


def keep_strings(value: object) -> list[str]:
    """Return the texts in a claim that is to be a list of texts."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _one_line(value: object, longest: int) -> str:
    """Return a claim of any type as a short text on one line; empty if it is not a text."""
    return visible(" ".join(value.split()), limit=longest, one_line=True) if isinstance(value, str) else ""
