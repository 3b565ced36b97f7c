"""What a course says to those who hand in: how often, until when, and when they see all of their mark.

Times are seconds since the epoch. A student may have an extension (``own``), a deadline of their own: it
counts where it is later than everybody's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Literal

from grader.course.late_work import (
    Arrival,
    AttemptsLeft,
    LatePolicy,
    compute_lateness,
    read_moment,
    share_left,
)
from grader.course.plan import disagreement
from grader.course.request_terms import RequestTerms
from grader.course.rubric import Rubric, load_rubric
from grader.exercises.registry import titles
from grader.model import LateJson
from lab.exercises import Exercise


@dataclass(frozen=True, slots=True)
class CourseRules:
    """The rules of a course, which are known before any of its cases is drawn."""

    rubric: Rubric

    @property
    def title(self) -> str:
        """Return the title of the course."""
        return self.rubric.title

    @property
    def language(self) -> str:
        """Return the language of its pages."""
        return self.rubric.language

    @property
    def titles(self) -> Mapping[str, str]:
        """Return the titles of its exercises by their ids, in order; "" for the title that all have."""
        return {each.id: each.title for each in self.rubric.exercises}

    @property
    def points(self) -> Mapping[str, float]:
        """Return the points of its exercises by their ids, each followed by those of its checks."""
        found = dict[str, float]()
        for each in self.rubric.exercises:
            checks = {check.id: check.points for check in each.checks}
            found |= {each.id: sum(checks.values()), **checks}
        return found

    @property
    def added(self) -> tuple[Exercise, ...]:
        """Return the exercises that it has beside the lab's own."""
        return tuple(each.record for each in self.rubric.own_exercises)

    @property
    def most_seconds(self) -> float:
        """Return how long the grading of one attempt takes at most on an idle machine."""
        return self.rubric.limits.submission_wall_seconds

    @property
    def counts(self) -> Literal["best", "last"]:
        """Return which of a student's attempts counts."""
        return self.rubric.attempts.counts

    @property
    def assistants(self) -> Collection[str]:
        """Return what assistants do as teachers do: any of withdraw, exempt and links."""
        return self.rubric.assistants

    @property
    def requests(self) -> RequestTerms | None:
        """Return on what terms students ask for another look; None if they may not."""
        return self.rubric.requests

    @property
    def zone(self) -> tzinfo:
        """Return the time zone: that of the deadline, or UTC."""
        late = self.rubric.late
        return (late.deadline.tzinfo if late else None) or UTC

    def local_time(self, at: float) -> datetime:
        """Return a time in the zone of the course."""
        return datetime.fromtimestamp(at, self.zone)

    def read_moment(self, text: str) -> datetime:
        """Read a date with a time, in the zone of the course if it names none. Raises ValueError."""
        return read_moment(text, self.zone)

    @property
    def late(self) -> LatePolicy | None:
        """Return what late work costs; None if nothing is late."""
        return self.rubric.late

    def deadline(self, own: float | None = None) -> float | None:
        """Return a student's deadline; None if there is none."""
        late = self.rubric.late
        return None if late is None else max(late.deadline.timestamp(), own or 0.0)

    def lateness(self, at: float, own: float | None = None) -> LateJson | None:
        """Return how late it is to hand in at that time; None if it is not."""
        extension = None if own is None else datetime.fromtimestamp(own, UTC)
        return compute_lateness(self.rubric.late, Arrival(self.local_time(at), extension))

    def share_left(self, at: float, own: float | None = None) -> float:
        """Return the fraction of its score that work of that time keeps."""
        return share_left(self.lateness(at, own))

    def hidden_shown_from(self, own: float | None = None) -> float:
        """Return from when a student sees hidden checks, and so the whole mark; 0 for at once."""
        hides = self.rubric.hidden_feedback == "after_deadline"
        return self.deadline(own) or 0.0 if hides else 0.0

    def attempts_left(self, times: Sequence[float], now: float) -> AttemptsLeft:
        """Return what is left after attempts at these times, the earliest first."""
        return self.rubric.attempts.left(times, now)


def load_rules(path: Path | None = None) -> CourseRules:
    """Read the rules of a course from its rubric, by default from the one that ships.

    Raises RubricError or MazeFileError with file, line and column.
    """
    return CourseRules(load_rubric(path, checks=titles(), agrees=disagreement))
