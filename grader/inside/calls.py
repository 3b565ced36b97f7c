"""The kinds of calls but ``solve.py``: what is done with the student's code, and what is noted about it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from json import loads
from random import Random
from random import seed as seed_global_random
from typing import Any, Final, Self

from lab.dimension import Dimension
from lab.factory import Factory
from lab.maze import Maze, Position
from lab.steps import StepRecorder
from lab.vector import Vector
from lab.watch import Watch

from .data import data, made
from .maze_reading import changed, content_of
from .running_call import Arguments, RunningCall
from .values import Plain, iterated, pair, plain

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

    def break_wall(self, position: Position, direction: Position) -> None:
        """Open a wall, and note it."""
        Maze.break_wall(self, position, direction)
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
        if steps is not None:
            steps.watch({"opened": self._factory.opened})

    def run(self, target: Any, arguments: Arguments) -> None:
        """Make the mazes with one source of random numbers; seed the global one with the noise."""
        seed_global_random(arguments["noise"])
        dimension = Dimension(arguments["rows"], arguments["columns"])
        generator = target(Random(arguments["seed"]))
        self.stage = "call"
        noting = (
            arguments["times"] == 1 and dimension.position_count == MOST_OPENED + 1
        ) or self._is_recorded
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
