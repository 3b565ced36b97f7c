"""Targets for files of the staff: rubrics, test mazes and gradebooks, ledgers and journals."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from grader.batch.journal import FILE, Journal, JournalRow, codes_in
from grader.batch.ledger import LEDGER, Decision, append, decisions, looked_at, withdrawals
from grader.course.maze_files import load_maze_file
from grader.course.plan import disagreement
from grader.course.rubric import TOTAL, load_rubric
from grader.errors import InputError, MazeFileError, RubricError
from grader.exercises.registry import titles
from grader.exports.gradebook import fill_gradebook
from grader.exports.grades_csv import read_grades
from grader.exports.scores import make_table
from grader.platforms.base import PLATFORMS, Grade
from lab import Maze

MAZE: Final = """name: One way
catches: nothing
visibility: public
maze: |
  +-+-+
  |S E|
  +-+-+
"""
GRADES: Final = (
    Grade("ada", "Ada Lovelace", "7", 87.5, 100.0, "graded", "", ""),
    Grade("=bob", "Bob, Jr.", "", 0.0, 100.0, "graded", "", ""),
    Grade("cy", "Čy", "12", None, 0.0, "refused", "", ""),
)

DECISION: Final = Decision("2026-01-01T00:00:00+00:00", "Ada", "bob", "score", 5.0, "late bus", points=7.0)
_COLUMNS: Final = ("key", "reason", "earlier", "seen", "code")
"""Columns of the journal with free content; the first byte of an input selects one."""


def rubric(data: bytes) -> None:
    """A rubric is read, or refused with the place of the mistake."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, "rubric.yaml")
        path.write_bytes(data)
        mazes = path.parent / "mazes"
        mazes.mkdir()
        (mazes / "one.yaml").write_text(MAZE, encoding="utf-8")
        with suppress(RubricError, MazeFileError):
            found = load_rubric(path, checks=titles(), agrees=disagreement)
            worth = sum(check.points for exercise in found.exercises for check in exercise.checks)
            assert round(worth, 2) == TOTAL


def mazes(data: bytes) -> None:
    """A test maze is read, or refused with the place of the mistake."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, "maze.yaml")
        path.write_bytes(data)
        with suppress(MazeFileError):
            found = load_maze_file(path, agrees=disagreement)
            assert Maze.from_text(found.text) == found.maze


def gradebooks(data: bytes) -> None:
    """A gradebook of any platform is filled in, or refused; so is a grades table that people saved anew."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, "gradebook.csv")
        for platform in PLATFORMS:
            path.write_bytes(data)
            with suppress(InputError):
                filled = fill_gradebook(platform, path, GRADES)
                path.write_bytes(filled.content)
                again = fill_gradebook(platform, path, GRADES)
                assert (again.changes, again.written) == ((), filled.written)
        path.with_name("grades.csv").write_bytes(data)
        with suppress(InputError):
            _make_tables(path.parent)


def _make_tables(out: Path) -> None:
    grades = read_grades(out)
    for platform in PLATFORMS:
        with suppress(InputError):
            make_table(platform, out, grades, "Lab")


def ledger(data: bytes) -> None:
    """The lines are read or refused; if they are read, another decision is appended."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        out = Path(folder)
        (out / LEDGER).write_bytes(data)
        with suppress(InputError):
            before = [len(decisions(out).get(DECISION.submission, ())), withdrawals(out), looked_at(out)]
            append(out, DECISION)
            after = [len(decisions(out)[DECISION.submission]) - 1, withdrawals(out), looked_at(out)]
            assert after == before
            assert decisions(out)[DECISION.submission][-1] == DECISION


def journal(data: bytes) -> None:
    """A row with this content in a column is read or refused, and so are these bytes as the whole file."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        out = Path(folder)
        with Journal(out) as made:
            made.record(JournalRow("ada", "key", "graded", 0.1, ""), b"{}", b"", b"print()")
        column, value = _COLUMNS[data[0] % len(_COLUMNS) if data else 0], data[1:]
        with closing(sqlite3.connect(out / FILE, isolation_level=None)) as database:
            stored = f"update results set {column} = {'?' if column == 'code' else 'cast(? as text)'}"
            database.execute(stored, (value,)).close()
        _read(out)
        for left in out.glob(f"{FILE}*"):
            left.unlink()
        (out / FILE).write_bytes(data)
        _read(out)


def _read(out: Path) -> None:
    with suppress(InputError):
        assert all(len(code) <= 1024 * 1024 for _, code in codes_in(out))
    with suppress(InputError), Journal(out) as known:
        for name in known.entries():
            assert isinstance(known.intact(name), bool)
        known.seen()
        known.state()
        assert zlib.crc32(b"".join(code for _, code in known.code(list(known.entries())))) >= 0
