"""The judge of the visit order: fair to every right solver, however it is written."""

from __future__ import annotations

from collections.abc import Sequence

from grader.exercises.kit.facts import Facts, goes_deep
from grader.exercises.kit.findings import Finding, cell_text, cells_text, describe, ending, ordinal
from grader.exercises.kit.solvers.ways import (
    expectation,
    moves_of,
    none_hint,
    returned_by,
    seen,
    way_complaint,
)
from grader.languages import Message, Text, said
from grader.model import Claim, Telling
from grader.model.claims import SolveRun, Value
from lab import Vector
from lab.maze import Position
from lab.order_judge import evidence, is_cleared, nearest_order
from lab.visits import cells_of, parting, tidy, up_to_the_exit
from lab.watch import FEW_LOOKS


def judge_order(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Judge whether the cells were visited in the prescribed order; needs a maze with a way to the exit.

    Anything that follows a right order clears the solver (``lab/order_judge.py``, as in the public tests). If
    its order does not show, the returned way is judged: where several ways are equally good, the order
    decides between them.
    """
    returned = returned_by(claim)
    if returned is None:
        return ending(claim, expected=_expected(facts, exercise), **seen(facts, claim, 0))
    run = claim.runs[0]
    right, streams, way = facts.right_orders[exercise], run.streams, moves_of(returned)
    if is_cleared(right, streams, way):
        return None
    shown = evidence(right, streams, way)
    if shown is None:
        return _by_the_way(facts, run, returned, exercise)
    return _departure(facts, exercise, shown)


def visits_out_of_order(facts: Facts, claim: Claim, exercise: str) -> list[Vector] | None:
    """Return the visits of a solver that follows no right order; None if it does, or none are seen."""
    run = claim.runs[0]
    right, way = facts.right_orders[exercise], None if run.returned is None else moves_of(run.returned)
    if is_cleared(right, run.streams, way):
        return None
    shown = evidence(right, run.streams, way)
    return None if shown is None else [Vector(*cell) for cell in shown]


def cells_beyond(facts: Facts, claim: Claim, exercise: str) -> int | None:
    """Count the cells visited after the exit, except on the way back; None if the visits are not seen.

    They count as not seen if they follow no right order, as when the maze is read row by row, and if the
    solver compares cell after cell with the exit after asking about the last one. A solver that asks for a
    cell's moves when it finds the cell has asked about more cells than it visits.
    """
    returned = returned_by(claim)
    if returned is None or claim.runs[0].late_looks > FEW_LOOKS:
        return None
    visits = [Vector(*cell) for cell in claim.runs[0].taken or claim.runs[0].asked]
    if facts.maze.exit not in visits:
        return 0  # nobody knows whether it came there
    for order in facts.orders[exercise]:
        if visits and parting(order, visits, facts.maze) is None:
            beyond = set(visits) - set(order) - cells_of(moves_of(returned) or (), facts.maze)
            found = {cell + move for cell in order for move in facts.maze.valid_moves_at(cell)}
            return 0 if beyond <= found and not claim.runs[0].taken else len(beyond)
    return None


def _by_the_way(facts: Facts, run: SolveRun, returned: Value, exercise: str) -> Finding | None:
    moves = moves_of(returned)
    if moves is not None and moves in facts.ways[exercise]:
        return None
    text, hint = way_complaint(facts, returned) or (said("other_order", value=describe(returned)), "")
    hint = hint or none_hint(facts, run)
    actual: dict[str, Telling] = {"text": describe(returned), "moves": moves, "visits": []}
    return Finding("failed", text, {**expectation(facts, exercise), "visits": None}, actual, hint)


def _departure(facts: Facts, exercise: str, shown: Sequence[Position]) -> Finding:
    """Say where the visits depart from the right order that they follow longest."""
    stream = [Vector(*cell) for cell in shown]
    order, index = nearest_order(facts.right_orders[exercise], stream)
    right, came = tidy(order, facts.maze), tidy(up_to_the_exit(stream, facts.maze), facts.maze)
    cell = came[index] if index < len(came) else None
    wanted = right[index] if index < len(right) else facts.maze.exit
    text, hint = _words(wanted, cell, index, facts.maze.exit)
    if stream[0] == facts.maze.exit:
        places = {"cell": cell_text(stream[0]), "place": cell_text(facts.maze.entry)}
        text, hint = said("began_at_exit", **places), ""
    if hint is None:
        hint = _order_hint(facts, exercise, wanted, cell, came[:index])
    expected = {**expectation(facts, exercise), "visits": order, "text": cells_text(order)}
    actual: dict[str, Telling] = {"text": cells_text(stream), "visits": stream}
    return Finding("failed", text, expected, actual, hint, {"parts_at": cell})


def _words(
    wanted: Vector | None, cell: Vector | None, index: int, exit_: Vector | None
) -> tuple[Message, Text | None]:
    """Return a sentence and a question about the first difference; None if that depends on the exercise."""
    place = "" if wanted is None else cell_text(wanted)
    expected = said("the_exit", cell=place) if wanted == exit_ and wanted else place
    if cell is None and index == 0:
        return said("stopped_at_entry", place=expected), ""
    if cell is None:
        return said("stopped", count=index + 1, place=expected), ""
    text = said("visited", cell=cell_text(cell), ordinal=ordinal(index + 2), place=expected)
    return text, None


def _order_hint(
    facts: Facts, exercise: str, wanted: Vector | None, cell: Vector | None, before: Sequence[Vector]
) -> Message:
    """Return a hint about an unreachable cell, or about the order of neighbours, of equals, or of others.

    Which of two cells comes first is asked only if they are neighbours of one cell visited ``before``.
    """
    if cell is not None and cell not in facts.distances:
        return said("out_of_reach_hint")
    if wanted is None or cell is None:
        return said("visited_hint")
    if goes_deep(exercise):
        beside = (set(_beside(facts, each)) for each in (facts.maze.entry, *before))
        return said("visited_hint" if any({wanted, cell} <= ends for ends in beside) else "deeper_hint")
    alike = facts.distances.get(wanted) == facts.distances.get(cell)
    return said("equally_close_hint" if alike else "too_long_hint")


def _beside(facts: Facts, cell: Vector) -> list[Vector]:
    return [cell + move for move in facts.maze.valid_moves_at(cell)] if facts.dimension.includes(cell) else []


def _expected(facts: Facts, exercise: str) -> dict[str, Telling]:
    return {**expectation(facts, exercise), "text": cells_text(facts.orders[exercise][0])}
