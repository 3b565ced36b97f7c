"""Wrong models of solvers that visit the wrong cells, or the right ones in a wrong order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, permutations, product

from grader.exercises.kit.code_patterns import (
    looks_at_the_exit,
    searches_from_both_ends,
    starts_over,
    takes_from_one,
    without,
)
from grader.exercises.kit.facts import facts_of, goes_deep
from grader.exercises.kit.maze_features import features_of
from grader.exercises.kit.misconception import Model
from grader.exercises.kit.solvers.code_patterns import (
    begins_with_nothing,
    follows_a_wall,
    forgets_the_entry,
    gives_the_entry_no_distance,
    goes_through_the_cells_once,
    keeps_pending_in_a_set,
    measures_to_the_exit,
    never_takes_out,
    takes_twice_in_a_turn,
)
from grader.exercises.kit.solvers.displaced_marks import by_marks
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
    with_take,
)
from grader.exercises.kit.solvers.runs import (
    Run,
    by_each,
    by_runs,
    by_styles,
    is_right,
    returning,
    returns_the_way,
    same_visits,
    steps,
)
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

_FARTHEST = (
    least(lambda _state, node, at: (-node.cost, at)),
    least(lambda _state, node, at: (-node.cost, -at)),
)
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
    return _returns(run) and _is_shortest(run) and same_visits(run, journey(style, run.text), run.text)


def _taking(exercise: str, takes: Sequence[Take], *orders: Ends) -> Styles:
    for take in takes:
        yield from with_take(exercise, take, *orders)


def _between(one: Vector, other: Vector) -> int:
    return abs(one.row - other.row) + abs(one.column - other.column)


def _to_exit(maze: Maze, cell: Vector) -> int:
    return 0 if maze.exit is None else _between(cell, maze.exit)


def _weighing(weight: int, state: State, node: Node, at: int) -> tuple[int, int]:
    """Return the rank of a node for which the exit's distance counts more than the moves so far."""
    return node.cost + weight * _to_exit(state.maze, node.cell), at


_NEAREST_TO_EXIT = (
    least(lambda state, node, at: (_to_exit(state.maze, node.cell), at)),
    least(lambda state, node, at: (_between(node.cell, state.maze.exit or state.maze.entry), at)),
    least(lambda state, node, at: (node.cost + _to_exit(state.maze, node.cell), at)),
    least(
        lambda state, node, at: (
            node.cost + _to_exit(state.maze, node.cell),
            _to_exit(state.maze, node.cell),
            at,
        )
    ),
    *(least(partial(_weighing, weight)) for weight in (2, 3)),
)
"""Greedily, the last four with the moves so far; without an exit the second looks to the entry."""


def _nearest_first(maze: Maze, node: Node) -> list[Vector]:
    """Return the neighbours for a DFS that tries the one nearest to the exit first."""
    return sorted(in_order(maze, node), key=lambda cell: _to_exit(maze, cell))[::-1]


def _towards_the_exit(exercise: str) -> Styles:
    if goes_deep(exercise):
        yield from with_take(exercise, last, _nearest_first)
    yield from _taking(exercise, _NEAREST_TO_EXIT, in_order)


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


def _is_none(run: Run, _made: Journey) -> bool:
    return run.kind == "none"


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


def _finds_shortest_ways(_exercise: str, runs: Sequence[Run]) -> bool:
    """Tell whether every way that comes back is a shortest one, and many do: wrong is what is visited, or how
    long that takes."""
    ended = [run for run in runs if run.ending == "returned"]
    ways = [run for run in ended if run.has_way]
    return len(ways) >= MANY and all(map(_is_shortest, ended))


def _finds_ways(_exercise: str, runs: Sequence[Run]) -> bool:
    """Tell whether every run comes back with some way out, or None where there is none."""
    return all(run.ending == "returned" and _leads_out(run) for run in runs)


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


# --- where entry and exit are ---------------------------------------------------------------------


def _exchanged(maze: Maze) -> tuple[Vector, Vector] | None:
    return None if maze.exit is None else (maze.exit, maze.entry)


def _last_cell(maze: Maze) -> Vector:
    return Vector(maze.dimension.row_count, maze.dimension.column_count)


def _from_the_other_end(exercise: str) -> Styles:
    return _taking(exercise, _OTHER_END[BY_ID[exercise].takes], in_order, in_reverse)


MODELS = (
    # Explores in some other fixed order than North, East, South, West.
    Model("another-order", by_styles(lambda exercise: _exploring_as(exercise, *_OTHER_ORDERS))),
    # Takes the farthest pending cell instead of the closest.
    Model("farthest", by_styles(lambda exercise: _taking(exercise, _FARTHEST, in_order)), takes=("closest",)),
    # Searches again and again from the entry, each time a step deeper.
    Model(
        "deepens-step-by-step", _finds_shortest_ways, takes=("last found",), code=starts_over, goes_by="code"
    ),
    # Gives up at the first dead end.
    Model("first-dead-end", by_styles(_up_to_a_dead_end), takes=("last found",)),
    # Puts nothing among what waits before the loop, which then never runs.
    Model(
        "begins-with-nothing",
        by_each(lambda _exercise, run: run.kind == "none"),
        code=begins_with_nothing,
        goes_by="code",
    ),
    # Turns left and right along the walls, and remembers nothing of where it has been.
    Model("follows-a-wall", by_each(lambda _exercise, _run: True), code=follows_a_wall, goes_by="code"),
    # Marks every cell but the entry, which is found once more.
    Model(
        "forgets-the-entry",
        by_each(lambda exercise, run: is_right(exercise, run) or _has_move(run)),
        code=forgets_the_entry,
        goes_by="code",
    ),
    # Marks no cell as visited, or remembers only the cell it came from: walks in circles.
    Model("forgets-to-mark", _forgets_to_mark),
    # Searches from the entry and from the exit at once.
    Model("from-both-ends", _finds_shortest_ways, code=searches_from_both_ends, goes_by="code"),
    # Works the distances out in one loop over the rows and columns.
    Model(
        "goes-through-the-cells-once",
        by_each(lambda _exercise, run: _returns(run)),
        code=goes_through_the_cells_once,
        goes_by="code",
    ),
    # Keeps the cells that wait in a set, which has no order.
    Model("keeps-pending-in-a-set", _finds_ways, code=keeps_pending_in_a_set, goes_by="code"),
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
        code=takes_from_one,
    ),
    # Works out how far the exit is, and lets that decide which cell comes next.
    Model("measures-to-the-exit", _finds_ways, code=measures_to_the_exit, goes_by="code"),
    # Gives no cell the distance 0, so that none is nearer than another.
    Model(
        "no-distance-at-the-entry",
        by_each(lambda _exercise, run: run.kind == "none" or run.ending == "raised"),
        takes=("closest",),
        code=gives_the_entry_no_distance,
        goes_by="code",
    ),
    # Leaves the cell that it looks at among those that wait.
    Model(
        "never-takes-out",
        by_each(lambda exercise, run: is_right(exercise, run) or run.ending == "endless"),
        code=never_takes_out,
        goes_by="code",
    ),
    # Visits all cells, the exit among them, and says that there is no way.
    Model("overlooks-the-exit", by_styles(_on_and_on, _is_none), code=without(begins_with_nothing)),
    # Searches from the exit to the entry.
    Model(
        "starts-at-the-exit",
        by_marks(_exchanged, answers=(returning(lambda cells: steps(cells[::-1])), returns_the_way)),
        code=looks_at_the_exit,
    ),
    # Takes a cell where it only means to look at it, and then another one.
    Model(
        "takes-twice",
        by_each(lambda _exercise, run: _returns(run) or run.ending == "raised"),
        code=takes_twice_in_a_turn,
        goes_by="code",
    ),
    # Takes it for granted that the entry is in the first cell, or the exit in the last.
    Model(
        "takes-corners-for-granted",
        by_marks(
            lambda maze: (Vector(1, 1), maze.exit),
            lambda maze: (maze.entry, _last_cell(maze)),
            lambda maze: (maze.entry, _last_cell(maze)) if maze.has_exit() else None,
            lambda maze: (Vector(1, 1), _last_cell(maze)),
        ),
    ),
    # Of equally close cells, takes the one that comes first by row and column.
    Model("ties-by-position", by_runs(_visits_by_position), takes=("first found", "closest")),
    # Takes the pending cell that is closest to the exit, or looks ahead to it.
    Model("towards-the-exit", by_styles(_towards_the_exit), code=looks_at_the_exit),
    # Explores West first: what was put on a stack last comes off it first.
    Model("west-first", by_styles(lambda exercise: _exploring_as(exercise, MOVES[::-1]))),
)
