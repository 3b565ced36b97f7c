"""The interface of those who grade: the orchestrator gives them jobs, and collects their answers."""

from __future__ import annotations

from typing import Protocol

from grader.batch.job import Answer, Job


class Executor(Protocol):
    """Workers on this machine, or on many."""

    def free(self) -> int:
        """Return how many more jobs would start immediately."""

    def give(self, job: Job, known: str | None) -> None:
        """Hand out a job; ``known`` is the key of its present result, if there is one."""

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        """Return the answers that arrived, after at most ``seconds``."""

    def doing(self) -> list[tuple[str, float]]:
        """Return what each worker grades, and for how many seconds; an idle one has the name ""."""

    def close(self) -> None:
        """End all workers and their boxes; safe to call twice."""
