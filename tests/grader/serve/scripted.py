"""Workers that do as they are told, and a clock that stands still."""

from __future__ import annotations

import json

from grader.batch.job import Answer, Done, Job
from grader.grading.pipeline import STAFF
from grader.serve.store import attempts
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store

FILES = [("bfs.py", b"class BFS: ...")]


def done(score: float = 80.0, *, clock_bound: bool = False) -> Done:
    checks = [
        {"visibility": "public", "score": min(score, 60.0), "max_score": 60.0},
        {"visibility": "hidden", "score": max(0.0, score - 60.0), "max_score": 40.0},
    ]
    exercises = [{"id": "dfs", "checks": checks}]
    results = json.dumps({"score": score, "exercises": exercises}).encode()
    staff = {STAFF: results}
    return Done("key", results, b"page", staff, b"code", 3.0, score, 100.0, clock_bound=clock_bound)


class Scripted:
    """Workers whose answers are given by the test."""

    def __init__(self, workers: int = 1) -> None:
        self.given: list[Job] = []
        self.answers: list[tuple[Job, Answer]] = []
        self._workers = workers

    def free(self) -> int:
        return self._workers - len(self.given)

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


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def now(store: Store, attempt: Attempt) -> Attempt:
    found = attempts.get(store, attempt.id)
    assert found is not None
    return found
