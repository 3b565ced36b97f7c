"""The page of ``maze check``: the public tests in the style of the feedback, with pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from string import Template
from typing import Any, Final

from lab.maze import Maze
from lab.render import board, costs, layout, marks, story
from lab.render.marks import Marked, Marks
from lab.render.page import asset, page_style, policy
from lab.vector import Vector
from lab.way import cell_text

DRAWN_CELLS = 400
"""Larger mazes are not drawn."""
TRY: Final = re.compile(r"Try it: (maze .*)", re.DOTALL)
"""The beginning of advice that is a command."""
_FRAME: Final = re.compile(r'^ *File "(.*)", line (\d+)', re.MULTILINE)
_PENDING: Final = (
    '<li><svg width="28" height="20" viewBox="0 0 28 20" aria-hidden="true">'
    '<g class="p"><use href="#c" transform="translate(4 0) scale(.5)"/></g></svg>pending</li>'
)
_PARTING: Final = (
    '<li><svg width="28" height="20" viewBox="0 0 28 20" aria-hidden="true">'
    '<use href="#here" transform="translate(4 0) scale(.5)"/></svg>first difference</li>'
)
_SIDES: Final = (
    ("expected", "Expected", "The maze with the expected visits"),
    ("actual", "Yours", "The maze with the cells that were seen of your solver"),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A failed test: its title, its message, and its example, if it has one."""

    title: str
    message: str
    example: dict[str, Any] | None
    """As ``lab.commands.reporter`` reports it, with the ``story`` of the call if there is one."""

    @property
    def cause(self) -> object:
        """What it has in common with those that failed alike: the line that raised, or what is said of it."""
        frames = _FRAME.findall(self.message)
        said = self.message.partition(":")[0] if frames else (self.example or {}).get("message", self.message)
        return said, *frames[-1:]


@dataclass(frozen=True, slots=True)
class ExerciseShown:
    """The tests of one exercise."""

    id: str
    title: str
    file: str
    is_unwritten: bool
    failed: tuple[Shown, ...]
    passed: tuple[str, ...]
    not_run: tuple[str, ...] = ()
    """The titles of those that were left out for what had happened before."""

    @property
    def groups(self) -> list[list[Shown]]:
        """The failures by cause; all are one if nothing is written yet."""
        groups: dict[object, list[Shown]] = {}
        for shown in self.failed:
            groups.setdefault(self.is_unwritten or shown.cause, []).append(shown)
        return [*groups.values()]

    @property
    def count(self) -> int:
        """The number of tests."""
        return len(self.failed) + len(self.passed) + len(self.not_run)


def to_page(
    title: str, summary: str, advice: str, exercises: Sequence[ExerciseShown], *, script: str = ""
) -> str:
    """Return the page; ``script`` is added to it, and may send requests to the page's server."""
    style, scripts = page_style(), asset("page.js") + script
    left = [exercise for exercise in exercises if exercise.failed]
    complete = [exercise for exercise in exercises if not exercise.failed]
    rows = [_exercise(each, f"Next: {advice}" if each is left[0] else None) for each in left]
    count = sum(exercise.count for exercise in complete)
    titles, folded = [each.title for each in complete], "".join(_exercise(each, None) for each in complete)
    rows.append(layout.complete(titles, f"{count} of {count} tests", folded))
    return Template(asset("check.html")).substitute(
        policy=policy(style, scripts, asks=bool(script)),
        style=style,
        script=scripts,
        symbols=asset("symbols.svg"),
        title=escape(title),
        summary=escape(summary),
        done="" if left else f'<p class="first all-done">{escape(advice)}</p>',
        exercises="\n".join(rows),
    )


def _exercise(exercise: ExerciseShown, eyebrow: str | None) -> str:
    row = layout.Headline(
        exercise.title,
        *_standing(exercise),
        points=f"{len(exercise.passed)} of {exercise.count} tests",
        anchor=exercise.id,
    )
    checks = "\n".join(_check(group, exercise, first=n == 0) for n, group in enumerate(exercise.groups))
    listed = [(f"{len(exercise.passed)} passed", exercise.passed)]
    listed += [(f"{len(exercise.not_run)} not run", exercise.not_run)] if exercise.not_run else []
    folded = "".join(layout.passed(told, [(title, "") for title in titles]) for told, titles in listed)
    return layout.exercise(row, checks + folded, eyebrow=eyebrow)


def _standing(exercise: ExerciseShown) -> tuple[str, str, str]:
    """Return how an exercise stands: as a CSS class, in words, and as a symbol."""
    if exercise.is_unwritten:
        return "unwritten", "Still to be written", "missing"
    if exercise.failed:
        return "open", f"{len(exercise.failed)} failed", "failed"
    return "complete", "All passed", "passed"


def _check(group: Sequence[Shown], exercise: ExerciseShown, *, first: bool) -> str:
    body, others = _body(group[0], exercise.file), group[1:]
    if exercise.is_unwritten:
        row = layout.Headline(f"{exercise.count} tests wait for it", "unwritten", "To write", "missing")
        return layout.check(row, body, first=first)
    if others:
        items = "".join(f"<li>{escape(other.title)}</li>" for other in others)
        more = f"<summary>What else fails alike ({len(others)})</summary>"
        body += f'<details class="alike">{more}<ul>{items}</ul></details>'
    row = layout.Headline(
        group[0].title, "failed", "Failed", "failed", f"{len(group)} tests" if others else ""
    )
    return layout.check(row, body, first=first)


def _body(shown: Shown, file: str) -> str:
    example = shown.example or {}
    maze = Maze.from_text(example["maze"]) if "maze" in example else None
    is_drawn = maze is not None and maze.dimension.position_count <= DRAWN_CELLS
    orders = [[Vector(*cell) for cell in order] for order in example["orders"]] if is_drawn else []
    told, listed = example.get("story"), ""
    if told:
        walk = story.lines_by_step(told["walk"], orders[1], maze.dimension) if maze and orders else ""
        listed = story.list_source(file, story.spoken_of(told), walk=walk)
    return _said(example.get("message", shown.message)) + layout.beside(
        story.tell(told) if told else "",
        _compared(maze if is_drawn else None, example, orders) if maze else "",
        "".join(
            _advice(said) for said in dict.fromkeys(example.get(name, "") for name in ("advice", "follow"))
        ),
        listed,
    )


def _compared(maze: Maze | None, example: dict[str, Any], orders: Sequence[Sequence[Vector]]) -> str:
    """Return what was expected beside what came, as pictures if the orders or the numbers are known."""
    given, answers = _given(example)
    others = {name: Maze.from_text(text) for name, text in example.get("mazes", {}).items()}
    shown, drawn, written = [f"<code>{escape(example[side])}</code>" for side, *_ in _SIDES], "", []
    if maze:
        here = marks.of_maze(given, others)
        written = [marks.arrange(here, maze.dimension, answer) for answer in answers]
    if maze and (orders or answers[0]):
        shown = _side_pictures(maze, orders, answers, written)
        drawn = _legend(maze, written, _PENDING if orders else _PARTING)
    elif maze:
        way = [Vector(*move) for move in example["way"]] or None
        drawn = _figure(board.draw(maze, actual=way, written=written[0]), "whole", "The maze")
        drawn += _legend(maze, written)
    if orders:
        both = enumerate(zip_longest(*orders), start=1)
        parting = next((step for step, (due, came) in both if due != came), 0)
        drawn += layout.player(max(map(len, orders)), at=parting)
    for name, other in others.items():
        if other.dimension.position_count <= DRAWN_CELLS:
            written.append(marks.arrange(marks.of_maze(given, others, name), other.dimension))
            drawn += _figure(board.draw(other, written=written[-1]), "small", name)
            drawn += _legend(other, written[-1:])
    drawn += marks.tables(marks.all_beside(written, given if maze else [*given, *filter(None, answers)]))
    sides = "".join(
        f'<div class="{side}"><dt>{name}</dt><dd>{body}</dd></div>'
        for (side, name, _), body in zip(_SIDES, shown, strict=True)
    )
    return f'<div class="compare"><dl class="sides">{sides}</dl>{drawn}</div>'


def _side_pictures(
    maze: Maze,
    orders: Sequence[Sequence[Vector]],
    answers: Sequence[Marked | None],
    written: Sequence[Marks],
) -> list[str]:
    """Return the picture of what was expected, and that of what came."""
    parting = None if orders else marks.find_other_number(*answers)
    pictures = []
    for place, (side, name, title) in enumerate(_SIDES):
        order, answer = orders[place] if orders else (), answers[place]
        told = f"{title}: {' '.join(map(cell_text, order))}"
        if not orders:
            told = answer.words if answer else f"{name}: no numbers of cells"
        picture = board.draw(maze, visits=order, parting=parting, written=written[place])
        pictures.append(_figure(picture, side, told))
    return pictures


def _given(example: dict[str, Any]) -> tuple[list[Marked], list[Marked | None]]:
    """Return what is given beside the maze, and the right answer and the student's, as they are drawn."""
    answers = zip(example.get("answers", (None, None)), _SIDES, strict=True)
    return [*map(marks.from_plain, example.get("marked", ()))], [
        None if told is None else marks.from_plain({**told, "name": name}) for told, (_, name, _) in answers
    ]


def _legend(maze: Maze, pictures: Sequence[Marks], items: str = "") -> str:
    items += marks.legend_items(pictures) + costs.legend_item(maze)
    return f'<ul class="legend">{items}</ul>' if items else ""


def _said(message: str) -> str:
    """Return a message: its first line, and the rest preformatted."""
    first, _, rest = message.strip("\n").partition("\n")
    said = f'<p class="message">{escape(first)}</p>'
    if rest.strip():
        box = 'tabindex="0" role="group" aria-label="In full"'
        said += f'<div class="output"><pre {box}>{escape(rest)}</pre></div>'
    return said


def _advice(advice: str) -> str:
    """Return advice as text, or as a command with a button that copies only the command."""
    if not advice:
        return ""
    tried = TRY.fullmatch(advice)
    if tried is None:
        return f'<div class="hint"><h4>Look here</h4><p>{escape(advice)}</p></div>'
    box = 'tabindex="0" role="group" aria-label="A command to try"'
    return (
        f'<div class="copy"><pre {box}>{escape(tried[1])}</pre>'
        '<button type="button" data-copy hidden>Copy the command</button></div>'
    )


def _figure(drawing: board.Drawing, kind: str, label: str) -> str:
    told = ". ".join(filter(None, [label, *drawing.written.words, costs.told(drawing.maze)]))
    picture = board.to_svg(drawing, kind=kind, label=told)
    more, caption = ' wide" tabindex="0' * drawing.scrolls, label if kind == "small" else kind
    return (
        f'<figure class="picture {kind}{more}"><figcaption>{escape(caption)}</figcaption>{picture}</figure>'
    )
