"""Write a film as a GIF, with Pillow."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from lab.costs import has_costs
from lab.maze import Maze
from lab.optional_packages import need
from lab.render import costs
from lab.render.animation import INKS, coloured, is_blank
from lab.render.colours import GROUND, MARKER, PAPER, WALL
from lab.render.film import Film, Moment
from lab.render.strokes import wall_at
from lab.vector import MOVES, Vector

CELL: Final = 18
EDGE: Final = 4
_MARK: Final = 4
"""Half the width of what a step costs, in pixels."""
_LAST_SECONDS: Final = 3.0
"""How long the last picture is shown before the film starts again."""


def write_gif(film: Film, path: str | Path, *, moment_seconds: float = 0.1) -> None:
    """Write the film into a file, as an endless loop.

    Raises MissingPackage if Pillow is missing, or OSError.
    """
    canvas = _Canvas(film.start)
    frames = [canvas.copy()]
    for moment in film.moments:
        canvas.show(moment)
        frames.append(canvas.copy(marked=moment.cell))
    frames.append(canvas.copy())
    seconds = [moment_seconds] * (len(frames) - 1) + [_LAST_SECONDS]
    frames[0].save(
        path,
        format="GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[round(1000 * each) for each in seconds],
        loop=0,
        optimize=True,
    )


class _Canvas:
    """The current maze, in pixels."""

    def __init__(self, start: Maze) -> None:
        self._maze = start.copy()
        self._blank = is_blank(start)
        self._colours: dict[Vector, str] = {}
        self._drawing = need("PIL.ImageDraw", package="pillow")
        size = start.dimension
        width, height = 2 * EDGE + CELL * size.column_count, 2 * EDGE + CELL * size.row_count
        if has_costs(start):
            width, height = max(width, costs.LEGEND_WIDTH), height + CELL
        self._image = need("PIL.Image", package="pillow").new("RGB", (width, height), PAPER)
        for cell in size.all_positions():
            self._fill(cell)
        for cell in size.all_positions():
            self._outline(cell)

    def show(self, moment: Moment) -> None:
        """Apply an event."""
        if moment.wall is not None:
            change = self._maze.break_wall if moment.is_open else self._maze.build_wall
            change(moment.cell, moment.wall)
        changed = {moment.cell, *coloured(moment)}
        for cell in coloured(moment):
            self._colours[cell] = INKS[moment.ink]
        for cell in changed:
            self._fill(cell)
        # a filled cell may cover the ends of walls around it
        for cell in changed:
            for row in (-1, 0, 1):
                for column in (-1, 0, 1):
                    self._outline(cell + Vector(row, column))

    def copy(self, *, marked: Vector | None = None) -> Any:
        """Return the picture with S and E, and with a dot in the event's cell."""
        image = self._image.copy()
        draw = self._drawing.Draw(image)
        for letter, position in (("S", self._maze.entry), ("E", self._maze.exit)):
            if position is not None:
                x, y = _middle(position)
                left, top, right, bottom = draw.textbbox((0, 0), letter)
                draw.text((x - (left + right) / 2, y - (top + bottom) / 2), letter, fill=WALL)
        for x, y, _, cost in costs.middles(self._maze):
            x, y = EDGE + CELL * x, EDGE + CELL * y
            box = (x - _MARK, y - _MARK - 1, x + _MARK, y + _MARK + 1)
            draw.rectangle(box, fill=costs.SHADES[cost], outline=costs.FRAME)
            draw.text((x, y), str(cost), fill=costs.ink_on(cost), anchor="mm")
        if has_costs(self._maze):
            draw.text((EDGE, 2 * EDGE + CELL * self._maze.dimension.row_count), costs.LEGEND, fill=WALL)
        if marked is not None:
            x, y = _middle(marked)
            draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=MARKER)
        return image.quantize(32 if has_costs(self._maze) else 16, dither=0)

    def _fill(self, cell: Vector) -> None:
        x, y = EDGE + CELL * (cell.column - 1), EDGE + CELL * (cell.row - 1)
        colour = self._colours.get(cell, GROUND if self._blank else PAPER)
        self._drawing.Draw(self._image).rectangle((x, y, x + CELL, y + CELL), fill=colour)

    def _outline(self, cell: Vector) -> None:
        """Draw a cell's walls, including the border's."""
        if not self._maze.dimension.includes(cell):
            return
        draw = self._drawing.Draw(self._image)
        for move in MOVES:
            if self._maze.is_wall(cell, move):
                corners = [EDGE + CELL * corner for corner in wall_at(cell, move)]
                draw.line(corners, fill=WALL, width=2)


def _middle(cell: Vector) -> tuple[float, float]:
    return EDGE + CELL * (cell.column - 0.5), EDGE + CELL * (cell.row - 0.5)
