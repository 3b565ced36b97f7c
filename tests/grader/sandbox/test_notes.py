"""Nothing that one process of a box leaves behind is there for the next."""

from __future__ import annotations

import pytest

from grader.model import Call, IsPerfect, Submission, Target
from grader.sandbox.base import Backend
from grader.session.session import Session
from grader.session.trials import LIMITS

TARGET = Target("perfection_checker.py", "PerfectionChecker")
COUNTS = """
import os


class PerfectionChecker:
    def is_perfect(self, maze):
        for number in range(100):
            name = f"n{number}"
            if not os.path.lexists(name):
                break
        try:
            os.makedirs(f"{name}/inner")
            os.setxattr(".", f"user.{name}", b"1")
        except OSError:
            pass
        for path, mode in ((f"{name}/inner", 0), (name, 0), (".", 0o700 + number + 1)):
            try:
                os.chmod(path, mode)
            except OSError:
                pass
        return repr((number, [name for name in os.listxattr(".") if name != f"user.n{number}"]))
"""


@pytest.mark.promise("notes")
def test_processes_cannot_count_each_other(backend: Backend) -> None:
    calls = [Call(str(number), IsPerfect("+-+-+\n|S E|\n+-+-+")) for number in range(4)]
    submission = Submission("counts", {TARGET.file: COUNTS.encode()})
    with Session(backend, LIMITS, submission) as session:
        claims = session.run(TARGET, calls, isolate=True)
        assert session.restarts == 0
    assert [claim.outcome for claim in claims] == ["returned"] * 4
    assert len({str(claim.value) for claim in claims}) == 1
    assert "(0, [])" in str(claims[0].value)
