"""Which attempt of a student counts, and from when on the whole of it is told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from grader.course.late_work import Arrival, LatePolicy, compute_lateness, share_left
from grader.course.rubric import Rubric
from grader.model import LateJson
from grader.serve.store.attempts import Attempt


def choose(rubric: Rubric, known: Sequence[Attempt], deadline: float | None) -> Attempt | None:
    """The attempt that counts; ``deadline`` is the student's own. None where none has a mark.

    What nothing could be read of counts where nothing else does; of equals the earlier one counts.
    """
    marked = [each for each in known if each.has_result and each.state != "withdrawn"]
    readable = [each for each in marked if each.state != "refused"] or marked
    if rubric.attempts.counts == "last":
        return max(readable, key=lambda each: each.number, default=None)
    return max(readable, key=lambda each: (mark_of(rubric.late, each, deadline), -each.number), default=None)


def mark_of(policy: LatePolicy | None, attempt: Attempt, deadline: float | None) -> float:
    """What lateness leaves of an attempt's score."""
    return (attempt.score or 0.0) * share_left(late(policy, attempt, deadline))


def late(policy: LatePolicy | None, attempt: Attempt, deadline: float | None) -> LateJson | None:
    """How late an attempt is."""
    extension = None if deadline is None else datetime.fromtimestamp(deadline, UTC)
    return compute_lateness(policy, Arrival(moment(policy, attempt.at), extension))


def moment(policy: LatePolicy | None, at: float) -> datetime:
    """A time, in the zone of the deadline."""
    return datetime.fromtimestamp(at, policy.deadline.tzinfo if policy else UTC)


def told_from(rubric: Rubric, deadline: float | None = None) -> float:
    """The moment from which on a student is told of hidden checks, and so of the whole mark: 0 for at once.

    ``deadline`` is the student's own.
    """
    if rubric.late is None or rubric.hidden_feedback != "after_deadline":
        return 0.0
    return max(rubric.late.deadline.timestamp(), deadline or 0.0)
