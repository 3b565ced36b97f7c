"""A story as HTML, the same for ``maze check`` and for the grade: what a call did, and the student's lines.

A story is plain data: ``steps``, each with its ``line``, its ``text``, the ``values`` before that line and
``beside``, the name of the file and a comma if that is another one; ``source``, the lines of the file from
number ``first`` on; ``walk``, which lines ran at each visit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape
from itertools import starmap
from typing import Any, Final

from lab.dimension import Dimension
from lab.vector import Vector

WORDS: Final = {
    "heading": "What your code did, with the values at each line",
    "line": "line {line}",
    "follows": "Step through the maze: what runs in each step is shaded here, and an arrow points at the "
    "line of the visit.",
}
"""What stands around a story, in English."""


def tell(
    story: Mapping[str, Any], words: Mapping[str, str] = WORDS, language: Callable[[str], str] = lambda _: ""
) -> str:
    """Return the steps, each with its line and those of its values that no step before has told.

    ``language`` gives the attribute of a text that is not in the page's language.
    """
    lines = dict(enumerate(story["source"], story["first"]))
    own = {step["line"] for step in story["steps"] if not step.get("beside")}
    shown = [line for number, line in lines.items() if number in own and line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in shown), default=0)
    steps, known = "", dict[str, str]()
    for step in story["steps"]:
        new = {name: value for name, value in step["values"].items() if known.get(name) != value}
        known |= new
        steps += f"<li><p{language(step['text'])}>{escape(step['text'])}</p>"
        if step["line"]:
            line = "" if step.get("beside") else lines.get(step["line"], "")[margin:]
            steps += _ran(step.get("beside", "") + words["line"].format(line=step["line"]), line)
        steps += _held(new) + "</li>"
    return f'<section class="story"><h4>{escape(words["heading"])}</h4><ol>{steps}</ol></section>'


def _ran(place: str, code: str) -> str:
    line = f'<span class="number">{escape(place)}</span>{escape(code)}'
    return f'<pre class="ran" tabindex="0" translate="no">{line}</pre>'


def _held(values: Mapping[str, str]) -> str:
    held = "".join(starmap(_value, values.items()))
    return f'<ul class="held" translate="no">{held}</ul>' if held else ""


def _value(name: str, value: str) -> str:
    """Return a value of a variable; one that stands in several places, with arrows from each to it."""
    places = name.split(" = ")
    if len(places) == 1:
        return f"<li><code>{escape(f'{name} = {value}')}</code></li>"
    middle = 10 * len(places)
    lines = "".join(f"M2 {20 * number + 10}L34 {middle}" for number in range(len(places)))
    return (
        f'<li class="one"><span class="places">{"".join(f"<code>{escape(place)}</code>" for place in places)}'
        f'</span><svg width="36" height="{2 * middle}" aria-hidden="true">'
        f'<path d="{lines}M28 {middle - 5}L35 {middle}L28 {middle + 5}"/></svg>'
        f'<code class="object">{escape(value)}</code></li>'
    )


def list_source(
    file: str,
    numbered: Sequence[tuple[int, str, bool]],
    words: Mapping[str, str] = WORDS,
    *,
    walk: str = "",
    after: int = 0,
    folded: bool = True,
) -> str:
    """Return lines by number, those that are spoken of marked; the page's script shades those of ``walk``."""
    lines = "".join(
        f'<{tag} class="line{" after" if number == after else ""}" data-line="{number}">'
        f'<span class="number">{number}</span>{escape(text)}\n</{tag}>'
        for number, text, tag in (
            (number, text, "mark" if here else "span") for number, text, here in numbered
        )
    )
    steps = f'<p class="follows muted" hidden>{escape(words["follows"])}</p>' if walk else ""
    ran = f' data-ran="{walk}"' if walk else ""
    return (
        f'<details class="source" data-print{ran}{"" if folded else " open"}>'
        f'<summary translate="no">{escape(file)}</summary>'
        f'<pre tabindex="0" translate="no">{lines}</pre>{steps}</details>'
    )


def spoken_of(story: Mapping[str, Any], more: Collection[int] = ()) -> list[tuple[int, str, bool]]:
    """Return the lines of a story by number, and whether it speaks of them."""
    spoken = {step["line"] for step in story["steps"]} | {*more}
    return [(number, text, number in spoken) for number, text in enumerate(story["source"], story["first"])]


def lines_by_step(walk: Sequence[Sequence[int]], visits: Sequence[Vector], dimension: Dimension) -> str:
    """Return the lines that ran at each visit that is drawn; "" if the walk has not one entry for each."""
    if len(walk) != len(visits):
        return ""
    ran = (lines for lines, cell in zip(walk, visits, strict=True) if dimension.includes(cell))
    return "|".join(" ".join(map(str, lines)) for lines in ran)
