"""A submission in a 7z archive: made into a tar in a process of its own, and then read as one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Timer
from typing import Final

from grader.errors import IntakeError, Unreached
from grader.intake import sevenzip_to_tar as child
from grader.intake.caps import MIB, Caps
from grader.intake.entries import Entry, Sieve
from grader.intake.tars import tar_entries
from grader.text import in_bytes

MAGIC: Final = b"7z\xbc\xaf\x27\x1c"
_MEMORY: Final = 1024 * MIB
_CPU_SECONDS: Final = 20
_SECONDS: Final = 300
"""By the clock: the process may wait for others, however busy the machine is, but not for ever."""
_PER_MEMBER: Final = 2048
"""What a member of a tar takes beside its content; long names take more heads than one."""


def sevenzip_entries(content: bytes, sieve: Sieve) -> list[Entry]:
    """Read the files of a 7z archive. Raises IntakeError where it cannot be read as a whole."""
    return tar_entries(_as_tar(content, sieve.caps), sieve)


def _as_tar(content: bytes, caps: Caps) -> bytes:
    total = min(caps.unpacked_bytes, max(caps.total_bytes, len(content) * caps.ratio))
    most = total + caps.members * _PER_MEMBER
    limits = map(str, (_MEMORY, _CPU_SECONDS, caps.members, total))
    with tempfile.TemporaryFile() as source:
        source.write(content)
        source.seek(0)
        with subprocess.Popen(  # noqa: S603 - Python, with nothing of the submission in its arguments
            [sys.executable, "-I", str(Path(child.__file__)), *limits],
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout is not None  # noqa: S101 - it was asked for
            clock = Timer(_SECONDS, process.kill)
            clock.start()
            tar = process.stdout.read(most + 1)
            is_late = not clock.is_alive()
            clock.cancel()
            process.kill()
    if is_late:
        raise Unreached(f"the 7z was not read within {_SECONDS} seconds")
    if process.returncode or len(tar) > most:
        raise IntakeError(_reason(process.returncode, caps))
    return tar


def _reason(status: int, caps: Caps) -> str:
    return {
        child.ENCRYPTED: "the 7z is encrypted: make it again, without a password",
        child.TOO_MANY: f"the 7z holds more than {caps.members} entries: hand in your own files only",
        child.TOO_LARGE: f"the 7z unpacks to more than {in_bytes(caps.unpacked_bytes)}, or {caps.ratio} "
        "times its size: hand in code only",
    }.get(status, "the 7z is damaged, or asks for more than reading code takes: make it again, as a zip")
