"""At every write of every command: the disk is full, or can only be read, or the grader is killed.

Then the same command is given again, and all is as if nothing had happened: nothing lost, nothing twice, and
no file in between that is half of what it should be.
"""

from __future__ import annotations

import csv
import errno
import json
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grader.cli import main
from grader.exports.grades_csv import UNFINISHED
from tests.grader.batch.conftest import small_rubric
from tests.grader.faults.conftest import ADA
from tests.grader.faults.disk import Disk, Pictured, Refusing, standing

pytestmark = pytest.mark.usefixtures("nothing_is_run", "_untraced")
Arguments = Callable[[Path], list[str]]


class Command(NamedTuple):
    """A command that writes into a folder, and whether it starts from results of the class."""

    arguments: Arguments
    on_results: bool = True


@pytest.fixture(scope="session")
def commands(submissions: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Command]:
    folder = tmp_path_factory.mktemp("late")
    late, times = small_rubric(folder), folder / "times.csv"
    late.write_text(f"{late.read_text()}late: {{deadline: 2026-10-01T12:00:00+02:00, per_day: 10}}\n")
    times.write_text("student,time\n102,2026-10-02T08:00:00+02:00\n101,2026-10-01T08:00:00+02:00\n")
    one = submissions / "Ada Lovelace_101_assignsubmission_file_"
    adjust = ["--reason", "looked at it", "--by", "grace"]
    return {
        "batch": Command(lambda out: ["batch", str(submissions), "--out", str(out), "--quiet"], False),
        "again": Command(lambda out: ["batch", str(submissions), "--out", str(out), "--quiet", "--again"]),
        "grade": Command(lambda out: ["grade", str(one), "--out", str(out)], False),
        "regrade": Command(lambda out: ["regrade", str(out), "101"]),
        "adjust": Command(
            lambda out: ["adjust", str(out), "101", "--check", "dfs.visit-order", "-5", *adjust]
        ),
        "withdraw": Command(lambda out: ["withdraw", str(out), "dfs.valid-path", "--yes", *adjust]),
        "late": Command(lambda out: ["late", str(out), "--rubric", str(late), "--times", str(times)]),
        "forget": Command(lambda out: ["forget", str(out), "102"]),
        "review": Command(lambda out: ["review", str(out), "--done", ADA, "--by", "grace"]),
        "moodle": Command(
            lambda out: ["export", "moodle", str(out), "--out", str(out / "m.csv"), "--anyway"]
        ),
        "feedback": Command(lambda out: ["export", "feedback", str(out), "--out", str(out / "f.zip")]),
        "junit": Command(lambda out: ["export", "junit", str(out), "--out", str(out / "j.xml")]),
        "gradescope": Command(
            lambda out: ["export", "gradescope", str(out / ADA), "--out", str(out / "g.json")]
        ),
    }


OFTEN = ("batch", "adjust")
"""Stopped at every write by every run of the tests; all other commands are in continuous integration."""
OTHERS = (
    *("grade", "regrade", "withdraw", "late", "forget", "review"),
    *("moodle", "feedback", "junit", "gradescope"),
)
NAMES = (*OFTEN, *(pytest.param(name, marks=pytest.mark.ci) for name in OTHERS))


class JobGrader:
    """Runs one command over and over, each time in a folder as it was before."""

    def __init__(self, command: Command, results: Path, place: Path) -> None:
        self._command, self._results = command, results
        self.out = place / "out"

    def begin(self, picture: Path | None = None) -> dict[str, Any]:
        """Put the folder back as it was before, or as a picture has it; return what is there."""
        shutil.rmtree(self.out, ignore_errors=True)
        source = picture or (self._results if self._command.on_results else None)
        if source is not None:
            shutil.copytree(source, self.out)
        return content_of(self.out)

    def run(self, disk: Disk | None = None) -> int:
        """Give the command; return its exit status."""
        with standing(disk or Disk(self.out)):
            return main(self._command.arguments(self.out))


@pytest.fixture
def bench(request: pytest.FixtureRequest, commands: Mapping[str, Command], results: Path) -> JobGrader:
    return JobGrader(commands[request.param], results, results.parent)


@pytest.mark.parametrize("bench", NAMES, indirect=True)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS], ids=["full", "read-only"])
def test_the_disk_refuses(bench: JobGrader, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    before = bench.begin()
    counted = Disk(bench.out)
    assert bench.run(counted) == 0
    expected, left = content_of(bench.out), None
    assert len(counted.steps) >= 4
    for first, step in enumerate(counted.steps):
        bench.begin()
        capsys.readouterr()
        status = bench.run(Refusing(bench.out, first, number))
        found = content_of(bench.out)
        if status == 0:
            assert found == expected, step
            continue
        check_said(capsys.readouterr().err, bench.out)
        check_whole(found, before, expected)
        if found != left:
            assert bench.run() == 0, (step, capsys.readouterr())
            assert content_of(bench.out) == expected, step
            left = found


@pytest.mark.parametrize("bench", [*NAMES, pytest.param("again", marks=pytest.mark.ci)], indirect=True)
def test_the_grader_is_killed(bench: JobGrader, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = bench.begin()
    pictures = tmp_path / "pictures"
    assert bench.run(Pictured(bench.out, pictures)) == 0
    expected = content_of(bench.out)
    taken = sorted(pictures.iterdir())
    assert len(taken) >= 3
    for picture in taken:
        found = bench.begin(picture)
        check_whole(found, before, expected)
        status, said = bench.run(), capsys.readouterr()
        gone = (
            found == expected and "102 is none of the submissions here" in said.err
        )  # forgotten before the kill
        assert status == 0 or gone, (picture, said)
        assert content_of(bench.out) == expected, picture
        assert left_behind(bench.out) == []


def check_said(errors: str, out: Path) -> None:
    """One line at the end: what could not be done, with which file, why, and what to do next."""
    said = errors.splitlines()[-1]
    assert said.startswith(f"grader: cannot write {out}"), errors
    assert "No space left on device; make room" in said or "this disk can only be read: name a" in said
    assert "Traceback" not in errors


def check_whole(found: Mapping[str, Any], before: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Every file is as it was, or as it will be; only what one writes line by line may be in between."""
    for name, content in found.items():
        if name not in ("journal", "ledger.jsonl", "unfinished"):
            assert content in (before.get(name), expected.get(name)), name


def content_of(out: Path) -> dict[str, Any]:
    """What a reader sees of every file but those that say how long it took, and the rows of the journal."""
    found: dict[str, Any] = {}
    for path in sorted(out.rglob("[!.]*")):
        if path.is_file() and path.name != "batch.log.jsonl":
            found[path.relative_to(out).as_posix()] = _read(path)
    found["unfinished"] = (out / UNFINISHED).exists()
    if (out / ".journal.sqlite").exists():
        found["journal"] = _entries(out)
    return found


def _entries(out: Path) -> list[Any]:
    """The rows of a copy of the journal, so that the folder stays what it is."""
    with tempfile.TemporaryDirectory() as copy:
        for path in out.glob(".journal.sqlite*"):
            shutil.copy(path, copy)
        with closing(sqlite3.connect(Path(copy) / ".journal.sqlite")) as database:
            if not database.execute("select * from sqlite_schema").fetchall():
                return []
            return database.execute("select name, key, status from results").fetchall()


def _read(path: Path) -> Any:
    """The content, without the moment at which a person decided."""
    if path.name == "ledger.jsonl":
        return [_timeless(json.loads(line)) for line in path.read_bytes().splitlines() if line.endswith(b"}")]
    if path.suffix == ".json":
        return _timeless(json.loads(path.read_bytes()))
    if path.suffix == ".csv":
        return list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as packed:
            return {name: packed.read(name) for name in packed.namelist()}
    return path.read_bytes()


def _timeless(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _timeless(value) for key, value in data.items() if key != "when"}
    return [_timeless(item) for item in data] if isinstance(data, list) else data


def left_behind(out: Path) -> list[str]:
    """Files that were never finished."""
    return [path.name for path in out.rglob(".*") if path.name.rpartition(".")[2].isdecimal()]
