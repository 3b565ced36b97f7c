"""Wrong models of solvers that go wrong in one kind of maze, or everywhere in one manner."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.exercises.kit.code_patterns import is_recursive
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.maze_features import MANY, features_of, right_in_squares_only
from grader.exercises.kit.misconception import Explains, Model
from grader.exercises.kit.solvers.code_patterns import marks_when_taken, puts_equals_in_again
from grader.exercises.kit.solvers.exploring import Journey
from grader.exercises.kit.solvers.runs import (
    Run,
    by_each,
    by_returns,
    is_right,
    returns_the_way,
)

LARGE = 400
"""Mazes of 400 cells or more are large."""
NEVER = ("endless", "timeout")
"""The outcomes of runs that would never end."""


def _is_large(run: Run) -> bool:
    return run.maze.dimension.position_count >= LARGE


def _right_but(goes_wrong: Callable[[Run], bool]) -> Explains:
    """Return the model of a solver that goes wrong in this manner, and is right otherwise."""
    return by_each(lambda exercise, run: is_right(exercise, run) or goes_wrong(run))


def _only_large(goes_wrong: Callable[[Run], bool]) -> Explains:
    return _right_but(lambda run: _is_large(run) and goes_wrong(run))


def _gives_up(run: Run) -> bool:
    return run.kind == "none" or run.ending == "raised"


def _always(ends_so: Callable[[Run], bool]) -> Explains:
    return by_each(lambda _exercise, run: ends_so(run))


# --- faults that tell by themselves ---------------------------------------------------------------


def _misses_a_name(run: Run) -> bool:
    kind, _, message = run.fault.partition(": ")
    return kind == "NameError" or (kind == "AttributeError" and "'NoneType'" not in message)


# --- kinds of mazes -------------------------------------------------------------------------------


def _none_next_to_the_exit(run: Run, made: Journey) -> bool:
    if made.cells is not None and len(made.cells) == 2:
        return run.kind == "none"
    return returns_the_way(run, made)


def _has_circle(run: Run) -> bool:
    return not features_of(run.text).acyclic_in_reach


def _gives_up_on_circles(exercise: str, runs: Sequence[Run]) -> bool:
    wrong = [run for run in runs if not is_right(exercise, run)]
    return len(wrong) >= MANY and all(run.kind == "none" and _has_circle(run) for run in wrong)


def _squares_only(exercise: str, runs: Sequence[Run]) -> bool:
    return right_in_squares_only([(run.maze, is_right(exercise, run)) for run in runs])


def _goes_every_way(exercise: str, runs: Sequence[Run]) -> bool:
    """Tell whether the solver is right wherever it ends, and has no end in some mazes with cycles, not only
    in large ones, but does end in others that have no way."""
    endless = [run for run in runs if run.outcome in NEVER]
    ended = [run for run in runs if run.outcome not in NEVER]
    return (
        all(_has_circle(run) for run in endless)
        and not all(map(_is_large, endless))
        and any(_has_circle(run) and not run.has_way for run in ended)
        and all(is_right(exercise, run) for run in ended)
    )


SHORT = 2
"""A way of at most 2 moves may be found before a loop is closed."""


def _never_with_a_way(exercise: str, run: Run) -> bool:
    length = facts_of(run.text).length
    if length is None:
        return is_right(exercise, run)
    return run.outcome in NEVER or (length <= SHORT and is_right(exercise, run))


# --- luck -----------------------------------------------------------------------------------------


def _draws_lots(exercise: str, runs: Sequence[Run]) -> bool:
    """Tell whether the same mazes are explored in different orders, and the way is found where there is only
    one."""
    seen: dict[str, set[object]] = {}
    for run in runs:
        if run.ending == "returned":
            seen.setdefault(run.text, set()).add((run.streams, run.value))
    if sum(len(each) > 1 for each in seen.values()) < MANY:
        return False
    return all(run.moves in facts_of(run.text).ways[exercise] for run in runs if _has_one_way(run))


def _has_one_way(run: Run) -> bool:
    return run.ending == "returned" and run.has_way and not _has_circle(run) and not _is_large(run)


MODELS = (
    # Explores in an order that is drawn by lot.
    Model("draws-lots", _draws_lots, goes_by="kind"),
    # Says that there is no way where it meets a cell again.
    Model("gives-up-on-circles", _gives_up_on_circles, goes_by="kind"),
    # Gives up, or stops with an error, in large mazes only.
    Model("gives-up-when-large", _only_large(_gives_up), goes_by="kind"),
    # Forgets on the way back where it has been, and so tries every way that there is.
    Model("goes-every-way", _goes_every_way, goes_by="kind", code=is_recursive),
    # Uses a name that there is not.
    Model("misses-a-name", _right_but(_misses_a_name)),
    # Marks a cell when it is taken, so that it may wait several times: too much for large mazes.
    Model(
        "marks-when-taken",
        by_each(is_right),
        takes=("first found", "closest"),
        code=marks_when_taken,
        in_hidden=True,
    ),
    # Puts a known cell in again for a way that is just as long.
    Model(
        "puts-equals-in-again",
        by_each(is_right),
        takes=("first found", "closest"),
        code=puts_equals_in_again,
        in_hidden=True,
    ),
    # Never ends, whatever the maze.
    Model("never-ends", _always(lambda run: run.outcome in NEVER), goes_by="kind"),
    # Never ends where there is a way.
    Model("never-ends-with-a-way", by_each(_never_with_a_way), goes_by="kind"),
    # Says that there is no way where the exit is next to the entry.
    Model("none-next-to-the-exit", by_returns(_none_next_to_the_exit)),
    # Is right in square mazes, and wrong in many that are wider than high, or higher than wide.
    Model("squares-only", _squares_only, goes_by="kind"),
    # Takes too long in large mazes only.
    Model("too-slow-when-large", _only_large(lambda run: run.outcome in NEVER), goes_by="kind"),
    # Takes too much memory in large mazes only.
    Model("too-much-memory", _only_large(lambda run: run.outcome == "out-of-memory"), goes_by="kind"),
)
