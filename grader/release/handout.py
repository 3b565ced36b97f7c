"""A course's handout: the shipped one, without the parts about exercises that the course leaves out.

Two rules decide what is cut. Text between ``<!-- if ID ... -->`` and ``<!-- end -->`` stays if the course has
these exercises (``parts_about``). A row of a table, or a line of a code block, that names exercises stays if
the course has one of them. The parts are renumbered, and the points are those of the course.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Final

from grader.feedback.handout import parts_about, to_html
from grader.languages import DEFAULT
from lab.exercises import LAB_EXERCISES, Exercise
from lab.render.page import theme

_PART = re.compile(r"^## \d+\. ", re.MULTILINE)
NOTHING = "\N{EN DASH}"
"""Fills a table cell without points or a known time."""
_EXERCISES = "| --- | --- | --- | ---: | ---: |"
"""Stands above the rows of the table of what to write, and of no other."""
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


def handout(
    text: str,
    exercises: Collection[str],
    added: Sequence[Section] = (),
    points: Mapping[str, float] | None = None,
    *,
    title: str = "",
    words: str = "",
) -> str:
    """Return the handout for the exercises with these ids, and for the added ones.

    ``points`` are those of the exercises by id; without them, the text's own points stay. A ``title`` is the
    heading in place of the text's own, below which a course's ``words`` come first.
    """
    lines = list(_keep_lines(parts_about(text, exercises), exercises))
    if points is not None:
        lines = [_with_points(line, points) for line in lines]
    if added:
        # at the end of the part on what to write; their rows go to its table
        first = next(number for number, line in enumerate(lines) if line.strip() == _EXERCISES)
        end = next(number for number in range(first, len(lines)) if not lines[number].startswith("|"))
        next_part = next(number for number in range(end, len(lines)) if lines[number].startswith("## "))
        lines[next_part:next_part] = [f"{section.words.strip()}\n\n" for section in added]
        lines[end:end] = [section.row for section in added]
    numbers = count(1)
    left = _PART.sub(lambda _: f"## {next(numbers)}. ", "".join(lines))
    heading, _, rest = left.partition("\n")
    own = f"\n{words.strip()}\n" if words.strip() else ""
    left = f"{f'# {title}' if title else heading}\n{own}{rest}"
    return _EMPTY_LINES.sub("\n\n", left)


def heading_of(text: str) -> str:
    """Return the heading of a handout."""
    return text.partition("\n")[0].removeprefix("# ")


def points_text(points: float | None) -> str:
    """Format points for a table."""
    return f"{points:g}" if points else NOTHING


def _with_points(line: str, points: Mapping[str, float]) -> str:
    """Put the points into a row of the table of exercises; leave other lines unchanged."""
    named = next((each for each in LAB_EXERCISES if line.startswith(f"| `{each.file}` |")), None)
    if named is None:
        return line
    *before, _, time, end = line.split("|")
    return "|".join([*before, f" {points_text(points.get(named.id))} ", time, end])


def _keep_lines(text: str, exercises: Collection[str]) -> Iterator[str]:
    is_code = False
    for line in text.splitlines(keepends=True):
        is_code ^= line.startswith("```")
        named = [exercise.id for exercise in LAB_EXERCISES if _names(line, exercise)]
        if not (is_code or line.startswith("|")) or not named or set(named) & set(exercises):
            yield line


def _names(line: str, exercise: Exercise) -> bool:
    return re.search(rf"\b({exercise.name}|{exercise.stem}\.py)\b", line) is not None


# --- handout page -----------------------------------------------------------------------------------
# The handout as an HTML page, to read or print where editors show Markdown as plain text.
#
# On paper, folded answers stay folded.


_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<main>
{text}</main>
</html>
"""


def handout_page(text: str, language: str) -> str:
    """Render the handout as a page, with pictures from the folder ``pictures`` beside it."""
    title = heading_of(text)
    shown = str(to_html(text)).replace("<table>", '<div class="wide" tabindex="0"><table>')
    shown = shown.replace("</table>", "</table></div>")
    style = theme() + files(__package__).joinpath("handout.css").read_text(encoding="utf-8")
    return _PAGE.format(language=language, title=escape(title), style=style, text=shown)


Rows = tuple[str, ...]

_RUN: Final = re.compile(r"[-+| SE2-9]*[+|][-+| SE2-9]*")
"""A possible row of a drawing, or of several drawings side by side."""
_BORDER: Final = re.compile(r"(?<![-+|])\+(?:-\+)+(?![-+|])")
_SWAPPED: Final = str.maketrans("-|", "|-")
_MOST_KEPT: Final = 1 << 15
"""A kit holds most of its mazes more than once, some 5,000 in all."""


@lru_cache(maxsize=_MOST_KEPT)
def drawings(text: str) -> tuple[tuple[int, Rows], ...]:
    """Return the drawings of mazes in a text, each with the number of its first line."""
    runs: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in line.replace("\\n", "\n").split("\n"):
            runs += [(number, run) for run in _RUN.findall(part)]
    return tuple(
        (number, rows)
        for index, (number, run) in enumerate(runs)
        for border in _BORDER.finditer(run)
        for rows in _complete_drawings(runs[index + 1 :], border)
    )


@lru_cache(maxsize=_MOST_KEPT)
def canonical(rows: Rows) -> Rows:
    """Return a form that is the same for all rotations and reflections of a drawing."""
    across = tuple("".join(column).translate(_SWAPPED) for column in zip(*rows, strict=True))
    seen = (side[::step] for side in (rows, across) for step in (1, -1))
    return min(turned for drawn in seen for turned in (drawn, tuple(row[::-1] for row in drawn)))


def walls(rows: Rows) -> Rows:
    """Remove entry and exit from the drawing."""
    return tuple(row.replace("S", " ").replace("E", " ") for row in rows)


def _complete_drawings(below: Sequence[tuple[int, str]], top: re.Match[str]) -> Iterator[Rows]:
    """Yield each drawing that begins with this border and ends with an equal one below."""
    width, rows = len(top[0]), [top[0]]
    cells = re.compile(
        rf"(?<![-+|])\|(?=.{{{width - 1}}}(?![-+|]))(?:[ SE][ |2-9]){{{(width - 3) // 2}}}[ SE]\|"
    )
    openings = re.compile(rf"(?<![-+|])\+(?:[- 2-9]\+){{{(width - 1) // 2}}}(?![-+|])")
    for _, run in below:
        pattern = cells if len(rows) % 2 else openings
        # the row aligned with the border, else the first one of the same width
        found = pattern.match(run, top.start()) or pattern.search(run)
        if found is None:
            return
        rows.append(found[0])
        if found[0] == top[0] and len(rows) % 2:
            yield tuple(rows)
