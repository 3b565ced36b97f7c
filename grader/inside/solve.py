"""One solver at work: each maze that it is given, what was seen of it there, and how much of that is sent."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, Final

from lab.maze import Maze
from lab.maze_format import ParsedMaze
from lab.steps import StepRecorder
from lab.watch import STREAMS, Watch, WatchedMaze

from .maze_reading import changed, content_of, maze_of
from .running_call import Arguments, RunningCall
from .values import MAX_VECTORS, Plain, plain, positions_of
from .wire import MAX_COORDINATE

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
        count = _pending(self.search)
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
