"""What an exercise of a course's own is given beside a maze, and what it answers, drawn into the maze.

The rule, for each argument by its value: a cell is marked with a letter, and so are all cells of a set; the
cells of a list are numbered after its letter; the numbers of a mapping are written into its cells. A cell is
a ``Vector``. Plain pairs count where all keys or entries of the mapping, list or set are pairs inside of the
maze. Of several mazes, an argument belongs to the one that alone has all its cells.

What does not fit into a picture is a table below it: more than two letters or three digits in a cell, a
second mapping, and whatever is given with a maze of more than 30 rows or columns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final, Literal, get_args

from lab.dimension import Dimension
from lab.maze import Maze
from lab.vector import Vector
from lab.way import cell_text

Form = Literal["cell", "set", "list", "mapping"]
MOST_ROWS: Final = 30
"""Nothing is written into mazes with more rows or columns."""
SCROLLED: Final = 7
"""Pictures with more columns are shown in their full size, which scrolls on a small screen."""
_WIDE: Final = 12
"""In pictures with more columns, of which the cells are smaller, all is written larger."""
_LETTERS: Final = "ABCDFGHJKLMNPQRTUVWXYZ"
"""S and E are those of the entry and the exit, I and O would be read as numbers."""
_MOST_LETTERS, _MOST_DIGITS, _MOST_SIGNS = 2, 3, 5
WORDS: Final = {
    "answer": "the answer",
    "beside": "{name}, which is in no picture",
    "cell": "cell",
}
"""The words of legends and tables, in English."""


@dataclass(frozen=True, slots=True)
class Marked:
    """An argument, or an answer, that is drawn: its cells, each with its number if it has one."""

    name: str
    form: Form
    cells: tuple[Vector, ...]
    numbers: tuple[str, ...] = ()
    """Of a mapping, the number of each cell, as it is written."""
    maze: str = ""
    """Of several mazes the name of the one that alone has all the cells; "" if there is no such one."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is written to each cell beside the letter."""
        if self.form == "mapping":
            return self.numbers
        return tuple(str(n) if self.form == "list" else "" for n, _ in enumerate(self.cells, start=1))

    @property
    def plain(self) -> dict[str, Any]:
        """The same as plain data."""
        told: dict[str, Any] = {
            "name": self.name,
            "form": self.form,
            "cells": [[*cell] for cell in self.cells],
        }
        told |= {"numbers": [*self.numbers]} if self.form == "mapping" else {}
        return told | ({"maze": self.maze} if self.maze else {})

    @property
    def words_in_maze(self) -> str:
        """The same, with the name of its maze where there are several."""
        return f"{self.words} [{self.maze}]" if self.maze else self.words

    @property
    def words(self) -> str:
        """The same as a line of text."""
        parts = (
            f"{text} {cell_text(cell)}" if self.form == "list" else f"{cell_text(cell)} {text}".rstrip()
            for cell, text in zip(self.cells, self.texts, strict=True)
        )
        return f"{self.name}: {', '.join(parts)}" if self.name else ", ".join(parts)


def from_plain(told: Mapping[str, Any]) -> Marked:
    """Return what ``plain`` made of it. Raises ValueError for other data."""
    form, cells = told["form"], tuple(Vector(*cell) for cell in told["cells"])
    numbers = tuple(told.get("numbers", ()))
    if form not in get_args(Form) or not cells or len(numbers) != len(cells) * (form == "mapping"):
        raise ValueError(f"expected cells as they are marked, got {told!r:.80}")
    return Marked(told["name"], form, cells, numbers, told.get("maze", ""))


# --- the rule ---------------------------------------------------------------------------------------


def mazes_among(arguments: Mapping[str, object]) -> dict[str, Maze]:
    """Return the mazes among arguments, by name; those of a list by its name and their place."""
    found: dict[str, Maze] = {}
    for name, value in arguments.items():
        if isinstance(value, Maze):
            found[name] = value
        elif isinstance(value, (list, tuple)) and value and all(isinstance(each, Maze) for each in value):
            found |= {f"{name}[{place}]": each for place, each in enumerate(value)}
    return found


def find_marked(arguments: Mapping[str, object]) -> tuple[Marked, ...]:
    """Return the arguments that are drawn into the mazes among them."""
    mazes = mazes_among(arguments)
    found = []
    for name, value in arguments.items():
        fitting = {
            each: read for each, maze in mazes.items() if (read := marked(name, value, maze.dimension))
        }
        if fitting:
            where, read = next(iter(fitting.items()))
            alone = where if len(mazes) > len(fitting) == 1 else ""
            found.append(Marked(name, read.form, read.cells, read.numbers, alone))
    return tuple(found)


def marked(name: str, value: object, size: Dimension) -> Marked | None:
    """Return what is drawn of a value into a maze of this size; None where it is nothing of a maze."""
    if isinstance(value, Vector):
        return Marked(name, "cell", (value,)) if size.includes(value) else None
    if isinstance(value, Mapping):
        cells, numbers = _cells(value, size), [*value.values()]
        is_read = cells and all(map(_is_number, numbers))
        return Marked(name, "mapping", cells, tuple(map(_written, numbers))) if is_read else None
    if isinstance(value, (list, tuple, set, frozenset)):
        is_list = isinstance(value, (list, tuple))
        cells = _cells(value if is_list else sorted(value, key=repr), size)
        return Marked(name, "list" if is_list else "set", cells) if cells else None
    return None


def marked_part(name: str, value: object, size: Dimension) -> Marked | None:
    """Return what is drawn of a mapping of which only a part is cells and numbers; None without any."""
    if not isinstance(value, Mapping):
        return None
    part = {key: each for key, each in value.items() if _cells([key], size) and _is_number(each)}
    return marked(name, part, size)


def marked_answers(expected: object, returned: object, mazes: Sequence[Maze]) -> list[Marked | None]:
    """Return what is drawn of the right answer and of another one into the only maze; nothing unless the
    right one maps its cells to numbers.
    """
    if not isinstance(expected, Mapping) or len(mazes) != 1:
        return [None, None]
    size = mazes[0].dimension
    return (
        [marked_part("", each, size) for each in (expected, returned)]
        if marked("", expected, size)
        else [None, None]
    )


def of_maze(given: Iterable[Marked], others: Collection[str], name: str = "") -> tuple[Marked, ...]:
    """Return what is drawn into the first maze, or into one of the others, which all have names."""
    if name or not others:
        return tuple(each for each in given if each.maze == name)
    return tuple(each for each in given if each.maze and each.maze not in others)


def find_other_number(one: Marked | None, other: Marked | None) -> Vector | None:
    """Return the first cell that has another number in the other answer, or has none; None without."""
    ours, theirs = (dict(zip(each.cells, each.numbers, strict=True)) if each else {} for each in (one, other))
    return next((cell for cell in [*ours, *theirs] if ours.get(cell) != theirs.get(cell)), None)


def _cells(values: Iterable[object], size: Dimension) -> tuple[Vector, ...]:
    """Return the cells if all of these are; else nothing."""
    found = []
    for value in values:
        is_pair = isinstance(value, tuple) and len(value) == 2 and all(type(each) is int for each in value)
        if not is_pair or not size.includes(cell := Vector(*value)):  # type: ignore[misc]
            return ()
        found.append(cell)
    return tuple(found)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _written(number: object) -> str:
    return repr(number).replace("inf", "\N{INFINITY}")


# --- as the public tests report it --------------------------------------------------------------------


def arguments_told(arguments: Mapping[str, object], drawn: Collection[str]) -> dict[str, Any]:
    """Return as plain data what of these names is drawn into the mazes, and the mazes beside the first."""
    mazes = mazes_among(arguments)
    first = next((name for name, value in arguments.items() if isinstance(value, Maze)), "")
    shown = {name: value for name, value in arguments.items() if name in drawn}
    found, others = (
        find_marked({**mazes, **shown}),
        {name: mazes[name].to_text() for name in mazes if name != first},
    )
    told: dict[str, Any] = {"marked": [each.plain for each in found]} if found else {}
    return told | ({"mazes": others} if others else {})


def answers_told(both: tuple[object, object], mazes: Sequence[Maze]) -> dict[str, Any]:
    """Return as plain data what is drawn of the right answer and of another one; nothing where nothing is."""
    found = marked_answers(*both, mazes)
    return {"answers": [each and each.plain for each in found]} if found[0] else {}


def cells_of(both: tuple[object, object], maze: Maze) -> tuple[tuple[Vector, ...], ...]:
    """Return the cells of the right answer and of another one, where both are lists or sets of cells."""
    found = [marked("", each, maze.dimension) for each in both]
    return tuple(each.cells for each in found if each and each.form in ("list", "set")) if all(found) else ()


def marked_lines(told: Mapping[str, Any]) -> list[str]:
    """Return lines of text about the arguments that are drawn, after further mazes that are given."""
    mazes = [f"{name}:\n{text}" for name, text in told.get("mazes", {}).items()]
    return [*mazes, *(from_plain(each).words_in_maze for each in told.get("marked", ()))]


# --- what fits into a picture -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Marks:
    """What is written into the cells of one maze, and what does not fit there."""

    signs: Mapping[Vector, str] = field(default_factory=dict)
    """The letters in each cell, with the numbers of lists."""
    numbers: Mapping[Vector, str] = field(default_factory=dict)
    """The numbers of a mapping that is given."""
    answer: Mapping[Vector, str] = field(default_factory=dict)
    """The numbers of a mapping that is an answer."""
    legend: tuple[tuple[str, str, str], ...] = ()
    """For each that is drawn how it looks, an example of it, and its name."""
    beside: tuple[Marked, ...] = ()
    """What does not fit."""
    given: tuple[Marked, ...] = ()
    """All that is given."""

    def __bool__(self) -> bool:
        """Tell whether there is anything to show."""
        return bool(self.legend or self.beside)

    @property
    def words(self) -> list[str]:
        """What is given, each as a line of text."""
        return [each.words for each in self.given]


def arrange(given: Sequence[Marked], size: Dimension, answer: Marked | None = None) -> Marks:
    """Lay out what is given, and perhaps an answer, in the cells of a maze of this size."""
    signs: dict[Vector, str] = {}
    numbers: dict[Vector, str] = {}
    legend: list[tuple[str, str, str]] = []
    beside: list[Marked] = []
    is_small = max(size.row_count, size.column_count) <= MOST_ROWS
    for each in given:
        if each.form == "mapping":
            fits = is_small and not numbers and _are_short(each.texts)
            numbers.update(zip(each.cells, each.texts, strict=True) if fits else ())
            example = ("given-number", each.texts[0], each.name)
        else:
            letter = _letter(each.name, [shown[1] for shown in legend])
            added = _with_signs(signs, each, letter) if is_small and letter else None
            fits = added is not None
            signs = added or signs
            example = ("given", letter + each.texts[0], each.name)
        legend += [example] if fits else []
        beside += [] if fits else [each]
    drawn: dict[Vector, str] = {}
    if answer is not None and is_small and _are_short(answer.texts):
        drawn = dict(zip(answer.cells, answer.texts, strict=True))
        legend.append(("answer-number", answer.texts[0], answer.name))
    elif answer is not None:
        beside.append(answer)
    return Marks(signs, numbers, drawn, tuple(legend), tuple(beside), tuple(given))


def _with_signs(signs: Mapping[Vector, str], marked_: Marked, letter: str) -> dict[Vector, str] | None:
    """Return the signs with those of another one; None where a cell has no room for it."""
    added = dict(signs)
    for cell, text in zip(marked_.cells, marked_.texts, strict=True):
        sign = added.get(cell, "") + letter + text
        letters = sum(map(str.isalpha, sign))
        if letters > _MOST_LETTERS or len(sign) > _MOST_SIGNS or len(text) > _MOST_DIGITS:
            return None
        added[cell] = sign
    return added


def _are_short(texts: Sequence[str]) -> bool:
    return all(sum(map(str.isdigit, text)) <= _MOST_DIGITS and len(text) <= _MOST_SIGNS for text in texts)


def _letter(name: str, taken: Sequence[str]) -> str:
    """Return the letter of an argument: its own first one if that is free; "" where none is."""
    used = {sign[0] for sign in taken}
    return next((letter for letter in (name[:1].upper(), *_LETTERS) if letter in {*_LETTERS} - used), "")


# --- as SVG and HTML --------------------------------------------------------------------------------


def to_svg(marks: Marks, corner: Callable[[Vector], tuple[int, int]], columns: int) -> str:
    """Return what is written into the cells, of which ``corner`` tells the north-west corner."""
    size = "" if columns <= _WIDE else " big"
    has_both = " both" if marks.numbers and marks.answer else ""
    parts = [
        *(_sign(corner(cell), sign, size) for cell, sign in marks.signs.items()),
        *(_number(corner(cell), text, 25 if has_both else 36) for cell, text in marks.numbers.items()),
        *(
            _boxed(corner(cell), text, 12 if has_both else 18 if size else 14)
            for cell, text in marks.answer.items()
        ),
    ]
    return f'<g class="marks{size}{has_both}" aria-hidden="true">{"".join(parts)}</g>' if parts else ""


def _sign(place: tuple[int, int], sign: str, size: str) -> str:
    """Return letters on a dark ground in the north-east of a cell."""
    each, high = (9.5 if size else 7.5), (18 if size else 14)
    each = min(each, 30 / len(sign))
    width = round(6 + each * len(sign), 1)
    x, y = place[0] + 38 - width, place[1] + 2
    small = ' class="long"' if len(sign) > 3 else ""
    return (
        f'<g class="given"><rect x="{x:g}" y="{y}" width="{width:g}" height="{high}" rx="4"/>'
        f'<text x="{x + width / 2:g}" y="{y + high / 2:g}"{small}>{escape(sign)}</text></g>'
    )


def _number(place: tuple[int, int], text: str, down: int) -> str:
    """Return a number in the west of a cell, so far down; in the south where no answer is below it."""
    small = " long" if len(text) > 3 else ""
    return f'<text class="given-number{small}" x="{place[0] + 4}" y="{place[1] + down}">{escape(text)}</text>'


def _boxed(place: tuple[int, int], text: str, high: int) -> str:
    """Return a number in a frame of this height in the south-east of a cell."""
    each = 9 if high > 14 else 6
    width = round(4 + min(each, 32 / len(text)) * len(text), 1)
    x, y = place[0] + 38 - width, place[1] + 38 - high
    small = ' class="long"' if len(text) > 3 else ""
    return (
        f'<g class="answer-number"><rect x="{x:g}" y="{y}" width="{width:g}" height="{high}" rx="2"/>'
        f'<text x="{x + width / 2:g}" y="{y + high / 2:g}"{small}>{escape(text)}</text></g>'
    )


def legend_items(pictures: Sequence[Marks], words: Mapping[str, str] = WORDS) -> str:
    """Return the items of a legend: how each that is drawn into these pictures looks, and its name."""
    icon = '<svg class="marks-key" width="40" height="20" viewBox="0 0 40 20" aria-hidden="true">'
    drawn = {
        "given": lambda text: _sign((0, 1), text, ""),
        "given-number": lambda text: _number((14, -20), text, 36),
        "answer-number": lambda text: _boxed((0, -20), text, 14),
    }
    known: dict[tuple[str, str], str] = {}
    for look, text, name in (each for marks in pictures for each in marks.legend):
        told = escape(words["answer"]) if look == "answer-number" else f"<code>{escape(name)}</code>"
        known.setdefault((look, told), f"<li>{icon}{drawn[look](text)}</svg>{told}</li>")
    return "".join(known.values())


def all_beside(pictures: Sequence[Marks], given: Iterable[Marked]) -> list[Marked]:
    """Return what does not fit into these pictures, and what is given and belongs to none of them."""
    known = {each for picture in pictures for each in picture.given}
    found = [each for picture in pictures for each in picture.beside]
    return [*dict.fromkeys([*found, *(each for each in given if each not in known)])]


def tables(beside: Iterable[Marked], words: Mapping[str, str] = WORDS) -> str:
    """Return what does not fit into a picture, as tables."""
    return "".join(_table(each, words) for each in beside)


def _table(shown: Marked, words: Mapping[str, str]) -> str:
    caption = words["beside"].format(name=shown.name or words["answer"])
    if shown.form == "mapping":
        by_cell = dict(zip(shown.cells, shown.texts, strict=True))
        columns = sorted({cell.column for cell in shown.cells})
        head = "".join(f'<th scope="col">{column}</th>' for column in columns)
        rows = [
            f'<tr><th scope="row">{row}</th>'
            + "".join(f"<td>{escape(by_cell.get(Vector(row, column), ''))}</td>" for column in columns)
            + "</tr>"
            for row in sorted({cell.row for cell in shown.cells})
        ]
        rows.insert(0, f"<tr><td></td>{head}</tr>")
    else:
        rows = [f'<tr><td></td><th scope="col">{escape(words["cell"])}</th></tr>']
        rows += [
            f'<tr><th scope="row">{text}</th><td>{cell_text(cell)}</td></tr>'
            for cell, text in zip(shown.cells, shown.texts, strict=True)
        ]
    body = f"<table><caption>{escape(caption)}</caption>{''.join(rows)}</table>"
    return f'<div class="answer" tabindex="0" role="group" aria-label="{escape(caption)}">{body}</div>'
