"""A class is open while it is graded: what is decided meanwhile is written down, and taken in by the run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.batch import deadlines, decisions, ledger, open_results, orchestrator
from grader.batch.job import Job
from grader.batch.journal import Journal
from grader.batch.ledger import LEDGER, Decision, append
from grader.batch.orchestrator import OpenClass
from grader.batch.report.class_facts import load
from grader.batch.report.class_page import NOT_COMPARED
from grader.cli import main
from grader.disk import Busy, hold, is_held
from grader.errors import InputError
from grader.exports import grades_csv
from grader.exports.grades_csv import UNFINISHED, is_running, marked_unfinished
from tests.grader.batch.marked_class import NAMES, mark, out, record, results_of

__all__ = ["out"]
BY = ("--by", "grace")


def begun(out: Path, journal: Journal, told: list[str] | None = None) -> OpenClass:
    facts = load(out)
    jobs = [Job(hand_in) for hand_in in facts.found.hand_ins]
    heard = told if told is not None else []
    return OpenClass(out, journal, facts, jobs, [], "en", lambda _, **facts: heard.append(facts["reason"]))


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Another process grades the class."""

    def busy(folder: Path) -> Any:
        raise Busy("another grader is working in this folder", path=folder)

    with monkeypatch.context() as patched:
        patched.setattr(open_results, "hold", busy)
        for module in (open_results, grades_csv, decisions):
            patched.setattr(module, "is_running", lambda _out: True)
        yield patched


def beside(capsys: pytest.CaptureFixture[str], *command: object) -> str:
    """What a command says while the class is graded."""
    assert main([str(each) for each in command]) == 0, capsys.readouterr().err
    told = capsys.readouterr().out
    assert "taken in by the run that is going on" in told
    return told


def test_marks_are_decided_beside_a_run_and_shown_by_it(
    out: Path, elsewhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {path: path.read_bytes() for path in out.rglob("*.*")}
    told = beside(capsys, "adjust", out, "ada", "--check", "dfs.b", "-10", "--reason", "x", *BY)
    assert told.startswith("ada_1: 90 -> 80")
    told = beside(capsys, "adjust", out, "ada", "--check", "dfs.b", "-10", "--reason", "x", *BY)
    assert told.startswith("ada_1: 80 -> 70")
    beside(capsys, "review", out, "--done", "refused", *BY)
    assert "0 open, 1 done" in (main(["review", str(out)]), capsys.readouterr().out)[1]
    beside(capsys, "withdraw", out, "dfs.a", "--reason", "x", "--yes", *BY)
    assert {path: path.read_bytes() for path in files} == files
    elsewhere.undo()
    with Journal(out) as journal:
        begun(out, journal).write(None)
    assert mark(out, "ada_1") == ("70", "graded")
    assert mark(out, "bob_2") == ("50", "graded")
    assert NOT_COMPARED[1:] in (out / "index.html").read_text(encoding="utf-8")


def test_what_counts_is_chosen_beside_a_run_and_taken_back(
    out: Path, elsewhere: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    came: list[dict[str, Any]] = [{"name": name, "modified": None, "files": {}} for name in ("old/", "new/")]
    choice = {"question": "question", "candidates": came}
    record(out, "ada_1", results_of(0.0, fault="a person has to say", choice=choice), "fault")
    assert beside(capsys, "choose", out, "ada", "new/", *BY).startswith("ada_1: new/ counts")
    assert ledger.chosen_numbers(out) == {"ada_1": {"question": 2}}
    beside(capsys, "choose", out, "ada", "--undo", *BY)
    assert ledger.chosen_numbers(out) == {}
    elsewhere.setattr(grades_csv, "is_running", lambda _out: False)
    assert main(["choose", str(out), "ada", "new/", *BY]) == 1
    assert "has just ended: give the same command again" in capsys.readouterr().err


def test_regrading_waits_for_the_end_of_a_run(
    out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    busy = [Busy("another grader is working in this folder")] * 2

    def held(folder: Path) -> Any:
        if busy:
            raise busy.pop()
        return hold(folder)

    monkeypatch.setattr(open_results, "hold", held)
    monkeypatch.setattr(open_results, "is_running", lambda _out: True)
    monkeypatch.setattr(open_results, "_LOOK_SECONDS", 0.0)
    with open_results.open_after_run(out) as journal:
        assert len(journal.entries()) == len(NAMES)
    assert capsys.readouterr().err == "a run is going on in this folder: waiting for its end\n"
    busy += [Busy("another grader is working in this folder")]
    monkeypatch.setattr(open_results, "is_running", lambda _out: False)
    with pytest.raises(Busy), open_results.open_after_run(out):
        pass


def test_what_is_late_is_said_beside_a_run(
    out: Path, elsewhere: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = dict.fromkeys(NAMES) | {"ada_1": {"days": 1, "penalty": 10}}
    elsewhere.setattr(deadlines, "_policy", lambda *_, **__: (None, []))
    elsewhere.setattr(deadlines, "lateness_as_asked", lambda _facts: late)
    elsewhere.setattr(orchestrator, "lateness_as_asked", lambda _facts: late)
    table = tmp_path / "times.csv"
    table.write_text("student,time\n")
    with Journal(out) as journal:
        run = begun(out, journal)
        beside(capsys, "late", out, "--times", table)
        run.save()
        assert load(out).asked["times"] == str(table)
        assert run._lates == late
        told: list[str] = []
        other = begun(out, journal, told)
        beside(capsys, "late", out, "--extensions", table)

        def gone(_facts: object) -> Any:
            raise InputError("nothing is there", path=table)

        elsewhere.setattr(orchestrator, "lateness_as_asked", gone)
        other.save()
        assert told[0].startswith("what is late was not taken in: ")


def test_a_run_takes_in_all_that_is_decided_before_it_ends(out: Path) -> None:
    def choose(number: int) -> None:
        append(out, Decision("", "grace", "bob_2", "choose", 0.0, check="question", points=number))

    with Journal(out) as journal, marked_unfinished(out, by_run=True):
        run = begun(out, journal)
        assert run.news() == []
        stamp = run.save()
        choose(2)
        assert not run.end(stamp)
        assert [(job.name, job.choices) for job in run.news()] == [("bob_2", {"question": 2})]
        assert (run.news(), run.chosen) == ([], {"bob_2"})
        append(out, Decision("", "grace", "", "looked", 0.0, check="item"))
        assert run.news() == []
        assert run.end(run.save())
        assert not (out / UNFINISHED).exists()


def test_reports_take_up_to_a_twentieth_of_the_time(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, written = [0.0], list[float]()

    def write(_run: OpenClass, _tell: object) -> None:
        written.append(now[0])
        now[0] += 3.0

    monkeypatch.setattr("grader.batch.orchestrator.time.monotonic", lambda: now[0])
    monkeypatch.setattr(OpenClass, "write", write)
    with Journal(out) as journal:
        run = begun(out, journal)
        for done in range(600):
            now[0] += 1.0
            run.tick(done)
            assert 3.0 * len(written) <= max(now[0], 60.0) / 20
    assert written[0] == 20.0
    assert len(written) > 5


def test_a_run_is_told_from_another_command_and_from_one_that_was_killed(out: Path) -> None:
    assert not is_running(out)
    with marked_unfinished(out, by_run=True):
        assert not is_running(out)
    assert not is_held(out / "nowhere")


def elsewhere_for_real(out: Path, act: Callable[[], None]) -> int:
    """Do something in another process while this one grades; return its exit status."""
    with hold(out), marked_unfinished(out, by_run=True):
        child = os.fork()
        if not child:
            status = 1
            try:
                act()
                status = 0
            finally:
                os._exit(status)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.processes
def test_another_process_exports_and_decides_while_a_class_is_graded(out: Path, tmp_path: Path) -> None:
    def act() -> None:
        assert is_running(out)
        export = ["export", "canvas", str(out), "--out", str(tmp_path / "marks.csv"), "--anyway"]
        assert main(export) == 0
        assert main(["adjust", str(out), "ada_1", "--score", "5", "--reason", "x", *BY]) == 0

    assert elsewhere_for_real(out, act) == 0
    assert (tmp_path / "marks.csv").is_file()
    assert json.loads((out / LEDGER).read_text())["points"] == 5
    assert json.loads((out / "ada_1" / "results.json").read_bytes())["score"] == 90


@pytest.mark.processes
def test_two_writers_lose_no_line(out: Path) -> None:
    children = []
    for who in range(4):
        child = os.fork()
        if not child:
            for number in range(25):
                append(out, Decision(str(number), str(who), "ada_1", "comment", 0.0, comment="x" * 300))
            os._exit(0)
        children.append(child)
    assert {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children} == {0}
    lines = [json.loads(line) for line in (out / LEDGER).read_text().splitlines()]
    for who in range(4):
        assert [line["when"] for line in lines if line["who"] == str(who)] == [*map(str, range(25))]
