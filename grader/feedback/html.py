"""The page as one HTML file that loads nothing and runs nothing but its own script.

Theory of operation: titles, messages, outputs and mazes come from submissions, so Jinja escapes every value
that ``lab.render`` does not escape itself, no value is ever put into a style, a script or an event handler,
and the Content-Security-Policy allows the one style and the one script by their SHA-256. Code that got
through nevertheless would not run.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader.feedback import generator_figures, sentences
from grader.feedback.artist import Artist
from grader.feedback.page import find_first_check, read_page
from grader.feedback.translation import Untranslated, translate_page
from grader.feedback.views import CheckView, ExerciseView
from grader.languages import catalogue
from lab.render import layout, story
from lab.render.page import asset, page_style, sha256

_ENGLISH = Markup(' lang="en"')
_WORDS = (
    *(("player", name) for name in layout.PLAYER),
    ("story", "heading"),
    ("story", "line"),
    ("look", "follows"),
)
"""The texts of the page that ``lab.render`` puts on it, as parts and names of the catalogues."""


def render_html(results: Mapping[str, object], *, language: str | None = None) -> str:
    """Render parsed results.json as a page in the given language, by default that of the results."""
    read = read_page(results)
    t = catalogue(language or read.language)
    page = translate_page(read, t)
    style, script = page_style(), asset("page.js")
    first = None if page.refused else find_first_check(page)
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            page=page,
            first=first,
            words={name: t.get(f"{part}.{name}") for part, name in _WORDS},
            t=t,
            sentences=sentences,
            artist=Artist(t, [exercise.id for exercise in page.exercises]),
            compare=generator_figures.compare_with_lab,
            symbols=asset("symbols.svg"),
            style=style,
            script=script,
            style_hash=sha256(style),
            script_hash=sha256(script),
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("grader.feedback"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(anchor=_anchor, lang=_lang, layout=layout, story_html=story)
    environment.filters["as_link"] = _as_link
    return environment


def _anchor(check: CheckView, exercise: ExerciseView) -> str:
    """Return the anchor of a check on the page."""
    return f"{exercise.id}-{exercise.checks.index(check) + 1}"


def _lang(text: str) -> Markup:
    """Return the attribute of a text that is in another language than the page."""
    return _ENGLISH if isinstance(text, Untranslated) else Markup()


def _as_link(text: str) -> str:
    """Return a data URL from which a text can be saved as a file."""
    return "data:text/plain;charset=utf-8," + quote(text, safe="+|")
