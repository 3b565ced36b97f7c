"""Boxes that answer as the reference would, but lie about a share of the calls.

What a lie says is valid in form, but wrong or contradictory. Steady lies depend only on the question, so that
asking again, alone or with another Search, gives the same lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

from grader.model import Arguments, Call, Limits
from grader.session.connection import decode, encode
from lab.leftovers import KINDS
from reference.generators.my_generator import MyGenerator
from reference.perfection_checker import PerfectionChecker
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.dijkstra import Dijkstra
from reference.solvers.search import Search
from tests.direct import ARGUMENTS, reply_to
from tests.fake_backends import AnsweringBackend, FakeBox, Message

Reply = dict[str, Any]
Lines = list[bytes | None]
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


# --- rounds ---


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


ODD_PARTS: Final[Sequence[Reply]] = (
    *(
        {"id": "c0"},
        {"round": 0},
        {"type": "hello"},
        {"type": "question", "steps": []},
        {"outcome": "passed"},
    ),
)


def _of_another(lines: Lines, luck: Random) -> Lines:
    at = luck.randrange(len(lines))
    message = decode(lines[at] or b"", cap=2**30)
    lines[at] = encode({**message, **luck.choice(ODD_PARTS)})
    return lines


GARBLINGS: Final = (_left_out, _doubled, _mixed_up, _silent, _of_another)


# --- what a lie says: it gets the reply of an honest box, which it may change, and a source of randomness ---

ODD_TEXTS: Final = (
    *(
        "",
        "<script>",
        "\x1b[2J",
        "\u202e",
        "=1+1",
        "|" * 9,
        "\ud7ff\uffff",
        "0xdeadbeef",
        "]]>&\0",
        "å" * 999,
    ),
)
ODD_MAZES: Final = ("+-+\n|S|\n+-+", "+-+-+\n|S E|\n+-+-+")
ODD_CELLS: Final = ([1, 1], [0, 0], [-1, 2], [2**53 - 1, -(2**53) + 1], [1, 2], [999, 1])


# --- what was returned -----------------------------------------------------------------------------


def _given(reply: Reply) -> list[tuple[Any, Any]]:
    """Return the places of all that a call returned: a dict or list, and the key in it."""
    value = reply["value"]
    if "returned" in value:
        made = value["returned"]
        return [(value, "returned")] if isinstance(made, dict) else [(made, n) for n in range(len(made))]
    return [(part, "returned") for part in value.get("runs", value.get("steps", ()))]


def _of_no_use(reply: Reply, luck: Random) -> Reply:
    """Everything returned has a type that answers nothing."""
    for table, key in _given(reply):
        table.pop("raised", None) if isinstance(table, dict) else None
        table.pop("lookup", None) if isinstance(table, dict) else None
        table[key] = _other(luck)
    return reply


def _anything(luck: Random) -> Reply:
    return luck.choice(_VALUES)(luck)


def _number(luck: Random) -> Reply:
    return {"type": "int", "value": luck.choice((0, 1, -1, 2**53 - 1))}


def _other(luck: Random) -> Reply:
    element = {"index": luck.choice((0, 2**50)), "element": {"class": "str", "text": luck.choice(ODD_TEXTS)}}
    told = {"type": "other", "class": luck.choice(ODD_TEXTS), "text": luck.choice(ODD_TEXTS)}
    return {**told, **luck.choice(({}, element))}


def _vectors(luck: Random) -> Reply:
    cells = luck.choices((*ODD_CELLS, [0, 1], [1, 0]), k=luck.choice((0, 1, 3, 200)))
    small = [[row % 9, column % 9] for row, column in cells]
    container = luck.choice(("list", "deque", "dict_keys", luck.choice(ODD_TEXTS)))
    return {"type": "vectors", "value": small if len(cells) > 9 else cells, "container": container}


def _maze(luck: Random) -> Reply:
    texts = ("", *ODD_MAZES, "+-+-+\n|S E|\n+-+-", "x" * 99, luck.choice(ODD_TEXTS))
    return {"type": "maze", "value": luck.choice(texts)}


_VALUES: Final[tuple[Callable[[Random], Reply], ...]] = (
    _number,
    _other,
    lambda luck: {"type": "none"},
    lambda luck: {"type": "bool", "value": luck.random() < 0.5},
    lambda luck: {"type": "vector", "value": luck.choice(ODD_CELLS)},
    _vectors,
    _maze,
)


def _of_any_type(reply: Reply, luck: Random) -> Reply:
    """Some of what was returned is something else."""
    for table, key in _given(reply):
        if luck.random() < 0.5 and not (isinstance(table, dict) and "raised" in table):
            table[key] = _anything(luck)
    return reply


def _nearly(reply: Reply, luck: Random) -> Reply:
    """What was returned is wrong, though almost right in type: no other value would be right there."""
    for table, key in _given(reply):
        value = table[key] if not isinstance(table, dict) or key in table else {}
        match value.get("type"):
            case "none" if "runs" in reply["value"]:
                table[key] = {"type": "vectors", "value": [[0, 1]], "container": "list"}
            case "bool":
                value["value"] = not value["value"]
            case "int":
                value["value"] += luck.choice((-1, 1))
            case "vector":
                value["value"] = [value["value"][0] + 1, value["value"][1]]
            case "vectors":
                cells = value["value"]
                value["value"] = luck.choice((cells[:-1], cells[1:], cells + cells[-1:], cells * 2))
            case "maze":
                value["value"] = luck.choice((value["value"][:-1], value["value"].replace("+", "x", 1)))
    return reply


# --- what was seen, and how it ended -----------------------------------------------------------------


def _seen_elsewhere(reply: Reply, luck: Random) -> Reply:
    """A solver was seen where it was not."""
    for run in reply["value"].get("runs", ()):
        for stream in ("taken", "asked", "probed", "tested"):
            cells = run[stream]
            odd = [*cells[:2], *luck.choices(ODD_CELLS, k=3)]
            run[stream] = luck.choice((cells, cells[::-1], [], odd, luck.sample(cells, len(cells))))
        run["used_search"] = luck.random() < 0.5
        run["late_looks"] = luck.choice((0, 1, 2**40))
    return reply


def _ran_elsewhere(reply: Reply, luck: Random) -> Reply:
    """A solver is said to have run other lines of its file between visits."""
    for run in reply["value"].get("runs", ()):
        seen = {name: run[name] for name in ("taken", "asked", "probed", "tested") if run[name]}
        told = {
            name: [luck.choices((0, 7, 9, 2**40), k=luck.choice((0, 1, 9))) for _ in seen[name]]
            for name in seen
        }
        run["lines"] = {**told, **luck.choice(({}, {"walk": [[3], []]}))}
    return reply


def _changed(reply: Reply, luck: Random) -> Reply:
    """The maze is said to have been changed."""
    value = reply["value"]
    for part in value.get("runs", [value] if "changed" in value else []):
        part["changed"] = luck.choice((*ODD_MAZES, *ODD_TEXTS))
    return reply


OUTCOMES: Final = (
    *("raised", "died", "endless", "timeout", "out-of-memory", "output-limit", "violation", "missing"),
)


def _ended(reply: Reply, luck: Random) -> Reply:
    """The call did not end, or the file is missing, though much or all of the value is there."""
    kinds = (
        *("IndexError", "NotImplementedError", "SearchNotLoaded", "MemoryError"),
        *("signal 9", "no file", "no class"),
    )
    frame = {"file": "solvers/dfs.py", "line": luck.choice((0, 7, 2**40)), "function": "solve"}
    fault = {
        "kind": luck.choice((*kinds, luck.choice(ODD_TEXTS)[:200])),
        "message": luck.choice(ODD_TEXTS),
        "stage": luck.choice(("import", "construct", "call")),
        "trace": [{**frame, "code": luck.choice(ODD_TEXTS)}] * luck.choice((0, 1, 20)),
    }
    value = luck.choice((None, reply["value"], _cut(reply["value"], luck)))
    spent = {"what": luck.choice(("turns", "questions")), "count": luck.choice((0, 9, 2**52))}
    ended = {"outcome": luck.choice(OUTCOMES), "fault": fault, "value": value}
    return {**ended, "spent": spent} if ended["outcome"] == "endless" and luck.random() < 0.8 else ended


def _cut(value: Any, luck: Random) -> Any:
    """Return the first part of a value, its last run cut off."""
    if "steps" in value:
        return {"steps": value["steps"][: luck.randrange(len(value["steps"]) + 1)]}
    if "runs" not in value:
        return value if isinstance(value["returned"], dict) else {"returned": value["returned"][:1]}
    runs = deepcopy(value["runs"][: luck.randrange(1, len(value["runs"]) + 1)])
    del runs[-1]["returned"]
    if luck.random() < 0.5:
        walk = luck.choices(ODD_CELLS, k=luck.choice((0, 5, 100)))
        cell, first = luck.choices(ODD_CELLS, k=2)
        runs[-1] |= {
            "pending": luck.choice((0, 2**50)),
            "revisits": {"cell": cell, "times": luck.choice((0, 2**50)), "first": first, "walk": walk},
        }
    return {"runs": runs}


def _beside_it(reply: Reply, luck: Random) -> Reply:
    """Fields beside the value are odd; a returned value comes with a fault, or with what was passed over."""
    fault = {"kind": "KeyError", "message": "", "stage": "import", "trace": []}
    file = luck.choice(("solvers/dfs.py", "<b>", *ODD_TEXTS))
    left = [[luck.choice(KINDS), luck.choice(("time.sleep", "")), file, luck.choice((0, 1, 2**52))]]
    return {
        **reply,
        "output": luck.choice((*ODD_TEXTS, "x" * 9000)),
        "cpu_seconds": luck.choice((0, 3, 0.5, 2.0**52)),
        **luck.choice(({}, {"fault": fault}, {"left": left}, {"ran": _ran(luck)})),
    }


def _ran(luck: Random) -> Reply:
    """What is said to have run stands nowhere, or in no file."""
    file = luck.choice(("generators/my_generator.py", *ODD_TEXTS))[:2000]
    functions = [[file, luck.choice((0, 1, 2**52)), luck.choice(("generate", "<lambda>", "<b>"))]]
    unseen = luck.choices(("<module>", "<b>"), k=luck.choice((0, 1, 500)))
    return {"functions": functions, "chose": luck.random() < 0.5, "unseen": unseen}


LIES: Final[Mapping[str, Callable[[Reply, Random], Reply]]] = {
    "of no use": _of_no_use,
    "of any type": _of_any_type,
    "nearly": _nearly,
    "seen elsewhere": _seen_elsewhere,
    "ran elsewhere": _ran_elsewhere,
    "changed": _changed,
    "ended": _ended,
    "beside it": _beside_it,
}
"""The subjects of lies, by name."""
