"""Targets for valid answers as large as the caps allow.

Nobody sends so much by chance: an input is a program, of which a few bytes make an answer of half a MiB, or a
hundred thousand steps. Such a target only has to end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import cycle, islice, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from grader.course.plan import Plan, make_plan
from grader.course.rubric import load_rubric
from grader.exercises.registry import titles
from grader.grading.engine import RESULTS, STAFF, graded
from grader.grading.search_answers import SearchAnswers
from grader.model import Call, Limits, Solve, Submission, Target
from grader.session.connection import MAX_COORDINATE, MAX_STEPS, cells_of, encode
from grader.session.session import CALL_QUESTION_BYTES, Session
from lab.watch import STREAMS
from tests.direct import ARGUMENTS
from tests.fake_backends import AnsweringBackend, FakeBox, Message, ScriptedBackend
from tests.fuzz.liars import frozen, honest_reply
from tests.fuzz.pages import show

ROOM: Final = "+-+-+\n|S E|\n+-+-+"
SOLVER: Final = Target("solvers/dfs.py", "DFS")
SUBMISSION: Final = Submission("ada", {SOLVER.file: b"class DFS:\n    pass\n"})
LIMITS: Final = Limits(reply_bytes=512 * 1024)

Pairs = list[list[int]]

# --- questions to the grader's Search ---------------------------------------------------------------

_MOST_STEPS: Final = 200_000
_METHODS: Final = (*("record", "mark_as_pending", "closest_pending", "first_pending", "last_pending"),)


def questions(data: bytes) -> None:
    """A box asks the grader's Search: four bytes say what, how often (a power of two), and from where.

    The first one says how many steps a question contains.
    """
    at_once = MAX_STEPS + 1 if data[:1] == b"\xff" else 1 + sum(data[:1]) * MAX_STEPS // 254
    lines, left = [], 2 * CALL_QUESTION_BYTES
    steps = islice(_steps(data[1:]), _MOST_STEPS)
    while left > 0 and (some := [*islice(steps, at_once)]):
        lines.append(
            encode({"type": "question", "round": 1, "id": "c1", "search": 1, "done": 0, "steps": some})
        )
        left -= len(lines[-1])
    with Session(ScriptedBackend(scripts=[lines, []]), LIMITS, SUBMISSION) as session:
        (claim,) = session.run(SOLVER, [Call("c1", Solve((ROOM,)))], answers=SearchAnswers)
    assert claim.outcome in ("endless", "violation")


def _steps(data: bytes) -> Iterator[list[Any]]:
    for at in range(0, len(data) - 3, 4):
        what, power, row, column = data[at : at + 4]
        method, times = _METHODS[what % len(_METHODS)], 1 << power % 18
        if method == "record":  # a way to the east
            yield from ([method, [[row, n], [0, 1], [row, n + 1]]] for n in range(column, column + times))
        else:
            takes = 1 if method == "mark_as_pending" else 0
            yield from repeat([method, [[row, column << what // len(_METHODS)]] * takes], times)


# --- answers of half a MiB ----------------------------------------------------------------------------

_FAR: Final = [[n * 7919 % MAX_COORDINATE, -n * 104_729 % MAX_COORDINATE] for n in range(1, 20_001)]
_TEXT: Final = ("<&\"'\u202e\n\x1b" * 400)[:2_000]
_FRAME: Final = {"file": _TEXT, "line": 2**52, "function": _TEXT, "code": _TEXT}
_FAULT: Final = {"kind": "K" * 200, "message": _TEXT, "stage": "call", "trace": [_FRAME] * 20}
_OUTCOMES: Final = ("returned", "endless", "timeout", "raised", "died")
_MOST_PAIRS: Final = 25_000
"""This many take half a MiB."""

_PATTERNS: Final[Sequence[Callable[[int, int], Iterable[list[int]]]]] = (
    lambda rows, columns: [[n // columns + 1, n % columns + 1] for n in range(rows * columns)],
    lambda rows, columns: [[rows - n // columns, n % columns + 1] for n in range(rows * columns)],
    lambda _rows, _columns: [[0, 1], [0, -1]],
    lambda _rows, _columns: [[1, 1]],
    lambda _rows, _columns: _FAR,
)
"""What is repeated: a maze's cells from either end, steps to and fro, one cell, far cells."""
_WALLS: Final = ("  ", "|-", " -", "| ")
"""To the east and to the south of each cell."""


def floods(data: bytes) -> None:
    """A box answers as much as it may.

    Bytes select the exercise, how the calls end, what is returned, what was seen, and which calls are
    answered rightly (one in so many, or none).
    """
    which, outcome, returned, seen, rightly = data[:5].ljust(5, b"\0")
    plan = _plan(which % 6)
    made = _Answers(_OUTCOMES[outcome % len(_OUTCOMES)], returned, seen, rightly % 16)
    with TemporaryDirectory(prefix="fuzz-") as folder:
        out = Path(folder)
        graded(SUBMISSION, plan, _Backend(answer=made.answer), out)
        for name in (RESULTS, STAFF):
            show(out / name)


class _Answers:
    """Answers by the number of the call."""

    def __init__(self, outcome: str, returned: int, seen: int, rightly: int) -> None:
        self._outcome, self._returned, self._seen, self._rightly = outcome, returned, seen, rightly
        self._count = 0

    def answer(self, target: Message, call: Message) -> Mapping[str, Any]:
        self._count += 1
        right = deepcopy(honest_reply(target["name"], ARGUMENTS[call["kind"]](**frozen(call["arguments"]))))
        if self._rightly and self._count % self._rightly:
            return right
        value = self._much(call["kind"], call["arguments"], right["value"])
        if self._outcome == "returned":
            return {"outcome": "returned", "value": value}
        if call["kind"] == "solve":
            run = value["runs"][-1]
            del run["returned"]
            far = {"cell": [1, 1], "times": 2**52, "first": _FAR[0], "walk": _FAR[:100]}
            run |= {"pending": 2**52, "revisits": far}
        spent = {"what": "questions", "count": 2**52}
        return {"outcome": self._outcome, "fault": _FAULT, "value": value, "spent": spent}

    def _much(self, kind: str, arguments: Any, value: Any) -> Any:
        """Return as much as may be returned and seen in a call."""
        if kind == "solve":
            left = _MOST_PAIRS
            for run, text in zip(value["runs"], arguments["mazes"], strict=True):
                cells, size = cells_of(text), _size(text)
                for name in STREAMS[: 1 + self._seen // len(_PATTERNS) % 4]:
                    run[name] += _pairs(self._seen, size, min(left, 2 * cells) - len(run[name]))
                    left -= len(run[name])
                run["returned"] = self._value(size, min(left, max(400, 4 * cells)))
        elif kind == "script":
            each = min(20_000, _MOST_PAIRS // (1 + self._seen % 8))
            long = [n for n, step in enumerate(arguments["steps"]) if step[1] in ("known_cells", "moves_to")]
            for n in long[-1 - self._seen % 8 :]:
                value["steps"][n] = {"returned": self._value((60, 60), each)}
        elif kind == "is_perfect":
            value["returned"] = self._value(_size(arguments["maze"]), _MOST_PAIRS)
        else:
            cells = min(4 * arguments["rows"] * arguments["columns"] + 4, 15_000)
            rows = (1, cells, int(cells**0.5))[self._seen % 3]
            maze = _maze(rows, cells // rows, _WALLS[self._returned % len(_WALLS)])
            value["returned"] = [{"type": "maze", "value": maze}] * arguments["times"]
        return value

    def _value(self, size: tuple[int, int], most: int) -> dict[str, Any]:
        texts = ({"type": "other", "class": _TEXT, "text": _TEXT}, {"type": "maze", "value": "x" * 100_000})
        kind = self._returned % (len(_PATTERNS) + len(texts))
        if kind >= len(_PATTERNS):
            return texts[kind - len(_PATTERNS)]
        return {"type": "vectors", "value": _pairs(kind, size, min(most, 20_000)), "container": "list"}


def _pairs(pattern: int, size: tuple[int, int], count: int) -> Pairs:
    return [*islice(cycle(_PATTERNS[pattern % len(_PATTERNS)](*size)), max(0, count))]


def _size(text: str) -> tuple[int, int]:
    return text.count("\n") // 2, text.find("\n") // 2


def _maze(rows: int, columns: int, walls: str) -> str:
    east, south = walls[:1], walls[1:]
    border = "+" + "-+" * columns
    lines = [border]
    for row in range(rows):
        cells = [" "] * columns
        cells[0] = "S" if row == 0 else " "
        lines += ["|" + east.join(cells) + "|", "+" + f"{south}+" * columns]
    return "\n".join([*lines[:-1], border])


class _Box(FakeBox):
    """Makes each answer when it is read, since all of them would not fit into memory."""

    told: Iterator[bytes | None] = iter(())

    def write(self, data: bytes, *, deadline: float) -> None:
        self.told = iter(self.react(json.loads(data)))

    def read(self, *, deadline: float) -> bytes:
        return b"" if self.killed else next(self.told, b"") or b""


class _Backend(AnsweringBackend):
    def open(self, limits: Limits) -> FakeBox:
        self.boxes.append(_Box(self._react))
        return self.boxes[-1]


@cache
def _plan(number: int) -> Plan:
    """Return one exercise of the shipped rubric with its large mazes, but few mazes for each property."""
    rubric = load_rubric(checks=titles())
    chosen = rubric.exercises[number : number + 1]
    return make_plan(replace(rubric, examples=2, exercises=chosen, limits=LIMITS))
