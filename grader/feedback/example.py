"""The case that shows a mistake, read from results.json: both sides, and their first difference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from grader.feedback import untrusted
from grader.model import Fault, Frame
from lab import MOVES, Maze, Vector


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One call of a script and its result."""

    call: str
    gives: str


@dataclass(frozen=True, slots=True)
class RevisitedCell:
    """The cell to which an endless search kept returning."""

    cell: Vector
    """The cell that was visited most often."""
    times: int
    first: Vector
    """The first cell that was visited twice."""


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
    walk: tuple[Vector, ...] = ()
    """The first visits in order, repeats included, of an endless search."""
    steps: tuple[ScriptLine, ...] = ()
    mazes: tuple[str, ...] = ()
    table: Table | None = None
    fault: Fault | None = None

    @property
    def shown_visits(self) -> tuple[Vector, ...]:
        """The visits that are drawn, in order."""
        return self.walk or tuple(dict.fromkeys(self.visits))

    @property
    def is_drawn(self) -> bool:
        """Whether its text only lists the visits, which a picture shows."""
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

    @property
    def shows_visits(self) -> bool:
        """Whether either side has a visit order to show."""
        return bool(self.expected.visits or self.actual.visits)


def read_example(source: Mapping[str, object]) -> Example:
    """Read a counterexample, omitting missing or malformed values."""
    expected, actual = _read_side(source.get("expected")), _read_side(source.get("actual"))
    maze_text = source.get("maze")
    reproduce = untrusted.table(source, "reproduce") or {}
    text = untrusted.as_text(maze_text, limit=untrusted.MAZE_LIMIT) if isinstance(maze_text, str) else ""
    return Example(
        label=untrusted.line(source, "label"),
        call=untrusted.text(source, "call", limit=2_000),
        maze=untrusted.maze(maze_text),
        maze_text=text,
        expected=expected,
        actual=actual,
        parting=_read_parting(untrusted.pair(source.get("parts_at")), expected.visits, actual.visits),
        parting_step=untrusted.whole(source, "parts_at"),
        cycle=untrusted.vectors(source, "cycle") or (),
        islands=untrusted.vectors(source, "unreachable") or (),
        saved=untrusted.text(reproduce, "content", limit=untrusted.MAZE_LIMIT) or text,
        file=untrusted.line(reproduce, "file"),
        command=untrusted.line(reproduce, "command"),
    )


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
        return Side(text="" if value is None else untrusted.as_text(str(value)))
    fault = untrusted.table(value, "fault")
    return Side(
        text=untrusted.text(value, "text"),
        moves=untrusted.vectors(value, "moves"),
        visits=untrusted.vectors(value, "visits") or (),
        pending=untrusted.whole(value, "pending"),
        revisits=_read_revisits(untrusted.table(value, "revisits") or {}),
        walk=untrusted.vectors(value, "walk") or (),
        steps=tuple(
            ScriptLine(untrusted.line(s, "call"), untrusted.line(s, "gives"))
            for s in untrusted.tables(value, "steps")
        ),
        mazes=untrusted.texts(value, "mazes")[:6],
        table=_read_table(untrusted.table(value, "table")),
        fault=None if fault is None else _read_fault(fault),
    )


def _read_table(source: Mapping[str, object] | None) -> Table | None:
    """Read an answer as rows; None if the value has another form."""
    rows = (source or {}).get("rows")
    if source is None or not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return None
    first, wrong = _read_place(source.get("first")), _read_place(source.get("wrong"))
    return Table(
        source.get("kind") == "mapping",
        tuple(tuple(untrusted.as_text(str(part), limit=200) for part in row[:40]) for row in rows[:40]),
        first[0] or 1,
        first[1] or 1,
        *wrong,
    )


def _read_place(value: object) -> tuple[int | None, int | None]:
    """Read two whole numbers, either of which may be missing."""
    if not isinstance(value, list) or len(value) != 2:
        return None, None
    row, column = (number if type(number) is int else None for number in value)
    return row, column


def _read_revisits(source: Mapping[str, object]) -> RevisitedCell | None:
    cell, first = (untrusted.pair(source.get(key)) for key in ("cell", "first"))
    times = untrusted.whole(source, "times")
    return None if cell is None or first is None or times is None else RevisitedCell(cell, times, first)


def _read_fault(source: Mapping[str, object]) -> Fault:
    stage = source.get("stage")
    return Fault(
        kind=untrusted.line(source, "kind"),
        message=untrusted.text(source, "message", limit=1_000),
        trace=tuple(_read_frame(frame) for frame in untrusted.tables(source, "trace")[:20]),
        stage=stage if stage in ("import", "construct") else "call",
    )


def _read_frame(source: Mapping[str, object]) -> Frame:
    return Frame(
        file=untrusted.line(source, "file"),
        line=untrusted.whole(source, "line") or 0,
        function=untrusted.line(source, "function"),
        code=untrusted.line(source, "code"),
    )
