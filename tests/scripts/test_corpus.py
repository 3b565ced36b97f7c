"""The script that compares what two runs over the corpus found."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts import corpus


def results(score: float, seconds: float, *, status: str = "passed") -> dict[str, object]:
    check = {"id": "dfs.cycles", "status": status}
    return {"score": score, "exercises": [{"id": "dfs", "checks": [check]}], "timing": {"total": seconds}}


@pytest.fixture
def compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Write two runs, and compare them."""

    def compare_runs(**runs: dict[str, dict[str, object]]) -> int:
        for run, found in runs.items():
            for name, content in found.items():
                (tmp_path / run / name).mkdir(parents=True)
                (tmp_path / run / name / "results.json").write_text(json.dumps(content))
        monkeypatch.setattr(sys, "argv", ["corpus.py", "compare", *(str(tmp_path / run) for run in runs)])
        return corpus.main()

    return compare_runs


def test_the_clock_is_no_difference(compare: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(one={"ada": results(9.0, 1.0)}, other={"ada": results(9.0, 2.0)}) == 0
    assert capsys.readouterr().out == "1 submissions, 0 with differences\n"


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
    compare: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    other: dict[str, dict[str, object]],
    told: str,
) -> None:
    assert compare(one={"ada": results(9.0, 1.0)}, other=other) == 1
    assert told in capsys.readouterr().out
