"""The script that compares what two runs over the corpus found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "corpus.py"


def results(score: float, seconds: float, *, status: str = "passed") -> dict[str, object]:
    check = {"id": "dfs.cycles", "status": status}
    return {"score": score, "exercises": [{"id": "dfs", "checks": [check]}], "timing": {"total": seconds}}


def compare(folder: Path, **runs: dict[str, dict[str, object]]) -> subprocess.CompletedProcess[str]:
    for run, found in runs.items():
        for name, content in found.items():
            (folder / run / name).mkdir(parents=True)
            (folder / run / name / "results.json").write_text(json.dumps(content))
    command = [sys.executable, str(SCRIPT), "compare", *(str(folder / run) for run in runs)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_clock_is_no_difference(tmp_path: Path) -> None:
    ran = compare(tmp_path, one={"ada": results(9.0, 1.0)}, other={"ada": results(9.0, 2.0)})
    assert (ran.returncode, ran.stdout) == (0, "1 submissions, 0 with differences\n")


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (
            {"ada": results(9.0, 1.0, status="endless")},
            '.exercises[dfs].checks[dfs.cycles].status: "passed" -> "endless"',
        ),
        ({"ada": results(8.0, 1.0)}, ".score: 9.0 -> 8.0"),
        ({"bob": results(9.0, 1.0)}, "2 submissions, 2 with differences"),
    ],
    ids=["a status", "a score", "another submission"],
)
def test_every_difference_is_told_where_it_is(
    tmp_path: Path, other: dict[str, dict[str, object]], told: str
) -> None:
    ran = compare(tmp_path, one={"ada": results(9.0, 1.0)}, other=other)
    assert ran.returncode == 1
    assert told in ran.stdout
