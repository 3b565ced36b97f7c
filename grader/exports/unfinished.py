"""A marker file: the tables of a class may disagree with its results and its ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from grader.disk import write_whole, writing
from grader.errors import InputError
from grader.exports.grades_csv import NAME

UNFINISHED: Final = ".unfinished"


@contextmanager
def marked_unfinished(out: Path) -> Iterator[None]:
    """Mark a folder as unfinished while its results are changed.

    If the grader is killed or the disk is full, the mark stays.
    """
    path = out / UNFINISHED
    write_whole(path, b"")
    yield
    with writing(path):
        path.unlink(missing_ok=True)


def check_finished(out: Path) -> None:
    """Raise InputError if a folder is marked as unfinished, since its tables may be out of date."""
    if (out / UNFINISHED).exists():
        before = (out / NAME).is_file()
        raise InputError(
            "a grader is at work here, or was stopped before grades.csv was written: give its command again"
            + (", or grader review, which writes it anew" if before else ""),
            path=out,
        )
