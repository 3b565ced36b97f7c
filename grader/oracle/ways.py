"""Judges of what a solver returns: a way, a shortest one, or None."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.model import Claim, Json
from grader.model.claims import NoneValue, OddElement, OtherValue, Positions, Value, VectorsValue
from grader.oracle.facts import Facts
from grader.oracle.findings import Finding, cell_text, describe, ending, moves_text
from lab import MOVES, Maze, MazeFormatError, Vector

_MOVES = {tuple(move): move for move in MOVES}


def judge_way(facts: Facts, claim: Claim, exercise: str, *, run: int = 0) -> Finding | None:
    """The way is valid: from the entry, through no wall, to the exit, no cell twice; None where
    there is no way."""
    returned = returned_by(claim, run)
    if returned is None:
        return ending(claim, expected=expectation(facts, exercise), **seen(facts, claim, run))
    complaint = way_complaint(facts, returned)
    if complaint is None:
        return None
    text, hint = complaint
    actual = {"text": describe(returned), "moves": moves_of(returned), **seen(facts, claim, run)}
    return Finding("failed", text, expectation(facts, exercise), actual, hint)


def judge_shortest(facts: Facts, claim: Claim, exercise: str, *, run: int = 0) -> Finding | None:
    """The way is valid, and no way is shorter."""
    if (wrong := judge_way(facts, claim, exercise, run=run)) is not None:
        return wrong
    returned = returned_by(claim, run)
    if not isinstance(returned, VectorsValue) or len(returned.value) == facts.length:
        return None
    actual = {"text": describe(returned), "moves": moves_of(returned), **seen(facts, claim, run)}
    text = f"returned a way of {len(returned.value)} moves; a shortest one has {facts.length}"
    hint = "Which cells does the search look at first: those near the entry, or those found last?"
    return Finding("failed", text, expectation(facts, exercise), actual, hint)


def judge_something(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Where there is a way, the solver does not say None (whatever else it says)."""
    if claim.outcome != "returned":
        return ending(claim, expected=expectation(facts, exercise), **seen(facts, claim, 0))
    if not isinstance(returned_by(claim), NoneValue):
        return None
    actual = {"text": "None", "moves": None, **seen(facts, claim, 0)}
    return Finding("failed", "returned None on a maze that has a way", expectation(facts, exercise), actual)


def judge_unchanged(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """The maze is left as it was, by a solver that does solve it."""
    if claim.outcome == "returned" and claim.runs[0].changed is None:
        return None
    expected = {**expectation(facts, exercise), "text": "the maze as it was before"}
    if claim.outcome != "returned":
        return ending(claim, expected=expected, **seen(facts, claim, 0))
    actual = {"text": "the maze was changed", "mazes": mazes_of_size(facts, claim.runs[0].changed or "")}
    hint = "The solver may read the maze, not build or break walls in it; maze.copy() gives one of its own."
    return Finding("failed", "changed the maze that it was given", expected, actual, hint)


def expectation(facts: Facts, exercise: str) -> Mapping[str, Json]:
    """The right answer as data for the report."""
    ways = facts.ways[exercise]
    visits = [list(cell) for cell in facts.orders[exercise][0]]
    if not ways:
        return {"text": "None: there is no way", "moves": None, "visits": visits}
    moves = [list(move) for move in ways[0]]
    kind = "a way" if exercise == "dfs" else f"a shortest way ({len(moves)} moves)"
    return {"text": f"{kind}, for instance {moves_text(moves)}", "moves": moves, "visits": visits}


def seen(facts: Facts, claim: Claim, run: int) -> dict[str, Json]:
    """The visits that were observed, for the report; of a search that was cut off also how many
    cells were next to them, not visited yet."""
    if run >= len(claim.runs):
        return {"visits": None}
    visits: Positions = next(iter(claim.runs[run].streams.values()), ())
    if claim.outcome not in ("timeout", "endless"):
        return {"visits": visits}
    inside = [Vector(*cell) for cell in visits if facts.dimension.includes(cell)]
    beside = {cell + move for cell in inside for move in facts.maze.valid_moves_at(cell)}
    return {"visits": visits, "pending": len(beside.difference(inside))}


def mazes_of_size(facts: Facts, text: str) -> list[str]:
    """A changed maze for the report: none where it is no maze of the same size."""
    if len(text) != len(facts.text):
        return []
    try:
        return [Maze.from_text(text).to_text()]
    except MazeFormatError:
        return []


def returned_by(claim: Claim, run: int = 0) -> Value | None:
    """What a run of a call gave; None where the call came to no end."""
    return claim.runs[run].returned if claim.outcome == "returned" else None


def moves_of(returned: Value) -> Positions | None:
    """The returned vectors, None where it is something else."""
    return returned.value if isinstance(returned, VectorsValue) else None


def way_complaint(facts: Facts, returned: Value) -> tuple[str, str] | None:
    """What is wrong with a returned value, and a question that leads on; None where it is right."""
    if facts.length is None:
        if isinstance(returned, NoneValue):
            return None
        return f"returned {describe(returned)}, though no way leads to an exit", ""
    if isinstance(returned, NoneValue):
        return "returned None, though there is a way", "When does the solver give up looking?"
    if not isinstance(returned, VectorsValue) or returned.container != "list":
        return f"returned {_odd(returned)}; expected a list of moves", ""
    return _walk(facts, returned.value)


def _odd(returned: Value) -> str:
    match returned:
        case OtherValue(container, element=OddElement(index, type_name, text)):
            return f"a {container} whose element {index} is {text} (a {type_name})"
    return describe(returned)


def _walk(facts: Facts, vectors: Sequence[Sequence[int]]) -> tuple[str, str] | None:
    """Follow the moves from the entry, and say where they go wrong."""
    maze, cell = facts.maze, facts.maze.entry
    visited = {cell}
    for number, vector in enumerate(vectors, start=1):
        move = _MOVES.get((vector[0], vector[1]))
        if move is None:
            return _no_move(facts, number, vector)
        if move not in maze.valid_moves_at(cell):
            where = "a wall" if facts.dimension.includes(cell + move) else "the border"
            return f"move {number} ({move.name}) runs into {where} at {cell_text(cell)}", ""
        cell = cell + move
        if cell in visited:
            return f"move {number} ({move.name}) enters {cell_text(cell)} again", ""
        visited.add(cell)
    return _end(facts, cell, len(vectors))


def _no_move(facts: Facts, number: int, vector: Sequence[int]) -> tuple[str, str]:
    text = f"element {number} of the list is {cell_text(vector)}, which is none of the four moves"
    is_cell = facts.dimension.includes(Vector(*vector))
    return text, "Are these the cells of the way, or the moves between them?" if is_cell else ""


def _end(facts: Facts, cell: Vector, count: int) -> tuple[str, str] | None:
    if facts.maze.is_exit(cell):
        return None
    where = f"ends in {cell_text(cell)}, not in the exit {cell_text(facts.maze.exit or cell)}"
    return (f"returned no moves: the way {where}" if count == 0 else f"the way {where}"), ""
