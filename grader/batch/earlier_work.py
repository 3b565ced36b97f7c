"""Work of an earlier year to compare a class with, read from its submissions or its results."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path

from grader.batch.job import code_of
from grader.batch.journal import FILE, codes_in
from grader.errors import InputError, Unreached
from grader.intake import bulk_download
from grader.intake.class_listing import HandIn, find_hand_ins
from grader.intake.reading import submission_of
from grader.model import Limits
from grader.reader import Reader


def check_earlier(path: Path) -> None:
    """Raise InputError if the path does not exist."""
    if not path.exists():
        raise InputError("expected a folder of submissions or of results; nothing is there", path=path)


def earlier_codes(path: Path) -> list[tuple[str, bytes]]:
    """Return name and code of each submission, each name prefixed with that of the folder.

    Raises GraderError.
    """
    check_earlier(path)
    found = codes_in(path) if (path / FILE).is_file() else _read_codes(path)
    return [(f"{path.resolve().name}/{name}", code) for name, code in found]


def _read_codes(path: Path) -> list[tuple[str, bytes]]:
    with ExitStack() as stack:
        unpacked = bulk_download.Unpacked(path)
        if path.is_file():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="maze-grader-")))
            unpacked = bulk_download.unpack(path, folder)
        found = find_hand_ins(unpacked.folder, broken=unpacked.broken).hand_ins
        return [(hand_in.name, _code(hand_in)) for hand_in in found]


def _code(hand_in: HandIn) -> bytes:
    """Return a submission's code; empty if it cannot be read."""
    try:
        return code_of(submission_of(hand_in, Reader.of(Limits())))
    except (OSError, Unreached):
        return b""
