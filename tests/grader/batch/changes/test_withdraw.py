"""A check withdrawn for the class: shown first, laid over every regrade, taken back without a trace."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.batch.ledger import LEDGER
from grader.cli import main
from tests.grader.batch.marked_class import NAMES, adjust, out, record, report, results_of

pytestmark = pytest.mark.processes

__all__ = ["adjust", "out"]
"""Fixtures of the neighbour."""
Withdraw = Callable[..., Sequence[str]]


def failing(score: float, **more: Any) -> dict[str, Any]:
    """A result that failed the second check, and of it kept nothing or some points."""
    found = results_of(score, status="failed", **more)
    found["exercises"][0]["checks"][0]["status"] = "passed"
    return found


@pytest.fixture
def failed(out: Path) -> Path:
    """Two who failed a check of 50 points, and one whose work was refused."""
    record(out, "ada_1", failing(90.0))
    record(out, "bob_2", failing(40.0))
    report(out)
    return out


@pytest.fixture
def withdraw(failed: Path, capsys: pytest.CaptureFixture[str]) -> Withdraw:
    def run(*more: str) -> Sequence[str]:
        assert main(["withdraw", str(failed), "dfs.b", "--by", "grace", *more]) == 0, capsys.readouterr().err
        return capsys.readouterr().out.splitlines()

    return run


def files(folder: Path) -> dict[str, bytes]:
    """All that students and gradebooks get to see."""
    names = ("results.json", "feedback.html")
    return {f"{name}/{file}": (folder / name / file).read_bytes() for name in NAMES for file in names}


def test_what_was_withdrawn_and_taken_back_leaves_no_trace(failed: Path, withdraw: Withdraw) -> None:
    before = files(failed)
    withdraw("--yes", "--reason", "x")
    assert withdraw("--undo", "--yes")[1:] == [
        *("  ada_1: 100 -> 90", "  bob_2: 90 -> 40", "counted again"),
        "2 of 3 marks changed: ada_1 100 -> 90, bob_2 90 -> 40",
    ]
    assert files(failed) == before


@pytest.mark.parametrize(("typed", "done"), [("y", True), ("yes", True), ("", False), ("n", False)])
def test_a_terminal_is_asked(
    failed: Path, withdraw: Withdraw, monkeypatch: pytest.MonkeyPatch, typed: str, done: bool
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: typed)
    assert ("withdrawn" in withdraw("--reason", "x")) == done
    assert (failed / LEDGER).exists() is done
