"""A run in which nothing has changed reads nothing, and a file that was changed is always seen."""

from __future__ import annotations

import csv
import json
import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.batch import change_detection, class_run
from grader.batch.change_detection import fingerprint_files
from grader.batch.class_run import BatchOptions, grade_class
from grader.batch.decisions import grade_again
from grader.batch.journal import Journal
from grader.batch.orchestrator import Tally
from grader.batch.report.class_page import write_reports
from grader.cli import main
from grader.course.plan import load_plan
from grader.errors import InputError
from grader.exports.grades_csv import UNFINISHED, page_language, read_key
from tests.fake_backends import AnsweringBackend
from tests.grader.batch.conftest import small_rubric
from tests.grader.faults.conftest import Here
from tests.submissions.loader import Case

WHO = ("ada", "bob")
FILE = "solvers/dfs.py"


def age(path: Path, probe: Path) -> None:
    """Wait until what is written from now on is younger than a file, by the clock of the file system."""
    before = max(path.stat().st_mtime_ns, path.stat().st_ctime_ns)
    probe.touch()
    while probe.stat().st_ctime_ns <= before:
        probe.touch()
    probe.unlink()


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two files that are old enough to be trusted."""
    monkeypatch.setattr(change_detection, "FRESH_NS", -change_detection.FRESH_NS)
    folder = tmp_path / "ada"
    (folder / "solvers").mkdir(parents=True)
    (folder / FILE).write_text("aaaa")
    (folder / "notes.txt").write_text("b")
    age(folder / FILE, tmp_path / "probe")
    return folder


def put_back(path: Path, found: os.stat_result) -> None:
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def edited(path: Path) -> None:
    """Another text of the same length, and the time of the last change as it was."""
    found = path.stat()
    path.write_text("zzzz")
    put_back(path, found)


def replaced(path: Path) -> None:
    """Another file in its place, of the same length and time."""
    found = path.stat()
    other = path.with_name("other")
    other.write_text("zzzz")
    put_back(other, found)
    other.replace(path)


CHANGES: dict[str, Callable[[Path], Any]] = {
    "longer": lambda path: path.write_text("aaaaa"),
    "touched": lambda path: path.touch(),
    "edited, its time put back": edited,
    "replaced, its time put back": replaced,
    "gone": lambda path: path.unlink(),
    "another name": lambda path: path.rename(path.with_name("bfs.py")),
    "another beside it": lambda path: path.with_name("bfs.py").touch(),
    "no longer to be read": lambda path: path.chmod(0o200),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_done_to_a_file_is_seen(old: Path, change: str) -> None:
    before = fingerprint_files([old], "")
    assert before
    assert fingerprint_files([old], "") == before
    CHANGES[change](old / FILE)
    assert fingerprint_files([old], "") != before


def test_what_is_younger_than_the_clock_of_the_disk_can_tell_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a"
    file.touch()
    born = file.stat().st_ctime_ns
    monkeypatch.setattr(time, "time_ns", lambda: born + change_detection.FRESH_NS - 1)
    assert fingerprint_files([file], "") == ""
    monkeypatch.setattr(time, "time_ns", lambda: born + change_detection.FRESH_NS)
    assert fingerprint_files([file], "") != ""


def test_a_link_is_not_trusted_and_neither_is_what_is_not_there(old: Path) -> None:
    (old / "link").symlink_to(old / FILE)
    assert fingerprint_files([old], "") == ""
    assert fingerprint_files([old / "nowhere"], "") == ""


# --- whole runs -----------------------------------------------------------------------------------------


class Runs:
    """A class of two that is graded again and again; what is old is trusted at once."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.submissions, self.out = folder / "class", folder / "out"
        for name in WHO:
            Case("right", "plain").materialise(self.submissions / name)
        (folder / "rubric").mkdir()
        self.rubric = small_rubric(folder / "rubric")
        self.read: list[str] = []
        self.reports, self.box = 0, "fake"
        grade = class_run._grade

        def graded(options: Any, jobs: Any, *more: Any) -> Any:
            self.read += [job.name for job in jobs]
            return grade(options, jobs, *more)

        def reported(*all_: Any) -> Any:
            self.reports += 1
            return write_reports(*all_)

        monkeypatch.setattr(class_run, "_grade", graded)
        monkeypatch.setattr("grader.batch.report.class_page.write_reports", reported)
        monkeypatch.setattr(class_run, "_executor", lambda _options, course, _count: Here(course))
        monkeypatch.setattr(class_run, "check_reference", lambda *_: None)
        monkeypatch.setattr(class_run, "choose", lambda *_, **__: (AnsweringBackend(name=self.box), ""))
        monkeypatch.setattr(class_run, "load_plan", cache(load_plan))
        monkeypatch.setattr(change_detection, "FRESH_NS", -change_detection.FRESH_NS)

    def __call__(self, **more: Any) -> tuple[list[str], int]:
        """Whose work is read, and how often reports are made."""
        self.read, self.reports = [], 0
        age(self.submissions, self.submissions.with_name("probe"))
        options = BatchOptions(self.submissions, self.out, **{"jobs": 1, "quiet": True, **more})
        assert grade_class(options) == 0
        return self.read, self.reports


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    made = Runs(tmp_path, monkeypatch)
    assert made(rubric=made.rubric) == (list(WHO), 1)
    return made


@pytest.mark.processes
def test_where_nothing_has_changed_nothing_is_read(
    runs: Runs, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path: path.read_bytes() for path in runs.out.rglob("*.*") if path.suffix in (".json", ".html")}
    monkeypatch.setattr(class_run, "check_reference", None)
    assert runs(quiet=False) == ([], 0)
    assert "2 graded, 0 refused, 0 without a mark; 2 unchanged" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.processes
def test_what_has_changed_is_read_and_nothing_else(runs: Runs) -> None:
    edited_file = runs.submissions / "bob" / FILE
    found = edited_file.stat()
    edited_file.write_bytes(edited_file.read_bytes().replace(b"def solve", b"def solvf"))
    put_back(edited_file, found)
    assert runs() == (["bob"], 1)
    with Journal(runs.out) as journal:
        assert "outlier" in (runs.out / ".items.json").read_text() or journal.entries()["bob"].earlier
    assert runs() == ([], 0)


@pytest.mark.processes
@pytest.mark.parametrize("more", [{"again": True}, {"sandbox": "process"}, {"explain": False}])
def test_another_way_of_grading_reads_all(runs: Runs, more: dict[str, Any]) -> None:
    assert runs(**more)[0] == list(WHO)
    events = [json.loads(line)["event"] for line in (runs.out / "batch.log.jsonl").read_text().splitlines()]
    assert events.count("graded") == 2 * len(WHO)


@pytest.mark.processes
def test_another_language_or_another_box_grades_nothing(
    runs: Runs, capsys: pytest.CaptureFixture[str]
) -> None:
    def languages() -> set[str | None]:
        return {page_language(runs.out / name / "feedback.html") for name in WHO}

    runs.box = "another"
    assert runs(language="nb", quiet=False) == ([], 1)
    told = capsys.readouterr().out
    assert "language: nb, before that of the rubric: pages are written in it, and nothing" in told
    assert "sandbox: auto takes another, before fake: what is graded stays as it is" in told
    assert told.endswith("0 of 2 marks changed\n")
    assert languages() == {"nb"}
    assert runs() == ([], 0)
    assert runs(taken_away=frozenset({"language"})) == ([], 1)
    assert languages() == {"en"}
    with Journal(runs.out) as journal:
        assert all(map(journal.intact, WHO))


@pytest.mark.processes
def test_a_folder_keeps_its_options_until_others_are_named(
    runs: Runs, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    last_release = json.loads((runs.out / ".class.json").read_text())
    moved = tmp_path / "moved"
    runs.rubric.parent.rename(moved)
    with pytest.raises(InputError, match="as in the last run, found none: give grader batch --rubric"):
        runs()
    assert runs(rubric=moved / runs.rubric.name, quiet=False) == ([], 1)
    assert "rubric" not in capsys.readouterr().out
    assert runs(quiet=False) == ([], 0)
    assert f"or none: --rubric {moved / runs.rubric.name}\n" in capsys.readouterr().out
    del last_release["digests"], last_release["late"]
    last_release["asked"]["rubric"] = str(moved / runs.rubric.name)
    (runs.out / ".class.json").write_text(json.dumps(last_release))
    assert runs() == ([], 0)
    maze = next(moved.glob("mazes/*.yaml"))
    maze.write_text(maze.read_text() + "# another\n")
    class_run.load_plan.cache_clear()  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="expected the rubric that the class was graded by"):
        grade_again(runs.out, ["ada"])
    assert runs(quiet=False)[0] == list(WHO)
    assert "has changed since the last run: all are graded again by it" in capsys.readouterr().out


@pytest.mark.processes
@pytest.mark.parametrize("name", ["grades.csv", "index.html", ".items.json"])
def test_a_report_that_was_changed_or_lost_is_made_again(runs: Runs, name: str) -> None:
    good = (runs.out / name).read_bytes()
    (runs.out / name).unlink()
    assert runs() == ([], 1)
    assert (runs.out / name).read_bytes() == good


@pytest.mark.processes
@pytest.mark.parametrize("are_nameless", [False, True])
def test_one_alone_is_graded_again_and_who_was_forgotten_stays_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, are_nameless: bool
) -> None:
    runs, key = Runs(tmp_path, monkeypatch), tmp_path / "key.csv"
    runs(rubric=runs.rubric, pseudonyms=key if are_nameless else None)
    called = {who.submission: name for name, who in read_key(key).items()} if are_nameless else {}
    ada, bob = (called.get(name, name) for name in WHO)
    assert main(["forget", str(runs.out), bob]) == 0
    for name in (*WHO, "dan"):
        (runs.submissions / name).mkdir(exist_ok=True)
        (runs.submissions / name / "mine.py").write_text("X = 1\n")
    runs.read = []
    assert main(["regrade", str(runs.out), ada]) == 0
    assert runs.read == [ada]
    assert {path.parent.name for path in runs.out.glob("*/results.json")} == {ada}
    with (runs.out / "grades.csv").open(encoding="utf-8", newline="") as file:
        assert [row["submission"] for row in csv.DictReader(file)] == [ada]
    assert not are_nameless or "bob" not in key.read_text(encoding="utf-8")


@pytest.mark.processes
def test_a_run_that_was_stopped_remembers_nothing_that_it_has_not_read(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    (runs.submissions / "bob" / FILE).write_text("x = 1\n")
    with monkeypatch.context() as patched:
        patched.setattr(class_run, "_grade", lambda *_: (Tally(), True))
        options = BatchOptions(runs.submissions, runs.out, 1, quiet=True)
        assert grade_class(options) == 1
    assert runs()[0] == ["bob"]


@pytest.mark.processes
def test_a_run_that_goes_on_after_a_kill_writes_the_page_first(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    (runs.out / UNFINISHED).touch()
    (runs.out / "index.html").unlink()
    (runs.submissions / "bob" / FILE).write_text("x = 1\n")
    grade, seen = class_run._grade, list[str]()

    def noted(*given: Any) -> Any:
        seen.append((runs.out / "index.html").read_text(encoding="utf-8"))
        return grade(*given)

    monkeypatch.setattr(class_run, "_grade", noted)
    runs()
    assert "ubmissions are compared when all are graded" in seen[0]
    assert "ubmissions are compared when all are graded" not in (runs.out / "index.html").read_text()
