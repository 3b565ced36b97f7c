"""The checks of what solvers do: the way that they return, and the order in which they visit cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import Any

from conftest import ASKED, HUNG, NOW, begin_anew
from public_cases import controls
from public_checks import asked_of, cells_text, complain, returned_text, solve, try_it
from public_mazes import Cell, Situation

from lab import Maze, Vector
from lab.commands import reporter
from lab.exercises import BY_NAME
from lab.order_judge import RightOrders, evidence, is_cleared, nearest_order
from lab.recorded import Told
from lab.story import Recorded
from lab.telling import Solved, of_answer, of_solver
from lab.vector import MOVES
from lab.visits import tidy
from lab.watch import STREAMS, Watch
from lab.way import cell_text, flaw, is_list

EXPLORE = "(Explore North, East, South, West.)"
FAILED = object()
LEAST_BACK = 0.2
"""Mazes on which it comes to no end are left out of that, unless few others are left."""
MOST_WRONG = 0.75
"""A check of what is easily right by chance counts only for a solver that is right on a quarter of mazes."""


def check_way(name: str, situation: Situation, *, shortest: bool) -> None:
    """Check that the solver returns a way (a shortest one if asked for), or None if there is none."""
    tell = partial(_tell, name, situation)
    returned, watch = solve(name, situation.maze, file=situation.file, tell=tell)
    _check_returned(name, situation, returned, watch, shortest=shortest)


def _check_returned(name: str, situation: Situation, returned: Any, watch: Watch, *, shortest: bool) -> None:
    maze = situation.maze
    expected = _expected_way(situation, shortest=shortest)
    actual = returned_text(returned)
    advice = try_it("solve", name, maze, situation.file)
    wrong = flaw(maze, returned)
    if situation.length is None:
        if returned is not None:
            message = f"{name} returned a value, but no way leads to an exit: {wrong or 'None is expected'}."
            complain(message, maze, expected, actual, advice=advice)
    elif returned is None:
        message = f"{name} found no way, but there is one. {_how_far(maze, watch)}".rstrip()
        complain(message, maze, expected, actual, advice=advice)
    elif wrong is not None:
        message = f"{name} is wrong: {wrong}. {_turned_round(maze, returned)}".rstrip()
        complain(message, maze, expected, actual, advice=advice)
    elif shortest and len(returned) > situation.length:
        message = f"{name} found a way of {len(returned)} moves, but a shorter one exists."
        complain(message, maze, expected, actual, way=returned, advice=advice)


def _turned_round(maze: Maze, returned: Any) -> str:
    """Say that the moves lead through the maze in another direction; "" if they do not."""
    moves = _vectors(returned) or ()
    opposite = [move.opposite() for move in moves]
    if flaw(maze, list(moves[::-1])) is None:
        return "Read from its end, the list is a way: it is still to be turned round."
    if flaw(maze, opposite) is None or flaw(maze, opposite[::-1]) is None:
        return "It holds the moves that lead from E to S: the opposite ones lead from S to E."
    return ""


def _tell(name: str, situation: Situation, run: Recorded, gave: tuple[Any, Watch]) -> list[Told]:
    """Tell where the visits, or the moves, part from right ones; where nothing leads, what came of None."""
    returned, watch = gave
    if situation.length is None:
        return of_answer(run) if returned is not None else []
    seen = Solved(situation.maze, _streams(watch), _vectors(returned), returned is None)
    deep = BY_NAME[name].goes_deep
    ways = [[_MOVE[letter] for letter in way] for way in situation.ways]
    right = right_orders(name, situation) if situation.breadth_first else None
    told = of_solver(run, seen, right, [way for way in ways if deep or len(way) == situation.length])
    return told or (of_answer(run) if flaw(situation.maze, returned) is not None else [])


_MOVE = {move.name[0]: move for move in MOVES}


def _expected_way(situation: Situation, *, shortest: bool) -> str:
    if situation.length is None:
        return "None"
    if shortest:
        return (
            f"the moves of a shortest way from S to E ({situation.length} move{'s' * (situation.length > 1)})"
        )
    return "the moves of a way from S to E"


def _how_far(maze: Maze, watch: Watch) -> str:
    """Say how far a search came that found nothing: whether it ever reached the exit."""
    exit_ = "" if maze.exit is None else cell_text(maze.exit)
    for kind, came in _AT_THE_EXIT.items():
        if maze.exit in watch.seen(kind):
            return came.format(exit_)
    kind = next((kind for kind in _WENT if watch.seen(kind)), None)
    if kind is None:
        return ""
    count = len(set(filter(maze.dimension.includes, watch.seen(kind))))
    return _WENT[kind].format(f"{count} of {maze.dimension.position_count} cells")


_AT_THE_EXIT = {
    "taken": "It came to the exit, {}: does it know it there, and return the way?",
    "tested": "It asked whether {} is the exit, and was told so: does it return the way then?",
    "asked": "It asked for the moves of the exit, {}: does it know it there, and return the way?",
}
"""What to say of a search that found nothing, by what was observed at the exit."""
_WENT = {
    "taken": "It visited {}, and not the exit.",
    "asked": "It asked for the moves of {}, and not for those of the exit.",
    "probed": "It asked about the walls of {}.",
}
"""The same where the exit was not observed."""


def check_order(name: str, situation: Situation) -> None:
    """Check that the solver visits the cells in the right order, however it stores them."""
    maze, right = situation.maze, right_orders(name, situation)
    returned, watch = solve(name, maze, file=situation.file, tell=partial(_tell, name, situation))
    way = _vectors(returned)
    if is_cleared(right, _streams(watch), way):
        return
    shown = evidence(right, _streams(watch), way)
    if shown is None:  # then the way decides
        _check_returned(name, situation, returned, watch, shortest=not BY_NAME[name].goes_deep)
        shown = tuple(accumulate(way or (), Vector.__add__, initial=maze.entry))
        letters = "".join(move.name[0] for move in way or ())
        if letters in situation.ways or (not situation.ways and set(shown) <= set(right.orders[0])):
            return
    message = f"{name} does not visit the cells in the expected order."
    order, index = nearest_order(right, shown)
    complain(
        message,
        maze,
        cells_text(order),
        cells_text(shown),
        orders=(order, shown),
        advice=f"{_first_difference(order, shown, maze, index)} {EXPLORE}",
    )


def right_orders(name: str, situation: Situation) -> RightOrders:
    """Return the orders in which right solvers of this name visit the cells, all of which can be reached."""
    maze, tried = situation.maze, tuple(Vector(*cell) for cell in situation.tried)
    cells = situation.in_reach or maze.dimension.all_positions()
    if not BY_NAME[name].goes_deep:
        return RightOrders(maze, (situation.breadth_first,), cells)
    deep = filter(None, (situation.depth_first, situation.depth_first_when_entered))
    return RightOrders(maze, tuple(deep), cells, tried)


def _streams(watch: Watch) -> dict[str, Sequence[Cell]]:
    """Return what was observed, by kind, without what shows nothing."""
    return {kind: seen for kind in STREAMS if (seen := watch.seen(kind))}


def _vectors(returned: Any) -> tuple[Vector, ...] | None:
    """Return what was returned as vectors; None if it is no list of pairs of whole numbers."""
    pairs = is_list(returned) and all(isinstance(each, tuple) and len(each) == 2 for each in returned)
    if not pairs or not all(type(number) is int for each in returned for number in each):
        return None
    return tuple(Vector(*each) for each in returned)


def _first_difference(
    order: Sequence[Cell], actual: Sequence[tuple[int, int]], maze: Maze, index: int
) -> str:
    right, came = tidy(order, maze), tidy(actual, maze)
    after = f"after {cell_text(right[index - 1] if index else maze.entry)}"
    expected = f"expected {cell_text(right[index]) if index < len(right) else 'the exit'}"
    found = f"came {cell_text(came[index])}" if index < len(came) else "the search ended"
    return f"The first difference: {after} {expected}, {found}."


def check_unchanged(name: str, situation: Situation) -> None:
    """Check that the solver leaves the maze as it was.

    That it comes to no end is the matter of other tests where there are cycles, or no way.
    """
    maze = situation.maze
    try:
        asked_of(name, maze)
    except (reporter.Failed, Exception):
        if not situation.may_not_end or (name, maze.to_text()) not in ASKED:
            raise
    given = ASKED[name, maze.to_text()].maze.to_text()
    if given != maze.to_text():
        before = "the maze above, as it was"
        complain(f"{name} changed the maze.", maze, before, f"\n{given}")


def does_its_work(name: str, is_done: Callable[[str, Situation], bool], what: str) -> None:
    """Check that your solver does something on enough mazes that have a way; ``what`` says what is meant."""
    cases, hung = controls(BY_NAME[name].id), {*HUNG[NOW.file]}
    failed, left_out = list[Situation](), list[Situation]()
    for case in cases:
        begin_anew()
        NOW.ended, each = "returned", case.given[0]
        if case.kind in hung or not is_done(name, each):
            failed.append(each)
            hung |= {case.kind} if NOW.ended == "endless" else set()
            if case.kind in hung and case.may_not_end and is_done is not finds_something:
                left_out.append(each)
    count = len(cases)
    if count - len(left_out) >= LEAST_BACK * count:
        failed, count = [each for each in failed if each not in left_out], count - len(left_out)
    if len(failed) > MOST_WRONG * count:
        maze = failed[0].maze
        message = f"This counts only for a solver that {what}. {name} does not: here is one of the mazes."
        returned, _ = solve(name, maze)
        advice = try_it("trace", name, maze)
        complain(message, maze, "the moves of a way from S to E", returned_text(returned), advice=advice)


def _attempt(name: str, situation: Situation) -> tuple[Any, Watch]:
    """Return what your solver returns, FAILED if it comes to no end, and what was observed."""
    try:
        asked = asked_of(name, situation.maze)
    except (reporter.Failed, Exception):  # noqa: BLE001 - it may fail here in any way, which is no matter
        return FAILED, Watch()
    return asked.returned, asked.watch


def finds_something(name: str, situation: Situation) -> bool:
    """Tell whether anything but None came back from a maze that has a way."""
    returned, _ = _attempt(name, situation)
    return returned is not None and returned is not FAILED


def finds_a_way(name: str, situation: Situation) -> bool:
    """Tell whether a way came back."""
    returned = answer_of(name, situation)
    return returned is not None and flaw(situation.maze, returned) is None


def answer_of(name: str, situation: Situation) -> Any:
    """Return what your solver returns, FAILED if no answer comes."""
    try:
        return solve(name, situation.maze)[0]
    except (reporter.Failed, Exception):  # noqa: BLE001 - it may fail here in any way, which is no matter
        return FAILED


def finds_what_is_there(situation: Situation, returned: Any) -> bool:
    """Tell whether this is a way, or None where there is none."""
    if situation.length is None:
        return returned is None
    return returned is not None and flaw(situation.maze, returned) is None


def searches(name: str, situation: Situation) -> bool:
    """Tell whether a way came back, or is searched for in the right order at least."""
    returned, watch = _attempt(name, situation)
    return finds_a_way(name, situation) or (
        returned is not FAILED
        and is_cleared(right_orders(name, situation), _streams(watch), _vectors(returned))
    )
