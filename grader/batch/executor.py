"""The interface of what grades: the orchestrator gives it jobs, and collects their answers."""

from __future__ import annotations

from typing import Protocol

from grader.batch.job import Answer, Job


class Executor(Protocol):
    """Workers on this machine, or on several."""

    def free(self) -> int:
        """Return how many more jobs would start immediately."""

    def give(self, job: Job, known: str | None) -> None:
        """Hand out a job; ``known`` is the key of its present result, if any."""

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        """Wait for at most ``seconds``, and return the answers that have arrived."""

    def doing(self) -> list[tuple[str, float]]:
        """Return the name of each worker's submission with the seconds since it began; "" if it is idle."""

    def close(self) -> None:
        """End all workers and their boxes; safe to call twice."""
