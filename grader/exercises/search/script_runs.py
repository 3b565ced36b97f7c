"""A Search's answers to scripts of calls, and a Search composed of functions to compare it with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import lt

from grader.exercises.kit.misconception import Explains, Pair
from grader.model import RunScript
from grader.model.claims import MazeValue, NoneValue, OtherValue, Raised, ScriptSteps, Value
from lab import Vector

Step = tuple[int, str, tuple[Vector, ...]]
Given = tuple[object, ...]
"""What a step returned: ("lookup",) for a LookupError, else the kind and the value."""


@dataclass(slots=True)
class Cells:
    """The state of a Search."""

    pending: list[Vector] = field(default_factory=list)
    distances: dict[Vector, int] = field(default_factory=dict)
    moves: dict[Vector, Vector | None] = field(default_factory=dict)


Record = Callable[[Cells, Vector, Vector, Vector], None]


def one_further(cells: Cells, start: Vector) -> int:
    """Return the distance of a cell found from this one."""
    return cells.distances[start] + 1


def recording(
    replaces: Callable[[int, int], bool], distance_of: Callable[[Cells, Vector], int] = one_further
) -> Record:
    """Return a ``record`` that makes a new cell pending, and updates a known one.

    That happens if the new distance ``replaces`` the known one.
    """

    def recorded(cells: Cells, start: Vector, move: Vector, end: Vector) -> None:
        distance, known = distance_of(cells, start), cells.distances.get(end)
        if known is None:
            cells.pending.append(end)
        if known is None or replaces(distance, known):
            cells.distances[end], cells.moves[end] = distance, move

    return recorded


def _way(cells: Cells, cell: Vector) -> list[Vector]:
    """Return the moves from the start by walking back; raise RecursionError if that goes in circles."""
    moves: list[Vector] = []
    seen = {cell}
    while (move := cells.moves[cell]) is not None:
        moves.append(move)
        cell = cell + move.opposite()
        if cell in seen:
            raise RecursionError("the way back goes in circles")
        seen.add(cell)
    return moves[::-1]


RIGHT = recording(lt)
"""The ``record`` that is asked for."""


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """A script and the results of its steps, as far as it got."""

    steps: tuple[Step, ...]
    gave: tuple[Given, ...]
    ended: bool
    """Whether every step has a result."""
    told: bool
    """Whether the results of the steps before the end are known."""


def read(pairs: Sequence[Pair]) -> list[ScriptRun]:
    """Read the scripts of all calls, with the results of their steps."""
    return [_run(pair) for pair in pairs]


def _run(pair: Pair) -> ScriptRun:
    call, claim = pair
    steps = tuple(
        (instance, method, tuple(Vector(*v) for v in vectors))
        for instance, method, vectors in call.asked(RunScript).steps
    )
    told = isinstance(claim.value, ScriptSteps)
    return ScriptRun(steps, tuple(map(_given, claim.steps)), claim.outcome == "returned", told)


def _given(step: Value | Raised) -> Given:
    match step:
        case Raised():
            return ("lookup",)
        case NoneValue():
            return (step.kind, None)
        case MazeValue(text) | OtherValue(_, text):
            return (step.kind, text)
    return (step.kind, step.value)


def is_right(_exercise: str, run: ScriptRun) -> bool:
    """Return whether every step returned what it should."""
    return explains_run(RIGHT, run, shared=False)


def by_records(*records: Record, shared: bool = False) -> Explains:
    """Return a model of a Search that is right but for ``record``; if ``shared``, all searches are one."""

    def explains(_exercise: str, runs: Sequence[ScriptRun]) -> bool:
        return any(all(explains_run(each, run, shared=shared) for run in runs) for each in records)

    return explains


def explains_run(record: Record, run: ScriptRun, *, shared: bool) -> bool:
    """Return whether a Search with this ``record`` would have returned exactly this."""
    searches: dict[int, Cells] = {}
    for at, (instance, method, vectors) in enumerate(run.steps):
        cells = searches.setdefault(0 if shared else instance, Cells())
        try:
            given = _call(record, cells, method, vectors)
        except RecursionError:
            return not run.ended and (at == len(run.gave) or not run.told)
        if run.told and (at >= len(run.gave) or given != run.gave[at]):
            return False
    return run.ended


def _call(record: Record, cells: Cells, method: str, vectors: tuple[Vector, ...]) -> Given:
    try:
        if method == "record":
            record(cells, *vectors)
            return ("none", None)
        return _METHODS[method](cells, *vectors)
    except (KeyError, ValueError):
        return ("lookup",)


def _mark(cells: Cells, cell: Vector) -> Given:
    cells.distances[cell], cells.moves[cell] = 0, None
    cells.pending.append(cell)
    return ("none", None)


def _taker(pick: Callable[[Cells], int]) -> Callable[[Cells], Given]:
    def take(cells: Cells) -> Given:
        return ("vector", tuple(cells.pending.pop(pick(cells)))) if cells.pending else ("lookup",)

    return take


def _closest(cells: Cells) -> int:
    return min(range(len(cells.pending)), key=lambda at: cells.distances[cells.pending[at]])


_METHODS: dict[str, Callable[..., Given]] = {
    "mark_as_pending": _mark,
    "first_pending": _taker(lambda _: 0),
    "last_pending": _taker(lambda _: -1),
    "closest_pending": _taker(_closest),
    "has_pending_cells": lambda cells: ("bool", bool(cells.pending)),
    "distance_to": lambda cells, cell: ("int", cells.distances[cell]),
    "moves_to": lambda cells, cell: ("vectors", tuple(_way(cells, cell))),
    "known_cells": lambda cells: ("vectors", tuple(cells.distances)),
}
