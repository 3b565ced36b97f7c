"""A maze as the numbers of a drawing; the template only writes them down.

A cell becomes pending in the step in which a neighbour of it is visited, and is visited in the
step of its own: two numbers a cell are all that the step-through needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lab import EAST, SOUTH, Maze, Vector

CELL = 40
MARGIN = 24
"""Room for the numbers of rows and columns, in the west and in the north."""
EDGE = 6
NUMBERS = 2
"""A cell that was visited more often shows the first 2 steps in which it was."""
NUMBERED = 400
"""Mazes of more cells are drawn without numbers: nobody could read them."""
_SCALES = ((4, 1.7), (7, 1.35), (12, 1.0), (10**9, 0.8))
"""Pairs: in mazes of at most 4 columns, cells are shown at 1.7 times their size, and so on."""


@dataclass(frozen=True, slots=True)
class CellMark:
    """One cell of a search: where, the step that found it and those that visited it."""

    position: Vector
    x: int
    y: int
    seen: int
    visits: tuple[int, ...]
    """The steps that visited it: none where it was only found, several where the search came by again."""

    @property
    def number(self) -> str:
        """What stands in the cell."""
        first, *more = self.visits[:NUMBERS]
        shown = ", ".join(map(str, (first, *more)))
        return f"{shown}…" if len(self.visits) > NUMBERS else shown


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything that is drawn of one maze, in pixels."""

    maze: Maze
    width: int
    height: int
    walls: str
    marks: tuple[CellMark, ...] = ()
    steps: int = 0
    covered: str = ""
    """The visited cells as one area, where they are too many to number."""
    expected_way: str = ""
    actual_way: str = ""
    parting: tuple[int, int] | None = None
    cycle: str = ""
    islands: str = ""
    labels: tuple[int, ...] = ()
    """Every how many rows and columns a number stands at the edge."""
    facts: dict[str, tuple[Vector, ...]] = field(default_factory=dict)
    """What the drawing shows, for the text that says the same."""

    @property
    def rows(self) -> range:
        """The rows that carry a number."""
        return _labelled(self.maze.dimension.row_count)

    @property
    def columns(self) -> range:
        """The columns that carry a number."""
        return _labelled(self.maze.dimension.column_count)

    @property
    def shown_width(self) -> int:
        """The width on the screen: the cells of small mazes are drawn larger."""
        columns = self.maze.dimension.column_count
        scale = next(scale for most, scale in _SCALES if columns <= most)
        return round(scale * self.width)

    @staticmethod
    def corner(position: Vector) -> tuple[int, int]:
        """The north-west corner of a cell."""
        return MARGIN + (position.column - 1) * CELL, MARGIN + (position.row - 1) * CELL


def draw(  # noqa: PLR0913 - by keyword, each shows one thing
    maze: Maze,
    *,
    visits: Sequence[Vector] = (),
    expected: Sequence[Vector] | None = None,
    actual: Sequence[Vector] | None = None,
    parting: Vector | None = None,
    cycle: Sequence[Vector] = (),
    islands: Sequence[Vector] = (),
    numbered: bool = True,
) -> Drawing:
    """Draw a maze with visits, the expected and the actual way (as moves), a cycle and islands."""
    inside = maze.dimension.includes
    visits = [cell for cell in visits if inside(cell)]
    cycle, islands = [c for c in cycle if inside(c)], [c for c in islands if inside(c)]
    fine = numbered and maze.dimension.position_count <= NUMBERED
    facts = {"visits": visits, "cycle": cycle, "islands": islands}
    return Drawing(
        maze=maze,
        width=MARGIN + EDGE + maze.dimension.column_count * CELL,
        height=MARGIN + EDGE + maze.dimension.row_count * CELL,
        walls=_walls(maze),
        marks=_marks(maze, visits) if fine else (),
        steps=len(visits) if fine else 0,
        covered="" if fine else _area(visits),
        expected_way=_way(maze, expected, shift=-4),
        actual_way=_way(maze, actual, shift=0),
        parting=Drawing.corner(parting) if parting is not None and inside(parting) else None,
        cycle=_line([*cycle, *cycle[:1]]),
        islands=_area(islands),
        facts={name: tuple(cells) for name, cells in facts.items()},
    )


def _labelled(count: int) -> range:
    return range(1, count + 1) if count <= 30 else range(5, count + 1, 5)


def _marks(maze: Maze, visits: Sequence[Vector]) -> tuple[CellMark, ...]:
    steps: dict[Vector, tuple[int, ...]] = {}
    seen = {visits[0]: 0} if visits else {}
    for step, cell in enumerate(visits, start=1):
        steps[cell] = (*steps.get(cell, ()), step)
        seen.setdefault(cell, step)
        for move in maze.valid_moves_at(cell):
            seen.setdefault(cell + move, step)
    return tuple(
        CellMark(cell, *Drawing.corner(cell), seen[cell], steps.get(cell, ())) for cell in sorted(seen)
    )


def _walls(maze: Maze) -> str:
    """All walls as one path, neighbouring ones joined into one stroke."""
    rows, columns = maze.dimension.row_count, maze.dimension.column_count
    strokes = []
    for row in range(rows + 1):
        shut = [
            row in (0, rows) or maze.is_wall(Vector(row, column), SOUTH) for column in range(1, columns + 1)
        ]
        strokes += [f"M{_at(start)} {_at(row)}h{count * CELL}" for start, count in _runs(shut)]
    for column in range(columns + 1):
        shut = [
            column in (0, columns) or maze.is_wall(Vector(row, column), EAST) for row in range(1, rows + 1)
        ]
        strokes += [f"M{_at(column)} {_at(start)}v{count * CELL}" for start, count in _runs(shut)]
    return "".join(strokes)


def _runs(flags: Iterable[bool]) -> list[tuple[int, int]]:
    """The start and the length of each unbroken run of true flags."""
    runs: list[tuple[int, int]] = []
    for index, flag in enumerate(flags):
        if flag and runs and sum(runs[-1]) == index:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        elif flag:
            runs.append((index, 1))
    return runs


def _at(index: int) -> int:
    return MARGIN + index * CELL


def _area(cells: Iterable[Vector]) -> str:
    corners = map(Drawing.corner, cells)
    return "".join(f"M{x} {y}h{CELL}v{CELL}h-{CELL}z" for x, y in corners)


def _way(maze: Maze, moves: Sequence[Vector] | None, *, shift: int) -> str:
    """The cells that moves lead through, as far as they stay inside the grid."""
    if not moves:
        return ""
    cells = [maze.entry]
    for move in moves:
        if not maze.dimension.includes(there := cells[-1] + move):
            break
        cells.append(there)
    return _line(cells, shift=shift)


def _line(cells: Sequence[Vector], *, shift: int = 0) -> str:
    if len(cells) < 2:
        return ""
    middles = [(x + CELL // 2 + shift, y + CELL // 2 + shift) for x, y in map(Drawing.corner, cells)]
    return "M" + "L".join(f"{x} {y}" for x, y in middles)
