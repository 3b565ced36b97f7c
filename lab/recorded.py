"""The lines of a recorded call: what ran, how conditions came out, and what the variables of a line held."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from lab.noted import headers, is_set, nodes_of, noted_in, reads
from lab.read_back import MOVES_BY_NAME, elements, moved, plain, value_of
from lab.steps import WORKED_OUT, Event
from lab.watch import STREAMS

_SHOWN: Final = 6
"""At most six values are shown beside a line."""
_LONGEST: Final = 80
"""A condition is quoted with 80 characters."""
TURN: Final = 12
"""What is done with a cell is looked for in the 12 lines that run after the one that came upon it."""
_DULL: Final = re.compile(r"a maze|a search|the function .*|Random\(.*|[^\W\d]\w*\(\)")
"""Values that say nothing: those of objects that keep nothing in attributes."""
_TESTS: Final = ("test", "decided")
_LOOPS: Final = ("loop_over", "loop_empty")
_COMES_OUT: Final = (*_TESTS, "returned", "fell_off")
"""Sentences that tell how a line came out, with what its variables held then."""
Decision = ast.If | ast.While | ast.For | ast.match_case
_CALLS: Final = (ast.Expr, ast.Return)
"""Lines that do something with what they read."""
_OUTCOMES: Final = {"True": True, "False": False}
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


class Told(NamedTuple):
    """A sentence of a story: its key in ``SENTENCES``, the line, values, its variables, when it ran, and when
    that came out."""

    key: str
    line: int | None
    values: Mapping[str, str] = {}
    shown: Mapping[str, str] = {}
    at: int = -1
    out: int = -1


class RecordedLines:
    """A recorded call of the code in one file. Places in it are the indices of its events."""

    def __init__(self, source: str, events: Sequence[Event]) -> None:
        """Raise SyntaxError or ValueError where the source is no Python."""
        self.source, self.events, self._tree = source, _with_cells(events), ast.parse(source)
        self._statements = {line: statement for line, _, statement in headers(self._tree)}
        self._expressions = noted_in(self._tree)
        self._known: list[dict[str, str]] = []
        self._after: dict[int, int] = {}
        latest, known = dict[int, int](), dict[int, dict[str, str]]()
        for at, event in enumerate(self.events):
            held = known.get(event.call, {})
            if event.kind == "note":
                held = {**held, **event.values}
            elif event.kind != "mark":
                held = {**held, **event.values} if event.values else held
                if event.call in latest:
                    self._after[latest[event.call]] = at
                known[event.call], latest[event.call] = held, at
            self._known.append(held)

    # --- what ran -----------------------------------------------------------------------------------

    def of_walk(self, cells: Sequence[str]) -> list[list[int]]:
        """Return which lines ran from each cell of a walk to the next, that of the visit first.

        Empty where no stream of what was seen, repeats included or not, is this walk.
        """
        for name in STREAMS:
            seen = [at for at, each in enumerate(self.events) if (each.kind, each.text) == ("mark", name)]
            first = {self.events[at].values.get("0", ""): at for at in reversed(seen)}
            for marks in (seen[: len(cells)], sorted(first.values())):
                if cells and [self.events[at].values.get("0") for at in marks] == [*cells]:
                    begins = [at if (line := self._line_before(at)) is None else line for at in marks]
                    spans = pairwise([*begins, len(self.events)])
                    return [[*dict.fromkeys(self.events[at].line for at in self._lines(*s))] for s in spans]
        return []

    def _lines(self, start: int, end: int) -> list[int]:
        return [at for at in range(start, end) if self.events[at].kind == "line"]

    def _ran(self, start: int, end: int) -> list[int]:
        """Return the lines, and the expressions in them that were noted."""
        return [at for at in range(start, end) if self.events[at].kind in ("line", "note")]

    def _is_all(self, name: str, start: int, end: int) -> bool:
        """Tell whether there is no mark of that name: of what was not recorded."""
        marks = (each for each in self.events[start:end] if each.kind == "mark")
        return not any(each.text == name for each in marks)

    def _line_before(self, at: int) -> int | None:
        """Return the line that ran last before, of whatever call that had not ended."""
        ended = set[int]()
        for n in range(at - 1, -1, -1):
            event = self.events[n]
            if event.kind == "return":
                ended.add(event.call)
            elif event.kind == "line" and event.call not in ended:
                return n
        return None

    def _line_of(self, at: int) -> int | None:
        """Return the line of the same call that ran last before."""
        call, back = self.events[at].call, range(at - 1, -1, -1)
        return next((n for n in back if self.events[n].call == call and self.events[n].kind == "line"), None)

    def _statement(self, at: int) -> ast.stmt | ast.match_case | None:
        return self._statements.get(self.events[at].line)

    def _expression(self, at: int) -> ast.expr | None:
        """Return the expression that was noted."""
        event = self.events[at]
        return self._expressions.get((event.line, event.column)) if event.kind == "note" else None

    def _is_case(self, at: int) -> bool:
        """Tell whether a line is that of a case, which may give variables a value."""
        return self.events[at].kind == "line" and isinstance(self._statement(at), ast.match_case)

    def _parts(self, at: int) -> list[ast.AST]:
        """Return what an event is about: the expression that was noted, or what its line runs."""
        if self.events[at].kind == "note":
            return [each for each in [self._expression(at)] if each is not None]
        return parts_of(self._statement(at))

    def _text(self, node: ast.AST | None) -> str:
        """Return the source of a condition on one line."""
        text = "" if node is None else ast.get_source_segment(self.source, node) or ""
        return _cut(" ".join(text.split()))

    def _told(self, key: str, at: int | None, **values: str) -> Told:
        """Tell of a line, with the values of its variables."""
        if at is None:
            return Told(key, None, values)
        out = self._came_out(at) if key in _COMES_OUT else at
        known = self._known[self._after.get(at, at) if self._is_case(at) else out]
        names = dict.fromkeys(name for part in self._parts(at) for name in reads(part))
        names = {name: None for name in names if name not in self._set_within(at)}
        if key in _TESTS and not self._is_case(at):  # what its own calls changed, it may have read before
            names = {name: None for name in names if self._known[at].get(name) == known.get(name)}
        telling = [(name, known[name]) for name in names if name in known and not is_dull(name, known[name])]
        telling = [*(self._entries(at, known) if key in _TESTS else ()), *telling]
        return Told(key, self.events[at].line, values, dict(telling[:_SHOWN]), at, out)

    def _entries(self, at: int, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield what a condition reads by a key or a place in a collection, with the words for it."""
        for node in (each for part in self._parts(at) for each in ast.walk(part)):
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
                key = known.get(node.slice.id, "")
                held = [elements(known.get(ast.unparse(node.value), "")) if key else []]
                held += [elements(self._known[self._after.get(at, at)].get(ast.unparse(node.value), ""))]
                texts = (text for each in held for text in each if text.startswith(f"{key}: "))
                found = [text.removeprefix(f"{key}: ") for text in texts]
                if key and found and "…" not in found[0]:
                    yield ast.unparse(node), found[0]

    def _came_out(self, at: int) -> int:
        """Return where what a line says comes out: after the calls of own functions that it makes, if any."""
        after = self._after.get(at, at)
        return (
            after if any(self.events[n].call != self.events[at].call for n in self._lines(at, after)) else at
        )

    def _assigned(self, at: int | None) -> AbstractSet[str]:
        """Return the variables that a line gives other values, rather than changing what they hold."""
        return set() if at is None else set_by(self._statement(at))

    def _set_within(self, at: int) -> AbstractSet[str]:
        """Return the variables that get another value while an expression is worked out, as by ``:=``."""
        inside = (node for part in self._parts(at) for node in ast.walk(part))
        return {node.target.id for node in inside if isinstance(node, ast.NamedExpr)}

    def _only_takes(self, name: str, at: int) -> bool:
        """Tell whether a line gives a variable a value that was made elsewhere."""
        made = (ast.BinOp, ast.List, ast.ListComp)
        parts = parts_of(self._statement(at)) if name in self._assigned(at) else []
        return bool(parts) and not any(isinstance(n, made) for part in parts for n in ast.walk(part))

    def _outcome(self, at: int) -> bool | None:
        """Return how the condition of a line, or one in it, came out, or whether its loop had another turn;
        None where it decides nothing, or that does not show."""
        if self.events[at].kind == "note":
            return _OUTCOMES.get(self.events[at].text) if self._expression(at) is not None else None
        statement, after = self._statement(at), self._after.get(at)
        if not isinstance(statement, Decision) or after is None or self.events[after].kind == "raise":
            return None
        first, last = statement.body[0].lineno, statement.body[-1].end_lineno or 0
        has_turn = self.events[after].kind == "line" and first <= self.events[after].line <= last
        return None if first <= self.events[at].line else has_turn

    def _decision(self, at: int, cell: str = "") -> Told | None:
        """Tell how the condition of a line came out, about the cell if one is given."""
        outcome, is_note = self._outcome(at), self.events[at].kind == "note"
        statement = None if is_note else self._statement(at)
        if outcome is None or (isinstance(statement, ast.For) and outcome):
            return None
        if isinstance(statement, ast.While) and isinstance(statement.test, ast.Constant):
            return None
        match self._expression(at) or statement:
            case ast.expr() as test:
                text = self._text(test)
            case ast.If(test=test) | ast.While(test=test):
                text = self._text(test)
            case ast.match_case(pattern=ast.MatchAs(pattern=None), guard=None):  # any value will do
                return None
            case ast.match_case(guard=ast.expr() as guard) if self._is_asked(at, guard):
                return None  # which was noted
            case ast.match_case(pattern=pattern, guard=guard):
                text = f"case {self._text(pattern)}" + (f" if {self._text(guard)}" if guard else "")
            case _:
                return self._loop_over(at)
        about = {"cell": cell} if cell else {}
        values = {"test": _cut(text), "outcome": str(outcome), **about}
        return self._told("decided" if cell else "test", at, **values)

    def _loop_over(self, at: int) -> Told:
        """Tell that a loop has no other turn, with the variables of its last one, or that it had none."""
        loop, known = self._statement(at), self._known[at]
        if not self._goes_on(at):
            return self._told("loop_empty", at)
        told, names = self._told("loop_over", at), set_by(loop) & known.keys()
        return told._replace(shown={**told.shown, **{name: known[name] for name in sorted(names)}})

    def _goes_on(self, at: int) -> bool:
        """Tell whether a line is a loop that had begun before."""
        loop, before = self._statement(at), self._line_of(at)
        if not isinstance(loop, ast.For) or before is None:
            return False
        return loop.lineno <= self.events[before].line <= (loop.end_lineno or 0)

    def _not_begun(self, end: int) -> list[Told]:
        """Tell the last line before a moment that called a function with a yield for nothing."""
        functions = [node for node in ast.walk(self._tree) if isinstance(node, _FUNCTIONS)]
        eager = {each.name for each in functions if not is_lazy(each)}
        lazy = {each.name for each in functions} - eager
        for at in reversed(self._lines(0, end)):
            match self._statement(at):
                case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
                    after = next((each for each in self.events[at + 1 :] if each.kind != "mark"), None)
                    if name in lazy and after is not None and after.call == self.events[at].call:
                        return [self._told("not_begun", at, name=name)]
        return []

    def _is_asked(self, at: int, guard: ast.expr) -> bool:
        """Tell whether the guard of a case was asked: the pattern had matched."""
        within = range(at + 1, self._after.get(at, at))
        return any(self._expression(each) is guard for each in within)

    def _decisions(self, lines: Iterable[int], most: int, about: str = "") -> list[Told]:
        """Tell the last decisions among some lines, of each line the latest, or the latest with a cell."""
        found: dict[object, Told] = {}
        for at in lines:
            told, event = self._decision(at), self.events[at]
            latest = found.get((event.line, event.column))
            is_beside = (
                latest is not None and about in str(latest.shown) and about not in str(told and told.shown)
            )
            if told is not None and not is_beside:
                found.pop((event.line, event.column), None)  # the latest of a line counts
                found[event.line, event.column] = told
        tests = [told for told in found.values() if told.key not in _LOOPS]
        return (tests or [*found.values()])[-most:]

    # --- what became of a cell ----------------------------------------------------------------------

    def _comes_upon(self, at: int, cell: str) -> bool:
        """Tell whether a line is about a cell.

        It gives a variable the cell, an expression of the line is it, or the line is about a move that leads
        there from a cell that a variable is.
        """
        event, statement, after = self.events[at], self._statement(at), self._after.get(at)
        gives = event if event.kind == "note" else None if after is None else self.events[after]
        if (gives is not None and cell in gives.values.values()) or self._reads(at, cell):
            return True
        if event.kind == "note" or not isinstance(statement, (ast.If, ast.While)):
            return False
        nodes = [node for part in self._parts(at) for node in nodes_of(part)]
        if any(isinstance(node, ast.BinOp) for node in nodes):
            return False
        known, wanted = self._known[at], plain(cell)
        moves = {known.get(node.id) for node in nodes if isinstance(node, ast.Name)} & MOVES_BY_NAME.keys()
        here = self._latest_cell(at)
        return here is not None and any(moved(here, MOVES_BY_NAME[move or ""], 1) == wanted for move in moves)

    def _reads(self, at: int, cell: str) -> bool:
        """Tell whether an expression that a line runs, or that was noted, is a cell: also of those in it."""
        event, statement, after = self.events[at], self._statement(at), self._after.get(at)
        if event.kind == "note":
            return cell == event.text or self._is_in(at, self._parts(at), cell)
        if after is not None and any(
            cell in each.values.get(WORKED_OUT, "")
            for each in self.events[at + 1 : after + 1]
            if each.call == event.call
        ):
            return True
        return self._is_in(at, [statement.iter] if isinstance(statement, ast.For) else self._parts(at), cell)

    def _is_in(self, at: int, parts: Iterable[ast.AST], cell: str) -> bool:
        """Tell whether an expression in some parts is a cell, as far as the variables tell."""
        known, wanted = self._known[at], plain(cell)
        known = {name: text for name, text in known.items() if name not in self._set_within(at)}
        nodes = [node for part in parts for node in nodes_of(part) if not is_set(node)]
        sums = (
            node for node in nodes if isinstance(node, ast.BinOp) and type(value_of(node, known)) is tuple
        )
        summed = [part for node in sums for part in (node.left, node.right)]  # it is about where they lead
        return any(
            value_of(node, known) == wanted
            for node in nodes
            if isinstance(node, ast.expr) and node not in summed
        )

    def _latest_cell(self, at: int) -> object:
        """Return the cell that a variable of the call was given last."""
        call = self.events[at].call
        for number in range(at, -1, -1):
            if self.events[number].call == call and self.events[number].kind == "line":
                cells = [text for text in self.events[number].values.values() if text not in MOVES_BY_NAME]
                found = [cell for cell in map(plain, cells) if isinstance(cell, tuple)]
                if found:
                    return found[-1]
        return None

    def _fate(self, cell: str, start: int, end: int) -> list[Told]:
        """Tell what was decided about a cell, and done with it, the last time that anything was."""
        turns, over = list[list[Told]](), dict[int, int]()
        for at in self._ran(start, end):
            call = self.events[at].call
            if at >= over.get(call, start) and self._comes_upon(at, cell):
                turn, over[call] = self._turn(cell, at, end)
                turns.append(turn)
        put = [turn for turn in turns if any(each.key == "put" for each in turn)]
        decided = [turn for turn in turns if any(each.key == "decided" for each in turn)]
        return next((found[-1] for found in (put, decided, turns) if found), [])

    def _turn(self, cell: str, at: int, end: int) -> tuple[list[Told], int]:
        """Tell what happened in the turn of a loop, or the call, in which a line came upon a cell.

        Return where the turn is over, too.
        """
        if self.events[at].kind == "note":
            return [self._noted(at, cell)], at + 1
        line, number, found = self.events[at].line, at, list[Told]()
        for _ in range(TURN):
            decision = self._decision(number, cell if self._comes_upon(number, cell) else "")
            if decision is not None:
                found.append(decision)
            elif name := self._container(number, cell):
                found.append(self._told("put", number, cell=cell, name=name))
            elif number != at and self._is_done(number, cell):
                found.append(self._told("done", number, cell=cell))
            within = range(number + 1, min(self._after.get(number, number), end))
            found += [self._noted(each, cell) for each in within if self._is_noted(each, number, cell)]
            after = self._after.get(number, end)
            if after >= end or self.events[after].kind != "line" or self.events[after].line <= line:
                break
            number = after
        is_call = isinstance(self._statement(at), _CALLS)
        is_told = bool(found) and (not is_call or found[0].line == line)
        first = self._told("done" if self._is_done(at, cell) else "met", at, cell=cell)
        return found if is_told else [first, *found], number + 1

    def _is_done(self, at: int, cell: str) -> bool:
        """Tell whether a line does something with a cell that it reads."""
        return isinstance(self._statement(at), _CALLS) and self._reads(at, cell)

    def _is_noted(self, at: int, line: int, cell: str) -> bool:
        """Tell whether it is an expression about a cell in the call of a line."""
        event = self.events[at]
        return (event.kind, event.call) == ("note", self.events[line].call) and self._comes_upon(at, cell)

    def _noted(self, at: int, cell: str) -> Told:
        """Tell what an expression gave that is about a cell."""
        expression, text = self._expression(at), self.events[at].text
        if expression is None or text == cell:
            return self._told("met", at, cell=cell)
        test = self._text(expression)
        return self._decision(at, cell) or self._told("gave", at, cell=cell, test=test, value=text)

    def _container(self, at: int, cell: str) -> str | None:
        """Return the name of the collection that a line put a cell into."""
        after = self._after.get(at)
        if after is None:
            return None
        known = self._known[at]
        gained = [
            name
            for name, text in self.events[after].values.items()
            if text[:1] in ("[", "{") and cell in text and cell not in known.get(name, "")
        ]
        named = {name for part in self._parts(at) for name in reads(part)}
        return next((name for name in gained if name in named), gained[0] if gained else None)


def is_lazy(function: ast.AST) -> bool:
    """Tell whether a call of a function runs none of its lines, since there is a yield in it."""
    inside = [*ast.iter_child_nodes(function)]
    while inside:
        node = inside.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, (*_FUNCTIONS, ast.Lambda, ast.ClassDef)):
            inside += ast.iter_child_nodes(node)
    return False


def _with_cells(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events, with cells beyond the border told as such where they look like moves.

    They are cells where the variable holds cells at other times.
    """
    texts = [(name, text) for event in events for name, text in event.values.items()]
    cells = {name for name, text in texts if text not in MOVES_BY_NAME and isinstance(plain(text), tuple)}

    def told(name: str, text: str) -> str:
        return str(MOVES_BY_NAME[text]) if name in cells and text in MOVES_BY_NAME else text

    return [
        event._replace(values={name: told(name, text) for name, text in event.values.items()})
        if any(name in cells and text in MOVES_BY_NAME for name, text in event.values.items())
        else event
        for event in events
    ]


def parts_of(statement: ast.stmt | ast.match_case | None) -> list[ast.AST]:
    """Return what the line of a statement runs."""
    match statement:
        case ast.If(test=test) | ast.While(test=test):
            return [test]
        case ast.For(iter=over, target=target):
            return [target, over]
        case ast.With(items=items):
            return [*items]
        case ast.Match(subject=subject):
            return [subject]
        case ast.match_case(pattern=pattern, guard=guard):
            return [pattern] if guard is None else [pattern, guard]
        case None | ast.FunctionDef() | ast.ClassDef() | ast.Try() | ast.AsyncFunctionDef():
            return []
    return [statement]


@lru_cache(maxsize=1_000)  # each is asked for whenever it ran
def set_by(statement: ast.stmt | ast.match_case | None) -> AbstractSet[str]:
    """Return the variables that a statement gives values."""
    nodes = (node for part in parts_of(statement) for node in ast.walk(part) if is_set(node))
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name))


def is_dull(name: str, text: str) -> bool:
    """Tell whether the value of a variable says nothing."""
    return name in ("self", "cls") or _DULL.fullmatch(text) is not None


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
