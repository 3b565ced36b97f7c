"""The space of solvers: which of them visit the cells as a submission does, in every maze that was seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, islice, pairwise, permutations, product
from typing import Final, get_args

from grader.exercises.kit.shared import ENOUGH, Pair, Shared, Space, in_common
from grader.exercises.kit.solvers.exploring import RANKS, Marks, Node, Point, Stops, explore, maze_of
from grader.exercises.kit.solvers.runs import UNSEEN
from grader.model import Call, Claim, Solve
from grader.model.claims import NoneValue, SolveRun, Value, VectorsValue
from lab import MOVES, Maze, Vector
from lab.exercises import BY_ID
from lab.visits import is_exploration, tidy

_POINTS: Final = tuple(
    Point(*each) for each in product(permutations(MOVES), RANKS, get_args(Marks), get_args(Stops))
)
MOST_CELLS: Final = 400
"""Larger mazes are left out."""
AT_FIRST: Final = 8
"""Mazes with about eight visits are tried first: on them most points are out at once."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was visited in one maze."""

    text: str
    streams: tuple[list[Vector], ...]
    """Each cell once, without entry and exit."""
    walk: tuple[Vector, ...]
    """How it began, repeats included, where it came to cells again and had no end."""
    returned: Value | None
    """None where it ended before it was done."""


# --- what was seen --------------------------------------------------------------------------------


def _seen(pairs: Sequence[Pair]) -> Iterator[_Seen]:
    """Yield the visits of all calls in their first mazes, without those that say nothing."""
    for call, claim in pairs:
        text, run = call.asked(Solve).mazes[0], next(iter(claim.runs), None)
        maze = maze_of(text)
        if run is None or maze.dimension.position_count > MOST_CELLS:
            continue
        streams = (tidy(stream, maze) for stream in run.streams.values() if not _reads_all(stream, maze))
        if told := tuple(stream for stream in streams if stream):
            yield _Seen(text, told, _circles(claim, run), run.returned)


def _circles(claim: Claim, run: SolveRun) -> tuple[Vector, ...]:
    """Return how a search without an end began; empty where it had one, or came to no cell again."""
    if run.returned is not None or run.revisits is None or not _has_no_end(claim):
        return ()
    return tuple(cell for cell, _ in groupby(Vector(*cell) for cell in run.revisits.walk))


def _has_no_end(claim: Claim) -> bool:
    return claim.outcome == "endless" or (claim.fault is not None and claim.fault.kind == "RecursionError")


def _reads_all(stream: Sequence[tuple[int, int]], maze: Maze) -> bool:
    """Tell whether the whole maze was read before the search began."""
    positions = maze.dimension.all_positions()
    return set(stream) >= set(positions) and (tuple(stream) == positions or not is_exploration(stream, maze))


def _agrees(point: Point, seen: _Seen) -> bool:
    """Tell whether a solver visits the cells as they were seen, or takes too long to tell."""
    if seen.walk:
        nodes = (node.cell for node in explore(point, seen.text) if node is not None)
        return tuple(islice((cell for cell, _ in groupby(nodes)), len(seen.walk))) == seen.walk
    maze, streams, at = maze_of(seen.text), seen.streams, 0
    known, is_cut = {maze.entry, maze.exit}, seen.returned is None
    for node in explore(point, seen.text):
        if node is None:
            return True
        if node.cell not in known:
            known.add(node.cell)
            streams = tuple(each for each in streams if (each[at] == node.cell if at < len(each) else is_cut))
            if not streams:
                return False
            at += 1
    is_whole = any(len(stream) <= at for stream in streams)
    if point.stops == "never" and isinstance(seen.returned, VectorsValue):
        return is_whole and _gives(point, seen.text, seen.returned)  # who reads all first visits all, too
    return is_whole


def _gives(point: Point, text: str, returned: Value) -> bool:
    """Tell whether a solver returns this, or nothing where it finds no way, or has no end."""
    nodes = (node for node in explore(point, text) if node is None or node.cell == maze_of(text).exit)
    found = next(nodes, None)
    if found is None:
        return isinstance(returned, NoneValue)
    return isinstance(returned, VectorsValue) and returned.value == _way(found)


# --- names ----------------------------------------------------------------------------------------

_TAKES: Final = {
    "first": "first-found",
    "last": "last-found",
    "latest of the nearest": "latest-of-equals",
}
"""The names for what is taken."""


def _named(exercise: str, point: Point) -> tuple[str, str, str]:
    """Return the names of a point's coordinates, "" for those that a right solver may have."""
    right = "last" if BY_ID[exercise].goes_deep else "first"
    explored = point.moves if point.takes == "first" else point.moves[::-1]
    orders = [explored] if point.takes == right else [point.moves, explored]
    return (
        "" if point.takes == right else _TAKES[point.takes],
        "" if MOVES in orders else _order(explored),
        "never-marks" if point.marks in ("before", "never") else "",
    )


def _order(moves: Sequence[Vector]) -> str:
    """Return the name of an order of moves, by the first that is not where it should be."""
    due, came = next(pair for pair in zip(MOVES, moves, strict=True) if pair[0] != pair[1])
    return f"{came.name}-first" if due == MOVES[0] else f"{came.name}-before-{due.name}"


@cache
def _names(exercise: str) -> tuple[str, ...]:
    found = (name for point in _POINTS for name in _named(exercise, point))
    return tuple(sorted({*found} - {""}))


# --- what they share ------------------------------------------------------------------------------


def _find(exercise: str, pairs: Sequence[Pair]) -> Shared | None:
    mazes = sorted(_seen(pairs), key=lambda seen: (not seen.walk, abs(len(seen.streams[0]) - AT_FIRST)))
    has_end = not any(seen.walk for seen in mazes)  # who never marks has none where no way is
    left = [point for point in _POINTS if not has_end or point.marks in ("found", "taken")]
    right = (point for point in left if not any(_named(exercise, point)))
    if any(all(_agrees(point, seen) for seen in mazes) for point in right):
        return None  # no name is shared with a right solver
    for seen in mazes:
        left = [point for point in left if _agrees(point, seen)]
    names = in_common(_named(exercise, point) for point in left)
    if not names or sum(bool(seen.walk) or seen.returned is not None for seen in mazes) < ENOUGH:
        return None
    return Shared(names, lambda pair: any(_answers(point, *pair) for point in left))


def _answers(point: Point, call: Call, claim: Claim) -> bool:
    """Tell whether a solver answers like this in the first maze."""
    text, run = call.asked(Solve).mazes[0], next(iter(claim.runs), UNSEEN)
    if run.returned is None:
        return _has_no_end(claim) and [*explore(point, text)][-1] is None
    return _gives(point, text, run.returned)


def _way(node: Node) -> tuple[Vector, ...]:
    """Return the moves that lead to a node."""
    cells = [node.cell]
    while node.by is not None:
        node = node.by
        cells.append(node.cell)
    return tuple(Vector(b.row - a.row, b.column - a.column) for a, b in pairwise(reversed(cells)))


SPACE: Final = Space(_names, _find)
