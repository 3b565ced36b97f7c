"""The calls of a student's code, of each kind, on mazes that note what is asked of them.

One call of the student's code: made, and reported.

It can be asked for its value at any moment, by another thread too: that is what a call
that was cut off had come to.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from json import loads
from operator import is_
from random import Random
from random import seed as seed_global_random
from typing import Any, Final, Self

from lab import maze_format
from lab.dimension import Dimension
from lab.factory import Factory
from lab.luck import Luck
from lab.maze import Maze, Position
from lab.maze_format import ParsedMaze
from lab.steps import StepRecorder
from lab.vector import Vector
from lab.watch import STREAMS, Watch, WatchedMaze

from .values import MAX_VECTORS, Plain, data, iterated, made, pair, plain, positions_of
from .wire import MAX_COORDINATE

UNWRITTEN: Final = "the maze was changed so that it cannot be written"
"""Stands for the text of a maze whose inside is broken, or has another size than it had."""
content_of: Final[Callable[[Maze], ParsedMaze]] = Maze._grid
_write: Final[Callable[[ParsedMaze], str]] = maze_format.write
_READ_AHEAD: Final[dict[str, Maze]] = {}
"""Mazes that were read before a child was forked, by their texts; a solver is handed watched copies."""


def read_ahead(arguments: dict[str, Any]) -> None:
    """Read the mazes of a solver's call once for all children: each solver is asked about most of them."""
    for text in arguments.get("mazes", ()):
        if text not in _READ_AHEAD:
            _READ_AHEAD[text] = Maze.from_text(text)


def maze_of(text: str) -> Maze:
    """Return the maze of a text, to be read only."""
    return _READ_AHEAD.get(text) or Maze.from_text(text)


def changed(maze: Maze, before: ParsedMaze) -> str | None:
    """Return the text of a maze that was changed, else None; one of another size is not written at all."""
    try:
        after = content_of(maze)
        if tuple(after) == tuple(before):
            return None
        if not _as_large(after, before):
            return UNWRITTEN
        text = str(_write(after))
        return text if len(text) <= len(_write(before)) else UNWRITTEN
    except Exception:  # noqa: BLE001 - its fields may hold anything by now
        return UNWRITTEN


def _as_large(grid: ParsedMaze, other: ParsedMaze) -> bool:
    sides = (grid.row_count, grid.column_count)
    return all(type(side) is int for side in sides) and sides == (other.row_count, other.column_count)


Arguments = dict[str, Any]


class RunningCall:
    """One call: made with ``run``, reported by ``value``."""

    stage = "construct"

    def run(self, target: Any, arguments: Arguments) -> None:
        """Make the call; pass on what the student's code raises."""
        raise NotImplementedError

    def value(self) -> Plain | None:
        """Return what is known by now, as plain data."""
        raise NotImplementedError

    def drop_repeats(self) -> None:
        """Drop what was noted more than once, where much was noted."""


MOST_OPENED: Final = 24
"""Of mazes of 25 cells, the first 24 walls that are opened are told."""
NOTED_IN_FULL: Final = 1_000
"""Where each step is recorded, 1,000 walls that are opened are noted."""
_vector: Final = partial(tuple.__new__, Vector)
"""Makes a vector of a pair in half the time that ``Vector`` takes."""
_GAVE_NONE: Final = {"returned": plain(None)}


class ScriptCall(RunningCall):
    """A ``Search`` (or several), used step by step."""

    def __init__(self, steps: StepRecorder | None) -> None:
        self._steps: list[Plain] = []
        self._begun: list[int] = []
        if steps is not None:
            steps.watch({"step": self._begun})

    def run(self, target: Any, arguments: Arguments) -> None:
        """Take the steps; a LookupError is the result of its step, any other exception ends the script."""
        instances: dict[int, Any] = {}
        tell = self._steps.append
        for number, method, positions in arguments["steps"]:
            self._begun.append(len(self._steps))
            if number not in instances:
                self.stage = "construct"
                instances[number] = target()
                self.stage = "call"
            try:
                member = getattr(instances[number], method)
                gave = iterated(member) if method == "known_cells" else member(*map(_vector, positions))
                tell(_GAVE_NONE if gave is None else {"returned": plain(gave)})
            except LookupError as error:
                tell({"raised": type(error).__name__[:80], "lookup": True})

    def value(self) -> Plain:
        """Return the steps so far."""
        return {"steps": self._steps[:]}


class PerfectionCall(RunningCall):
    """One question to a perfection checker, perhaps after others."""

    def __init__(self) -> None:
        self._value: Plain | None = None

    def run(self, target: Any, arguments: Arguments) -> None:
        """Ask about the mazes that come before, whose answers do not matter, then about the maze."""
        maze = Maze.from_text(arguments["maze"])
        before = content_of(maze)
        checker = target()
        self.stage = "call"
        for other in map(Maze.from_text, arguments.get("before", ())):
            with suppress(Exception):
                checker.is_perfect(other)
        answer = plain(checker.is_perfect(maze))
        self._value = {"returned": answer, "changed": changed(maze, before)}

    def value(self) -> Plain | None:
        """Return the answer, and whether the maze was changed."""
        return self._value


class _NotedMaze(Maze):
    """A maze that notes the walls that are opened."""

    _opened: list[tuple[Position, Position]]
    _most: int

    def break_wall(self, position: Position, direction: Position, cost: int = 1) -> None:
        """Open a wall, and note it."""
        Maze.break_wall(self, position, direction, cost)
        if len(self._opened) < self._most:
            row, column = position[0], position[1]
            self._opened.append(((row, column), (row + direction[0], column + direction[1])))

    @classmethod
    def of(cls, maze: Maze, opened: list[tuple[Position, Position]], most: int) -> Self:
        """Return a copy of a maze that notes in this list, up to a number of walls."""
        noted = object.__new__(cls)
        noted._opened, noted._most = opened, most
        noted._fill(maze._grid())
        return noted

    def copy(self) -> Self:
        """Return a maze of its own with the same content, noted as well."""
        return type(self).of(self, self._opened, self._most)


_NotedMaze.__name__ = _NotedMaze.__qualname__ = "Maze"  # what errors call it


class _NotingFactory(Factory):
    """Makes mazes that note the walls that are opened."""

    def __init__(self, most: int) -> None:
        self.opened: list[tuple[Position, Position]] = []
        self._most = most

    def fully_disconnected(self, dimension: Dimension) -> Maze:
        """Return a maze with all inner walls, whose opening is noted."""
        return _NotedMaze.of(Factory.fully_disconnected(self, dimension), self.opened, self._most)


class GeneratorCall(RunningCall):
    """Some mazes of one generator."""

    def __init__(self, steps: StepRecorder | None) -> None:
        self._mazes: list[Plain] = []
        self._factory = _NotingFactory(NOTED_IN_FULL if steps else MOST_OPENED)
        self._is_recorded = steps is not None
        self._rng = Random(0)
        self._luck: AbstractContextManager[object] = nullcontext()
        if steps is not None:
            self._luck = luck = Luck(self._rng)
            steps.watch({"opened": self._factory.opened, "drawn": luck.drawn})

    def run(self, target: Any, arguments: Arguments) -> None:
        """Make the mazes with one source of random numbers; seed the global one with the noise."""
        seed_global_random(arguments["noise"])
        dimension = Dimension(arguments["rows"], arguments["columns"])
        self._rng.seed(arguments["seed"])
        noting = (
            arguments["times"] == 1 and dimension.position_count == MOST_OPENED + 1
        ) or self._is_recorded
        with self._luck:
            generator = target(self._rng)
            self.stage = "call"
            for _ in range(arguments["times"]):
                made = generator.generate(self._factory if noting else Factory(), dimension)
                self._mazes.append(plain(made))

    def value(self) -> Plain:
        """Return the mazes so far, and the walls that were opened, where that was noted."""
        opened = [pair(cell) for wall in self._factory.opened[:MOST_OPENED] for cell in wall]
        return {"returned": self._mazes[:]} | ({"opened": opened} if opened and all(opened) else {})


class FunctionCall(RunningCall):
    """One call of a function, or of a method of a new object, perhaps after others of the same kind."""

    def __init__(self, new_search: Callable[[Watch], Any], question: Callable[[], object]) -> None:
        self._new_search, self._question = new_search, question
        self._watches: list[Watch] = []
        self._value: Plain | None = None

    def run(self, target: Any, arguments: Arguments) -> None:
        """Make the calls that come before, whose results do not matter, then the call."""
        method = arguments["method"]
        called = getattr(target(), method) if method else target
        self.stage = "call"
        for values in arguments["before"]:
            with suppress(Exception):
                called(*[self._made(kind, told) for kind, told in values])
        values = [self._made(kind, told) for kind, told in arguments["values"]]
        mazes = [(value, content_of(value)) for value in values if isinstance(value, Maze)]
        returned = data(called(*values))
        harmed = (text for maze, before in mazes if (text := changed(maze, before)) is not None)
        used = any(watch.used_search is True for watch in self._watches)
        self._value = {"returned": returned, "changed": next(harmed, None), "used_search": used}

    def _made(self, kind: str, told: str) -> Any:
        """Make an argument, anew for each call."""
        if kind == "search":
            self._watches.append(Watch(self._question))
            return self._new_search(self._watches[-1])
        if kind == "factory":
            return Factory()
        content = loads(told)
        return Random(content) if kind == "rng" else made(content)

    def value(self) -> Plain | None:
        """Return what was returned, and whether a maze was changed."""
        return self._value


_MANY_SIGHTS: Final = 100_000
"""A stream of more positions than this is cut to the first sight of each, while the call goes on."""
_RETOLD: Final = 100
"""For mazes of up to 100 cells, visits to a cell are counted: no stream is cut before a call has asked all
that it may."""
_WALK: Final = 24
"""The first 24 cells that were visited are sent one by one, repeats included."""
_MOVES: Final = 400
"""A way of 400 moves is sent as a list even in a small maze."""
_SIZED: Final = (list, dict, set)


class WatchedRun:
    """One maze of a solver, with all that was seen."""

    def __init__(self, maze: Maze, question: Callable[[], object]) -> None:
        self.before = content_of(maze)
        self.watch = Watch(question)
        self.watched = WatchedMaze.of(maze, self.watch)
        self.search: Any = None
        self.result: Plain | None = None

    def as_plain(self) -> Plain:
        """Return the run as plain data; a run that was cut off has no result."""
        grid = self.before
        most = 2 * _cells(grid)
        told = {
            **self._streams(most),
            "used_search": self.watch.used_search is True,
            "late_looks": min(int(self.watch.late_looks), most),
            "changed": changed(self.watched, grid),
        }
        if self.result is not None:
            return {"returned": self.result, **told}
        count = _pending(self.search) if self.watch.used_search is True else None
        if count is not None:
            told["pending"] = min(count, MAX_COORDINATE)
        return {**told, **self._visits()}

    def _visits(self) -> Plain:
        """Return where a cut-off run went first, its most visited cell, and the first that it revisited.

        Return nothing for a large maze: its repeats may have been dropped.
        """
        if _cells(self.before) > _RETOLD:
            return {}
        streams = (positions_of(stream) for stream in self.watch.streams())
        stream = next(streams, [])
        counts: dict[tuple[int, int], int] = {}
        again = None
        for cell in stream:
            counts[cell] = counts.get(cell, 0) + 1
            if again is None and counts[cell] == 2:
                again = [*cell]
        if again is None:
            return {}
        cell = max(counts, key=counts.__getitem__)
        walk = stream[:_WALK]
        return {"revisits": {"cell": [*cell], "times": counts[cell], "first": again, "walk": walk}}

    def _streams(self, most: int) -> Plain:
        """Return what was seen; leave a stream empty where it tells the same as an earlier one."""
        told: Plain = dict.fromkeys(STREAMS, ())
        exit_ = self.before.exit
        first: list[Any] = []
        ends_at_exit = False
        known: list[list[Any]] = []
        for name in STREAMS:
            seen = getattr(self.watch, name)
            if first and _repeats(seen, first, but_last=ends_at_exit):
                continue
            stream = _first_seen(seen) if seen else []
            if len(stream) > most:
                stream = self._cut(stream, name, most)
            elif stream and not first:
                first, ends_at_exit = seen[:], stream[-1] == exit_
            inner = stream[:]
            if exit_ in inner:
                inner.remove(exit_)
            if inner not in known:
                told[name] = stream
            known.append(inner)
        return told

    def _cut(self, stream: list[tuple[int, int]], name: str, most: int) -> list[tuple[int, int]]:
        """Cut a long stream; around a narrow maze there is more to ask about than in it."""
        rows, columns = self.before.row_count, self.before.column_count
        if name == "asked":
            stream = [cell for cell in stream if 0 < cell[0] <= rows and 0 < cell[1] <= columns]
        return stream[:most]


class SolverCall(RunningCall):
    """One solver, some mazes."""

    def __init__(
        self, new_search: Callable[[Watch], Any], question: Callable[[], object], steps: StepRecorder | None
    ) -> None:
        self._new_search, self._question, self._steps = new_search, question, steps
        self._runs: list[WatchedRun] = []

    def run(self, target: Any, arguments: Arguments) -> None:
        """Solve each maze, with a watched maze and a watched search that are new."""
        mazes = [maze_of(text) for text in arguments["mazes"]]
        solver = target()
        self.stage = "call"
        for maze in mazes:
            run = WatchedRun(maze, self._question)
            self._runs.append(run)
            if self._steps is not None:
                self._steps.watch({name: getattr(run.watch, name) for name in STREAMS})
            run.search = self._new_search(run.watch)
            run.result = plain(solver.solve(run.watched, run.search), _longest(run.before))

    def value(self) -> Plain:
        """Return all runs; the last one may have been cut off."""
        return {"runs": [run.as_plain() for run in self._runs[:]]}

    def drop_repeats(self) -> None:
        """Keep the first sight of each position only."""
        for run in self._runs[-1:]:
            for name in STREAMS:
                stream = getattr(run.watch, name)
                count = len(stream)
                if count > _MANY_SIGHTS:
                    stream[:count] = _first_seen(stream[:count])


def _first_seen(stream: list[Any]) -> list[tuple[int, int]]:
    """Return the positions of a stream, each once."""
    return list(dict.fromkeys(positions_of(stream)))


def _repeats(seen: list[Any], first: list[Any], *, but_last: bool) -> bool:
    """Tell whether these are the very objects of the first stream, perhaps without its last one.

    A solver asks about each cell that it takes.
    """
    return 0 <= len(first) - len(seen) <= but_last and all(map(is_, seen, first))


def _cells(grid: ParsedMaze) -> int:
    return grid.row_count * grid.column_count


def _longest(grid: ParsedMaze) -> int:
    """Return how many moves are sent at most: more than a way has that visits each cell four times."""
    return min(MAX_VECTORS, max(_MOVES, 4 * _cells(grid)))


def _pending(search: Any) -> int | None:
    """Return how many cells are pending in a search that keeps them in a plain attribute; else None."""
    try:
        members = object.__getattribute__(search, "__dict__")
        sizes = [len(value) for name, value in members.items() if "pending" in name and type(value) in _SIZED]
    except Exception:  # noqa: BLE001 - the search is the student's
        return None
    return max(sizes) if sizes else None
