"""Marks that people change: signed, laid over every regrade, and the same in every table and page."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.batch.journal import Journal
from grader.batch.ledger import LEDGER, decisions
from grader.batch.marks import update_marks
from grader.batch.report.class_facts import load
from grader.batch.report.class_page import write_reports
from grader.batch.report.diff import compare
from grader.results import Changes
from tests.grader.batch.marked_class import Adjust, adjust, mark, out, record, report, results_of
from tests.grader.exports.refusals import refused

pytestmark = pytest.mark.processes

__all__ = ["adjust", "out"]
"""Fixtures of the neighbour."""

LATE: Any = {"submitted": "", "deadline": "2026-10-01T23:59:00+02:00", "days": 1, "percent": 10}


def lay(out: Path, lates: Mapping[str, Any]) -> Changes:
    with Journal(out) as journal:
        changed = update_marks(out, journal, lates)
        write_reports(out, load(out), journal)
    return changed


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_decision_lies_over_every_regrade(out: Path, adjust: Adjust) -> None:
    adjust("ada_1", "--check", "dfs.b", "+5")
    record(out, "ada_1", results_of(90.0))
    report(out)
    assert mark(out, "ada_1") == ("95", "graded")
    with Journal(out) as journal:
        assert journal.intact("ada_1")


def test_a_mark_of_the_grader_that_has_changed_is_asked_about(out: Path, adjust: Adjust) -> None:
    adjust("ada_1", "--check", "dfs.b", "+5")
    record(out, "ada_1", results_of(60.0))
    report(out)
    assert mark(out, "ada_1") == ("65", "graded")
    asked = "adjusted when the grader gave 90; it gives 60 now"
    assert asked in (out / "grades.csv").read_text(encoding="utf-8")
    assert adjust("ada_1", "--keep", reason="") == "0 of 3 marks changed"
    assert asked not in (out / "grades.csv").read_text(encoding="utf-8")


def test_lateness_changes_and_all_pages_with_it(out: Path, adjust: Adjust, tmp_path: Path) -> None:
    plain = results_of(80.0)
    record(out, "ada_1", plain, staff=plain)
    report(out)
    before = files(out / "ada_1")
    adjust("ada_1", "--check", "dfs.b", "+10")
    shutil.copytree(out, tmp_path / "old")
    assert lay(out, {"ada_1": LATE}) == {"ada_1": ("90", "81")}
    assert mark(out, "ada_1") == ("81", "graded")
    for page in ("feedback.html", "staff.html"):
        text = (out / "ada_1" / page).read_text(encoding="utf-8")
        assert "9 points were taken off: a day late (the deadline was 2026-10-01 23:59)." in text
        assert "A person changed this mark: 72 points became 81." in text
    assert json.loads((out / "ada_1" / "staff.json").read_bytes())["score"] == 81.0
    assert "ada_1: 90 -> 81\n  late: in time -> 1 day, 10 % off" in compare(tmp_path / "old", out)
    assert "adjusted when" not in (out / "grades.csv").read_text(encoding="utf-8")
    assert lay(out, {"ada_1": {"marked": True}}) == {"ada_1": ("81", "90")}
    assert "marked late</span>" in (out / "index.html").read_text(encoding="utf-8")
    assert lay(out, {"ada_1": None}) == {}
    adjust("ada_1", "--undo", reason="")
    assert files(out / "ada_1") == before
    with Journal(out) as journal:
        assert journal.intact("ada_1")


def test_a_path_that_leads_elsewhere_names_nobody(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for who in (tmp_path / "ada_1", out, "/"):
        assert "is none of the submissions here" in refused(
            capsys, "adjust", out, who, "--exempt", "--reason", "x"
        )


def test_a_line_that_was_never_finished_is_no_decision(out: Path, adjust: Adjust) -> None:
    adjust("ada_1", "--score", "80")
    with (out / LEDGER).open("ab") as file:
        file.write(b'{"when": "2026-')
    assert len(decisions(out)["ada_1"]) == 1
    adjust("ada_1", "--score", "81")
    assert [decision.points for decision in decisions(out)["ada_1"]] == [80.0, 81.0]
