"""The checks of the public tests, with messages that say what was expected and what your code returned."""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from conftest import ASKED, FOLDER, FOUND, NOW, at_work, kept_as, went_on_for_ever
from public_mazes import Cell

from lab import Maze, Vector, worker
from lab.commands import reporter, slips, student
from lab.commands.mazes import EndlessError, endless_text, make_bound
from lab.commands.reporter import fail
from lab.commands.retelling import FailedCall, Tell, Watching
from lab.commands.trace import MOST_CELLS
from lab.commands.trace_arguments import given_options
from lab.exercises import BY_NAME, FOLLOWED
from lab.recorded import Told
from lab.render.marks import answers_told, arguments_told, cells_of, marked_lines
from lab.render.text import draw
from lab.story import Recorded
from lab.telling import of_answer
from lab.watch import STREAMS, Watch, WatchedMaze, watched
from lab.way import cell_text, describe, is_list, moves_text

Test = TypeVar("Test", bound=Callable[..., Any])


def stands_for(*checks: str) -> Callable[[Test], Test]:
    """Name the checks of the grade that a test stands for; maze check counts their points where it passes."""

    def mark(test: Test) -> Test:
        vars(test)["checks"] = checks
        return test

    return mark


def of_drawn_cases(test: Test) -> Test:
    """Say that a test looks at drawn cases, one after the other."""
    vars(test)["drawn"] = True
    return test


LOADED: dict[tuple[str, bool], tuple[Any, Any]] = {}
"""What was imported last by each name, with its module, and whether its parameters were looked at."""


def your(name: str) -> Any:
    """Return your class of that name, after a check of its method's parameters."""
    return _loaded(name, is_looked_at=True)


def imported(name: str) -> Any:
    """Return your class of that name, imported from its file."""
    return _loaded(name, is_looked_at=False)


def _loaded(name: str, *, is_looked_at: bool) -> Any:
    exercise = BY_NAME[name]
    module, found = LOADED.get((name, is_looked_at), (None, None))
    if module is None or sys.modules.get(exercise.module) is not module:
        if (gone := slips.find_misplaced_file(FOLDER, exercise)) is not None:
            fail(gone)
        module = student.imported(FOLDER, exercise)
        _refuse(slips.find_misspelt_name(module, exercise))
        found = getattr(module, name)
        if is_looked_at:
            _refuse(slips.find_wrong_parameters(module, exercise))
        LOADED[name, is_looked_at] = module, found
    if is_looked_at:
        FOUND.add(NOW.file)
    return found


def _refuse(slip: slips.Slip | None) -> None:
    if slip is not None:
        fail(f"{slip.sentence}\n{slip.place}".rstrip())


def nothing(_run: Recorded, _value: Any) -> list[Told]:
    """Tell nothing of a call that came to an end."""
    return []


@dataclass(slots=True)
class Asked:
    """What a new solver of yours did in a maze."""

    watch: Watch
    maze: WatchedMaze
    """The copy of the maze that it was given."""
    returned: Any = None
    error: BaseException | None = None
    """What it raised, if it did not return anything."""


def solve(
    name: str, maze: Maze, *, file: str = "", solver: Any = None, tell: Tell = nothing
) -> tuple[Any, Watch]:
    """Let your solver solve a copy of the maze; return its result and what was observed of its work.

    ``file`` is the maze's file, if it has one, for a command to try; ``solver`` is one that was used before.
    ``tell`` tells the story of a result that is wrong, and of what was observed. A new solver is asked once
    about each maze: other tests look at the same answer.
    """
    asked = asked_of(name, maze, file=file, solver=solver, tell=tell)
    if asked.error is not None:
        raise asked.error
    return asked.returned, asked.watch


def asked_of(name: str, maze: Maze, *, file: str = "", solver: Any = None, tell: Tell = nothing) -> Asked:
    """Do the same, and return what it did, as far as it came; fail if it came to no end."""
    key = None if solver is not None else (name, maze.to_text())
    advice = try_it("trace", name, maze, file)
    call = FailedCall(BY_NAME[name], partial(_solve_again, name, maze), tell, advice, maze=maze)
    at_work(partial(where_it_was, maze, advice), call, size=maze.dimension.position_count)
    asked = ASKED.get(key)
    if asked is None:
        watch = Watch(make_bound(maze.dimension.position_count))
        given = WatchedMaze.of(maze, watch)
        solver = solver or your(name)()
        asked = Asked(watch, given)
        if key is not None:
            ASKED[key] = Asked(watch, given, error=worker.TookTooLong([]))  # until it ends
        try:
            asked.returned = solver.solve(given, watched(imported("Search"), watch)())
        except Exception as error:  # noqa: BLE001 - your code may raise anything
            asked.error = student.short(error)
        if key is not None:
            ASKED[key] = asked
    if isinstance(asked.error, EndlessError):
        ends(name, partial(again, asked.error), maze, asked.watch, advice=advice)
    if asked.error is None:
        at_work("")
    return asked


def again(error: BaseException) -> NoReturn:
    """Raise what your code raised before."""
    raise error


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
    pictured: Mapping[str, Any] | None = None,
) -> NoReturn:
    """Fail with a message that draws the maze, with the expected and the actual result.

    ``orders`` are the expected and the actual visits, for the page of maze check --html; ``drawing`` is the
    maze with marks, and ``pictured`` what else the page draws (``lab.render.marks``).
    """
    reporter.show(
        **pictured or {},
        message=message,
        maze=maze.to_text(),
        expected=expected,
        actual=actual,
        way=[tuple(move) for move in way or ()],
        orders=[[tuple(cell) for cell in dict.fromkeys(order)] for order in orders],
        advice=advice,
    )
    picture = _indent(drawing or draw(maze, solution=way)) if is_small(maze) else ""
    lines = [message, "", *([picture, ""] if picture else []), *marked_lines(pictured or {})]
    lines += ["expected: " + _hanging(expected), "actual:   " + _hanging(actual)]
    if advice:
        lines.append(advice)
    fail("\n".join(lines))


Judged = tuple[Callable[..., Any], Sequence[str], Mapping[str, str]]
"""A judge, the names of the arguments, and its sentences by their keys."""


def answers(
    name: str,
    method: str,
    arguments: Callable[[], Sequence[Any]],
    right: Callable[[], Any] | None,
    judged: Judged | None = None,
    drawn: Sequence[str] = (),
) -> None:
    """Check that your function, or the method of a new object of your class, gives the right answer.

    If more than one answer may be right, ``right`` is None, and the call only has to end; or a judge tells.
    The arguments of the names in ``drawn`` are drawn into their maze.
    """

    def complaint(value: Any) -> str | None:
        """Return what is wrong with an answer; "" if no judge says what."""
        if right is None or judged is None:
            return None if right is None or same(value, right()) else ""
        judge, names, said = judged
        found = judge(dict(zip(names, arguments(), strict=True)), value, right())
        return None if found is None else _sentence(*found, said)

    def again(_: Watching) -> Any:
        called = your(name)
        return (getattr(called(), method) if method else called)(*arguments())

    def tell(run: Recorded, value: Any) -> list[Told]:
        return of_answer(run) if complaint(value) is not None else []

    given = arguments()
    mazes = [value for value in given if isinstance(value, Maze)]
    maze, written = mazes[0] if mazes else None, [value.to_text() for value in mazes]
    shows = arguments_told(dict(zip(dict(BY_NAME[name].calls)[method], given, strict=True)), drawn)
    called = your(name)
    called = getattr(called(), method) if method else called
    shown = f"{name}.{method}" if method else name
    where = "" if maze is None else where_it_was(maze, "\n".join(marked_lines(shows)))
    follow = followed(name, method, maze, given) if maze is not None and drawn else ""
    at_work(where, FailedCall(BY_NAME[name], again, tell, follow))
    returned = called(*given)
    if [value.to_text() for value in mazes] != written:
        _fail_on(maze, f"{shown} changed the maze.", "the maze as it was", "it was changed")
    wrong = complaint(returned)
    if wrong is not None and right is not None:
        told = ", ".join(describe(value) for value in given if not isinstance(value, Maze))
        on = f" of {shown}({told})" if told else ""
        both, told = (right(), returned), wrong or f"The answer{on} is wrong."
        if maze is None:
            _fail_on(None, told, describe(both[0]), describe(returned))
        orders, shows = cells_of(both, maze), shows | answers_told(both, mazes)
        due, came = map(describe, both)
        complain(told, maze, due, came, orders=orders, pictured=shows)


def followed(name: str, method: str, maze: Maze, given: Sequence[Any]) -> str:
    """Return a command that follows such a call line by line; "" where its arguments are too long for one."""
    exercise = BY_NAME[name]
    if exercise not in FOLLOWED or method not in ("", exercise.method):
        return ""
    options = given_options(exercise, dict(zip(exercise.parameters, given, strict=True)))
    return f"Try it: maze trace {kept_as(maze)} --algorithm {name}{options}" if options else ""


def _sentence(key: str, values: Mapping[str, Any], said: Mapping[str, str]) -> str:
    shown = {
        name: cell_text(value) if isinstance(value, tuple) and len(value) == 2 else value
        for name, value in values.items()
    }
    return said.get(key, key).format(**shown)


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
