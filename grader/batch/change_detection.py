"""Which submissions have changed since they were graded, without opening any.

Theory of operation. An unchanged file has the
same size, inode, modification time and inode change time. No program can set the inode change time, so an
edit that restores the modification time is detected, too. A file that changed less than FRESH_NS before it is
examined is not trusted: it may change once more within the same tick of the file system's clock. Neither is a
symbolic link, whose target may be anywhere. A file that is not trusted is simply read: that costs time, but
never changes a mark.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISLNK
from typing import Final

from grader.batch.job import Course, Job
from grader.batch.journal import Journal
from grader.grading.engine import FEEDBACK, RESULTS

FRESH_NS: Final = 2_000_000_000
"""The coarsest clock of a file system ticks every two seconds, here in nanoseconds."""


class _Untrusted(Exception):  # noqa: N818 - named after what was found
    """A file whose size and times do not prove that it is unchanged."""


class ChangeDetector:
    """The fingerprints of all submissions' files, taken before any of them is read."""

    def __init__(self, out: Path, journal: Journal, course: Course, jobs: Sequence[Job]) -> None:
        self._out, self._journal = out, journal
        stamp = course.stamp()
        self._looks = {
            job.name: fingerprint_files(
                job.hand_in.sources, f"{stamp}|{job.hand_in!r}|{job.choices!r}|{job.put_right!r}"
            )
            for job in jobs
        }
        self._known = journal.seen()

    def is_unchanged(self, job: Job) -> bool:
        """Tell whether an intact result exists that this grader made from exactly these files."""
        sources, results = self._known.get(job.name, ("", ""))
        if not sources or self._looks[job.name] != sources:
            return False
        return self._results(job.name) == results != "" or self._journal.intact(job.name)

    def remember(self, names: Iterable[str]) -> None:
        """Store the fingerprints of these submissions, whose results are on the disk."""
        looks = {name: (self._looks[name], self._results(name) or "") for name in names if self._looks[name]}
        self._journal.remember(
            {name: found for name, found in looks.items() if found != self._known.get(name)}
        )

    def _results(self, name: str) -> str | None:
        folder = self._out / name
        return fingerprint_files([folder / RESULTS, folder / FEEDBACK], "") or None


def fingerprint_files(paths: Iterable[Path], more: str) -> str:
    """Return a digest of ``more`` and of the sizes and times of files and everything in folders.

    Empty if one of them cannot be trusted or examined.
    """
    digest = hashlib.sha256(more.encode("utf-8", "surrogateescape"))
    latest = time.time_ns() - FRESH_NS
    try:
        for path in paths:
            for line in _describe_files(path, latest):
                digest.update(line.encode("utf-8", "surrogateescape"))
    except (OSError, _Untrusted):
        return ""
    return digest.hexdigest()


def _describe_files(top: Path, latest: int) -> Iterator[str]:
    left: list[Path | os.DirEntry[str]] = [top]
    while left:  # a submission may be deeper than functions can call each other
        path = left.pop()
        found = path.stat(follow_symlinks=False)
        if S_ISLNK(found.st_mode) or max(found.st_mtime_ns, found.st_ctime_ns) > latest:
            raise _Untrusted
        numbers = (found.st_mode, found.st_size, found.st_mtime_ns)
        yield f"|{os.fspath(path)}|{(*numbers, found.st_ctime_ns, found.st_ino, found.st_dev)}"
        if S_ISDIR(found.st_mode):
            with os.scandir(path) as entries:
                left += sorted(entries, key=lambda each: each.name, reverse=True)
