"""Targets for files beside results, which people copy, repair and share: ledger, journal."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from grader.batch.journal import FILE, Journal, JournalRow, codes_in
from grader.batch.marks import LEDGER, Decision, append, decisions, looked_at, withdrawals
from grader.errors import InputError

DECISION: Final = Decision("2026-01-01T00:00:00+00:00", "Ada", "bob", "score", 5.0, "late bus", points=7.0)
_COLUMNS: Final = ("key", "reason", "earlier", "seen", "code")
"""Columns of the journal with free content; the first byte of an input selects one."""


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
