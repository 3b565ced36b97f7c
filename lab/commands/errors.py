"""The one way in which the ``maze`` command says that something could not be done."""

from __future__ import annotations


class CommandError(Exception):
    """A sentence for the person at the keyboard, on one line, with what stands before it if anything."""

    def __init__(self, message: str, *, before: str = "") -> None:
        self.before = before
        super().__init__(message)


def os_reason(error: OSError) -> str:
    """Say why the system refused, without the number and the path: ``no such file or directory``."""
    reason = error.strerror or str(error) or type(error).__name__
    return reason[:1].lower() + reason[1:]
