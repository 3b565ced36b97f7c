"""The grader's side of the wire: calls go into a box, claims come out, whatever happens in there.

Theory of operation. One box serves one submission. A reply that is off in any way, a runner that
ends or falls silent: the box is ended, the call in hand gets its outcome, and the calls that are
left go on in a new box, up to a limit. A box that is lost may be lost to the machine, or to a later call,
and the replies to those before it with it: so the call in hand is made once more, alone, before it is
blamed. Only what happens before any of the student's code has run is a fault of the machine, and is raised
as SandboxError.

Time. A call has its CPU seconds and the wall seconds of the limits, which are stretched while the machine
is busy. Once a call has timed out, later ones of its file get a part of that only
(``grader/inside/wire.py``), so that a loop costs its limit once; a file that could not be loaded in time
is not loaded again. All runs together may take ``submission_cpu_seconds``, and ``submission_wall_seconds`` on
the wall, which are shared out by file (``submission_limits.py``). No call gets more than what is left in the
purse of its file; once that is empty, the box is ended, and calls that are left are answered ``not-asked``.

Memory. A claim takes up to twenty times the memory of its bytes, and all those of an exercise are kept
while it is judged. So the answers of one file together are bounded as well, and separately those of calls
that are tried again alone; calls that are left when they are too large are answered ``output-limit``,
unrun.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from time import monotonic
from types import MappingProxyType, TracebackType
from typing import Final, Protocol, Self

from grader.errors import BoxTimeout, ProtocolError, QuestionsSpent, SandboxError
from grader.model import Again, Call, Claim, Fault, Leftovers, Limits, Spent, Submission, Target
from grader.sandbox.base import Backend
from grader.session.connection import (
    ENDLESS,
    MAX_QUESTION,
    MEANINGS,
    Connection,
    Pace,
    budget_of,
    encode,
    expect_head,
    one_processor,
    round_line,
    size_of,
)
from grader.session.replies import claim_of, length_of_output
from grader.session.submission_limits import Groups, SubmissionLimits, stretch_now, unanswered

_NO_FILE: Final = Fault("no file", "", stage="import")
GRACE_SECONDS: Final = 10.0
"""What a runner may take on top of a call's wall seconds: to end it, to tidy up, on a busy machine."""
CALL_QUESTION_BYTES: Final = 32 * 1024 * 1024
"""What the questions of one call may take: twice as much as all that are answered, each step sent alone."""


class QuestionAnswerer(Protocol):
    """Answers the questions that one call asks of its Search."""

    def answer(self, question: Mapping[str, object]) -> dict[str, object]:
        """Return what the steps of a question changed. Raises ProtocolError, QuestionsSpent among them."""


MakeAnswers = Callable[[Call], QuestionAnswerer]
"""Makes what answers the questions of a call."""


@dataclass
class _Run:
    """Calls of one target, and their results so far."""

    target: Target
    calls: Sequence[Call]
    isolate: bool
    answers: MakeAnswers | None
    """Makes what answers a solver in the place of its own Search; None where its own is used."""
    claims: dict[int, Claim] = field(default_factory=dict)
    """By the number of the call."""
    groups: Groups = field(default_factory=Groups)
    lost: set[str] = field(default_factory=set)
    """The calls during which a box ended on its own."""
    again: int | None = None
    """The number of a call that timed out, or during which a box was lost: it is made once more, alone,
    before that counts."""


Left = Sequence[tuple[int, Call]]
"""The calls, by number, that are still to be made."""


class Session:
    """One submission in its box; a context manager."""

    def __init__(
        self,
        backend: Backend,
        limits: Limits,
        submission: Submission,
        shares: Mapping[str, float] = MappingProxyType({}),
        stretch: Callable[[], float] = stretch_now,
        again: Again | None = None,
    ) -> None:
        """Take a submission; ``shares`` are those of its files in its time, or in what ``again`` has left."""
        self.leftovers: Leftovers = "told"
        """What becomes of what was left lying around in the code; to be set before the first call."""
        self._backend, self._limits, self._submission = backend, limits, submission
        self._submission_limits = SubmissionLimits(limits, shares, stretch, again)
        self._connection: Connection | None = None
        self._rounds = 0
        self.timing: dict[str, float] = {"start": 0.0, "calls": 0.0, "close": 0.0}
        """Seconds by part."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def restarts(self) -> int:
        """The number of boxes that had to be ended for what the submission did."""
        return self._submission_limits.restarts.total()

    def close(self) -> None:
        """End the box; safe to call twice."""
        if self._connection is not None:
            started = monotonic()
            connection, self._connection = self._connection, None
            connection.box.close()
            self.timing["close"] += monotonic() - started

    def run(
        self,
        target: Target,
        calls: Sequence[Call],
        *,
        isolate: bool = False,
        answers: MakeAnswers | None = None,
    ) -> tuple[Claim, ...]:
        """Make the calls in one process, or each in its own; always return one claim a call, in order.

        Where ``answers`` are given, solvers are handed a Search that asks them. No box is asked for a file
        that was not handed in. Raises SandboxError for a fault of the machine.
        """
        if target.file not in self._submission.files:
            return tuple(Claim(call.id, "missing", fault=_NO_FILE) for call in calls)
        run = _Run(target, calls, isolate, answers)
        while left := self._left(run):
            with self._submission_limits.timed(target):
                self._converse(run, left)
        return tuple(run.claims[number] for number in range(len(calls)))

    def _left(self, run: _Run) -> Left:
        """Return what is still to be made; give calls that are not worth a run their claims."""
        not_made = self._submission_limits.not_made(run.target, isolate=run.isolate, asks=bool(run.answers))
        if run.again is not None and not_made is None:
            return [(run.again, run.calls[run.again])]
        run.again, left = None, []
        for number, call in [each for each in enumerate(run.calls) if each[0] not in run.claims]:
            claim = not_made(call) if not_made else run.groups.not_made(call)
            if claim is None:
                left.append((number, call))
            else:
                run.claims[number] = claim
        return left

    def give(self, target: Target, kept: float = 0.0) -> None:
        """Give what a target leaves over to the others, but for the part of its share that it is to keep."""
        self._submission_limits.give(target, kept)

    def can_repeat(self, target: Target, share: float) -> bool:
        """Tell whether the seconds are left to decide about a target once more, given its share of them."""
        return self._submission_limits.can_repeat(target, share)

    @property
    def left(self) -> tuple[float, float]:
        """What is left of the submission's seconds of the processor, and of those on the wall."""
        return self._submission_limits.left

    @property
    def search_ends_loading(self) -> bool:
        """Whether what loads the submission's Search is ended by that."""
        return self._submission_limits.search_ends_loading

    def keep_half(self, target: Target) -> None:
        """Keep half of a target's seconds for calls that are answered."""
        self._submission_limits.keep_half(target)

    def aside(self) -> AbstractContextManager[None]:
        """Return a context whose calls cost later ones nothing: their seconds are of those that explain."""
        return self._submission_limits.aside()

    @property
    def explains_no_more(self) -> bool:
        """Whether the seconds of what explains are used up."""
        return self._submission_limits.explains_no_more

    # --- conversations with boxes -------------------------------------------------------------------

    def _converse(self, run: _Run, left: Left) -> None:
        """Send a round, and add claims until all calls are answered, or the box has to be ended."""
        connection = self._connected()
        started = monotonic()
        try:
            with one_processor(asks=run.answers is not None) as processor:
                self._exchange(connection, run, left, processor)
        except (ProtocolError, BoxTimeout, EOFError, BrokenPipeError) as error:
            self._end_box()
            if not isinstance(error, QuestionsSpent):  # the box has done nothing wrong
                self._submission_limits.restarts[run.target.file] += 1
            in_hand = next(((number, call) for number, call in left if number not in run.claims), None)
            if in_hand is not None:
                number, call = in_hand
                blamed = self._blamed(run, call, error, connection)
                run.again = number if blamed is None else None
                if blamed is not None:
                    run.claims[number] = blamed
                    run.groups.note(call, blamed)
        finally:
            self.timing["calls"] += monotonic() - started

    def _exchange(self, connection: Connection, run: _Run, left: Left, processor: int | None) -> None:
        """Send a round and take its replies; end the box where the rest is not worth a run."""
        self._rounds += 1
        patient = self._submission_limits.second_try(run.target) if run.again is not None else None
        pace = patient or self._submission_limits.pace(run.target)
        asks, in_groups = run.answers is not None, any(call.group for _, call in left)
        head: dict[str, object] = {
            "type": "round",
            "id": self._rounds,
            "target": {"file": run.target.file, "name": run.target.name},
            "isolate": run.isolate or patient is not None,
            "anew": any(call.anew for _, call in left),
            "hurry": pace.hurry,
            "tired": pace.tired,
            "stretch": pace.stretch,
            "left": [round(seconds, 3) for seconds in self._submission_limits.left_to(run.target, asks=asks)],
            "search": self._submission_limits.search_for_solvers(asks=asks),
            "until_endless": in_groups,
            "processor": processor,
        }
        line = round_line(head, tuple(call for _, call in left), self._limits, search_is_asked=asks)
        still = Counter(call.group for _, call in left)
        connection.send_line(line, deadline=monotonic() + self._patience(run, left[0][1], pace))
        for number, call in left:
            claim, size = self._next_claim(connection, run, call, pace)
            if claim.outcome == "timeout":
                whole = pace.of_call(budget_of(call, self._limits))
                self._submission_limits.note_timeout(run.target, claim, whole.cpu_seconds, asks=asks)
            is_first = claim.outcome == "timeout" and patient is None
            if is_first and self._submission_limits.second_try(run.target):
                run.again = number
                self._end_box()
                return
            run.again = None
            run.claims[number] = self._noted(claim, size, run, connection)
            still[call.group] -= 1
            is_rest_worthless = self._is_rest_worthless(run, call, run.claims[number], still)
            if in_groups and claim.outcome == ENDLESS:
                break  # the rest goes on in the same box, without those of the group
            if is_rest_worthless:
                self._end_box()  # the rest of the round goes on in another one, as far as it is run
                return
        done = connection.next(deadline=monotonic() + self._patience(run, left[-1][1], pace))
        expect_head(done, {"type": "done", "round": self._rounds})
        self._submission_limits.note_end()

    def _next_claim(self, connection: Connection, run: _Run, call: Call, pace: Pace) -> tuple[Claim, int]:
        """Return the next claim, and its bytes without the output, which has a limit of its own."""
        line = self._next_reply(connection, run, call, pace)
        if (known := MEANINGS.recall(line, self._rounds, call)) is not None:
            return self._within_file(known, run, call), len(line)
        message = connection.read(line)
        expect_head(message, {"type": "reply", "round": self._rounds, "id": call.id})
        claim = claim_of(message, call)
        if call.version is None:
            claim = MEANINGS.keep(line, self._rounds, call, message, claim)
        return self._within_file(claim, run, call), len(line) - length_of_output(message)

    def _within_file(self, claim: Claim, run: _Run, call: Call) -> Claim:
        """Return the claim without lines that the file does not have: no loop is longer for them."""
        if not claim.lines:
            return claim
        text = call.version or self._submission.files.get(run.target.file, b"")
        last = text.count(b"\n") + text.count(b"\r") + 1
        return replace(claim, lines=frozenset(line for line in claim.lines if line <= last))

    def _next_reply(self, connection: Connection, run: _Run, call: Call, pace: Pace) -> bytes:
        """Return the next line that asks nothing of the search; answer those that do."""
        if run.answers is None and (at_hand := connection.line_at_hand()) is not None:
            return at_hand
        deadline = monotonic() + self._patience(run, call, pace)  # of the call: no question puts it off
        if run.answers is None:
            return connection.next_line(deadline=deadline)
        answers, left = run.answers(call), CALL_QUESTION_BYTES
        head = encode({"type": "question", "round": self._rounds, "id": call.id})[:-2] + b","
        while (line := connection.next_line(deadline=deadline)).startswith(head):
            left -= len(line)
            if len(line) > MAX_QUESTION or left < 0:
                raise ProtocolError("the questions to the search take more bytes than their steps need")
            answer = answers.answer(connection.read(line))
            connection.send({"type": "answer", **answer}, deadline=deadline)
        return line

    def _noted(self, claim: Claim, size: int, run: _Run, connection: Connection) -> Claim:
        """Return the claim with what only the session knows of it, and note what it took."""
        self._submission_limits.note_answer(
            run.target, claim, size, isolate=run.isolate, asks=bool(run.answers)
        )
        fault = claim.fault
        if claim.outcome == "timeout" and fault and fault.stage != "import" and not fault.message:
            return replace(claim, fault=None)  # whether the child or its parent told is luck
        if claim.outcome == "died" and fault and fault.kind == "signal 9" and connection.ran_out_of_memory():
            # the one fault that stands for too much memory, however it showed
            return replace(claim, outcome="out-of-memory", fault=Fault("MemoryError", "", stage=fault.stage))
        return claim

    def _is_rest_worthless(self, run: _Run, call: Call, claim: Claim, still: Counter[str]) -> bool:
        """Tell whether the calls of the round that are still to come are not to be made, after this claim."""
        limits = self._submission_limits
        is_worthless = run.groups.note(call, claim) and still[call.group] > 0
        return (
            is_worthless
            or limits.is_too_large(run.target, isolate=run.isolate)
            or limits.is_over(run.target, asks=bool(run.answers))
        )

    def _blamed(self, run: _Run, call: Call, error: Exception, connection: Connection) -> Claim | None:
        """Return how the call in hand ended, when its box had to be ended; None where it gets another box."""
        if isinstance(error, BoxTimeout):
            self._submission_limits.note_silence(run.target)
            return unanswered(call, "timeout", "the sandbox fell silent")
        if isinstance(error, QuestionsSpent):
            spent = Spent("questions", error.count, size_of(call))
            return self._noted(Claim(call.id, ENDLESS, spent=spent), 0, run, connection)
        if isinstance(error, ProtocolError):
            return unanswered(call, "violation", str(error))
        if call.id not in run.lost:  # to the machine, it may be, or to a later call
            run.lost.add(call.id)
            return None
        if connection.out_of_memory:
            return unanswered(call, "out-of-memory", "", kind="MemoryError")
        return unanswered(call, "violation", "the call ended the sandbox's own process, twice")

    def _patience(self, run: _Run, call: Call, pace: Pace) -> float:
        """Return the seconds to wait for the next line: a child may have to be started for it."""
        _, left = self._submission_limits.left_to(run.target, asks=run.answers is not None)
        own = 2 * pace.of_call(budget_of(call, self._limits)).wall_seconds
        return min(own, pace.stretch * left) + GRACE_SECONDS * pace.stretch

    def _connected(self) -> Connection:
        if self._connection is None:
            started = monotonic()
            self._connection = Connection(self._backend.open(self._limits), self._limits)
            try:
                self._connection.start(self._submission, self.leftovers)
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
