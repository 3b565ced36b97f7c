"""The parts of which the page of ``maze check`` and the feedback are made: an exercise, a check, a player.

All texts are escaped here, but for a ``body``, which is HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

PLAYER: Final = {
    "label": "Step through the search",
    "play": "Play",
    "back": "One step back",
    "forward": "One step on",
    "slider": "Step",
    "keys": "Keys: ← and → step, Home and End jump, space plays and pauses.",
}
"""The words of a player, in English."""


def icon(name: str) -> str:
    """Return a symbol of the page, which stands beside words."""
    return f'<svg class="icon" aria-hidden="true"><use href="#i-{name}"/></svg>'


@dataclass(frozen=True, slots=True)
class Headline:
    """One line of the page, which opens: what it is about, how that stands, and the points."""

    title: str
    state: str
    """The CSS class of its state."""
    words: str
    """Its state in words."""
    sign: str
    """The symbol of its state."""
    points: str = ""
    anchor: str = ""


def exercise(row: Headline, body: str, *, eyebrow: str | None = None) -> str:
    """Return an exercise; the one to begin with has an ``eyebrow``, which may be empty, and is open.

    On paper each is opened of which something is written, and which is not complete.
    """
    first = "" if not eyebrow else f'<span class="eyebrow">{escape(eyebrow)}</span>'
    is_printed = row.state not in ("complete", "unwritten")
    attributes = " data-print" * is_printed + ("" if eyebrow is None else " open")
    return (
        f'<details class="exercise {row.state}" id="{escape(row.anchor)}"{attributes}><summary>{first}'
        f'<h2>{escape(row.title)}</h2><span class="state">{icon(row.sign)}{escape(row.words)}</span>'
        f'<span class="points">{escape(row.points)}</span></summary><div>{body}</div></details>'
    )


def check(row: Headline, body: str, *, first: bool) -> str:
    """Return a check, or several that failed for one reason; the first one is open."""
    attributes = (f' id="{escape(row.anchor)}"' if row.anchor else "") + (" open data-print" if first else "")
    return (
        f'<details class="check {escape(row.state)}"{attributes}><summary>'
        f'<span class="status">{icon(row.sign)}{escape(row.words)}</span><h3>{escape(row.title)}</h3>'
        f'<span class="points">{escape(row.points)}</span></summary>'
        f'<div class="check-body">{body}</div></details>'
    )


def passed(heading: str, checks: Sequence[tuple[str, str]]) -> str:
    """Return one line for the checks that pass, which opens to show the title and the points of each."""
    if not checks:
        return ""
    items = "".join(
        f'<li>{icon("passed")}<span>{escape(title)}</span><span class="points">{escape(points)}</span></li>'
        for title, points in checks
    )
    return (
        f'<details class="passed"><summary>{icon("passed")}{escape(heading)}</summary>'
        f"<ul>{items}</ul></details>"
    )


def complete(titles: Sequence[str], points: str, rows: str) -> str:
    """Return one line for the exercises that are complete, which opens to show their rows."""
    if not titles:
        return ""
    named = f'{icon("passed")}{escape(", ".join(titles))}<span class="points">{escape(points)}</span>'
    return f'<details class="passed all"><summary>{named}</summary>{rows}</details>'


def player(last: int, words: Mapping[str, str] = PLAYER, *, at: int = 0) -> str:
    """Return what steps through the pictures beside it: ``last`` steps, shown ``at`` one of them at first."""
    said = {name: escape(text) for name, text in words.items()}
    buttons = "".join(
        f'<button type="button" class="{name}" aria-label="{said[name]}">{icon(name)}</button>'
        for name in ("back", "forward")
    )
    return (
        f'<div class="player" role="group" aria-label="{said["label"]}" data-last="{last}" hidden>'
        f'<button type="button" class="play">{icon("play")}<span>{said["play"]}</span></button>{buttons}'
        f'<input type="range" min="0" max="{last}" value="{at or last}" aria-label="{said["slider"]}">'
        f'<p class="now-at" aria-live="polite"></p><p class="keys muted">{said["keys"]}</p></div>'
    )


def beside(told: str, shown: str, asked: str, listed: str) -> str:
    """Return the story, the question and the source beside what is shown; one below the other on a phone."""
    parts = {"told": told, "shown": shown, "asked": asked, "listed": listed}
    filled = {name: body for name, body in parts.items() if body.strip()}
    inner = "".join(f'<div class="{name}">{body}</div>' for name, body in filled.items())
    return f'<div class="beside">{inner}</div>' if "shown" in filled and len(filled) > 1 else inner
