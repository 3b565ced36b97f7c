"""The SQLite file of the journal, opened only if it has the schema that this grader writes.

People copy, edit and share the folder it lies in, so it is checked before it is used: its version, the
definition of its one table letter by letter (no foreign view, trigger or index is ever run), and its pages.
An SQLite error is reported with the file and with what to do next.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import permutations
from pathlib import Path
from typing import Any, Final

from grader.disk import disk_error
from grader.errors import GraderError, InputError
from grader.text import visible

VERSION: Final = 2
PATIENCE_SECONDS: Final = 5.0
"""How long another program may lock the file."""
_TABLE: Final = """results (
    name text primary key, key text not null, status text not null,
    results_sha text not null, page_sha text not null, code blob not null,
    seconds real not null, finished real not null, reason text not null
) without rowid"""
_ADDED: Final = ("earlier", "seen")
"""Text columns that version 2 added."""
_REFUSED: Final = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_IOERR: errno.EIO,
}
"""The system's error number for each error of SQLite that the disk causes."""
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_ANEW: Final = "run grader batch again: all are graded anew, and what people decided is kept"


class Database:
    """One connection; every statement is durable when it returns."""

    def __init__(self, path: Path, *, address: str = "", patience: float = PATIENCE_SECONDS) -> None:
        """Open or create the file; with a read-only SQLite URI as ``address``, write nothing.

        Raises InputError if the file is something else, and DiskError.
        """
        self._path = path
        with self._translate_errors():
            self._connection = sqlite3.connect(
                address or path, uri=bool(address), timeout=patience, isolation_level=None
            )
        try:
            tables = self._check_schema()
            if not address:
                self._prepare(tables)
        except GraderError:
            self._connection.close()
            raise

    def _prepare(self, tables: list[str]) -> None:
        """Create the table, or migrate it to the newest version."""
        self.run("pragma journal_mode=wal")
        self.run("pragma synchronous=full")
        if not tables:
            self.run(f"create table {_TABLE}")
        known = {row[1] for row in self.run("pragma table_info(results)")}
        for column in _ADDED:
            if column not in known:
                self.run(f"alter table results add column {column} text not null default ''")
        self.run(f"pragma user_version={VERSION}")

    def run(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run a statement, and return its rows. Raises InputError or DiskError."""
        with self._translate_errors(), closing(self._connection.execute(statement, values)) as rows:
            return rows.fetchall()

    def run_all(self, statement: str, values: Sequence[Sequence[object]]) -> None:
        """Run a statement with each of these values in one transaction. Raises InputError or DiskError."""
        with self._translate_errors(), self._connection:
            self._connection.execute("begin").close()
            self._connection.executemany(statement, values).close()

    def close(self) -> None:
        """Close the connection. Raises DiskError."""
        with self._translate_errors():
            self._connection.close()

    def damaged(self, how: str) -> InputError:
        """Return the error for a file with invalid content."""
        reason = visible(" ".join(how.split()))
        return InputError(
            f"expected a journal of this grader: {reason}; delete {self._path.name}* there and {_ANEW}",
            path=self._path,
        )

    def _check_schema(self) -> list[str]:
        """Return the table definitions of an empty or valid file. Raises InputError for any other."""
        (version,) = self.run("pragma user_version")[0]
        if version > VERSION:
            raise InputError(
                f"this journal is of a newer grader (version {version}, and {VERSION} is known here): "
                "go on with that one, or name another folder",
                path=self._path,
            )
        tables = [_without_spaces(str(sql)) for (sql,) in self.run("select sql from sqlite_schema")]
        if tables and (len(tables) > 1 or tables[0] not in _ALLOWED):
            raise self.damaged("it holds other tables")
        (health,) = self.run("pragma quick_check(1)")[0]
        if health != "ok":
            raise self.damaged(str(health))
        return tables

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise translate_error(error, self._path) or self.damaged(str(error)) from error


def translate_error(error: sqlite3.Error, path: Path, what: str = "the journal") -> GraderError | None:
    """Return the error for a lock or a failing disk, or None if the content of the file is at fault."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _BUSY:
        return InputError(
            f"another program holds {what}: end it, then give the same command again", path=path
        )
    if code == sqlite3.SQLITE_CANTOPEN:
        number = errno.EROFS if _is_read_only(path.parent) else errno.EACCES
    elif code in _REFUSED:
        number = _REFUSED[code]
    else:
        return None
    return disk_error(OSError(number, os.strerror(number)), path, doing="write")


def _without_spaces(sql: str) -> str:
    return "".join(sql.split())


def _table_with(columns: Sequence[str]) -> str:
    """Return the schema, without spaces, that SQLite stores once these columns were added in this order."""
    added = "".join(_without_spaces(f",{column} text not null default ''") for column in columns)
    return _without_spaces(f"CREATE TABLE {_TABLE}").replace(")without", f"{added})without")


_ALLOWED: Final = {_table_with(some) for count in range(3) for some in permutations(_ADDED, count)}
"""The valid schemas: the table with none, some or all of the added columns, in any order."""


def _is_read_only(folder: Path) -> bool:
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False
