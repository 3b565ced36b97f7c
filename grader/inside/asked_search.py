"""A Search that stays outside: what a solver asks of it goes over the wire, and the grader answers.

Theory of operation. A solver that is right shall not be judged by a Search that is wrong, and the right
one may not enter the box. So a stand-in passes every call on. What returns nothing (``mark_as_pending``,
``record``) waits until something is asked, and goes with that; a cell that is taken brings along whether
others are left, and so one way there and back is enough for a visited cell. Where that has to be asked, the
answer tells as well what would be taken. Who takes the first or the closest cell is told which ones come
next, since what is recorded meanwhile comes behind them. Of the closest that holds as long as no cell can
have come that is as close: a way goes on from a cell whose distance was told.
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
from .wire import MAX_COORDINATE, MAX_STEPS

MOST_WAITING: Final = MAX_STEPS - 1
"""The most calls that wait for a question, before they are sent without one."""

_SEARCH_MODULES: Final = (SEARCH_FILE.removesuffix(".py").replace("/", "."), "search")
"""What solvers import their Search from, also with all files in one folder."""

Steps = list[list[Any]]
Ask = Callable[[int, Steps], dict[str, Any]]
"""Sends the calls of a numbered search to the grader, and returns what the last of them gave."""


class AskedSearch:
    """What a solver is handed in the place of the submission's own ``Search``."""

    def __init__(self, ask: Ask, number: int) -> None:
        self.__ask, self.__number = ask, number
        self.__waiting: Steps = []
        self.__left: bool | None = False
        """Whether a cell is pending; None where only the grader knows."""
        self.__next: dict[str, Any] = {}
        """Where nothing has happened since that was told: what each method would take."""
        self.__first: list[list[int]] = []
        """The cells that were found first, as long as only these are taken."""
        self.__closest: list[tuple[list[int], int]] = []
        """The closest cells with their distances, as long as only these are taken."""
        self.__distances: dict[tuple[int, ...], int] = {}
        self.__taken: set[tuple[int, ...]] = set()
        self.__least = 0
        """No cell that was recorded since then is closer than that."""

    def mark_as_pending(self, position: Vector) -> None:
        """Make a cell known and pending."""
        self.__forget_next()
        self.__wait("mark_as_pending", position)
        self.__left = True

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        """Note that a move leads from a known cell to another."""
        self.__wait("record", start, move, end)
        self.__left = self.__left or None
        if self.__first or self.__closest:
            if (begun := (start[0], start[1])) not in self.__taken:
                self.__forget_next()  # the grader may have to say that it is not known
            self.__least = min(self.__least, self.__distances.get(begun, -1) + 1)

    def has_pending_cells(self) -> bool:
        """Tell whether a cell is pending."""
        if self.__left is None:
            self.__left = bool(self.__get("has_pending_cells"))
        return self.__left

    def first_pending(self) -> Vector:
        """Take the pending cell that was found first (LookupError when nothing is pending)."""
        return self.__take("first_pending")

    def last_pending(self) -> Vector:
        """Take the pending cell that was found last (LookupError when nothing is pending)."""
        return self.__take("last_pending")

    def closest_pending(self) -> Vector:
        """Take the pending cell with the least distance (LookupError when nothing is pending)."""
        return self.__take("closest_pending")

    def distance_to(self, position: Vector) -> int:
        """Return the number of moves on the way to a cell (LookupError for an unknown cell)."""
        return int(self.__of("distance_to", position))

    def moves_to(self, position: Vector) -> list[Vector]:
        """Return the moves that lead to a cell, in order (LookupError for an unknown cell)."""
        return [Vector(*move) for move in self.__of("moves_to", position)]

    @property
    def known_cells(self) -> tuple[Vector, ...]:
        """All known cells, in the order they were found."""
        return tuple(Vector(*cell) for cell in self.__get("known_cells"))

    def __take(self, method: str) -> Vector:
        cell = self.__ahead(method)
        if cell is not None:
            self.__wait(method)
        elif self.__next:
            cell, told = self.__next[method], self.__next
            self.__forget_next()
            self.__wait(method)
            self.__left = told["first_pending"] != told["last_pending"]
        else:
            cell = self.__get(method)
        self.__taken.add((cell[0], cell[1]))
        return Vector(*cell)

    def __ahead(self, method: str) -> list[int] | None:
        """Return the cell that comes next, where that was told; else None."""
        if method == "first_pending" and self.__first:
            self.__left = len(self.__first) > 1 or None
            return self.__first.pop(0)
        if method == "closest_pending" and self.__closest and self.__closest[0][1] < self.__least:
            self.__left = len(self.__closest) > 1 or None
            return self.__closest.pop(0)[0]
        return None

    def __forget_next(self) -> None:
        self.__first, self.__closest = [], []

    def __wait(self, method: str, *positions: object) -> None:
        self.__next = {}
        self.__waiting.append([method, [_pair(method, position) for position in positions]])
        if len(self.__waiting) >= MOST_WAITING:
            self.__get("has_pending_cells")

    def __of(self, method: str, cell: object) -> Any:
        """Return what is known of a cell. Raises LookupError for what is none, such as a missing exit."""
        hash(cell)
        if pair(cell) is None:
            raise LookupError(f"the cell {cell} is not known")
        return self.__get(method, cell)

    def __get(self, method: str, *positions: object) -> Any:
        step = [method, [_pair(method, position) for position in positions]]
        steps, self.__waiting = [*self.__waiting, step], []
        answer = self.__ask(self.__number, steps)
        self.__left, self.__next = answer["left"], answer.get("next", {})
        self.__first, self.__closest = answer.get("first", []), answer.get("closest", [])
        told = [*self.__closest, *answer.get("taken", ())]
        self.__distances = {(cell[0], cell[1]): distance for cell, distance in told}
        self.__least = MAX_COORDINATE
        if "lookup" in answer:
            raise LookupError(answer["lookup"])
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["value"]


def asked_searches(ask: Ask) -> Callable[[Watch], Any]:
    """Return a function that makes new searches, which the grader answers."""
    count = 0
    new = watched_searches(AskedSearch)

    def new_search(watch: Watch) -> Any:
        nonlocal count
        count += 1
        return new(watch, ask, count)

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


def _pair(method: str, position: object) -> list[int]:
    numbers = pair(position)
    if numbers is None:
        raise TypeError(f"{method}: expected a position or a move, got {class_name(position)}")
    return numbers
