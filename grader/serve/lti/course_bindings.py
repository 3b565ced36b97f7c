"""Bindings that say which course of a platform may launch which course of the service.

Teachers at a platform set the custom parameter themselves, and are launched as staff; so the parameter alone
must not give them access to somebody else's course. The first course of a platform that launches a course of
the service is bound to it; further ones are allowed only by a command of the administrator.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection
from dataclasses import dataclass

from grader.errors import InputError, LaunchError
from grader.serve.lti.launch import Launch
from grader.serve.store import courses
from grader.serve.store.database import Store


@dataclass(frozen=True, slots=True)
class CourseBinding:
    """The permission of a course of a platform to launch a course of the service."""

    course: str
    platform: int
    context: str
    title: str


def find_course(store: Store, launch: Launch, served: Collection[str]) -> str:
    """Return the id of the course that is launched; bind it if nobody has launched it yet.

    Raises LaunchError if the launch names no served course, or one that is bound to another course.
    """
    with store.transaction():
        mine = [
            bound.course for bound in list_bindings(store) if _key(bound) == (launch.platform, launch.context)
        ]
        course = launch.wanted or _only_candidate([course for course in mine if course in served], served)
        if course not in served:
            raise LaunchError(
                f"expected the custom parameter course to be one of {', '.join(served)}, got {course[:80]!r}"
            )
        if course in mine:
            return course
        _check_free(store, course, launch)
        bind(store, CourseBinding(course, launch.platform, launch.context, launch.context_title))
        return course


def bind(store: Store, new: CourseBinding) -> None:
    """Let a course of a platform launch a course of the service."""
    store.rows(
        "insert into lti_contexts (course, platform, context, title) values (?, ?, ?, ?) "
        "on conflict do nothing",
        (new.course, new.platform, new.context, new.title),
    )


def allow_course(store: Store, new: CourseBinding) -> None:
    """Add a binding for the administrator. Raises InputError if the service has no such course."""
    if new.course not in (known := courses.load_titles(store)):
        raise InputError(
            f"expected a course that is served here ({', '.join(known) or 'none yet'}), got {new.course}"
        )
    bind(store, new)


def list_bindings(store: Store) -> list[CourseBinding]:
    """Return all bindings, sorted by course, platform and context."""
    statement = "select course, platform, context, title from lti_contexts order by course, platform, context"
    return [CourseBinding(**dict(row)) for row in store.rows(statement)]


def _key(bound: CourseBinding) -> tuple[int, str]:
    return bound.platform, bound.context


def _only_candidate(mine: Collection[str], served: Collection[str]) -> str:
    """Return the course that a launch without a custom parameter must mean. Raises LaunchError."""
    for candidates in (mine, served):
        if len(candidates) == 1:
            return next(iter(candidates))
    raise LaunchError(
        "expected the launch to say which course is meant: "
        f"set the custom parameter course to one of {', '.join(mine or served)}"
    )


def _check_free(store: Store, course: str, launch: Launch) -> None:
    others = [bound for bound in list_bindings(store) if bound.course == course]
    if others:
        command = shlex.join(
            ["grader", "serve", "platform", "allow", str(launch.platform), launch.context, course]
        )
        raise LaunchError(
            f"the course {course} is launched from another course of the platform "
            f"({others[0].title or others[0].context}): whoever runs this service lets this one in, too, "
            f"by {command}"
        )
