"""Boxes that answer as the reference would, but lie about a share of the calls.

Steady lies depend only on the question, so that asking again, alone or with another Search, gives the same
lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

from grader.model import Arguments, Call, Limits
from grader.session.connection import decode, encode
from reference.generators.my_generator import MyGenerator
from reference.perfection_checker import PerfectionChecker
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.dijkstra import Dijkstra
from reference.solvers.search import Search
from tests.direct import ARGUMENTS, reply_to
from tests.fake_backends import AnsweringBackend, FakeBox, Message
from tests.fuzz.lies import LIES, Reply

ANSWERS: Final[Mapping[str, type]] = {
    each.__name__: each for each in (Search, DFS, BFS, Dijkstra, PerfectionChecker, MyGenerator)
}


@dataclass
class Lies:
    """What a box lies about; ``lied`` collects in which calls, by target and question."""

    seed: int
    share: float
    kinds: tuple[str, ...]
    steady: bool
    garbled: float
    """The share of rounds in which replies are omitted, doubled, or mixed up."""
    lied: set[tuple[str, Arguments]] = field(default_factory=set, repr=False)

    def __post_init__(self) -> None:
        self._luck = Random(self.seed)

    def answer(self, target: Message, message: Message) -> Reply:
        """Return the reply to a call."""
        arguments = ARGUMENTS[message["kind"]](**frozen(message["arguments"]))
        honest = honest_reply(target["name"], arguments)
        luck = Random(f"{self.seed} {target['name']} {arguments}") if self.steady else self._luck
        if luck.random() >= self.share:
            return honest
        lie = LIES[luck.choice(self.kinds)](deepcopy(honest), luck)
        if lie != honest:
            self.lied.add((target["name"], arguments))
        return lie

    def garble(self, lines: Iterable[bytes | None]) -> Iterator[bytes | None]:
        """Yield a box's lines, some of them wrong."""
        told = list(lines)
        if self._luck.random() < self.garbled:
            told = self._luck.choice(GARBLINGS)(told, self._luck)
        return iter(told)


def lies(
    *kinds: str, shares: Sequence[float] = (0.02, 0.3, 1.0), steady: bool | None = None
) -> st.SearchStrategy[Lies]:
    """Draw lies of these kinds, or of any."""
    return st.builds(
        Lies,
        seed=st.integers(0, 2**32),
        share=st.sampled_from(shares),
        kinds=st.lists(st.sampled_from(kinds or tuple(LIES)), min_size=1, unique=True).map(tuple),
        steady=st.booleans() if steady is None else st.just(steady),
        garbled=st.sampled_from([0.0, 0.0, 0.3]) if steady is None else st.just(0.0),
    )


class LyingBackend(AnsweringBackend):
    """Boxes that lie."""

    def __init__(self, told: Lies) -> None:
        super().__init__(answer=told.answer)
        self._told = told

    def open(self, limits: Limits) -> FakeBox:
        """Open one more box."""
        box = super().open(limits)
        honest = box.react
        box.react = lambda message: (
            self._told.garble(honest(message)) if message["type"] == "round" else honest(message)
        )
        return box


@cache
def honest_reply(name: str, arguments: Arguments) -> Reply:
    return reply_to(Call("c", arguments), ANSWERS[name], Search)


def frozen(value: Any) -> Any:
    """Turn lists from the wire into tuples, as in the model."""
    if isinstance(value, dict):
        return {key: frozen(part) for key, part in value.items()}
    return tuple(map(frozen, value)) if isinstance(value, list) else value


# --- rounds ----------------------------------------------------------------------------------------

Lines = list[bytes | None]


def _left_out(lines: Lines, luck: Random) -> Lines:
    del lines[luck.randrange(len(lines))]
    return lines


def _doubled(lines: Lines, luck: Random) -> Lines:
    at = luck.randrange(len(lines))
    return [*lines[: at + 1], *lines[at:]]


def _mixed_up(lines: Lines, luck: Random) -> Lines:
    luck.shuffle(lines)
    return lines


def _silent(lines: Lines, luck: Random) -> Lines:
    return [*lines[: luck.randrange(len(lines))], None]


def _of_another(lines: Lines, luck: Random) -> Lines:
    at = luck.randrange(len(lines))
    message = decode(lines[at] or b"", cap=2**30)
    odd = luck.choice(
        (
            {"id": "c0"},
            {"round": 0},
            {"type": "hello"},
            {"type": "question", "steps": []},
            {"outcome": "passed"},
        )
    )
    lines[at] = encode({**message, **odd})
    return lines


GARBLINGS: Final = (_left_out, _doubled, _mixed_up, _silent, _of_another)
