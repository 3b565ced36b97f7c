"""Watches a solver run line by line, through the hook that debuggers use.

At each line of the student's own files it inspects the variables there, and the student's objects to which
they refer. The effect of a line is seen when the next one begins.
"""

from __future__ import annotations

import sys
import threading
from array import array
from collections import Counter
from pathlib import Path
from queue import LifoQueue, PriorityQueue, Queue
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple, Self

from lab.maze import Maze
from lab.steps import attributes, variables
from lab.tracing.cells import Cell, CellNumbering
from lab.tracing.values import ValueHistory
from lab.tracing.variable_history import SEQUENCES, ContainerHistory, ParentsHistory
from lab.watch import STREAMS, Watch

LINES = (100_000, 2_000)
"""A solver may run 100,000 lines, and 2,000 more for each cell of the maze."""
_QUEUES = (Queue, LifoQueue, PriorityQueue)
_Slot = tuple[int, str]


class OutOfLines(BaseException):
    """The solver ran more lines than any that ends; a student's ``except Exception`` does not catch this."""


class CallEvent(NamedTuple):
    """A call begins at a moment, with the cells among its arguments; without a name, one ends."""

    moment: int
    name: str
    cells: tuple[Cell, ...]


class Recorder:
    """Records one call of a solver: the lines that run while the recorder is entered as a context."""

    def __init__(self, maze: Maze, folder: Path, watch: Watch) -> None:
        self.cells = CellNumbering(maze)
        self.lines: list[tuple[str, int]] = []
        """The lines that ran, each once: the file and the number."""
        self.steps = array("L")
        """The lines as they ran, as indices into ``lines``."""
        self.calls: list[CallEvent] = []
        self.deepest: Counter[CodeType] = Counter()
        """How many calls of the same function were on the stack at once, at the most."""
        self.kept: dict[ContainerHistory, None] = {}
        self.parents: dict[ParentsHistory, None] = {}
        self.seen: dict[str, array[int]] = {name: array("L") for name in STREAMS}
        """The moments of what the watch saw."""
        self.values = ValueHistory()
        self.uses_heap = False
        """Whether one of the functions takes from a heap."""
        self.error: tuple[BaseException, int] | None = None
        """The exception that was raised last, and the moment of the line that raised it."""
        self.is_out = False
        """Whether it ran out of lines, in whatever thread."""
        self._folder = folder
        self._watch = watch
        self._most = LINES[0] + LINES[1] * maze.dimension.position_count
        self._line_numbers: dict[tuple[CodeType, int], int] = {}
        self._own_code: dict[CodeType, bool] = {}
        self._own_types: dict[type, bool] = {}
        self._depth: Counter[CodeType] = Counter()
        self._by_slot: dict[_Slot, tuple[Any, ContainerHistory, ParentsHistory | None]] = {}
        self._by_id: dict[int, _Slot] = {}
        self._owners: dict[int, object] = {}
        self._before: tuple[Any, Any] = None, None
        self._numbers: dict[FrameType, int] = {}
        """The calls that have not ended, by their frames."""
        self._begun = 0

    def __enter__(self) -> Self:
        self._before = sys.gettrace(), threading.gettrace()
        sys.settrace(self._called)
        threading.settrace(self._called)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.settrace(self._before[0])
        threading.settrace(self._before[1])

    @property
    def moment(self) -> int:
        """The number of lines that have begun."""
        return len(self.steps)

    def is_own_file(self, file: str) -> bool:
        """Tell whether a file is one of the student's, and not of the tests."""
        path = Path(file)
        return path.is_relative_to(self._folder) and "tests" not in path.relative_to(self._folder).parts

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        own = self._own_code.get(code)
        if own is None:
            own = code.co_name[0] != "<" and self.is_own_file(code.co_filename)
            self._own_code[code] = own
        if not own:
            return None
        given = frame.f_locals
        cells = [self.cells.plain(given.get(name)) for name in code.co_varnames[: code.co_argcount]]
        self.calls.append(
            CallEvent(self.moment, code.co_name, tuple(cell for cell in cells if cell is not None))
        )
        self._numbers[frame] = self._begun = self._begun + 1
        self._depth[code] += 1
        self.deepest[code] = max(self.deepest[code], self._depth[code])
        self.uses_heap |= "heappop" in code.co_names
        return self._happened

    def _happened(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "exception":
            if self.error is None or argument[1] is not self.error[0]:
                self.error = argument[1], self.moment
            return self._happened
        self._look(frame)
        if event == "line":
            self._step(frame)
        elif event == "return":
            self._left(frame)
        return self._happened

    def _step(self, frame: FrameType) -> None:
        if self.moment >= self._most:
            self.is_out = True
            raise OutOfLines
        key = frame.f_code, frame.f_lineno
        number = self._line_numbers.get(key)
        if number is None:
            number = self._line_numbers[key] = len(self.lines)
            self.lines.append((Path(key[0].co_filename).relative_to(self._folder).as_posix(), key[1]))
        self.steps.append(number)
        self.values.running.append(self._numbers[frame])

    def _left(self, frame: FrameType) -> None:
        """Record the end of a call; its variables are no longer inspected."""
        self._depth[frame.f_code] -= 1
        self.calls.append(CallEvent(self.moment, "", ()))
        self.values.end(self._numbers.pop(frame), self.moment)
        for name in frame.f_locals:
            held = self._by_slot.pop((id(frame), name), None)
            if held is not None:
                self._by_id.pop(id(held[0]), None)
                self._forget(held[1], held[2])

    def _forget(self, kept: ContainerHistory, parents: ParentsHistory | None) -> None:
        """Drop what is no queue, stack or tree, as most variables are not."""
        if not kept.leavings or kept.is_lost:
            self.kept.pop(kept, None)
        if parents is not None and not parents.changes:
            self.parents.pop(parents, None)

    def _look(self, frame: FrameType) -> None:
        for name in STREAMS:
            more = len(getattr(self._watch, name)) - len(self.seen[name])
            if more:
                self.seen[name].extend([self.moment] * more)
        self.values.look(self._numbers[frame], self._told(frame), self.moment)
        for name, value in frame.f_locals.items():
            kind = type(value)
            if kind in SEQUENCES:
                self._keep(id(frame), name, name, value)
            elif kind in _QUEUES:
                self._keep(id(frame), name, name, value.queue)
                self.uses_heap |= kind is PriorityQueue
            elif self._is_own_type(kind):
                self._look_into(name, value)

    def _told(self, frame: FrameType) -> list[tuple[str, Any]]:
        """Return the variables of a call, with the attributes of the student's objects in their place."""
        found = variables(frame, self._is_own_type)
        return [(name, value) for name, value in found if not self._is_own_type(type(value))]

    def _look_into(self, name: str, value: object) -> None:
        """Inspect an object of the student's; keep a reference, so that no other object gets its identity."""
        for attribute, held in attributes(value).items():
            if type(held) in SEQUENCES:
                self._owners[id(value)] = value
                self._keep(id(value), attribute, f"{name}.{attribute}", held)

    def _is_own_type(self, kind: type) -> bool:
        own = self._own_types.get(kind)
        if own is None:
            modules = [sys.modules.get(base.__module__) for base in kind.__mro__[:-1]]
            files = [getattr(module, "__file__", None) for module in modules]
            own = any(isinstance(file, str) and self.is_own_file(file) for file in files)
            self._own_types[kind] = own
        return own

    def _keep(self, owner: int, name: str, shown: str, value: Any) -> None:
        slot = self._by_id.get(id(value), (owner, name))
        held = self._by_slot.get(slot)
        is_other = held is None or held[0] is not value
        if held is None or held[0] is not value:
            held = self._bind(slot, shown, value, held)
        _, kept, parents = held
        kept.look(value, self.moment, is_other=is_other)
        if parents is not None:
            parents.look(value, self.moment)

    def _bind(
        self,
        slot: _Slot,
        shown: str,
        value: Any,
        held: tuple[Any, ContainerHistory, ParentsHistory | None] | None,
    ) -> tuple[Any, ContainerHistory, ParentsHistory | None]:
        """Begin to follow what a variable holds, if it is new or another object than before."""
        if held is not None and type(held[0]) is type(value):
            self._by_id.pop(id(held[0]), None)
            kept, parents = held[1], held[2]
        else:
            kept, parents = ContainerHistory(shown, self.cells, type(value)), None
            self.kept[kept] = None
            if type(value) is dict:
                parents = ParentsHistory(shown, self.cells)
                self.parents[parents] = None
        self._by_id[id(value)] = slot
        self._by_slot[slot] = value, kept, parents
        return self._by_slot[slot]
