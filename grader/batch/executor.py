"""Who grades: the orchestrator hands out jobs, and takes answers as they come."""

from __future__ import annotations

from typing import Protocol

from grader.batch.job import Answer, Job


class Executor(Protocol):
    """Workers on this machine, or on many."""

    def free(self) -> int:
        """How many more jobs would begin at once."""

    def give(self, job: Job, known: str | None) -> None:
        """Hand out a job; ``known`` is the key of the result that is there."""

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        """Return the answers that came, after at most ``seconds``."""

    def doing(self) -> list[tuple[str, float]]:
        """What each worker grades, and for how many seconds now; an idle one grades ""."""

    def close(self) -> None:
        """End all workers and their boxes; safe to call twice."""
