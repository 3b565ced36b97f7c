"""The judges of what a solver returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.exercises.kit.check import Wrong
from grader.exercises.kit.facts import Facts, goes_deep
from grader.exercises.kit.findings import Finding, cell_text, describe, ending, move_name, moves_text
from grader.languages import Message, Text, said
from grader.model import Claim, Telling
from grader.model.claims import NoneValue, OddElement, OtherValue, Positions, SolveRun, Value, VectorsValue
from lab import MOVES, Maze, MazeFormatError, Vector
from lab.maze import Position
from lab.order_judge import Streams
from lab.recorded import Told
from lab.story import Recorded
from lab.telling import Solved, of_solver

_MOVES: dict[Position, Vector] = {move: move for move in MOVES}

UNSEEN = SolveRun(None, (), (), (), (), used_search=False, late_looks=0, changed=None)
"""The run of a call about which nothing is known."""


def judge_way(facts: Facts, claim: Claim, exercise: str, *, run: int = 0) -> Finding | None:
    """Judge whether the way is valid, or None was returned where there is no way.

    Valid means from the entry, through no wall, to the exit, no cell twice.
    """
    returned = returned_by(claim, run)
    if returned is None:
        return ending(claim, expected=expectation(facts, exercise), **seen(facts, claim, run))
    complaint = way_complaint(facts, returned)
    if complaint is None:
        return None
    actual: dict[str, Telling] = {"text": describe(returned), "moves": moves_of(returned)}
    actual |= seen(facts, claim, run)
    return Finding("failed", complaint, expectation(facts, exercise), actual)


def judge_shortest(facts: Facts, claim: Claim, exercise: str, *, run: int = 0) -> Finding | None:
    """Judge whether the way is valid, and none is shorter."""
    if (wrong := judge_way(facts, claim, exercise, run=run)) is not None:
        return wrong
    returned = returned_by(claim, run)
    if not isinstance(returned, VectorsValue) or len(returned.value) == facts.length:
        return None
    actual: dict[str, Telling] = {"text": describe(returned), "moves": moves_of(returned)}
    actual |= seen(facts, claim, run)
    text = said("too_long", count=len(returned.value), shortest=len(facts.ways[exercise][0]))
    return Finding("failed", text, expectation(facts, exercise), actual)


def judge_something(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Only refuse None where there is a way; accept anything else."""
    if claim.outcome != "returned":
        return ending(claim, expected=expectation(facts, exercise), **seen(facts, claim, 0))
    if not isinstance(returned_by(claim), NoneValue):
        return None
    actual = {"text": "None", "moves": None, **seen(facts, claim, 0)}
    return Finding("failed", said("none_on_a_maze"), expectation(facts, exercise), actual)


def judge_unchanged(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Judge whether the maze is unchanged, if the solver solves it."""
    if claim.outcome == "returned" and claim.runs[0].changed is None:
        return None
    expected = {**expectation(facts, exercise), "text": said("as_before")}
    if claim.outcome != "returned":
        return ending(claim, expected=expected, **seen(facts, claim, 0))
    actual: dict[str, Telling] = {
        "text": said("was_changed"),
        "mazes": mazes_of_size(facts, claim.runs[0].changed or ""),
    }
    return Finding("failed", said("changed"), expected, actual)


def expectation(facts: Facts, exercise: str) -> Mapping[str, Telling]:
    """Return the right answer as data for the report."""
    ways = facts.ways[exercise]
    visits = facts.orders[exercise][0]
    if not ways:
        return {"text": said("no_way"), "moves": None, "visits": visits}
    text = said("a_way", moves=moves_text(ways[0])) if goes_deep(exercise) else _a_shortest_way(ways[0])
    return {"text": text, "moves": ways[0], "visits": visits}


def _a_shortest_way(way: Positions) -> Message:
    moves = moves_text(way)
    if len(way) == 1:
        return said("a_shortest_way_of_one", moves=moves)
    return said("a_shortest_way", count=len(way), moves=moves)


def seen(facts: Facts, claim: Claim, run: int) -> dict[str, Telling]:
    """Return the observed visits for the report.

    For a search that was stopped, also how many cells were pending; for that and one that raised, the first
    cell outside of the maze; for an endless one that stayed inside, where it returned to.
    """
    if run >= len(claim.runs):
        return {"visits": None}
    seen_run = claim.runs[run]
    visits: Positions = next(iter(seen_run.streams.values()), ())
    told: dict[str, Telling] = {"visits": visits, **how(seen_run.streams, visits)}
    if claim.outcome == "returned":
        return told
    if claim.outcome in ("timeout", "endless"):
        told["pending"] = seen_run.pending
    streams = [visits] if claim.outcome == "raised" else seen_run.streams.values()
    cells = (cell for positions in streams for cell in positions)
    outside = next((cell for cell in cells if not facts.dimension.includes(cell)), None)
    if outside is not None:
        told["outside"] = outside
    elif claim.outcome == "endless" and (again := seen_run.revisits) is not None:
        name = next(iter(seen_run.streams), "asked")  # of what is far outside, nothing is told
        told["revisits"] = {"cell": again.cell, "times": again.times, "first": again.first, "how": name}
        told["walk"] = again.walk
    return told


def how(streams: Streams, shown: Sequence[Position]) -> Mapping[str, Telling]:
    """Return what was seen of cells that are shown as visits, unless they were taken from the Search.

    Of a solver that keeps a queue of its own, the cells are seen about which it asks the maze: it may visit
    others, as the exit.
    """
    name = next((name for name, stream in streams.items() if stream is shown), "taken")
    return {} if name == "taken" else {"how": name}


def mazes_of_size(facts: Facts, text: str) -> list[str]:
    """Return a changed maze for the report; empty if it is no maze of the same size."""
    if len(text) != len(facts.text):
        return []
    try:
        return [Maze.from_text(text).to_text()]
    except MazeFormatError:
        return []


def returned_by(claim: Claim, run: int = 0) -> Value | None:
    """Return what a run of a call returned; None if the call did not end."""
    return claim.runs[run].returned if claim.outcome == "returned" else None


def moves_of(returned: Value) -> Positions | None:
    """Return the vectors of an answer; None if it is anything else."""
    return returned.value if isinstance(returned, VectorsValue) else None


def way_complaint(facts: Facts, returned: Value) -> Message | None:
    """Return what is wrong with a returned value; None if it is right."""
    if facts.length is None:
        if isinstance(returned, NoneValue):
            return None
        return said("something_though", value=describe(returned))
    if isinstance(returned, NoneValue):
        return said("none_though")
    if not isinstance(returned, VectorsValue) or not returned.counts_as_list:
        return said("no_list", value=odd(returned))
    return _walk(facts, returned.value)


def odd(returned: Value) -> Text:
    """Describe a returned value that is no list of moves."""
    match returned:
        case OtherValue(container, element=OddElement(index, type_name, text)):
            return said("odd_element", container=container, index=index + 1, element=text, kind=type_name)
    return describe(returned)


def _walk(facts: Facts, vectors: Positions) -> Message | None:
    """Follow the moves from the entry, and say where they go wrong."""
    maze, cell = facts.maze, facts.maze.entry
    visited = {cell}
    for number, vector in enumerate(vectors, start=1):
        move = _MOVES.get(vector)
        if move is None:
            return no_move(number, vector)
        if move not in maze.valid_moves_at(cell):
            is_inside = facts.dimension.includes(cell + move)
            return said(
                "into_a_wall" if is_inside else "into_the_border",
                number=number,
                move=move_name(move),
                cell=cell_text(cell),
            )
        cell = cell + move
        if cell in visited:
            return said("enters_again", number=number, move=move_name(move), cell=cell_text(cell))
        visited.add(cell)
    return _end(facts, cell, len(vectors))


def no_move(number: int, vector: Position) -> Message:
    """Describe an element that is none of the four moves."""
    return said("no_move", number=number, cell=cell_text(vector))


def _end(facts: Facts, cell: Vector, count: int) -> Message | None:
    if facts.maze.is_exit(cell):
        return None
    here, exit_ = cell_text(cell), cell_text(facts.maze.exit or cell)
    return said("no_moves" if count == 0 else "wrong_end", cell=here, exit=exit_)


def story(exercise: str, wrong: Wrong, claim: Claim, run: Recorded) -> list[Told]:
    """Tell where the visits, or the moves of the way, depart from right ones; nothing where they do not."""
    facts = wrong.case.given
    if not isinstance(facts, Facts) or facts.length is None or not claim.runs:
        return []
    seen = claim.runs[-1]
    if seen.returned is None:
        return []
    gave_up = isinstance(seen.returned, NoneValue)
    solved = Solved(facts.maze, seen.streams, moves_of(seen.returned), gave_up)
    ways = [right for right in facts.ways[exercise] if right]
    return of_solver(run, solved, facts.right_orders[exercise], ways)
