"""Summarise a result in one line, for the comment column of a gradebook."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from grader.feedback import sentences
from grader.feedback.page import find_first_check, read_page
from grader.feedback.translation import translate_page
from grader.languages import catalogue, languages


def render_comment(results: Mapping[str, object], *, language: str | None = None) -> str:
    """Return the mark, the deductions, what is done, and what to do first.

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
    """Return whether ``render_comment``, not a person, wrote a comment, in any language."""
    number = r"[\d.,]+"
    starts = (catalogue(code)("page.score", score=number, max=number) for code in languages())
    return any(re.match(rf"{start}\. ", text) for start in starts)
