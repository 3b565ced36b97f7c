"""``maze race`` and ``maze perfect``: compare a student's solvers on one maze, or show the checker's
answer."""

from __future__ import annotations

from collections.abc import Collection

from lab.commands import mazes, student
from lab.commands.errors import CommandError
from lab.costs import costs_on, has_costs
from lab.exercises import SOLVERS
from lab.maze import Maze
from lab.vector import Vector
from lab.way import describe

OUT_OF_REACH, IN_A_CYCLE = "x", "o"
"""How cells are marked in the drawing of a maze that is not perfect."""


def race(file: str, *, submission: str | None) -> None:
    """Let all solvers solve the maze, and print what each found and visited.

    Raises CommandError if none of them ended.
    """
    maze = mazes.load(file)
    is_dear = has_costs(maze)
    rows, failures = [("solver", "moves", "cost", "visited")], 0
    for exercise in SOLVERS:
        try:
            way, watch = mazes.solution_by(maze, exercise.name, submission)
        except CommandError as error:
            rows.append((exercise.name, str(error), "", ""))
            failures += 1
        else:
            seen = len(dict.fromkeys(watch.streams()[0])) if watch.streams() else 0
            told = ("no way", "") if way is None else (str(len(way)), str(sum(costs_on(maze, way))))
            rows.append((exercise.name, *told, f"{seen} cells"))
    for name, moves, cost, visited in rows:
        print(f"{name:<10} {moves:<8} {f'{cost:<8} ' if is_dear else ''}{visited}".rstrip())
    if failures == len(SOLVERS):
        raise CommandError("none of the solvers came to an end")


def perfect(file: str, *, submission: str | None) -> None:
    """Print the student's checker's answer about the maze."""
    maze = mazes.load(file)
    exercise = student.exercise_of("checker")
    folder = student.folder_of(submission)
    checker = student.load(folder, exercise)
    said = student.call(folder, lambda: checker().is_perfect(maze.copy()), what=exercise.name)
    if not isinstance(said, bool):
        raise CommandError(f"{exercise.name} is wrong: it returned {describe(said)}; expected True or False")
    print(f"{exercise.name} says {said}")


def draw_marked(maze: Maze, lost: Collection[Vector], circled: Collection[Vector]) -> str:
    """Draw the maze with these cells marked."""
    canvas = [list(line) for line in maze.to_text().split("\n")]
    for cells, mark in ((lost, OUT_OF_REACH), (circled, IN_A_CYCLE)):
        for cell in cells:
            line = canvas[2 * cell.row - 1]
            if line[2 * cell.column - 1] == " ":
                line[2 * cell.column - 1] = mark
    return "\n".join("".join(line) for line in canvas)
