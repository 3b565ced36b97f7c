"""A child process as the runner sees it: forked, listened to, and ended.

Listens to one child: passes its answers on, and where it fails to answer, reports why.

A child's line is passed on unread but for its head: it must answer the call in hand, and name an
outcome. The grader reads the rest. What the submission printed comes through a pipe of its own,
cut at the marks that the child sets after each call.
"""

from __future__ import annotations

import fcntl
import gc
import os
import select
import sys
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from json.encoder import encode_basestring_ascii as quoted
from signal import SIGABRT, SIGBUS, SIGKILL, SIGSEGV, SIGXCPU
from time import monotonic, sleep
from typing import Final, NoReturn

from .child import DONE, ENDLESS_LOADING, LOST, QUESTION, READY, TOO_SLOW
from .faults import fault
from .files import ChildJob, Message
from .guard import can_filter, load_filter, program_of_children, stand_apart
from .wire import ENDLESS, OWN, encode

ANSWERS, REPLIES = 8, 9
"""Where a child reads what the grader answers to it, and where it answers itself; the runner's own
descriptors lie above, and are closed in the child."""
_ASIDE: Final = 32
"""From here on the two ends are put aside, while their places are made free."""
_HIGHEST_DESCRIPTOR: Final = 4096
_CHUNK: Final = 65536
_REFUSED_TO_CHILDREN: Final = program_of_children() if sys.platform == "linux" and can_filter() else b""
_WITHOUT_PIDFD_SECONDS: Final = 0.02
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""The number of bytes in the unit in which the kernel reports how much memory a process had."""


class ChildProcess:
    """A child that was just forked."""

    def __init__(
        self, pid: int, replies: int, output: int, answers: int, mark: bytes, most_output: int
    ) -> None:
        self.pid = pid
        self._answers = answers
        self.status: int | None = None
        """The exit status, or minus the signal, once the process has ended."""
        self.peak_bytes = 0
        """The most memory that the process had, once it has ended."""
        self.closed = False
        """Whether nobody can answer any more."""
        self.lines: deque[bytes] = deque()
        self.outputs: deque[bytes] = deque()
        """What was printed in each of the calls that are over."""
        self.output = bytearray()
        """What was printed in the call in hand; not all of it where it is more than ``most_output`` bytes."""
        self.rest = bytearray()
        """A line that has not ended yet."""
        self._mark, self._most_output = mark, most_output
        self._poll = select.poll()
        self._readers = {replies: self._take_replies, output: self._take_output}
        for descriptor in self._readers:
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.POLLIN)
        self._replies = replies
        self._pidfd = _pidfd(pid)
        if self._pidfd is not None:
            self._poll.register(self._pidfd, select.POLLIN)

    def listen(self, seconds: float, *, nap: float = 0.0) -> None:
        """Wait for something to happen, ``seconds`` at most, nap, and take in what did.

        A child writes what a call printed before it writes the answer. So the answers are read first: what
        belongs to them is there by then.
        """
        if self._pidfd is None:
            seconds = min(seconds, _WITHOUT_PIDFD_SECONDS)
        ready = self._poll.poll(max(0.0, seconds) * 1000)
        if ready:
            if nap:
                sleep(nap)
            for descriptor in self._readers:
                self._read(descriptor)
        if self._pidfd is None or any(descriptor == self._pidfd for descriptor, _ in ready):
            self.reap()

    def tell(self, line: bytes) -> bool:
        """Hand a line to the child; return False where the child takes none, since nobody waits for it."""
        try:
            return os.write(self._answers, line) == len(line)
        except OSError:
            return False

    def hand_over(self, data: bytes) -> None:
        """Hand any amount of data to a child that is sure to read it, or to end."""
        os.set_blocking(self._answers, True)
        view = memoryview(data)
        with suppress(BrokenPipeError):
            while view:
                view = view[os.write(self._answers, view) :]
        os.set_blocking(self._answers, False)

    def reap(self) -> None:
        """Note how the process ended, if it has."""
        if self.status is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                self.peak_bytes = usage.ru_maxrss * _RSS_UNIT

    def drain(self, most_bytes: int) -> None:
        """Take in what is left in the pipes of an ended child, about ``most_bytes`` from each."""
        for descriptor in list(self._readers):
            for _ in range(most_bytes // _CHUNK + 2):
                if not self._read(descriptor):
                    break

    def next_output(self) -> bytes:
        """Return what was printed in the first call whose output was not returned yet."""
        if self.outputs:
            return self.outputs.popleft()
        printed = bytes(self.output)
        self.output.clear()
        return printed

    def close(self) -> None:
        """Close the pipes."""
        for descriptor in (*self._readers, self._answers, self._pidfd):
            if descriptor is not None:
                os.close(descriptor)

    def _read(self, descriptor: int) -> bool:
        """Read one chunk; tell whether there may be more."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._readers[descriptor](data)
            return True
        self._forget(descriptor)
        return False

    def _forget(self, descriptor: int) -> None:
        try:
            self._poll.unregister(descriptor)
        except KeyError:
            return
        self.closed |= descriptor == self._replies

    def _take_replies(self, data: bytes) -> None:
        self.rest += data
        if b"\n" in data:
            *lines, rest = self.rest.split(b"\n")
            self.lines.extend(map(bytes, lines))
            self.rest = rest

    def _take_output(self, data: bytes) -> None:
        start = max(0, len(self.output) - len(self._mark))
        self.output += data
        if self.output.find(self._mark, start) >= 0:
            *ended, rest = self.output.split(self._mark)
            self.outputs.extend(map(bytes, ended))
            self.output = rest
        del self.output[self._most_output : -len(self._mark)]


Pipe = Callable[[], tuple[int, int]]
"""Makes a pipe: an end to read from, and one to write to."""


def pipes_in(folders: Iterable[str]) -> Pipe:
    """Return what makes the pipes of children: named ones in a folder that is a mount, where there is one.

    Whoever holds a pipe can read its number. The kernel counts all nameless pipes of the machine in one row;
    the files of a tmpfs, each tmpfs for itself (since Linux 5.9).
    """
    for folder in folders:
        if os.lstat(folder).st_dev != os.lstat(f"{folder}/..").st_dev:
            return partial(_named_pipe, f"{folder}/pipe")
    return os.pipe


def _named_pipe(path: str) -> tuple[int, int]:
    """Make a pipe whose name is gone again before any code of the submission could open it."""
    os.mkfifo(path, 0o600)
    end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # does not wait for the other one
    other_end = os.open(path, os.O_WRONLY)
    os.unlink(path)  # noqa: PTH108 - pathlib is slow to load
    os.set_blocking(end, True)
    return end, other_end


def fork(pipe: Pipe, run: Callable[[int, int], NoReturn], mark: bytes, most_output: int) -> ChildProcess:
    """Fork a child that calls ``run`` with two descriptors: to answer on, and to be answered on."""
    replies, replies_end = pipe()
    output, output_end = pipe()
    answers_end, answers = pipe()
    os.set_blocking(answers, False)
    pid = os.fork()
    if not pid:
        try:
            gc.enable()  # the runner does without
            _settle(pipe, replies_end, output_end, answers_end)
            run(REPLIES, ANSWERS)
        finally:
            os._exit(1)
    os.close(replies_end)
    os.close(output_end)
    os.close(answers_end)
    return ChildProcess(pid, replies, output, answers, mark, most_output)


def _settle(pipe: Pipe, replies: int, output: int, answers: int) -> None:
    """Leave the runner's session, and keep no descriptor of it but the three ends; runs in the child.

    The child can then reach no process but those that the submission starts.
    """
    os.setsid()
    _own_input(pipe)
    os.dup2(output, 1)
    os.dup2(output, 2)
    replies, answers = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _ASIDE) for end in (replies, answers))
    os.dup2(replies, REPLIES, inheritable=False)
    os.dup2(answers, ANSWERS, inheritable=False)
    os.closerange(3, ANSWERS)
    os.closerange(REPLIES + 1, _HIGHEST_DESCRIPTOR)
    stand_apart()
    if _REFUSED_TO_CHILDREN:
        with suppress(OSError):  # where new privileges can be gained
            load_filter(_REFUSED_TO_CHILDREN)


def _own_input(pipe: Pipe) -> None:
    """Give the child an input of its own, at its end: what is set on a shared one, the next process sees."""
    ended, end = pipe()
    os.close(end)
    os.dup2(ended, 0)
    os.close(ended)


def _pidfd(pid: int) -> int | None:
    """Return a descriptor that shows when the process ends; None where the system has no such thing."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


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
        self, child: ChildProcess, send: Callable[[bytes], None], ask: Callable[[bytes], bytes], job: ChildJob
    ) -> None:
        self._child, self._send, self._ask, self._job = child, send, ask, job
        self._most_printed: int = job.limits["output_bytes"]
        self.outcomes: list[str] = []
        """How the calls ended that were answered so far."""
        self.waited: set[int] = set()
        """The numbers of those that were endless since they waited: that costs no turns."""
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
        if outcome == ENDLESS and b'"what":"waits"' in line:
            self.waited.add(len(self.outcomes))
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
        pace = self._job.pace
        wall_seconds = min(pace.of_call(call["budget"]).wall_seconds, pace.stretch * pace.wall_left)
        self._deadline = monotonic() + wall_seconds + _GRACE_SECONDS * pace.stretch

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
