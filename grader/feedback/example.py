"""The case that shows a mistake, read from results.json: both sides, and where they part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.feedback import plain
from grader.model import Fault, Frame
from lab import MOVES, Maze, Vector


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a script and what it gave."""

    call: str
    gives: str


@dataclass(frozen=True, slots=True)
class Side:
    """What was expected, or what came."""

    text: str = ""
    moves: tuple[Vector, ...] | None = None
    visits: tuple[Vector, ...] = ()
    pending: int | None = None
    steps: tuple[Step, ...] = ()
    mazes: tuple[str, ...] = ()
    fault: Fault | None = None

    @property
    def is_way(self) -> bool:
        """Tell whether all the moves are moves, so that they can be drawn."""
        return bool(self.moves) and all(move in MOVES for move in self.moves or ())


@dataclass(frozen=True, slots=True)
class Parting:
    """The first difference between two visit orders; a side that had ended is None."""

    expected: Vector | None
    actual: Vector | None


@dataclass(frozen=True, slots=True)
class Example:
    """A small case on which a submission is wrong."""

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
    file: str
    command: str

    @property
    def shows_visits(self) -> bool:
        """Tell whether there are two visit orders to set side by side."""
        return bool(self.expected.visits or self.actual.visits)


def example_of(source: Mapping[str, Any]) -> Example:
    """Read a counterexample; what is missing or misshapen is left out."""
    expected, actual = _side(source.get("expected")), _side(source.get("actual"))
    maze_text = source.get("maze")
    reproduce = plain.table(source, "reproduce") or {}
    return Example(
        label=plain.line(source, "label"),
        call=plain.text(source, "call", limit=2_000),
        maze=plain.maze(maze_text),
        maze_text=plain.visible(maze_text, limit=plain.MAZE_LIMIT) if isinstance(maze_text, str) else "",
        expected=expected,
        actual=actual,
        parting=_parting(plain.pair(source.get("parts_at")), expected.visits, actual.visits),
        parting_step=plain.whole(source, "parts_at"),
        cycle=plain.vectors(source, "cycle") or (),
        islands=plain.vectors(source, "unreachable") or (),
        file=plain.line(reproduce, "file"),
        command=plain.line(reproduce, "command"),
    )


def _parting(at: Vector | None, expected: tuple[Vector, ...], actual: tuple[Vector, ...]) -> Parting | None:
    """Both cells at the first difference: the one that is given, and its counterpart."""
    if at is None or not (expected or actual):
        return None
    before = actual[: actual.index(at)] if at in actual else actual
    due = next((cell for cell in expected if cell not in before), None)
    return Parting(due, at if at in actual else None)


def _side(value: Any) -> Side:
    if not isinstance(value, Mapping):
        return Side(text="" if value is None else plain.visible(str(value)))
    fault = plain.table(value, "fault")
    return Side(
        text=plain.text(value, "text"),
        moves=plain.vectors(value, "moves"),
        visits=plain.vectors(value, "visits") or (),
        pending=plain.whole(value, "pending"),
        steps=tuple(
            Step(plain.line(s, "call"), plain.line(s, "gives")) for s in plain.tables(value, "steps")
        ),
        mazes=plain.texts(value, "mazes")[:6],
        fault=None if fault is None else _fault(fault),
    )


def _fault(source: Mapping[str, Any]) -> Fault:
    stage = source.get("stage")
    return Fault(
        kind=plain.line(source, "kind"),
        message=plain.text(source, "message", limit=1_000),
        trace=tuple(_frame(frame) for frame in plain.tables(source, "trace")[:20]),
        stage=stage if stage in ("import", "construct") else "call",
    )


def _frame(source: Mapping[str, Any]) -> Frame:
    return Frame(
        file=plain.line(source, "file"),
        line=plain.whole(source, "line") or 0,
        function=plain.line(source, "function"),
        code=plain.line(source, "code"),
    )
