"""Converts a 7z archive to a plain tar: reading one means unpacking it, and its header may demand any work.

That has no bound of its own: it happens in the process that reads a submission (``grader/reader.py``).
"""

from __future__ import annotations

import io
import stat
import tarfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from grader.intake.files import Caps, Refusal
from grader.languages import said
from grader.text import in_bytes


def as_tar(content: bytes, caps: Caps) -> bytes:
    """Return the members of a 7z as a tar. Raises Refusal where it cannot be read as a whole."""
    import py7zr

    total = min(caps.unpacked_bytes, max(caps.total_bytes, len(content) * caps.ratio))
    too_large = Refusal(said("sevenzip_large", size=in_bytes(caps.unpacked_bytes), ratio=caps.ratio))
    try:
        with py7zr.SevenZipFile(io.BytesIO(content), max_extract_size=total) as archive:
            if len(archive.files) > caps.members:
                raise Refusal(said("sevenzip_members", count=caps.members))
            files = _files(archive)
            if sum(file.uncompressed for file in files) > total:
                raise too_large
            written = list(_members(archive, files, py7zr.io.BytesIOFactory(total)))
    except py7zr.exceptions.PasswordRequired:
        raise Refusal(said("sevenzip_encrypted")) from None
    except Refusal:
        raise
    except Exception:  # noqa: BLE001 - whatever the bytes brought about, want of memory among it
        raise Refusal(said("sevenzip_damaged")) from None
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for info, data in written:
            tar.addfile(info, io.BytesIO(data))
    return made.getvalue()


def _files(archive: Any) -> list[Any]:
    """Return all members but folders. Raises Refusal, also where two members share a name."""
    if archive.needs_password():
        raise Refusal(said("sevenzip_encrypted"))
    files = [file for file in archive.files if not file.is_directory]
    if len({_key(file) for file in files}) < len(files):
        raise Refusal(said("sevenzip_damaged"))  # no honest tool writes a name twice
    return files


def _members(archive: Any, files: list[Any], factory: Any) -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    """Yield the members of the tar: regular files with their contents, all others by name and kind only."""
    plain = [file for file in files if _kind(file) == tarfile.REGTYPE and _is_below(file.filename)]
    archive.extract(targets={file.filename for file in plain}, factory=factory)
    for file in files:
        info = tarfile.TarInfo(file.filename)
        info.type = _kind(file)
        info.mtime = file.lastwritetime.as_datetime().timestamp() if file.lastwritetime else 0
        content = b""
        if file in plain:
            content = factory.get(_key(file)).read()
            info.size = len(content)
        elif not _is_below(file.filename):
            info.name = f"../{file.filename}"  # is left out for its name, and not taken for an empty file
        yield info, content


def _kind(file: Any) -> bytes:
    if file.is_symlink or file.is_junction:
        return tarfile.SYMTYPE
    mode = file.posix_mode
    is_plain = not file.is_socket and (mode is None or stat.S_IFMT(file.st_fmt or 0) in (0, stat.S_IFREG))
    return tarfile.REGTYPE if is_plain else tarfile.FIFOTYPE


def _is_below(name: str) -> bool:
    """Tell whether the library may unpack it; names that lead elsewhere are only reported."""
    return (
        not name.startswith(("/", "\\"))
        and ":" not in name
        and ".." not in name.replace("\\", "/").split("/")
    )


def _key(file: Any) -> str:
    return PurePosixPath(file.filename).as_posix()
