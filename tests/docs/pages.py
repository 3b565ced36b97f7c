"""The Markdown pages of the repository as GitHub and the site read them: links, headings, commands."""

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
SAMPLES = (ROOT / "tests/grader/feedback/data", ROOT / "tests/golden")
"""Feedback pages written by the grader, and what is given to it, which are no documentation."""
_FOUND = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
PAGES = tuple(sorted(page for page in _FOUND if not any(map(page.is_relative_to, SAMPLES))))
MARKDOWN = MarkdownIt("commonmark").enable("table")


def name(page: Path) -> str:
    """Return a page's path in the repository, as its name in reports."""
    return page.relative_to(ROOT).as_posix()


@cache
def tokens(page: Path) -> tuple[Token, ...]:
    """Return all tokens of a page in order, including those inside lines."""
    blocks = MARKDOWN.parse(page.read_text(encoding="utf-8"))
    return tuple(part for block in blocks for part in (block, *(block.children or ())))


def links(page: Path) -> Iterator[str]:
    """Yield the targets of a page's links and pictures."""
    for token in tokens(page):
        target = token.attrGet("href") or token.attrGet("src")
        if target:
            yield str(target)


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the anchors that GitHub gives a page's headings."""
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
    """A command line on a page, and the output that the page shows."""

    page: Path
    line: str
    prints: str = ""

    def __str__(self) -> str:
        return f"{name(self.page)}: {self.line}"


def commands(page: Path) -> Iterator[Command]:
    """Yield a page's command lines: at the beginning of table rows, and in code blocks.

    In code blocks, a description may follow after two or more spaces.
    """
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
    """Yield the inline code of a page's text."""
    for token in tokens(page):
        if token.type == "code_inline":
            yield token.content
