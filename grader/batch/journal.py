"""The journal: which results are on the disk, whole, and what they were made from.

A result's files are written, each whole or not at all, before its row is committed; a row whose
files are not what it says is no row. So the grader may be killed at any moment: what has a row is
done, what has none is graded again.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Final, Literal, Self

from grader.batch.outliers import shares_of
from grader.errors import InputError
from grader.grading.pipeline import FEEDBACK, RESULTS, write_for_staff, write_whole
from grader.results import read

FILE: Final = ".journal.sqlite"
_VERSION: Final = 1
_TABLE: Final = """
create table if not exists results (
    name text primary key, key text not null, status text not null,
    results_sha text not null, page_sha text not null, code blob not null,
    seconds real not null, finished real not null, reason text not null
) without rowid"""
_LATER: Final = {"earlier", "seen"}
"""Columns that were added to the table since, of text."""
_NOTHING: Final[Mapping[str, bytes]] = MappingProxyType({})

_INSERT: Final = """
insert or replace into results
    (name, key, status, results_sha, page_sha, code, seconds, finished, reason, earlier)
values (?,?,?,?,?,?,?,?,?,?)"""

_ALL_BUT_CODE: Final = """
select name, key, status, results_sha, page_sha, seconds, reason, earlier from results order by name"""

Status = Literal["graded", "refused", "fault"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the journal."""

    name: str
    key: str
    status: Status
    seconds: float
    reason: str
    earlier: str = ""
    """What part of its points each exercise earned in the run before, as JSON; empty where there was none."""


class Journal:
    """The results in one folder; a context manager."""

    def __init__(self, out: Path) -> None:
        """Open or begin the journal of a folder. Raises InputError where there is something else."""
        self._out = out
        self._database = sqlite3.connect(out / FILE, isolation_level=None)
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise InputError(f"expected a journal of this grader: {error}", path=out / FILE) from None

    def _prepare(self) -> None:
        self._database.execute("pragma journal_mode=wal").close()
        self._database.execute("pragma synchronous=full").close()
        version = self._database.execute("pragma user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError(f"expected version {_VERSION}, found {version}: use another folder")
        self._database.execute(_TABLE).close()
        with closing(self._database.execute("pragma table_info(results)")) as rows:
            known = {row[1] for row in rows}
        for column in _LATER - known:
            self._database.execute(
                f"alter table results add column {column} text not null default ''"
            ).close()
        self._database.execute(f"pragma user_version={_VERSION}").close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    def record(
        self,
        entry: Entry,
        results: bytes,
        page: bytes,
        code: bytes = b"",
        staff: Mapping[str, bytes] = _NOTHING,
        *,
        finished: float | None = None,
    ) -> None:
        """Write a result's files, then its row. Raises OSError, with everything as it was."""
        folder = self._out / entry.name
        folder.mkdir(exist_ok=True)
        earlier = self._earlier(entry.name)
        write_whole(folder / FEEDBACK, page)
        write_for_staff(folder, staff)
        write_whole(folder / RESULTS, results)
        row = (
            *(entry.name, entry.key, entry.status, _sha(results), _sha(page)),
            *(zlib.compress(code), entry.seconds, finished or time.time(), entry.reason, earlier),
        )
        try:
            self._database.execute(_INSERT, row).close()
        except sqlite3.OperationalError as error:
            raise OSError(0, f"the journal cannot be written: {error}", str(self._out / FILE)) from error

    def _earlier(self, name: str) -> str:
        """The shares of the result that is about to be replaced; those before it where it is no whole one."""
        row = self._database.execute("select key, earlier from results where name = ?", (name,)).fetchone()
        if row is None or not row[0]:
            return row[1] if row else ""
        try:
            return json.dumps(shares_of(read(self._out / name / RESULTS)["exercises"]))
        except InputError:
            return ""

    def rewrite(
        self, entry: Entry, results: bytes, page: bytes, staff: Mapping[str, bytes] = _NOTHING
    ) -> None:
        """Put other files in the place of a result's, which stays the result of the same key."""
        for name, content in staff.items():
            write_whole(self._out / entry.name / name, content)
        write_whole(self._out / entry.name / FEEDBACK, page)
        write_whole(self._out / entry.name / RESULTS, results)
        self._database.execute(
            "update results set results_sha = ?, page_sha = ? where name = ?",
            (_sha(results), _sha(page), entry.name),
        ).close()

    def grade_again(self, name: str) -> None:
        """Have the next run make a result anew, whatever it hangs on."""
        self._database.execute("update results set key = 'again', seen = '' where name = ?", (name,)).close()

    def seen(self) -> dict[str, tuple[str, str]]:
        """What the files looked like that results were made from, and those of the results, by name."""
        with closing(self._database.execute("select name, seen from results where seen != ''")) as rows:
            return {
                name: (sources, results)
                for name, seen in rows
                for sources, _, results in [seen.partition("|")]
            }

    def remember(self, looks: Mapping[str, tuple[str, str]]) -> None:
        """Keep that, of results that may be kept."""
        rows = [("|".join(found), name) for name, found in looks.items()]
        self._database.execute("begin").close()
        self._database.executemany("update results set seen = ? where name = ? and key != ''", rows).close()
        self._database.execute("commit").close()

    def state(self) -> str:
        """A digest of all results, for what is made of them."""
        with closing(self._database.execute(_ALL_BUT_CODE)) as rows:
            return hashlib.sha256(repr(rows.fetchall()).encode("utf-8", "surrogatepass")).hexdigest()

    def forget(self, name: str) -> None:
        """Take a row out, and every byte of it from the files of the journal."""
        self._database.execute("pragma secure_delete=on").close()
        self._database.execute("delete from results where name = ?", (name,)).close()
        self._database.execute("vacuum").close()
        self._database.execute("pragma wal_checkpoint(truncate)").fetchall()

    def entries(self) -> dict[str, Entry]:
        """All rows, by name."""
        with closing(
            self._database.execute(
                "select name, key, status, seconds, reason, earlier from results order by name"
            )
        ) as rows:
            return {row[0]: Entry(*row) for row in rows}

    def intact(self, name: str) -> bool:
        """Tell whether a result's files are those that its row was written for."""
        row = self._database.execute(
            "select results_sha, page_sha from results where name = ?", (name,)
        ).fetchone()
        try:
            folder = self._out / name
            found = (_sha((folder / RESULTS).read_bytes()), _sha((folder / FEEDBACK).read_bytes()))
        except OSError:
            return False
        return row is not None and found == tuple(row)

    def code(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The students' code, one after the other."""
        for name in names:
            row = self._database.execute("select code from results where name = ?", (name,)).fetchone()
            if row is not None:
                yield name, zlib.decompress(row[0])


def codes_in(out: Path) -> list[tuple[str, bytes]]:
    """The code of all that is graded in a folder of results, which is not touched. Raises InputError."""
    address = f"{(out / FILE).resolve().as_uri()}?immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            rows = database.execute("select name, code from results where status = 'graded' order by name")
            return [(name, zlib.decompress(code)) for name, code in rows]
    except (sqlite3.DatabaseError, zlib.error) as error:
        raise InputError(f"expected a journal of this grader: {error}", path=out / FILE) from None


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
