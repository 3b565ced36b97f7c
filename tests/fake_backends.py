"""Back ends without a process: a function answers, or a script of bytes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from grader.errors import BoxTimeout
from grader.model import Limits
from grader.sandbox.base import Ending, Probe
from grader.session.connection import ENDLESS, PROTOCOL, decode, encode

Message = Mapping[str, Any]
Answer = Callable[[Message, Message], Message]
"""Return what a reply adds to its head, given target and call as in a round: ``{"outcome": "returned",
"value": …}``."""

SILENCE = None
"""In a script: the box sends nothing before the deadline."""
_CAP = 1 << 30
_ENDED = Ending(exit_status=0)


@dataclass
class FakeBox:
    """A box that receives lines and sends what ``react`` makes of each."""

    react: Callable[[Message], Iterable[bytes | None]]
    kills: Callable[[], int] = int
    ending: Ending = _ENDED
    killed: bool = False
    received: list[dict[str, Any]] = field(default_factory=list)
    _pieces: deque[bytes | None] = field(default_factory=deque)

    def write(self, data: bytes, *, deadline: float) -> None:
        """Take whole lines, and prepare the answers."""
        if self.killed:
            raise BrokenPipeError("the box was killed")
        _hold(deadline)
        for line in data.splitlines():
            self.received.append(decode(line, cap=_CAP))
            self._pieces.extend(self.react(self.received[-1]))

    def read(self, *, deadline: float) -> bytes:
        """Return the next piece, and b"" after the last."""
        if self.killed or not self._pieces:
            return b""
        _hold(deadline)
        piece = self._pieces.popleft()
        if piece is SILENCE:
            raise BoxTimeout("the box gave no bytes before its deadline")
        return piece

    def memory_kills(self) -> int:
        return self.kills()

    def kill(self) -> None:
        self.killed = True

    def close(self) -> Ending:
        self.killed = True
        return self.ending


def _hold(deadline: float) -> None:
    if deadline <= monotonic():
        raise BoxTimeout("the deadline was over before anything was asked")


@dataclass
class _Fake:
    name: str = "fake"
    isolation: str = "Nothing runs."
    boxes: list[FakeBox] = field(default_factory=list)
    """Every box that was opened, in order."""

    def probe(self) -> Probe:
        return Probe(self.name, True, "it is a fake")


@dataclass
class AnsweringBackend(_Fake):
    """Boxes whose calls are answered by a function."""

    answer: Answer = lambda target, call: {"outcome": "missing"}

    def open(self, limits: Limits) -> FakeBox:
        """Open one more box."""
        self.boxes.append(FakeBox(self._react))
        return self.boxes[-1]

    def _react(self, message: Message) -> Iterable[bytes]:
        if message["type"] != "round":
            yield greeting(message)
            return
        for call in message["calls"]:
            head = {
                "type": "reply",
                "round": message["id"],
                "id": call["id"],
                "output": "",
                "cpu_seconds": 0.0,
            }
            told = self.answer({**message["target"], "search": message["search"]}, call)
            yield encode({**head, **told})
            if message["until_endless"] and told["outcome"] == ENDLESS:
                break
        yield encode({"type": "done", "round": message["id"]})


@dataclass
class ScriptedBackend(_Fake):
    """Boxes that greet correctly, and answer each round with the next part of a script.

    A script is a list of pieces of bytes for each box; a piece may be any part of a line, and SILENCE lets
    the deadline pass. A box ends when its script does.
    """

    scripts: Sequence[Sequence[bytes | None]] = ()
    kills: Callable[[], int] = int
    ending: Ending = _ENDED
    greet: Callable[[Message], bytes | None] | None = None

    def open(self, limits: Limits) -> FakeBox:
        """Open the next box; the last script serves all later ones."""
        script = self.scripts[min(len(self.boxes), len(self.scripts) - 1)] if self.scripts else ()

        def react(message: Message) -> Iterable[bytes | None]:
            if message["type"] == "round":
                return script
            if message["type"] == "answer":  # the script goes on
                return ()
            return [(self.greet or greeting)(message)]

        self.boxes.append(FakeBox(react, self.kills, self.ending))
        return self.boxes[-1]


def greeting(message: Message) -> bytes:
    """Return a runner's answer to hello and load."""
    if message["type"] == "hello":
        return encode({"type": "hello", "protocol": PROTOCOL, "runner": "fake 1"})
    return encode({"type": "loaded", "files": len(message["files"])})
