"""What is rewritten so that it tells what it gives does what it did before, and raises where it did."""

from __future__ import annotations

import ast
import asyncio
import builtins
import re
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from random import Random, seed
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from grader.inside import turns
from grader.inside.limits import RELEASE
from lab import Dimension, Factory, Maze, noted
from lab.steps import MOST_EVENTS, NOTE, StepRecorder
from tests.rounds import untraced
from tests.submissions.loader import FILES, cases

MAZES = (
    "+-+-+-+\n|S    |\n+-+ +-+\n|    E|\n+-+-+-+\n",
    "+-+-+-+-+\n|S      |\n+ +-+ + +\n|     |E|\n+-+-+-+-+\n",
)
MOST_TURNS = 2_000
METHODS = {
    "dfs": "solve",
    "bfs": "solve",
    "dijkstra": "solve",
    "perfection": "is_perfect",
    "generator": "generate",
}
NAMES = {"dfs": "DFS", "bfs": "BFS", "dijkstra": "Dijkstra", "perfection": "PerfectionChecker"}


LUCK = re.compile(rb"^\s*(import|from) (time|datetime|secrets|os|uuid)\b|SystemRandom", re.MULTILINE)
"""What makes two calls differ."""


class CutOffError(Exception):
    """A call made more turns than it may."""


def cut_off() -> Any:
    raise CutOffError


def run(code: Callable[[], Any]) -> Any:
    """Return what a call gives, or what it raises and at which places of the student's code."""
    counter = turns.Counter(MOST_TURNS, cut_off)
    seed(0)
    patched: dict[str, Any] = {turns.COUNT: counter.next, RELEASE: lambda: None}
    with mock.patch.multiple(builtins, create=True, **patched):
        try:
            return told(code())
        except Exception as error:  # noqa: BLE001 - a student's code may raise anything
            steps = traceback.extract_tb(error.__traceback__)
            places = [
                (each.filename, each.lineno, each.end_lineno, each.colno, each.end_colno, each.name)
                for each in steps
                if each.filename.startswith("/own/")
            ]
            return type(error).__name__, str(error), places


def told(value: Any) -> str:
    """Return a value as a text without what is luck in it."""
    return re.sub(r"0x\w+", "0x", value.to_text() if isinstance(value, Maze) else repr(value))


def arguments(exercise: str, search: ModuleType | None) -> Iterator[tuple[Any, ...]]:
    for text in MAZES:
        if exercise == "generator":
            yield Factory(), Dimension(3, 3)
        elif exercise == "perfection":
            yield (Maze.from_text(text),)
        else:
            yield Maze.from_text(text), search.Search() if search else None


def results(files: dict[str, bytes], exercise: str, recorder: StepRecorder | None) -> Any:
    """Return what the exercise's class of some files gives, as they are or rewritten."""

    def load(file: str) -> ModuleType:
        module = ModuleType(file.removesuffix(".py").replace("/", "."))
        with mock.patch.object(turns, "PREPARE", [partial(noted.prepare, recorder)] if recorder else []):
            exec(turns.compiled(files[file].decode(), f"/own/{file}"), vars(module))  # noqa: S102 - as in the box
        return module

    def made() -> list[Any]:
        search = load(FILES["search"])
        with mock.patch.dict("sys.modules", {"solvers": ModuleType("solvers"), "solvers.search": search}):
            module = load(FILES[exercise])
            kind = getattr(module, NAMES.get(exercise, "MyGenerator"))
            given = [Random(1)] if exercise == "generator" else []

            def call(*values: Any) -> Any:
                return getattr(kind(*given), METHODS[exercise])(*values)

            return [run(partial(call, *values)) for values in arguments(exercise, search)]

    if recorder is None:
        return run(made)
    with mock.patch.object(builtins, NOTE, recorder.note, create=True), untraced(), recorder:
        return run(made)


def is_students(path: str) -> bool:
    return path.startswith("/own/")


@pytest.mark.parametrize("exercise", METHODS)
def test_rewritten_work_does_what_it_did(exercise: str) -> None:
    seen = set[bytes]()
    for case in [*cases("right"), *cases("wrong")][::3]:
        if LUCK.search(b"\n".join(case.files().values())):
            continue
        files = {path: content for path, content in case.files().items() if path.endswith(".py")}
        if {FILES["search"], FILES[exercise]} <= files.keys() and files[FILES[exercise]] not in seen:
            seen.add(files[FILES[exercise]])
            recorder = StepRecorder(is_students)
            assert results(files, exercise, recorder) == results(files, exercise, None), case
            assert len(recorder.events) <= MOST_EVENTS
    assert len(seen) > 10


CODE = '''
class Odd:
    """Tells when it is asked for its truth."""

    def __init__(self, log, value):
        self.log, self.value = log, value

    def __bool__(self):
        self.log.append(self.value)
        return self.value > 1


def truth(log):
    odd = [Odd(log, number) for number in range(4)]
    kept = [each.value for each in odd if each and odd[2] or odd[0]]
    return kept, [each for each in filter(None, odd)][0].value


def walrus(numbers):
    made = [twice for each in numbers if (twice := 2 * each) > 2]
    return made, twice


def nested(rows):
    return [[(y, x) for x in row if x > y] for y, row in enumerate(rows) if any(each > 1 for each in row)], {
        key: value for row in rows for key, value in [(len(row), row)]
    }


class Scope:
    size = 3
    sizes = [size_ for size_ in range(size)]
    made = (lambda: [each for each in range(2)])()


def unbound():
    return [later for each in (1, 2) if each > 1 or later]


def generated():
    step = lambda: (yield from (each for each in "ab"))
    return list(step())


def matched(value):
    match value:
        case (row, column) if row and column // row:
            return row, column
        case {"cell": (row, column)} if (lambda: row)():
            return column
        case [*_, last]:
            return last
        case _ if (found := [each for each in "xy" if each != value]):
            return found


def local():
    return [sorted(locals()) for each in (1,)][0][-1:], [f"{each!r:>{each}}{each=}" for each in (1, 2)]


async def waited():
    async def numbers():
        for each in range(4):
            yield each

    async def is_odd(each):
        return each % 2

    return [each async for each in numbers() if await is_odd(each)], [await is_odd(each) for each in (1, 2)]


def raised(cells):
    return sorted(
        (cell for cell in cells),
        key=lambda cell: [
            cell / each
            for each in (2, 1, 0)
            if each or cell
        ],
    )
'''


def traps(scope: dict[str, Any]) -> list[Any]:
    log: list[int] = []
    tried: list[tuple[Any, Any]] = [
        *((scope["truth"], log), (scope["walrus"], [1, 2, 3]), (scope["nested"], [[1, 2], [0, 1], [3, 3]])),
        *(
            (scope["matched"], value)
            for value in ((1, 2), (0, 3), {"cell": (4, 5)}, (7, 8, 9), "z", (0, "z"))
        ),
        (scope["raised"], [1, 2]),
    ]
    return [
        *(run(partial(called, given)) for called, given in tried),
        *(run(scope[name]) for name in ("unbound", "generated", "local")),
        *(run(lambda: asyncio.run(scope["waited"]())), log, scope["Scope"].sizes, scope["Scope"].made),
    ]


def test_all_is_evaluated_once_in_its_order_and_raises_where_it_did() -> None:
    plain, rewritten, tree = dict[str, Any](), dict[str, Any](), ast.parse(CODE)
    exec(compile(CODE, "/own/traps.py", "exec"), plain)  # noqa: S102 - the test's own code
    recorder = StepRecorder(is_students)
    noted.prepare(recorder, tree, "/own/traps.py")
    with mock.patch.object(builtins, NOTE, recorder.note, create=True), untraced(), recorder:
        exec(compile(tree, "/own/traps.py", "exec"), rewritten)  # noqa: S102 - the test's own code
        found = traps(rewritten)
    assert found == traps(plain)
    assert [each for each in recorder.events if each.kind == "note"]
