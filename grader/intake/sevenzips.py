"""Reads a submission in a 7z archive: reading one means unpacking it, and its header may demand any work.

That has no bound of its own: it happens in the process that reads a submission (``grader/reader.py``).
"""

from __future__ import annotations

import io
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from grader.intake.files import Caps, Entry, Refusal, Sieve, utc_time
from grader.intake.names import is_changed
from grader.languages import said
from grader.text import in_bytes


def sevenzip_entries(content: bytes, sieve: Sieve) -> list[Entry]:
    """List the files of a 7z archive. Raises Refusal where it cannot be read as a whole."""
    import py7zr

    caps = sieve.caps
    total = min(caps.unpacked_bytes, max(caps.total_bytes, len(content) * caps.ratio))
    try:
        with py7zr.SevenZipFile(io.BytesIO(content), max_extract_size=total) as archive:
            return list(
                _entries(archive, _files(archive, caps, total), py7zr.io.BytesIOFactory(total), sieve)
            )
    except py7zr.exceptions.PasswordRequired:
        raise Refusal(said("sevenzip_encrypted")) from None
    except Refusal:
        raise
    except Exception:  # noqa: BLE001 - whatever the bytes brought about, want of memory among it
        raise Refusal(said("sevenzip_damaged")) from None


def _files(archive: Any, caps: Caps, total: int) -> list[Any]:
    """Return all members but folders. Raises Refusal where they are too many, too large, or share a name."""
    if archive.needs_password():
        raise Refusal(said("sevenzip_encrypted"))
    if len(archive.files) > caps.members:
        raise Refusal(said("sevenzip_members", count=caps.members))
    files = [file for file in archive.files if not file.is_directory]
    if sum(file.uncompressed for file in files) > total:
        raise Refusal(said("sevenzip_large", size=in_bytes(caps.unpacked_bytes), ratio=caps.ratio))
    if len({_key(file) for file in files}) < len(files):
        raise Refusal(said("sevenzip_damaged"))  # no honest tool writes a name twice
    return files


def _entries(archive: Any, files: list[Any], factory: Any, sieve: Sieve) -> Iterator[Entry]:
    """Yield the regular files with their contents; all others are left out, with the reason."""
    plain = [file for file in files if _is_regular(file) and _is_below(file.filename)]
    archive.extract(targets={file.filename for file in plain}, factory=factory)
    for file in files:
        name = file.filename if _is_below(file.filename) else f"../{file.filename}"  # told as leading out
        reason = said("left_link" if file.is_symlink or file.is_junction else "left_not_regular")
        path = sieve.admit(name, file.uncompressed, None if file in plain else reason)
        if path is not None:
            content: bytes = factory.get(_key(file)).read()
            read = partial(lambda content, most: content[:most], content)
            yield Entry(path, read, is_changed(name, path), _time(file))


def _time(file: Any) -> str | None:
    with suppress(AttributeError, ValueError, OverflowError):
        return utc_time(file.lastwritetime.as_datetime().timestamp())
    return None


def _is_regular(file: Any) -> bool:
    if file.is_symlink or file.is_junction or file.is_socket:
        return False
    return file.posix_mode is None or stat.S_IFMT(file.st_fmt or 0) in (0, stat.S_IFREG)


def _is_below(name: str) -> bool:
    """Tell whether the library may unpack it; names that lead elsewhere are only reported."""
    return (
        not name.startswith(("/", "\\"))
        and ":" not in name
        and ".." not in name.replace("\\", "/").split("/")
    )


def _key(file: Any) -> str:
    return PurePosixPath(file.filename).as_posix()
