"""The session of a submission that holds no file which is asked for: every call is answered without a box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grader.model import Call, Claim, Fault, Target
from grader.session.session import MakeAnswers, Session

_NO_FILE: Final = Fault("no file", "", stage="import")


class NothingHandedIn(Session):
    """Says what a box would, which is not opened."""

    def run(
        self,
        target: Target,  # noqa: ARG002 - it is missing, whichever it is
        calls: Sequence[Call],
        *,
        isolate: bool = False,  # noqa: ARG002
        answers: MakeAnswers | None = None,  # noqa: ARG002
    ) -> tuple[Claim, ...]:
        """Answer every call with the claim that its file is missing."""
        return tuple(Claim(call.id, "missing", fault=_NO_FILE) for call in calls)
