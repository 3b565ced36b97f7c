"""A platform's bulk download as it comes: one zip, in which the students' files lie.

It is unpacked to a folder of the grader's own, file by file with counted limits; the students'
archives in it stay packed, and are read as hostile ones later.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import IO, BinaryIO, Final

from grader.disk import writing
from grader.errors import IntakeError
from grader.intake.caps import Caps
from grader.intake.names import NameRefused, clean_path, is_archive_name, is_junk, zip_name
from grader.intake.notes import shown
from grader.text import in_bytes

_MEMBERS: Final = 100_000
_TOTAL_BYTES: Final = 8 * 1024**3
_MEMBER_BYTES: Final = Caps().archive_bytes
_CHUNK: Final = 256 * 1024
_NAME_BYTES: Final = 240
"""File systems take 255 bytes."""
_DAMAGED: Final = "it is damaged in the zip"


class _Damaged(Exception):  # noqa: N818 - control flow within this file
    """The bytes of a member cannot be unpacked."""


def unpack(archive: Path, folder: Path) -> tuple[str, ...]:
    """Unpack a bulk download; return what was left out, with reasons. Raises IntakeError.

    A file that cannot be had costs nothing but itself; of a damaged archive what can be had is kept, so
    that its student is refused, and not forgotten.
    """
    try:
        packed = zipfile.ZipFile(archive)
    except Exception as error:  # noqa: BLE001 - zipfile raises nearly anything on bytes that are no zip
        raise IntakeError(
            f"expected a folder, or the zip of a bulk download: {error}", path=archive
        ) from None
    with packed:
        return tuple(_unpack(packed, archive, folder))


def _unpack(packed: zipfile.ZipFile, archive: Path, folder: Path) -> list[str]:
    members = [info for info in packed.infolist() if not info.filename.endswith("/")]
    if len(members) > _MEMBERS:
        raise IntakeError(f"expected {_MEMBERS} files at the most, found {len(members)}", path=archive)
    left, problems = _TOTAL_BYTES, []
    for info in members:
        name = zip_name(info.filename, info.flag_bits)
        try:
            parts = clean_path(name, Caps())
        except NameRefused as refusal:
            problems.append(f"{shown(name)}: {refusal}")
            continue
        if is_junk(parts):
            continue
        if (info.external_attr >> 16) & 0o170000 not in (0, 0o100000):
            problems.append(f"{shown(name)}: it is no regular file")
            continue
        target = folder.joinpath(*map(_short, parts))
        with writing(target):
            written, reason = _write(packed, info, target, min(left, _MEMBER_BYTES + 1))
        if reason:
            problems.append(f"{shown(name)}: {reason}")
        left -= written
        if left <= 0:
            raise IntakeError(f"it unpacks to more than {in_bytes(_TOTAL_BYTES)}", path=archive)
    return problems


def _short(name: str) -> str:
    """A name that file systems take, with its beginning, which says whose it is, and its end."""
    encoded = name.encode()
    if len(encoded) <= _NAME_BYTES:
        return name
    digest = hashlib.sha256(encoded).hexdigest()[:8]
    return f"{encoded[:160].decode(errors='ignore')}~{digest}~{encoded[-40:].decode(errors='ignore')}"


def _write(packed: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, most: int) -> tuple[int, str]:
    """Write a member, and return its size with what is wrong with it.

    It is cut at the limit: what is longer is refused when it is read as a submission. Raises OSError
    where the disk cannot take it.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = target.open("xb")
    except (FileExistsError, NotADirectoryError):
        return 0, "another file or folder has this name, and came first"
    with file:
        reason = _copy(packed, info, file, most)
        written = file.tell()
    if reason and not is_archive_name(target.name):
        target.unlink()
    else:
        _set_time(target, info)
    return written, reason


def _copy(packed: zipfile.ZipFile, info: zipfile.ZipInfo, file: BinaryIO, most: int) -> str:
    """Unpack a member as far as it can be; return why no further."""
    try:
        with _opened(packed, info) as source:
            while file.tell() < most:
                part = _next(source, most - file.tell())
                if not part:
                    break
                file.write(part)
    except _Damaged as error:
        return str(error)
    return ""


def _opened(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    """A member, to read from. Raises _Damaged, and nothing else: what its head says may lead anywhere."""
    try:
        return packed.open(info)
    except RuntimeError as error:
        raise _Damaged("it is encrypted, or packed in a way that is not read here") from error
    except Exception as error:  # a name that is no text, a place before the file or far beyond it
        raise _Damaged(_DAMAGED) from error


def _next(source: IO[bytes], most: int) -> bytes:
    """The next bytes of a member. Raises _Damaged, apart from what the disk may raise."""
    try:
        return source.read(min(_CHUNK, most))
    except Exception as error:  # zlib, bz2 and lzma have errors of their own
        raise _Damaged(_DAMAGED) from error


def _set_time(target: Path, info: zipfile.ZipInfo) -> None:
    with suppress(OverflowError, ValueError):
        moment = time.mktime((*info.date_time, 0, 0, -1))
        os.utime(target, (moment, moment))


def remove(folder: Path) -> None:
    """Remove what was unpacked."""
    shutil.rmtree(folder, ignore_errors=True)
