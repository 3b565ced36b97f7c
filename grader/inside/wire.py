"""The messages between the grader and a runner: one JSON object a line, and what one call may use.

A line is looked at in an order in which no step can hurt: its bytes are counted, then its depth
(json.loads recurses), then its long numbers; only then is it parsed.

What one call may use: turns and questions, which every machine counts alike, and seconds behind them.

The grader works out the whole budget of a call; how much of it the call gets follows from how calls
before it of the same file ended: after one that ran into a clock, the others get a tenth of their seconds;
after one that was endless, far fewer turns. On a busy machine, the seconds on the wall are stretched.
"""

from __future__ import annotations

import json
from _json import encode_basestring_ascii, make_encoder
from math import inf
from typing import Any, Final, NamedTuple, NoReturn

PROTOCOL: Final = 1
MAX_DEPTH: Final = 32
MAX_NUMBER: Final = 2**53
"""Numbers of this size or more are not the same in every language."""
MAX_COORDINATE: Final = 2**20
"""Rows and columns beyond lie in no maze; among such pairs, thousands can be found with one hash."""

MAX_STEPS: Final = 1_001
"""A question to the grader's search has at most 1,001 steps: what is asked, and 1,000 that waited for it."""
MAX_QUESTION: Final = 128 * 1024
"""The most bytes of a question: 1,001 steps take less than 100 KB, whatever cells they are about."""

OWN: Final = "own"
ASKED: Final = "grader"
STAND_IN: Final = "stand-in"
"""Whose Search solvers are handed: the submission's, or the grader's; the last says that search.py would end
the process which loads it, so that what imports it finds a name only."""

_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_DIGITS: Final = bytes.maketrans(b"123456789", b"000000000")
_LONG_NUMBER: Final = b"0" * 16
"""Digits that may make a number of 2^53 or more, all read as 0."""


class WireError(ValueError):
    """A line that is no message, or a message that cannot be a line."""


def encode(message: dict[str, Any]) -> bytes:
    """Write a message as a line, with its line end. Raises WireError."""
    try:
        return "".join(_WRITE(message, 0)).encode("ascii") + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise WireError(f"expected plain data, got what JSON cannot say: {error}") from None


def decode(line: bytes, *, cap: int) -> dict[str, Any]:
    """Read a line of at most ``cap`` bytes. Raises WireError, and nothing else."""
    if len(line) > cap:
        raise WireError(f"expected a line of {cap} bytes at most, got {len(line)}")
    outside = _outside_strings(line)
    _check_depth(outside)
    decoder = _CAREFUL if _LONG_NUMBER in outside.translate(_DIGITS) else _QUICK
    try:
        message = decoder.decode(line.decode("utf-8"))
        if b"\\u" in line:
            json.dumps(message, ensure_ascii=False).encode("utf-8")  # a lone surrogate fails here
    except (ValueError, RecursionError) as error:
        raise WireError(f"expected a line of JSON: {error}") from None
    if type(message) is not dict:
        raise WireError(f"expected an object, got {type(message).__name__}")
    return message


def read_trusted(line: bytes) -> dict[str, Any]:
    """Read a line from the grader, in half the time."""
    message: dict[str, Any] = json.loads(line)
    return message


def _outside_strings(line: bytes) -> bytes:
    """Return the line without its strings; escapes stand only in strings, so they can go first."""
    return b"".join(line.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])


def _check_depth(outside: bytes) -> None:
    """Remove the innermost brackets level by level, and refuse what is left: it is too deep, or open."""
    brackets = outside.translate(_BRACKETS, _NOT_BRACKETS)
    for _ in range(MAX_DEPTH):
        if not brackets:
            return
        brackets = brackets.replace(b"[]", b"")
    if brackets:
        raise WireError(f"expected {MAX_DEPTH} levels at most, and every bracket closed")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise WireError("expected every key once")
    return members


def _float(text: str) -> float:
    number = float(text)
    if not -MAX_NUMBER < number < MAX_NUMBER:
        raise WireError(f"expected a finite number below 2^53, got {text[:40]}")
    return number


def _int(text: str) -> int:
    if len(text) > 17 or abs(int(text)) >= MAX_NUMBER:
        raise WireError(f"expected a whole number below 2^53, got {text[:40]}")
    return int(text)


def _refuse(name: str) -> NoReturn:
    raise WireError(f"expected a finite number, got {name}")


_WRITE: Final = make_encoder(
    None, json.JSONEncoder().default, encode_basestring_ascii, None, ":", ",", False, False, False
)
"""What ``JSONEncoder`` makes for each message anew, which takes longer than a short one takes to be written;
it looks for no circles, and lets no NaN through."""
_QUICK: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_float, parse_constant=_refuse)
_CAREFUL: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_float, parse_constant=_refuse, parse_int=_int
)


CALM, PRESSED, PATIENT = 0, 1, 2
"""No call of the file has timed out; one has; the call has timed out once and is tried again alone."""
SECONDS_SHARES: Final = (1.0, 0.1, 1.0)
"""The part of its seconds that a call gets when calm, pressed, patient."""
COSTLY: Final = ("timeout", "violation")
"""Outcomes that may have cost a whole limit: the calls that follow get less."""
ENDLESS: Final = "endless"
MIN_CPU_SECONDS: Final = 0.2
MIN_WALL_SECONDS: Final = 1.0
"""However pressed, a call gets this much, or all its seconds where they are fewer."""
LOADING_TURNS: Final = 20_000_000
"""The turns that a file may take to be loaded."""
LOADING_DEPTH: Final = 8_000
"""The number of frames that may be nested while a file is loaded."""


class Budget(NamedTuple):
    """What one call may use."""

    turns: int
    """Entries of functions, and turns of loops and comprehensions."""
    tired_turns: int
    """The same after another call of the same file was endless."""
    questions: int
    """Queries of the maze, and cells put into the search and taken out."""
    depth: int
    """Frames that may be nested: one more is a RecursionError."""
    cpu_seconds: float
    wall_seconds: float


class Pace(NamedTuple):
    """How much of its budget a call gets; the rule that both sides of the wire follow."""

    hurry: int = CALM
    tired: bool = False
    stretch: float = 1.0
    """How many times longer the wall seconds are than on an idle machine."""
    cpu_left: float = inf
    """What all calls that are to come may take together, ``wall_left`` on the wall of an idle machine."""
    wall_left: float = inf

    def after(self, outcome: str) -> Pace:
        """Return the pace of the calls that follow one with this outcome."""
        hurry = PRESSED if outcome in COSTLY else self.hurry
        return self._replace(hurry=hurry, tired=self.tired or outcome == ENDLESS)

    def of_call(self, whole: Budget) -> Budget:
        """Return the part of its budget that a call gets."""
        share = SECONDS_SHARES[self.hurry]
        return Budget(
            whole.tired_turns if self.tired else whole.turns,
            whole.tired_turns,
            whole.questions,
            whole.depth,
            max(min(MIN_CPU_SECONDS, whole.cpu_seconds), share * whole.cpu_seconds),
            self.stretch * max(min(MIN_WALL_SECONDS, whole.wall_seconds), share * whole.wall_seconds),
        )
