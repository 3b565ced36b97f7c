"""The text format of a maze: reading it, with errors that point at the mistake, and writing it.

``2R+1`` lines of ``2C+1`` characters: ``+`` at every corner, ``-`` and ``|`` for walls, a space
for an opening, and in the middle of a cell a space, ``S`` (entry) or ``E`` (exit). A digit from 2 to 9 is an
opening as well: what a step through it costs, either way. One through a space costs 1.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from lab.vector import Vector

NORTH_BIT, EAST_BIT, SOUTH_BIT, WEST_BIT = 1, 2, 4, 8
"""An open side of a cell is a bit; the bits follow the exploration order."""
_COSTS = "23456789"
_OPENING = "an opening (' ' or '2' to '9')"
_BESIDE = 16
_SIDES = bytes(
    _BESIDE if character == "\n" else character in " " + _COSTS for character in map(chr, range(256))
)
"""What each character of a side means: 1 for an opening, 0 for a wall; a line end is beside the maze."""
_NO_CELLS = bytes(range(_BESIDE, 256))


class MazeFormatError(ValueError):
    """A text that is no maze: where (``line`` and ``column`` from 1), what was found there, and what was
    expected."""

    def __init__(self, line: int, column: int, found: str, expected: str, text: str = "") -> None:
        self.line, self.column, self.found, self.expected = line, column, found, expected
        message = f"line {line}, column {column}: expected {expected}, found {found}"
        if text:
            shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
            message += "\n  " + _window(shown, column)
        super().__init__(message)


class ParsedMaze(NamedTuple):
    """The content of a text: sizes, the open sides of each cell (row by row), costs, entry and exit.

    ``costs`` holds what steps cost that cost more than 1, by ``16 * cell + bit`` and from both sides.
    """

    row_count: int
    column_count: int
    openings: bytearray
    costs: dict[int, int]
    entry: Vector
    exit: Vector | None


def lines_of(text: str) -> list[str]:
    """Split a text into lines, dropping a byte-order mark, CRLF and blank lines around it."""
    return text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").replace("\r\n", "\n").split("\n")


def parse(lines: Sequence[str]) -> ParsedMaze:
    """Read the lines of a maze. Raises MazeFormatError."""
    first, rows = _without_blank_ends(lines)
    width = len(rows[0]) if rows else 0
    if len(rows) < 3 or width < 3:
        raise MazeFormatError(
            first, 1, f"{len(rows)} line(s) of {width}", "a maze of at least 3 lines of 3 characters"
        )
    edges, middles = "\n".join(rows[::2]), "\n".join(rows[1::2])
    if not _fit(rows, width, edges, middles):
        for offset, line in enumerate(rows):
            _check_line(first + offset, line, offset, width)
    if len(rows) % 2 == 0:
        raise MazeFormatError(
            first + len(rows) - 1, 1, f"{len(rows)} lines", "an odd number of lines (2 x rows + 1)"
        )
    columns, walls = width // 2, middles[::2]
    if (rows[0] + rows[-1] + walls[:: columns + 1] + walls[columns :: columns + 1]).strip("+-|"):
        _check_border(first, rows)
    entry, exit_ = _marks(first, rows, middles[1::2])
    sides = edges[1::2] + "\n", walls, columns
    return ParsedMaze(len(rows) // 2, columns, _openings(*sides), _costs(*sides), entry, exit_)


def write(grid: ParsedMaze) -> str:
    """Write the maze as text, without a line end after the last line."""
    columns = grid.column_count
    lines = ["+-" * columns + "+"]
    for row in range(grid.row_count):
        cells = grid.openings[row * columns : (row + 1) * columns]
        lines.append("|" + "".join("  " if cell & EAST_BIT else " |" for cell in cells))
        lines.append("".join("+ " if cell & SOUTH_BIT else "+-" for cell in cells) + "+")
    text = bytearray("\n".join(lines), "ascii")
    width = 2 * columns + 2
    for mark, position in ((b"S", grid.entry), (b"E", grid.exit)):
        if position is not None:
            text[(2 * position[0] - 1) * width + 2 * position[1] - 1] = mark[0]
    for step, cost in grid.costs.items():
        (row, column), bit = divmod(step // 16, columns), step % 16
        if bit in (EAST_BIT, SOUTH_BIT):
            middle = (2 * row + 1) * width + 2 * column + 1
            text[middle + (1 if bit == EAST_BIT else width)] = ord("0") + cost
    return text.decode("ascii")


def _window(text: str, column: int) -> str:
    """Return the line with a caret under the column; of a long line, only the part around it."""
    start = max(0, column - 40)
    part = text[start : start + 72]
    return f"{part}\n  {' ' * (column - 1 - start)}^"


def _without_blank_ends(lines: Sequence[str]) -> tuple[int, list[str]]:
    """Return the number of the first line that is not blank, and the lines from there to the last such."""
    if lines and lines[0].strip() and lines[-1].strip():
        return 1, list(lines)
    kept = [number for number, line in enumerate(lines) if line.strip(" \t\r\n")]
    if not kept:
        return 1, []
    return kept[0] + 1, list(lines[kept[0] : kept[-1] + 1])


def _allowed(offset: int, column: int) -> tuple[str, str]:
    """Return the characters allowed at a place, and their description."""
    if offset % 2 == 0:
        return ("+", "a corner '+'") if column % 2 == 0 else ("- " + _COSTS, f"a wall '-' or {_OPENING}")
    if column % 2 == 0:
        return "| " + _COSTS, f"a wall '|' or {_OPENING}"
    return " SE", "the middle of a cell: ' ', 'S' or 'E'"


def _fit(rows: list[str], width: int, edges: str, middles: str) -> bool:
    """Return whether all lines are valid, checking them together.

    A line and its end have an even number of characters, so every second one is of the same kind in all
    lines.
    """
    return (
        width % 2 == 1
        and set(map(len, rows)) == {width}
        and edges.count("\n") + middles.count("\n") == len(rows) - 2
        and not edges[::2].strip("+")
        and not edges[1::2].strip("- \n" + _COSTS)
        and not middles[::2].strip("| " + _COSTS)
        and not middles[1::2].strip(" SE\n")
    )


def _fits(line: str, offset: int) -> bool:
    """Return whether all characters are allowed in such a line, however long it is."""
    return not line[::2].strip(_allowed(offset, 0)[0]) and not line[1::2].strip(_allowed(offset, 1)[0])


def _named(character: str) -> str:
    """Return a visible character, or the name of an invisible one."""
    if character.isspace() and character != " " and (called := unicodedata.name(character, "")):
        return f"a {called.lower()}"
    return repr(character)


def _check_line(number: int, line: str, offset: int, width: int) -> None:
    if _fits(line, offset) and len(line) == width and width % 2 == 1:
        return
    if not line.strip():
        raise MazeFormatError(number, 1, "a blank line", "a line of the maze: take the blank one out")
    if len(line) == width and _fits(line, offset + 1):
        kinds = ("a line of walls, '+-+'", "a line of cells, '| |'")
        expected = f"{kinds[offset % 2]}: one is missing here, or there is one too many"
        raise MazeFormatError(number, 1, kinds[1 - offset % 2], expected, line)
    for column, character in enumerate(line[:width]):
        allowed, description = _allowed(offset, column)
        if character not in allowed:
            raise MazeFormatError(number, column + 1, _named(character), description, line)
    if len(line) > width:
        raise MazeFormatError(
            number, width + 1, repr(line[width]), f"the end of the line after {width} characters", line
        )
    if len(line) < width:
        _, description = _allowed(offset, len(line))
        raise MazeFormatError(number, len(line) + 1, "the end of the line", description, line)
    raise MazeFormatError(number, width + 1, "the end of the line", "a corner '+'", line)


def _check_border(first: int, rows: list[str]) -> None:
    width = len(rows[0])
    level = [(offset, column, "-") for offset in (0, len(rows) - 1) for column in range(1, width, 2)]
    upright = [(offset, column, "|") for offset in range(1, len(rows), 2) for column in (0, width - 1)]
    for offset, column, wall in level + upright:
        if rows[offset][column] != wall:
            expected = f"a wall '{wall}': the border is closed"
            raise MazeFormatError(
                first + offset, column + 1, repr(rows[offset][column]), expected, rows[offset]
            )


def _marks(first: int, rows: list[str], centres: str) -> tuple[Vector, Vector | None]:
    """Return entry and exit; ``centres`` are the middles of all cells, with line ends between rows."""
    entry, exit_, width = centres.find("S"), centres.find("E"), len(rows[0]) // 2 + 1
    if entry < 0 or centres.find("S", entry + 1) >= 0 or centres.find("E", exit_ + 1) > exit_ >= 0:
        _refuse_marks(first, rows)
    there = None if exit_ < 0 else Vector(exit_ // width + 1, exit_ % width + 1)
    return Vector(entry // width + 1, entry % width + 1), there


def _refuse_marks(first: int, rows: list[str]) -> NoReturn:
    found = set()
    for offset in range(1, len(rows), 2):
        line = rows[offset]
        for mark, name in (("S", "entry"), ("E", "exit")):
            column = line.find(mark)
            if column < 0:
                continue
            again = line.find(mark, column + 1)
            if mark in found or again >= 0:
                where = column if mark in found else again
                raise MazeFormatError(
                    first + offset, where + 1, f"another '{mark}'", f"only one {name} '{mark}'", line
                )
            found.add(mark)
    raise MazeFormatError(first + 1, 2, "no 'S' in the whole maze", "an entry 'S' in one cell", rows[1])


def _openings(edges: str, walls: str, columns: int) -> bytearray:
    """Return the open sides of each cell, one byte per cell, row by row, computed for all cells at once.

    ``edges`` are the sides to the north and south, ``walls`` those to the west and east. A row of either has
    one place more than cells: ``edges`` for the line end, ``walls`` for the closing wall.
    """
    across = edges.encode("ascii").translate(_SIDES)
    along = walls.encode("ascii").translate(_SIDES)
    north, south = across[: -columns - 1], across[columns + 1 :]
    openings = 0
    for bit, side in enumerate((north, along[1:] + b"\0", south, along)):
        openings |= int.from_bytes(side, "big") << bit
    return bytearray(openings.to_bytes(len(along), "big").translate(None, _NO_CELLS))


def _costs(edges: str, walls: str, columns: int) -> dict[int, int]:
    """Return what the steps cost that cost more than 1; the arguments are those of ``_openings``."""
    costs = {}
    for sides, nearer, farther, back in (
        (edges, SOUTH_BIT, NORTH_BIT, columns),
        (walls, EAST_BIT, WEST_BIT, 1),
    ):
        for digit in _COSTS:
            place = sides.find(digit)
            while place >= 0:
                row, column = divmod(place, columns + 1)
                cell = row * columns + column
                costs[16 * (cell - back) + nearer] = costs[16 * cell + farther] = int(digit)
                place = sides.find(digit, place + 1)
    return costs
