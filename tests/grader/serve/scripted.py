"""Workers that do as they are told, and a clock that stands still."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from grader.batch.job import Answer, Done, ExerciseDone, Job
from grader.grading.engine import STAFF
from grader.serve.data_folder import DataFolder
from grader.serve.dispatcher import Dispatcher
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from tests.grader.serve.made import COURSE, Clock, now

FILES = [("bfs.py", b"class BFS: ...")]


def done(score: float = 80.0, *, again: bytes = b"") -> Done:
    checks = [
        {"visibility": "public", "score": min(score, 60.0), "max_score": 60.0},
        {"visibility": "hidden", "score": max(0.0, score - 60.0), "max_score": 40.0},
    ]
    exercises = [{"id": "dfs", "checks": checks}]
    results = json.dumps({"score": score, "exercises": exercises}).encode()
    staff = {STAFF: results}
    return Done("key", results, b"page", staff, b"code", 3.0, score, 100.0, again=again)


class Scripted:
    """Workers whose answers are given by the test."""

    def __init__(self, workers: int = 1) -> None:
        self.given: list[Job] = []
        self.answers: list[tuple[Job, Answer]] = []
        self.at_once = workers
        self.on_step: Callable[[Job, ExerciseDone], None] = lambda *_: None

    def free(self) -> int:
        return self.at_once - len(self.given)

    def give(self, job: Job, known: str | None) -> None:
        self.given.append(job)

    def answer(self, answer: Answer) -> None:
        self.answers.append((self.given.pop(0), answer))

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        found, self.answers = self.answers, []
        return found

    def doing(self) -> list[tuple[str, float]]:
        return []

    def close(self) -> None:
        """There is nobody to end."""


@dataclass
class Desk:
    """A dispatcher with one worker, and what somebody handed in."""

    data: DataFolder
    store: Store
    attempt: Attempt
    clock: Clock = field(default_factory=Clock)
    lane: Scripted = field(default_factory=Scripted)

    def __post_init__(self) -> None:
        self.dispatcher = Dispatcher(self.data, self.store, {COURSE: self.lane}, 1, clock=self.clock)

    @property
    def now(self) -> Attempt:
        return now(self.store, self.attempt)

    def step(self) -> None:
        self.dispatcher.step(seconds=0.0)

    def answer(self, answer: Answer) -> None:
        """Have the worker get its job, answer, and the answer stored."""
        self.step()
        self.lane.answer(answer)
        self.step()
