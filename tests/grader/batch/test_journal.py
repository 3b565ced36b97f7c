"""The journal: refused where it is none, and whole or not there at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from grader.batch.journal import FILE, Journal, JournalRow
from grader.errors import DiskError, InputError
from tests.grader.exports.refusals import refused


def written(out: Path) -> Path:
    """A journal of forty results, and where it lies."""
    with Journal(out) as journal:
        for number in range(40):
            entry = JournalRow(f"student-{number}", "key", "graded", 0.1, "")
            journal.record(entry, b"{}", b"", Random(number).randbytes(2000))
    return out / FILE


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def overwritten(path: Path) -> None:
    content = path.read_bytes()
    middle = len(content) // 2
    path.write_bytes(content[:middle] + Random(1).randbytes(8192) + content[middle + 8192 :])


def changed_by(*statements: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            for statement in statements:
                database.execute(statement).close()

    return change


@pytest.mark.parametrize(
    "damage",
    [
        cut,
        overwritten,
        lambda path: path.write_bytes(b"no database, but long enough to be taken for one" * 20),
        changed_by("create trigger other after insert on results begin delete from results; end"),
        changed_by("alter table results add column score real"),
        changed_by("alter table taken add column why text"),
        changed_by("alter table results rename to before", "create view results as select * from before"),
        changed_by("alter table results drop column reason"),
    ],
)
def test_a_journal_that_is_none_of_ours_is_refused(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = written(tmp_path)
    damage(path)
    before = path.read_bytes()
    with pytest.raises(
        InputError, match=r"expected a journal of this grader: .*; delete \.journal\.sqlite\*"
    ):
        Journal(tmp_path)
    assert path.read_bytes() == before


def test_a_journal_of_a_newer_grader_is_left_to_it(tmp_path: Path) -> None:
    changed_by("pragma user_version = 5")(written(tmp_path))
    with pytest.raises(InputError, match=r"of a newer grader .* go on with that one, or name another folder"):
        Journal(tmp_path)


def test_a_journal_of_an_older_grader_is_gone_on_with(tmp_path: Path) -> None:
    gone = [
        f"alter table results drop column {column}"
        for column in ("earlier", "seen", "look", "layers", "again")
    ]
    changed_by(*gone, "drop table taken", "pragma user_version = 3")(written(tmp_path))
    for _ in range(2):
        with Journal(tmp_path) as journal:
            assert len(journal.entries()) == 40
            assert journal.entries()["student-7"] == JournalRow("student-7", "key", "graded", 0.1, "")
            assert journal.intact("student-7")


@pytest.mark.parametrize(
    "change",
    [
        "name = '../elsewhere' where name = 'student-1'",
        "name = 'a' || char(0) where name = 'student-1'",
        "name = cast(x'ff' as text) where name = 'student-1'",
        "status = 'perfect'",
        "key = x'00'",
        "seconds = 9e999",
        'earlier = \'{"dfs": "all"}\'',
    ],
)
def test_a_row_that_is_none_of_ours_is_refused(
    tmp_path: Path, change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    changed_by(f"update results set {change}")(written(tmp_path))
    told = refused(capsys, "adjust", tmp_path, "student-2", "--exempt", "--reason", "x")
    assert "expected a journal of this grader: " in told
    assert "run grader batch again: all are graded anew, and what people decided is kept" in told


@pytest.mark.parametrize("code", [b"", b"no code", b"\x78\x9cgarbage"])
def test_code_that_was_changed_is_refused(tmp_path: Path, code: bytes) -> None:
    changed_by(f"update results set code = x'{code.hex()}'")(written(tmp_path))
    with Journal(tmp_path) as journal, pytest.raises(InputError, match="expected a journal"):
        list(journal.code(["student-3"]))


def test_another_program_that_holds_the_journal_is_told(tmp_path: Path) -> None:
    path = written(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("pragma locking_mode = exclusive").close()
        other.execute("begin exclusive").close()
        with pytest.raises(InputError, match="another program holds the journal: end it"):
            Journal(tmp_path, patience=0.0)


def test_what_cannot_be_written_leaves_no_row(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "results.json").mkdir()
    with Journal(tmp_path) as journal:
        with pytest.raises(DiskError, match=r"results\.json: Is a directory; move away what has this name"):
            journal.record(JournalRow("ada", "key", "graded", 0.1, ""), b"{}", b"")
        assert journal.entries() == {}
        assert not journal.intact("ada")


def test_what_staff_saw_of_an_earlier_result_goes_with_it(tmp_path: Path) -> None:
    entry = JournalRow("ada", "key", "graded", 0.1, "")
    with Journal(tmp_path) as journal:
        journal.record(entry, b"{}", b"", staff={"staff.json": b"{1}", "staff.html": b"<p>"})
        assert (tmp_path / "ada" / "staff.html").read_bytes() == b"<p>"
        journal.record(entry, b"{}", b"", staff={"staff.json": b"{2}"})
        assert (tmp_path / "ada" / "staff.json").read_bytes() == b"{2}"
        assert not (tmp_path / "ada" / "staff.html").exists()


def test_code_is_kept_for_comparison(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.record(JournalRow("ada", "key", "graded", 0.1, ""), b"{}", b"", b"print(1)")
        assert list(journal.code(["ada", "bob"])) == [("ada", b"print(1)")]
        assert journal.intact("ada")
