"""Wrong models of generators: mazes that lack something, and luck that does not come from the seed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from grader.exercises.generator.code_patterns import (
    asks_nothing_of_what_is_joined,
    counts_cells_twice,
    joins_to_every_neighbour,
    lists_neighbours_too_soon,
    never_empties_its_run,
    opens_nothing_at_the_border,
    opens_walls,
    stops_before_the_last,
)
from grader.exercises.generator.made_mazes import Generated, by_calls, by_mazes, unrepeated
from grader.exercises.kit.code_patterns import either, prints, tries_until_perfect, without
from grader.exercises.kit.maze_features import Features
from grader.exercises.kit.misconception import Model
from grader.exercises.kit.union_find_patterns import (
    finds_one_step_up,
    joins_cells_for_roots,
    relabels_one_cell,
)

DEEP = 200
"""Where recursion goes too deep in a maze of fewer cells, its size is not the reason."""
MANY = 3
"""At least 3 seeds have to make different mazes before the luck is said not to be theirs."""


# --- mazes that lack something --------------------------------------------------------------------


def _without_walls(maze: Features) -> bool:
    return all(maze.maze.valid_moves_at(cell) == maze.maze.moves_at(cell) for cell in maze.cells)


def _one_walk(maze: Features) -> bool:
    """Tell whether the passages make one line without branches, and the other cells are walled in."""
    joined = [len(maze.maze.valid_moves_at(cell)) for cell in maze.cells]
    return bool(maze.edges) and maze.acyclic and max(joined) <= 2 and joined.count(1) <= 2


def _stops_at_a_dead_end(exercise: str, calls: Sequence[Generated]) -> bool:
    return not all(call.fits for call in calls) and by_mazes(_one_walk)(exercise, calls)


def _without_edges(rows: int, columns: int) -> Callable[[Features], bool]:
    """Return a test for mazes of which exactly this many of the last rows and columns cannot be reached."""

    def partly(maze: Features) -> bool:
        size = maze.maze.dimension
        left_out = {
            cell
            for cell in maze.cells
            if cell.row > size.row_count - rows or cell.column > size.column_count - columns
        }
        return maze.acyclic and set(maze.cells) - maze.reached == left_out - {maze.maze.entry}

    return partly


def _rows_for_columns(call: Generated) -> bool:
    whole = call.all_mazes and all(maze.perfect for maze in call.features)
    return whole and call.sizes == {(call.columns, call.rows)}


def _no_maze(call: Generated) -> bool:
    return call.ending == "returned" and set(call.kinds) <= {"none", "other", "vectors"}


def _nothing(call: Generated) -> bool:
    return call.ending == "returned" and set(call.kinds) == {"none"}


def _spoilt(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether all mazes are of the dimension that was asked for, and some have cycles."""
    sizes = all(call.sizes <= {(call.rows, call.columns)} and call.all_mazes for call in calls)
    return sizes and any(not maze.acyclic for call in calls for maze in call.features)


def _walks_apart(exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether the mazes are of lines without branches, and several of them in some maze."""
    mazes = [maze for call in calls for maze in call.features]
    lines = by_mazes(
        lambda maze: maze.acyclic and all(len(maze.maze.valid_moves_at(c)) <= 2 for c in maze.cells)
    )
    return lines(exercise, calls) and any(_several_lines(maze) for maze in mazes)


def _several_lines(maze: Features) -> bool:
    ends = sum(len(maze.maze.valid_moves_at(cell)) == 1 for cell in maze.cells)
    return ends > 2


def _asks_nothing(code: ast.AST) -> bool:
    return asks_nothing_of_what_is_joined(code) and not never_empties_its_run(code)


def _both(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether all mazes are of the dimension that was asked for, and some have cycles, some cells out of
    reach."""
    mazes = [maze for call in calls for maze in call.features]
    sizes = all(call.sizes <= {(call.rows, call.columns)} and call.all_mazes for call in calls)
    return sizes and not all(map(_acyclic, mazes)) and not all(map(_connected, mazes))


def _imperfect(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether all mazes are of the dimension that was asked for, and some are not perfect."""
    sizes = all(call.sizes <= {(call.rows, call.columns)} and call.all_mazes for call in calls)
    return sizes and not all(maze.perfect for call in calls for maze in call.features)


def _connected(maze: Features) -> bool:
    return maze.connected


def _acyclic(maze: Features) -> bool:
    return maze.acyclic


def _one_size(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether all mazes are perfect and of one dimension, whatever was asked for."""
    sizes = set[tuple[int, int]]().union(*(call.sizes for call in calls))
    return len(sizes) == 1 and by_mazes(lambda maze: maze.perfect)(_exercise, calls)


# --- calls that end badly -------------------------------------------------------------------------

_NARROW: tuple[Callable[[Generated], bool], ...] = (
    lambda call: call.rows == 1,
    lambda call: call.columns == 1,
    lambda call: 1 in (call.rows, call.columns),
    lambda call: call.rows * call.columns == 2,
)


def _fails_in_narrow_mazes(_exercise: str, calls: Sequence[Generated]) -> bool:
    def fails_just_where(narrow: Callable[[Generated], bool]) -> bool:
        return all(call.ending == "raised" if narrow(call) else call.fits for call in calls)

    return any(call.ending == "raised" for call in calls) and any(map(fails_just_where, _NARROW))


NEVER = ("endless", "timeout")
"""How calls end that would never end unless stopped."""


def _never_ends(call: Generated) -> bool:
    return call.ending in NEVER


def _fits_or_never_ends(call: Generated) -> bool:
    return call.fits or _never_ends(call)


def _right_but_endless_when_large(call: Generated) -> bool:
    return call.fits or (_never_ends(call) and call.rows * call.columns >= DEEP)


def _goes_too_deep(_exercise: str, calls: Sequence[Generated]) -> bool:
    return any(map(_too_deep, calls)) and all(call.fits or _too_deep(call) for call in calls)


def _too_deep(call: Generated) -> bool:
    return call.ending == "too deep" and call.rows * call.columns >= DEEP


# --- luck that does not come from the seed --------------------------------------------------------


def _no_luck(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether the mazes fit, but all first ones of a dimension are the same, whatever the seed."""
    roomy = [call for call in calls if call.roomy and call.mazes]
    sizes = {(call.rows, call.columns) for call in roomy}
    return all(call.fits for call in calls) and len({call.mazes[0] for call in roomy}) == len(sizes)


def _other_luck(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether the mazes fit, but one seed makes different ones, for at least ``MANY`` of the seeds."""
    roomy = [call for call in calls if call.roomy and not call.anew]
    return all(call.fits for call in calls) and len(unrepeated(roomy)) >= MANY


def _another_at_each_start(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether the mazes fit, and a seed makes one while the program runs, but another when it is started
    once more."""
    started_once = [call for call in calls if not call.anew]
    return (
        all(call.fits for call in calls) and not unrepeated(started_once) and len(unrepeated(calls)) >= MANY
    )


def _remembers(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether the first maze of each generator fits, and later ones mostly do not."""
    whole = [call for call in calls if call.all_mazes and call.features]
    later = [call.is_fit(maze) for call in whole for maze in call.features[1:]]
    return (
        len(whole) == len(calls)
        and all(call.is_fit(call.features[0]) for call in whole)
        and 2 * sum(later) < len(later)
    )


def _same_maze_again(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether the mazes fit and seeds matter, but all mazes of one generator are the same."""
    several = [call for call in calls if len(call.mazes) > 1]
    return (
        all(call.fits for call in calls)
        and all(len(set(call.mazes)) == 1 for call in several)
        and len({call.mazes for call in several}) > 1
        and not unrepeated(calls)
    )


MODELS = (
    # Returns a maze with all its walls.
    Model("all-walls", by_mazes(lambda maze: not maze.edges)),
    # Makes mazes of one dimension, whatever is asked for.
    Model("always-one-size", _one_size),
    # Makes another maze of the same seed when the program is started again.
    Model("another-at-each-start", _another_at_each_start),
    # Makes maze after maze until one happens to be perfect.
    Model("draws-until-perfect", by_calls(_fits_or_never_ends), code=tries_until_perfect),
    # Leaves cells out of reach, but never two ways to one.
    Model("cells-out-of-reach", by_mazes(_acyclic), goes_by="kind"),
    # Stops with an error where there is only one row or column.
    Model("fails-in-narrow-mazes", _fails_in_narrow_mazes),
    # Leaves the last row or column walled off.
    Model(
        "forgets-an-edge-when-making",
        by_mazes(_without_edges(1, 0), _without_edges(0, 1), _without_edges(1, 1)),
    ),
    # Recurses deeper than Python allows, only for large mazes.
    Model("generator-goes-too-deep", _goes_too_deep),
    # Never ends, whatever the dimension.
    Model("generator-never-ends", by_calls(_never_ends), goes_by="kind"),
    # Keeps what it noted of the maze before: later mazes of one generator are spoilt.
    Model("generator-remembers", _remembers),
    # Takes too long for large mazes only.
    Model("generator-too-slow", by_calls(_right_but_endless_when_large), goes_by="kind"),
    # Joins cells of trees in the place of their roots.
    Model("joins-cells", _spoilt, code=joins_cells_for_roots),
    # Draws from all cells of a row so far, also from those that have their way north.
    Model("never-empties-its-run", _imperfect, code=never_empties_its_run, goes_by="code"),
    # Opens walls, and never asks what is joined already.
    Model("asks-nothing-of-what-is-joined", _both, code=_asks_nothing, goes_by="code"),
    # Counts a cell again when the walk comes back to it, and stops too soon.
    Model("counts-cells-twice", by_mazes(_acyclic), code=counts_cells_twice, goes_by="code"),
    # Leaves out the last row and the last column in its loops.
    Model("stops-before-the-last", _imperfect, code=stops_before_the_last, goes_by="code"),
    # Draws a side of each cell, and opens nothing where that is the border.
    Model(
        "opens-nothing-at-the-border",
        by_mazes(_acyclic),
        code=opens_nothing_at_the_border,
        goes_by="code",
    ),
    # Lists the new neighbours of a cell before it goes on, and does not ask again when their turn comes.
    Model("lists-neighbours-too-soon", _spoilt, code=lists_neighbours_too_soon),
    # Leaves two ways between some cells, and none between others.
    Model("cycles-and-islands", _both, goes_by="kind"),
    # Takes what a cell hangs on for the root of its tree.
    Model("finds-one-step-up", _spoilt, code=finds_one_step_up, goes_by="code"),
    # Joins a new cell to all neighbours that belong to the maze, not to one.
    Model("joins-to-every-neighbour", _spoilt, code=joins_to_every_neighbour),
    # Gives the group of one cell to another cell alone.
    Model("relabels-one-cell", _spoilt, code=relabels_one_cell, goes_by="code"),
    # Begins a new walk where the last one ended, and joins the two by nothing.
    Model("walks-apart", _walks_apart, code=opens_walls),
    # Makes mazes without an exit.
    Model("no-exit", by_mazes(lambda maze: maze.perfect and not maze.maze.has_exit())),
    # Makes the same maze whatever the seed.
    Model("no-luck", _no_luck),
    # Returns a maze without inner walls.
    Model(
        "no-walls",
        by_mazes(_without_walls),
        code=without(either(lists_neighbours_too_soon, joins_to_every_neighbour)),
    ),
    # Draws its luck from elsewhere than the random numbers it was given.
    Model("other-luck", _other_luck),
    # Prints the maze, and returns nothing.
    Model("prints-for-returning", by_calls(_nothing), code=prints),
    # Returns something else than a maze.
    Model("returns-no-maze", by_calls(_no_maze), code=without(prints)),
    # Takes rows for columns.
    Model("rows-and-columns-swapped", by_calls(_rows_for_columns)),
    # Makes the same maze again when it is called a second time.
    Model("same-maze-again", _same_maze_again),
    # Goes on as long as there is a new cell next to it, and never goes back.
    Model("stops-at-a-dead-end", _stops_at_a_dead_end),
    # Leaves two ways between some cells, but none out of reach.
    Model("two-ways", by_mazes(_connected), goes_by="kind"),
)
