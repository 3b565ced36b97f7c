"""Describe one maze: its ways, its visit orders, and the checks that would use it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from grader.course.exercises import WITH_MAZES
from grader.course.maze_files import Agrees, MazeFile, load_maze_file
from grader.course.plan import fixed_mazes
from grader.course.rubric import Rubric
from grader.course.statement_checks import declared_checks
from grader.errors import MazeFileError
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.registry import make_checks
from grader.languages import said
from lab import Maze, Vector
from lab.exercises import SOLVER_IDS
from lab.render.text import draw
from lab.texture import texture
from lab.way import moves_text

_YAML = (".yaml", ".yml")
MOST_PRINTED = 100
"""A maze with more rows or columns is not printed."""


def read_maze(path: Path, *, agrees: Agrees | None = None, own: Sequence[str] = ()) -> MazeFile:
    """Read a test maze, or a text file with only a drawing. Raises MazeFileError."""
    if path.suffix.lower() in _YAML:
        return load_maze_file(path, agrees=agrees, own=own)
    try:
        maze = Maze.from_file(path)
    except OSError as error:
        raise MazeFileError(f"the file cannot be read: {error.strerror}", path=path) from None
    except ValueError as error:
        raise MazeFileError(str(error), path=path) from None
    return MazeFile(path.stem, "", "public", WITH_MAZES, {}, maze, maze.to_text(), path, {})


def checks_with(maze: MazeFile, rubric: Rubric) -> tuple[str, ...]:
    """Return the ids of the rubric's checks that would use a maze, which may be none of its own."""
    book = CaseBook(1, 1, [*fixed_mazes(replace(rubric, mazes=(maze,)))])
    label = said("the_maze", name=maze.name)
    asked = {id_ for fixed in book.mazes if fixed.name == maze.name for id_ in fixed.exercises}
    return tuple(
        check.id
        for planned in rubric.exercises
        if planned.id in asked
        for check in make_checks(
            planned.id,
            [each.id for each in planned.checks],
            book,
            own=declared_checks(planned.checks, planned.id, [maze]),
        )
        if any(case.label == label for case in check.cases)
    )


def is_too_large_to_print(maze: Maze) -> bool:
    """Return whether a maze is too wide or too high for a terminal."""
    return max(maze.dimension.row_count, maze.dimension.column_count) > MOST_PRINTED


def describe_maze(maze: MazeFile, rubric: Rubric, *, in_full: bool = True) -> str:
    """Describe a maze for the terminal, with visit orders in the form of a maze file.

    Without ``in_full``, omit what grows with the maze: the drawing, the moves and the visit orders.
    """
    facts = facts_of(maze.text)
    way = facts.shortest_way
    drawing = ["", draw(maze.maze, solution=way)] if in_full else []
    moves = describe_way(way) if in_full or way is None else f"{len(way)} moves"
    solvers = [exercise for exercise in SOLVER_IDS if exercise in maze.exercises]
    lines = [
        f"{maze.name}: {facts.dimension}, {maze.visibility}",
        *drawing,
        "",
        *([f"Catches: {maze.catches}"] if maze.catches else []),
        f"Perfect: {describe_perfection(facts)}",
        f"Shortest way: {moves}",
        *_texture(facts),
        f"Checks that ask about it: {', '.join(checks_with(maze, rubric)) or 'none'}",
        "",
        *(visit_orders(facts, solvers) if in_full else ()),
    ]
    return "\n".join(lines).rstrip()


def visit_orders(facts: Facts, exercises: Iterable[str]) -> Iterator[str]:
    """Yield the lines of ``visit_order`` for a maze file, ready to paste."""
    lines = [f"  {exercise}: {_cells(facts.orders[exercise][0])}" for exercise in exercises]
    return iter(["visit_order:", *lines] if lines else [])


def _cells(order: Sequence[Vector]) -> str:
    return "[" + ", ".join(f"[{cell.row}, {cell.column}]" for cell in order) + "]"


def describe_perfection(facts: Facts) -> str:
    """Say whether a maze is perfect, and if not, why."""
    if facts.is_perfect:
        return "yes"
    out = f"{len(facts.islands)} of {facts.dimension.position_count} cells out of reach"
    told = [out] if facts.islands else []
    extra = facts.passage_count - (facts.dimension.position_count - 1)
    if facts.cycle and extra > 1:
        told.append(f"{extra} passages more than a perfect maze has")
    elif facts.cycle:
        told.append("a cycle through " + " ".join(f"({cell.row}, {cell.column})" for cell in facts.cycle))
    return "no, " + " and ".join(told)


def describe_way(way: tuple[Vector, ...] | None) -> str:
    """Describe the moves of a way in words."""
    return "none" if way is None else f"{len(way)} moves, {moves_text([*way])}"


def _texture(facts: Facts) -> list[str]:
    if not facts.is_perfect or facts.maze.exit is None:
        return []
    figures = (f"{name.replace('_', ' ')} {value:.3g}" for name, value in asdict(texture(facts.maze)).items())
    return ["Texture: " + ", ".join(figures)]
