"""Everything that can go wrong in the grader, in one tree.

    GraderError                 the command ends with status 1 and this message
    ├── InputError              what a person gave is wrong: file, line and column where known
    │   ├── RubricError         rubric.yaml
    │   ├── MazeFileError       a file in mazes/
    │   ├── IntakeError         a submission that cannot be read at all: its own doing
    │   └── Unreached           a file or folder of one that this machine does not give: nobody's doing in it
    ├── DiskError               a file or folder cannot be written or used: which, why, and what to do next
    ├── SandboxError            a back end is not to be had, or failed: a fault of the machine
    │   └── BoxTimeout          a box did not take or give bytes in time
    ├── ProtocolError           what came out of a box is no reply: the submission's doing
    │   └── QuestionsSpent      it asked more than the grader does for one call
    ├── LaunchError             a launch from a learning platform is not let in: why, and what to do next
    └── PlatformError           a learning platform cannot be asked, or answered with what is no answer

A fault of the grader is never a verdict on a student: SandboxError is retried, then reported.
"""

from __future__ import annotations

from pathlib import Path


class GraderError(Exception):
    """The root: a message for people, one line."""


class InputError(GraderError):
    """Something a person wrote is wrong; the message says where and what would be right."""

    def __init__(
        self,
        message: str,
        *,
        path: Path | str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.path, self.line, self.column = path, line, column
        where = ":".join(str(part) for part in (path, line, column) if part is not None)
        super().__init__(f"{where}: {message}" if where else message)


class RubricError(InputError):
    """The rubric is wrong."""


class MazeFileError(InputError):
    """A test maze is wrong."""


class IntakeError(InputError):
    """A submission cannot be read at all."""


class Unreached(InputError):  # noqa: N818 - named after what happened
    """A part of a submission cannot be read on this machine: nothing that a student has done."""


class DiskError(GraderError):
    """A file or folder cannot be written or used; the message says which, why, and what to do next."""


class SandboxError(GraderError):
    """A back end is not to be had here, or failed."""


class BoxTimeout(SandboxError):  # noqa: N818 - named after what happened, as the field does
    """A box took or gave no bytes before the deadline."""


class ProtocolError(GraderError):
    """What came out of a box is no reply."""


class QuestionsSpent(ProtocolError):  # noqa: N818 - named after what happened
    """A call asked more of the grader's Search than is done for it; ``count`` is what it asked."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"a solver went on for ever: {count} calls of its search")


class LaunchError(GraderError):
    """A launch from a learning platform is not let in."""


class PlatformError(GraderError):
    """A learning platform cannot be asked, or its answer is none."""
