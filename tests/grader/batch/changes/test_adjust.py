"""Marks that people change: signed, laid over every regrade, and the same in every table and page."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from grader.batch.journal import Journal
from grader.batch.marks import LEDGER, decisions, update_marks
from grader.batch.report.class_facts import load, save
from grader.batch.report.class_page import write_reports
from grader.batch.report.diff import compare
from grader.course.late_work import apply
from grader.model import ResultsJson
from grader.results import as_json
from tests.grader.batch.marked_class import Adjust, adjust, mark, out, record, report, results_of
from tests.grader.exports.refusals import refused

pytestmark = pytest.mark.processes

__all__ = ["adjust", "out"]
"""Fixtures of the neighbour."""

LATE: Any = {"submitted": "", "deadline": "2026-10-01T23:59:00+02:00", "days": 1, "percent": 10}


def lay(out: Path, lates: Mapping[str, Any]) -> list[str]:
    with Journal(out) as journal:
        changed = update_marks(out, journal, lates)
        write_reports(out, load(out), journal)
    return changed


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_points_of_a_check(out: Path, adjust: Adjust) -> None:
    before = (out / "ada_1" / "results.json").read_bytes()
    assert adjust("ada_1", "--check", "dfs.b", "+5") == "ada_1: 90 -> 95"
    assert adjust("1", "--check", "dfs.b", "+50") == "ada_1: 95 -> 100"
    assert adjust("Ada", "--check", "dfs.a", "-60") == "ada_1: 100 -> 50"
    assert mark(out, "ada_1") == ("50", "graded")
    results = json.loads((out / "ada_1" / "results.json").read_bytes())
    assert [check["score"] for check in results["exercises"][0]["checks"]] == [0.0, 50.0]
    assert results["exercises"][0]["score"] == 50.0
    assert [decision["who"] for decision in results["adjusted"]["decisions"]] == ["grace"] * 3
    for undone in ("ada_1: 50 -> 100", "ada_1: 100 -> 95", "ada_1: 95 -> 90"):
        assert adjust("ada_1", "--undo", reason="") == undone
    assert (out / "ada_1" / "results.json").read_bytes() == before


def test_the_page_of_exempt_work_has_no_mark_and_keeps_its_language(out: Path, adjust: Adjust) -> None:
    assert adjust("bob_2", "--exempt") == "bob_2: 40 -> exempt"
    assert mark(out, "bob_2") == ("", "exempt")
    page = (out / "bob_2" / "feedback.html").read_text(encoding="utf-8")
    assert '<html lang="nb">' in page
    assert "40 av 100" not in page.split("</header>")[0]


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
    assert adjust("ada_1", "--keep", reason="") == "ada_1: 65 -> 65"
    assert asked not in (out / "grades.csv").read_text(encoding="utf-8")


def test_a_deadline_that_moved_is_another_mark_of_the_grader(out: Path, adjust: Adjust) -> None:
    late = apply(cast(ResultsJson, results_of(80.0)), LATE)
    record(out, "ada_1", late, staff=results_of(80.0))
    report(out)
    assert adjust("ada_1", "--score", "50") == "ada_1: 72 -> 50"
    lay(out, {"ada_1": None})
    assert mark(out, "ada_1") == ("50", "graded")
    asked = "adjusted when the grader gave 72; it gives 80 now"
    assert asked in (out / "grades.csv").read_text(encoding="utf-8")
    assert adjust("ada_1", "--keep", reason="") == "ada_1: 50 -> 50"
    assert asked not in (out / "grades.csv").read_text(encoding="utf-8")
    assert adjust("ada_1", "--undo", reason="") == "ada_1: 50 -> 80"


def test_lateness_changes_and_all_pages_with_it(out: Path, adjust: Adjust, tmp_path: Path) -> None:
    plain = results_of(80.0)
    record(out, "ada_1", plain, staff=plain)
    report(out)
    before = files(out / "ada_1")
    adjust("ada_1", "--check", "dfs.b", "+10")
    shutil.copytree(out, tmp_path / "old")
    assert lay(out, {"ada_1": LATE}) == ["ada_1: 90 -> 81"]
    assert mark(out, "ada_1") == ("81", "graded")
    for page in ("feedback.html", "staff.html"):
        text = (out / "ada_1" / page).read_text(encoding="utf-8")
        assert "9 points were taken off: a day late (the deadline was 2026-10-01 23:59)." in text
        assert "A person changed this mark: 72 points became 81." in text
    assert json.loads((out / "ada_1" / "staff.json").read_bytes())["score"] == 81.0
    assert "ada_1: 90 -> 81\n  late: in time -> 1 day, 10 % off" in compare(tmp_path / "old", out)
    assert "adjusted when" not in (out / "grades.csv").read_text(encoding="utf-8")
    assert lay(out, {"ada_1": {"marked": True}}) == ["ada_1: 81 -> 90"]
    assert "marked late</span>" in (out / "index.html").read_text(encoding="utf-8")
    assert lay(out, {"ada_1": None}) == []
    adjust("ada_1", "--undo", reason="")
    assert files(out / "ada_1") == before
    with Journal(out) as journal:
        assert journal.intact("ada_1")


def test_results_that_somebody_changed_are_not_taken_for_the_graders(out: Path, adjust: Adjust) -> None:
    adjust("ada_1", "--score", "80")
    (out / "ada_1" / "results.json").write_bytes(as_json(cast(ResultsJson, results_of(100.0))))
    before = files(out / "ada_1")
    assert lay(out, {"ada_1": LATE}) == []
    assert files(out / "ada_1") == before
    assert "its files were changed after it was graded" in (out / "grades.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("who", ["ada_1/", "ADA", "{out}/ada_1", "{out}/ada_1/", "{out}/ada_1/feedback.html"])
def test_a_submission_may_be_named_by_a_path_into_its_folder(out: Path, adjust: Adjust, who: str) -> None:
    assert adjust(who.format(out=out), "--score", "80") == "ada_1: 90 -> 80"


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


@pytest.mark.parametrize("line", ["{}", "[]", "no", '{"when": 1}', "[" * 10_000])
def test_a_ledger_that_was_changed_is_refused(
    out: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    (out / LEDGER).write_text(f"{line}\n")
    told = refused(capsys, "adjust", out, "ada_1", "--exempt", "--reason", "x")
    assert "ledger.jsonl:1: expected a decision as grader adjust writes it" in told


def test_names_on_the_class_page_are_names_here(out: Path, adjust: Adjust) -> None:
    names = {"ada_1": "Lovelace, Ada", "bob_2": "Turing, Alan", "cleo_3": "Turing, Alan"}
    save(out, replace(load(out), names=names))
    assert adjust("Lovelace, Ada", "--score", "80") == "ada_1: 90 -> 80"
    page = (out / "index.html").read_text(encoding="utf-8")
    assert ">Turing, Alan (2)<" in page
    assert adjust("Turing, Alan (2)", "--score", "80") == "bob_2: 40 -> 80"
