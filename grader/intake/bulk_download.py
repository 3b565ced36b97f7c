"""A platform's bulk download as it comes: one zip, in which the students' files lie.

It is unpacked to a folder of the grader's own, file by file with counted limits; the students'
archives in it stay packed, and are read as hostile ones later.
"""

from __future__ import annotations

import os
import shutil
import time
import zipfile
from pathlib import Path
from typing import Final

from grader.errors import IntakeError
from grader.intake.caps import Caps
from grader.intake.names import NameRefused, clean_path, is_junk
from grader.intake.notes import shown
from grader.text import in_bytes

_MEMBERS: Final = 100_000
_TOTAL_BYTES: Final = 8 * 1024**3
_MEMBER_BYTES: Final = Caps().archive_bytes
_CHUNK: Final = 256 * 1024


def unpack(archive: Path, folder: Path) -> tuple[str, ...]:
    """Unpack a bulk download; return what was left out, with reasons. Raises IntakeError."""
    try:
        with zipfile.ZipFile(archive) as packed:
            return tuple(_unpack(packed, archive, folder))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise IntakeError(
            f"expected a folder, or the zip of a bulk download: {error}", path=archive
        ) from None


def _unpack(packed: zipfile.ZipFile, archive: Path, folder: Path) -> list[str]:
    members = [info for info in packed.infolist() if not info.is_dir()]
    if len(members) > _MEMBERS:
        raise IntakeError(f"expected {_MEMBERS} files at the most, found {len(members)}", path=archive)
    left, problems = _TOTAL_BYTES, []
    for info in members:
        try:
            parts = clean_path(info.filename, Caps())
        except NameRefused as refusal:
            problems.append(f"{shown(info.filename)}: {refusal}")
            continue
        if is_junk(parts):
            continue
        if (info.external_attr >> 16) & 0o170000 not in (0, 0o100000):
            problems.append(f"{shown(info.filename)}: it is no regular file")
            continue
        written = _write(packed, info, folder.joinpath(*parts), min(left, _MEMBER_BYTES + 1))
        left -= written
        if left <= 0:
            raise IntakeError(f"it unpacks to more than {in_bytes(_TOTAL_BYTES)}", path=archive)
    return problems


def _write(packed: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, most: int) -> int:
    """Write a member, cut at the limit: what is longer is refused when it is read as a submission."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with packed.open(info) as source, target.open("xb") as file:
        while file.tell() < most and (part := source.read(min(_CHUNK, most - file.tell()))):
            file.write(part)
        written = file.tell()
    moment = time.mktime((*info.date_time, 0, 0, -1))
    os.utime(target, (moment, moment))
    return written


def remove(folder: Path) -> None:
    """Remove what was unpacked."""
    shutil.rmtree(folder, ignore_errors=True)
