"""The checks of the public tests, with messages that say what was expected and what your code returned."""

from __future__ import annotations

import importlib
import math
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest
from conftest import FOLDER, at_work, went_on_for_ever
from public_mazes import Cell, Cells, Situation, telling

from lab import Maze, Vector
from lab.commands import reporter, slips, student
from lab.commands.mazes import EndlessError, endless_text, make_bound
from lab.commands.suspicions import suspicion
from lab.commands.visit_rules import VisitedMaze, rule
from lab.exercises import BY_NAME
from lab.render.text import draw
from lab.visits import is_exploration, may_have_asked, parting, searched_by_itself, tidy
from lab.watch import FEW_LOOKS, Watch, WatchedMaze, watched
from lab.way import cell_text, describe, flaw, is_list, moves_text

EXPLORE = "(Explore North, East, South, West.)"


def your(name: str) -> Any:
    """Return your class of that name, after a check of its method's parameters."""
    found, exercise = imported(name), BY_NAME[name]
    _refuse(slips.find_wrong_parameters(sys.modules[exercise.module], exercise))
    return found


def imported(name: str) -> Any:
    """Return your class of that name, imported from its file."""
    exercise = BY_NAME[name]
    if (gone := slips.find_misplaced_file(FOLDER, exercise)) is not None:
        pytest.fail(gone, pytrace=False)
    module = importlib.import_module(exercise.module)
    _refuse(slips.find_misspelt_name(module, exercise))
    return getattr(module, name)


def _refuse(slip: slips.Slip | None) -> None:
    if slip is not None:
        pytest.fail(f"{slip.sentence}\n{slip.place}".rstrip(), pytrace=False)


def solve(name: str, maze: Maze, *, file: str = "", solver: Any = None) -> tuple[Any, Watch]:
    """Let your solver solve a copy of the maze; return its result and what was observed of its work.

    ``file`` is the maze's file, if it has one, for a command to try; ``solver`` is one that was used before.
    """
    watch = Watch(make_bound(maze.dimension.position_count))
    solver = solver or your(name)()
    search = watched(imported("Search"), watch)()  # which the solver need not use
    given = WatchedMaze.of(maze, watch)
    advice = _try("trace", name, file)
    at_work(where_it_was(maze, advice))
    returned = ends(name, lambda: solver.solve(given, search), maze, watch, advice=advice)
    if given.to_text() != maze.to_text():
        complain(f"{name} changed the maze.", maze, "the maze above, as it was", f"\n{given.to_text()}")
    return returned, watch


def ends(name: str, call: Callable[[], Any], maze: Maze, watch: Watch, *, advice: str) -> Any:
    """Return what your code returns; fail if it asks more than anything that ends."""
    try:
        return call()
    except EndlessError as error:
        own = student.own_frames(FOLDER, error)
    went_on_for_ever()
    where = f"it was stopped in line {own[-1].lineno}: {own[-1].line}" if own else "it was stopped"
    message = (
        f"{name} {endless_text(maze, watch)}. Is each cell marked, and taken out, so that none comes twice?"
    )
    return complain(message, maze, "it comes to an end", where, advice=advice)


def where_it_was(maze: Maze, advice: str) -> str:
    """Return a picture of a small maze on which your code works, and a command to try."""
    picture = f"It was in this maze:\n\n{_indent(draw(maze))}\n\n" if is_small(maze) else ""
    return f"{picture}{advice}".rstrip()


def is_small(maze: Maze) -> bool:
    """Tell whether a picture of the maze is easy to survey."""
    return maze.dimension.column_count <= 20 and maze.dimension.row_count <= 12


def complain(  # noqa: PLR0913 - by keyword, each is shown
    message: str,
    maze: Maze,
    expected: str,
    actual: str,
    *,
    way: Any = None,
    orders: tuple[Sequence[Cell], ...] = (),
    drawing: str = "",
    advice: str = "",
) -> NoReturn:
    """Fail with a message that draws the maze, with the expected and the actual result.

    ``orders`` are the expected and the actual visits, for the page of maze check --html; ``drawing`` is the
    maze with marks.
    """
    reporter.show(
        message=message,
        maze=maze.to_text(),
        expected=expected,
        actual=actual,
        way=[tuple(move) for move in way or ()],
        orders=[[tuple(cell) for cell in dict.fromkeys(order)] for order in orders],
        advice=advice,
    )
    picture = _indent(drawing or draw(maze, solution=way)) if is_small(maze) else ""
    lines = [message, "", *([picture, ""] if picture else [])]
    lines += ["expected: " + _hanging(expected), "actual:   " + _hanging(actual)]
    if advice:
        lines.append(advice)
    pytest.fail("\n".join(lines), pytrace=False)


def check_way(name: str, situation: Situation, *, shortest: bool) -> None:
    """Check that the solver returns a way (a shortest one if asked for), or None if there is none."""
    maze = situation.maze
    returned, watch = solve(name, maze, file=situation.file)
    _check_returned(name, situation, returned, watch, shortest=shortest)


def _check_returned(name: str, situation: Situation, returned: Any, watch: Watch, *, shortest: bool) -> None:
    maze = situation.maze
    expected = _expected_way(situation, shortest=shortest)
    actual = returned_text(returned)
    advice = _try("solve", name, situation.file)
    wrong = flaw(maze, returned)
    if situation.length is None:
        if returned is not None:
            message = f"{name} returned a value, but no way leads to an exit: {wrong or 'None is expected'}."
            complain(message, maze, expected, actual, advice=advice)
    elif returned is None:
        message = f"{name} found no way, but there is one. {_how_far(maze, watch)}".rstrip()
        complain(message, maze, expected, actual, advice=advice)
    elif wrong is not None:
        message = f"{name} is wrong: {wrong}. {suspicion(maze, returned)}".rstrip()
        complain(message, maze, expected, actual, advice=advice)
    elif shortest and len(returned) > situation.length:
        message = (
            f"{name} found a way of {len(returned)} moves, but a shorter one exists. {_rule(name)}".rstrip()
        )
        complain(message, maze, expected, actual, way=returned, advice=advice)


def check_order(name: str, situation: Situation, order: Cells) -> None:
    """Check that the solver visits the cells in this order, however it stores them, and finds a way."""
    maze = situation.maze
    returned, watch = solve(name, maze, file=situation.file)
    _check_returned(name, situation, returned, watch, shortest=name != "DFS")
    if any(parting(order, stream, maze) is None for stream in watch.streams()):
        return
    if searched_by_itself(watch.taken, returned, maze):
        watch.taken.clear()
    asked = watch.seen("asked")
    if not watch.taken and (_shows_nothing(maze, watch) or may_have_asked(order, asked, maze)):
        return
    message, actual = f"{name} does not visit the cells in the expected order.", watch.streams()[0]
    index = parting(order, actual, maze) or 0
    complain(
        message,
        maze,
        cells_text(order),
        cells_text(actual),
        orders=(order, actual),
        advice=f"{_first_difference(order, actual, maze, index)} {_rule(name) or EXPLORE}",
    )


def _shows_nothing(maze: Maze, watch: Watch) -> bool:
    """Tell whether the solver read the whole maze before it searched, so that its order cannot be
    observed."""
    asked = watch.seen("asked")
    if not asked:
        return True
    read_all = set(asked) >= set(maze.dimension.all_positions())
    return read_all and (watch.late_looks > FEW_LOOKS or not is_exploration(asked, maze))


def _first_difference(order: Cells, actual: Sequence[tuple[int, int]], maze: Maze, index: int) -> str:
    right, came = tidy(order, maze), tidy(actual, maze)
    after = f"after {cell_text(right[index - 1] if index else maze.entry)}"
    expected = f"expected {cell_text(right[index]) if index < len(right) else 'the exit'}"
    found = f"came {cell_text(came[index])}" if index < len(came) else "the search ended"
    return f"The first difference: {after} {expected}, {found}."


def _rule(name: str) -> str:
    """Say by which wrong rule your solver takes its cells, if that shows in small mazes; else ""."""
    return rule(name, [VisitedMaze(maze, _visits(name, maze)) for maze in telling()])


def _visits(name: str, maze: Maze) -> Cells:
    """Return the cells that a new solver of yours visits; none if they cannot be observed."""
    watch = Watch(make_bound(maze.dimension.position_count))
    try:
        search = watched(imported("Search"), watch)()
        your(name)().solve(WatchedMaze.of(maze, watch), search)
    except Exception:  # noqa: BLE001 - it may fail here in any other way, which is no matter
        return ()
    return tuple(watch.streams()[0]) if watch.streams() else ()


def answers(
    name: str, method: str, arguments: Callable[[], Sequence[Any]], right: Callable[[], Any] | None
) -> None:
    """Check that your function, or the method of a new object of your class, gives the right answer.

    If more than one answer may be right, ``right`` is None, and the call only has to end.
    """
    given = arguments()
    mazes = [value for value in given if isinstance(value, Maze)]
    maze, written = mazes[0] if mazes else None, [value.to_text() for value in mazes]
    called = your(name)
    called = getattr(called(), method) if method else called
    shown = f"{name}.{method}" if method else name
    if maze is not None:
        at_work(where_it_was(maze, ""))
    returned = called(*given)
    if [value.to_text() for value in mazes] != written:
        _fail_on(maze, f"{shown} changed the maze.", "the maze as it was", "it was changed")
    if right is not None and not same(returned, right()):
        told = ", ".join(describe(value) for value in given if not isinstance(value, Maze))
        on = f" of {shown}({told})" if told else ""
        _fail_on(maze, f"The answer{on} is wrong.", describe(right()), describe(returned))


def _fail_on(maze: Maze | None, message: str, expected: str, actual: str) -> NoReturn:
    if maze is not None:
        complain(message, maze, expected, actual)
    pytest.fail(f"{message}\n\nexpected: {expected}\nactual:   {actual}", pytrace=False)


_LISTS: Final = (deque, type({}.keys()), type({}.values()), type({}.items()))
"""What counts as a list as well."""


def same(one: Any, other: Any) -> bool:
    """Tell whether two answers are equal; a tuple equals a list, and rounding does not matter."""
    if isinstance(one, _LISTS):
        return same([*one], other)
    if isinstance(other, set | frozenset) and isinstance(one, list | tuple):
        return len(one) == len(other) and all(cell in one for cell in other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, float) or isinstance(other, float):
        both = isinstance(one, float | int) and isinstance(other, float | int)
        return both and (
            math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) or (one != one and other != other)
        )
    return (
        type(one) in (type(other), bool, int) and bool(one == other)
        if isinstance(one, int)
        else bool(one == other)
    )


def cells_text(cells: Sequence[tuple[int, int]]) -> str:
    """Format cells for people, each where it occurs first."""
    return " ".join(cell_text(cell) for cell in dict.fromkeys(cells))


def returned_text(returned: Any) -> str:
    """Format a returned value for people, a long one shortened."""
    try:
        text = moves_text(returned)
    except (TypeError, ValueError):
        cells = is_list(returned) and all(type(each) is Vector for each in returned)
        return f"[{cells_text(returned)}]" if cells else describe(returned)
    return text if len(text) <= 200 else f"{text[:180]}...] ({len(returned)} moves)"


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
    streams = watch.streams()
    if maze.exit and any(maze.exit in stream for stream in streams):
        return f"It came to the exit, {cell_text(maze.exit)}: does it know it there, and return the way?"
    if not streams:
        return ""
    visited, cells = len(set(streams[0])), maze.dimension.position_count
    return f"It visited {visited} of {cells} cells, and not the exit: does it go back from a dead end?"


def _try(command: str, name: str, file: str) -> str:
    """Return a command that shows your solver in this maze: line by line, or its result."""
    if not file:
        return ""
    more = " --visited" if command == "solve" else ""
    return f"Try it: maze {command} {(Path('mazes') / file).as_posix()} --algorithm {name}{more}"


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))


def _hanging(text: str) -> str:
    return text.replace("\n", "\n          ")
