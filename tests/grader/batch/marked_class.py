"""A class of three with marks, and the commands by which people change them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.batch.journal import Journal, JournalRow
from grader.batch.marks import update_marks
from grader.batch.report.class_facts import ClassFacts, save
from grader.batch.report.class_page import write_reports
from grader.cli import main
from grader.feedback import render_html
from grader.intake.class_listing import ClassListing, HandIn
from grader.results import as_json
from tests.grader.batch.report.conftest import result

NAMES = ("ada_1", "bob_2", "cleo_3")
Adjust = Callable[..., str]


def results_of(score: float, **more: Any) -> dict[str, Any]:
    """Return a result with two checks of 50 points each."""
    found = result(score, title="Lab", language="en", isolation="", **more)
    (exercise,) = found["exercises"]
    first, second = exercise["checks"][0] | {"id": "dfs.a"}, exercise["checks"][0] | {"id": "dfs.b"}
    first.update(score=min(score, 50.0), max_score=50.0)
    second.update(score=max(0.0, score - 50.0), max_score=50.0)
    exercise.update(checks=[first, second], gallery=[], output="", zeroed=False)
    return found


def record(out: Path, name: str, results: Any, status: Any = "graded", staff: Any = None) -> None:
    def page(results: Any) -> bytes:
        return render_html(results, language="nb" if name == "bob_2" else None).encode()

    more = {"staff.json": as_json(staff), "staff.html": page(staff)} if staff else {}
    with Journal(out) as journal:
        entry = JournalRow(name, "key", status, 1.0, "")
        journal.record(entry, as_json(results), page(results), staff=more)


def report(out: Path) -> None:
    hand_ins = tuple(HandIn(name, (), name[:-2], name[-1], "canvas") for name in NAMES)
    facts = ClassFacts("Lab", "fake", (("dfs", "DFS"),), 60.0, ClassListing("canvas", hand_ins, ()))
    save(out, facts)
    with Journal(out) as journal:
        update_marks(out, journal)
        write_reports(out, facts, journal)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    record(folder, "ada_1", results_of(90.0))
    record(folder, "bob_2", results_of(40.0))
    record(folder, "cleo_3", results_of(0.0, status="missing", notes=["The zip is broken."]), "refused")
    report(folder)
    return folder


@pytest.fixture
def adjust(out: Path, capsys: pytest.CaptureFixture[str]) -> Adjust:
    def run(who: str, *change: str, reason: str = "looked at it") -> str:
        arguments = [
            "adjust",
            str(out),
            who,
            *change,
            "--by",
            "grace",
            *(["--reason", reason] if reason else []),
        ]
        assert main(arguments) == 0, capsys.readouterr().err
        return capsys.readouterr().out.strip()

    return run


def mark(out: Path, name: str) -> tuple[str, str]:
    """Return score and status from the table, after comparing them with results.json and the class page."""
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        (row,) = [row for row in csv.DictReader(file) if row["submission"] == name]
    results = json.loads((out / name / "results.json").read_bytes())
    if row["score"]:
        assert float(row["score"]) == results["score"]
        assert f'data-value="{results["score"]}"' in (out / "index.html").read_text(encoding="utf-8")
    return row["score"], row["status"]
