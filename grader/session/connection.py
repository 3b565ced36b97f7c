"""A box and the lines that go in and come out of it, within the budget of a call.

The code of the messages lies in ``grader/inside``, since it enters the box as well; the rest of the trusted
side sees it from here.

What a call of the submission may use goes by the size of what it is asked. Turns, questions and depth decide:
all right submissions of the tests stay a factor of 20 below the first two. Seconds are the safety net behind
them, for loops inside of C and for code that sleeps.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Final

from grader.errors import ProtocolError, SandboxError
from grader.inside.wire import (
    ASKED,
    CALM,
    COSTLY,
    ENDLESS,
    MAX_COORDINATE,
    MAX_DEPTH,
    MAX_NUMBER,
    MAX_QUESTION,
    MAX_STEPS,
    OWN,
    PATIENT,
    PRESSED,
    PROTOCOL,
    STAND_IN,
    Budget,
    Pace,
    WireError,
    decode,
    encode,
)
from grader.model import (
    Arguments,
    Ask,
    Call,
    Claim,
    Generate,
    IsPerfect,
    Leftovers,
    Limits,
    RunScript,
    Solve,
    Submission,
    plain_arguments,
)
from grader.model.claims import ClaimValue
from grader.sandbox.base import Box
from lab.watch import most_questions

__all__ = [
    "ASKED",
    "CALM",
    "COSTLY",
    "ENDLESS",
    "MAX_COORDINATE",
    "MAX_DEPTH",
    "MAX_NUMBER",
    "MAX_QUESTION",
    "MAX_STEPS",
    "OWN",
    "PATIENT",
    "PRESSED",
    "PROTOCOL",
    "STAND_IN",
    "Budget",
    "Pace",
    "WireError",
    "decode",
    "encode",
]


TURNS: Final = (200_000, 2_000, 20)
"""The turns of a call: these numbers times 1, the size and its square. The most that a right submission
of the tests takes is 1.03 times the square, on 60 x 60 cells: its Search looks through a list each time."""
TIRED_TURNS: Final = (50_000, 500)
"""The same once a call of the file was endless: its points on large mazes are lost by then in most cases,
and a loop on 60 x 60 cells would take its time."""
TRIED_TURNS: Final = (3_000, 100, 2)
TRIED_QUESTIONS: Final = (400, 40)
"""The turns and the questions of a call on another version of the file: many are tried, each on small cases,
and a good part never ends."""
TRIED_SHARE: Final = 0.2
"""The share of its seconds that such a call gets: of one that runs in C alone, nothing else is counted."""
ASKED_QUESTIONS: Final = (300, 80)
"""The same where the grader answers for the Search: what is asked of it counts as well, so that right
solvers come to 24 a cell at most, and each question takes its way over the wire."""
DEPTH: Final = (5_000, 10)
"""The nested frames of a call: these numbers times 1 and the size. A serpentine is as many levels deep as it
has cells, with room for eleven frames a level on 60 x 60 cells. Code that calls itself endlessly is stopped
this way before its arguments fill the memory: lists that grow by one element a level take 320 MB on 400
cells."""
USUAL_SIZE: Final = 400
"""The rubric's seconds are those of a maze of up to 400 cells; a larger one has as many times more."""
WALL_FACTOR: Final = 3.0
"""A call may last at most 3 times its CPU seconds: it may sleep, but not for long."""


def tried_turns(call: Call) -> int:
    """Return how many turns a call on another version of the file may take."""
    return at_size(size_of(call), TRIED_TURNS)


def budget_of(call: Call, limits: Limits, *, search_is_asked: bool = False) -> Budget:
    """Return the whole budget of a call; ``search_is_asked`` where the grader answers for its search."""
    budget = _budget(size_of(call), limits.call_cpu_seconds, limits.call_wall_seconds, search_is_asked)
    if call.version is None:
        return budget
    turns = tried_turns(call)
    questions = at_size(size_of(call), TRIED_QUESTIONS)
    return budget._replace(
        turns=turns,
        tired_turns=turns,
        questions=min(questions, budget.questions),
        cpu_seconds=budget.cpu_seconds * TRIED_SHARE,
        wall_seconds=budget.wall_seconds * TRIED_SHARE,
    )


@lru_cache(maxsize=1024)
def _budget(size: int, cpu_seconds: float, wall_seconds: float, search_is_asked: bool) -> Budget:
    """Return the budget for a size; it is cached, since thousands of calls have the same few."""
    scale = max(1.0, size / USUAL_SIZE)
    cpu_seconds *= scale
    return Budget(
        turns=at_size(size, TURNS),
        tired_turns=at_size(size, TIRED_TURNS),
        questions=at_size(size, ASKED_QUESTIONS) if search_is_asked else most_questions(size),
        depth=at_size(size, DEPTH),
        cpu_seconds=round(cpu_seconds, 3),
        wall_seconds=round(max(cpu_seconds, min(wall_seconds * scale, WALL_FACTOR * cpu_seconds)), 3),
    )


def at_size(size: int, factors: tuple[int, ...]) -> int:
    """Return the value of a polynomial at a size; its factors begin with the constant one."""
    return sum(factor * size**power for power, factor in enumerate(factors))


def size_of(call: Call) -> int:
    """Return the number of cells of all the mazes of a call, or of the steps of a script."""
    match call.arguments:
        case Solve(mazes):
            return sum(map(cells_of, mazes))
        case RunScript(steps):
            return len(steps)
        case IsPerfect(maze, before):
            return sum(map(cells_of, (maze, *before)))
        case Generate(rows, columns, _, times):
            return rows * columns * times
        case Ask(_, _, size):
            return size


def cells_of(text: str) -> int:
    """Return the number of cells of a maze."""
    return (text.count("\n") // 2) * (text.find("\n") // 2)


START_SECONDS: Final = 60.0
"""What a runner may take to say hello and to load the files."""
_PROCESSOR: Final = 36
"""The place of the processor's number behind the name of a process in its status (proc(5), field 39)."""
_OVERHEAD_BYTES: Final = 256 * 1024
"""A reply may take 256 KiB more than its value and its output."""


class Connection:
    """One box, spoken to in messages."""

    def __init__(self, box: Box, limits: Limits) -> None:
        self.box, self._limits = box, limits
        self._cap = limits.reply_bytes + 6 * limits.output_bytes + _OVERHEAD_BYTES
        self._buffer = bytearray()
        self._memory_kills = 0
        self.out_of_memory = False

    def start(self, submission: Submission, leftovers: Leftovers = "told") -> None:
        """Say hello and hand the files over. Raises what ``next`` raises."""
        deadline = monotonic() + START_SECONDS
        names = ("memory_bytes", "processes", "output_bytes", "reply_bytes", "disk_bytes")
        limits = {name: getattr(self._limits, name) for name in names}
        self.send({"type": "hello", "protocol": PROTOCOL, "limits": limits}, deadline=deadline)
        expect_head(self.next(deadline=deadline), {"type": "hello", "protocol": PROTOCOL})
        files = {path: b64encode(content).decode("ascii") for path, content in submission.files.items()}
        self.send({"type": "load", "files": files, "leftovers": leftovers}, deadline=deadline)
        expect_head(self.next(deadline=deadline), {"type": "loaded", "files": len(files)})

    def send(self, message: dict[str, object], *, deadline: float) -> None:
        """Send a message; the runner reads it whole before it answers, so neither side waits."""
        self.send_line(encode(message), deadline=deadline)

    def send_line(self, line: bytes, *, deadline: float) -> None:
        """Send a message that is a line already."""
        self.box.write(line, deadline=deadline)

    def next(self, *, deadline: float) -> dict[str, object]:
        """Return the next message. Raises ProtocolError, BoxTimeout, or EOFError at the end."""
        return self.read(self.next_line(deadline=deadline))

    def next_line(self, *, deadline: float) -> bytes:
        """Return the bytes of the next message, without their line end. Raises what ``next`` raises."""
        looked_at = 0
        while (line := self.line_at_hand(looked_at)) is None:
            looked_at = len(self._buffer)
            if looked_at > self._cap:
                raise ProtocolError(f"a reply is longer than {self._cap} bytes")
            data = self.box.read(deadline=deadline)
            if not data:
                raise EOFError("the runner has ended")
            self._buffer += data
        return line

    def line_at_hand(self, looked_at: int = 0) -> bytes | None:
        """Return the bytes of the next message, without their line end; None where it has not come yet."""
        end = self._buffer.find(b"\n", looked_at)
        if end < 0:
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def read(self, line: bytes) -> dict[str, object]:
        """Read a message. Raises ProtocolError."""
        try:
            return decode(line, cap=self._cap)
        except WireError as error:
            raise ProtocolError(f"a reply is no message: {error}") from None

    def ran_out_of_memory(self) -> bool:
        """Tell whether the kernel has ended a process of the box for its memory since last asked."""
        before, self._memory_kills = self._memory_kills, self.box.memory_kills()
        return self._memory_kills > before

    def end(self) -> None:
        """End the box, and note whether it was ended by its memory.

        Raises SandboxError where somebody else had taken it away.
        """
        rose = self.ran_out_of_memory()
        ending = self.box.close()
        if ending.taken_away:
            raise SandboxError(
                "a box was taken away while it was used, by somebody or by a fault of the machine"
            )
        self.out_of_memory = ending.out_of_memory or rose


def expect_head(message: dict[str, object], head: dict[str, object]) -> None:
    """Check what every message of its type begins with. Raises ProtocolError."""
    for key, expected in head.items():
        got = message.get(key)
        if type(got) is not type(expected) or got != expected:
            raise ProtocolError(f"expected {key} {expected!r}, got {str(got)[:80]!r}")


@contextmanager
def one_processor(*, asks: bool) -> Iterator[int | None]:
    """Keep this thread on one processor while solvers ask their searches; yield its number for the box.

    Who asks and who answers take turns, thousands of times: to wake a process on another processor takes
    longer than most answers. Yield None where nothing is asked, or the system cannot do so.
    """
    if not asks:
        yield None
        return
    try:
        before = os.sched_getaffinity(0)
        status = Path("/proc/thread-self/stat").read_text()
        processor = int(status.rpartition(")")[2].split()[_PROCESSOR])
        os.sched_setaffinity(0, {processor})
    except (AttributeError, OSError):
        yield None
        return
    try:
        yield processor
    finally:
        os.sched_setaffinity(0, before)


_KEPT: Final = 32
"""The lines of 32 lists of calls are kept, of up to 1 MB each: those of a rubric are the same for every
submission."""


SMALL: Final = 25
"""What ran is asked of calls on mazes of up to 25 cells."""
NOTED: Final = 100
"""What ran is asked of the first hundred of a round: of work that was copied, the copy runs in each. Their
order says nothing of what is expected, so this says nothing, either.

It is asked of all that are made alone, of which there are few."""


def round_line(
    head: Mapping[str, object], calls: tuple[Call, ...], limits: Limits, *, search_is_asked: bool
) -> bytes:
    """Return the whole message of a round, as a line."""
    tells_version = any(call.version is not None for call in calls)
    most = None if head["isolate"] else NOTED
    told = (_line_of if tells_version else _kept)(calls, limits, search_is_asked, most)
    return encode({**head})[:-2] + b"," + told[1:]


def _line_of(calls: tuple[Call, ...], limits: Limits, search_is_asked: bool, most: int | None) -> bytes:
    return encode(calls_told(calls, limits, search_is_asked=search_is_asked, noted=most))


_kept: Final = lru_cache(maxsize=_KEPT)(_line_of)


def calls_told(
    calls: Sequence[Call], limits: Limits, *, search_is_asked: bool, noted: int | None = NOTED
) -> dict[str, object]:
    """Return the part of the message about the calls; each other text of the file is in it once.

    The first small calls tell what ran, ``noted`` in number; all of them without a number.
    """
    versions = list(dict.fromkeys(call.version for call in calls if call.version is not None))
    numbers = {version: number for number, version in enumerate(versions)}
    budgets = [budget_of(call, limits, search_is_asked=search_is_asked) for call in calls]
    places = {budget: place for place, budget in enumerate(dict.fromkeys(budgets))}
    tell_ran = frozenset[str]() if versions else _noted(calls, noted)
    message: dict[str, object] = {
        "budgets": [budget._asdict() for budget in places],
        "calls": [
            {**_told(call, places[budget], numbers), **({"ran": True} if call.id in tell_ran else {})}
            for call, budget in zip(calls, budgets, strict=True)
        ],
    }
    if versions:
        message["versions"] = [b64encode(version).decode("ascii") for version in versions]
    if any(call.traced for call in calls):
        message["lines"] = True
    if recorded := sorted({file for call in calls for file in call.recorded}):
        message["steps"] = recorded
    return message


def _noted(calls: Iterable[Call], most: int | None) -> frozenset[str]:
    """Return the ids of the calls that are to tell what ran: the first small ones."""
    return frozenset(islice((call.id for call in calls if _is_small(call.arguments)), most))


def _is_small(asked: Arguments) -> bool:
    """Tell whether a call makes one small maze, or judges one."""
    if isinstance(asked, Generate):
        return asked.times == 1 and asked.rows * asked.columns == SMALL
    lines = asked.maze.splitlines() if isinstance(asked, IsPerfect) else [""]
    return 0 < len(lines) // 2 * (len(lines[0]) // 2) <= SMALL


def _told(call: Call, budget: int, numbers: dict[bytes, int]) -> dict[str, object]:
    """Return the call as the box sees it, without its group, which may tell what is expected."""
    version = {} if call.version is None else {"version": numbers[call.version]}
    return {
        "id": call.id,
        "kind": call.arguments.kind,
        "arguments": plain_arguments(call.arguments),
        "budget": budget,
        **version,
    }


# --- known replies ----------------------------------------------------------------------------------
# What replies have meant: the same bytes, as an answer to the same call, always mean the same.
#
# Most replies of right submissions are bytes that came before, from another one. Only calls that
# returned and printed nothing are remembered, and only from replies that were read in full; what is
# remembered is a claim's value, which is judged as ever.

MOST_BYTES: Final = 8 * 1024 * 1024
"""At most 8 MiB of replies are remembered; those that come later are read each time."""
_ENTRY_BYTES: Final = 200
"""What each of them takes beside its bytes, at the least."""
_TIME: Final = b',"cpu_seconds":'
_TAIL: Final = re.compile(rb',"cpu_seconds":((?:0|[1-9][0-9]{0,3})(?:\.[0-9]{1,6})?),"output":""\}')
"""The end of a reply to a call that printed nothing: only this number differs from run to run."""
_KEYS: Final = {"type", "round", "id", "outcome", "value", "cpu_seconds", "output"}


class Meanings:
    """The values of replies, by the call's arguments and the bytes between head and tail."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._known: dict[tuple[Arguments, bytes], tuple[ClaimValue, int]] = {}
        self._left = most_bytes

    def recall(self, line: bytes, round_id: int, call: Call) -> Claim | None:
        """Return the claim that a reply makes, where the same bytes came before; else None.

        Only the head and the number may differ, and are checked here; JSON reads what stands between them in
        the same way, whatever they are.
        """
        found = _split(line, round_id, call.id)
        if found is None:
            return None
        body, seconds = found
        known = self._known.get((call.arguments, body))
        if known is None:
            return None
        value, meaning = known
        return Claim(call.id, "returned", value, cpu_seconds=float(seconds), meaning=meaning)

    def keep(self, line: bytes, round_id: int, call: Call, reply: dict[str, object], claim: Claim) -> Claim:
        """Remember what a reply, read in full, has meant; return the claim, numbered if it is remembered."""
        if claim.outcome != "returned" or claim.value is None or reply.keys() != _KEYS or reply["output"]:
            return claim
        found = _split(line, round_id, call.id)
        if found is None or float(found[1]) != claim.cpu_seconds:
            return claim
        size = len(found[0]) + _ENTRY_BYTES
        if size > self._left:
            return claim
        self._left -= size
        meaning = len(self._known)
        self._known[call.arguments, found[0]] = claim.value, meaning
        return replace(claim, meaning=meaning)


def _split(line: bytes, round_id: int, call: str) -> tuple[bytes, bytes] | None:
    """Return what stands between head and tail, and the seconds; None where a reply looks different."""
    head = b'{"type":"reply","round":%d,"id":"%s",' % (round_id, call.encode())
    tail = _TAIL.fullmatch(line, max(0, line.rfind(_TIME)))
    if tail is None or not line.startswith(head):
        return None
    return line[len(head) : tail.start()], tail[1]


MEANINGS: Final = Meanings()
"""Of all sessions of a process: what the reference answers is known to the workers that it forks."""
