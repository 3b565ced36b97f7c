"""``grader explain``: what a rubric says beyond its checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli import main
from tests.grader.batch.conftest import small_rubric

LATE = "late:\n  deadline: 2026-10-01T23:59:00+02:00\n"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (f"{LATE}  per_day: 10\n", "10 % off for each day that has begun"),
        (f"{LATE}  per_day: 0\n  max_days: 1\n", "nothing off by the day, no points after 1 day"),
        (
            f"{LATE}  per_day: 2.5\n  grace_minutes: 15\n  max_days: 3\n",
            "2.5 % off for each day that has begun, 15 minutes more cost nothing, no points after 3 days",
        ),
    ],
)
def test_what_lateness_costs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], said: str, told: str
) -> None:
    rubric = small_rubric(tmp_path)
    rubric.write_text(rubric.read_text() + said)
    assert main(["explain", "--rubric", str(rubric)]) == 0
    assert (
        f"late after Thursday, 01 October 2026, 23:59:00 (2026-10-01T23:59:00+02:00): {told}\n"
        in capsys.readouterr().out
    )


def test_what_repairs_cost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rubric = small_rubric(tmp_path)
    rubric.write_text(rubric.read_text() + "repair_cost: 5\n")
    assert main(["explain", "--rubric", str(rubric)]) == 0
    said = capsys.readouterr().out
    assert "files that had to be repaired before grading: 5 points off, once\n" in said
    assert "late" not in said.partition("\n\n")[0]
