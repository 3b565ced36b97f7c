"""A Search's answers to scripts of calls, and a Search composed of functions to compare it with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import lt
from typing import Any

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
Pick = Callable[[Cells], int]
"""Return the index of the pending cell to take."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules by which a Search works."""

    record: Record
    first: Pick
    last: Pick
    closest: Pick
    way: Callable[[Cells, Vector], list[Vector]]
    take: Callable[[Cells, int], Vector] = lambda cells, at: cells.pending.pop(at)
    of_nothing: Given = ("lookup",)
    """What taking a cell returns if none is pending."""


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


def first(_cells: Cells) -> int:
    """Return the index of the cell found first."""
    return 0


def last(cells: Cells) -> int:
    """Return the index of the cell found last."""
    return len(cells.pending) - 1


def least(rank: Callable[[int, int, Vector], tuple[Any, ...]]) -> Pick:
    """Return a function that picks the pending cell with the least rank.

    ``rank`` gets its distance, its index among the pending cells, and its position.
    """
    return lambda cells: min(
        range(len(cells.pending)),
        key=lambda at: rank(cells.distances[cells.pending[at]], at, cells.pending[at]),
    )


def way(cells: Cells, cell: Vector) -> list[Vector]:
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


RIGHT = Rules(recording(lt), first, last, least(lambda distance, at, _: (distance, at)), way)


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


def by_rules(*rules: Rules, shared: bool = False) -> Explains:
    """Return a model of a Search that works by one of these rules; if ``shared``, all searches are one."""

    def explains(_exercise: str, runs: Sequence[ScriptRun]) -> bool:
        return any(all(explains_run(each, run, shared=shared) for run in runs) for each in rules)

    return explains


def explains_run(rules: Rules, run: ScriptRun, *, shared: bool) -> bool:
    """Return whether a Search with these rules would have returned exactly this."""
    searches: dict[int, Cells] = {}
    for at, (instance, method, vectors) in enumerate(run.steps):
        cells = searches.setdefault(0 if shared else instance, Cells())
        try:
            given = _call(rules, cells, method, vectors)
        except RecursionError:
            return not run.ended and (at == len(run.gave) or not run.told)
        if run.told and (at >= len(run.gave) or given != run.gave[at]):
            return False
    return run.ended


def _call(rules: Rules, cells: Cells, method: str, vectors: tuple[Vector, ...]) -> Given:
    try:
        return _METHODS[method](rules, cells, *vectors)
    except (KeyError, ValueError):
        return ("lookup",)


def _mark(_rules: Rules, cells: Cells, cell: Vector) -> Given:
    cells.distances[cell], cells.moves[cell] = 0, None
    cells.pending.append(cell)
    return ("none", None)


def _record(rules: Rules, cells: Cells, start: Vector, move: Vector, end: Vector) -> Given:
    rules.record(cells, start, move, end)
    return ("none", None)


def _taker(name: str) -> Callable[[Rules, Cells], Given]:
    def take(rules: Rules, cells: Cells) -> Given:
        if not cells.pending:
            return rules.of_nothing
        pick: Pick = getattr(rules, name)
        return ("vector", tuple(rules.take(cells, pick(cells))))

    return take


_METHODS: dict[str, Callable[..., Given]] = {
    "mark_as_pending": _mark,
    "record": _record,
    "first_pending": _taker("first"),
    "last_pending": _taker("last"),
    "closest_pending": _taker("closest"),
    "has_pending_cells": lambda _rules, cells: ("bool", bool(cells.pending)),
    "distance_to": lambda _rules, cells, cell: ("int", cells.distances[cell]),
    "moves_to": lambda rules, cells, cell: ("vectors", tuple(rules.way(cells, cell))),
    "known_cells": lambda _rules, cells: ("vectors", tuple(cells.distances)),
}
