"""Observes a solver at work: which cells it visits, however it is written.

A solver that uses ``search`` is observed through the cells that it takes from there; one that keeps its own
queue, or recurses, through the cells whose moves it asks the maze for. ``lab.visits`` compares the
observations with the visit order that the lab prescribes.
"""

from __future__ import annotations

from _weakref import ref  # importing weakref is slow
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import repeat
from types import FunctionType
from typing import Any, Self

from lab.maze import Maze, Position
from lab.vector import Vector

STREAMS = ("taken", "asked", "probed", "tested")
"""The observations of a ``Watch``, the most telling first."""

QUESTIONS = (10_000, 800)
QUESTIONS_WHEN_LARGE = (200_000, 300)
"""How many questions a solver may ask: at least 10,000, and 800 per cell of the maze, where it has more than
380 cells 300 for each more; right ones ask 12 per cell."""

FEW_LOOKS = 3
"""How often a solver that has found the exit may look where it is, to walk back from there."""

_NO_LIMIT: Callable[[], object] = repeat(None).__next__


def most_questions(cells: int) -> int:
    """Return how many questions a solver may ask about mazes of so many cells, all of them together."""
    return min(least + each * cells for least, each in (QUESTIONS, QUESTIONS_WHEN_LARGE))


class Watch:
    """The observations of one call of a solver: positions, in order."""

    __slots__ = (
        *("__weakref__", "_at", "_looks", "asked", "probed", "question", "taken", "taking", "tested"),
        "used_search",
    )

    def __init__(self, question: Callable[[], object] = _NO_LIMIT) -> None:
        self.question = question
        """Called at every question to the maze, and every cell that is put into the search or taken out."""
        self.taken: list[Position] = []
        """Cells returned by first_pending, last_pending or closest_pending."""
        self.asked: list[Position] = []
        """Cells whose moves were asked for."""
        self.probed: list[Position] = []
        """Cells with a side that the solver asked about."""
        self.tested: list[Position] = []
        """Cells that the solver compared with the exit."""
        self.used_search = False
        """Whether the solver put anything into its search."""
        self.taking = False
        """Whether a cell is being taken right now: one method may call another."""
        self._looks, self._at = 0, 0

    def __deepcopy__(self, _: object) -> Self:
        return self  # all copies of a maze report to the same watch

    def __reduce__(self) -> tuple[Callable[[int], Watch], tuple[int]]:
        _PICKLED[id(self)] = ref(self)
        return _unpickled, (id(self),)

    def look(self) -> None:
        """Record that the solver asked where the exit is."""
        self.question()
        at = len(self.asked) + len(self.probed)
        self._looks, self._at = self._looks + 1 if at == self._at else 1, at

    @property
    def late_looks(self) -> int:
        """How often the solver asked where the exit is after its last question about a cell.

        A solver that reads the maze first and then searches compares cell after cell with the exit.
        """
        return self._looks if self._at == len(self.asked) + len(self.probed) else 0

    def streams(self) -> tuple[list[Position], ...]:
        """Return the observations that are not empty, the most informative first."""
        return tuple(seen for name in STREAMS if (seen := self.seen(name)))

    def seen(self, name: str) -> list[Position]:
        """Return one of the observations, without questions about invalid positions."""
        return [position for position in getattr(self, name) if isinstance(position, tuple)]


_PICKLED: dict[int, ref[Watch]] = {}


def _unpickled(key: int) -> Watch:
    """Return the watch itself in the process that pickled it, or elsewhere a new one."""
    kept = _PICKLED.get(key)
    return (kept and kept()) or Watch()


class WatchedMaze(Maze):
    """A maze that records what it is asked about; its copies record in the same watch.

    It calls methods of ``Maze`` by name: with ``super()`` a question took a fifth longer.
    """

    _watch: Watch

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(lines)
        self._watch = Watch()  # mazes that a solver makes with type(maze) are not watched

    @classmethod
    def of(cls, maze: Maze, watch: Watch) -> Self:
        """Return a copy of the maze that records in ``watch``."""
        watched = object.__new__(cls)
        watched._watch = watch
        watched._fill(maze._grid())
        return watched

    def copy(self) -> Self:
        """Return a maze of its own with the same content, watched as well."""
        return type(self).of(self, self._watch)

    @property
    def exit(self) -> Vector | None:
        """The cell to reach; None where the maze has no exit."""
        self._watch.look()
        return super().exit

    def is_exit(self, position: Position) -> bool:
        watch = self._watch
        watch.question()
        watch.tested.append(position)
        return Maze.is_exit(self, position)

    def moves_at(self, position: Position) -> tuple[Vector, ...]:
        watch = self._watch
        watch.question()
        watch.asked.append(position)
        return Maze.moves_at(self, position)

    def valid_moves_at(self, position: Position) -> tuple[Vector, ...]:
        watch = self._watch
        watch.question()
        watch.asked.append(position)
        return Maze.valid_moves_at(self, position)

    def is_valid_at(self, position: Position, move: Position) -> bool:
        watch = self._watch
        watch.question()
        watch.probed.append(position)
        return Maze.is_valid_at(self, position, move)

    def is_wall(self, position: Position, direction: Position) -> bool:
        watch = self._watch
        watch.question()
        watch.probed.append(position)
        return Maze.is_wall(self, position, direction)

    def is_clear(self, position: Position, direction: Position) -> bool:
        watch = self._watch
        watch.question()
        watch.probed.append(position)
        return Maze.is_clear(self, position, direction)

    def cost_of(self, position: Position, move: Position) -> int:
        watch = self._watch
        watch.question()
        watch.probed.append(position)
        return Maze.cost_of(self, position, move)


WatchedMaze.__name__ = "Maze"  # what errors call it; by its __qualname__ it is pickled
for _name, _method in vars(WatchedMaze).items():
    if isinstance(_method, FunctionType):
        _method.__qualname__ = f"Maze.{_name}"


class _Quiet:
    """Keeps a student's ``__init_subclass__`` from running for a subclass that the student did not write."""

    __slots__ = ()

    def __init_subclass__(cls, **_: object) -> None:
        pass


class _Watches:
    """The watch to which each search of a class reports."""

    def __init__(self) -> None:
        self.latest = Watch()
        """For a search that is being constructed, for copies, and for searches without weak references."""
        self.bound: dict[int, Watch] = {}
        self._alive: dict[int, object] = {}
        """A weak reference to each bound search, which releases its watch as well."""

    def of(self, search: object) -> Watch:
        return self.bound.get(id(search), self.latest)

    def bind(self, search: object) -> None:
        """Let a search report to the latest watch for as long as the search exists."""
        key = id(search)

        def forget(_: object) -> None:
            del self.bound[key], self._alive[key]

        with suppress(TypeError):
            self._alive[key] = ref(search, forget)
            self.bound[key] = self.latest


def watched(search_class: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """Return a function that makes searches of a student's class that record the taken cells in ``watch``."""
    return partial(watched_searches(search_class), watch)


def watched_searches(search_class: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that makes searches that record the cells taken from them.

    Its arguments are the watch, and those of the student's class. All searches have one class, a subclass of
    the student's, since Python is slow with a class that is new to it. If ``Search`` is no class but makes
    objects of one, these get such a subclass; a class that allows none is not watched.
    """
    watches = _Watches()
    kind = _watched_class(search_class, watches, _Quiet) if isinstance(search_class, type) else None
    kinds: dict[type[Any], type[Any]] = {}

    def new(watch: Watch, *arguments: object) -> Any:
        watches.latest = watch
        search = (kind or search_class)(*arguments)
        own = type(search)
        if kind is None and own not in kinds.values():  # it may return the same object again
            with suppress(TypeError):
                kinds[own] = kinds.get(own) or _watched_class(own, watches)
                object.__setattr__(search, "__class__", kinds[own])
        watches.bind(search)
        return search

    return new


def _watched_class(search_class: type[Any], watches: _Watches, *others: type[Any]) -> type[Any]:
    """Return a subclass that records in the watches; objects cannot change to it if it needs other bases
    as well."""

    def original(name: str) -> Callable[..., Any]:
        """Return the method as a function; one made by a descriptor is looked up on the search itself."""
        held = next((vars(each)[name] for each in search_class.__mro__ if name in vars(each)), None)
        if type(held) is FunctionType:
            return held
        return lambda self, *arguments: getattr(super(kind, self), name)(*arguments)

    def look_for(self: Any, name: str) -> Any:
        """Record the lookup of a method that the class does not have."""
        watches.of(self).used_search |= name == "mark_as_pending"
        return plain.__getattribute__(self, name)

    plain: Any = search_class
    takes = ("first_pending", "last_pending", "closest_pending")
    members: dict[str, Any] = {
        name: _noting(original(name), watches) for name in takes if hasattr(search_class, name)
    }
    if hasattr(search_class, "mark_as_pending"):
        members["mark_as_pending"] = _marking(original("mark_as_pending"), watches)
    else:
        members["__getattribute__"] = look_for
    kind = type(search_class.__name__, (*others, search_class), members)
    return kind


def _marking(original: Callable[..., Any], watches: _Watches) -> Callable[..., Any]:
    """Return a method that makes a cell pending as the original does, and records that it was used."""

    def mark_as_pending(self: Any, position: Position) -> Any:
        watch = watches.of(self)
        watch.question()
        watch.used_search = True
        return original(self, position)

    return mark_as_pending


def _noting(original: Callable[[Any], Any], watches: _Watches) -> Callable[[Any], Any]:
    """Return a method that takes a cell as the original does, and records it."""

    bound = watches.bound

    def take(self: Any) -> Any:
        watch = bound.get(id(self)) or watches.latest
        watch.question()
        if watch.taking:
            return original(self)
        watch.taking = True
        try:
            position = original(self)
        finally:
            watch.taking = False
        watch.taken.append(position)
        return position

    return take
