"""A submission that lies in a folder: regular files only, and nothing is followed or waited for."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from grader.errors import IntakeError
from grader.intake.entries import Entry, Sieve, Unreadable
from grader.intake.regular_files import NOT_REGULAR, read_regular


def folder_entries(folder: Path, sieve: Sieve) -> list[Entry]:
    """List the files of a folder. Raises IntakeError where the folder itself cannot be read."""
    try:
        next(folder.iterdir(), None)
    except OSError as error:
        raise IntakeError(f"the folder cannot be read: {error.strerror}", path=folder) from None
    found = list(islice(_walk(folder, "", sieve), sieve.caps.members + 1))
    if len(found) > sieve.caps.members:
        sieve.notes.add(f"The folder holds more than {sieve.caps.members} files: the others were left out.")
    return [entry for entry in found[: sieve.caps.members] if entry is not None]


def _walk(folder: Path, prefix: str, sieve: Sieve) -> Iterator[Entry | None]:
    """The files below a folder, in the order of their names; None for what is no file to read."""
    try:
        names = sorted(file.name for file in folder.iterdir())
    except OSError as error:
        sieve.refuse(prefix, f"the folder cannot be read ({error.strerror})")
        return
    for name in names:
        path = sieve.path(prefix + name)
        if path is None:
            yield None
        elif _mode(folder / name) == stat.S_IFDIR:
            yield from _walk(folder / name, f"{prefix}{name}/", sieve)
        else:
            yield _entry(folder / name, path, sieve)


def _entry(file: Path, path: str, sieve: Sieve) -> Entry | None:
    kind = _mode(file)
    if kind == stat.S_IFLNK:
        sieve.refuse(path, "it is a link, and links are not followed")
    elif kind != stat.S_IFREG:
        sieve.refuse(path, NOT_REGULAR)
    else:
        return Entry(path, partial(_read, file))
    return None


def _mode(path: Path) -> int:
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except OSError:
        return 0


def _read(file: Path, most: int) -> bytes:
    try:
        return read_regular(file, most, follow=False)
    except OSError as error:
        raise Unreadable(f"it cannot be read ({error.strerror})") from None
