"""What a person marks: the file of an exercise, read once within bounds, and kept with the result.

A text in Markdown is rendered here and nowhere else. Whatever the student wrote as HTML stands there as text,
pictures are left out, and links lead to web pages and mail addresses only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from markdown_it import MarkdownIt

from grader.exercises.kit.check import Check, PlannedExercise
from grader.exercises.kit.folders.code import KNOWN
from grader.exercises.kit.folders.written import ReadLiterals, read_values, shown_value
from grader.intake.names import decode_source
from grader.languages import Message, said
from grader.model import HandedIn, Verdict, unseen
from grader.reader import Read, check_reading
from grader.text import in_bytes
from lab.questions import MOST_WORDS

MOST_BYTES: Final = 64 * 1024
"""A longer text is not read."""
_MOST_HTML: Final = 8 * MOST_BYTES
"""What becomes longer as HTML is shown as it was written."""
_LINKS: Final = ("https://", "http://", "mailto:")


class _Markdown(MarkdownIt):
    """CommonMark without HTML and pictures, and without links to anything but pages and mail addresses."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False})
        self.disable(["html_block", "html_inline", "image"])

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name that the library calls
        """Tell whether a link may lead there."""
        return url.lower().startswith(_LINKS)


def to_html(text: str) -> str:
    """Return a student's text as HTML; "" where it grows beyond all use. Parses within bounds only."""
    check_reading()
    markdown = _Markdown()
    tokens = markdown.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):  # they stand below those of the page
            token.tag = f"h{min(6, int(token.tag[1]) + 4)}"
    shown = str(markdown.renderer.render(tokens, markdown.options, {})).replace(
        "<a href=", '<a rel="noopener noreferrer nofollow" href='
    )
    return shown if len(shown) <= _MOST_HTML else ""


@dataclass(frozen=True, slots=True)
class _Rendered:
    """A text as the process sends it that renders it; None where it is no text."""

    text: str | None
    html: str = ""


@dataclass(frozen=True, slots=True)
class ReadByPerson:
    """What is handed in of an exercise that a person marks, and why it cannot be shown, if so."""

    shown: HandedIn
    trouble: Message | None = None
    """Why nobody sees it here."""
    is_empty: bool = False
    """Whether it is as it was handed out, or has nothing in it."""

    def verdict(self, check: Check, *, is_unwritten: bool) -> Verdict:
        """Return what is known of a check before a person marks it."""
        if not self.shown.digest:
            return Verdict("missing", said("missing_file", file=self.shown.file))
        if self.trouble is not None:
            return Verdict("unmarked", unseen(self.trouble))
        named = [self.shown.values.get(name, "") for name in check.shows]
        if self.is_empty or is_unwritten or (named and not any(each.strip() for each in named)):
            return Verdict("skipped", said("nothing_written", file=self.shown.file))
        return Verdict("unmarked", said("by_person"))


def read_for_person(exercise: PlannedExercise, content: bytes | None, read: Read) -> ReadByPerson:
    """Read what persons mark of an exercise, whose file has this content; None where it is not there."""
    file, known = exercise.target.file, KNOWN.get(exercise.id)
    if content is None:
        return ReadByPerson(HandedIn(file, ""))
    shown = HandedIn(file, hashlib.sha256(content).hexdigest())
    if known is None or not known.exercise.is_read:
        return ReadByPerson(shown)
    is_empty = b" ".join(content.split()) in (b"", b" ".join(known.exercise.skeleton.encode().split()))
    if not known.exercise.is_text:
        named = [check.shows or known.exercise.literals for check in exercise.checks if check.by_person]
        names = tuple(dict.fromkeys(name for each in named for name in each))
        return _literals(shown, content, names, read, is_empty=is_empty)
    if len(content) > MOST_BYTES:
        return ReadByPerson(shown, said("text_too_long", file=file, most=in_bytes(MOST_BYTES)))
    found = read(_rendering(content), _Rendered)
    if found is None or found.text is None:
        trouble = said("text_unread", file=file) if found is None else said("text_no_text", file=file)
        return ReadByPerson(shown, trouble)
    return ReadByPerson(HandedIn(file, shown.digest, found.text, found.html), is_empty=is_empty)


def _rendering(content: bytes) -> Callable[[], _Rendered]:
    def render() -> _Rendered:
        try:
            text = content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            return _Rendered(None)
        return _Rendered(text, to_html(text))

    return render


def _literals(
    shown: HandedIn, content: bytes, names: tuple[str, ...], read: Read, *, is_empty: bool
) -> ReadByPerson:
    found = read(lambda: read_values(decode_source(content)), ReadLiterals)
    if found is None:
        return ReadByPerson(shown, said("text_unread", file=shown.file))
    if found.refused is not None:
        return ReadByPerson(shown, said("written_unread", file=shown.file, why=found.refused))
    values = {name: shown_value(found.values[name])[:MOST_WORDS] for name in names if name in found.values}
    return ReadByPerson(HandedIn(shown.file, shown.digest, values=values), is_empty=is_empty)
