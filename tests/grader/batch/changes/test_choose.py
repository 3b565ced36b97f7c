"""Which attempt counts: listed, chosen, chosen for all, taken back, and asked for by one key."""

from __future__ import annotations

import io
import sys
from collections.abc import Collection
from pathlib import Path

import pytest

from grader.batch import decisions, review
from grader.batch.job import choice_data
from grader.batch.journal import Journal, JournalRow
from grader.batch.ledger import chosen_numbers
from grader.cli import main
from grader.errors import Candidate, Undecided
from grader.results import as_json
from tests.grader.batch.marked_class import out, report, results_of

pytestmark = pytest.mark.processes

__all__ = ["out"]
"""Fixture of the neighbour."""
FIRST = Candidate("lab/", "2026-11-01T10:00:00+00:00", {"solvers/dfs.py": "aa"})
SECOND = Candidate("new/", "2026-11-02T10:00:00+00:00", {"solvers/dfs.py": "bb"})
TIMELESS = Candidate("other/", None, {"solvers/dfs.py": "cc"})


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """Return the submissions that each command has graded again."""
    found: list[set[str]] = []

    def grade(_: Path, names: Collection[str], *, quiet: bool = False) -> int:
        assert isinstance(quiet, bool)
        found.append({*names})
        return 0

    monkeypatch.setattr(decisions, "grade_again", grade)
    monkeypatch.setattr(review, "grade_again", grade)
    return found


@pytest.fixture
def undecided(out: Path) -> Path:
    """Two of a class of three of whom it is not clear what counts."""
    for name, candidates in (("ada_1", (FIRST, SECOND)), ("bob_2", (SECOND, FIRST, TIMELESS))):
        why = str(Undecided("found several"))
        found = results_of(0.0, status="skipped", fault=why, choice=choice_data(f"q {name}", candidates))
        with Journal(out) as journal:
            journal.record(JournalRow(name, "", "fault", 0.0, why), as_json(found), b"")  # type: ignore[arg-type]
    report(out)
    return out


def test_one_key_decides_each_and_all_are_graded_at_the_end(
    undecided: Path,
    graded: list[set[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n4\nd\n3\nq\n"))
    assert main(["review", str(undecided), "--next", "--by", "grace"]) == 0
    shown = capsys.readouterr().out
    assert shown.index("lab/") < shown.index("1, 2 what counts") < shown.index("1, 2, 3 what counts")
    assert chosen_numbers(undecided) == {"ada_1": {"q ada_1": 2}, "bob_2": {"q bob_2": 3}}
    assert graded == [{"ada_1", "bob_2"}]
