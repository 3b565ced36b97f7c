"""The exception by which a subcommand of ``maze`` reports that it could not do its work."""

from __future__ import annotations

import errno
from collections.abc import Mapping

_ADVICE: Mapping[int | None, str] = {
    **dict.fromkeys((errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)), ": make room on that disk"),
    errno.EROFS: ": choose a place on another disk, as this one can only be read",
    **dict.fromkeys((errno.EACCES, errno.EPERM), ": choose another place, or have its permissions changed"),
    errno.ENOENT: ": make its folder first",
    **dict.fromkeys((errno.EISDIR, errno.ENOTDIR), ": choose another name"),
    errno.ENAMETOOLONG: ": choose a shorter name",
}
"""What to do next if something cannot be written."""


class CommandError(Exception):
    """A one-line message for the user, with output to print before it, if any."""

    def __init__(self, message: str, *, before: str = "") -> None:
        self.before = before
        super().__init__(message)


def os_reason(error: OSError) -> str:
    """Return the system's reason, without the number and the path: ``no such file or directory``."""
    reason = error.strerror or str(error) or type(error).__name__
    return reason[:1].lower() + reason[1:]


def cannot_write(file: object, error: OSError) -> CommandError:
    """Return the error for a file that cannot be written: which, why, and what to do next."""
    return CommandError(f"{file} cannot be written: {os_reason(error)}{_ADVICE.get(error.errno, '')}")
