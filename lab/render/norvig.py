"""A maze as text in Norvig's style: corners ``o``, wide cells, and gaps in the border for the ends.

Source: P. Norvig, "Maze Generation" (a notebook of pytudes). The entry is the gap in the northern
border, the exit the gap in the southern one (there is none where the maze has no exit):

    o  o--o--o
    |     |  |
    o--o  o  o
    |        |
    o--o--o  o

What a step costs stands in its opening: ``3`` between columns, ``3`` and a space between rows.
"""

from __future__ import annotations

from typing import Final

from lab.maze import Maze
from lab.maze_format import MazeFormatError, lines_of

_COSTS: Final = "23456789"
_WIDE: Final = {"+": "o", "-": "--", "|": "|"}


def to_norvig(maze: Maze) -> str:
    """Write the maze; ``from_norvig`` reads it back.

    Raises ValueError if the entry is not in the first row, or the exit not in the last.
    """
    if maze.entry.row != 1:
        raise ValueError(f"expected the entry in the first row, where its gap is, got {tuple(maze.entry)}")
    if maze.exit is not None and maze.exit.row != maze.dimension.row_count:
        raise ValueError(f"expected the exit in the last row, where its gap is, got {tuple(maze.exit)}")
    lines = [list(line) for line in maze.to_text().split("\n")]
    lines[0][2 * maze.entry.column - 1] = " "
    if maze.exit is not None:
        lines[-1][2 * maze.exit.column - 1] = " "
    return "\n".join("".join(map(_widened, range(len(line)), line)) for line in lines)


def from_norvig(text: str) -> Maze:
    """Read a maze in this style. Raises MazeFormatError with line and column."""
    lines = lines_of(text.rstrip())
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    del lines[:first]
    width = len(lines[0])
    if len(lines) < 3 or len(lines) % 2 == 0 or width < 4 or width % 3 != 1:
        found = f"{len(lines)} line(s), the first of {width}"
        raise MazeFormatError(first + 1, 1, found, "2 x rows + 1 lines of 3 x columns + 1 characters")
    narrow = [
        _narrowed(
            first + number, line, width, _COSTS if 1 < number < len(lines) else "", corners=number % 2 == 1
        )
        for number, line in enumerate(lines, start=1)
    ]
    entry = _gap(first + 1, narrow[0], lines[0])
    exit_ = _gap(first + len(lines), narrow[-1], lines[-1])
    if entry is None:
        raise MazeFormatError(first + 1, 2, "no gap in the northern border", "one gap, the entry", lines[0])
    if len(lines) == 3 and entry == exit_:
        raise MazeFormatError(first + 3, entry // 2 * 3 + 2, "the exit", "it in another cell than the entry")
    narrow[1][entry] = "S"
    if exit_ is not None:
        narrow[-2][exit_] = "E"
    narrow[0] = narrow[-1] = list("+-" * (width // 3) + "+")
    return Maze(["".join(line) for line in narrow])


def _widened(column: int, sign: str) -> str:
    if column % 2 == 0:
        return _WIDE.get(sign, sign)
    return "--" if sign == "-" else f"{sign if sign in _COSTS else ' '} "


def _narrowed(number: int, line: str, width: int, costs: str, *, corners: bool) -> list[str]:
    """Return the line in the lab's format, without the marks. Raises MazeFormatError."""
    narrow = []
    for start in range(0, width, 3):
        narrow.append("+" if corners else line[start : start + 1])
        border = start in (0, width - 1)
        _expect(
            number,
            line,
            start,
            ("o",) if corners else ("|",) if border else ("|", " "),
            "" if corners or border else costs,
        )
        if start < width - 1:
            allowed = ("--", "  ") if corners else ("  ",)
            _expect(number, line, start + 1, allowed, costs if corners else "")
            narrow.append(line[start + 1])
    if len(line) > width:
        expected = f"the end of the line after {width} characters"
        raise MazeFormatError(number, width + 1, repr(line[width]), expected, line)
    return narrow


def _expect(number: int, line: str, start: int, allowed: tuple[str, ...], costs: str = "") -> None:
    wide = len(allowed[0])
    found = line[start : start + wide]
    if found not in (*allowed, *(cost.ljust(wide) for cost in costs)):
        shown = repr(found) if found else "the end of the line"
        expected = " or ".join(map(repr, allowed)) + (", or what a step costs" if costs else "")
        raise MazeFormatError(number, start + 1, shown, expected, line)


def _gap(number: int, narrow: list[str], line: str) -> int | None:
    """Return the column of the only gap in a border line; None if there is none.

    Raises MazeFormatError if there are several.
    """
    gaps = [place for place, sign in enumerate(narrow) if place % 2 == 1 and sign == " "]
    if len(gaps) > 1:
        column = gaps[1] // 2 * 3 + 2
        raise MazeFormatError(number, column, "another gap", "one gap in this side of the border", line)
    return gaps[0] if gaps else None
