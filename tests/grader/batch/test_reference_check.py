"""What is made ready for all workers, before a class is graded."""

from __future__ import annotations

import pytest

from grader.batch.class_run import check_reference
from grader.batch.job import Course
from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox.base import Box, Probe
from grader.sandbox.process import ProcessBackend


class Restarted(ProcessBackend):
    """A back end that does not work until it was tried a few times."""

    def __init__(self, after: int) -> None:
        self.left = after

    def probe(self) -> Probe:
        self.left -= 1
        return Probe(self.name, self.left <= 0, "no engine answers")

    def open(self, limits: Limits) -> Box:
        if self.left > 0:
            raise SandboxError("no engine answers")
        return super().open(limits)


@pytest.mark.processes
def test_a_sandbox_that_is_restarted_before_the_first_result_is_waited_for(course: Course) -> None:
    told: list[str] = []
    check_reference(course, Restarted(3), told.append, patience=0.5)
    assert told == ["the sandbox fails, and is waited for, 0.5 seconds at most: no engine answers"]


def test_one_that_stays_away_is_told_with_what_to_do(course: Course) -> None:
    with pytest.raises(SandboxError, match=r"no engine answers; .* in vain: repair it, then run the same"):
        check_reference(course, Restarted(10**9), patience=0.01)
