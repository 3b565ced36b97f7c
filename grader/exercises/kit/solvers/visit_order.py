"""The judge of the visit order: fair to every right solver, however it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grader.exercises.kit.facts import Facts, goes_deep
from grader.exercises.kit.findings import Finding, cell_text, cells_text, describe, ending, ordinal
from grader.exercises.kit.solvers.ways import expectation, moves_of, returned_by, seen, way_complaint
from grader.languages import Message, Text, said
from grader.model import Claim, Telling
from grader.model.claims import SolveRun, Value
from lab import Vector
from lab.visits import (
    asks_ahead,
    asks_beside_new_cells,
    cells_of,
    is_exploration,
    parting,
    searched_by_itself,
    shows_the_ends_only,
    tidy,
    up_to_the_exit,
)
from lab.watch import FEW_LOOKS


def judge_order(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Judge whether the cells were visited in the prescribed order; needs a maze with a way to the exit.

    A stream of observations that keeps to any right order up to the exit clears the solver. One that shows no
    exploration (the solver read the whole maze before it searched) is judged by the way that was returned:
    where ways of equal standing exist, the order decides between them.
    """
    returned = returned_by(claim)
    if returned is None:
        return ending(claim, expected=_expected(facts, exercise), **seen(facts, claim, 0))
    run = claim.runs[0]
    if _is_cleared(facts, run, exercise):
        return None
    evidence = _evidence(facts, run)
    if evidence is None:
        return _by_the_way(facts, returned, exercise)
    return _departure(facts, exercise, evidence)


def visits_out_of_order(facts: Facts, claim: Claim, exercise: str) -> list[Vector] | None:
    """Return the visits of a solver that keeps to no right order; None where it does, or none are seen."""
    run = claim.runs[0]
    return None if _is_cleared(facts, run, exercise) else _evidence(facts, run)


def _is_cleared(facts: Facts, run: SolveRun, exercise: str) -> bool:
    """Tell whether anything that was observed keeps to a right order."""
    if any(_keeps_to(facts, exercise, stream) for stream in _streams(run).values()):
        return True
    streams = _telling(facts, run)
    if "taken" in streams:
        return False
    asked, probed = (streams.get(name, []) for name in ("asked", "probed"))
    found = facts.found_streams[exercise]
    return any(
        any(asks_ahead(each, stream, facts.maze) for each in found)
        or any(asks_beside_new_cells(order, stream, facts.maze) for order in facts.orders[exercise])
        for stream in (asked, probed)
    )


def _evidence(facts: Facts, run: SolveRun) -> list[Vector] | None:
    """Return the most telling observation that shows in which order cells were visited; a question about the
    ends alone tells nothing where a way was found that leads through other cells."""
    streams = _telling(facts, run)
    found = next((name for name in streams if _shows_the_order(facts, name, streams[name])), None)
    if found is None or (found != "taken" and _is_found_elsewhere(facts, streams[found], run.returned)):
        return None
    return streams[found]


def _streams(run: SolveRun) -> dict[str, list[Vector]]:
    return {name: [Vector(*cell) for cell in stream] for name, stream in run.streams.items()}


def _telling(facts: Facts, run: SolveRun) -> dict[str, list[Vector]]:
    """Return the observations, without what was taken where that is only the entry and a way was found."""
    streams, returned = _streams(run), run.returned
    if returned and searched_by_itself(streams.get("taken", ()), moves_of(returned), facts.maze):
        streams.pop("taken", None)
    return streams


def cells_beyond(facts: Facts, claim: Claim, exercise: str) -> int | None:
    """Count the cells that a solver visited after the exit, on no way back; None where its visits are not
    seen.

    That is so where it keeps to no right order, as one that reads the maze row by row does on most mazes, and
    where it compares cell after cell with the exit when it has asked about the last one. One that asks for a
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


def _keeps_to(facts: Facts, exercise: str, stream: Sequence[Vector]) -> bool:
    """Tell whether the stream is a right order, up to the exit at least."""
    if tuple(tidy(stream, facts.maze)) in facts.right_streams[exercise]:
        return True
    return any(parting(order, stream, facts.maze) is None for order in facts.orders[exercise])


def _shows_the_order(facts: Facts, name: str, stream: Sequence[Vector]) -> bool:
    """Tell whether a stream that keeps to no right order is evidence of a wrong one.

    What is taken is visited. Cells whose moves are asked for are visited, unless all that can be reached are:
    that is reading the maze, not searching it. Single walls may also be probed from the far side; they tell
    only where they follow the passages.
    """
    if name in ("taken", "tested"):
        return name == "taken"
    if _is_scan(facts, name, stream) or _holds_all(facts, name, stream):
        return False
    return name == "asked" or is_exploration(stream, facts.maze)


def _holds_all(facts: Facts, name: str, stream: Sequence[Vector]) -> bool:
    """Tell whether every cell in reach was asked about; entry and exit may be left out."""
    return _is_asked_about(facts, name, set(facts.distances) - {facts.maze.entry, facts.maze.exit}, stream)


def _is_scan(facts: Facts, name: str, stream: Sequence[Vector]) -> bool:
    """Tell whether the maze was read cell by cell, row after row or column after column, from either end."""
    in_rows = sorted(stream)
    in_columns = sorted(stream, key=lambda cell: (cell.column, cell.row))
    is_in_line = list(stream) in (in_rows, in_rows[::-1], in_columns, in_columns[::-1])
    return is_in_line and _is_asked_about(facts, name, facts.dimension.all_positions(), stream)


def _is_asked_about(facts: Facts, name: str, cells: Iterable[Vector], stream: Sequence[Vector]) -> bool:
    """Tell whether all of the cells are in the stream; where single walls are probed, a cell may be left out
    whose sides were all probed from the other side."""
    known = set(stream)
    left = [cell for cell in cells if cell not in known]
    if name == "asked":
        return not left
    return all(cell + move in known for cell in left for move in facts.maze.moves_at(cell))


def _is_found_elsewhere(facts: Facts, stream: Sequence[Vector], returned: Value | None) -> bool:
    """Tell whether only the ends are in the stream, and the returned way leads through other cells."""
    return returned is not None and shows_the_ends_only(stream, moves_of(returned), facts.maze)


def _by_the_way(facts: Facts, returned: Value, exercise: str) -> Finding | None:
    moves = moves_of(returned)
    if moves is not None and moves in facts.ways[exercise]:
        return None
    text, hint = way_complaint(facts, returned) or (said("other_order", value=describe(returned)), "")
    actual: dict[str, Telling] = {"text": describe(returned), "moves": moves, "visits": []}
    return Finding("failed", text, _expected(facts, exercise), actual, hint)


def _departure(facts: Facts, exercise: str, stream: Sequence[Vector]) -> Finding:
    """Say where the visits leave the right order that they follow for longest."""
    order = max(facts.orders[exercise], key=lambda order: parting(order, stream, facts.maze) or 0)
    index = parting(order, stream, facts.maze) or 0
    right, came = tidy(order, facts.maze), tidy(up_to_the_exit(stream, facts.maze), facts.maze)
    cell = came[index] if index < len(came) else None
    wanted = right[index] if index < len(right) else facts.maze.exit
    text, hint = _words(wanted, cell, index, facts.maze.exit)
    if hint is None:
        hint = _order_hint(facts, exercise, wanted, cell, came[:index])
    expected = {**expectation(facts, exercise), "visits": order, "text": cells_text(order)}
    actual: dict[str, Telling] = {"text": cells_text(stream), "visits": stream}
    return Finding("failed", text, expected, actual, hint, {"parts_at": cell})


def _words(
    wanted: Vector | None, cell: Vector | None, index: int, exit_: Vector | None
) -> tuple[Message, Text | None]:
    """Return what to say of the first difference, and a question; None where that depends on the exercise."""
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
    """Return a hint about a cell out of reach, or about the order of neighbours, of equals, or of others.

    Only of two neighbours of one cell that was visited ``before`` is it asked which comes first.
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
