"""Listens to one child: passes its answers on, and where it fails to answer, reports why.

A child's line is passed on unread but for its head: it must answer the call in hand, and name an
outcome. The grader reads the rest. What the submission printed comes through a pipe of its own,
cut at the marks that the child sets after each call.
"""

from __future__ import annotations

from collections.abc import Callable
from json.encoder import encode_basestring_ascii as quoted
from signal import SIGABRT, SIGBUS, SIGKILL, SIGSEGV, SIGXCPU
from time import monotonic
from typing import Final

from .budgets import ENDLESS
from .child import DONE, ENDLESS_LOADING, LOST, QUESTION, READY, TOO_SLOW
from .child_process import ChildProcess
from .faults import fault
from .job import ChildJob, Message
from .wire import OWN, encode

_LIMITS: Final = (ENDLESS, "timeout", "out-of-memory", "output-limit")
"""Outcomes with which a child ends."""
_OUTCOMES: Final = ("returned", "raised", "missing", *_LIMITS)
_FALLS: Final = (LOST, -SIGSEGV, -SIGBUS, -SIGABRT)
"""How a process ends that lacks memory where it does not check for it: at the end of its stack, too."""
_MUCH_MEMORY: Final = 0.5
"""A process that ends so with half of its memory in use, or more, has run out of it."""
_GRACE_SECONDS: Final = 1.0
"""Seconds that a child has to answer for itself, when a call has used up its own."""
_NAP_SECONDS: Final = 0.004
_NAP_SECONDS_PER_CALL: Final = 0.0001
"""How long to let answers gather, at the most and by the calls that are left: to be woken for each would
cost more than it, here and in the grader."""
_CLOSED = "the process closed the descriptor on which the runner answers"
_UNREAD = "the process did not read the answers to its own questions"
_GARBAGE = "the process wrote something else than the answer to the call in hand"


class ChildListener:
    """One child, from its first line to its last."""

    def __init__(
        self,
        child: ChildProcess,
        send: Callable[[bytes], None],
        ask: Callable[[bytes], bytes],
        job: ChildJob,
    ) -> None:
        self._child, self._send, self._ask, self._job = child, send, ask, job
        self._most_printed: int = job.limits["output_bytes"]
        self.outcomes: list[str] = []
        """How the calls ended that were answered so far."""
        self.unloaded: Message | None = None
        """The answer to every call, where the process ended while it loaded the target."""
        self._failure: Message | None = None
        self._loaded = False
        self._beginning = encode({"type": "reply", "round": job.round_id, "id": ""})[:-4]
        self._to_pass_on: list[bytes] = []
        self._restart_clock()

    def listen(self) -> None:
        """Listen until all calls are answered, or no more answers can come."""
        while not self._is_over():
            self._child.listen(self._deadline - monotonic(), nap=self._nap())
            self._take_lines()
            if self._failure is None:
                self._failure = self._overrun()

    def conclude(self) -> None:
        """Answer for the call in hand, where the process has ended without an answer to it."""
        self._child.drain(self._job.limits["reply_bytes"])
        if self._failure is None or self._failure["outcome"] != "violation":
            self._take_lines()
        if self._all_answered() or self._ends_with_a_limit() or self._may_have_ended_with_one():
            return
        told = self._failure or self._ending()
        if not self._loaded:
            self.unloaded = told = {**told, "fault": {**told["fault"], "stage": "import"}}
        self._answer(self._head() + _tail(told), self._printed(), told["outcome"])
        self._pass_on()

    # --- what comes in --------------------------------------------------------------------------

    def _take_lines(self) -> None:
        lines = self._child.lines
        while lines and self._failure is None and not self._needs_no_more():
            line = lines.popleft()
            if line == READY and not self._loaded:
                self._loaded = True
                self._restart_clock()
            elif line.startswith(QUESTION) and self._loaded:
                self._pass_question_on(line)
            elif not self._loaded or not self._take_reply(line):
                self._failure = _violation(_GARBAGE)
        self._pass_on()
        if len(self._child.rest) > self._job.limits["reply_bytes"] and self._failure is None:
            self._failure = _violation(_GARBAGE)

    def _pass_question_on(self, line: bytes) -> None:
        """Ask the grader on the child's behalf, and hand the child the answer."""
        if self._job.search == OWN or self._all_answered() or not line.endswith(b"}"):
            self._failure = _violation(_GARBAGE)
            return
        self._pass_on()
        head = encode({"type": "question", "round": self._job.round_id, "id": self._call_in_hand()["id"]})
        if not self._child.tell(self._ask(head[:-2] + b"," + line[len(QUESTION) + 1 :] + b"\n")):
            self._failure = _violation(_UNREAD)

    def _take_reply(self, line: bytes) -> bool:
        """Take an answer, to be passed on; return False where the line is none."""
        if self._all_answered() or self._ends_with_a_limit():
            return False
        head = self._head()
        outcome, quote, _ = line[len(head) :].partition(b'"')
        if not line.startswith(head) or not quote or not line.endswith(b"}"):
            return False
        if outcome.decode("ascii", "replace") not in _OUTCOMES:
            return False
        printed = self._child.next_output()
        if self._job.charged and len(printed) > self._most_printed:
            self._child.outputs.appendleft(printed)
            self._failure = _too_much()
            return True
        self._answer(line[:-1], printed[: self._most_printed], outcome.decode())
        return True

    def _answer(self, line: bytes, printed: bytes, outcome: str) -> None:
        text = quoted(printed.decode("utf-8", "replace")).encode("ascii") if printed else b'""'
        self._to_pass_on.append(line + b',"output":' + text + b"}\n")
        self.outcomes.append(outcome)

    def _pass_on(self) -> None:
        """Send the answers that were taken, and restart the clock for the next call."""
        if self._to_pass_on:
            self._send(b"".join(self._to_pass_on))
            self._to_pass_on.clear()
            self._restart_clock()

    def _printed(self) -> bytes:
        return self._child.next_output()[: self._most_printed]

    # --- where things stand ---------------------------------------------------------------------

    def _is_over(self) -> bool:
        return (
            self._failure is not None
            or self._all_answered()
            or self._ends_with_a_limit()
            or self._child.status is not None
        )

    def _all_answered(self) -> bool:
        return len(self.outcomes) == self._job.to_make

    def _needs_no_more(self) -> bool:
        """Tell whether the child is in a call that was not to be made."""
        return self._all_answered() and self._job.to_make < len(self._job.calls)

    def _ends_with_a_limit(self) -> bool:
        return self._last in _LIMITS and not (self._last == ENDLESS and self._job.versions)

    def _may_have_ended_with_one(self) -> bool:
        """Tell whether the last call was endless, on another version, after which the process may go on."""
        return self._last == ENDLESS and self._failure is None

    @property
    def _last(self) -> str:
        """The outcome of the last call that was answered."""
        return self.outcomes[-1] if self.outcomes else ""

    def _head(self) -> bytes:
        """Return the beginning of the answer to the call in hand, as a child writes it."""
        return self._beginning + quoted(self._call_in_hand()["id"]).encode("ascii") + b',"outcome":"'

    def _call_in_hand(self) -> Message:
        return self._job.calls[len(self.outcomes)]

    def _nap(self) -> float:
        """Return how long to let answers gather: not at all where one only is to come, or questions are."""
        left = self._job.to_make - len(self.outcomes)
        gathers = left > 1 and self._job.search == OWN
        return min(_NAP_SECONDS, left * _NAP_SECONDS_PER_CALL) if gathers else 0.0

    def _restart_clock(self) -> None:
        call = self._job.calls[min(len(self.outcomes), self._job.to_make - 1)]
        wall_seconds = self._job.pace.of_call(call["budget"]).wall_seconds
        self._deadline = monotonic() + wall_seconds + _GRACE_SECONDS * self._job.pace.stretch

    def _overrun(self) -> Message | None:
        """Return the failure of a child that has printed too much or taken too long; None for any other.

        A closed pipe is no verdict yet: the end of a process closes it too, a little earlier.
        """
        child = self._child
        is_too_much = self._job.charged and len(child.output) > self._most_printed
        if is_too_much or len(child.outputs) > len(self._job.calls):
            return _too_much()
        if monotonic() > self._deadline:
            return _violation(_CLOSED) if child.closed else _too_slow()
        return None

    def _ending(self) -> Message:
        """Return why the process ended on its own before it answered."""
        status = self._child.status
        if status in _FALLS and self._child.peak_bytes >= _MUCH_MEMORY * self._job.limits["memory_bytes"]:
            return _no_memory()
        if status in (LOST, DONE):
            return _violation(_CLOSED)
        if status == ENDLESS_LOADING:
            return _endless()
        if status in (TOO_SLOW, -SIGXCPU):
            return _too_slow()
        status = -SIGKILL if status is None else status
        kind = f"signal {-status}" if status < 0 else f"exit status {status}"
        return {"outcome": "died", "fault": fault(kind, "", "call")}


def _endless() -> Message:
    return {"outcome": ENDLESS, "fault": fault(ENDLESS, "", "call")}


def _too_slow() -> Message:
    return {"outcome": "timeout", "fault": fault("timeout", "", "call")}


def _too_much() -> Message:
    return {"outcome": "output-limit", "fault": fault("output-limit", "", "call")}


def _no_memory() -> Message:
    return {"outcome": "out-of-memory", "fault": fault("MemoryError", "", "call")}


def _violation(message: str) -> Message:
    return {"outcome": "violation", "fault": fault("violation", message, "call")}


def _tail(told: Message) -> bytes:
    """Return the rest of an answer, from its outcome on, without the output."""
    rest = encode({"fault": told["fault"], "cpu_seconds": 0.0}).strip()[1:-1]
    return str(told["outcome"]).encode() + b'",' + rest
