"""Wrong models of generators: mazes that lack something, and luck that does not come from the seed."""

from __future__ import annotations

from collections.abc import Sequence

from grader.exercises.generator.given_walk import Generated, by_calls, by_mazes, unrepeated
from grader.exercises.kit.facts import Features
from grader.exercises.kit.misconception import Model

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


def _no_maze(call: Generated) -> bool:
    return call.ending == "returned" and set(call.kinds) <= {"none", "other", "vectors"}


def _both(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether all mazes are of the dimension that was asked for, and some have cycles, some cells out of
    reach."""
    mazes = [maze for call in calls for maze in call.features]
    sizes = all(call.sizes <= {(call.rows, call.columns)} and call.all_mazes for call in calls)
    return sizes and not all(map(_acyclic, mazes)) and not all(map(_connected, mazes))


def _connected(maze: Features) -> bool:
    return maze.connected


def _acyclic(maze: Features) -> bool:
    return maze.acyclic


def _one_size(_exercise: str, calls: Sequence[Generated]) -> bool:
    """Tell whether all mazes are perfect and of one dimension, whatever was asked for."""
    sizes = set[tuple[int, int]]().union(*(call.sizes for call in calls))
    return len(sizes) == 1 and by_mazes(lambda maze: maze.perfect)(_exercise, calls)


# --- calls that end badly -------------------------------------------------------------------------


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
    # Leaves cells out of reach, but never two ways to one.
    Model("cells-out-of-reach", by_mazes(_acyclic), goes_by="kind"),
    # Leaves two ways between some cells, and none between others.
    Model("cycles-and-islands", _both, goes_by="kind"),
    # Keeps what it noted of the maze before: later mazes of one generator are spoilt.
    Model("generator-remembers", _remembers),
    # Makes the same maze whatever the seed.
    Model("no-luck", _no_luck),
    # Returns a maze without inner walls.
    Model("no-walls", by_mazes(_without_walls)),
    # Draws its luck from elsewhere than the random numbers it was given.
    Model("other-luck", _other_luck),
    # Returns something else than a maze.
    Model("returns-no-maze", by_calls(_no_maze)),
    # Makes the same maze again when it is called a second time.
    Model("same-maze-again", _same_maze_again),
    # Goes on as long as there is a new cell next to it, and never goes back.
    Model("stops-at-a-dead-end", _stops_at_a_dead_end),
    # Leaves two ways between some cells, but none out of reach.
    Model("two-ways", by_mazes(_connected), goes_by="kind"),
)
