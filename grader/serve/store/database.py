"""The SQLite file of the service: one connection per thread, and every committed change is on the disk.

Theory of operation. The dispatcher and the web process share nothing but this file and the data folder. The
file has a write-ahead log, so readers never wait; ``synchronous=full`` puts a change on the disk before it is
acknowledged; writers take the lock at the beginning of a transaction, so no decision is based on data that
another writer is about to change.
"""

from __future__ import annotations

import itertools
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from grader.disk import sqlite_error
from grader.errors import GraderError, InputError

VERSION: Final = 12
"""The version of the schema, stored as user_version in the file."""
PATIENCE_SECONDS: Final = 30.0
"""A writer waits up to 30 seconds for another one."""
_BEFORE: Final = ".before-"
"""Between the name of the database and the version, in the name of a copy that was made before an upgrade."""
_SCHEMA: Final = Path(__file__).with_name("schema.sql")


def _schema() -> list[str]:
    return _SCHEMA.read_text(encoding="utf-8").split(";\n")


def _schema_of(*tables: str) -> list[str]:
    """Return the statements that create these tables."""
    return [each for each in _schema() if any(f"create table {table} (" in each for table in tables)]


_FROM_NOW: Final = "strftime('%s', 'now') + case role when 'staff' then 7 else 30 end * 86400"
_OWNED: Final = "from people where people.id = person"
_CHANGES: Final[Mapping[int, Sequence[str]]] = {
    3: (
        "alter table counting add column results blob",
        "update people set changed = 1",
        "alter table invites add column made_by integer",
        "alter table lti_platforms add column audience text not null default ''",
        "alter table lti_lineitems add column container text not null default ''",
        "alter table lti_lineitems add column link text not null default ''",
    ),
    4: (
        "alter table counting add column waits integer not null default 0",
        "alter table tokens add column expires real not null default 0",
        "alter table invites add column expires real not null default 0",
        f"update tokens set expires = {_FROM_NOW} {_OWNED}",
        f"update invites set expires = {_FROM_NOW} {_OWNED}",
        f"update sessions set expires = min(expires, {_FROM_NOW}) {_OWNED} and role = 'staff'",
        "alter table attempts drop column clock",
        "alter table attempts add column again blob not null default x''",
    ),
    5: (
        "alter table attempts add column unread integer not null default 0 check (unread in (0, 1))",
        "drop index one_waiting",
        "create unique index one_waiting on attempts (person) "
        "where state = 'waiting' and result_key is null and unread = 0",
    ),
    6: (
        "alter table people add column rank text not null default 'teacher' "
        "check (rank in ('teacher', 'assistant'))",
        "alter table people add column rank_given integer not null default 0 check (rank_given in (0, 1))",
        "alter table attempts add column stamp text not null default ''",
        "alter table attempts add column edition integer not null default 0",
        "alter table attempts add column state_before text not null default ''",
        "update attempts set state_before = case when result_key is null then 'fault' "
        "when reason != '' then 'refused' else 'graded' end where state = 'withdrawn'",
        "alter table counting add column points text not null default '{}'",
        "update people set changed = 1",
        *_schema_of("regrades", "second_results"),
    ),
    7: ("alter table lti_contexts add column members text not null default ''",),
    8: (
        "alter table lti_platforms add column course text",
        "alter table lti_platforms add column inside text",
        *_schema_of("lti_registrations"),
    ),
    9: _schema_of("mails"),
    10: _schema_of("answers"),
    11: _schema_of("tries"),
}
"""The statements that migrate a database from a version to the next one."""

T = TypeVar("T")
Values = Sequence[object] | Mapping[str, object]


def copies_before(path: Path) -> list[Path]:
    """Return the copies of a database that were made before it was brought up to date."""
    return sorted(path.parent.glob(f"{path.name}{_BEFORE}*"))


class Store:
    """The database; threads may share it, and ``close`` before a fork lets both processes open it again."""

    def __init__(self, path: Path, *, migrates: bool = False) -> None:
        """Open or create the file; only who holds the folder alone ``migrates`` one of an earlier version.

        A copy of that is kept beside it. Raises InputError if it is not a database of the service, or not of
        this version, and DiskError.
        """
        self.path = path
        self._local = threading.local()
        version = self.value("pragma user_version")
        if version in _CHANGES and migrates:
            copy = path.with_name(f"{path.name}{_BEFORE}{version}")
            copy.unlink(missing_ok=True)  # of an upgrade that did not come to its end
            self.rows("vacuum into ?", (str(copy),))
            copy.chmod(0o600)
        with self.transaction():
            self._begin(migrates=migrates)

    def rows(self, statement: str, values: Values = ()) -> list[sqlite3.Row]:
        """Run a statement and return its rows. Raises InputError or DiskError."""
        with self._told():
            return self._connection().execute(statement, values).fetchall()

    def row(self, statement: str, values: Values = ()) -> sqlite3.Row | None:
        """Run a statement and return its first row; None if it has none."""
        return next(iter(self.rows(statement, values)), None)

    def value(self, statement: str, values: Values = ()) -> Any:
        """Run a statement and return the first value of its first row; None if it has no row."""
        row = self.row(statement, values)
        return None if row is None else row[0]

    def column(self, statement: str, values: Values = ()) -> list[Any]:
        """Run a statement and return the first value of each row."""
        return [row[0] for row in self.rows(statement, values)]

    def records(self, kind: Callable[..., T], statement: str, values: Values = ()) -> list[T]:
        """Run a statement and return each row as a record, whose fields have the names of the columns."""
        return [kind(**dict(row)) for row in self.rows(statement, values)]

    def insert(self, table: str, row: Mapping[str, object], more: str = "") -> None:
        """Insert a row into a table; ``more`` says what becomes of a conflict."""
        values = ", ".join("?" * len(row))
        self.rows(f"insert into {table} ({', '.join(row)}) values ({values}) {more}", [*row.values()])

    def put(self, table: str, key: Mapping[str, object], row: Mapping[str, object]) -> None:
        """Insert a row into a table, or update the one that has this key."""
        changes = ", ".join(f"{column} = excluded.{column}" for column in row)
        self.insert(table, {**key, **row}, f"on conflict ({', '.join(key)}) do update set {changes}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the context in a transaction that excludes other writers; a nested one is part of the outer
        one."""
        connection = self._connection()
        if connection.in_transaction:
            yield
            return
        with self._told():
            connection.execute("begin immediate")
        try:
            yield
            with self._told():
                connection.commit()
        except BaseException:
            connection.rollback()
            raise

    def close(self) -> None:
        """Close the connection of this thread."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            self._local.connection = None
            with self._told():
                connection.close()

    def _connection(self) -> sqlite3.Connection:
        known: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if known is None:
            with self._told():
                connection = sqlite3.connect(self.path, timeout=PATIENCE_SECONDS, isolation_level=None)
                connection.row_factory = sqlite3.Row
                connection.execute("pragma journal_mode=wal")
                connection.execute("pragma synchronous=full")
                connection.execute("pragma foreign_keys = on")
                connection.execute("pragma secure_delete = on")
                known = self._local.connection = connection
        return known

    def _begin(self, *, migrates: bool) -> None:
        version = self.value("pragma user_version")
        if version == VERSION:
            return
        if version in _CHANGES and not migrates:
            raise InputError(
                f"expected a database of version {VERSION}, got version {version}: start grader serve once, "
                "which brings it up to date",
                path=self.path,
            )
        if version in _CHANGES:
            self._change(itertools.chain.from_iterable(_CHANGES[at] for at in range(version, VERSION)))
            return
        if version or self.value("select count(*) from sqlite_schema"):
            raise InputError(
                f"expected a database of grader serve, version {VERSION}, got version {version}: "
                "name another folder with --data, or go on with the grader that made it",
                path=self.path,
            )
        self._change(_schema())

    def _change(self, statements: Iterable[str]) -> None:
        for statement in statements:
            self.rows(statement)
        self.rows(f"pragma user_version = {VERSION}")

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise  # whoever wrote what cannot be knows what that means
        except sqlite3.Error as error:
            raise self._translated(error) from error

    def _translated(self, error: sqlite3.Error) -> GraderError:
        return sqlite_error(error, self.path, "the database") or InputError(
            f"expected a database of grader serve: {error}; restore it from a backup", path=self.path
        )
