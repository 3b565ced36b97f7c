"""Runs of the statements of a line in a second record, and what they read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from lab import MOVES, Maze
from tests.truth.record import Moment, SecondRecord, Variable, parts_of
from tests.truth.right import Cell
from tests.truth.said import About, Said

MOVES_BY_NAME = {move.name: tuple(move) for move in MOVES}
_Statement = ast.stmt | ast.match_case | ast.ExceptHandler
_LONGEST_TEST = 80
"""A condition is quoted with 80 characters."""


class Run(NamedTuple):
    """One run of a statement: its moments in the record."""

    record: SecondRecord
    start: int
    end: int
    frame: int

    @property
    def moments(self) -> Sequence[Moment]:
        return self.record.moments[self.start : self.end]

    @property
    def own(self) -> list[Moment]:
        """The moments of the statement itself, lambdas and comprehensions in it included."""
        frames = {self.frame}
        for each in self.moments:
            if each.kind == "call" and each.name[0] == "<" and each.held[0] in frames:
                frames.add(each.frame)
        return [each for each in self.moments if each.frame in frames]

    @property
    def values(self) -> list[Moment]:
        return [each for each in self.own if each.kind == "value"]

    @property
    def before(self) -> Mapping[str, Any]:
        return self.record.moments[self.start].variables

    @property
    def after(self) -> Mapping[str, Any]:
        """What the variables held when the statement had run."""
        own = [each for each in self.record.moments[self.start : self.end + 1] if each.frame == self.frame]
        return own[-1].variables


@cache
def statements(text: bytes) -> dict[int, tuple[_Statement, int, int]]:
    """Return the statement, case or handler whose own part stands in a line, with the lines of that part."""
    found = dict[int, tuple[_Statement, int, int]]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, _Statement):
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            first, begins = _line(node), _line(body[0]) if body else None
            last = getattr(node, "end_lineno", first) if begins is None else max(begins - 1, first)
            for line in range(first, last + 1):
                if line not in found or found[line][1] <= first:
                    found[line] = (node, first, last)
    return found


def _line(node: _Statement) -> int:
    return node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno


def statement(record: SecondRecord, file: str, line: int | None) -> tuple[_Statement, int, int] | None:
    return statements(record.files[file]).get(line or 0)


def runs(said: Said, record: SecondRecord) -> Iterator[Run]:
    """Yield the runs of a line in which its variables held what is shown beside it."""
    place = statement(record, said.file, said.line)
    if place is None:
        return
    node, first, last = place
    moments = record.moments
    for at, each in enumerate(moments):
        if (each.kind, each.file, each.line) == ("line", said.file, said.line):
            same = (n for n in range(at + 1, len(moments)) if moments[n].frame == each.frame)
            ends = (n for n in same if _leaves(moments[n], first, last))
            run = Run(record, at, next(ends, len(moments)), each.frame)
            held = [each, *run.values]
            if isinstance(node, ast.match_case):  # it is told with what it gave the variables
                held += moments[run.end : run.end + 1]
            if any(has(said.shown, moment) for moment in held) and _has_entries(said, run):
                yield run


def _leaves(moment: Moment, first: int, last: int) -> bool:
    return (
        moment.kind == "return"
        or (moment.kind == "line" and not first <= moment.line <= last)
        or (moment.kind == "line" and moment.line == first)
    )


def has(shown: Mapping[str, str], moment: Moment) -> bool:
    known = moment.variables
    return all(
        name in known and is_told(text, known[name]) for name, text in shown.items() if name[-1] != "]"
    )


def _has_entries(said: Said, run: Run) -> bool:
    """Tell whether dicts held, before or after a run, what is shown of them by a key."""
    for name, text in ((name, text) for name, text in said.shown.items() if name[-1] == "]"):
        held, _, key = name[:-1].partition("[")
        keys = {moment[key].held for moment in (run.before, run.after) if key in moment}
        pairs = [
            pair for moment in (run.before, run.after) if held in moment for pair in moment[held].held.parts
        ]
        if not any(one in keys and is_told(text, Variable(value, str(value))) for one, value in pairs):
            return False
    return True


def is_told(text: str, variable: Any) -> bool:
    """Tell whether words stand for a value: a cell beyond the border may be told as a move, and as a cell."""
    return text == variable.text or (type(variable.held) is tuple and text == str(variable.held))


def cell_of(text: str) -> Cell:
    """Read a cell, or a move, from its words."""
    if text in MOVES_BY_NAME:
        return MOVES_BY_NAME[text]  # type: ignore[return-value]
    row, column = re.findall(r"-?\d+", text)
    return int(row), int(column)


def reads(moments: Sequence[Moment], cell: Cell) -> bool:
    """Tell whether one of some expressions is a cell, or asks about it: by row and column, or by a move."""
    for each in moments:
        if each.held == cell and type(each.held) is tuple:
            return True
        if isinstance(each.node, ast.Call):
            inside = [
                v.held
                for v in moments
                if v.node is not None and any(_is_at(v.node, a) for a in each.node.args)
            ]
            if any(moved(a, b) == cell for a, b in pairwise(inside)):
                return True
            numbers = [v for v in inside if type(v) is int]
            if any(pair == cell for pair in pairwise(numbers)):
                return True
    numbers = [each.held for each in moments if type(each.held) is int]
    return any(pair == cell for pair in pairwise(numbers))


def _is_at(one: ast.expr, other: ast.expr) -> bool:
    return (one.lineno, one.col_offset, one.end_col_offset) == (
        other.lineno,
        other.col_offset,
        other.end_col_offset,
    )


def moved(one: Any, other: Any) -> Any:
    if type(one) is tuple and type(other) is tuple and len(one) == len(other) == 2:
        return (one[0] + other[0], one[1] + other[1]) if all(type(n) is int for n in (*one, *other)) else None
    return None


def holds(held: Any, cell: Cell) -> bool:
    return any(type(each) is tuple and each == cell for each in parts_of(held))


def becomes(run: Run, cell: Cell) -> bool:
    """Tell whether a line gave a variable a cell."""
    return any(each.kind == "change" and each.held == cell for each in run.own) or any(
        variable.held == cell and name in bound(run) for name, variable in run.after.items()
    )


def bound(run: Run) -> set[str]:
    """Return the variables that the statement of a run gives a value."""
    moment = run.record.moments[run.start]
    place = statement(run.record, moment.file, moment.line)
    if place is None:
        return set()
    node, _, _ = place
    inside = [node.target] if isinstance(node, ast.For) else [] if _is_compound(node) else [node]
    names = set()
    for each in (each for part in inside for each in ast.walk(part)):
        if isinstance(getattr(each, "ctx", None), ast.Store):
            names.add(ast.unparse(each))
    return names


def _is_compound(node: ast.AST) -> bool:
    return hasattr(node, "body")


def is_decided(run: Run, said: Said, cell: Cell | None = None) -> bool:
    """Tell whether a condition came out like this in a run, about a cell that it reads."""
    test, outcome = said.values["test"], said.values["outcome"]
    if test.startswith("case "):
        return _is_matched(run, said)
    for each in run.values:
        if each.node is None or each.truth is None or str(each.truth) != outcome:
            continue
        if words_of(run.record, each) == test:
            inside = [
                value for value in run.values if value.node is not None and is_within(value.node, each.node)
            ]
            if cell is None or reads(inside, cell) or _leads_to(inside, each, cell):
                return True
    return False


def _is_matched(run: Run, said: Said) -> bool:
    """Tell whether the lines of a case ran after it, or were passed over."""
    place, after = statement(run.record, said.file, said.line), run.record.moments[run.end : run.end + 1]
    if place is None or not isinstance(place[0], ast.match_case) or not after:
        return False
    body = place[0].body
    is_in = body[0].lineno <= after[0].line <= (body[-1].end_lineno or 0)
    pattern = ast.unparse(ast.parse(f"match 0:\n    {said.values['test']}:\n        pass"))
    return str(is_in) == said.values["outcome"] and ast.unparse(place[0].pattern) in pattern


def _leads_to(inside: Sequence[Moment], test: Moment, cell: Cell) -> bool:
    """Tell whether a condition reads a move that leads from a cell of the call to another one."""
    moves = [each.held for each in inside if each.held in MOVES_BY_NAME.values()]
    return any(moved(each.held, move) == cell for each in test.variables.values() for move in moves)


def is_within(one: ast.expr, other: ast.expr) -> bool:
    begins, ends = (other.lineno, other.col_offset), (other.end_lineno, other.end_col_offset)
    return begins <= (one.lineno, one.col_offset) and (one.end_lineno, one.end_col_offset) <= ends


def words_of(record: SecondRecord, moment: Moment) -> str:
    """Return the text of an expression as it is quoted."""
    assert moment.node is not None
    text = record.files[moment.file].decode("utf-8-sig")
    words = " ".join((ast.get_source_segment(text, moment.node) or "").split())
    return words if len(words) <= _LONGEST_TEST else words[: _LONGEST_TEST - 1] + "…"


def is_quoted(quoted: str, words: str) -> bool:
    """Tell whether the source of an expression is what is quoted, or begins so where that is cut."""
    return quoted == words or (quoted.endswith("…") and words.startswith(quoted[:-1]))


def maze_of(about: About) -> Maze:
    arguments = about.arguments
    return Maze.from_text(arguments["mazes"][-1] if "mazes" in arguments else arguments["maze"])


def gave(record: SecondRecord) -> str:
    """Return the words for what the call gave."""
    return next((each.text for each in reversed(record.moments) if each.kind == "return"), "None")
