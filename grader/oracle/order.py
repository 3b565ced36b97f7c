"""The judge of the visit order: fair to every right solver, however it is written."""

from __future__ import annotations

from collections.abc import Sequence

from grader.model import Claim, Plain
from grader.oracle.facts import Facts
from grader.oracle.findings import Finding, cell_text, cells_text, describe, ending, ordinal
from grader.oracle.ways import expectation, moves_of, seen
from lab import Vector
from lab.visits import is_exploration, parting, tidy
from lab.watch import STREAMS


def judge_order(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """The cells were visited in the prescribed order; needs a maze with a way to the exit.

    A stream of observations that keeps to any right order clears the solver. One that shows no
    exploration at all (the solver read the whole maze before it searched) is judged by the way
    that was returned: where ways of equal standing exist, the order decides between them.
    """
    if claim.outcome != "returned":
        return ending(claim, expected=_expected(facts, exercise), **seen(facts, claim, 0))
    run = claim.value["runs"][0]
    streams = {name: [Vector(*cell) for cell in run[name]] for name in STREAMS if run[name]}
    way = _cells_of_way(facts, run["returned"])
    if any(_keeps_to(facts, exercise, stream, way) for stream in streams.values()):
        return None
    evidence = [stream for name, stream in streams.items() if _shows_the_order(facts, name, stream)]
    if not evidence:
        return _by_the_way(facts, run["returned"], exercise)
    return _departure(facts, exercise, evidence[0])


def _keeps_to(facts: Facts, exercise: str, stream: Sequence[Vector], way: frozenset[Vector]) -> bool:
    """Whether the stream is a right order, with or without a walk back from the exit."""
    if tuple(tidy(stream, facts.maze)) in facts.right_streams[exercise]:
        return True
    found = _without_walk_back(stream, facts.maze.exit, way)
    orders = facts.orders[exercise]
    return any(parting(order, seen, facts.maze) is None for seen in (stream, found) for order in orders)


def _without_walk_back(
    stream: Sequence[Vector], exit_: Vector | None, way: frozenset[Vector]
) -> Sequence[Vector]:
    """The stream without the cells of the way that a solver came by once it had seen the exit."""
    if exit_ not in stream:
        return stream
    at = stream.index(exit_)
    return [*stream[:at], *(cell for cell in stream[at:] if cell not in way)]


def _cells_of_way(facts: Facts, returned: Plain) -> frozenset[Vector]:
    """The cells that the returned moves lead through."""
    cell = facts.maze.entry
    cells = {cell}
    for move in moves_of(returned) or ():
        cell = cell + Vector(*move)
        cells.add(cell)
    return frozenset(cells)


def _shows_the_order(facts: Facts, name: str, stream: Sequence[Vector]) -> bool:
    """Whether a stream that keeps to no right order is evidence of a wrong one.

    What is taken is visited. Cells whose moves are asked for are visited, unless all cells of the
    maze are, row after row or otherwise than along the passages: that is reading, not searching.
    Single walls may also be probed from the far side; they tell only where they follow the passages.
    """
    if name in ("taken", "tested"):
        return name == "taken"
    cells = facts.dimension.all_positions()
    if list(stream) in (list(cells), sorted(cells, key=lambda cell: (cell.column, cell.row))):
        return False
    is_partial = name == "asked" and not set(stream) >= set(cells)
    return is_partial or is_exploration(stream, facts.maze)


def _by_the_way(facts: Facts, returned: Plain, exercise: str) -> Finding | None:
    moves = moves_of(returned)
    if moves is not None and tuple(Vector(*move) for move in moves) in facts.ways[exercise]:
        return None
    text = f"returned {describe(returned)}, which exploring North, East, South, West in turn does not find"
    actual = {"text": describe(returned), "moves": moves, "visits": []}
    return Finding("failed", text, _expected(facts, exercise), actual)


def _departure(facts: Facts, exercise: str, stream: Sequence[Vector]) -> Finding:
    """Say where the visits leave the right order that they follow for longest."""
    order = max(facts.orders[exercise], key=lambda order: parting(order, stream, facts.maze) or 0)
    index = parting(order, stream, facts.maze) or 0
    right, came = tidy(order, facts.maze), tidy(stream, facts.maze)
    cell = came[index] if index < len(came) else None
    wanted = right[index] if index < len(right) else facts.maze.exit
    text, hint = _words(stream, wanted, cell, index, facts.maze.exit)
    visits = {"visits": [list(c) for c in order], "text": cells_text(order)}
    expected = {**expectation(facts, exercise), **visits}
    actual = {"text": cells_text(stream), "visits": [list(c) for c in stream]}
    return Finding("failed", text, expected, actual, hint, {"parts_at": None if cell is None else list(cell)})


def _words(
    stream: Sequence[Vector], wanted: Vector | None, cell: Vector | None, index: int, exit_: Vector | None
) -> tuple[str, str]:
    expected = f"the exit {cell_text(wanted)}" if wanted == exit_ and wanted else cell_text(wanted or ())
    if cell is None:
        cells = "the entry" if index == 0 else f"{index + 1} cells"
        return f"stopped after {cells}, before {expected} was visited", ""
    if exit_ in stream and stream.index(exit_) < stream.index(cell):
        return f"went on to {cell_text(cell)} after the exit had been reached", "When is the search over?"
    text = f"visited {cell_text(cell)} as the {ordinal(index + 2)} cell; expected {expected}"
    return text, "In which order are the neighbours explored: North, East, South, West?"


def _expected(facts: Facts, exercise: str) -> Plain:
    return {**expectation(facts, exercise), "text": cells_text(facts.orders[exercise][0])}
