"""A check withdrawn for the class: shown first, laid over every regrade, taken back without a trace."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.batch.journal import Journal
from grader.batch.marks.ledger import LEDGER
from grader.batch.report.diff import compare
from grader.cli import main
from grader.exports.junit import junit_report
from grader.feedback import render_markdown, render_text
from grader.results import read
from tests.grader.batch.marked_class import NAMES, Adjust, adjust, mark, out, record, report, results_of
from tests.grader.batch.report.conftest import leave_unwritten
from tests.grader.exports.refusals import refused

__all__ = ["adjust", "out"]
"""Fixtures of the neighbour."""
SEEN = ["dfs.b: 2 of 3 marks would move, by +30 points on average", "  ada_1: 90 -> 100", "  bob_2: 40 -> 90"]
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


def test_it_shows_first_whose_marks_would_move(failed: Path, withdraw: Withdraw) -> None:
    before = files(failed)
    assert withdraw() == [*SEEN, "Nothing was changed: repeat the command with --yes and --reason."]
    assert withdraw("--reason", "x") == [*SEEN, "Nothing was changed: repeat the command with --yes."]
    assert files(failed) == before
    assert not (failed / LEDGER).exists()


def test_a_withdrawn_check_costs_nobody_points(failed: Path, withdraw: Withdraw) -> None:
    assert withdraw("--yes", "--reason", "It was unclear.") == [*SEEN, "withdrawn"]
    assert [mark(failed, name) for name in NAMES] == [("100", "graded"), ("90", "graded"), ("", "refused")]
    (exercise,) = read(failed / "bob_2" / "results.json")["exercises"]
    assert (exercise["score"], [check["score"] for check in exercise["checks"]]) == (90.0, [40.0, 50.0])
    assert "withdrawn" not in read(failed / "cleo_3" / "results.json")
    assert '<span class="status">withdrawn</span>' in (failed / "index.html").read_text(encoding="utf-8")


def test_what_was_withdrawn_and_taken_back_leaves_no_trace(failed: Path, withdraw: Withdraw) -> None:
    before = files(failed)
    withdraw("--yes", "--reason", "x")
    assert withdraw("--undo", "--yes")[1:] == ["  ada_1: 100 -> 90", "  bob_2: 90 -> 40", "counted again"]
    assert files(failed) == before


def test_it_lies_over_every_regrade(failed: Path, withdraw: Withdraw) -> None:
    withdraw("--yes", "--reason", "x")
    record(failed, "bob_2", failing(30.0))
    report(failed)
    assert mark(failed, "bob_2") == ("80", "graded")
    with Journal(failed) as journal:
        assert journal.intact("bob_2")


def test_the_pages_of_students_say_so_in_their_language(failed: Path, withdraw: Withdraw) -> None:
    withdraw("--yes", "--reason", "It was <b>unclear</b>.")
    pages = [(failed / name / "feedback.html").read_text(encoding="utf-8") for name in ("ada_1", "bob_2")]
    assert "Withdrawn for the whole class" in pages[0]
    assert "Trukket for hele klassen" in pages[1]
    for page in pages:
        assert "It was &lt;b&gt;unclear&lt;/b&gt;." in page
    results = read(failed / "ada_1" / "results.json")
    for told in (render_text(results), render_markdown(results)):
        assert "was withdrawn: it costs nobody points" in " ".join(told.split())
    assert 'failures="0"' in junit_report([results]).decode()


def test_a_comparison_names_it_where_a_mark_moved(failed: Path, withdraw: Withdraw, tmp_path: Path) -> None:
    record(failed, "ada_1", results_of(100.0))
    report(failed)
    before = tmp_path / "before"
    for name in NAMES:
        (before / name).mkdir(parents=True)
        (before / name / "results.json").write_bytes((failed / name / "results.json").read_bytes())
    withdraw("--yes", "--reason", "x")
    assert compare(before, failed).splitlines() == [
        "1 of 3 results moved",
        "bob_2: 40 -> 90",
        "  withdrawn: nothing -> dfs.b",
    ]


def test_late_work_keeps_its_share_of_it(failed: Path, withdraw: Withdraw) -> None:
    late = {"days": 1, "percent": 10.0, "deadline": "2026-10-01T23:59:00+02:00", "submitted": ""}
    late |= {"score_before": 40.0, "taken": 4.0}
    record(failed, "bob_2", {**failing(40.0), "score": 36.0, "late": late})
    report(failed)
    assert "  bob_2: 36 -> 81" in withdraw("--yes", "--reason", "x")
    assert read(failed / "bob_2" / "results.json")["late"]["score_before"] == 90.0
    assert "  bob_2: 81 -> 36" in withdraw("--undo", "--yes")


def test_what_a_person_decided_stands_above_it_and_is_asked_about(
    failed: Path, withdraw: Withdraw, adjust: Adjust
) -> None:
    adjust("bob_2", "--score", "77")
    adjust("ada_1", "--check", "dfs.b", "+5")
    assert withdraw("--yes", "--reason", "x")[:2] == [
        "dfs.b: 1 of 3 marks would move, by +5 points on average",
        "  ada_1: 95 -> 100",
    ]
    assert mark(failed, "bob_2") == ("77", "graded")
    assert "adjusted when the grader gave 40; it gives 90 now" in (failed / "grades.csv").read_text("utf-8")
    assert adjust("ada_1", "--undo", reason="") == "ada_1: 100 -> 100"


@pytest.mark.parametrize("left_out", ["missing", "skipped", "zeroed", "unwritten"])
def test_what_was_not_handed_in_or_does_not_count_gets_nothing(
    failed: Path, withdraw: Withdraw, left_out: str
) -> None:
    found = failing(40.0)
    if left_out == "zeroed":
        found["exercises"][0]["zeroed"] = True
    elif left_out == "unwritten":
        leave_unwritten(found)
    else:
        found["exercises"][0]["checks"][1]["status"] = left_out
    record(failed, "bob_2", found)
    report(failed)
    assert withdraw("--yes", "--reason", "x")[1:] == ["  ada_1: 90 -> 100", "withdrawn"]


@pytest.mark.parametrize(("typed", "done"), [("y", True), ("yes", True), ("", False), ("n", False)])
def test_a_terminal_is_asked(
    failed: Path, withdraw: Withdraw, monkeypatch: pytest.MonkeyPatch, typed: str, done: bool
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: typed)
    assert withdraw("--reason", "x")[-1].startswith("withdrawn" if done else "Nothing was changed")
    assert (failed / LEDGER).exists() is done


def test_a_terminal_that_ends_has_not_agreed(withdraw: Withdraw, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(_prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("builtins.input", ended)
    assert withdraw("--reason", "x")[-1] == "Nothing was changed: repeat the command with --yes."


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("dfs.b", "--yes"), "expected a reason"),
        (("dfs.z",), "expected a check of these results, got dfs.z; there are dfs.a, dfs.b"),
        (("dfs.b", "--undo"), "dfs.b is not withdrawn; withdrawn here: none"),
    ],
)
def test_what_cannot_be_withdrawn(
    failed: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], words: str
) -> None:
    assert words in refused(capsys, "withdraw", failed, *more)


def test_a_check_is_withdrawn_once(
    failed: Path, withdraw: Withdraw, capsys: pytest.CaptureFixture[str]
) -> None:
    withdraw("--yes", "--reason", "x")
    assert "dfs.b was withdrawn already, by grace" in refused(capsys, "withdraw", failed, "dfs.b")
    line = json.loads((failed / LEDGER).read_bytes())
    told = [line[key] for key in ("action", "who", "check", "submission")]
    assert told == ["withdraw", "grace", "dfs.b", ""]


def test_a_check_that_all_pass_moves_nothing(failed: Path, withdraw: Withdraw) -> None:
    for name in ("ada_1", "bob_2"):
        record(failed, name, results_of(100.0))
    report(failed)
    assert withdraw()[0] == "dfs.b: none of 3 marks would move"
