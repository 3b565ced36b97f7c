"""All exceptions of the grader, in one tree.

    GraderError                 the command ends with status 1 and this message
    ├── InputError              what a person gave is wrong: file, line and column where known
    │   ├── RubricError         rubric.yaml
    │   ├── MazeFileError       a file in mazes/
    │   ├── RequestRefused      a request for another look that is not taken
    │   ├── IntakeError         a submission that cannot be read at all, because of what it holds
    │   └── Unreached           a part of a submission that this machine cannot read: not its fault
    │       └── Undecided       a person has to say which of several attempts counts
    ├── BeyondBounds            reading a submission takes more than it may: the submission's fault
    ├── DiskError               a file or folder cannot be written or used: which, why, and what to do next
    ├── SandboxError            a back end is not available, or failed: a fault of the machine
    │   ├── BoxTimeout          a box did not take or give bytes in time
    │   └── GraderMistake       the grader itself failed while it read a submission
    ├── ProtocolError           the output of a box is not a valid reply: the submission's fault
    │   └── QuestionsSpent      a call asked more questions than it may
    ├── LaunchError             a launch from a learning platform is refused: why, and what to do next
    └── PlatformError           a learning platform cannot be reached, or its answer is invalid

A fault of the grader is never a verdict on a student: SandboxError is retried, then reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final


class GraderError(Exception):
    """The root of the tree; its message is one line for people."""


class InputError(GraderError):
    """Input from a person is wrong; the message says where, and what was expected."""

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

    def at(self, path: Path) -> InputError:
        """Return the error, told with the path of what it is about."""
        self.path, self.args = path, (f"{path}: {self}",)
        return self


class RubricError(InputError):
    """The rubric is wrong."""


class MazeFileError(InputError):
    """A test maze is wrong."""


class RequestRefused(InputError):  # noqa: N818 - named after what happened
    """A request for another look that is not taken: its key in the catalogues, with values, says why."""

    def __init__(self, told: str, key: str, values: Mapping[str, object]) -> None:
        super().__init__(told)
        self.key, self.values = key, values


class IntakeError(InputError):
    """A submission cannot be read at all, because of what it holds."""


class Unreached(InputError):  # noqa: N818 - named after what happened
    """A part of a submission cannot be read on this machine, which is not the student's fault."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of several attempts or files, of which a person has to say which counts."""

    name: str
    """Its path within what was handed in, which no other candidate has; a folder's ends with "/"."""
    modified: str | None
    """When it was changed last: an ISO time in UTC; None where that is not known."""
    files: Mapping[str, str]
    """The SHA-256 of each file of the lab that would be graded from it, by the lab's name."""


class Undecided(Unreached):
    """It is not clear which of several attempts counts: a person has to say so before any is graded."""

    OPENING: Final = "a person has to say what counts"
    """Its message begins so."""

    def __init__(
        self, reason: str, *, path: Path | str | None = None, candidates: Sequence[Candidate] = ()
    ) -> None:
        self.candidates = tuple(candidates)
        super().__init__(reason if self.OPENING in reason else f"{self.OPENING}: {reason}", path=path)


class BeyondBounds(GraderError):  # noqa: N818 - named after what happened
    """Work on what a submission holds took more time or memory than it may, or ended in another way."""


class DiskError(GraderError):
    """A file or folder cannot be written or used; the message says which, why, and what to do next."""


class SandboxError(GraderError):
    """A back end of the sandbox is not available, or failed."""


class BoxTimeout(SandboxError):  # noqa: N818 - named after what happened, as the field does
    """A box took or gave no bytes before the deadline."""


class GraderMistake(SandboxError):  # noqa: N818 - named after what happened
    """Work on what a submission holds raised what it should not: a mistake in the grader, which is logged."""


class ProtocolError(GraderError):
    """The output of a box is not a valid reply."""


class QuestionsSpent(ProtocolError):  # noqa: N818 - named after what happened
    """A call asked more questions of the grader's Search than it may; ``count`` is how many."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"a solver went on for ever: {count} calls of its search")


class LaunchError(GraderError):
    """A launch from a learning platform is refused."""


class PlatformError(GraderError):
    """A learning platform cannot be reached, or its answer is invalid."""
