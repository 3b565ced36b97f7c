"""The site: everything that pages share, such as the courses, the data folder and the public URL."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

from grader.course.rubric import Rubric
from grader.languages import Message
from grader.serve import upload_check
from grader.serve.attempt_rules import hidden_shown_from
from grader.serve.data_folder import DataFolder
from grader.serve.store import marks
from grader.serve.store.database import Store
from grader.serve.store.people import Person
from grader.serve.web.guard import BodyLimits
from grader.serve.web.rate_limits import RateLimits
from lab.exercises import Exercise

_HTTPS: Final = "https://"


@dataclass(frozen=True)
class Site:
    """The configuration and the state that all pages share."""

    data: DataFolder
    store: Store
    courses: Mapping[str, Rubric]
    demo: bool = False
    """Whether anybody may sign in by any name."""
    lab: Path | None = None
    """The folder with the lab in a browser."""
    url: str = ""
    """The public URL, such as https://mazes.example.edu/grader; empty without a proxy."""
    names: frozenset[str] = frozenset()
    """The host names of this machine that are accepted besides localhost and IP addresses if ``url`` is
    empty."""
    look: Callable[[upload_check.Files, Sequence[Exercise]], tuple[Message, ...]] = upload_check.find_refusal
    """Returns why an upload is refused, if it is."""
    clock: Callable[[], float] = time.time
    limits: BodyLimits = field(default_factory=BodyLimits)
    rates: RateLimits = field(default_factory=RateLimits)

    @property
    def is_secure(self) -> bool:
        """Tell whether browsers use https."""
        return self.url.startswith(_HTTPS)

    @property
    def root(self) -> str:
        """Return the path of the public URL, without a slash at its end; often empty."""
        return urlsplit(self.url).path

    @property
    def path(self) -> str:
        """Return the path of cookies."""
        return self.root or "/"

    def cookie_name(self, name: str) -> str:
        """Return a cookie's name with the strictest prefix that browsers accept for this URL."""
        if not self.is_secure:
            return name
        return f"__Secure-{name}" if self.root else f"__Host-{name}"

    @property
    def cookie(self) -> str:
        """Return the name of the cookie for sign-ins."""
        return self.cookie_name("session")

    def address(self, request: Request) -> str:
        """Return the public URL or, if none was configured, the one that the request used."""
        return self.url or str(request.base_url).rstrip("/")

    def deadline(self, person: Person) -> float | None:
        """Return a person's deadline in seconds since the epoch; None if the rubric has none."""
        late = self.courses[person.course].late
        if late is None:
            return None
        return max(late.deadline.timestamp(), marks.own_deadline(self.store, person.id) or 0.0)

    def zone(self, course: str) -> tzinfo:
        """Return the time zone of a course: that of its deadline, or UTC."""
        late = self.courses[course].late
        return (late.deadline.tzinfo if late else None) or UTC

    def local_time(self, course: str, at: float) -> datetime:
        """Return a time in the time zone of a course."""
        return datetime.fromtimestamp(at, self.zone(course))

    def hides(self, person: Person, now: float) -> bool:
        """Tell whether hidden checks are not shown to a student yet."""
        return now < self.hidden_shown_from(person.id, person.course)

    def hidden_shown_from(self, person: int, course: str) -> float:
        """Return the time (seconds since the epoch) from which a student sees hidden checks; 0 for at
        once."""
        return hidden_shown_from(self.courses[course], marks.own_deadline(self.store, person))
