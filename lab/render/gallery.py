"""Generators side by side: a maze of each with its solution, and figures about many of its mazes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Final

from lab.dimension import Dimension
from lab.factory import Factory
from lab.generator import Generator
from lab.maze import Maze
from lab.render import costs, svg
from lab.render.colours import LINE, PAPER, SOLUTION, WALL
from lab.render.strokes import walls
from lab.texture import MEASURES, Texture, average, solution, texture

Make = Callable[[Random], Generator]

LABELS: Final = {
    "dead_ends": "Dead ends",
    "branching": "Branching",
    "straight_run": "Straight run",
    "solution": "Solution",
    "turns": "Turns",
    "diameter": "Diameter",
}
_SHARES: Final = ("dead_ends", "branching")

_STYLE: Final = f"""
body{{font:1rem/1.5 system-ui,sans-serif;margin:1.5rem;color:{WALL};background:{PAPER};max-width:80rem}}
.mazes{{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:1.5rem}}
figure{{margin:0}}
figure svg{{width:100%;height:auto}}
figcaption{{font-weight:600}}
.wide{{overflow-x:auto}}
table{{border-collapse:collapse;margin-top:1.5rem}}
th,td{{padding:.3rem .8rem;text-align:right;border-bottom:1px solid {LINE}}}
th:first-child{{text-align:left}}
dt{{font-weight:600}}
"""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One generator: its name, one of its mazes, and the average texture of many."""

    name: str
    maze: Maze
    figures: Texture


def exhibit(
    generators: Mapping[str, Make], dimension: Dimension, *, seed: int, samples: int
) -> tuple[Exhibit, ...]:
    """Let each generator make ``samples`` mazes, the first of which is shown.

    Raises ValueError, with the generator's name, if a maze is not perfect or has no exit.
    """
    return tuple(
        _exhibit(name, make, dimension, seed=seed, samples=samples) for name, make in generators.items()
    )


def _exhibit(name: str, make: Make, dimension: Dimension, *, seed: int, samples: int) -> Exhibit:
    generator, factory = make(Random(seed)), Factory()
    mazes = [generator.generate(factory, dimension) for _ in range(samples)]
    try:
        return Exhibit(name, mazes[0], average(map(texture, mazes)))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def to_page(exhibits: Sequence[Exhibit], *, samples: int) -> str:
    """Show the exhibits on an HTML page that needs nothing else."""
    size = exhibits[0].maze.dimension
    figures = "\n".join(_figure(shown) for shown in exhibits)
    head = "".join(f'<th scope="col">{LABELS[name]}</th>' for name in MEASURES)
    rows = "\n".join(_row(shown) for shown in exhibits)
    meanings = "\n".join(f"<dt>{LABELS[name]}</dt><dd>{text}</dd>" for name, text in MEASURES.items())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Generators side by side</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>Generators side by side</h1>
<p>One maze of {size} cells by each, and averages over {_mazes(samples)} by each.</p>
<div class="mazes">
{figures}
</div>
<div class="wide" role="region" aria-label="Figures" tabindex="0">
<table>
<thead><tr><th scope="col">Generator</th>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
<h2>What the figures are</h2>
<dl>
{meanings}
</dl>
</main>
</body>
</html>
"""


def to_sheet(exhibits: Sequence[Exhibit], *, samples: int, across: int = 3) -> str:
    """Show the exhibits in one SVG picture, with the figures below each."""
    size = exhibits[0].maze.dimension
    width, height = max(230, svg.CELL * size.column_count) + 30, svg.CELL * size.row_count + 100
    lines = -(-len(exhibits) // across)
    text = "; ".join(f"{shown.name}: {', '.join(_told(shown.figures))}" for shown in exhibits)
    total = (width * min(across, len(exhibits)), height * lines)
    parts = svg.opening(*total, f"{len(exhibits)} generators, averages over {_mazes(samples)}", text)
    for number, shown in enumerate(exhibits):
        x, y = number % across * width + 15, number // across * height + 15
        parts.append(f'<g transform="translate({x} {y})">{_panel(shown)}</g>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(shown: Exhibit) -> str:
    figures = _told(shown.figures)
    below = svg.CELL * shown.maze.dimension.row_count + 40
    captions = [
        f'<text y="{y}" font-family="sans-serif" font-size="{height}"{weight}>{svg.clean(caption)}</text>'
        for y, height, weight, caption in (
            (12, 15, ' font-weight="bold"', shown.name),
            (below, 12, "", ", ".join(figures[:3])),
            (below + 17, 12, "", ", ".join(figures[3:])),
        )
    ]
    # the picture of a maze has room for numbers in the north-west, which are left out here
    inner = f'<g transform="translate({-svg.MARGIN} {22 - svg.MARGIN})">{_drawn(shown.maze)}</g>'
    return "".join([*captions, inner])


def _drawn(maze: Maze) -> str:
    way = svg.line(maze.entry, solution(maze))
    return (
        f'<path d="{svg.path(walls(maze))}" fill="none" stroke="{WALL}" stroke-width="2" '
        'stroke-linecap="square"/>'
        f'<polyline points="{way}" fill="none" stroke="{SOLUTION}" stroke-width="4" stroke-dasharray="8 5"/>'
        f"{costs.drawn(maze, cell=svg.CELL, margin=svg.MARGIN)}"
    )


def _figure(shown: Exhibit) -> str:
    picture = svg.to_svg(shown.maze, solution=solution(shown.maze), title=f"A maze by {shown.name}")
    return f"<figure>\n<figcaption>{svg.clean(shown.name)}</figcaption>\n{picture}</figure>"


def _row(shown: Exhibit) -> str:
    cells = "".join(f"<td>{text}</td>" for text in figure_texts(shown.figures).values())
    return f'<tr><th scope="row">{svg.clean(shown.name)}</th>{cells}</tr>'


def _mazes(count: int) -> str:
    return "1 maze" if count == 1 else f"{count} mazes"


def _told(figures: Texture) -> list[str]:
    return [f"{LABELS[name].lower()} {text}" for name, text in figure_texts(figures).items()]


def figure_texts(figures: Texture) -> dict[str, str]:
    """Format the figures for people."""
    return {
        name: f"{100 * value:.0f} %" if name in _SHARES else f"{value:.1f}"
        for name, value in asdict(figures).items()
    }


def write_gallery(
    path: str | Path, generators: Mapping[str, Make], dimension: Dimension, *, seed: int, samples: int
) -> None:
    """Write the gallery as one picture if the file's suffix is ``.svg``, else as an HTML page."""
    exhibits = exhibit(generators, dimension, seed=seed, samples=samples)
    write = to_sheet if Path(path).suffix.lower() == ".svg" else to_page
    Path(path).write_text(write(exhibits, samples=samples), encoding="utf-8", newline="\n")
