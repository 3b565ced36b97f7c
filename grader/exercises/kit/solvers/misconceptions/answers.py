"""Wrong models of solvers that visit the right cells, but return the wrong thing, or end badly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from grader.exercises.kit.misconception import Explains, Mask, Model
from grader.exercises.kit.solvers.exploring import Journey, Node, Style, in_reverse, never, right_styles
from grader.exercises.kit.solvers.runs import (
    Returns,
    Run,
    Way,
    by_each,
    by_endings,
    by_returns,
    by_styles,
    is_right,
    returning,
    returns_the_way,
    searched,
    steps,
)
from lab import Maze, Vector

# --- what is returned -----------------------------------------------------------------------------


def _by_ways(*mistakes: Callable[[Way], Way]) -> Explains:
    """Return the model of a solver that returns one of these things made of the cells of the way."""
    return by_returns(*map(returning, mistakes))


def _with_a_way(returns: Returns) -> Returns:
    """Return the mistake made only where there is a way; where there is none, None comes back."""
    return lambda run, made: run.kind == "none" if made.cells is None else returns(run, made)


def _another_no_way(run: Run, made: Journey) -> bool:
    if made.cells is not None:
        return returns_the_way(run, made)
    return run.kind in ("bool", "int", "other", "vector") or run.moves == ()


def _no_list(run: Run, made: Journey) -> bool:
    if made.cells is None and run.kind == "none":
        return True
    return (run.kind in ("other", "vector") and not run.element) or not run.is_list


def _no_moves(run: Run, made: Journey) -> bool:
    return (run.kind == "other" and run.element != "") or (len(made.cells or ()) == 1 and run.moves == ())


# --- moves into dead ends -------------------------------------------------------------------------


def _every_move(*, back: bool) -> Returns:
    return _with_a_way(lambda run, made: run.moves == _walked(run.maze, made, back=back))


def _walked(maze: Maze, made: Journey, *, back: bool) -> Way:
    """Return the moves of the whole walk over the visited cells to the exit."""
    start, *others = dict.fromkeys((*made.visits, *(made.cells or ())[-1:]))
    moves: list[Vector] = []
    stack = [start]
    for cell in others:
        while not _next_to(maze, stack[-1], cell):
            gone = stack.pop()
            moves += steps((gone, stack[-1])) if back else ()
        moves += steps((stack[-1], cell))
        stack.append(cell)
    return tuple(moves)


def _next_to(maze: Maze, one: Vector, other: Vector) -> bool:
    return any(one + move == other for move in maze.valid_moves_at(one))


# --- an answer that gets lost in the recursion ----------------------------------------------------


def _not_stopped_at_the_exit(exercise: str) -> Iterator[Style]:
    return (
        replace(style, ends=_not_beyond, stop_taken=never, stop_found=never)
        for style in right_styles(exercise)
    )


def _not_beyond(maze: Maze, node: Node) -> list[Vector]:
    return [] if node.cell == maze.exit else in_reverse(maze, node)


def _nothing(run: Run, made: Journey) -> bool:
    """Tell whether only the first call, the one in the entry, gives its answer."""
    return _none(run, made) if made.cells is None or len(made.cells) > 1 else run.moves == ()


# --- how a run ends, and what it leaves behind ----------------------------------------------------


def _no_way(run: Run) -> bool:
    return not run.has_way


def _out_of_reach(run: Run) -> bool:
    return not run.has_way and run.maze.has_exit()


def _none(run: Run, made: Journey) -> bool:
    return run.kind == "none" and searched(run, made)


MODELS = (
    # Says that there is no way with something else than None.
    Model("another-no-way", by_returns(_another_no_way)),
    # Returns the cells of the way instead of its moves.
    Model(
        "cells-for-moves",
        _by_ways(
            lambda cells: cells, lambda cells: cells[1:], lambda cells: cells[:-1], lambda cells: cells[1:-1]
        ),
    ),
    # Builds or breaks walls in the maze that it was given; but for that everything is right.
    Model("changes-the-maze", by_each(lambda exercise, run: is_right(exercise, replace(run, changed=False)))),
    Model("drops-a-move", _by_ways(lambda cells: steps(cells)[1:], lambda cells: steps(cells)[:-1])),
    # Stops with an error where there is no way to the exit.
    Model("fails-without-a-way", by_endings("raised", _no_way, _out_of_reach)),
    # Finds the exit, but returns nothing of it.
    Model("forgets-to-return", by_returns(_none)),
    # Returns every move that it made, those into dead ends (and back) included.
    Model(
        "keeps-the-dead-ends",
        by_returns(_every_move(back=True), _every_move(back=False)),
        takes=("last found",),
    ),
    # Finds the exit, but the answer does not come back through the recursion.
    Model("loses-the-answer", by_styles(_not_stopped_at_the_exit, _nothing), takes=("last found",)),
    # Returns the way as something that is no list.
    Model("no-list", by_returns(_no_list, _with_a_way(_no_list))),
    # Returns a list of something else than moves: names, pairs, lists.
    Model("no-moves", by_returns(_with_a_way(_no_moves))),
    # Returns each move turned round.
    Model("opposite-moves", _by_ways(lambda cells: tuple(move.opposite() for move in steps(cells)))),
    # Keeps what it learnt of one maze when it solves the next: is wrong only in later ones.
    Model("remembers-the-maze-before", by_each(lambda exercise, run: run.later or is_right(exercise, run))),
    # Never ends where there is no way to the exit.
    Model("waits-without-a-way", by_endings("endless", _no_way, _out_of_reach)),
    # Returns the way from the exit to the entry, or its moves in that order.
    Model("way-backwards", _by_ways(lambda cells: steps(cells)[::-1], lambda cells: steps(cells[::-1]))),
)


# --- mistakes that mask another one -------------------------------------------------------------

AT_LEAST = 3
"""A mask is seen at least 3 times before it is believed."""


def _none_without_a_way(run: Run) -> Run:
    is_another = not run.has_way and run.ending == "returned" and _is_no_way(run)
    return replace(run, kind="none", value=None, element="", is_list=True) if is_another else run


def _is_no_way(run: Run) -> bool:
    return run.kind in ("bool", "int", "other", "vector") or run.moves == ()


def _moves_for_cells(run: Run) -> Run:
    way = _between_its_cells(run) if run.has_way and run.moves else None
    return run if way is None else replace(run, value=way)


def _between_its_cells(run: Run) -> Way | None:
    """Return the moves between the cells that were returned; None where they are not those of a walk from the
    entry to the exit, of which the ends may be missing."""
    maze, cells = run.maze, [*(run.moves or ())]
    for end, at in ((maze.entry, 0), (maze.exit, len(cells))):
        if end is not None and end not in cells:
            cells.insert(at if at == 0 else len(cells), end)
    goes = cells[0] == maze.entry and cells[-1] == maze.exit
    return steps(cells) if goes and all(_next_to(maze, *pair) for pair in pairwise(cells)) else None


def _unchanged(run: Run) -> Run:
    return replace(run, changed=False) if run.changed else run


def _none_for(ending: str) -> Callable[[Run], Run]:
    """Return a function that puts None in the place of a bad ending where there is no way."""

    def put_right(run: Run) -> Run:
        if run.has_way or run.ending != ending:
            return run
        return replace(run, ending="returned", outcome="returned", kind="none", value=None, fault="")

    return put_right


def _wherever(
    is_due: Callable[[Run], bool], put_right: Callable[[Run], Run], *endings: str
) -> Callable[[Sequence[Run]], bool]:
    """Return a test whether all runs in which the mistake could be made, ``AT_LEAST`` of them, show it."""

    def holds(runs: Sequence[Run]) -> bool:
        due = [run for run in runs if run.ending in ("returned", *endings) and is_due(run)]
        return len(due) >= AT_LEAST and all(put_right(run) is not run for run in due)

    return holds


def _only_without_a_way(ending: str) -> Callable[[Sequence[Run]], bool]:
    """Return a test whether all runs without a way end like this, and none with a way."""
    wherever = _wherever(_no_way, _none_for(ending), ending)
    return lambda runs: wherever(runs) and all(run.ending != ending for run in runs if run.has_way)


MASKS = (
    Mask("another-no-way", _none_without_a_way, _wherever(lambda run: not run.has_way, _none_without_a_way)),
    Mask(
        "cells-for-moves",
        _moves_for_cells,
        _wherever(lambda run: run.has_way and run.kind == "vectors", _moves_for_cells),
        leaves=frozenset({"visit-order"}),
    ),
    *(
        Mask(name, _none_for(ending), _only_without_a_way(ending))
        for name, ending in (("fails-without-a-way", "raised"), ("waits-without-a-way", "endless"))
    ),
    Mask("changes-the-maze", _unchanged, _wherever(lambda run: run.changed, _unchanged)),
)
