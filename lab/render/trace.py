"""A page that shows the maze, the pending cells, the calls and the lines of a solver step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from string import Template
from typing import Any, Final

from lab.maze import Maze
from lab.render import board, costs, marks
from lab.render.marks import Marks
from lab.render.page import asset, data, page_style, policy
from lab.render.strokes import middles, walls

SIZE, MARGIN, EDGE = 40, 24, 6
"""Pixels of a cell, of the room for the numbers, and of the room on the other sides."""
_KINDS: Final = {
    "queue": ("Queue", "cells leave on the left, and come in on the right", "queue"),
    "stack": ("Stack", "cells come in and leave at the top", "stack"),
    "top first": ("Stack", "cells come in and leave at the top, the front of the list", "stack"),
    "priority": ("Priority queue", "the least leaves first, wherever it stands", "other"),
    "set": ("Set", "without an order", "other"),
    "dict": ("Dictionary", "its keys, in the order they came", "other"),
    "list": ("List", "cells do not leave at one end only", "other"),
}


def to_page(
    title: str, maze: Maze, recording: Mapping[str, Any], sources: Mapping[str, str], *, step: int = 0
) -> str:
    """Return the page of a recording (``lab.tracing``, and how it ended) with the files that it names.

    It opens at a step, the number of a line as it ran; by default at the first one, or where it crashed.
    """
    style, script = page_style() + asset("trace.css"), asset("trace.js")
    return Template(asset("trace.html")).substitute(
        policy=policy(style, script),
        symbols=asset("symbols.svg"),
        style=style,
        script=script,
        title=escape(title),
        ending=_ending(recording),
        last=len(recording["steps"]),
        picture=_picture(maze, recording),
        held="\n".join(_held(recording)),
        legend=_legend(maze, recording),
        source="".join(_source(name, text) for name, text in sources.items()),
        recording=data({"columns": maze.dimension.column_count, "step": step, **recording}),
    )


def _ending(recording: Mapping[str, Any]) -> str:
    """Say how the solver ended, with the place of a crash, and how much of the recording is shown."""
    ending = recording["ending"]
    parts = [f'<p class="ending {ending["kind"]}">{escape(ending["text"])}</p>']
    if ending.get("trace"):
        where = 'tabindex="0" role="region" aria-label="Where it happened"'
        parts.append(f"<pre {where}>{escape(ending['trace'])}</pre>")
    if recording["first"]:
        shown, total = len(recording["steps"]), recording["total"]
        parts.append(f'<p class="muted">The last {shown:,} of {total:,} lines that ran are shown.</p>')
    return "\n".join(parts)


def _picture(maze: Maze, recording: Mapping[str, Any]) -> str:
    rows, columns = maze.dimension.row_count, maze.dimension.column_count
    width, height = MARGIN + SIZE * columns + EDGE, MARGIN + SIZE * rows + EDGE
    size = "" if columns <= 7 else " big" if columns <= 20 else " huge"
    written = _written(maze, recording)
    parts = [
        '<figure class="picture"><svg id="maze" role="img" preserveAspectRatio="xMinYMin" '
        f'viewBox="0 0 {width} {height}" '
        f'aria-label="{escape(_label(maze, written))}">',
        f'<rect class="floor" x="{MARGIN}" y="{MARGIN}" width="{SIZE * columns}" height="{SIZE * rows}"/>',
        *_cells(rows, columns),
        f'<path class="walls" d="{_walls(maze)}"/><path class="arrows" id="arrows"/>',
        _way(maze, recording["ending"].get("way")),
        costs.drawn(maze, cell=SIZE, margin=MARGIN),
        f'<g class="edge{size}">{"".join(_numbers(rows, columns))}</g>',
        *_marks(maze, "" if written else size, lift=9 if written else 0),
        f'<g class="actual">{marks.to_svg(written, board.Drawing.corner, columns)}</g>' if written else "",
        "</svg></figure>",
        marks.tables(written.beside),
    ]
    return "\n".join(filter(None, parts))


def _written(maze: Maze, recording: Mapping[str, Any]) -> Marks:
    """Return what is written into cells: what the call is given beside the maze, and what it returned."""
    given, answer = recording.get("given", ()), recording["ending"].get("marked")
    came = marks.from_plain(answer) if answer else None
    return marks.arrange([*map(marks.from_plain, given)], maze.dimension, came)


def _label(maze: Maze, written: Marks) -> str:
    label = f"The maze, {maze.dimension} cells, with what the solver has visited"
    return ". ".join(filter(None, [label, *written.words, costs.told(maze)]))


def _cells(rows: int, columns: int) -> Iterator[str]:
    for row in range(rows):
        for column in range(columns):
            x, y, number = MARGIN + SIZE * column, MARGIN + SIZE * row, row * columns + column
            yield f'<g data-cell="{number}" transform="translate({x} {y})"><use href="#c"/></g>'


def _walls(maze: Maze) -> str:
    lines = (tuple(MARGIN + SIZE * place for place in stroke) for stroke in walls(maze))
    return "".join(f"M{x1} {y1}L{x2} {y2}" for x1, y1, x2, y2 in lines)


def _way(maze: Maze, cells: list[int] | None) -> str:
    if not cells:
        return ""
    positions = [maze.dimension.all_positions()[cell] for cell in cells]
    moves = [positions[n + 1] + one.opposite() for n, one in enumerate(positions[:-1])]
    points = (f"{MARGIN + SIZE * x:g},{MARGIN + SIZE * y:g}" for x, y in middles(positions[0], moves))
    return f'<polyline class="found-way" id="way" points="{" ".join(points)}"/>'


def _numbers(rows: int, columns: int) -> Iterator[str]:
    every = 1 if columns <= 20 else 5
    for column in range(every, columns + 1, every):
        yield f'<text x="{MARGIN + SIZE * (column - 0.5):g}" y="{MARGIN - 8}">{column}</text>'
    for row in range(every, rows + 1, every):
        yield f'<text x="{MARGIN / 2 + 1:g}" y="{MARGIN + SIZE * (row - 0.5) + 4:g}">{row}</text>'


def _marks(maze: Maze, size: str, lift: int) -> Iterator[str]:
    for letter, position in (("S", maze.entry), ("E", maze.exit)):
        if position is not None:
            x, y = MARGIN + SIZE * (position.column - 0.5), MARGIN + SIZE * (position.row - 0.5)
            yield f'<text class="mark{size}" x="{x - lift:g}" y="{y - lift:g}">{letter}</text>'


def _legend(maze: Maze, recording: Mapping[str, Any]) -> str:
    pending, cell = recording["pending"], '<g class="{}"><use href="#c"/></g>'
    keys = [(cell.format("now"), "visited now"), (cell.format("v"), "visited")]
    if recording["calls"]:
        keys.append((cell.format("s"), "visited, in a call that is not finished"))
    if pending is not None:
        keys.append((cell.format("p"), f"in {pending['name']}"))
    if recording["parents"]:
        arrow = '<path class="arrows" d="M32 20H8m7-6L8 20l7 6"/>'
        keys.append((arrow, "leads to the cell it was found from"))
    if recording["ending"].get("way"):
        keys.append(('<path class="found-way" d="M2 20H38"/>', "the way that was returned"))
    beside = marks.legend_items([_written(maze, recording)])
    icon = '<svg class="icon" viewBox="0 0 40 40" aria-hidden="true">'
    items = "".join(f"<li>{icon}{drawn}</svg>{escape(text)}</li>" for drawn, text in keys)
    return f'<ul class="legend">{items}{beside}{costs.legend_item(maze)}</ul>'


def _held(recording: Mapping[str, Any]) -> Iterator[str]:
    """Yield the pending cells, if known, and the calls, if the solver is recursive."""
    if (pending := recording["pending"]) is not None:
        kind, about, look = _KINDS[pending["kind"]]
        yield _holder("pending", f"{kind}: <code>{escape(pending['name'])}</code>", about, look)
    if recording["calls"]:
        about = "a call comes in at the top, and leaves when it returns"
        yield _holder("calls", "Call stack", about, "stack")


def _holder(name: str, title: str, about: str, look: str) -> str:
    return (
        f'<section class="{look}" aria-labelledby="{name}-title"><h2 id="{name}-title">{title}</h2>'
        f'<p class="muted"><span id="{name}-count"></span>; {about}</p>'
        f'<ul class="holder" id="{name}"></ul></section>'
    )


def _source(name: str, text: str) -> str:
    lines = "".join(
        f"<li><span>{number}</span><code>{escape(line) or ' '}</code></li>"
        for number, line in enumerate(text.rstrip("\n").split("\n"), start=1)
    )
    return f'<ol data-file="{escape(name)}" hidden>{lines}</ol>'
