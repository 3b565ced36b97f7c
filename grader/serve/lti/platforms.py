"""The registered learning platforms, and which of their courses may launch which of ours.

Teachers at a platform set the custom parameter themselves, and are launched as staff; so the parameter alone
must not give them access to somebody else's course. The first course of a platform that launches a course of
the service is bound to it; further ones are allowed only by a command of the administrator.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Final

from grader.errors import InputError, LaunchError, PlatformError
from grader.serve.lti.platform_requests import PlatformAnswer, check_url
from grader.serve.store import courses
from grader.serve.store.database import Store

_COLUMNS: Final = (
    "id, issuer, client_id, deployments, auth_url, token_url, jwks_url, audience, course, inside"
)


@dataclass(frozen=True, slots=True)
class Registration:
    """The data that a platform shows when a tool is registered there."""

    issuer: str
    client_id: str
    deployments: frozenset[str]
    auth_url: str
    token_url: str
    jwks_url: str
    audience: str = field(default="", kw_only=True)
    """What a request for a token names as its audience; the token URL if it is empty."""
    course: str | None = field(default=None, kw_only=True)
    """The course that it may launch, if it registered itself; None for all."""
    inside: str | None = field(default=None, kw_only=True)
    """Its hosts that may be at private addresses, with spaces between, if it registered itself; None for
    all."""

    def __post_init__(self) -> None:
        """Raise InputError if something is missing, or if an address may not be requested."""
        for value, what in ((self.issuer, "an issuer"), (self.client_id, "a client id")):
            if not value.strip():
                raise InputError(f"expected {what}, got nothing: copy it from the platform")
        if not self.deployments or not all(self.deployments):
            raise InputError(
                "expected a deployment id, got none: the platform shows it where the tool is deployed"
            )
        urls = {"--auth-url": self.auth_url, "--token-url": self.token_url, "--jwks-url": self.jwks_url}
        try:
            for option, url in urls.items():
                check_url(url, option, https=self.inside is not None)
        except PlatformError as error:
            raise InputError(str(error)) from None


@dataclass(frozen=True, slots=True)
class RegisteredPlatform(Registration):
    """A registered platform, with its number."""

    id: int

    def bound(self, send: Callable[..., PlatformAnswer]) -> Callable[..., PlatformAnswer]:
        """Return a function that sends requests, bound to where they may go for this platform."""
        return send if self.inside is None else partial(send, inside=self.inside.split())


def add(store: Store, new: Registration) -> RegisteredPlatform:
    """Register a platform; if it is known, update its addresses and add the deployments."""
    with store.transaction():
        known = _select(store, "issuer = ? and client_id = ?", (new.issuer, new.client_id))
        deployments = new.deployments.union(*(platform.deployments for platform in known))
        row = {**asdict(new), "deployments": json.dumps(sorted(deployments))}
        store.put("lti_platforms", {key: row.pop(key) for key in ("issuer", "client_id")}, row)
        return _select(store, "issuer = ? and client_id = ?", (new.issuer, new.client_id))[0]


def list_platforms(store: Store) -> list[RegisteredPlatform]:
    """Return all platforms, the oldest first."""
    return _select(store, "1", ())


def get(store: Store, number: int) -> RegisteredPlatform:
    """Return a platform by its number. Raises InputError if there is none."""
    found = _select(store, "id = ?", (number,))
    if not found:
        raise InputError(f"expected the number of a platform, got {number}: see grader serve platform list")
    return found[0]


def remove(store: Store, number: int) -> RegisteredPlatform:
    """Remove a platform and return it; its users stay, but their scores are no longer sent."""
    with store.transaction():
        gone = get(store, number)
        store.rows("delete from lti_platforms where id = ?", (number,))
    return gone


def find_launching_platform(store: Store, issuer: str, client_id: str) -> RegisteredPlatform:
    """Return the platform that starts a login; without a client id, it must be the only one of its issuer.

    Raises LaunchError if it is not registered.
    """
    found = _select(store, "issuer = ?", (issuer,))
    if client_id:
        found = [platform for platform in found if platform.client_id == client_id]
    if len(found) == 1:
        return found[0]
    raise LaunchError(
        f"expected a platform that is registered here, got issuer {issuer[:200]!r}, "
        f"client id {client_id[:200]!r}: whoever runs this service registers it "
        "with grader serve platform add"
    )


def _select(store: Store, condition: str, values: tuple[object, ...]) -> list[RegisteredPlatform]:
    statement = f"select {_COLUMNS} from lti_platforms where {condition} order by id"  # noqa: S608 - our own
    return [
        RegisteredPlatform(**{**dict(row), "deployments": frozenset(json.loads(row["deployments"]))})
        for row in store.rows(statement, values)
    ]


@dataclass(frozen=True, slots=True)
class CourseBinding:
    """The permission of a course of a platform to launch a course of the service."""

    course: str
    platform: int
    context: str
    title: str


def find_course(store: Store, asked: CourseBinding, served: Collection[str]) -> str:
    """Return the id of the course that is launched; bind it if nobody has launched it yet.

    A launch that names no course asks for one with an empty id. A platform that registered itself launches
    the course that it did so for.

    Raises LaunchError if the launch names no served course, or one that is bound to another course.
    """
    with store.transaction():
        served = _served_to(store, asked.platform, served)
        place = asked.platform, asked.context
        mine = [bound.course for bound in list_bindings(store) if (bound.platform, bound.context) == place]
        course = asked.course or _only_candidate([course for course in mine if course in served], served)
        if course not in served:
            raise LaunchError(
                f"expected the custom parameter course to be one of {', '.join(served)}, got {course[:80]!r}"
            )
        if course in mine:
            return course
        bound = replace(asked, course=course)
        _check_free(store, bound)
        bind(store, bound)
        return course


def _served_to(store: Store, platform: int, served: Collection[str]) -> Collection[str]:
    only = get(store, platform).course
    return served if only is None else [course for course in served if course == only]


def bind(store: Store, new: CourseBinding) -> None:
    """Let a course of a platform launch a course of the service."""
    store.insert("lti_contexts", asdict(new), "on conflict do nothing")


def allow_course(store: Store, new: CourseBinding) -> None:
    """Add a binding for the administrator. Raises InputError if the service has no such course."""
    check_course(store, new.course)
    bind(store, new)


def check_course(store: Store, course: str) -> None:
    """Raise InputError if the service has no such course."""
    if course not in (known := courses.load_titles(store)):
        raise InputError(
            f"expected a course that is served here ({', '.join(known) or 'none yet'}), got {course}"
        )


def list_bindings(store: Store) -> list[CourseBinding]:
    """Return all bindings, sorted by course, platform and context."""
    statement = "select course, platform, context, title from lti_contexts order by course, platform, context"
    return store.records(CourseBinding, statement)


def put_members(store: Store, bound: CourseBinding, url: str) -> None:
    """Record the URL at which a platform lists the members of its course."""
    values = {"url": url, **asdict(bound)}
    store.rows(
        "update lti_contexts set members = :url where platform = :platform and context = :context "
        "and course = :course and members != :url",
        values,
    )


def list_members_urls(store: Store, course: str) -> list[tuple[RegisteredPlatform, str]]:
    """Return the platforms that list the members of a course, each with the URL for it."""
    statement = "select platform, members from lti_contexts where course = ? and members != ''"
    return [(get(store, platform), url) for platform, url in store.rows(statement, (course,))]


def list_open_courses(store: Store, asked: CourseBinding, served: Collection[str]) -> list[str]:
    """Return the served courses that a course of a platform launches, or would be the first to launch.

    Raises LaunchError if there is none.
    """
    served = _served_to(store, asked.platform, served)
    bound = [each for each in list_bindings(store) if each.course in served]
    taken = {each.course for each in bound}
    mine = {each.course for each in bound if (each.platform, each.context) == (asked.platform, asked.context)}
    found = [course for course in served if course in mine or course not in taken]
    if not found:
        _check_free(store, replace(asked, course=next(iter(served), "")))
    return found


def _only_candidate(mine: Collection[str], served: Collection[str]) -> str:
    """Return the course that a launch without a custom parameter must mean. Raises LaunchError."""
    for candidates in (mine, served):
        if len(candidates) == 1:
            return next(iter(candidates))
    raise LaunchError(
        "expected the launch to say which course is meant: "
        f"set the custom parameter course to one of {', '.join(mine or served)}"
    )


def _check_free(store: Store, new: CourseBinding) -> None:
    others = [bound for bound in list_bindings(store) if bound.course == new.course]
    if others:
        raise LaunchError(
            f"the course {new.course} is launched from another course of the platform "
            f"({others[0].title or others[0].context}): whoever runs this service lets this one in, too, "
            f"by {_allow_command(new)}"
        )


def _allow_command(new: CourseBinding) -> str:
    return shlex.join(["grader", "serve", "platform", "allow", str(new.platform), new.context, new.course])
