"""What a whole submission may use, over all of its boxes, and what it has used of that so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from grader.model import Call, Claim, Limits, Target
from grader.session.unanswered import unanswered
from grader.session.wire import CALM, COSTLY, HURRIED, PRESSED

MAX_RESTARTS: Final = 8
"""After more boxes than this were ended for what the submission did, no call is made any more."""
MAX_SILENCES: Final = 2
"""A file that has made the runner fall silent this often is not called again; each costs a deadline."""
ANSWER_FACTOR: Final = 4
CALL_ANSWER_BYTES: Final = 4096
"""The answers of one file may take 4 times ``reply_bytes``, and 4,096 bytes more for each call; those of
right submissions take 2 KB a call."""


class SubmissionLimits:
    """What one submission has used; calls that are not worth a run get their claims here."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._used_seconds = 0.0
        self._since: float | None = None
        """When the conversation that goes on began; those that are over are in ``_used_seconds``."""
        self._slow: set[str] = set()
        """The files of which a call has timed out, or broken the protocol."""
        self._unloadable: set[str] = set()
        self._silences: Counter[str] = Counter()
        self._calls: Counter[tuple[str, bool]] = Counter()
        self._answer_bytes: Counter[tuple[str, bool]] = Counter()
        """By file, and whether made alone: how many calls there were, and how many bytes they answered."""
        self.restarts = 0
        """How often a box had to be ended for what the submission did."""

    # --- what was used ----------------------------------------------------------------------------

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the seconds of a conversation."""
        self._since = started = monotonic()
        try:
            yield
        finally:
            self._used_seconds += monotonic() - started
            self._since = None

    def note_answer(self, target: Target, claim: Claim, size: int, *, isolate: bool) -> None:
        """Note how a call ended, and how many bytes its answer took."""
        self._calls[target.file, isolate] += 1
        self._answer_bytes[target.file, isolate] += size
        if claim.outcome in COSTLY:
            self.note_slow(target)
        if claim.outcome == "timeout" and claim.fault is not None and claim.fault.stage == "import":
            self._unloadable.add(target.file)

    def note_slow(self, target: Target) -> None:
        """Note that a limit may have been waited for: later calls get less."""
        self._slow.add(target.file)

    def note_silence(self, target: Target) -> None:
        """Note that the runner answered nothing more."""
        self.note_slow(target)
        self._silences[target.file] += 1

    # --- what is left -----------------------------------------------------------------------------

    def hurry(self, target: Target) -> int:
        """How much of its seconds the next call of a file gets."""
        if target.file in self._slow:
            return PRESSED
        return HURRIED if self._slow else CALM

    def is_over(self) -> bool:
        """Whether the time for the whole submission is used up."""
        running = 0.0 if self._since is None else monotonic() - self._since
        return self._used_seconds + running >= self._limits.submission_wall_seconds

    def is_too_large(self, target: Target, *, isolate: bool) -> bool:
        """Whether the answers of a file take more than they may, all of them together."""
        calls = self._calls[target.file, isolate]
        most = ANSWER_FACTOR * self._limits.reply_bytes + CALL_ANSWER_BYTES * calls
        return self._answer_bytes[target.file, isolate] > most

    def not_made(self, target: Target, call: Call, *, isolate: bool) -> Claim | None:
        """The claim on a call that is not worth a run; None where it is."""
        if target.file in self._unloadable:
            return unanswered(call, "timeout", f"{target.file} could not be loaded in time", stage="import")
        if self._silences[target.file] >= MAX_SILENCES:
            why = f"not run: {target.file} made the sandbox fall silent too often"
            return unanswered(call, "timeout", why)
        if self.is_over():
            return unanswered(call, "timeout", "not run: the time for the whole submission was used up")
        if self.is_too_large(target, isolate=isolate):
            why = f"not run: the answers of {target.file} had become too large, all of them together"
            return unanswered(call, "output-limit", why)
        if self.restarts > MAX_RESTARTS:
            return unanswered(call, "violation", "not run: the submission ended its sandbox too often")
        return None
