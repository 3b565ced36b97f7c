"""The process in which ``maze trace`` runs the student's solver; it writes the result to a file.

Its argument is a folder, whose file ``request`` says what to run; its answer is ``result``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lab import worker
from lab.commands import student
from lab.commands.errors import CommandError
from lab.commands.mazes import EndlessError, ending_recursion, endless_text, make_bound
from lab.commands.reasons import reason
from lab.commands.trace_arguments import arguments_of, read_given
from lab.costs import costs_on, has_costs, sum_text
from lab.exercises import Exercise
from lab.leftovers import first_of_each, sentence
from lab.maze import Maze
from lab.render.marks import find_marked, marked, marked_part
from lab.tracing.recorder import OutOfLines, Recorder
from lab.tracing.recording import recording
from lab.vector import MOVES, Vector
from lab.watch import Watch, WatchedMaze, watched
from lab.way import describe, flaw, is_list


def main(scratch: Path) -> None:
    """Answer the request in the folder."""
    request = json.loads((scratch / "request").read_text(encoding="utf-8"))
    try:
        maze, folder = Maze.from_text(request["maze"]), Path(request["folder"])
        result = followed(maze, folder, request["algorithm"], request["given"])
    except CommandError as error:
        result = {"refused": str(error), "before": error.before}
    (scratch / "result").write_text(json.dumps(result), encoding="utf-8")


def followed(maze: Maze, folder: Path, algorithm: str, given: Sequence[str] = ()) -> dict[str, Any]:
    """Return what the solver did, and as ``left`` what was passed over in its code. Raises CommandError."""
    leftovers = student.leftovers_of(folder)
    with leftovers.passing_over():
        result = record_solver(maze, folder, algorithm, given)
    return {**result, "left": [*map(sentence, first_of_each(leftovers.fresh()))]}


def record_solver(
    maze: Maze,
    folder: Path,
    algorithm: str,
    given: Sequence[str] = (),
    *,
    seconds: float = student.MOST_SECONDS,
) -> dict[str, Any]:
    """Let the solver solve the maze, and return what it did and how it ended.

    ``given`` is what else it is given, as in ``key=(2, 3)``. Raises CommandError if that is not what it
    takes, or if its class cannot be loaded.
    """
    exercise, values = student.exercise_named(algorithm), read_given(given)
    needs_search = "search" in exercise.parameters
    search_class = student.load(folder, student.exercise_of("script")) if needs_search else None
    solver_class = student.load(folder, exercise)
    watch = Watch(make_bound(maze.dimension.position_count))
    recorder = Recorder(maze, folder, watch)

    def run() -> object:
        search = watched(search_class, watch)() if search_class else None
        arguments = arguments_of(exercise, WatchedMaze.of(maze, watch), search, values)
        called = solver_class if exercise.is_function else getattr(solver_class(), exercise.method)
        with recorder, ending_recursion(watch):
            return called(*arguments)

    arguments_of(exercise, maze, None, values)  # or refuse what is given before anything runs

    try:
        returned = worker.run(student.in_its_time(folder, run), seconds=seconds)
        if recorder.is_out:
            raise OutOfLines
        ending = (_answered if exercise.kind == "answer" else _returned)(maze, returned, exercise)
    except (EndlessError, OutOfLines):
        ending = {"kind": "endless", "text": f"{algorithm} {endless_text(maze, watch)}."}
    except worker.WaitsForEver:
        ending = {"kind": "endless", "text": f"{algorithm} waits for ever for what nobody can bring."}
    except worker.TookTooLong:
        text = f"{algorithm} did not come to an end within {seconds:g} s; it was stopped."
        ending = {"kind": "endless", "text": text}
    except BaseException as error:  # noqa: BLE001 - SystemExit and the like are a student's exceptions as well
        ending = _crashed(error, recorder, folder, algorithm)
    if not recorder.moment:
        raise CommandError(f"{algorithm} ran no line of its own: there is nothing to follow")
    drawn = [each.plain for each in find_marked({"maze": maze, **values})]
    told = {"given": drawn} if drawn else {}
    return {**recording(recorder, watch, end=ending.pop("end", None)), "ending": ending, **told}


def _crashed(error: BaseException, recorder: Recorder, folder: Path, algorithm: str) -> dict[str, Any]:
    """Describe what a solver raised, and where; raises CommandError if nothing was recorded."""
    if isinstance(error, NotImplementedError) or not recorder.moment:
        raise CommandError(f"{algorithm} {reason(error)}") from None
    trace = student.format_own_trace(folder, error)
    ending: dict[str, Any] = {"kind": "crashed", "text": f"{algorithm} {reason(error)}", "trace": trace}
    if recorder.error is not None and recorder.error[0] is error:
        ending["end"] = recorder.error[1]
    return ending


def _answered(maze: Maze, returned: object, exercise: Exercise) -> dict[str, Any]:
    """Describe an answer of any form: a way with its cells, or with what is drawn of cells and numbers."""
    is_way = is_list(returned) and returned and flaw(maze, returned, any_walk=True) is None
    if is_way and all(move in MOVES for move in returned):  # type: ignore[attr-defined]
        return _returned(maze, returned, replace(exercise, kind="walker"))
    found = marked_part("", returned, maze.dimension) or marked("", returned, maze.dimension)
    told = {"marked": found.plain} if found is not None and found.form in ("list", "mapping") else {}
    return {"kind": "returned", "text": f"{exercise.name} returned {describe(returned)}.", **told}


def _returned(maze: Maze, returned: object, exercise: Exercise) -> dict[str, Any]:
    """Describe what a solver returned, with the cells of its way if it is one."""
    algorithm, any_walk = exercise.name, exercise.kind == "walker"
    if returned is None:
        return {"kind": "returned", "text": f"{algorithm} returned None: it found no way."}
    if (wrong := flaw(maze, returned, any_walk=any_walk)) is not None or not is_list(returned):
        return {"kind": "wrong", "text": f"{algorithm} is wrong: {wrong or describe(returned)}."}
    moves = [Vector(*move) for move in returned]
    cells = [maze.entry]
    for move in moves:
        cells.append(cells[-1] + move)
    numbers = {cell: number for number, cell in enumerate(maze.dimension.all_positions())}
    count = "1 move" if len(moves) == 1 else f"{len(moves)} moves"
    cost = f" that cost {sum_text(costs_on(maze, moves))}" if has_costs(maze) else ""
    return {
        "kind": "returned",
        "text": f"{algorithm} returned a way of {count}{cost}.",
        "way": [numbers[cell] for cell in cells],
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
