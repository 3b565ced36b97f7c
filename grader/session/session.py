"""The grader's side of the wire: calls go into a box, claims come out, whatever happens in there.

Theory of operation. One box serves one submission. A reply that is off in any way, a runner that
ends or falls silent: the box is ended, the call in hand gets its outcome, and the calls that are
left go on in a new box, up to a limit. Only what happens before any of the student's code has run
is a fault of the machine, and is raised as SandboxError.

Time. A call has its CPU seconds and the wall seconds of the limits. Once a call of the submission
has timed out, later ones get a part of that only, the least those of the same file
(``grader/inside/time_budget.py``), so that a loop costs its limit once; a file that could not be loaded
in time is not loaded again. All runs together may take ``submission_wall_seconds``; once a reply comes
after that, the box is ended, and calls that are left are answered ``timeout``, unrun. A group whose
calls have used up its CPU seconds together counts as a call that has timed out.

Memory. A claim takes up to twenty times the memory of its bytes, and all those of an exercise are kept
while it is judged. So the answers of one file together are bounded as well, those of calls that are
tried again alone by themselves; calls that are left when they are too large are answered
``output-limit``, unrun.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from json import dumps
from time import monotonic
from types import TracebackType
from typing import Any, Final, Literal, Self

from grader.errors import BoxTimeout, ProtocolError, SandboxError
from grader.model import Call, Claim, Fault, Limits, Outcome, Submission, Target
from grader.sandbox.base import Backend
from grader.session.connection import Connection, expect_head
from grader.session.replies import claim_of
from grader.session.wire import CALM, COSTLY, HURRIED, PRESSED, SPENT, Patience

MAX_RESTARTS: Final = 8
MAX_SILENCES: Final = 2
"""So many times one file may stop the runner itself; each costs a deadline."""
ANSWERS: Final = 4
ANSWER_BYTES: Final = 4096
"""The answers of one file may take so many times ``reply_bytes``, and this much more for each call;
those of right submissions take 2 KB a call."""
GRACE_SECONDS: Final = 10.0
"""What a runner may take on top of a call's wall seconds: to end it, to tidy up, on a busy machine."""


class _Groups:
    """The groups of one run: after a call that ran into a limit, the others of its group are not made."""

    def __init__(self) -> None:
        self._spent: dict[str, tuple[str, Outcome]] = {}
        self._used: Counter[str] = Counter()

    def note(self, call: Call, claim: Claim, hurry: int) -> bool:
        """Note how a call ended; tell whether its group is spent."""
        if not call.group:
            return False
        self._used[call.group] += claim.cpu_seconds  # type: ignore[assignment]
        if claim.outcome in SPENT:
            self._spent.setdefault(call.group, (call.id, claim.outcome))
        elif self._used[call.group] > Patience(0.0, hurry).group_seconds(call.cpu_seconds):
            self._spent.setdefault(call.group, (call.id, "timeout"))
        return call.group in self._spent

    def unrun(self, call: Call) -> Claim | None:
        """The claim of a call whose group is spent."""
        if call.group not in self._spent:
            return None
        first, outcome = self._spent[call.group]
        why = f"not run, since the call {first} of the same group ended so"
        return _ended(call, outcome, why, kind="not run")


class Session:
    """One submission in its box; a context manager."""

    def __init__(self, backend: Backend, limits: Limits, submission: Submission) -> None:
        self._backend, self._limits, self._submission = backend, limits, submission
        self._connection: Connection | None = None
        self._batches = 0
        self._used = 0.0
        self._since: float | None = None
        """When the conversation that goes on began; those that are over are in ``_used``."""
        self._slow: set[str] = set()
        """The files of which a call has timed out, or broken the protocol."""
        self._unloadable: set[str] = set()
        self._silences: Counter[str] = Counter()
        self._asked: Counter[tuple[str, bool]] = Counter()
        self._answered: Counter[tuple[str, bool]] = Counter()
        """By file, and whether made alone: how many calls there were, and how many bytes they answered."""
        self.restarts = 0
        """How often a box had to be ended for what the submission did."""
        self.timing: dict[str, float] = {"start": 0.0, "calls": 0.0, "close": 0.0}
        """Seconds by part."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the box; safe to call twice."""
        if self._connection is not None:
            started = monotonic()
            connection, self._connection = self._connection, None
            connection.box.close()
            self.timing["close"] += monotonic() - started

    def run(self, target: Target, calls: Sequence[Call], *, isolate: bool = False) -> tuple[Claim, ...]:
        """Make the calls in one process, or each in its own; one claim a call, in order, always.

        Raises SandboxError: a fault of the machine.
        """
        claims: dict[int, Claim] = {}
        lost: set[str] = set()
        groups = _Groups()
        while left := self._left(target, calls, isolate, claims, groups):
            self._since = started = monotonic()
            try:
                self._converse(target, left, isolate, claims, groups, lost)
            finally:
                self._used, self._since = self._used + monotonic() - started, None
        return tuple(claims[number] for number in range(len(calls)))

    # --- calls that need no box -------------------------------------------------------------------

    def _left(
        self,
        target: Target,
        calls: Sequence[Call],
        isolate: bool,
        claims: dict[int, Claim],
        groups: _Groups,
    ) -> list[tuple[int, Call]]:
        """The calls, by number, that are still to be made; those not worth a run get their claims."""
        left = []
        for number, call in enumerate(calls):
            if number in claims:
                continue
            unrun = self._unrun(target, call, isolate) or groups.unrun(call)
            if unrun is None:
                left.append((number, call))
            else:
                claims[number] = unrun
        return left

    def _unrun(self, target: Target, call: Call, isolate: bool) -> Claim | None:
        """The claim of a call that is not worth a run; None where it is."""
        if target.file in self._unloadable:
            return _ended(call, "timeout", f"{target.file} could not be loaded in time", stage="import")
        if self._silences[target.file] >= MAX_SILENCES:
            return _ended(call, "timeout", f"not run: {target.file} made the sandbox fall silent too often")
        if self._is_over():
            return _ended(call, "timeout", "not run: the time for the whole submission was used up")
        if self._is_too_large(target, isolate):
            why = f"not run: the answers of {target.file} had become too large, all of them together"
            return _ended(call, "output-limit", why)
        if self.restarts > MAX_RESTARTS:
            return _ended(call, "violation", "not run: the submission ended its sandbox too often")
        return None

    # --- a conversation with a box ----------------------------------------------------------------

    def _converse(
        self,
        target: Target,
        left: Sequence[tuple[int, Call]],
        isolate: bool,
        claims: dict[int, Claim],
        groups: _Groups,
        lost: set[str],
    ) -> None:
        """Send a batch, and add claims until all calls are answered, or the box had to be ended."""
        connection = self._connected()
        started = monotonic()
        try:
            self._exchange(connection, target, left, isolate, claims, groups)
        except (ProtocolError, BoxTimeout, EOFError, BrokenPipeError) as error:
            self._end_box()
            self.restarts += 1
            open_ = next(((number, call) for number, call in left if number not in claims), None)
            if open_ is not None:
                number, call = open_
                blamed = self._blamed(target, call, error, connection, lost)
                if blamed is not None:
                    claims[number] = blamed
                    groups.note(call, blamed, self._hurry(target))
        finally:
            self.timing["calls"] += monotonic() - started

    def _exchange(
        self,
        connection: Connection,
        target: Target,
        left: Sequence[tuple[int, Call]],
        isolate: bool,
        claims: dict[int, Claim],
        groups: _Groups,
    ) -> None:
        self._batches += 1
        patience = Patience(self._limits.call_wall_seconds, self._hurry(target))
        message = {
            "type": "batch",
            "id": self._batches,
            "target": {"file": target.file, "name": target.name},
            "isolate": isolate,
            "hurry": patience.hurry,
            "calls": [_told(call) for _, call in left],
        }
        still = Counter(call.group for _, call in left)
        connection.send(message, deadline=self._deadline(left[0][1], patience))
        for number, call in left:
            reply = connection.next(deadline=self._deadline(call, patience))
            expect_head(reply, {"type": "reply", "batch": self._batches, "id": call.id})
            claims[number] = self._seen(claim_of(reply, call), target, connection)
            self._asked[target.file, isolate] += 1
            self._answered[target.file, isolate] += connection.length - _length_of_output(reply)
            still[call.group] -= 1
            is_spent = groups.note(call, claims[number], self._hurry(target))
            if is_spent and claims[number].outcome not in SPENT:
                self._slow.add(target.file)
            is_worthless = is_spent and still[call.group] > 0
            if is_worthless or self._is_too_large(target, isolate) or self._is_over():
                self._end_box()  # the rest of the batch goes on in another one, as far as it is run
                return
        done = connection.next(deadline=self._deadline(left[-1][1], patience))
        expect_head(done, {"type": "done", "batch": self._batches})

    def _seen(self, claim: Claim, target: Target, connection: Connection) -> Claim:
        """Draw the session's own conclusions from a claim."""
        if claim.outcome in COSTLY:
            self._slow.add(target.file)
        if claim.outcome == "timeout":
            if claim.fault is not None and claim.fault.stage == "import":
                self._unloadable.add(target.file)
            elif claim.fault is not None and not claim.fault.message:
                return replace(claim, fault=None)  # whether the child or its parent told is luck
        killed = claim.outcome == "died" and claim.fault is not None and claim.fault.kind == "signal 9"
        if killed and connection.ran_out_of_memory():
            return replace(claim, outcome="out-of-memory", fault=_no_memory(claim.fault))
        return claim

    def _blamed(
        self, target: Target, call: Call, error: Exception, connection: Connection, lost: set[str]
    ) -> Claim | None:
        """How the call in hand ended, when its box had to be ended; None where it gets another."""
        if isinstance(error, BoxTimeout):
            self._slow.add(target.file)
            self._silences[target.file] += 1
            return _ended(call, "timeout", "the sandbox fell silent")
        if isinstance(error, ProtocolError):
            return _ended(call, "violation", str(error))
        if connection.out_of_memory:
            return _ended(call, "out-of-memory", "", kind="MemoryError")
        if call.id in lost:
            return _ended(call, "violation", "the call ended the sandbox's own process, twice")
        lost.add(call.id)  # a box may be lost to the machine as well
        return None

    def _is_over(self) -> bool:
        """Whether the time for the whole submission is used up."""
        running = 0.0 if self._since is None else monotonic() - self._since
        return self._used + running >= self._limits.submission_wall_seconds

    def _is_too_large(self, target: Target, isolate: bool) -> bool:
        most = ANSWERS * self._limits.reply_bytes + ANSWER_BYTES * self._asked[target.file, isolate]
        return self._answered[target.file, isolate] > most

    def _hurry(self, target: Target) -> int:
        if target.file in self._slow:
            return PRESSED
        return HURRIED if self._slow else CALM

    def _deadline(self, call: Call, patience: Patience) -> float:
        """When to give up on the next reply: a child may have to be started for it."""
        return monotonic() + 2 * patience.seconds(call.cpu_seconds).wall + GRACE_SECONDS

    # --- boxes --------------------------------------------------------------------------------------

    def _connected(self) -> Connection:
        if self._connection is None:
            started = monotonic()
            self._connection = Connection(self._backend.open(self._limits), self._limits)
            try:
                self._connection.start(self._submission)
            except SandboxError:
                self._end_box()
                raise
            except (ProtocolError, EOFError, BrokenPipeError) as error:
                self._end_box()
                raise SandboxError(f"the runner in the sandbox did not start: {error}") from error
            finally:
                self.timing["start"] += monotonic() - started
        return self._connection

    def _end_box(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.end()


def _length_of_output(reply: dict[str, Any]) -> int:
    """What the call printed is bounded by itself, and most of it is not kept."""
    return len(dumps(reply["output"])) if reply.get("output") else 0


def _told(call: Call) -> dict[str, Any]:
    """The call without its group: which calls belong together may tell what is expected of them."""
    return {
        "id": call.id,
        "kind": call.kind,
        "arguments": dict(call.arguments),
        "cpu_seconds": call.cpu_seconds,
        "group": "",
    }


def _ended(
    call: Call, outcome: Outcome, message: str, *, kind: str = "", stage: Literal["import", "call"] = "call"
) -> Claim:
    return Claim(call.id, outcome, fault=Fault(kind or outcome, message, stage=stage))


def _no_memory(fault: Fault | None) -> Fault:
    """The one fault that stands for too much memory, however it showed."""
    return Fault("MemoryError", "", stage=fault.stage if fault else "call")
