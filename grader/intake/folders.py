"""A submission that lies in a folder: regular files only, and nothing is followed or waited for."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from grader.intake.entries import Entry, Sieve, read_file
from grader.intake.names import is_changed
from grader.intake.regular_files import LINK, NOT_REGULAR, unreached


def folder_entries(folder: Path, sieve: Sieve) -> list[Entry]:
    """List the files of a folder. Raises Unreached where the machine does not let it be read."""
    found = list(islice(_walk(folder, "", sieve), sieve.caps.members + 1))
    if len(found) > sieve.caps.members:
        sieve.notes.add(f"The folder holds more than {sieve.caps.members} files: the others were left out.")
    return [entry for entry in found[: sieve.caps.members] if entry is not None]


def _walk(folder: Path, prefix: str, sieve: Sieve) -> Iterator[Entry | None]:
    """The files below a folder, in the order of their names; None for what is no file to read."""
    try:
        names = sorted(file.name for file in folder.iterdir())
    except OSError as error:
        raise unreached(prefix or folder.name, error) from None
    for name in names:
        path = sieve.path(prefix + name)
        if path is None:
            yield None
            continue
        mode = _mode(folder / name, path)
        if mode == stat.S_IFDIR:
            yield None
            yield from _walk(folder / name, f"{prefix}{name}/", sieve)
        else:
            entry = _entry(folder / name, path, mode, sieve)
            yield entry and replace(entry, is_cleaned=is_changed(prefix + name, path))


def _entry(file: Path, path: str, kind: int, sieve: Sieve) -> Entry | None:
    if kind == stat.S_IFLNK:
        sieve.refuse(path, LINK)
    elif kind != stat.S_IFREG:
        sieve.refuse(path, NOT_REGULAR)
    else:
        return Entry(path, partial(read_file, file, path))
    return None


def _mode(file: Path, path: str) -> int:
    try:
        return stat.S_IFMT(file.lstat().st_mode)
    except OSError as error:
        raise unreached(path, error) from None
