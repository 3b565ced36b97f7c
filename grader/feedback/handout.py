"""A page of the handout, and figures about mazes that a generator made."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from markdown_it import MarkdownIt
from markupsafe import Markup

from grader.exercises.declaration import section as part_of
from grader.feedback.views import GalleryMaze
from grader.languages import DEFAULT
from lab import Dimension, Factory
from lab.exercises import LAB_EXERCISES
from lab.generators import AldousBroder
from lab.template import template_folder
from lab.texture import MEASURES, Texture, average, texture

SECTIONS = {"solvers": 8, "order": 4, "python": 14}
"""Sections for hints that belong to no exercise, by the position of their heading in the handout."""
MAZES = "mazes"
"""Stands for all exercises that are about mazes, in the marks of a handout's parts."""
_OF_THE_LAB = {each.id for each in LAB_EXERCISES}
_CONDITIONAL = re.compile(r"^<!-- if ([a-z_ ]+) -->\n(.*?)^<!-- end -->\n", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^(#{1,3}) (?:\d+\. )?(.*)\n", re.MULTILINE)
_END = re.compile(r"^#+ ", re.MULTILINE)
"""A passage also ends before a question on paper, which has a heading of level four."""
_MARKDOWN = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of the handout."""

    section: str
    title: str
    """Its heading without the number, which depends on the course."""
    text: str
    """Its text as Markdown."""

    @property
    def html(self) -> Markup:
        """The passage as HTML."""
        return to_html(self.text)


def to_html(text: str) -> Markup:
    """Convert handout text to HTML; code that is too wide scrolls by keyboard."""
    shown = _MARKDOWN.render(text).replace("<pre>", '<pre tabindex="0" translate="no">')
    shown = shown.replace("<th></th>", "<td></td>")  # ignore a heading without words
    return Markup(shown)  # noqa: S704 - the handout is the course's own


def parts_about(text: str, exercises: Collection[str]) -> str:
    """Remove marked parts of the handout that are about none of these exercises.

    ``<!-- if ID ... -->`` begins a part that is about any of the exercises; with ``and`` between IDs, it
    needs one from each side, and with ``not`` before them, it needs none. ``<!-- end -->`` ends it. Each
    mark stands on a line of its own. ``mazes`` is the ID of all exercises that are about mazes, as the lab's.
    """
    about = {*exercises, *((MAZES,) if _OF_THE_LAB & {*exercises} else ())}

    def kept(found: re.Match[str]) -> str:
        needed = (side.split() for side in found[1].split(" and "))
        is_kept = all(bool(about & {*side}) is (side[0] != "not") for side in needed)
        return found[2] if is_kept else ""

    return _CONDITIONAL.sub(kept, text)


def find_passage(section: str, language: str, exercises: Collection[str]) -> Passage | None:
    """Return the parts of a section that are about these exercises; None if there are none."""
    text = _handout(language)
    if text is None:
        return None
    left = parts_about(text, exercises)
    headings = list(_HEADING.finditer(text))
    place = SECTIONS.get(section) or part_of(section)
    if place is None:
        return None
    title = headings[place][2]
    start = next((found for found in _HEADING.finditer(left) if found[2] == title), None)
    if start is None:
        return None
    end = _END.search(left, start.end())
    return Passage(section, title, left[start.end() : end.start() if end else None].strip())


@cache
def _handout(language: str) -> str | None:
    """Return the shipped handout in the language, or else in English."""
    folder = template_folder()
    if folder is None:
        return None
    named = folder / ("README.md" if language == DEFAULT else f"README.{language}.md")
    path = named if named.is_file() else folder / "README.md"
    return path.read_text(encoding="utf-8") if path.is_file() else None


SAMPLES = 12
"""How many mazes of each size the lab's generator makes for comparison."""
CELLS_LIMIT = 1_000
"""Larger mazes are not measured, since the lab's generator is slow on them."""
_SHARES = ("dead_ends", "branching")

Figures = list[tuple[str, float]]
"""Measures with their values, shares in percent; the names are catalogue keys."""


def compare_with_lab(gallery: Sequence[GalleryMaze]) -> tuple[Figures, Figures] | None:
    """Return the figures of these mazes, and those of the lab's generator for the same dimensions.

    None if a maze is not perfect, or has no exit: the figures would be meaningless.
    """
    mazes = [item.maze for item in gallery if item.maze.dimension.position_count <= CELLS_LIMIT]
    if not mazes:
        return None
    try:
        theirs = average(map(texture, mazes))
    except ValueError:
        return None
    return _figures(theirs), _figures(_lab_figures(tuple(maze.dimension for maze in mazes)))


@lru_cache(maxsize=16)
def _lab_figures(sizes: tuple[Dimension, ...]) -> Texture:
    """Return the lab generator's figures for these dimensions, the same for all submissions."""
    generator, factory = AldousBroder(Random(1)), Factory()
    return average(texture(generator.generate(factory, size)) for size in sizes for _ in range(SAMPLES))


def _figures(measured: Texture) -> Figures:
    values = ((name, getattr(measured, name)) for name in MEASURES)
    return [(name, 100 * value if name in _SHARES else value) for name, value in values]
