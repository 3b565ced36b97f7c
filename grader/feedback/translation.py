"""A page in another language than that of results.json, which keeps its English.

Titles are looked up by the ids of their checks. The sentences of the judges come from templates: those of
the English catalogue (``said.…``) are turned into patterns, and what a pattern takes out of a sentence is
put into the template of the other language. What is no sentence of the grader's stays as it is: values,
exceptions, a title of the instructor's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from string import Formatter
from typing import Final

from grader.feedback.example import Example, Side, Step
from grader.feedback.page import CheckView, ExerciseView, Page
from grader.languages import DEFAULT, Catalogue, catalogue
from lab.exercises import SOLVER_IDS

LONGEST: Final = 1_000
"""Longer texts are no sentences of the grader's; patterns would take long to find that out."""
MOST_DEPTH: Final = 6
"""At most 6 sentences stand inside each other."""

_CELL: Final = r"\(-?\d+, -?\d+\)"
_NUMBER: Final = r"\d+"
_NAMES: Final = {
    "call": r"(?:other_)?search(?:_\d+)?\.\w+(?:\([^;]*?\))?",
    "cell": _CELL,
    "cells": _NUMBER,
    "count": _NUMBER,
    "exit": _CELL,
    "file": r"[^\s:]+\.py",
    "index": _NUMBER,
    "kind": r"\w+",
    "line": _NUMBER,
    "move": r"north|east|south|west",
    "number": _NUMBER,
    "ordinal": r"\d+(?:st|nd|rd|th)",
    "place": rf"(?:the exit )?{_CELL}",
    "seed": _NUMBER,
    "seeds": _NUMBER,
    "shortest": _NUMBER,
    "size": r"\d+ x \d+",
    "solver": r"DFS|BFS|Dijkstra",
}
"""What a name in a template may stand for; any other stands for any text."""
_SENTENCES: Final = ("ending", "expected", "finding", "flaw", "label", "other_flaw", "sentence")
"""Names that stand for what has a template of its own, or else the whole does not fit."""
_PERHAPS: Final = ("place", "value", "wanted", "came", "due")
"""Names that may stand for it."""


class Untranslated(str):
    """A text that stays English on a page in another language."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Template:
    key: str
    pattern: re.Pattern[str]
    literal: int
    """How many characters of it are given: of two that fit, the one with more says more."""


def translated(page: Page, t: Catalogue) -> Page:
    """Return the page with everything in the catalogue's language that has a translation."""
    exercises = tuple(_exercise(exercise, page.language, t) for exercise in page.exercises)
    return replace(page, exercises=exercises)


def said(text: str, t: Catalogue, *, depth: int = MOST_DEPTH) -> str | None:
    """Return a sentence of the grader's in the catalogue's language; None where it is none."""
    if depth == 0 or len(text) > LONGEST:
        return None
    for template in _templates():
        match = template.pattern.fullmatch(text)
        values = match and _values(match.groupdict(), t, depth - 1)
        if values is not None:
            return t(f"said.{template.key}", **values)
    return None


def _values(found: Mapping[str, str], t: Catalogue, depth: int) -> dict[str, str] | None:
    """The values of a template in the other language; None where one of them does not fit."""
    values = {}
    for name, text in found.items():
        nested = name in (*_SENTENCES, *_PERHAPS)
        value = said(text, t, depth=depth) if nested else _word(name, text, t)
        if value is None and name in _SENTENCES:
            return None
        values[name] = text if value is None else value
    return values


def _word(name: str, text: str, t: Catalogue) -> str:
    if name == "move":
        return t(f"move.{text}")
    return text.rstrip("sthndr") + "." if name == "ordinal" else text


@cache
def _templates() -> tuple[_Template, ...]:
    """The English sentences as patterns, the most telling first."""
    texts = catalogue(DEFAULT).texts
    found = [
        _template(key.removeprefix("said."), text) for key, text in texts.items() if key.startswith("said.")
    ]
    return tuple(sorted(found, key=lambda template: -template.literal))


def _template(key: str, text: str) -> _Template:
    pattern, literal = "", 0
    for given, name, _, _ in Formatter().parse(text):
        pattern += re.escape(given)
        literal += len(given)
        if name:
            pattern += f"(?P<{name}>{_NAMES.get(name, '.+?')})"
    return _Template(key, re.compile(pattern, re.DOTALL), literal)


# --- a page -----------------------------------------------------------------------------------------


def _exercise(exercise: ExerciseView, language: str, t: Catalogue) -> ExerciseView:
    return replace(
        exercise,
        title=_title(exercise.title, (f"exercise.{exercise.id}",), t),
        checks=tuple(_check(check, language, t) for check in exercise.checks),
    )


def _check(check: CheckView, language: str, t: Catalogue) -> CheckView:
    exercise, _, name = check.id.partition(".")
    shared = (f"solver.{name}",) if exercise in SOLVER_IDS else ()
    return replace(
        check,
        title=_title(check.title, (f"{exercise}.{name}", *shared), t),
        message=_text(check.message, t),
        hint=_hint(check, language, t),
        example=check.example and _example(check.example, t),
    )


def _title(title: str, keys: tuple[str, ...], t: Catalogue) -> str:
    """The title in the other language, unless it is the instructor's own."""
    english = catalogue(DEFAULT)
    known = (key for key in keys if title and english.get(f"title.{key}") == title)
    return next((t(f"title.{key}") for key in known), title)


def _text(text: str, t: Catalogue) -> str:
    return text if t.code == DEFAULT else said(text, t) or Untranslated(text)


def _hint(check: CheckView, language: str, t: Catalogue) -> str:
    """The hint of a misconception in its own words for the language, where results.json has others."""
    if not check.misconception:
        return _text(check.hint, t)
    if language == t.code:
        return check.hint
    return t.hint(check.misconception) or Untranslated(check.hint)


def _example(example: Example, t: Catalogue) -> Example:
    return replace(
        example,
        label=_text(example.label, t),
        expected=_side(example.expected, t),
        actual=_side(example.actual, t),
    )


def _side(side: Side, t: Catalogue) -> Side:
    steps = tuple(Step(_text(step.call, t), _text(step.gives, t)) for step in side.steps)
    return replace(side, text=_text(side.text, t), steps=steps)
