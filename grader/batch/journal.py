"""The journal: which results are on the disk, whole, and what they were made from.

A result's files are written, each whole or not at all, before its row is committed; a row whose
files are not what it says is no row. So the grader may be killed at any moment: what has a row is
done, what has none is graded again.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Final, Literal, Self, get_args

from grader.batch.database import PATIENCE_SECONDS, Database
from grader.batch.outliers import shares_of
from grader.disk import write_together, writing
from grader.errors import InputError
from grader.grading.pipeline import FEEDBACK, RESULTS, write_results
from grader.intake.names import is_one_name
from grader.results import read

FILE: Final = ".journal.sqlite"
_NOTHING: Final[Mapping[str, bytes]] = MappingProxyType({})
_CODE_BYTES: Final = 1024 * 1024
"""What is more than 1 MiB of code was not written here."""

_INSERT: Final = """
insert or replace into results
    (name, key, status, results_sha, page_sha, code, seconds, finished, reason, earlier)
values (?,?,?,?,?,?,?,?,?,?)"""

_ALL_BUT_CODE: Final = """
select name, key, status, results_sha, page_sha, seconds, reason, earlier from results order by name"""

Status = Literal["graded", "refused", "fault"]


@dataclass(frozen=True, slots=True)
class JournalRow:
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

    def __init__(self, out: Path, *, patience: float = PATIENCE_SECONDS) -> None:
        """Open or begin the journal of a folder. Raises InputError where there is something else."""
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
        """Write a result's files, then its row. Raises DiskError."""
        folder = self._out / entry.name
        with writing(folder):
            folder.mkdir(exist_ok=True)
        earlier = self._earlier(entry.name)
        write_results(folder, results, page, staff)
        row = (
            *(entry.name, entry.key, entry.status, _sha(results), _sha(page)),
            *(zlib.compress(code), entry.seconds, finished or time.time(), entry.reason, earlier),
        )
        self._database.run(_INSERT, row)

    def _earlier(self, name: str) -> str:
        """The shares of the result that is about to be replaced; those before it where it is no whole one."""
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
        """Put other files in the place of a result's, which stays the result of the same key.

        The row says first what will be there: so it tells a change that was not finished from one that
        somebody else has made. Raises DiskError.
        """
        self._database.run(
            "update results set results_sha = ?, page_sha = ? where name = ?",
            (_sha(results), _sha(page), entry.name),
        )
        write_together(self._out / entry.name, {FEEDBACK: page, **staff, RESULTS: results})

    def grade_again(self, name: str) -> None:
        """Have the next run make a result anew, whatever it hangs on."""
        self._database.run("update results set key = 'again', seen = '' where name = ?", (name,))

    def seen(self) -> dict[str, tuple[str, str]]:
        """What the files looked like that results were made from, and those of the results, by name."""
        rows = self._database.run("select name, seen from results where seen != ''")
        return {
            str(name): (sources, results)
            for name, seen in rows
            for sources, _, results in [str(seen).partition("|")]
        }

    def remember(self, looks: Mapping[str, tuple[str, str]]) -> None:
        """Keep that, of results that may be kept."""
        rows = [("|".join(found), name) for name, found in looks.items()]
        self._database.run_all("update results set seen = ? where name = ? and key != ''", rows)

    def state(self) -> str:
        """A digest of all results, for what is made of them."""
        rows = self._database.run(_ALL_BUT_CODE)
        return hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()

    def forget(self, name: str) -> None:
        """Take a row out, and every byte of it from the files of the journal."""
        self._database.run("pragma secure_delete=on")
        self._database.run("delete from results where name = ?", (name,))
        self._database.run("vacuum")
        self._database.run("pragma wal_checkpoint(truncate)")

    def entries(self) -> dict[str, JournalRow]:
        """All rows, by name. Raises InputError where one is none of this grader's."""
        rows = self._database.run(
            "select name, key, status, seconds, reason, earlier from results order by name"
        )
        for row in rows:
            if not _is_entry(*row):
                raise self._database.damaged(f"a row says {row!r:.200}")
        return {row[0]: JournalRow(*row) for row in rows}

    def knows(self, name: str, *results: bytes) -> bool:
        """Tell whether one of these is the result that the row was written for."""
        rows = self._database.run("select results_sha from results where name = ?", (name,))
        return any((_sha(content),) in rows for content in results)

    def intact(self, name: str) -> bool:
        """Tell whether a result's files are those that its row was written for."""
        rows = self._database.run("select results_sha, page_sha from results where name = ?", (name,))
        folder = self._out / name
        try:
            found = (_sha((folder / RESULTS).read_bytes()), _sha((folder / FEEDBACK).read_bytes()))
        except OSError:
            return False
        return rows == [found]

    def code(self, names: Sequence[str]) -> Iterable[tuple[str, bytes]]:
        """The students' code, read anew each time that it is gone through. Raises InputError then."""
        return _Codes(self._database, names)


@dataclass(frozen=True, slots=True)
class _Codes:
    """Code by the names of the submissions, one in memory at a time."""

    database: Database
    names: Sequence[str]

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        for name in self.names:
            for (packed,) in self.database.run("select code from results where name = ?", (name,)):
                yield name, _unpacked(self.database, name, packed)


def codes_in(out: Path) -> list[tuple[str, bytes]]:
    """The code of all that is graded in a folder of results, which is not touched. Raises InputError."""
    path = out / FILE
    database = Database(path, address=f"{path.resolve().as_uri()}?immutable=1")
    try:
        rows = database.run("select name, code from results where status = 'graded' order by name")
        return [(name, _unpacked(database, name, code)) for name, code in rows]
    finally:
        database.close()


def _unpacked(database: Database, name: str, packed: object) -> bytes:
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
    """Whether a row may have been written by this grader: whose folder it names, above all."""
    return (
        all(isinstance(text, str) for text in (key, reason))
        and is_one_name(name)
        and status in get_args(Status)
        and isinstance(seconds, float)
        and math.isfinite(seconds)
        and _are_shares(earlier)
    )


def _are_shares(earlier: object) -> bool:
    """Whether these are the shares of exercises, or none."""
    try:
        found = json.loads(str(earlier)) if earlier != "" else {}
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and all(
        isinstance(share, float) and math.isfinite(share) for share in found.values()
    )


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
