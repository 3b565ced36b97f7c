"""The checks of the public tests, with messages that say what was expected and what your code returned."""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from conftest import FOLDER, at_work, kept_as, went_on_for_ever
from public_mazes import Cell

from lab import Maze, Vector
from lab.commands import reporter, slips, student
from lab.commands.mazes import EndlessError, endless_text, make_bound
from lab.commands.reporter import fail
from lab.commands.retelling import FailedCall, Tell, Watching
from lab.commands.trace import MOST_CELLS
from lab.exercises import BY_NAME
from lab.recorded import Told
from lab.render.text import draw
from lab.story import Recorded
from lab.telling import of_answer
from lab.watch import STREAMS, Watch, WatchedMaze, watched
from lab.way import cell_text, describe, is_list, moves_text

Test = TypeVar("Test", bound=Callable[..., None])


def stands_for(*checks: str) -> Callable[[Test], Test]:
    """Name the checks of the grade that a test stands for; maze check counts their points where it passes."""

    def mark(test: Test) -> Test:
        vars(test)["checks"] = checks
        return test

    return mark


def your(name: str) -> Any:
    """Return your class of that name, after a check of its method's parameters."""
    found, exercise = imported(name), BY_NAME[name]
    _refuse(slips.find_wrong_parameters(sys.modules[exercise.module], exercise))
    return found


def imported(name: str) -> Any:
    """Return your class of that name, imported from its file."""
    exercise = BY_NAME[name]
    if (gone := slips.find_misplaced_file(FOLDER, exercise)) is not None:
        fail(gone)
    module = student.imported(FOLDER, exercise)
    _refuse(slips.find_misspelt_name(module, exercise))
    return getattr(module, name)


def _refuse(slip: slips.Slip | None) -> None:
    if slip is not None:
        fail(f"{slip.sentence}\n{slip.place}".rstrip())


def nothing(_run: Recorded, _value: Any) -> list[Told]:
    """Tell nothing of a call that came to an end."""
    return []


def solve(
    name: str, maze: Maze, *, file: str = "", solver: Any = None, tell: Tell = nothing
) -> tuple[Any, Watch]:
    """Let your solver solve a copy of the maze; return its result and what was observed of its work.

    ``file`` is the maze's file, if it has one, for a command to try; ``solver`` is one that was used before.
    ``tell`` tells the story of a result that is wrong, and of what was observed.
    """
    watch = Watch(make_bound(maze.dimension.position_count))
    if solver is None:
        student.forget(FOLDER)  # what a maze before left behind in your class is the matter of other tests
    solver = solver or your(name)()
    advice = try_it("trace", name, maze, file)
    call = begun(maze, watch, solver)
    at_work(
        where_it_was(maze, advice),
        FailedCall(BY_NAME[name], partial(_solve_again, name, maze), tell, advice, maze=maze),
    )
    returned = ends(name, call, maze, watch, advice=advice)
    at_work("")
    return returned, watch


def begun(maze: Maze, watch: Watch, solver: Any) -> Callable[[], Any]:
    """Return the call by which a solver solves a copy of the maze, with a new search of yours."""
    search = watched(imported("Search"), watch)()  # which the solver need not use
    return partial(solver.solve, WatchedMaze.of(maze, watch), search)


def _solve_again(name: str, maze: Maze, watching: Watching) -> tuple[Any, Watch]:
    watch = Watch(make_bound(maze.dimension.position_count))
    watching({kind: getattr(watch, kind) for kind in STREAMS})
    return begun(maze, watch, your(name)())(), watch


def ends(name: str, call: Callable[[], Any], maze: Maze, watch: Watch, *, advice: str) -> Any:
    """Return what your code returns; fail if it asks more than anything that ends."""
    try:
        return call()
    except EndlessError as error:
        own = student.own_frames(FOLDER, error)
    went_on_for_ever()
    where = "it was stopped"
    if own:
        file = Path(own[-1].filename).relative_to(FOLDER).as_posix()
        where += f" in {file}, line {own[-1].lineno}: {own[-1].line}"
    message = f"{name} {endless_text(maze, watch)}."
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
    fail("\n".join(lines))


def answers(
    name: str, method: str, arguments: Callable[[], Sequence[Any]], right: Callable[[], Any] | None
) -> None:
    """Check that your function, or the method of a new object of your class, gives the right answer.

    If more than one answer may be right, ``right`` is None, and the call only has to end.
    """

    def again(_: Watching) -> Any:
        called = your(name)
        return (getattr(called(), method) if method else called)(*arguments())

    def tell(run: Recorded, value: Any) -> list[Told]:
        return of_answer(run) if right is not None and not same(value, right()) else []

    given = arguments()
    mazes = [value for value in given if isinstance(value, Maze)]
    maze, written = mazes[0] if mazes else None, [value.to_text() for value in mazes]
    called = your(name)
    called = getattr(called(), method) if method else called
    shown = f"{name}.{method}" if method else name
    at_work("" if maze is None else where_it_was(maze, ""), FailedCall(BY_NAME[name], again, tell))
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
    fail(f"{message}\n\nexpected: {expected}\nactual:   {actual}")


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
        text = moves_text(returned) if is_list(returned) else describe(returned)
    except (TypeError, ValueError):
        cells = is_list(returned) and all(type(each) is Vector for each in returned)
        return f"[{cells_text(returned)}]" if cells else describe(returned)
    return text if len(text) <= 200 else f"{text[:180]}...] ({len(returned)} moves)"


def try_it(command: str, name: str, maze: Maze, file: str = "") -> str:
    """Return a command that shows your solver in this maze, line by line or its result.

    A maze without a ``file`` in the folder of mazes is kept in one.
    """
    place = (Path("mazes") / file).as_posix() if file else kept_as(maze)
    command = command if maze.dimension.position_count <= MOST_CELLS else "solve"
    more = " --visited" if command == "solve" else ""
    return f"Try it: maze {command} {place} --algorithm {name}{more}"


def _indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))


def _hanging(text: str) -> str:
    return text.replace("\n", "\n          ")
