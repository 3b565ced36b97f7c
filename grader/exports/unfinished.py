"""Whether the tables of a class tell what its results and its ledger do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from grader.disk import write_whole, writing
from grader.errors import InputError

UNFINISHED: Final = ".unfinished"


@contextmanager
def unfinished(out: Path) -> Iterator[None]:
    """Have it known that results are changed; a grader that is killed, or has no room left, leaves it so."""
    path = out / UNFINISHED
    write_whole(path, b"")
    yield
    with writing(path):
        path.unlink(missing_ok=True)


def check_finished(out: Path) -> None:
    """Raise InputError where marks may be elsewhere than in the tables."""
    if (out / UNFINISHED).exists():
        raise InputError(
            "a grader is at work here, or was stopped before grades.csv was written: give its command again, "
            "or grader review, which writes it anew",
            path=out,
        )
