"""Converts a 7z archive on standard input to a plain tar on standard output.

It runs as a script in a process of its own, with little memory, little time, and no permission to write a
file: reading a 7z means unpacking it, and its header may demand any amount of work. The exit status gives the
reason if there is no tar.
"""

from __future__ import annotations

import io
import resource
import stat
import sys
import tarfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

ENCRYPTED, TOO_MANY, TOO_LARGE, DAMAGED = 3, 4, 5, 6
"""The exit statuses of the process; 0 if all went well."""


class _NoTar(Exception):  # noqa: N818 - control flow within this file
    """The archive cannot be converted; the argument is the exit status."""


def main(memory: int, seconds: int, members: int, total: int) -> int:
    """Write the tar; return the exit status."""
    for limit, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most))
    import py7zr

    try:
        with py7zr.SevenZipFile(sys.stdin.buffer, max_extract_size=total) as archive:
            files = _files(archive, members, total)
            written = list(_members(archive, files, py7zr.io.BytesIOFactory(total)))
    except py7zr.exceptions.PasswordRequired:
        return ENCRYPTED
    except _NoTar as why:
        return int(why.args[0])
    except Exception:  # noqa: BLE001 - whatever the bytes brought about
        return DAMAGED
    with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as tar:
        for info, content in written:
            tar.addfile(info, io.BytesIO(content))
    return 0


def _files(archive: Any, members: int, total: int) -> list[Any]:
    """Return all members but folders, within the limits.

    Raises _NoTar, also where two members share a name.
    """
    if archive.needs_password():
        raise _NoTar(ENCRYPTED)
    if len(archive.files) > members:
        raise _NoTar(TOO_MANY)
    files = [file for file in archive.files if not file.is_directory]
    if sum(file.uncompressed for file in files) > total:
        raise _NoTar(TOO_LARGE)
    if len({_key(file) for file in files}) < len(files):
        raise _NoTar(DAMAGED)  # no honest tool writes a name twice
    return files


def _members(archive: Any, files: list[Any], factory: Any) -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    """Yield the members of the tar: regular files with their contents, all others by name and kind only."""
    plain = [file for file in files if _kind(file) == tarfile.REGTYPE and _is_below(file.filename)]
    archive.extract(targets={file.filename for file in plain}, factory=factory)
    for file in files:
        info = tarfile.TarInfo(file.filename)
        info.type = _kind(file)
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


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
