"""Candidates to replace a hidden maze: of the same kind, drawn anew or derived from it, and not known yet.

Rotating or mirroring a maze would not do: a solver that explores North, East, South, West would then visit it
differently. So a row or a column is inserted, which keeps all passages and their order, or a maze with as
many cycles and islands is drawn. How good candidates are is measured later.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Final

from grader.course.new_maze import Wanted, new_maze
from grader.errors import InputError
from grader.exercises.kit.cases.edits import marked
from grader.exercises.kit.cases.textures import TEXTURES
from grader.exercises.kit.facts import Facts, facts_of
from grader.release.maze_drawings import Rows, canonical, walls
from lab import EAST, SOUTH, Dimension, Factory, Maze, Vector

TRIED: Final = 40
"""How many mazes are drawn for each requested candidate."""
MANY_CELLS: Final = 12
"""From this many cells on, mazes with the same walls count as the same; smaller ones need the same entry and
exit.
"""
_SWAPPED: Final = str.maketrans("-|", "|-")


def form(text: str) -> Rows:
    """Return a form that is the same for mazes which people recognise as the same, rotated or mirrored."""
    rows = tuple(text.split("\n"))
    return canonical(walls(rows) if facts_of(text).dimension.position_count >= MANY_CELLS else rows)


def candidates(maze: Maze, count: int, rng: Random, known: set[Rows]) -> list[Maze]:
    """Return up to ``count`` mazes of the same kind, and add their forms to ``known``."""
    wanted = _kind(facts_of(maze.to_text()))
    found: list[Maze] = []
    for other in islice(_generate(maze, rng), count * TRIED):
        if len(found) == count:
            break
        text = other.to_text()
        if _kind(facts_of(text)) == wanted and form(text) not in known:
            known.add(form(text))
            found.append(other)
    return found


def _kind(facts: Facts) -> tuple[bool, ...]:
    has_exit = facts.maze.exit is not None
    return has_exit, facts.length is not None, bool(facts.cycle), bool(facts.islands)


def _generate(maze: Maze, rng: Random) -> Iterator[Maze]:
    while True:
        if (drawn := _draw(maze, rng)) is not None:
            yield drawn
        yield stretch(maze, rng)
        yield stretch(stretch(maze, rng), rng)


def _draw(maze: Maze, rng: Random) -> Maze | None:
    """Draw a maze of about the same size, with as many cycles and islands, and random entry and exit.

    None if they do not fit.
    """
    facts = facts_of(maze.to_text())
    rows, columns = (
        max(1, side + rng.choice((-1, 0, 1))) if side > 1 else side
        for side in (facts.dimension.row_count, facts.dimension.column_count)
    )
    if rows * columns < 2:
        return None
    islands = facts.part_count - 1
    cycles = facts.fault_count - islands
    wanted = Wanted(Dimension(rows, columns), cycles, islands, seed=rng.randrange(2**31))
    try:
        made = new_maze(TEXTURES[rng.choice(sorted(TEXTURES))], wanted)
    except InputError:  # they do not fit
        return None
    entry, exit_ = rng.sample(made.dimension.all_positions(), 2)
    return marked(made, entry, None if maze.exit is None else exit_)


def stretch(maze: Maze, rng: Random) -> Maze:
    """Insert a row or a column into the maze.

    Passages across it are extended, and its other cells become dead ends, so that nothing is cut off and no
    cycle is made.
    """
    if rng.random() < maze.dimension.column_count / sum(_sides(maze)):
        return _with_column(maze, rng)
    return _transposed(_with_column(_transposed(maze), rng))


def _sides(maze: Maze) -> tuple[int, int]:
    return maze.dimension.row_count, maze.dimension.column_count


def _transposed(maze: Maze) -> Maze:
    lines = maze.to_text().split("\n")
    return Maze(["".join(column).translate(_SWAPPED) for column in zip(*lines, strict=True)])


def _with_column(maze: Maze, rng: Random) -> Maze:
    rows, columns = _sides(maze)
    before = rng.randint(0, columns)  # the number of columns that do not move

    def moved(cell: Vector) -> Vector:
        return cell if cell.column <= before else Vector(cell.row, cell.column + 1)

    wider = Factory().fully_disconnected(Dimension(rows, columns + 1))
    for cell in maze.dimension.all_positions():
        for move in (EAST, SOUTH):
            if move in maze.valid_moves_at(cell):
                wider.break_wall(moved(cell), move)
                if moved(cell) + move != moved(cell + move):
                    wider.break_wall(moved(cell) + move, move)
    for row in range(1, rows + 1):
        new = Vector(row, before + 1)
        if not wider.valid_moves_at(new):
            sides = [move for move in (EAST, EAST.opposite()) if wider.dimension.includes(new + move)]
            wider.break_wall(new, rng.choice(sides))
    return marked(wider, moved(maze.entry), None if maze.exit is None else moved(maze.exit))
