"""What steps cost, on the openings of a picture: a number on a shade, the darker the dearer, and a legend.

The shades are those of ColorBrewer's YlOrBr: they differ in lightness, so that they are told apart by those
who see no colours. A maze whose steps all cost 1 has no marks, no legend, and no words.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple

from lab.costs import dear_steps
from lab.maze import Maze
from lab.render.strokes import wall_at
from lab.vector import Vector

SHADES: Final = {
    2: "#fff7bc",
    3: "#fee391",
    4: "#fec44f",
    5: "#fe9929",
    6: "#ec7014",
    7: "#cc4c02",
    8: "#993404",
    9: "#662506",
}
DARK, LIGHT, FRAME = "#1d2329", "#ffffff", "#7a4a12"
_LIGHT_FROM = 7
"""From this cost on the shade is so dark that its number is light."""
LEGEND: Final = "what a step costs; without a number it costs 1"
LEGEND_WIDTH, LEGEND_HEIGHT = 300, 44
"""The room for a legend below a picture, in pixels."""
_NAMED = 40
"""The most steps that are told by their cells; of more, only how many cost how much."""
_TOLD: Final = {
    "costs": "A step costs 1, but between these cells, by cost: {steps}.",
    "costs_many": "Other steps cost 1; how many cost more, by cost: {steps}.",
}


def ink_on(cost: int) -> str:
    """Return the colour of the number on the shade of that cost."""
    return LIGHT if cost >= _LIGHT_FROM else DARK


def middles(maze: Maze) -> Iterator[tuple[float, float, bool, int]]:
    """Yield the middle of each opening that costs more than 1, whether it is upright, and the cost."""
    for cell, move, cost in dear_steps(maze):
        x1, y1, x2, y2 = wall_at(cell, move)
        yield (x1 + x2) / 2, (y1 + y2) / 2, x1 == x2, cost


def drawn(maze: Maze, *, cell: int, margin: int) -> str:
    """Return the marks as SVG; ``cell`` and ``margin`` are in pixels."""
    long, thick = 0.6 * cell, 0.3 * cell
    marks = [
        _mark(margin + x * cell, margin + y * cell, *((thick, long) if is_upright else (long, thick)), cost)
        for x, y, is_upright, cost in middles(maze)
    ]
    return _group(marks, thick) if marks else ""


def legend(maze: Maze, *, x: float, y: float) -> str:
    """Return a legend as SVG, from this corner on: the shades that are there, and what they mean."""
    costs = _costs(maze)
    swatches = [_mark(x + 9 + 22 * place, y + 9, 18, 14, cost) for place, cost in enumerate(costs)]
    text = (
        f'<text x="{x:g}" y="{y + 32:g}" font-family="sans-serif" font-size="12" fill="{DARK}" '
        f'aria-hidden="true">{escape(LEGEND)}</text>'
    )
    return _group(swatches, 14) + text if costs else ""


def legend_item(maze: Maze | None, words: str = LEGEND) -> str:
    """Return an item for the legend of a page."""
    costs = _costs(maze) if maze is not None else []
    if not costs:
        return ""
    ends = [*dict.fromkeys((costs[0], costs[-1]))]
    swatches = _group([_mark(10 + 22 * n, 10, 18, 15, cost) for n, cost in enumerate(ends)], 15)
    width = 22 * len(ends) - 2
    icon = f'<svg width="{width}" height="20" viewBox="0 0 {width} 20" aria-hidden="true">'
    return f"<li>{icon}{swatches}</svg>{escape(words)}</li>"


def told(maze: Maze) -> str:
    """Say what steps cost, for those who cannot see the picture."""
    told = listed(maze)
    return _TOLD["costs_many" if told.is_counted else "costs"].format(steps=told.text) if told else ""


class Listed(NamedTuple):
    """The steps that cost more than 1, by cost: their cells or, where there are many, their number."""

    text: str
    is_counted: bool


def listed(maze: Maze) -> Listed | None:
    """List what steps cost, in no language; None where each costs 1."""
    by_cost: dict[int, list[str]] = {cost: [] for cost in _costs(maze)}
    for cell, move, cost in dear_steps(maze):
        by_cost[cost].append(f"{_cell(cell)}–{_cell(cell + move)}")
    is_counted = sum(map(len, by_cost.values())) > _NAMED
    parts = (f"{cost}: {len(steps) if is_counted else ', '.join(steps)}" for cost, steps in by_cost.items())
    return Listed("; ".join(parts), is_counted) if by_cost else None


def _costs(maze: Maze) -> list[int]:
    return sorted({cost for _, _, cost in dear_steps(maze)})


def _group(marks: list[str], thick: float) -> str:
    return (
        f'<g class="costs" font-family="sans-serif" font-weight="bold" font-size="{0.9 * thick:g}" '
        f'text-anchor="middle" dominant-baseline="central" aria-hidden="true">{"".join(marks)}</g>'
    )


def _mark(x: float, y: float, width: float, height: float, cost: int) -> str:
    name = ' class="dear"' if ink_on(cost) == LIGHT else ""
    return (
        f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" rx="3" '
        f'fill="{SHADES[cost]}" stroke="{FRAME}" stroke-width="0.75"/>'
        f'<text x="{x:g}" y="{y:g}"{name} fill="{ink_on(cost)}">{cost}</text>'
    )


def _cell(cell: Vector) -> str:
    return f"({cell.row}, {cell.column})"
