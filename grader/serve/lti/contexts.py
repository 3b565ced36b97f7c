"""Which course of ours a launch is for.

A teacher at a platform writes the custom parameter himself, and comes as staff; so the parameter alone must
not open a course to him that is somebody else's. The first course of a platform that launches one of ours
gets it, and others only by the command of whoever runs the service.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection
from dataclasses import dataclass

from grader.errors import InputError, LaunchError
from grader.serve.lti.who import Launch
from grader.serve.store import courses
from grader.serve.store.database import Store


@dataclass(frozen=True, slots=True)
class Bound:
    """A course of a platform that may launch a course of ours."""

    course: str
    platform: int
    context: str
    title: str


def course_of(store: Store, launch: Launch, served: Collection[str]) -> str:
    """The id of our course; one that nobody has launched yet is this one's from now. Raises LaunchError."""
    with store.transaction():
        mine = [bound.course for bound in bindings(store) if _key(bound) == (launch.platform, launch.context)]
        course = launch.wanted or _only([course for course in mine if course in served], served)
        if course not in served:
            raise LaunchError(
                f"expected the custom parameter course to be one of {', '.join(served)}, got {course[:80]!r}"
            )
        if course in mine:
            return course
        _check_free(store, course, launch)
        bind(store, Bound(course, launch.platform, launch.context, launch.context_title))
        return course


def bind(store: Store, new: Bound) -> None:
    """Let a course of a platform launch one of ours."""
    store.rows(
        "insert into lti_contexts (course, platform, context, title) values (?, ?, ?, ?) "
        "on conflict do nothing",
        (new.course, new.platform, new.context, new.title),
    )


def allow(store: Store, new: Bound) -> None:
    """The same by command of whoever runs the service. Raises InputError where there is no such course."""
    if new.course not in (known := courses.titles(store)):
        raise InputError(
            f"expected a course that is served here ({', '.join(known) or 'none yet'}), got {new.course}"
        )
    bind(store, new)


def bindings(store: Store) -> list[Bound]:
    """All of them."""
    statement = "select course, platform, context, title from lti_contexts order by course, platform, context"
    return [Bound(**dict(row)) for row in store.rows(statement)]


def _key(bound: Bound) -> tuple[int, str]:
    return bound.platform, bound.context


def _only(mine: Collection[str], served: Collection[str]) -> str:
    """The course that is meant where the launch names none."""
    for candidates in (mine, served):
        if len(candidates) == 1:
            return next(iter(candidates))
    raise LaunchError(
        "expected the launch to say which course is meant: "
        f"set the custom parameter course to one of {', '.join(mine or served)}"
    )


def _check_free(store: Store, course: str, launch: Launch) -> None:
    others = [bound for bound in bindings(store) if bound.course == course]
    if others:
        command = shlex.join(
            ["grader", "serve", "platform", "allow", str(launch.platform), launch.context, course]
        )
        raise LaunchError(
            f"the course {course} is launched from another course of the platform "
            f"({others[0].title or others[0].context}): whoever runs this service lets this one in, too, "
            f"by {command}"
        )
