"""Wrong models of solvers that visit the wrong cells, or the right ones in a wrong order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, permutations, product

from grader.exercises.kit.facts import facts_of, features_of
from grader.exercises.kit.misconception import Model
from grader.exercises.kit.solvers.exploring import (
    Ends,
    Journey,
    Node,
    State,
    Style,
    Take,
    always,
    closest,
    explored_as,
    first,
    in_order,
    in_reverse,
    journey,
    last,
    least,
    never,
    right_styles,
    when_found,
    with_ends,
    with_take,
)
from grader.exercises.kit.solvers.runs import Run, by_runs, by_styles, is_right, same_visits, searched
from lab import MOVES, Maze, Vector
from lab.exercises import BY_ID

Styles = Iterator[Style]

# --- the order of the four moves --------------------------------------------------------------------

_OTHER_ORDERS = [moves for moves in permutations(MOVES) if moves not in (MOVES, MOVES[::-1])]


def _exploring_as(exercise: str, *orders: Sequence[Vector]) -> Styles:
    """Yield styles for the orders of moves, also with the search going on after the exit."""
    for moves, style in product(orders, right_styles(exercise)):
        yield replace(style, ends=explored_as(exercise, moves))
        yield replace(_going_on(style), ends=explored_as(exercise, moves))


# --- the pending cell that is taken ---------------------------------------------------------------

_OTHER_END: Mapping[str, tuple[Take, ...]] = {"last found": (first, closest), "first found": (last,)}
_latest_of_equals = least(lambda _state, node, at: (node.cost, -at))
_first_by_position = least(lambda _state, node, _at: (node.cost, node.cell))


def _visits_by_position(exercise: str) -> Iterator[Callable[[Run], bool]]:
    """Yield whether a run visits the cells as the order of rows and columns has it, and finds a shortest way:
    of equally short ones, it may be any."""
    for style in with_take(exercise, _first_by_position, in_order, in_reverse):
        yield partial(_visits_as, style)


def _visits_as(style: Style, run: Run) -> bool:
    if not run.has_way:
        return run.kind == "none"
    made = journey(style, run.text)
    return _returns(run) and _is_shortest(run) and searched(run, made) and same_visits(run, made)


def _taking(exercise: str, takes: Sequence[Take], *orders: Ends) -> Styles:
    for take in takes:
        yield from with_take(exercise, take, *orders)


# --- giving up, and going on --------------------------------------------------------------------------


def _only_one(state: State, node: Node, end: Vector) -> None:
    """Keep nothing waiting: the search goes on in one cell, or not at all."""
    if not state.pending:
        when_found(state, node, end)


def _up_to_a_dead_end(exercise: str) -> Styles:
    return (replace(style, ends=in_order, note=_only_one) for style in right_styles(exercise))


def _on_and_on(exercise: str) -> Styles:
    return map(_going_on, right_styles(exercise))


def _going_on(style: Style) -> Style:
    return replace(style, stop_taken=never, stop_found=never)


def _is_none(run: Run, made: Journey) -> bool:
    return run.kind == "none" and searched(run, made)


# --- walking in circles ---------------------------------------------------------------------------

MANY = 8
"""At least 8 ways have to be right before endings alone are believed."""


def _not_back(ends: Ends) -> Ends:
    def other_ends(maze: Maze, node: Node) -> list[Vector]:
        back = node.by.cell if node.by else None
        return [cell for cell in ends(maze, node) if cell != back]

    return other_ends


def _unmarked(exercise: str) -> Styles:
    for style in right_styles(exercise):
        unmarked = replace(style, note=always, again=never)
        yield unmarked
        yield replace(unmarked, ends=_not_back(style.ends))


def _has_circle(run: Run) -> bool:
    """Tell whether a cycle is in reach of the entry."""
    return not features_of(run.text).acyclic_in_reach


def _has_move(run: Run) -> bool:
    """Tell whether there is any move to make, and to take back."""
    return bool(run.maze.valid_moves_at(run.maze.entry))


def _endless_by(circles: Callable[[Run], bool]) -> Callable[[str, Sequence[Run]], bool]:
    """Return the model by its endings alone, for when it is luck which of many ways is found.

    Without a way, the solver is endless just where it can walk in circles. With a way, it may be, and is in
    some maze; it is right where it comes to an end.
    """

    def explains(exercise: str, runs: Sequence[Run]) -> bool:
        if not all(_ends_so(exercise, run, circles(run)) for run in runs):
            return False
        endless = [run.has_way for run in runs if run.ending != "returned"]
        ended = [run for run in runs if run.ending == "returned" and run.has_way]
        return any(endless) and not all(endless) and len(ended) >= MANY

    return explains


def _ends_so(exercise: str, run: Run, circles: bool) -> bool:
    if run.ending in ("endless", "too deep"):
        return circles
    return is_right(exercise, run) and not (circles and not run.has_way)


_WALKS_IN_CIRCLES = (by_styles(_unmarked), _endless_by(_has_circle), _endless_by(_has_move))


def _forgets_to_mark(exercise: str, runs: Sequence[Run]) -> bool:
    return any(explains(exercise, runs) for explains in _WALKS_IN_CIRCLES)


# --- other searches than the one that is asked for ------------------------------------------------


def _is_shortest(run: Run) -> bool:
    return _leads_out(run) and (not run.has_way or len(run.moves or ()) == facts_of(run.text).length)


def _leads_out(run: Run) -> bool:
    """Tell whether the moves lead to the exit, over passages; or None came back where no way does."""
    if not run.has_way:
        return run.kind == "none"
    cells = [*accumulate(run.moves or (), lambda cell, move: cell + move, initial=run.maze.entry)]
    joined = all(
        step in run.maze.valid_moves_at(cell) for cell, step in zip(cells, run.moves or (), strict=False)
    )
    return joined and cells[-1] == run.maze.exit


def _returns(run: Run) -> bool:
    return run.ending == "returned"


# --- walls ----------------------------------------------------------------------------------------


def _through_walls(ends: Ends) -> Ends:
    def all_ends(maze: Maze, node: Node) -> list[Vector]:
        cells = [node.cell + move for move in maze.moves_at(node.cell)]
        return cells if ends is in_order else cells[::-1]

    return all_ends


MODELS = (
    # Explores in some other fixed order than North, East, South, West.
    Model("another-order", by_styles(lambda exercise: _exploring_as(exercise, *_OTHER_ORDERS))),
    # Gives up at the first dead end.
    Model("first-dead-end", by_styles(_up_to_a_dead_end), takes=("last found",)),
    # Marks no cell as visited, or remembers only the cell it came from: walks in circles.
    Model("forgets-to-mark", _forgets_to_mark),
    # Walks through walls: takes every move that stays inside the grid.
    Model("ignores-walls", by_styles(lambda exercise: with_ends(exercise, _through_walls))),
    # Of equally close cells, takes the one that was found last.
    Model(
        "latest-of-equals",
        by_styles(lambda exercise: with_take(exercise, _latest_of_equals, in_order)),
        takes=("first found", "closest"),
    ),
    # Takes from the other end of the pending cells: a DFS that is a BFS, and the reverse.
    Model(
        "other-end",
        by_styles(
            lambda exercise: _taking(exercise, _OTHER_END[BY_ID[exercise].takes], in_order, in_reverse)
        ),
        takes=("last found", "first found"),
    ),
    # Visits all cells, the exit among them, and says that there is no way.
    Model("overlooks-the-exit", by_styles(_on_and_on, _is_none)),
    # Of equally close cells, takes the one that comes first by row and column.
    Model("ties-by-position", by_runs(_visits_by_position), takes=("first found", "closest")),
    # Explores West first: what was put on a stack last comes off it first.
    Model("west-first", by_styles(lambda exercise: _exploring_as(exercise, MOVES[::-1]))),
)
