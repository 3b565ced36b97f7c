"""The handout of a course: the shipped one, without the parts about exercises that the course leaves out.

Two rules decide what is cut. Text between ``<!-- if ID ... -->`` and ``<!-- end -->``, each on a line of
its own, stays if the course has one of these exercises. A row of a table, or a line of a block of code,
that names exercises stays if the course has one of them. The parts are renumbered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from grader.languages import DEFAULT
from lab.exercises import LAB_EXERCISES, Exercise

_MARKED = re.compile(r"^<!-- if ([a-z ]+) -->\n(.*?)^<!-- end -->\n", re.DOTALL | re.MULTILINE)
_PART = re.compile(r"^## \d+\. ", re.MULTILINE)
_EMPTY_LINES = re.compile(r"\n{3,}")


def languages(template: Path) -> dict[str, Path]:
    """Return the shipped handouts by language."""
    found = {path.name.split(".")[1]: path for path in sorted(template.glob("README.*.md"))}
    return {DEFAULT: template / "README.md", **found}


@dataclass(frozen=True, slots=True)
class Section:
    """The text about an exercise that the course adds: a row of the first table, and a section."""

    row: str
    words: str


def handout(text: str, exercises: Collection[str], added: Sequence[Section] = ()) -> str:
    """Return the handout for the exercises with these ids, and for the added ones."""
    left = _MARKED.sub(lambda found: found[2] if set(found[1].split()) & set(exercises) else "", text)
    lines = list(_keep_lines(left, exercises))
    if added:
        _insert(lines, added)
    numbers = count(1)
    left = _PART.sub(lambda _: f"## {next(numbers)}. ", "".join(lines))
    return _EMPTY_LINES.sub("\n\n", left)


def _insert(lines: list[str], added: Sequence[Section]) -> None:
    """Add the sections at the end of the part that says what to write, and their rows to its table."""
    first = next(number for number, line in enumerate(lines) if line.startswith("|"))
    end = next(number for number in range(first, len(lines)) if not lines[number].startswith("|"))
    next_part = next(number for number in range(end, len(lines)) if lines[number].startswith("## "))
    lines[next_part:next_part] = [f"{section.words.strip()}\n\n" for section in added]
    lines[end:end] = [section.row for section in added]


def _keep_lines(text: str, exercises: Collection[str]) -> Iterator[str]:
    is_code = False
    for line in text.splitlines(keepends=True):
        is_code ^= line.startswith("```")
        named = [exercise.id for exercise in LAB_EXERCISES if _names(line, exercise)]
        if not (is_code or line.startswith("|")) or not named or set(named) & set(exercises):
            yield line


def _names(line: str, exercise: Exercise) -> bool:
    return re.search(rf"\b({exercise.name}|{exercise.stem}\.py)\b", line) is not None
