"""What the public tests look for, and the messages that say what came instead."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from public_mazes import Cell, Cells, Situation

from lab import Maze
from lab.commands import reporter, student
from lab.exercises import BY_NAME
from lab.render.text import draw
from lab.visits import is_exploration, parting, tidy
from lab.watch import Watch, WatchedMaze, watched
from lab.way import cell_text, describe, flaw, moves_text


def your(name: str) -> Any:
    """Your class of that name, imported from its file."""
    exercise = BY_NAME[name]
    module = importlib.import_module(exercise.module)
    if (wrong := student.misnamed(module, exercise)) is not None:
        pytest.fail(wrong, pytrace=False)
    return getattr(module, name)


def solve(name: str, maze: Maze) -> tuple[Any, Watch]:
    """Let your solver solve a copy of the maze: what it returned, and what was seen of its work."""
    watch = Watch()
    search = watched(your("Search"), watch)()
    given = WatchedMaze.of(maze, watch)
    returned = your(name)().solve(given, search)
    if given.to_text() != maze.to_text():
        complain(f"{name} changed the maze.", maze, "the maze above, as it was", f"\n{given.to_text()}")
    return returned, watch


def complain(  # noqa: PLR0913 - by keyword, each is shown
    message: str,
    maze: Maze,
    expected: str,
    actual: str,
    *,
    way: Any = None,
    orders: tuple[Sequence[Cell], ...] = (),
    advice: str = "",
) -> None:
    """Fail with a message that draws the maze, and shows what was expected and what came.

    ``orders`` are the visits that were expected and those that came, for the page of maze check --html.
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
    picture = _indent(draw(maze, solution=way)) if maze.dimension.column_count <= 20 else ""
    lines = [message, "", *([picture, ""] if picture else [])]
    lines += ["expected: " + _hanging(expected), "actual:   " + _hanging(actual)]
    if advice:
        lines.append(advice)
    pytest.fail("\n".join(lines), pytrace=False)


def check_way(name: str, situation: Situation, *, shortest: bool) -> None:
    """The solver returns a way (a shortest one if asked for), or None where there is none."""
    maze = situation.maze
    returned, _ = solve(name, maze)
    _check_returned(name, situation, maze, returned, shortest=shortest)


def _check_returned(name: str, situation: Situation, maze: Maze, returned: Any, *, shortest: bool) -> None:
    expected = _expected_way(situation, shortest=shortest)
    actual = returned_text(returned)
    advice = _try(name, situation)
    wrong = flaw(maze, returned)
    if situation.length is None:
        if returned is not None:
            complain(
                f"{name} returned a value, but no way leads to an exit.",
                maze,
                expected,
                actual,
                advice=advice,
            )
    elif returned is None:
        complain(f"{name} found no way, but there is one.", maze, expected, actual, advice=advice)
    elif wrong is not None:
        complain(f"{name} is wrong: {wrong}.", maze, expected, actual, advice=advice)
    elif shortest and len(returned) > situation.length:
        message = f"{name} found a way of {len(returned)} moves, but a shorter one exists."
        complain(message, maze, expected, actual, way=returned, advice=advice)


def check_order(name: str, situation: Situation, order: Cells) -> None:
    """The solver visits the cells in this order, however it keeps them; and finds a way."""
    maze = situation.maze
    returned, watch = solve(name, maze)
    _check_returned(name, situation, maze, returned, shortest=name != "DFS")
    streams = watch.streams()
    if any(parting(order, stream, maze) is None for stream in streams):
        return
    if not watch.taken and _shows_nothing(maze, watch.asked):
        return
    message, actual = f"{name} does not visit the cells in the expected order.", streams[0]
    index = parting(order, actual, maze) or 0
    complain(
        message,
        maze,
        cells_text(order),
        cells_text(actual),
        orders=(order, actual),
        advice=_first_difference(order, actual, maze, index),
    )


def _shows_nothing(maze: Maze, asked: Sequence[tuple[int, int]]) -> bool:
    """The solver read the whole maze before it searched: its order cannot be seen."""
    if not asked:
        return True
    return set(asked) >= set(maze.dimension.all_positions()) and not is_exploration(asked, maze)


def _first_difference(order: Cells, actual: Sequence[tuple[int, int]], maze: Maze, index: int) -> str:
    right, came = tidy(order, maze), tidy(actual, maze)
    after = f"after {cell_text(right[index - 1] if index else maze.entry)}"
    expected = f"expected {cell_text(right[index]) if index < len(right) else 'the exit'}"
    found = f"came {cell_text(came[index])}" if index < len(came) else "the search ended"
    return f"The first difference: {after} {expected}, {found}. (Explore North, East, South, West.)"


def cells_text(cells: Sequence[tuple[int, int]]) -> str:
    """Cells as people read them, each where it was first seen."""
    return " ".join(cell_text(cell) for cell in dict.fromkeys(cells))


def returned_text(returned: Any) -> str:
    """A returned value as people read it; a long one in short."""
    try:
        text = moves_text(returned)
    except (TypeError, ValueError):
        return describe(returned)
    return text if len(text) <= 200 else f"{text[:180]}...] ({len(returned)} moves)"


def _expected_way(situation: Situation, *, shortest: bool) -> str:
    if situation.length is None:
        return "None"
    if shortest:
        return f"the moves of a shortest way from S to E ({situation.length} moves)"
    return "the moves of a way from S to E"


def _try(name: str, situation: Situation) -> str:
    if not situation.file:
        return ""
    return f"Try it: maze solve {Path('mazes') / situation.file} --algorithm {name} --visited"


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))


def _hanging(text: str) -> str:
    return text.replace("\n", "\n          ")
