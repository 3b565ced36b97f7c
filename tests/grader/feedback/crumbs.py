"""Find English words on a Norwegian page, except the program's and the student's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html.parser import HTMLParser

from grader.feedback import render_html
from grader.languages import PREFIXES, catalogue

_OWN = {"code", "pre", "script", "style"}
_VOID = {"meta", "input"}
_WORD = re.compile(r"[^\W\d_]{3,}")
_CODE = re.compile(r"\[[^\[\]]*\]|\S*[._()]\S*|\b[A-Z]\w*")
"""Lists of moves, names of files and calls, and names, which sentences contain unchanged."""


class _Told(HTMLParser):
    """The text of a page in its own language, including texts for screen readers."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._open: list[bool] = []
        self.texts: list[str] = []
        self.english: list[str] = []
        """Text marked as English."""
        self._marked: list[bool] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        if not any(self._open):
            self.texts += [value for name in ("aria-label", "title") if (value := known.get(name))]
        if tag not in _VOID:
            is_marked = known.get("lang") == "en"
            self._marked.append(is_marked)
            self._open.append(tag in _OWN or known.get("translate") == "no" or is_marked)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()
        self._marked.pop()

    def handle_data(self, data: str) -> None:
        if any(self._marked):
            self.english.append(data)
        elif not any(self._open):
            self.texts.append(data)


@cache
def english_words() -> frozenset[str]:
    """Return the words of the English catalogue that are not in the Norwegian one."""
    english, norwegian = (
        {word.lower() for text in catalogue(code).texts.values() for word in _WORD.findall(text)}
        for code in ("en", "nb")
    )
    return frozenset(english - norwegian)


def crumbs(results: Mapping[str, object]) -> list[str]:
    """Return the texts with English words on the Norwegian page of these results.

    The student's own words, and the title, which is the instructor's, are ignored.
    """
    told = _Told(render_html({**results, "submission": "x", "title": ""}, language="nb"))
    own = sorted(set(_values(results)), key=len, reverse=True)
    return [text for text in (*told.texts, *told.english) if english_words() & set(_words(text, own))]


def _values(value: object, *, is_said: bool = False) -> Iterator[str]:
    """Yield what messages contain unchanged (values, exceptions, names), and what was printed."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _values(part, is_said=is_said or key in ("said", "fault", "output"))
    elif isinstance(value, list):
        for part in value:
            yield from _values(part, is_said=is_said)
    elif is_said and isinstance(value, str) and not value.startswith(PREFIXES):
        yield value


def _words(text: str, own: list[str]) -> list[str]:
    for value in own:
        text = text.replace(value, " ")
    return [word.lower() for word in _WORD.findall(_CODE.sub(" ", text))]
