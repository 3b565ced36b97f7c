"""Find mazes drawn in a text: alone, or in comments, strings and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

Rows = tuple[str, ...]

_RUN: Final = re.compile(r"[-+| SE]*[+|][-+| SE]*")
"""A possible row of a drawing, or of several drawings side by side."""
_BORDER: Final = re.compile(r"(?<![-+|])\+(?:-\+)+(?![-+|])")
_SWAPPED: Final = str.maketrans("-|", "|-")


def drawings(text: str) -> Iterator[tuple[int, Rows]]:
    """Yield the drawings of mazes in a text, each with the number of its first line."""
    runs: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in line.replace("\\n", "\n").split("\n"):
            runs += [(number, run) for run in _RUN.findall(part)]
    for index, (number, run) in enumerate(runs):
        for border in _BORDER.finditer(run):
            for rows in _complete_drawings(runs[index + 1 :], border):
                yield number, rows


def canonical(rows: Rows) -> Rows:
    """Return a form that is the same for all rotations and reflections of a drawing."""
    across = tuple("".join(column).translate(_SWAPPED) for column in zip(*rows, strict=True))
    seen = (side[::step] for side in (rows, across) for step in (1, -1))
    return min(turned for drawn in seen for turned in (drawn, tuple(row[::-1] for row in drawn)))


def walls(rows: Rows) -> Rows:
    """Remove entry and exit from the drawing."""
    return tuple(row.replace("S", " ").replace("E", " ") for row in rows)


def _complete_drawings(below: Sequence[tuple[int, str]], top: re.Match[str]) -> Iterator[Rows]:
    """Yield each drawing that begins with this border and ends with an equal one below."""
    width, rows = len(top[0]), [top[0]]
    cells = re.compile(
        rf"(?<![-+|])\|(?=.{{{width - 1}}}(?![-+|]))(?:[ SE][ |]){{{(width - 3) // 2}}}[ SE]\|"
    )
    openings = re.compile(rf"(?<![-+|])\+(?:[- ]\+){{{(width - 1) // 2}}}(?![-+|])")
    for _, run in below:
        row = _match_row(cells if len(rows) % 2 else openings, run, top.start())
        if row is None:
            return
        rows.append(row)
        if row == top[0] and len(rows) % 2:
            yield tuple(rows)


def _match_row(pattern: re.Pattern[str], run: str, start: int) -> str | None:
    """Return the row aligned with the border, else the first one of the same width."""
    found = pattern.match(run, start) or pattern.search(run)
    return found and found[0]
