"""The journal: refused where it is none, and whole or not there at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.batch.journal import FILE, Entry, Journal
from grader.errors import InputError


def test_a_journal_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database, but long enough to be taken for one" * 20)
    with pytest.raises(InputError, match="expected a journal of this grader"):
        Journal(tmp_path)


def test_what_cannot_be_written_leaves_no_row(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "results.json").mkdir()
    with Journal(tmp_path) as journal:
        with pytest.raises(OSError, match="directory"):
            journal.record(Entry("ada", "key", "graded", 0.1, ""), b"{}", b"")
        assert journal.entries() == {}
        assert not journal.intact("ada")


def test_what_staff_saw_of_an_earlier_result_goes_with_it(tmp_path: Path) -> None:
    entry = Entry("ada", "key", "graded", 0.1, "")
    with Journal(tmp_path) as journal:
        journal.record(entry, b"{}", b"", staff={"staff.json": b"{1}", "staff.html": b"<p>"})
        assert (tmp_path / "ada" / "staff.html").read_bytes() == b"<p>"
        journal.record(entry, b"{}", b"", staff={"staff.json": b"{2}"})
        assert (tmp_path / "ada" / "staff.json").read_bytes() == b"{2}"
        assert not (tmp_path / "ada" / "staff.html").exists()


def test_code_is_kept_for_comparison(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.record(Entry("ada", "key", "graded", 0.1, ""), b"{}", b"", b"print(1)")
        assert list(journal.code(["ada", "bob"])) == [("ada", b"print(1)")]
        assert journal.intact("ada")
