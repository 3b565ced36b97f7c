"""What the pages are about: the courses, the folder with all state, and who asks from where."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

from grader.course.rubric import Rubric
from grader.serve.choosing import told_from
from grader.serve.data import Data
from grader.serve.store import extensions
from grader.serve.store.database import Store
from grader.serve.store.people import Person
from grader.serve.web.guard import BodyLimits
from grader.serve.web.rates import Rates

_HTTPS: Final = "https://"


@dataclass(frozen=True)
class Site:
    """Everything that a page may need."""

    data: Data
    store: Store
    courses: Mapping[str, Rubric]
    demo: bool = False
    """Whether anybody may sign in, by any name."""
    url: str = ""
    """How browsers call it, such as https://mazes.example.edu/grader; empty on one's own machine."""
    names: frozenset[str] = frozenset()
    """What this machine is called, beside localhost and its numbers, where ``url`` is empty."""
    clock: Callable[[], float] = time.time
    limits: BodyLimits = field(default_factory=BodyLimits)
    rates: Rates = field(default_factory=Rates)

    @property
    def is_secure(self) -> bool:
        """Whether browsers come by https."""
        return self.url.startswith(_HTTPS)

    @property
    def root(self) -> str:
        """The path before all links, without a slash at its end; empty for a host of its own."""
        return urlsplit(self.url).path

    @property
    def path(self) -> str:
        """Of cookies."""
        return self.root or "/"

    def cookie_name(self, name: str) -> str:
        """A cookie's name: browsers hold what it promises, which by http is nothing, and for a part of a host
        less than for all of it."""
        if not self.is_secure:
            return name
        return f"__Secure-{name}" if self.root else f"__Host-{name}"

    @property
    def cookie(self) -> str:
        """The name of the cookie of who is signed in."""
        return self.cookie_name("session")

    def address(self, request: Request) -> str:
        """How browsers call it: as it was told, or else as this one did."""
        return self.url or str(request.base_url).rstrip("/")

    def deadline(self, person: Person) -> float | None:
        """When a person has to hand in, in seconds; None where the rubric has no word about it."""
        late = self.courses[person.course].late
        if late is None:
            return None
        return max(late.deadline.timestamp(), extensions.get(self.store, person.id) or 0.0)

    def zone(self, course: str) -> tzinfo:
        """The time zone of a course: that of its deadline."""
        late = self.courses[course].late
        return (late.deadline.tzinfo if late else None) or UTC

    def moment(self, course: str, at: float) -> datetime:
        """A time as the course's clocks tell it."""
        return datetime.fromtimestamp(at, self.zone(course))

    def hides(self, person: Person, now: float) -> bool:
        """Whether a student does not see yet what came of hidden checks."""
        return now < self.told_from(person.id, person.course)

    def told_from(self, person: int, course: str) -> float:
        """From when on a student sees what came of hidden checks, in seconds; 0 for at once."""
        return told_from(self.courses[course], extensions.get(self.store, person))
