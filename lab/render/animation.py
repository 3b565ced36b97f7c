"""A film as an animated picture: one SVG file that needs nothing else.

Every line and cell is in the picture from the start, and a style sets the moment from which it is visible:
``--t`` counts moments. So the picture is complete at any time, even if motion is switched off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lab.maze import Maze
from lab.render import costs, svg
from lab.render.colours import GROUND, JOINED, MARKER, VISITED, WALKED, WALL, WAY
from lab.render.film import Film, Ink, Moment
from lab.render.strokes import wall_at, walls
from lab.render.svg import CELL, MARGIN, path
from lab.vector import EAST, SOUTH, Vector

INKS: Final[dict[Ink, str]] = {"joined": JOINED, "visited": VISITED, "way": WAY, "walked": WALKED}

_STYLE = """
.on{animation:on 1ms linear both;animation-delay:calc(var(--t)*STEP)}
.off{animation:off 1ms linear both;animation-delay:calc(var(--t)*STEP)}
.now{opacity:0;animation:now STEP linear;animation-delay:calc(var(--t)*STEP)}
@keyframes on{from{opacity:0}to{opacity:1}}
@keyframes off{from{opacity:1}to{opacity:0}}
@keyframes now{from,to{opacity:1}}
"""
_STILL = "@media print,(prefers-reduced-motion:reduce){.on,.off{animation-delay:0s}.now{animation:none}}\n"


def to_animated_svg(film: Film, *, moment_seconds: float = 0.1) -> str:
    """Draw the film as an SVG picture that plays once; still on paper, or if motion is switched off."""
    return picture(film, moment_seconds=moment_seconds, extra_style=_STILL)


def picture(film: Film, *, moment_seconds: float, extra_style: str = "") -> str:
    """Draw the film as an SVG picture that plays once."""
    width, height = svg.picture_size(film.start)
    count = len(film.moments)
    text = f"{count} {'moment' if count == 1 else 'moments'}, in a maze of {film.start.dimension} cells."
    text = f"{text} {costs.told(film.start)}".rstrip()
    parts = [
        *svg.opening(width, height, film.title, text),
        f"<style>{_STYLE.replace('STEP', f'{moment_seconds:g}s')}{extra_style}</style>",
        *svg.numbers(film.start.dimension),
        *_ground(film.start),
        *_cells(film.moments),
        *_walls(film),
        *svg.priced(film.start),
        *svg.marks(film.start),
        *_marker(film.moments),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def is_blank(maze: Maze) -> bool:
    """Tell whether no two cells are connected, so that nothing of the maze is visible yet."""
    return not any(maze.valid_moves_at(cell) for cell in maze.dimension.all_positions())


def coloured(moment: Moment) -> tuple[Vector, ...]:
    """Return the cells that change colour: two if a wall opens, none if one closes."""
    if moment.wall is None:
        return (moment.cell,)
    return (moment.cell + moment.wall, moment.cell) if moment.is_open else ()


def _ground(start: Maze) -> Iterator[str]:
    if is_blank(start):
        width, height = CELL * start.dimension.column_count, CELL * start.dimension.row_count
        yield f'<rect x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}" fill="{GROUND}"/>'


def _cells(moments: Sequence[Moment]) -> Iterator[str]:
    done: set[tuple[Vector, Ink]] = set()
    for time, moment in enumerate(moments):
        for cell in coloured(moment):
            if (cell, moment.ink) not in done:
                done.add((cell, moment.ink))
                x, y = MARGIN + CELL * (cell.column - 1), MARGIN + CELL * (cell.row - 1)
                yield f'<path{_from(time)} fill="{INKS[moment.ink]}" d="M{x} {y}h{CELL}v{CELL}h-{CELL}z"/>'


def _walls(film: Film) -> Iterator[str]:
    """Yield one path for the permanent walls, and one for each period in which others exist."""
    changes: dict[tuple[Vector, Vector], list[tuple[int, bool]]] = {}
    still = film.start.copy()
    for time, moment in enumerate(film.moments):
        if moment.wall is not None:
            changes.setdefault(_side(moment.cell, moment.wall), []).append((time, moment.is_open))
            still.break_wall(moment.cell, moment.wall)
    yield f'<g fill="none" stroke="{WALL}" stroke-width="2" stroke-linecap="square">'
    yield f'<path d="{path(walls(still))}"/>'
    for (cell, move), happened in changes.items():
        data = path(iter([wall_at(cell, move)]))
        for start, end in _standing(happened, stood=film.start.is_wall(cell, move)):
            shown = f'<path{_from(start)} d="{data}"/>'
            yield shown if end is None else f'<g class="off" style="--t:{end}">{shown}</g>'
    yield "</g>"


def _side(cell: Vector, move: Vector) -> tuple[Vector, Vector]:
    """Return the same name for a wall from either of its cells."""
    return (cell, move) if move in (EAST, SOUTH) else (cell + move, move.opposite())


def _standing(changes: list[tuple[int, bool]], *, stood: bool) -> Iterator[tuple[int | None, int | None]]:
    """Yield the spans in which a wall exists; None means from the start, or to the end."""
    stands, since = stood, None
    for time, is_open in changes:
        if stands and is_open:
            yield since, time
        elif not stands and not is_open:
            since = time
        stands = not is_open
    if stands:
        yield since, None


def _marker(moments: Sequence[Moment]) -> Iterator[str]:
    yield f'<g fill="{MARKER}" aria-hidden="true">'
    for time, moment in enumerate(moments):
        x, y = MARGIN + CELL * (moment.cell.column - 0.5), MARGIN + CELL * (moment.cell.row - 0.5)
        yield f'<circle class="now" style="--t:{time}" cx="{x:g}" cy="{y:g}" r="6"/>'
    yield "</g>"


def _from(time: int | None) -> str:
    """Return the attributes that make an element visible from that moment on."""
    return "" if time is None else f' class="on" style="--t:{time}"'
