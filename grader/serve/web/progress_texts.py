"""The texts about an attempt that is not graded yet, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Final

from grader.batch.job import ExerciseDone
from grader.course.rubric import Rubric
from grader.languages import Catalogue
from grader.serve.store import attempts, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.queue import QueuePlace
from grader.serve.upload_storage import is_undecided

_TOLD_STATES: Final = ("refused", "fault", "replaced", "withdrawn")


@dataclass(frozen=True, slots=True)
class AttemptState:
    """The state of an attempt: its place in the queue, or its progress."""

    attempt: Attempt
    place: QueuePlace | None
    """The place in the queue; None if the attempt does not wait."""
    steps: tuple[ExerciseDone, ...]
    """The exercises that are graded already."""

    @property
    def is_under_way(self) -> bool:
        """Tell whether the attempt waits or is being graded."""
        return self.attempt.state in ("waiting", "running")


@dataclass(frozen=True, slots=True)
class ExerciseProgress:
    """The progress of an exercise, as the page shows it."""

    id: str
    title: str
    state: str
    """One of done, now and later."""
    told: str


@dataclass(frozen=True, slots=True)
class ProgressTexts:
    """The texts that the page shows."""

    sentence: str
    steps: tuple[ExerciseProgress, ...]

    def as_data(self) -> Mapping[str, Any]:
        """Return the texts as plain data, for the script of the page."""
        return asdict(self)


def load_attempt_states(store: Store, ids: Iterable[str]) -> dict[str, AttemptState]:
    """Return the states of attempts, by id."""
    places = queue.places(store)
    found = [attempt for id_ in ids if (attempt := attempts.get(store, id_)) is not None]
    return {
        attempt.id: AttemptState(
            attempt, places.get(attempt.id), tuple(attempts.list_steps(store, attempt.id))
        )
        for attempt in found
    }


def describe_progress(standing: AttemptState, rubric: Rubric, t: Catalogue) -> ProgressTexts:
    """Return the texts about the state of an attempt."""
    return ProgressTexts(_sentence(standing, rubric, t), tuple(_lines(standing, rubric, t)))


def describe_state(attempt: Attempt, t: Catalogue) -> str:
    """Return a text about an attempt that ended without being graded; empty for others."""
    if is_undecided(attempt):
        return t("serve.told.undecided")
    return t(f"serve.told.{attempt.state}") if attempt.state in _TOLD_STATES else ""


def _sentence(standing: AttemptState, rubric: Rubric, t: Catalogue) -> str:
    place = standing.place
    if standing.attempt.state == "running":
        return t("serve.live.running", done=len(standing.steps), count=len(rubric.exercises))
    if place is None:
        return describe_state(standing.attempt, t) or t("serve.live.ended")
    if not isfinite(place.seconds):
        return t("serve.live.place_stalled")
    key = {0: "place_next", 1: "place_one"}.get(place.ahead, "place")
    return t(f"serve.live.{key}", ahead=place.ahead, time=format_duration(place.seconds, t))


def format_duration(seconds: float, t: Catalogue) -> str:
    """Return a waiting time in words, rounded to the precision of the estimate."""
    if seconds < 50:
        return t("serve.live.seconds", count=max(5, 5 * round(seconds / 5)))
    minutes = round(seconds / 60)
    return t("serve.live.minute") if minutes <= 1 else t("serve.live.minutes", count=minutes)


def _lines(standing: AttemptState, rubric: Rubric, t: Catalogue) -> Iterator[ExerciseProgress]:
    done = {step.exercise: step for step in standing.steps}
    is_running = standing.attempt.state == "running"
    for exercise in rubric.exercises:
        title = t.get(f"title.exercise.{exercise.id}") or exercise.title or exercise.id
        step = done.get(exercise.id)
        if step is not None:
            points = t("page.points", score=t.number(step.score), max=t.number(step.max_score))
            yield ExerciseProgress(
                exercise.id, title, "done", points if step.max_score else t("serve.live.graded")
            )
        else:
            yield ExerciseProgress(exercise.id, title, "now" if is_running else "later", "")
            is_running = False
