"""The Markdown pages of the repository, read as GitHub and the site read them: links, headings, commands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
FOLDERS = ("benchmarks", "docs", "grader", "lab", "reference", "student_template", "tests")
SAMPLES = ROOT / "tests/grader/feedback/data"
"""Feedback on submissions, written by the grader: no page of the documentation."""
_FOUND = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
PAGES = tuple(sorted(page for page in _FOUND if not page.is_relative_to(SAMPLES)))
MARKDOWN = MarkdownIt("commonmark").enable("table")


def name(page: Path) -> str:
    """A page's name in reports: its path in the repository."""
    return page.relative_to(ROOT).as_posix()


@cache
def tokens(page: Path) -> tuple[Token, ...]:
    """Everything on a page, in its order, what is inside of a line included."""
    blocks = MARKDOWN.parse(page.read_text(encoding="utf-8"))
    return tuple(part for block in blocks for part in (block, *(block.children or ())))


def links(page: Path) -> Iterator[str]:
    """Where the links and pictures of a page lead."""
    for token in tokens(page):
        target = token.attrGet("href") or token.attrGet("src")
        if target:
            yield str(target)


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found: Counter[str] = Counter()
    names = set()
    blocks = tokens(page)
    for heading, text in pairwise(blocks):
        if heading.type == "heading_open":
            words = "".join(part.content for part in text.children or () if part.type != "softbreak")
            slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            names.add(f"{slug}-{found[slug]}" if found[slug] else slug)
            found[slug] += 1
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class Command:
    """A command line on a page, and what the page says that it prints."""

    page: Path
    line: str
    prints: str = ""

    def __str__(self) -> str:
        return f"{name(self.page)}: {self.line}"


def commands(page: Path) -> Iterator[Command]:
    """The command lines of a page: those that begin a row of a table, and those in blocks, where what is said
    about them stands two spaces or more behind."""
    found = tokens(page)
    for at, token in enumerate(found):
        if token.type == "tr_open":
            cell, code = found[at + 2 : at + 4]
            is_alone = cell.content == f"`{code.content}`"
            if is_alone and "…" not in code.content and _is_command(code.content, shell=False):
                yield Command(page, code.content)
        if token.type != "fence" or token.info:
            continue
        lines = token.content.splitlines()
        shell = any(line.startswith("$ ") for line in lines)
        starts = [number for number, line in enumerate(lines) if _is_command(line, shell=shell)]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
            line = re.split(r" {2,}", lines[start].removeprefix("$ "))[0] if not shell else lines[start][2:]
            yield Command(page, line, "\n".join(lines[start + 1 : end]) if shell else "")


def _is_command(line: str, *, shell: bool) -> bool:
    return line.startswith("$ ") if shell else bool(re.match(r"(grader|maze|make|python|pytest) ", line))


def mentions(page: Path) -> Iterator[str]:
    """What stands in a page's running text as code."""
    for token in tokens(page):
        if token.type == "code_inline":
            yield token.content
