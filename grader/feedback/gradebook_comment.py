"""Summarises a result in one line, for the comment column of a gradebook."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from grader.feedback import sentences
from grader.feedback.page import find_first_check, read_page
from grader.feedback.translation import translate_page
from grader.languages import catalogue, languages


def render_comment(results: Mapping[str, object], *, language: str | None = None) -> str:
    """Return the mark, deductions, how far the work is done, and what to do first.

    Platforms show comments as HTML, so special characters are escaped.
    """
    read = read_page(results)
    t = catalogue(language or read.language)
    page = translate_page(read, t)
    score = t("page.score", score=t.number(page.score), max=t.number(page.max_score))
    lead = sentences.advice(page, find_first_check(page), t)[0]
    told = (f"{score}.", sentences.summary(page, t), lead, sentences.adjustment(page, t), *page.words)
    return escape(" ".join(" ".join(filter(None, told)).split()), quote=False)


def is_generated_comment(text: str) -> bool:
    """Tell whether a comment was made by ``render_comment``, in any language, rather than written by a
    person."""
    number = r"[\d.,]+"
    starts = (catalogue(code)("page.score", score=number, max=number) for code in languages())
    return any(re.match(rf"{start}\. ", text) for start in starts)
