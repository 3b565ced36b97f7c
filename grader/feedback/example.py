"""An example that shows a mistake, and the lines of code that belong to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from grader.feedback.untrusted import MAZE_LIMIT, as_line, as_lines, as_text, maze, take, vectors
from grader.model import Fault, Frame
from lab import MOVES, Maze, Vector
from lab.render.marks import Marked, from_plain, of_maze
from lab.watch import STREAMS


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One call of a script and its result."""

    call: str
    gives: str


@dataclass(frozen=True, slots=True)
class RevisitedCell:
    """The cell to which an endless search kept returning."""

    cell: Vector
    """The cell that came up most often."""
    times: int
    first: Vector
    """The first cell that came up twice."""
    how: str
    """By what it came up: ``taken`` from the Search, or ``asked``, ``probed``, ``tested``."""


@dataclass(frozen=True, slots=True)
class Table:
    """An answer as rows: a matrix, or a mapping with a row for each key."""

    is_mapping: bool
    rows: tuple[tuple[str, ...], ...]
    first_row: int
    """The number of the first row that is shown, from 1."""
    first_column: int
    """The number of the first column that is shown, from 1."""
    wrong_row: int | None
    wrong_column: int | None
    """The index of the wrong column, from 0; None if the whole row is wrong."""

    @property
    def width(self) -> int:
        """The number of columns that are shown."""
        return max(map(len, self.rows), default=0)

    def is_wrong(self, row: int, column: int) -> bool:
        """Return whether the answers differ at this place; row and column count from 0."""
        return row == self.wrong_row and self.wrong_column in (None, column)


@dataclass(frozen=True, slots=True)
class Side:
    """The expected or the actual result."""

    text: str = ""
    moves: tuple[Vector, ...] | None = None
    visits: tuple[Vector, ...] = ()
    pending: int | None = None
    revisits: RevisitedCell | None = None
    outside: Vector | None = None
    """The first cell outside of the maze that the code asked about."""
    walk: tuple[Vector, ...] = ()
    """The first visits in order, repeats included, of an endless search."""
    how: str = ""
    """How the visits were seen, as ``lab.watch.STREAMS`` name it; "" if they are visits without doubt."""
    steps: tuple[ScriptLine, ...] = ()
    mazes: tuple[str, ...] = ()
    table: Table | None = None
    fault: Fault | None = None
    marked: Marked | None = None
    """The numbers that it has for cells."""

    @property
    def shown_visits(self) -> tuple[Vector, ...]:
        """The visits that are drawn, in order."""
        return self.walk or tuple(dict.fromkeys(self.visits))

    @property
    def is_drawn(self) -> bool:
        """Whether its text only lists the visits or the numbers that a picture shows."""
        if self.marked is not None and self.table is None:
            return True
        return self.text == " ".join(f"({cell.row}, {cell.column})" for cell in self.visits)

    @property
    def is_way(self) -> bool:
        """Whether there are moves and all are valid, so that they can be drawn."""
        return bool(self.moves) and all(move in MOVES for move in self.moves or ())


@dataclass(frozen=True, slots=True)
class Parting:
    """The first difference between two visit orders; None for a side that has already ended."""

    expected: Vector | None
    actual: Vector | None


@dataclass(frozen=True, slots=True)
class Example:
    """A small case that a submission gets wrong."""

    label: str
    call: str
    maze: Maze | None
    maze_text: str
    expected: Side
    actual: Side
    parting: Parting | None
    parting_step: int | None
    cycle: tuple[Vector, ...]
    islands: tuple[Vector, ...]
    saved: str
    """The content of the file that the command reads."""
    file: str
    command: str
    marked: tuple[Marked, ...] = ()
    """What is given beside the maze and drawn into it."""
    others: tuple[tuple[str, Maze], ...] = ()
    """Further mazes that are given, by name."""

    @property
    def has_several_mazes(self) -> bool:
        """Whether other mazes are saved besides the shown one."""
        return self.saved != self.maze_text

    @property
    def parts_in(self) -> int:
        """The number of the step in which the visits part; 0 if they do not."""
        both = enumerate(zip_longest(self.expected.shown_visits, self.actual.shown_visits), start=1)
        is_known = self.parting is not None and self.actual.revisits is None
        return next((step for step, (due, came) in both if is_known and due != came), 0)

    def marked_in(self, name: str = "") -> tuple[Marked, ...]:
        """Return what is drawn into the maze, or into another one of this name."""
        return of_maze(self.marked, [other for other, _ in self.others], name)

    @property
    def shows_visits(self) -> bool:
        """Whether either side has a visit order to show."""
        return bool(self.expected.visits or self.actual.visits)


def read_example(source: Mapping[str, object]) -> Example:
    """Read a counterexample, omitting missing or malformed values."""
    expected, actual = _read_side(source.get("expected")), _read_side(source.get("actual"))
    maze_text, at = source.get("maze"), take(source, "parts_at", tuple[int, int])
    reproduce = take(source, "reproduce", dict[str, str]) or {}
    text = as_text(maze_text, limit=MAZE_LIMIT) if isinstance(maze_text, str) else ""
    return Example(
        label=_line(source, "label"),
        call=as_text(take(source, "call", str) or "", limit=2_000),
        maze=maze(maze_text),
        maze_text=text,
        expected=expected,
        actual=actual,
        parting=_read_parting(Vector(*at) if at else None, expected.visits, actual.visits),
        parting_step=take(source, "parts_at", int),
        cycle=vectors(source, "cycle") or (),
        islands=vectors(source, "unreachable") or (),
        saved=as_text(reproduce.get("content", ""), limit=MAZE_LIMIT) or text,
        file=_line(reproduce, "file"),
        command=_line(reproduce, "command"),
        marked=tuple(filter(None, map(_read_marked, take(source, "marked", list[dict[str, Any]]) or []))),
        others=tuple(
            (as_line(name), drawn)
            for name, each in (take(source, "mazes", dict[str, str]) or {}).items()
            if (drawn := maze(each)) is not None
        ),
    )


def _read_marked(source: Mapping[str, object]) -> Marked | None:
    """Read what is marked in a maze; None if the value has another form."""
    cells, numbers = vectors(source, "cells") or (), take(source, "numbers", tuple[str, ...])
    told = {"name": _line(source, "name"), "form": source.get("form"), "cells": cells}
    told |= {"maze": _line(source, "maze"), "numbers": [*map(as_line, numbers or ())]}
    try:
        return from_plain(told)
    except ValueError:
        return None


def _line(source: Mapping[str, object], key: str) -> str:
    return as_line(take(source, key, str) or "")


def _read_parting(
    at: Vector | None, expected: tuple[Vector, ...], actual: tuple[Vector, ...]
) -> Parting | None:
    """Return both cells at the first difference: the stored one, and its counterpart."""
    if at is None or not (expected or actual):
        return None
    before = actual[: actual.index(at)] if at in actual else actual
    due = next((cell for cell in expected if cell not in before), None)
    return Parting(due, at if at in actual else None)


def _read_side(value: object) -> Side:
    if not isinstance(value, Mapping):
        return Side(text="" if value is None else as_text(str(value)))
    fault, steps = take(value, "fault", dict[str, Any]), take(value, "steps", list[dict[str, str]]) or []
    return Side(
        text=as_text(take(value, "text", str) or ""),
        moves=vectors(value, "moves"),
        visits=vectors(value, "visits") or (),
        pending=take(value, "pending", int),
        revisits=_read_revisits(take(value, "revisits", dict[str, Any]) or {}),
        outside=None if (outside := take(value, "outside", tuple[int, int])) is None else Vector(*outside),
        walk=vectors(value, "walk") or (),
        how=how if (how := take(value, "how", str)) in STREAMS[1:] else "",
        steps=tuple(ScriptLine(_line(step, "call"), _line(step, "gives")) for step in steps),
        mazes=as_lines(take(value, "mazes", list[str]) or [])[:6],
        table=_read_table(take(value, "table", dict[str, Any]) or {}),
        fault=None if fault is None else _read_fault(fault),
        marked=_read_marked(take(value, "marked", dict[str, Any]) or {}),
    )


def _read_table(source: Mapping[str, object]) -> Table | None:
    """Read an answer as rows; None if the value has another form."""
    rows = take(source, "rows", tuple[tuple[Any, ...], ...])
    if rows is None:
        return None
    first, wrong = (
        take(source, key, tuple[int | None, int | None]) or (None, None) for key in ("first", "wrong")
    )
    return Table(
        source.get("kind") == "mapping",
        tuple(tuple(as_text(str(part), limit=200) for part in row[:40]) for row in rows[:40]),
        first[0] or 1,
        first[1] or 1,
        *wrong,
    )


def _read_revisits(source: Mapping[str, object]) -> RevisitedCell | None:
    cell, first = (take(source, key, tuple[int, int]) for key in ("cell", "first"))
    times, how = take(source, "times", int), source.get("how")
    if cell is None or first is None or times is None or how not in STREAMS:
        return None
    return RevisitedCell(Vector(*cell), times, Vector(*first), str(how))


def _read_fault(source: Mapping[str, object]) -> Fault:
    stage = source.get("stage")
    return Fault(
        kind=_line(source, "kind"),
        message=as_text(take(source, "message", str) or "", limit=1_000),
        trace=tuple(map(_read_frame, (take(source, "trace", list[dict[str, Any]]) or [])[:20])),
        stage=stage if stage in ("import", "construct") else "call",
    )


def _read_frame(source: Mapping[str, object]) -> Frame:
    file, function, code = (_line(source, key) for key in ("file", "function", "code"))
    return Frame(file, take(source, "line", int) or 0, function, code)


@dataclass(frozen=True, slots=True)
class LookView:
    """The place of the mistake in the student's code."""

    file: str
    line: int
    after: bool
    """Whether something is missing after the line."""
    message: str
    checks: tuple[str, ...]
    """The ids of the checks that it concerns."""
    first: int
    """The number of the first line of ``code``."""
    code: tuple[str, ...]
    """The lines around the place."""
    edit: tuple[str, ...] = ()
    """The repair, for staff only."""
    said: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoryStepView:
    """What a line of the student's did in a call, and what its variables held."""

    line: int | None
    text: str
    values: Mapping[str, str]
    said: Mapping[str, object] = field(default_factory=dict)
    file: str = ""
    """The file of the line and a comma, if it is another one than that of the story."""


@dataclass(frozen=True, slots=True)
class StateView:
    """What was held after a step of a script, in the submission's object and in a right one."""

    number: int
    call: str
    came: tuple[str, ...]
    due: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoryView:
    """The call of a lost check, from the step at which it parts from a right one."""

    check: str
    file: str
    steps: tuple[StoryStepView, ...]
    first: int
    """The number of the first line of ``code``."""
    code: tuple[str, ...]
    """The student's lines around the steps."""
    walk: tuple[tuple[int, ...], ...] = ()
    """For each step of the walk that the check shows, the numbers of the lines that ran."""
    states: tuple[StateView, ...] = ()
    """The last steps of a script up to the first one after which what was held is wrong."""

    @property
    def plain(self) -> dict[str, object]:
        """The story as ``lab.render.story`` reads it."""
        steps = [
            {"line": step.line, "text": step.text, "values": step.values, "beside": step.file}
            for step in self.steps
        ]
        return {"steps": steps, "first": self.first, "source": self.code}


@dataclass(frozen=True, slots=True)
class SourceView:
    """Lines of the student's file, with those that are spoken of."""

    file: str
    numbered: tuple[tuple[int, str, bool], ...]
    """Number, text, and whether the line is spoken of."""
    after: int = 0
    """The line after which something is missing; 0 if none is known."""
    edit: tuple[str, ...] = ()


def source_of(look: LookView | None, story: StoryView | None) -> SourceView | None:
    """Return the lines that a place and a story speak of, with those around; None without either."""
    told = [part for part in (look, story) if part is not None]
    parts = [part for part in told if part.file == told[0].file]
    lines = {number: text for part in parts for number, text in enumerate(part.code, part.first)}
    if not lines:
        return None
    spoken = {step.line for step in story.steps if not step.file} if story in parts and story else set()
    place = look.line if look else 0
    numbered = tuple((number, lines[number], number in {place, *spoken}) for number in sorted(lines))
    after, edit = (place, look.edit) if look and look.after else (0, look.edit if look else ())
    return SourceView(parts[0].file, numbered, after, edit)
