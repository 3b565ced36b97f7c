"""The page of ``maze check``: the public tests in the style of the feedback, with pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from string import Template
from typing import Any, Final

from lab.maze import Maze
from lab.render import board
from lab.render.page import asset, page_style, policy
from lab.vector import Vector
from lab.way import cell_text

DRAWN_CELLS = 400
"""Larger mazes are not drawn."""
TRY: Final = re.compile(r"Try it: (?:(?P<first>.*), and  )?(?P<command>maze .*)", re.DOTALL)
"""The beginning of advice that is a command."""
_PLAYER: Final = """<div class="player" role="group" aria-label="Step through the search" \
data-last="{last}" hidden>
<button type="button" class="play"><svg class="icon" aria-hidden="true"><use href="#i-play"/></svg>\
<span>Play</span></button>
<button type="button" class="back" aria-label="One step back"><svg class="icon" aria-hidden="true">\
<use href="#i-back"/></svg></button>
<button type="button" class="forward" aria-label="One step on"><svg class="icon" aria-hidden="true">\
<use href="#i-forward"/></svg></button>
<input type="range" min="0" max="{last}" value="{last}" aria-label="Step">
<p class="now-at" aria-live="polite"></p>
<p class="keys muted">Keys: ← and → step, Home and End jump, space plays and pauses.</p>
</div>"""


@dataclass(frozen=True, slots=True)
class Shown:
    """A failed test: its title, its message, and its example, if it has one."""

    title: str
    message: str
    example: dict[str, Any] | None
    """As ``lab.commands.reporter`` reports it."""


@dataclass(frozen=True, slots=True)
class ExerciseShown:
    """The tests of one exercise."""

    id: str
    title: str
    file: str
    is_unwritten: bool
    failed: tuple[Shown, ...]
    passed: tuple[str, ...]

    @property
    def count(self) -> int:
        """The number of tests."""
        return len(self.failed) + len(self.passed)


def to_page(
    title: str, summary: str, advice: str, exercises: Sequence[ExerciseShown], *, script: str = ""
) -> str:
    """Return the page; ``script`` is added to it, and may send requests to the page's server."""
    style, scripts = page_style(), asset("page.js") + script
    return Template(asset("check.html")).substitute(
        policy=policy(style, scripts, asks=bool(script)),
        style=style,
        script=scripts,
        symbols=asset("symbols.svg"),
        title=escape(title),
        summary=escape(summary),
        done="" if any(exercise.failed for exercise in exercises) else " all-done",
        next=escape(advice),
        cards="\n".join(map(_card, exercises)),
        sections="\n".join(map(_section, exercises)),
    )


def _card(exercise: ExerciseShown) -> str:
    state = "unwritten" if exercise.is_unwritten else "" if exercise.failed else "complete"
    words = "Still to be written" if exercise.is_unwritten else f"{len(exercise.failed)} failed"
    icon = {"complete": "passed", "unwritten": "missing"}.get(state, "failed")
    share = 100 * len(exercise.passed) / max(1, exercise.count)
    return (
        f'<li><a class="card {state}" href="#{exercise.id}">'
        f'<span class="card-title">{escape(exercise.title)}</span>'
        f'<span class="card-points"><strong>{len(exercise.passed)}</strong> / {exercise.count}</span>'
        '<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="6"/>'
        f'<rect class="value" width="{share:.1f}" height="6"/></svg>'
        f'<span class="card-state"><svg class="icon" aria-hidden="true"><use href="#i-{icon}"/></svg>'
        f"{words if exercise.failed else 'All passed'}</span></a></li>"
    )


def _section(exercise: ExerciseShown) -> str:
    failed = exercise.failed[:1] if exercise.is_unwritten else exercise.failed
    cards = "\n".join(_failure(shown, exercise, first=n == 0) for n, shown in enumerate(failed))
    return (
        f'<section class="exercise" id="{exercise.id}" aria-labelledby="{exercise.id}-heading" tabindex="-1">'
        f'<div class="exercise-head"><h2 id="{exercise.id}-heading">{escape(exercise.title)}</h2>'
        f'<p class="points">{escape(exercise.file)}</p></div>\n{cards}\n{_passed(exercise)}</section>'
    )


def _passed(exercise: ExerciseShown) -> str:
    if not exercise.passed:
        return ""
    icon = '<svg class="icon" aria-hidden="true"><use href="#i-passed"/></svg>'
    items = "".join(f"<li>{icon}<span>{escape(title)}</span></li>" for title in exercise.passed)
    return (
        f'<details class="passed"><summary>{icon}{len(exercise.passed)} passed</summary>'
        f"<ul>{items}</ul></details>"
    )


def _failure(shown: Shown, exercise: ExerciseShown, *, first: bool) -> str:
    state, word = ("unwritten", "To write") if exercise.is_unwritten else ("failed", "Failed")
    title = f"{exercise.count} tests wait for it" if exercise.is_unwritten else shown.title
    example = shown.example or {}
    body = _example(example) if "maze" in example else _said(shown.message)
    icon = "missing" if exercise.is_unwritten else "failed"
    return (
        f'<details class="check {state}"{" open" if first else ""}><summary><span class="status">'
        f'<svg class="icon" aria-hidden="true"><use href="#i-{icon}"/></svg>{word}</span>'
        f'<h3>{escape(title)}</h3></summary><div class="check-body">{body}</div></details>'
    )


def _said(message: str) -> str:
    """Return a message without an example: its first line, and the rest preformatted."""
    first, _, rest = message.strip("\n").partition("\n")
    said = f'<p class="message">{escape(first)}</p>'
    if rest.strip():
        box = 'tabindex="0" role="group" aria-label="In full"'
        said += f'<div class="output"><pre {box}>{escape(rest)}</pre></div>'
    return said


def _example(example: dict[str, Any]) -> str:
    maze = Maze.from_text(example["maze"])
    is_drawn = maze.dimension.position_count <= DRAWN_CELLS
    figures = _sides(maze, example) if is_drawn and example["orders"] else ("", "")
    sides = (("expected", "Expected"), ("actual", "Yours"))
    shown = "".join(
        f'<div class="{side}"><dt>{name}</dt><dd><code>{escape(example[side])}</code>{figure}</dd></div>'
        for (side, name), figure in zip(sides, figures, strict=True)
    )
    parts = [
        f'<p class="message">{escape(example["message"])}</p>',
        _advice(example["advice"]),
        f'<div class="compare"><dl class="sides">{shown}</dl>',
    ]
    if is_drawn and example["orders"]:
        parts.append(_legend() + _PLAYER.format(last=max(map(len, example["orders"]))))
    elif is_drawn:
        way = [Vector(*move) for move in example["way"]] or None
        parts.append(_figure(board.draw(maze, actual=way), "whole", "The maze"))
    return "\n".join([*parts, "</div>"])


def _advice(advice: str) -> str:
    """Return advice as text, or as a command with a button that copies only the command."""
    if not advice:
        return ""
    tried = TRY.fullmatch(advice)
    if tried is None:
        return f'<div class="hint"><h4>Look here</h4><p>{escape(advice)}</p></div>'
    first = f"<p>Try it: {escape(tried['first'])}, then</p>" if tried["first"] else ""
    box = 'tabindex="0" role="group" aria-label="A command to try"'
    return (
        f'{first}<div class="copy"><pre {box}>{escape(tried["command"])}</pre>'
        '<button type="button" data-copy hidden>Copy the command</button></div>'
    )


def _sides(maze: Maze, example: dict[str, Any]) -> Iterator[str]:
    """Yield a picture of each visit order."""
    names = (("expected", "The maze with the expected visits"), ("actual", "The maze with your visits"))
    for order, (kind, title) in zip(example["orders"], names, strict=True):
        cells = [Vector(*cell) for cell in order]
        visited = " ".join(map(cell_text, cells))
        yield _figure(board.draw(maze, visits=cells), kind, f"{title}: {visited}")


def _figure(drawing: board.Drawing, kind: str, label: str) -> str:
    picture = board.to_svg(drawing, kind=kind, label=label)
    return f'<figure class="picture {kind}"><figcaption>{kind}</figcaption>{picture}</figure>'


def _legend() -> str:
    keys = (("v", "visited, expected"), ("v yours", "visited by your solver"), ("p", "pending"))
    items = "".join(
        '<li><svg width="28" height="20" viewBox="0 0 28 20" aria-hidden="true">'
        f'<g class="{name}"><use href="#c" transform="translate(4 0) scale(.5)"/></g></svg>{text}</li>'
        for name, text in keys
    )
    return f'<ul class="legend">{items}</ul>'
