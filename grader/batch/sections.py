"""Where students lie in a class, as a glob says it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.errors import InputError

_SIGNS: Final = frozenset("*?[")
"""A part of a path with one of these is a pattern."""


def place_of_students(submissions: Sequence[Path], students: str) -> tuple[Path, str | None]:
    """Return the folder of a class, and the glob of its students, seen from there; None for what lies in it.

    The class may be named by a glob of its sections (``class/*``), or by all of them, as a shell makes of it.
    Raises InputError.
    """
    first = submissions[0]
    if students:
        folder, glob = _split(Path(students))
        return first, _seen_from(first, folder, glob)
    if len(submissions) == 1:
        folder, glob = (first, "") if first.exists() else _split(first)
        return folder, f"{glob}/*" if glob else None
    folder = Path(os.path.commonpath(submissions))
    if any(path.parent != folder for path in submissions):
        raise InputError("expected one class, or the sections of one: name its folder", path=submissions[1])
    names = {path.name for path in submissions}
    others = [each.name for each in folder.glob("*") if each.is_dir() and each.name not in names]
    if others:
        raise InputError("expected all sections of a class, or its folder and --students", path=others[0])
    return folder, "*/*"


def _split(path: Path) -> tuple[Path, str]:
    """Split a path in front of its first pattern."""
    place = next((n for n, part in enumerate(path.parts) if _SIGNS & {*part}), len(path.parts))
    return Path(*path.parts[:place]), "/".join(path.parts[place:])


def _seen_from(submissions: Path, folder: Path, glob: str) -> str:
    """Return a glob as it is seen from the class: it is given from here, or from there."""
    here, there = folder.resolve(), submissions.resolve()
    inner = here.relative_to(there).as_posix() if here.is_relative_to(there) else folder.as_posix()
    return "/".join(part for part in (inner, glob) if part not in ("", "."))
