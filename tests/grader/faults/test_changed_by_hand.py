"""Files that somebody has changed, or that are cut off, are never believed and always told; and a clock."""

from __future__ import annotations

import csv
import json
import shlex
from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import pytest

from grader.batch import decisions
from grader.batch.ledger import LEDGER
from grader.cli import main
from grader.exports.grades_csv import UNFINISHED
from tests.grader.exports.refusals import refused
from tests.grader.faults.conftest import ADA, BOB

pytestmark = pytest.mark.usefixtures("nothing_is_run")
ADJUST = ("--check", "dfs.visit-order", "-5", "--reason", "looked at it", "--by", "grace")
Batch = Callable[[], int]


def change(path: Path, **values: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **values}), encoding="utf-8")


def row(out: Path, name: str) -> dict[str, str]:
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        (found,) = [row for row in csv.DictReader(file) if row["submission"] == name]
    return found


def ledger(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / LEDGER).read_bytes().splitlines()]


def test_a_result_that_was_changed_does_not_count_until_it_is_graded_again(
    results: Path, batch: Batch, capsys: pytest.CaptureFixture[str]
) -> None:
    mark = row(results, ADA)["score"]
    change(results / ADA / "results.json", score=100.0)
    told = refused(capsys, "adjust", results, "101", *ADJUST)
    assert "results.json: this file was changed after the grader wrote it: grade the submission again" in told
    assert told.rstrip().endswith(f"grader regrade {shlex.quote(str(results))} '{ADA}'")
    assert not (results / LEDGER).exists()
    assert (row(results, ADA)["score"], row(results, ADA)["status"]) == ("", "waiting")
    assert "its files were changed after it was graded" in row(results, ADA)["look_at"]
    assert row(results, BOB)["score"] == mark
    assert main(["regrade", str(results), "101"]) == 0
    assert row(results, ADA)["score"] == mark
    assert main(["adjust", str(results), "101", *ADJUST]) == 0
    change(results / ADA / "results.json", score=100.0)
    assert batch() == 0
    assert float(row(results, ADA)["score"]) == float(mark) - 5


def test_what_no_grader_writes_is_refused_by_all_who_read_it(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = (results / ADA / "results.json").read_bytes()
    layer: dict[str, Any] = {"before": {"score": 50.0, "late": None, "exercises": {}, "checks": {}}}
    odd: list[dict[str, Any]] = [
        *({"score": 900.0}, {"score": float("nan")}, {"score": -1.0}, {"exercises": [{}]}),
        *({"adjusted": layer}, {"adjusted": []}),
    ]
    for values in odd:
        (results / ADA / "results.json").write_bytes(written)
        change(results / ADA / "results.json", **values)
        for command in (
            *(("show", results / ADA), ("adjust", results, "101", *ADJUST), ("diff", results, results)),
        ):
            told = refused(capsys, *command)
            assert "expected a complete results.json, this one was changed: grade again" in told
        assert main(["review", str(results)]) == 0
        assert row(results, ADA)["status"] == "waiting"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"[" * 100_000, b'{"found": 1}'])
def test_what_is_known_of_the_class_is_made_anew(
    results: Path, batch: Batch, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (results / ".class.json").write_bytes(content)
    for command in (("review", results), ("adjust", results, ADA, *ADJUST), ("regrade", results, ADA)):
        assert "wrote: delete .class.json there" in refused(capsys, *command)
    assert batch() == 1
    assert "wrote: delete .class.json there" in capsys.readouterr().err
    (results / ".class.json").unlink()
    assert batch() == 0
    assert main(["review", str(results)]) == 0
    written = json.loads((results / ".class.json").read_bytes())
    student = written["found"]["hand_ins"][0]
    odd: list[dict[str, Any]] = [
        *({**written, "title": 5}, {**written, "wall_seconds": "long"}, {**written, "exercises": [["dfs"]]}),
        *({**written, "asked": []}, {**written, "asked": {"rubric": 5}}),
        *(
            {**written, "found": {**written["found"], "hand_ins": [{**student, **changed}]}}
            for changed in ({"name": "../x"}, {"platform": "elsewhere"}, {"student": 5})
        ),
    ]
    for values in odd:
        (results / ".class.json").write_text(json.dumps(values))
        assert "run grader batch again" in refused(capsys, "review", results)


def test_marks_are_not_exported_while_a_run_is_not_finished(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (results / UNFINISHED).touch()
    for what in ("moodle", "feedback", "junit"):
        told = refused(capsys, "export", what, results, "--out", tmp_path / "out", "--anyway")
        assert "was stopped before grades.csv was written: give its command again, or grader review" in told
    assert main(["review", str(results)]) == 0
    assert main(["export", "moodle", str(results), "--out", str(tmp_path / "out"), "--anyway"]) == 0


@pytest.mark.parametrize("command", [("review",), ("adjust", "101", *ADJUST), ("regrade", "101")])
def test_a_batch_that_was_killed_before_its_end_is_to_be_gone_on_with(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    for name in (".class.json", "grades.csv", "index.html"):
        (results / name).unlink()
    (results / UNFINISHED).touch()
    name, *more = command
    told = refused(capsys, name, results, *(["Ada"] if more[:1] else []), *more[1:])
    assert "has begun here and not come to its end: give its command again\n" in told
    told = refused(capsys, "export", "moodle", results, "--out", tmp_path / "out", "--anyway")
    assert told.endswith("was stopped before grades.csv was written: give its command again\n")


def test_a_decision_is_added_unless_it_is_the_one_that_was_not_finished(results: Path) -> None:
    for _ in range(2):
        assert main(["adjust", str(results), "101", *ADJUST]) == 0
    (results / UNFINISHED).touch()
    assert main(["adjust", str(results), "101", *ADJUST[:-1], "ada"]) == 0
    assert len(ledger(results)) == 3
    (results / UNFINISHED).touch()
    assert main(["adjust", str(results), "101", *ADJUST[:-1], "ada"]) == 0
    assert len(ledger(results)) == 3


class BackwardsClock:
    """Each look at it is a year before the last one."""

    year = 2030

    def now(self, zone: tzinfo) -> datetime:
        self.year -= 1
        return datetime(self.year, 1, 1, tzinfo=zone)


def test_where_the_clock_jumps_backwards_decisions_count_in_the_order_in_which_they_were_made(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "datetime", BackwardsClock())
    for points in ("60", "70"):
        asked = ["adjust", str(results), ADA, "--by", "grace", "--score", points, "--reason", "x"]
        assert main(asked) == 0
    assert json.loads((results / ADA / "results.json").read_bytes())["score"] == 70.0
    assert main(["adjust", str(results), ADA, "--by", "grace", "--undo"]) == 0
    assert [decision["points"] for decision in ledger(results)[:1]] == [60.0]
    assert json.loads((results / ADA / "results.json").read_bytes())["score"] == 60.0
