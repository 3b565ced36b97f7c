"""A Search of which the grader answers what ``record`` decides; all else of it is given, and is here.

Theory of operation. A solver that is right shall not be judged by a Search that is wrong, and nothing that
decides as a right ``record`` does may enter the box. So what is given (which cells are known and pending, in
which order, how far they are) is kept in here, and what is recorded waits until somebody looks: then it goes
over the wire, with all that was marked and taken before it, and the answer tells what it changed. It tells as
well what will change if the solver goes on as it did so far. As long as it does, nothing has to be asked.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

from lab.vector import Vector
from lab.watch import Watch, watched_searches

from .files import ROOT, SEARCH_FILE, SEARCH_NAME, SearchNotLoaded
from .values import class_name, pair
from .wire import MAX_STEPS

_SEARCH_MODULES: Final = (SEARCH_FILE.removesuffix(".py").replace("/", "."), "search")
"""What solvers import their Search from, also with all files in one folder."""

Steps = list[list[Any]]
Ask = Callable[[int, int, Steps], dict[str, Any]]
"""Tells the grader how many steps of a numbered search were made as foreseen, and which ones then; returns
what these changed, and what is foreseen now."""


class AskedSearch:
    """What a solver is handed in the place of the submission's own ``Search``."""

    def __init__(self, ask: Ask, turn: Callable[[], object], number: int) -> None:
        self.__ask, self.__turn, self.__number = ask, turn, number
        self.__distances: dict[Vector, int] = {}
        self.__moves: dict[Vector, Vector | None] = {}
        self.__left: list[Vector] = []
        """The pending cells."""
        self.__at: Vector | None = None
        """The cell that was taken last."""
        self.__foreseen: list[Any] = []
        """The steps that are expected, the next one last: methods that take a cell, and moves that are
        recorded from there, each with what it changes."""
        self.__done = 0
        """How many of them were made since the grader was asked."""
        self.__untold: Steps = []
        """The steps that were made otherwise since then."""
        self.__undecided: list[tuple[Vector | None, Vector]] = []
        """What is recorded in them, moves and where they end, and the cells that are marked after that."""

    def mark_as_pending(self, position: Vector) -> None:
        """Make a cell known and pending."""
        cell = _vector("mark_as_pending", position)
        self.__tell("mark_as_pending", cell)
        if self.__undecided:
            self.__undecided.append((None, cell))
        else:
            self.__mark(cell)

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        """Note that a move leads from a known cell to another."""
        self.__turn()
        told = self.__foreseen[-1] if self.__foreseen else ""
        if type(told) is tuple and self.__at is not None and (move, start) == (told[0], self.__at):
            at, by, change = self.__at, *told
            if end == (to := at + by):
                self.__foreseen.pop()
                self.__done += 1
                self.__change(by, to, change)
                return
        begun, by, to = (_vector("record", each) for each in (start, move, end))
        self.__tell("record", begun, by, to)
        self.__undecided.append((by, to))

    def has_pending_cells(self) -> bool:
        """Tell whether a cell is pending."""
        self.__decide()
        return bool(self.__left)

    def first_pending(self) -> Vector:
        """Take the pending cell that was found first (LookupError when nothing is pending)."""
        return self.__take("first_pending", 0)

    def last_pending(self) -> Vector:
        """Take the pending cell that was found last (LookupError when nothing is pending)."""
        return self.__take("last_pending", -1)

    def closest_pending(self) -> Vector:
        """Take the pending cell with the least distance (LookupError when nothing is pending)."""
        self.__decide()

        def distance(index: int) -> int:
            self.__turn()
            return self.__distances[self.__left[index]]

        return self.__take("closest_pending", min(range(len(self.__left)), key=distance, default=0))

    def distance_to(self, position: Vector) -> int:
        """Return the number of moves on the way to a cell (LookupError for an unknown cell)."""
        return self.__distances[self.__known(position)]

    def moves_to(self, position: Vector) -> list[Vector]:
        """Return the moves that lead to a cell, in order (LookupError for an unknown cell)."""
        cell, moves = self.__known(position), list[Vector]()
        while (move := self.__moves[cell]) is not None:
            self.__turn()
            moves.append(move)
            cell += move.opposite()
            if len(moves) > len(self.__moves):
                raise RuntimeError("the recorded moves lead round in a circle, not back to the start")
        return moves[::-1]

    @property
    def known_cells(self) -> tuple[Vector, ...]:
        """All known cells, in the order they were found."""
        self.__decide()
        return tuple(self.__distances)

    def __take(self, method: str, index: int) -> Vector:
        self.__decide()
        if not self.__left:
            raise LookupError("no cell is pending")
        self.__at = self.__left.pop(index)
        if self.__foreseen and self.__foreseen[-1] == method:
            self.__foreseen.pop()
            self.__done += 1
        else:
            self.__tell(method)
        return self.__at

    def __known(self, position: object) -> Vector:
        """Return a cell that is known. Raises LookupError for what is none, such as a missing exit."""
        hash(position)
        self.__decide()
        numbers = pair(position)
        cell = position if numbers is None else Vector(*numbers)
        if numbers is None or cell not in self.__distances:
            raise LookupError(f"the cell {cell} is not known")
        return Vector(*numbers)

    def __mark(self, cell: Vector) -> None:
        self.__distances[cell], self.__moves[cell] = 0, None
        if cell not in self.__left:
            self.__left.append(cell)

    def __change(self, move: Vector, end: Vector, change: list[int]) -> None:
        """Have a cell another way and distance, and make it pending, as far as the grader says so."""
        if change:
            self.__distances[end], is_pending = change
            self.__moves[end] = move
            if is_pending:
                self.__left.append(end)

    def __tell(self, method: str, *positions: Vector) -> None:
        """Keep a step that was not foreseen for the next question."""
        if len(self.__untold) == MAX_STEPS:
            self.__question()
        self.__foreseen = []
        self.__untold.append([method, positions])

    def __decide(self) -> None:
        """Count a look at the search, and have the grader say what changed before it."""
        self.__turn()
        if self.__undecided:
            self.__question()

    def __question(self) -> None:
        steps, self.__untold = self.__untold, []
        recorded, self.__undecided = self.__undecided, []
        done, self.__done, self.__foreseen = self.__done, 0, []
        answer = self.__ask(self.__number, done, steps)
        changes = iter(answer["changes"])
        for move, cell in recorded:
            if move is None:
                self.__mark(cell)
            else:
                self.__change(move, cell, next(changes, []))
        if "lookup" in answer:
            raise LookupError(answer["lookup"])
        for each in reversed(answer["foreseen"]):
            self.__foreseen.append(each if type(each) is str else (Vector(*each[:2]), each[2:]))


def asked_searches(ask: Ask, turn: Callable[[], object]) -> Callable[[Watch], Any]:
    """Return a function that makes new searches, of which the grader answers what is recorded.

    Each look at them is a ``turn``, and so is each cell that they look through.
    """
    count = 0
    new = watched_searches(AskedSearch)

    def new_search(watch: Watch) -> Any:
        nonlocal count
        count += 1
        return new(watch, ask, turn, count)

    return new_search


class _Named(AskedSearch):
    """What a solver that names Search, mostly in its annotations, finds where there is none to import."""

    def __init__(self) -> None:
        raise SearchNotLoaded(f"{SEARCH_FILE} could not be used: take the search that solve is given")


class _StandIn:
    """Finds a module with the name ``Search`` where the submission has none that can be loaded."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002 - Python's signature
        """Find the module of the search, and no other."""
        return ModuleSpec(fullname, self) if fullname in _SEARCH_MODULES else None  # type: ignore[arg-type]  # importlib.abc is slow to load

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:  # noqa: ARG002 - Python's signature
        """Leave it to Python to make the module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its one name, ``Search``."""
        setattr(module, SEARCH_NAME, _Named)


def stand_in_for_search() -> bool:
    """Let solvers import a ``Search`` where none of the submission's was loaded; tell whether that is so.

    A solver that is handed a working Search shall not fail for want of the name. What was imported of the
    submission is forgotten, to be imported anew.
    """
    if any(SEARCH_NAME in _content(sys.modules.get(name)) for name in _SEARCH_MODULES):
        return False
    for name, module in list(sys.modules.items()):
        if _is_of_submission(module):
            del sys.modules[name]
    sys.meta_path.insert(0, _StandIn())
    return True


def _is_of_submission(module: object) -> bool:
    spec = _content(module).get("__spec__")
    if type(spec) is not ModuleSpec:
        return False
    places = [spec.origin, *(spec.submodule_search_locations or ())]
    return any(type(place) is str and place.startswith(f"{ROOT}/") for place in places)


def _content(module: object) -> dict[str, Any]:
    """Return what a module holds; nothing for any other object: its attributes may be a student's code."""
    return module.__dict__ if type(module) is ModuleType else {}


def _vector(method: str, position: object) -> Vector:
    numbers = pair(position)
    if numbers is None:
        raise TypeError(f"{method}: expected a position or a move, got {class_name(position)}")
    return Vector(*numbers)
