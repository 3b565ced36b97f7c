"""The page as one HTML file that loads nothing and runs nothing but its own script.

Theory of operation: titles, messages, outputs and mazes come from submissions, so every value is
escaped by Jinja, no value ever stands in a style, a script or an event handler, and the
Content-Security-Policy names the one style and the one script by their SHA-256. A text that got
through all the same would still not run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader.feedback import sentences, texture
from grader.feedback.example import Example
from grader.feedback.page import first_of, page_of
from grader.feedback.translation import Untranslated, translated
from grader.feedback.views import CheckView, ExerciseView
from grader.languages import Catalogue, catalogue
from lab import Maze, Vector
from lab.render import board
from lab.render.board import NUMBERED, Drawing, draw
from lab.render.page import asset, page_style, sha256

NUMBERED_BUDGET = 3_000
"""Cells of a page that are drawn one by one; pictures beyond it show areas without numbers."""
DRAWN_BUDGET = 16_000
"""Cells of a page that are drawn at all: what keeps the file below a megabyte."""
TEXT_BUDGET = 100_000
"""Characters of mazes as text on a page."""


def render_html(results: Mapping[str, object], *, language: str | None = None) -> str:
    """Return the page of parsed results.json, in the language asked for, else in the results' own."""
    read = page_of(results)
    t = catalogue(language or read.language)
    page = translated(read, t)
    style, script = page_style(), asset("page.js")
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            page=page,
            first=first_of(page),
            t=t,
            sentences=sentences,
            artist=_Artist(t),
            compare=texture.compare,
            symbols=asset("symbols.svg"),
            style=style,
            script=script,
            style_hash=sha256(style),
            script_hash=sha256(script),
        )
    )


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with the texts that stand around it."""

    kind: str
    caption: str
    title: str
    description: str
    drawing: Drawing


class _Artist:
    """Draws the pictures of one page within its budgets."""

    def __init__(self, t: Catalogue) -> None:
        self._t = t
        self._numbered, self._drawn, self._text = NUMBERED_BUDGET, DRAWN_BUDGET, TEXT_BUDGET

    def figures(self, example: Example) -> list[Figure]:
        """The pictures of an example: each side of which visits are known, else one with both ways."""
        kinds = [kind for kind in ("expected", "actual") if getattr(example, kind).visits]
        if example.maze is None or not self._can_draw(example.maze, len(kinds) or 1):
            return []
        if kinds:
            return [self._side(example, example.maze, kind) for kind in kinds]
        return [self._whole(example, example.maze)]

    def small(self, maze: Maze, caption: str) -> Figure | None:
        """A picture of a maze alone."""
        if not self._can_draw(maze, 1):
            return None
        drawing = draw(maze)
        return Figure(
            "small", caption, self._title(maze), sentences.described(drawing, None, self._t), drawing
        )

    def picture(self, shown: Figure) -> Markup:
        """The picture of a figure; what it is called is escaped there."""
        label = f"{shown.title}. {shown.description}"
        return Markup(board.to_svg(shown.drawing, kind=shown.kind, label=label))  # noqa: S704

    def text(self, example: Example) -> str:
        """What an example is saved as; empty where it would make the page too large."""
        self._text -= len(example.saved)
        return example.saved if self._text >= 0 else ""

    def _can_draw(self, maze: Maze, times: int) -> bool:
        self._drawn -= times * maze.dimension.position_count
        return self._drawn >= 0

    def _title(self, maze: Maze) -> str:
        return self._t("picture.title", rows=maze.dimension.row_count, columns=maze.dimension.column_count)

    def _whole(self, example: Example, maze: Maze) -> Figure:
        expected, actual = example.expected, example.actual
        drawing = draw(
            maze,
            expected=expected.moves if expected.is_way else None,
            actual=actual.moves if actual.is_way else None,
            cycle=example.cycle,
            islands=example.islands,
        )
        description = sentences.described(drawing, example, self._t, walls=True)
        return Figure("whole", self._t("picture.maze"), self._title(maze), description, drawing)

    def _side(self, example: Example, maze: Maze, kind: str) -> Figure:
        side = example.expected if kind == "expected" else example.actual
        parting: Vector | None = getattr(example.parting, kind, None)
        if side.revisits is not None:
            parting = side.revisits.first
        count = maze.dimension.position_count
        fine = count <= NUMBERED and count <= self._numbered
        self._numbered -= count if fine else 0
        drawing = draw(
            maze,
            visits=side.walk or tuple(dict.fromkeys(side.visits)),
            expected=example.expected.moves if example.expected.is_way else None,
            actual=example.actual.moves if example.actual.is_way else None,
            parting=parting,
            numbered=fine,
        )
        description = sentences.described(drawing, example, self._t, visits=True, walls=kind == "expected")
        return Figure(kind, self._t(f"check.{kind}"), self._t(f"picture.title_{kind}"), description, drawing)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("grader.feedback"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(anchor=_anchor)
    environment.tests["untranslated"] = lambda text: isinstance(text, Untranslated)
    return environment


def _anchor(check: CheckView, exercise: ExerciseView) -> str:
    """The anchor of a check."""
    return f"{exercise.id}-{exercise.checks.index(check) + 1}"
