"""Wrong models of generators: mazes that lack something, and luck that does not come from the seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.misconceptions.engines.generated_mazes import Generated, by_calls, by_mazes, unrepeated
from grader.misconceptions.engines.maze_features import Features
from grader.misconceptions.model import Model

_GENERATOR = ("generator",)

DEEP = 200
"""In mazes of fewer cells, recursion that goes too deep is no matter of size."""
MANY = 3
"""At least so many seeds have to make different mazes before the luck is not theirs."""


# --- mazes that lack something --------------------------------------------------------------------


def _without_walls(maze: Features) -> bool:
    return all(maze.maze.valid_moves_at(cell) == maze.maze.moves_at(cell) for cell in maze.cells)


def _one_walk(maze: Features) -> bool:
    """The passages make one line without branches; the other cells are walled in."""
    joined = [len(maze.maze.valid_moves_at(cell)) for cell in maze.cells]
    return bool(maze.edges) and maze.acyclic and max(joined) <= 2 and joined.count(1) <= 2


def _stops_at_a_dead_end(exercise: str, calls: Sequence[Generated]) -> bool:
    return not all(call.fits for call in calls) and by_mazes(_one_walk)(exercise, calls)


def _without_edges(rows: int, columns: int) -> Callable[[Features], bool]:
    """Just so many of the last rows and columns cannot be reached."""

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


def _goes_too_deep(_exercise: str, calls: Sequence[Generated]) -> bool:
    return any(map(_too_deep, calls)) and all(call.fits or _too_deep(call) for call in calls)


def _too_deep(call: Generated) -> bool:
    return call.ending == "too deep" and call.rows * call.columns >= DEEP


# --- luck that does not come from the seed --------------------------------------------------------


def _no_luck(_exercise: str, calls: Sequence[Generated]) -> bool:
    """The mazes fit, but all first ones of a dimension are the same, whatever the seed."""
    roomy = [call for call in calls if call.roomy and call.mazes]
    sizes = {(call.rows, call.columns) for call in roomy}
    return all(call.fits for call in calls) and len({call.mazes[0] for call in roomy}) == len(sizes)


def _other_luck(_exercise: str, calls: Sequence[Generated]) -> bool:
    """The mazes fit, but one seed makes many, in nearly every pair of calls with the same seed."""
    roomy = [call for call in calls if call.roomy]
    return all(call.fits for call in calls) and len(unrepeated(roomy)) >= MANY


def _same_maze_again(_exercise: str, calls: Sequence[Generated]) -> bool:
    """The mazes fit, seeds matter, but all mazes of one generator are the same."""
    several = [call for call in calls if len(call.mazes) > 1]
    return (
        all(call.fits for call in calls)
        and all(len(set(call.mazes)) == 1 for call in several)
        and len({call.mazes for call in several}) > 1
        and not unrepeated(calls)
    )


MODELS = (
    # Returns a maze with all its walls.
    Model("all-walls", _GENERATOR, by_mazes(lambda maze: not maze.edges)),
    # Stops with an error where there is only one row or column.
    Model("fails-in-narrow-mazes", _GENERATOR, _fails_in_narrow_mazes),
    # Leaves the last row or column walled off.
    Model(
        "forgets-an-edge-when-making",
        _GENERATOR,
        by_mazes(_without_edges(1, 0), _without_edges(0, 1), _without_edges(1, 1)),
    ),
    # Recurses deeper than Python allows, only for large mazes.
    Model("generator-goes-too-deep", _GENERATOR, _goes_too_deep),
    # Makes mazes without an exit.
    Model("no-exit", _GENERATOR, by_mazes(lambda maze: maze.perfect and not maze.maze.has_exit())),
    # Makes the same maze whatever the seed.
    Model("no-luck", _GENERATOR, _no_luck),
    # Returns a maze without inner walls.
    Model("no-walls", _GENERATOR, by_mazes(_without_walls)),
    # Draws its luck from elsewhere than the random numbers it was given.
    Model("other-luck", _GENERATOR, _other_luck),
    # Returns something else than a maze.
    Model("returns-no-maze", _GENERATOR, by_calls(_no_maze)),
    # Takes rows for columns.
    Model("rows-and-columns-swapped", _GENERATOR, by_calls(_rows_for_columns)),
    # Makes the same maze again when it is called a second time.
    Model("same-maze-again", _GENERATOR, _same_maze_again),
    # Goes on as long as there is a new cell next to it, and never goes back.
    Model("stops-at-a-dead-end", _GENERATOR, _stops_at_a_dead_end),
)
