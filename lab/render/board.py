"""Draw a maze for the pages: with visits, ways, a cycle, islands, and a number for each step.

A cell becomes pending in the step in which a neighbour is visited, and visited in its own step: these two
numbers per cell are all that the step-through needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from lab.maze import Maze
from lab.render import costs, marks
from lab.render.marks import Marks
from lab.vector import EAST, SOUTH, Vector

CELL = 40
MARGIN = 24
"""Room for the row and column numbers on the left and at the top."""
EDGE = 6
NUMBERS = 2
"""How many steps a cell shows that was visited repeatedly."""
NUMBERED = 400
"""Larger mazes are drawn without numbers, since nobody could read them."""
_WIDE = 20
"""Wider mazes are, too; entry and exit are then marked in large letters."""
_SCALES = ((4, 1.7), (7, 1.35), (12, 1.0), (10**9, 0.8))
"""Pairs: mazes of up to 4 columns are shown with cells of 1.7 times their size, and so on."""


@dataclass(frozen=True, slots=True)
class CellMark:
    """One cell of a search: its position, the step that found it, and those that visited it."""

    position: Vector
    x: int
    y: int
    seen: int
    visits: tuple[int, ...]
    """The steps that visited it: none if it was only found, several if the search came back."""

    @property
    def number(self) -> str:
        """The number drawn in the cell."""
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
    """The visited cells as one area, if they are too many to number."""
    expected_way: str = ""
    actual_way: str = ""
    parting: tuple[int, int] | None = None
    cycle: str = ""
    islands: str = ""
    labels: tuple[int, ...] = ()
    """The interval at which rows and columns are numbered at the edge."""
    facts: dict[str, tuple[Vector, ...]] = field(default_factory=dict)
    """The content of the drawing, for its text alternative."""
    written: Marks = field(default_factory=Marks)
    """What an exercise is given beside the maze, and answers, as far as it is written into cells."""

    @property
    def rows(self) -> range:
        """The rows that are numbered."""
        return _labelled(self.maze.dimension.row_count)

    @property
    def columns(self) -> range:
        """The columns that are numbered."""
        return _labelled(self.maze.dimension.column_count)

    @property
    def shown_width(self) -> int:
        """The width on the screen: cells of small mazes are enlarged."""
        columns = self.maze.dimension.column_count
        scale = next(scale for most, scale in _SCALES if columns <= most)
        return round(scale * self.width)

    @property
    def has_numbers(self) -> bool:
        """Whether visited cells show the numbers of their steps."""
        return bool(self.marks) and self.maze.dimension.column_count <= _WIDE

    @property
    def middle_is_taken(self) -> bool:
        """Whether letters must leave the middle of cells to ways or numbers."""
        is_wide = self.maze.dimension.column_count > _WIDE
        is_taken = not is_wide and (self.marks or self.expected_way or self.actual_way)
        return bool(is_taken or self.written)

    @property
    def scrolls(self) -> bool:
        """Whether it is shown in its full size, since what is written into its cells is small."""
        return bool(self.written) and self.maze.dimension.column_count > marks.SCROLLED

    @staticmethod
    def corner(position: Vector) -> tuple[int, int]:
        """Return the pixel position of a cell's north-west corner."""
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
    written: Marks | None = None,
) -> Drawing:
    """Draw a maze with visits, the expected and the actual way (as moves), a cycle and islands, and with
    what is written into its cells.
    """
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
        expected_way=_way(maze, expected, shift=-4 if actual else 0),
        actual_way=_way(maze, actual, shift=0),
        parting=Drawing.corner(parting) if parting is not None and inside(parting) else None,
        cycle=_line([*cycle, *cycle[:1]]),
        islands=_area(islands),
        facts={name: tuple(cells) for name, cells in facts.items()},
        written=written or Marks(),
    )


def to_svg(drawing: Drawing, *, kind: str, label: str) -> str:
    """Return the drawing as SVG; ``kind`` says whose visits it shows, ``label`` describes it in words."""
    columns = drawing.maze.dimension.column_count
    size = "" if columns <= 7 else " big" if columns <= _WIDE else " huge"
    steps = f' data-side="{kind}" data-steps="{drawing.steps}"' if drawing.steps else ""
    parts = [
        f'<svg role="img" preserveAspectRatio="xMinYMin" viewBox="0 0 {drawing.width} {drawing.height}" '
        f'width="{drawing.shown_width}" aria-label="{escape(label)}"{steps}>',
        f'<rect class="floor" x="{MARGIN}" y="{MARGIN}" width="{drawing.width - MARGIN - EDGE}" '
        f'height="{drawing.height - MARGIN - EDGE}"/>',
        _path("covered", drawing.covered),
        _path("islands", drawing.islands),
        f'<g class="cells">{"".join(map(_cell, drawing.marks))}</g>' if drawing.marks else "",
        f'<use href="#here" x="{drawing.parting[0]}" y="{drawing.parting[1]}"/>' if drawing.parting else "",
        _path("walls", drawing.walls),
        _path("cycle", drawing.cycle),
        _path("way expected-way", drawing.expected_way),
        _path("way actual-way", drawing.actual_way),
        costs.drawn(drawing.maze, cell=CELL, margin=MARGIN),
        f'<g class="edge{size}">{_edge(drawing)}</g>{_ends(drawing, "" if drawing.written else size)}',
        f'<g class="numbers">{"".join(map(_number, drawing.marks))}</g>' if drawing.has_numbers else "",
        marks.to_svg(drawing.written, drawing.corner, columns),
        "</svg>",
    ]
    return "\n".join(filter(None, parts))


def _path(name: str, data: str) -> str:
    return f'<path class="{name}" d="{data}"/>' if data else ""


def _cell(mark: CellMark) -> str:
    visits = f' data-v="{" ".join(map(str, mark.visits))}"' if mark.visits else ""
    return (
        f'<g class="{"v" if mark.visits else "p"}" data-c="{mark.position.row}, {mark.position.column}" '
        f'data-s="{mark.seen}"{visits} transform="translate({mark.x} {mark.y})"><use href="#c"/></g>'
    )


def _number(mark: CellMark) -> str:
    if not mark.visits:
        return ""
    several = ' class="several"' if len(mark.visits) > 1 else ""
    place = f'x="{mark.x + 34}" y="{mark.y + 34}" data-v="{mark.visits[0]}"'
    return f"<text {place}{several}>{mark.number}</text>"


def _edge(drawing: Drawing) -> str:
    rows = (f'<text x="12" y="{8 + CELL * row}">{row}</text>' for row in drawing.rows)
    columns = (f'<text x="{4 + CELL * column}" y="16">{column}</text>' for column in drawing.columns)
    return "".join([*rows, *columns])


def _ends(drawing: Drawing, size: str) -> str:
    ends = (("S", drawing.maze.entry), ("E", drawing.maze.exit))
    placed = [(letter, drawing.corner(cell)) for letter, cell in ends if cell is not None]
    right, down = (10, 12) if drawing.middle_is_taken else (20, 20)
    return "".join(
        f'<text class="mark{size}" x="{x + right}" y="{y + down}">{letter}</text>'
        for letter, (x, y) in placed
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
    """Return all walls as one path, with adjacent ones joined into one stroke."""
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
    """Return the start and the length of each unbroken run of true flags."""
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
    """Return the path along the moves, as far as they stay inside the grid."""
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
