"""The journal: which results are complete on the disk, and what they were made from.

A result's files are written, each completely or not at all, before its row is committed; a row whose digests
do not match its files does not count. So the grader may be killed at any moment: a submission with a valid
row is done, and one without is graded again.

People copy, edit and share the folder that its SQLite file lies in, so that is checked before it is used: its
version, the definition of its two tables letter by letter (no foreign view, trigger or index is ever run),
and its pages. An SQLite error is reported with the file and with what to do next.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Literal, Self, get_args

from grader.disk import sqlite_error, write_together, writing
from grader.errors import GraderError, InputError
from grader.grading.engine import FEEDBACK, RESULTS, write_results
from grader.intake.names import is_one_name
from grader.model import ExerciseJson
from grader.results import read
from grader.text import visible

VERSION: Final = 4
PATIENCE_SECONDS: Final = 5.0
"""How long another program may lock the file."""
_TABLE: Final = """results (
    name text primary key, key text not null, status text not null,
    results_sha text not null, page_sha text not null, code blob not null,
    seconds real not null, finished real not null, reason text not null
) without rowid"""
_TAKEN: Final = """taken (
    item text not null, submission text not null, who text not null, until real not null,
    primary key (item, submission)
) without rowid"""
"""Who has which item of the review open (``taken_items.py``); version 4 added it."""
_ADDED: Final = ("earlier", "seen", "look", "layers", "again")
"""Text columns that versions 2 and 3 added."""
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
                self.run("pragma journal_mode=wal")
                self.run("pragma synchronous=full")
                if not tables:
                    self.run(f"create table {_TABLE}")
                self.run(f"create table if not exists {_TAKEN}")
                known = {row[1] for row in self.run("pragma table_info(results)")}
                for column in _ADDED:
                    if column not in known:
                        self.run(f"alter table results add column {column} text not null default ''")
                if self.run("pragma user_version") != [(VERSION,)]:
                    self.run(f"pragma user_version={VERSION}")
        except GraderError:
            self._connection.close()
            raise

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
        results = [sql for sql in tables if sql != _without_spaces(f"CREATE TABLE {_TAKEN}")]
        if tables and (len(results) != 1 or results[0] not in _ALLOWED):
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
            raise sqlite_error(error, self._path, "the journal") or self.damaged(str(error)) from error


def _without_spaces(sql: str) -> str:
    return "".join(sql.split())


def _table_with(columns: Sequence[str]) -> str:
    """Return the schema, without spaces, that SQLite stores once these columns were added in this order."""
    added = "".join(_without_spaces(f",{column} text not null default ''") for column in columns)
    return _without_spaces(f"CREATE TABLE {_TABLE}").replace(")without", f"{added})without")


_ALLOWED: Final = {
    _table_with(some) for count in range(len(_ADDED) + 1) for some in permutations(_ADDED, count)
}
"""The valid schemas: the table with none, some or all of the added columns, in any order."""


# --- outliers ---------------------------------------------------------------------------------------
# Find exercises whose scores do not fit the other results of the same student.
#
# Perhaps a slip, or a grader's mistake. An exercise is an outlier if
#
# - it earned at most 30 % of its points, and all others of the same submission at least 90 % of theirs;
# - or it earned less than in the previous run, by half of its points or more.

_LOW: Final = 0.3
"""An outlier earned at most this share of its points."""
_HIGH: Final = 0.9
"""All other exercises together earned at least this share of their points."""
_FALL: Final = 0.5
"""Or it earned less than in the previous run by at least this share of its points."""


def shares_of(exercises: Sequence[ExerciseJson]) -> dict[str, float]:
    """Return the fraction of its points that each exercise earned, by id."""
    return {each["id"]: each["score"] / each["max_score"] for each in exercises if each["max_score"]}


def outliers(exercises: Sequence[ExerciseJson], earlier: str) -> Iterator[str]:
    """Yield each outlier in words; ``earlier`` are the shares of the previous run, as JSON or empty."""
    before: Mapping[str, float] = json.loads(earlier) if earlier else {}
    now = shares_of(exercises)
    for exercise in exercises:
        share = now.get(exercise["id"], 1.0)
        others = [other for other in exercises if other is not exercise]
        most = sum(each["max_score"] for each in others)
        rest = sum(each["score"] for each in others) / most if most else 0.0
        if len(others) > 1 and share <= _LOW and rest >= _HIGH:
            yield f"{exercise['title']}: {share:.0%} of its points, and {rest:.0%} of all others"
        elif before.get(exercise["id"], 0.0) - share >= _FALL:
            yield f"{exercise['title']}: {share:.0%} of its points, and {before[exercise['id']]:.0%} before"


FILE: Final = ".journal.sqlite"
LOG: Final = "batch.log.jsonl"
_NOTHING: Final[Mapping[str, bytes]] = MappingProxyType({})
_CODE_BYTES: Final = 1024 * 1024
"""This grader never stores more than 1 MiB of code."""

_INSERT: Final = """
insert or replace into results
    (name, key, status, results_sha, page_sha, code, seconds, finished, reason, earlier, again)
values (?,?,?,?,?,?,?,?,?,?,?)"""

_TAKE: Final = """
insert into taken values (?,?,?,?) on conflict (item, submission)
do update set who = excluded.who, until = excluded.until where taken.who = excluded.who or taken.until <= ?"""

_ALL_BUT_CODE: Final = """
select name, key, status, results_sha, page_sha, seconds, reason, earlier from results order by name"""

Status = Literal["graded", "refused", "fault"]


@dataclass(frozen=True, slots=True)
class JournalRow:
    """A row of the journal: one submission and its result."""

    name: str
    key: str
    status: Status
    seconds: float
    reason: str
    earlier: str = ""
    """The share of its points that each exercise earned in the previous run, as JSON; empty without one."""
    again: bytes = b""
    """What is kept for a second grading that is still to be done; told by ``firsts``."""


class Journal:
    """The journal of one folder of results; a context manager that closes it."""

    def __init__(self, out: Path, *, patience: float = PATIENCE_SECONDS) -> None:
        """Open or create the journal of a folder. Raises InputError if the file is something else."""
        self._out = out
        self._database = Database(out / FILE, patience=patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    def record(
        self,
        entry: JournalRow,
        results: bytes,
        page: bytes,
        code: bytes = b"",
        staff: Mapping[str, bytes] = _NOTHING,
        *,
        finished: float | None = None,
    ) -> None:
        """Write the files of a result, then its row. Raises DiskError."""
        folder = self._out / entry.name
        with writing(folder):
            folder.mkdir(exist_ok=True)
        earlier = self._earlier(entry.name)
        write_results(folder, results, page, staff)
        row = (
            *(entry.name, entry.key, entry.status, _sha(results), _sha(page)),
            *(zlib.compress(code), entry.seconds, finished or time.time(), entry.reason, earlier),
            entry.again or "",
        )
        self._database.run(_INSERT, row)

    def _earlier(self, name: str) -> str:
        """Return the shares of the result about to be replaced; if it is not intact, those before it."""
        rows = self._database.run("select key, earlier from results where name = ?", (name,))
        key, earlier = rows[0] if rows else ("", "")
        if not key or not self.intact(name):
            return str(earlier)
        try:
            return json.dumps(shares_of(read(self._out / name / RESULTS)["exercises"]))
        except InputError:
            return ""

    def rewrite(
        self, entry: JournalRow, results: bytes, page: bytes, staff: Mapping[str, bytes] = _NOTHING
    ) -> None:
        """Replace the files of a result without changing its key.

        The new digests are stored first, so that an interrupted change can be told from somebody else's edit.
        Raises DiskError.
        """
        self._database.run(
            "update results set results_sha = ?, page_sha = ? where name = ?",
            (_sha(results), _sha(page), entry.name),
        )
        write_together(self._out / entry.name, {FEEDBACK: page, **staff, RESULTS: results})

    def grade_again(self, name: str) -> None:
        """Make the next run grade a submission again, even if nothing has changed."""
        self._database.run("update results set key = 'again', seen = '', again = '' where name = ?", (name,))

    def seen(self) -> dict[str, tuple[str, str]]:
        """Return two fingerprints by name: of the submission's files, and of its results."""
        rows = self._database.run("select name, seen from results where seen != ''")
        return {
            str(name): (sources, results)
            for name, seen in rows
            for sources, _, results in [str(seen).partition("|")]
        }

    def remember(self, looks: Mapping[str, tuple[str, str]]) -> None:
        """Store such fingerprints, except of submissions that the next run has to grade anyway."""
        rows = [("|".join(found), name) for name, found in looks.items()]
        self._database.run_all("update results set seen = ? where name = ? and key != ''", rows)

    def looks(self) -> dict[str, bytes]:
        """Return by name what is compared of each submission's code, where it is kept."""
        return {
            name: look
            for name, look in self._database.run("select name, look from results where look != ''")
            if isinstance(look, bytes)
        }

    def keep_look(self, name: str, look: bytes) -> None:
        """Keep what is compared of the code of a submission."""
        self._database.run("update results set look = ? where name = ?", (look, name))

    def layers(self) -> dict[str, str]:
        """Return by name what ``remember_layers`` stored, empty where there is nothing."""
        return dict(self._database.run("select name, layers from results"))

    def remember_layers(self, layers: Mapping[str, str]) -> None:
        """Store which layers the results of these submissions show."""
        rows = [(digest, name) for name, digest in layers.items()]
        self._database.run_all("update results set layers = ? where name = ?", rows)

    def firsts(self) -> dict[str, bytes]:
        """Return by name what is kept for second gradings that are still to be done."""
        rows = self._database.run("select name, again from results where again != ''")
        return {name: again for name, again in rows if isinstance(again, bytes)}

    def take(self, item: str, names: Iterable[str], who: str, now: float, until: float) -> str:
        """Take an item about these submissions, unless another person has it; return who has it."""
        rows = [(item, name, who, until, now) for name in names]
        while (holder := self.taken(now).get(item)) is None or holder == who:
            self._database.run_all(_TAKE, rows)
            if holder == who:
                break
        return holder

    def give_back(self, items: Iterable[str], who: str) -> None:
        """Free these items, as far as this person has them."""
        rows = [(item, who) for item in items]
        self._database.run_all("delete from taken where item = ? and who = ?", rows)

    def taken(self, now: float) -> dict[str, str]:
        """Return who has which item."""
        return dict(self._database.run("select item, who from taken where until > ?", (now,)))

    def state(self) -> str:
        """Return a digest of all rows without their code, which changes with any result."""
        rows = self._database.run(_ALL_BUT_CODE)
        return hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()

    def forget(self, name: str) -> None:
        """Delete a row, and erase every byte of it from the files of the journal."""
        self._database.run("pragma secure_delete=on")
        self._database.run("delete from results where name = ?", (name,))
        self._database.run("delete from taken where submission = ?", (name,))
        self._database.run("vacuum")
        self._database.run("pragma wal_checkpoint(truncate)")

    def entries(self) -> dict[str, JournalRow]:
        """Return all rows by name. Raises InputError if this grader cannot have written one of them."""
        rows = self._database.run(
            "select name, key, status, seconds, reason, earlier from results order by name"
        )
        for row in rows:
            if not _is_entry(*row):
                raise self._database.damaged(f"a row says {row!r:.200}")
        return {row[0]: JournalRow(*row) for row in rows}

    def knows(self, name: str, *results: bytes) -> bool:
        """Return whether one of these contents is the result that the row was written for."""
        rows = self._database.run("select results_sha from results where name = ?", (name,))
        return any((_sha(content),) in rows for content in results)

    def finished(self, name: str) -> float:
        """Return when a result was made, in seconds since the epoch; 0 where there is none."""
        rows = self._database.run("select finished from results where name = ?", (name,))
        return float(rows[0][0]) if rows else 0.0

    def intact(self, name: str) -> bool:
        """Return whether a result's files are those that its row was written for."""
        rows = self._database.run("select results_sha, page_sha from results where name = ?", (name,))
        folder = self._out / name
        try:
            found = (_sha((folder / RESULTS).read_bytes()), _sha((folder / FEEDBACK).read_bytes()))
        except OSError:
            return False
        return rows == [found]

    def code(self, names: Sequence[str]) -> Iterable[tuple[str, bytes]]:
        """Return an iterable of names and code that reads anew whenever it is iterated.

        Iterating raises InputError.
        """
        return _Codes(self._database, names)


@dataclass(frozen=True, slots=True)
class _Codes:
    """Names and code of submissions, with only one in memory at a time."""

    database: Database
    names: Sequence[str]

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        for name in self.names:
            for (packed,) in self.database.run("select code from results where name = ?", (name,)):
                yield name, _unpacked(self.database, name, packed)


def codes_in(out: Path) -> list[tuple[str, bytes]]:
    """Read the code of all graded submissions in a folder of results, without writing. Raises InputError."""
    path = out / FILE
    database = Database(path, address=f"{path.resolve().as_uri()}?immutable=1")
    try:
        rows = database.run("select name, code from results where status = 'graded' order by name")
        return [(name, _unpacked(database, name, code)) for name, code in rows]
    finally:
        database.close()


def _unpacked(database: Database, name: str, packed: object) -> bytes:
    """Decompress code. Raises InputError if it is damaged or too large."""
    unpacking = zlib.decompressobj()
    try:
        code = unpacking.decompress(packed, _CODE_BYTES)  # type: ignore[arg-type] # it is tried
    except (zlib.error, TypeError):
        code = b""
    if not unpacking.eof:
        raise database.damaged(f"the code of {name!r} is not as it was packed")
    return code


def _is_entry(
    name: object, key: object, status: object, seconds: object, reason: object, earlier: object
) -> bool:
    """Return whether this grader may have written a row, above all whether its name can be a folder's."""
    return (
        all(isinstance(text, str) for text in (key, reason))
        and is_one_name(name)
        and status in get_args(Status)
        and isinstance(seconds, float)
        and math.isfinite(seconds)
        and _are_shares(earlier)
    )


def _are_shares(earlier: object) -> bool:
    """Return whether a text is empty, or holds the shares of exercises as JSON."""
    try:
        found = json.loads(str(earlier)) if earlier != "" else {}
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and all(
        isinstance(share, float) and math.isfinite(share) for share in found.values()
    )


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
