"""Of each sentence of a story on visits and ways, whether it is so."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from tests.truth.record import Held, Moment, SecondRecord, parts_of
from tests.truth.right import Cell, around, distances, orders
from tests.truth.runs import (
    MOVES_BY_NAME,
    Run,
    becomes,
    bound,
    cell_of,
    gave,
    has,
    holds,
    maze_of,
    moved,
    reads,
    runs,
    statement,
)
from tests.truth.said import About, Said, true

PARTING = ("story_parts", "story_past")
"""What a story of visits begins with."""
_STREAMS = ("taken", "asked", "probed")


def streams(record: SecondRecord) -> Iterator[list[tuple[int, Cell]]]:
    """Yield what was seen of the last maze: moments and cells."""
    begun = max((n for n, each in enumerate(record.moments) if each.name == "begins"), default=0)
    for name in _STREAMS:
        seen = [
            (n, each.held)
            for n, each in enumerate(record.moments)
            if each.kind == "mark" and each.name == name
        ]
        cells = [(n, cell[0] if cell and type(cell[0]) is tuple else cell) for n, cell in seen if n > begun]
        if cells:
            yield cells


def first_visits(seen: Sequence[tuple[int, Cell]]) -> dict[Cell, int]:
    """Return the cells in the order of their first visits, with the moments."""
    first: dict[Cell, int] = {}
    for at, cell in seen:
        first.setdefault(cell, at)
    return first


def is_due(about: About, visited: Sequence[Cell], cell: Cell) -> bool:
    """Tell whether a cell comes next in an order that is right and agrees with all visits before.

    The exit may come as soon as it is seen.
    """
    maze = maze_of(about)
    entry: Cell = tuple(maze.entry)  # type: ignore[assignment]
    came = [each for each in visited if each != entry and maze.dimension.includes(each)]
    if cell == entry:
        return not visited
    for order in orders(about.exercise.id, maze):
        due = [each for each in order if each != entry]
        is_seen = cell == maze.exit and any(cell in around(maze, each) for each in (entry, *came))
        if due[: len(came)] == came and (is_seen or cell in due[len(came) : len(came) + 1]):
            return True
    return False


def stands_at(record: SecondRecord, at: int, said: Said) -> bool:
    """Tell whether a line runs at a moment, in its innermost call or above other files' calls."""
    frame = record.moments[at].frame
    while True:
        line = next(
            (m for m in reversed(record.moments[:at]) if m.kind == "line" and frame in (m.frame, 0)), None
        )
        if line is None or (line.file, line.line) == (said.file, said.line):
            return line is not None and has(said.shown, line)
        frame = next(
            m.held[0] for m in reversed(record.moments[:at]) if m.kind == "call" and m.frame == line.frame
        )
        if line.file == said.file or not frame:
            return False


def parting(said: Said, record: SecondRecord) -> tuple[int, Sequence[Cell]] | None:
    """Return the moment of the visit that a story begins with, and the cells visited before."""
    told = next((each for each in said.story if each.key in PARTING), None)
    if told is None:
        return None
    for seen in streams(record):
        first = first_visits(seen)
        cell = cell_of(told.values["came"])
        if cell in first and stands_at(record, first[cell], told):
            return first[cell], [each for each, at in first.items() if at < first[cell]]
    return None


@true(*PARTING)
def _parts(said: Said, record: SecondRecord, about: About) -> bool:
    found = parting(said, record)
    if found is None:
        return False
    entry = tuple(maze_of(about).entry)
    ends = {entry, tuple(maze_of(about).exit or entry)}
    inner = [each for each in found[1] if each not in ends]
    is_counted = int(said.values["count"]) in range(len(inner) + 1, len(inner) + 4)
    came, due = cell_of(said.values["came"]), cell_of(said.values["due"])
    is_exit_seen = due != maze_of(about).exit or any(each.name == "taken" for each in record.moments)
    is_told = is_exit_seen == (said.key == "story_parts")
    return is_counted and is_told and is_due(about, found[1], due) and not is_due(about, found[1], came)


@true("story_stops")
def _stops(said: Said, record: SecondRecord, about: About) -> bool:
    due, before = cell_of(said.values["due"]), cell_of(said.values["before"])
    maze = maze_of(about)
    for seen in streams(record):
        visited = [each for each in first_visits(seen) if maze.dimension.includes(each)]
        inner = [each for each in visited if each not in (maze.exit, maze.entry)] or [
            cell_of(str(tuple(maze.entry)))
        ]
        if inner[-1] == before and due not in visited and is_due(about, visited, due):
            return gave(record) == said.values["value"]
    visited = []
    return before == tuple(maze.entry) and not [*streams(record)] and gave(record) == said.values["value"]


@true("story_origin")
def _origin(said: Said, record: SecondRecord, _: About) -> bool:
    """A variable of the line that is told of before it got the cell in this line, and none since."""
    cell, told = cell_of(said.values["cell"]), next(each for each in said.story if each.key in PARTING)
    later = {run.frame: run.start for run in runs(told, record)}
    for run in runs(said, record):
        if run.frame not in later or run.start > max(
            r.start for r in runs(told, record) if r.frame == run.frame
        ):
            continue
        names = {name for name, each in run.after.items() if each.held == cell} & bound(run)
        if names or becomes(run, cell):
            return True
    return False


@true("story_tie")
def _tie(said: Said, record: SecondRecord, _: About) -> bool:
    came, due, rank = cell_of(said.values["came"]), cell_of(said.values["due"]), int(said.values["rank"])
    for run in runs(said, record):
        held = [each.held for each in run.before.values()] + [each.held for each in run.values]
        ranks = [{*ranks_of(each, cell)} for cell in (came, due) for each in held]
        both = {r for found in ranks[: len(held)] for r in found} & {
            r for found in ranks[len(held) :] for r in found
        }
        first = [n for cell in (due, came) for n in [first_seen(record, cell)]]
        if rank in both and first[0] < first[1]:
            return True
    return False


def ranks_of(held: Any, cell: Cell) -> Iterator[int]:
    """Yield the numbers that stand beside a cell in a tuple, or for it in a dictionary."""
    for each in parts_of(held):
        if isinstance(each, tuple) and not isinstance(each, Held) and cell in each:
            yield from (number for number in each if type(number) is int)


def first_seen(record: SecondRecord, cell: Cell) -> int:
    """Return when a cell was put into anything for the first time."""
    return next(
        (n for n, each in enumerate(record.moments) if each.kind == "change" and holds(each.held, cell)),
        10**9,
    )


@true("story_order")
def _order(said: Said, record: SecondRecord, _: About) -> bool:
    came = cell_of(said.values["came"])
    place = statement(record, said.file, said.line)
    return (
        place is not None
        and isinstance(place[0], ast.For)
        and any(
            reads(record.moments[run.start : _end_of_turn(run)], came) or becomes(run, came)
            for run in runs(said, record)
        )
    )


def _end_of_turn(run: Run) -> int:
    first = record_line = run.record.moments[run.start].line
    del first
    moments = run.record.moments
    later = range(run.start + 1, len(moments))
    return next(
        (
            n
            for n in later
            if moments[n].kind == "line" and moments[n].frame == run.frame and moments[n].line == record_line
        ),
        len(moments),
    )


@true("story_way")
def _way(said: Said, record: SecondRecord, about: About) -> bool:
    """The way that was returned goes so, and the exit is reached by the other move, no farther."""
    maze, moves = maze_of(about), [each for each in record.moments if each.kind == "return"][-1].held
    cell, far = tuple(maze.entry), distances(maze)
    came, due = MOVES_BY_NAME[said.values["came"]], MOVES_BY_NAME[said.values["due"]]
    for move in moves.parts if isinstance(moves, Held) else moves:
        if cell == cell_of(said.values["cell"]) and move == came:
            return moved(cell, due) in far
        cell = moved(cell, move)
    return False


@true("story_again")
def _again(said: Said, record: SecondRecord, _: About) -> bool:
    cell = cell_of(said.values["cell"])
    for seen in streams(record):
        visits = [at for at, each in seen if each == cell]
        if len(visits) > 1 and stands_at(record, visits[1], said):
            return True
    return False


@true("story_left")
def _left(said: Said, record: SecondRecord, about: About) -> bool:
    """In that line the code came to a cell that the maze does not have."""
    cell = cell_of(said.values["cell"])
    visits = [at for seen in streams(record) for at, each in seen if each == cell]
    is_there = maze_of(about).dimension.includes(cell)
    came = any(becomes(run, cell) or _is_handed_on(run, cell) for run in runs(said, record))
    return not is_there and (came or any(stands_at(record, at, said) for at in visits))


def _is_handed_on(run: Run, cell: Cell) -> bool:
    """Tell whether a line made a call that was given a cell."""
    calls = (each for each in run.moments if each.kind == "call" and each.held[0] == run.frame)
    return any(variable.held == cell for each in calls for variable in each.variables.values())


@true("story_met_not")
def _met_not(said: Said, record: SecondRecord, _: About) -> bool:
    cell, found = cell_of(said.values["cell"]), parting(said, record)
    begun = max((n for n, each in enumerate(record.moments) if each.name == "begins"), default=0)
    moments = record.moments[begun : found[0] if found else len(record.moments)]
    came = (
        each for each in moments if each.kind == "value" and each.held == cell and type(each.held) is tuple
    )
    return not record.is_cut and all(_is_given(each, record) for each in came)


def _is_given(value: Moment, record: SecondRecord) -> bool:
    """Tell whether an expression is the entry or the exit of the maze, or a variable that is nothing else."""
    if isinstance(value.node, ast.Attribute):
        return value.node.attr in ("entry", "exit")
    name = ast.unparse(value.node) if value.node is not None else ""
    changes = [each.held for each in record.moments if each.kind == "change" and each.name == name]
    return isinstance(value.node, ast.Name) and {*map(str, changes)} <= {str(value.held), "None"}
