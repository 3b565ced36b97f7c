"""The story of a recorded call: what the student's own lines did at the step where it parts from a right one.

Nothing is guessed. Each sentence says what was seen in the run: which line came upon a cell, how a condition
came out and with which values, what a line put where, which line raised and which one caught it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from lab.steps import Event
from lab.vector import MOVES

SENTENCES: Final = {
    "parts": "Visit {count}: here your code came to {came}. {due} was to come next.",
    "stops": "After {before}, {due} was to come next. Your code ended and gave {value}.",
    "called": "This line made the call.",
    "origin": "{cell} came from this line.",
    "order": "This loop came to {came} first.",
    "way": "At {cell} the way goes {came}, and {due} was due.",
    "met": "Here your code came upon {cell}.",
    "met_not": "No line of yours came upon {cell} before that.",
    "decided": "Here it was decided about {cell}: “{test}” was {outcome}.",
    "put": "Here {cell} was put into {name}.",
    "done": "This was done with {cell}.",
    "test": "“{test}” was {outcome}.",
    "loop_over": "There was no further turn of this loop.",
    "returned": "Here the call ended and gave {value}.",
    "fell_off": "After this line the call ended without a return: that gives None.",
    "no_line": "This was called, and none of its lines ran.",
    "raised": "This line raised {error}.",
    "caught": "This line caught it, and your code went on.",
    "again": "Here your code came to {cell} for the second time.",
    "rounds": "This line ran {count} times or more, and your code had not come to an end.",
    "element": "This line put {came} where {due} was due.",
    "changed": "In this step {name} became {new}; before it was {old}.",
    "step": "The answer to {step} was wrong. These lines ran.",
    "led_to": "{step} led to the wrong answer. These lines ran.",
    "cycle": "Here the wall between {one} and {other} was opened, though a way led from one to the other.",
    "apart": "In the end no way led from {one} to {other}. Here the last wall was opened.",
}
"""What a story says, in English."""

MOST_STEPS: Final = 7
"""A story has at most seven steps."""
_SHOWN: Final = 6
"""At most six values are shown beside a line."""
_LONGEST: Final = 80
"""A condition is quoted with 80 characters."""
_TURN: Final = 12
"""What is done with a cell is looked for in the 12 lines that run after the one that came upon it."""
_FEW: Final = 6
"""A call has just begun where at most six lines of it ran, none of them twice."""
_SHORT: Final = 30
"""A number or a pair of numbers has fewer characters."""
_MEANT: Final = ("StopIteration", "GeneratorExit", "StopAsyncIteration")
"""Exceptions that end generators."""
_DULL: Final = re.compile(r"a maze|the function .*|Random\(.*|[^\W\d]\w*\(\)")
"""Values that say nothing: those of objects that keep nothing in attributes."""
_MOVES: Final = {move.name: tuple(move) for move in MOVES}
Decision = ast.If | ast.While | ast.For


class Told(NamedTuple):
    """A sentence of a story: its key in ``SENTENCES`` with its values, the line, what its variables held."""

    key: str
    line: int | None
    values: Mapping[str, str] = {}
    shown: Mapping[str, str] = {}


class Recorded:
    """A recorded call of the code in one file. Places in it are the indices of its events."""

    def __init__(self, source: str, events: Sequence[Event]) -> None:
        """Raise SyntaxError or ValueError where the source is no Python."""
        self.source, self.events, self._tree = source, events, ast.parse(source)
        self._statements = dict(_headers(self._tree))
        self._known: list[dict[str, str]] = []
        self._after: dict[int, int] = {}
        latest, known = dict[int, int](), dict[int, dict[str, str]]()
        for at, event in enumerate(events):
            held = known.get(event.call, {})
            if event.kind != "mark":
                held = {**held, **event.values} if event.values else held
                if event.call in latest:
                    self._after[latest[event.call]] = at
                known[event.call], latest[event.call] = held, at
            self._known.append(held)

    # --- what ran -----------------------------------------------------------------------------------

    def _lines(self, start: int, end: int) -> list[int]:
        return [at for at in range(start, end) if self.events[at].kind == "line"]

    def _line_before(self, at: int) -> int | None:
        """Return the line that ran last before, of whatever call."""
        return next((n for n in range(at - 1, -1, -1) if self.events[n].kind == "line"), None)

    def _line_of(self, at: int) -> int | None:
        """Return the line of the same call that ran last before."""
        call, back = self.events[at].call, range(at - 1, -1, -1)
        return next((n for n in back if self.events[n].call == call and self.events[n].kind == "line"), None)

    def _next_line(self, at: int) -> int | None:
        """Return the next line of the same call; None where it returned or raised first."""
        after = self._after.get(at)
        return after if after is not None and self.events[after].kind == "line" else None

    def _statement(self, at: int) -> ast.stmt | None:
        return self._statements.get(self.events[at].line)

    def _told(self, key: str, at: int | None, **values: str) -> Told:
        """Tell of a line, with the values of its variables."""
        if at is None:
            return Told(key, None, values)
        statement, known = self._statement(at), self._known[at]
        names = dict.fromkeys(name for part in _parts(statement) for name in _names(part))
        telling = [(name, known[name]) for name in names if name in known and not _is_dull(name, known[name])]
        return Told(key, self.events[at].line, values, dict(telling[:_SHOWN]))

    def _outcome(self, at: int) -> bool | None:
        """Return how the condition of a line came out, or whether its loop had another turn; None where it
        decides nothing, or that does not show."""
        statement, after = self._statement(at), self._next_line(at)
        if not isinstance(statement, Decision) or after is None:
            return None
        first, last = statement.body[0].lineno, statement.body[-1].end_lineno or 0
        return None if first <= self.events[at].line else first <= self.events[after].line <= last

    def _decision(self, at: int, cell: str = "") -> Told | None:
        """Tell how the condition of a line came out, about the cell if one is given."""
        outcome, statement = self._outcome(at), self._statement(at)
        if outcome is None or (isinstance(statement, ast.For) and outcome):
            return None
        if not isinstance(statement, (ast.If, ast.While)):
            return self._told("loop_over", at)
        test = " ".join((ast.get_source_segment(self.source, statement.test) or "").split())
        about = {"cell": cell} if cell else {}
        values = {"test": _cut(test), "outcome": str(outcome), **about}
        return self._told("decided" if cell else "test", at, **values)

    def _decisions(self, lines: Iterable[int], most: int) -> list[Told]:
        """Tell the last decisions among some lines, the latest of each line."""
        found: dict[int | None, Told] = {}
        for at in lines:
            if (told := self._decision(at)) is not None:
                found.pop(told.line, None)  # the latest of a line counts
                found[told.line] = told
        return [*found.values()][-most:]

    # --- what became of a cell ----------------------------------------------------------------------

    def _comes_upon(self, at: int, cell: str) -> bool:
        """Tell whether a line is about a cell.

        A variable has just become it, an expression of the line is it, or the line is about a move that leads
        there from a cell that a variable is.
        """
        event = self.events[at]
        if cell in event.values.values():
            return True
        known, wanted, statement = self._known[at], _plain(cell), self._statement(at)
        parts = [statement.iter] if isinstance(statement, ast.For) else _parts(statement)
        nodes = [node for part in parts for node in ast.walk(part) if not _is_set(node)]
        if any(_value(node, known) == wanted for node in nodes if isinstance(node, ast.expr)):
            return True
        moves = {known.get(node.id) for node in nodes if isinstance(node, ast.Name)} & _MOVES.keys()
        beside = {_sum(wanted, _MOVES[move or ""], -1) for move in moves}
        return bool(beside) and any(_plain(text) in beside for text in known.values())

    def _fate(self, cell: str, start: int, end: int) -> list[Told]:
        """Tell what was decided about a cell, and done with it, the last time that anything was."""
        turns, over = list[list[Told]](), start
        for at in self._lines(start, end):
            if at >= over and self._comes_upon(at, cell):
                turn, over = self._turn(cell, at, end)
                turns.append(turn)
        put = [turn for turn in turns if any(each.key == "put" for each in turn)]
        decided = [turn for turn in turns if any(each.key == "decided" for each in turn)]
        return next((found[-1] for found in (put, decided, turns) if found), [])

    def _turn(self, cell: str, at: int, end: int) -> tuple[list[Told], int]:
        """Tell what happened in the turn of a loop, or the call, in which a line came upon a cell.

        Return where the turn is over, too.
        """
        is_call = isinstance(self._statement(at), (ast.Expr, ast.Return))
        line, number = self.events[at].line, at
        found = [self._told("done" if is_call else "met", at, cell=cell)]
        for _ in range(_TURN):
            is_about = self._comes_upon(number, cell)
            decision = self._decision(number, cell if is_about else "")
            if decision is not None:
                found.append(decision)
            elif name := self._container(number, cell):
                found.append(self._told("put", number, cell=cell, name=name))
            elif number != at and is_about and isinstance(self._statement(number), (ast.Expr, ast.Return)):
                found.append(self._told("done", number, cell=cell))
            after = self._next_line(number)
            if after is None or after >= end or self.events[after].line <= line:
                break
            number = after
        is_told = len(found) > 1 and (not is_call or found[1].line == line)
        return found[1:] if is_told else found, number + 1

    def _container(self, at: int, cell: str) -> str | None:
        """Return the name of the collection that a line put a cell into."""
        after = self._after.get(at)
        if after is None:
            return None
        known = self._known[at]
        gained = (
            name
            for name, text in self.events[after].values.items()
            if text[:1] in ("[", "{") and cell in text and cell not in known.get(name, "")
        )
        return next(gained, None)

    # --- stories ------------------------------------------------------------------------------------

    def _marks(self, name: str) -> list[int]:
        return [at for at, each in enumerate(self.events) if each.kind == "mark" and each.text == name]

    def _visits(self) -> list[tuple[int, str]]:
        """Return the marks of the stream that tells most, with their cells."""
        begun = max(self._marks("begins"), default=0)  # of several mazes, the last one
        streams = ([at for at in self._marks(name) if at > begun] for name in ("taken", "asked", "probed"))
        return [(at, self.events[at].values.get("0", "")) for at in next(filter(None, streams), [])]

    def of_parting(self, count: int, due: str, came: str | None, before: str) -> list[Told]:
        """Tell how the code came to a cell, the visit of that number, when another one was due.

        ``came`` is None where it came to none; ``before`` is the last cell that was right.
        """
        moment = next((at for at, cell in self._visits() if cell == came), None)
        if moment is None:
            gave = next((each.text for each in reversed(self.events) if each.kind == "return"), "None")
            first = Told("stops", None, {"before": before, "due": due, "value": gave})
            return [first, *self._became(due, len(self.events)), *self.of_ending()]
        line = self._line_before(moment)
        told = [self._told("parts", line, count=str(count), came=came or "", due=due)]
        told += [*self._origin(line, came or ""), *self._caller(line)]
        became = self._became(due, moment)
        if became[-1].key == "met_not" and told[-1].key == "called":
            told += self._loop_around(told[-1].line, came or "", moment)
        return [*told, *became]

    def _origin(self, line: int | None, cell: str) -> list[Told]:
        """Tell from which line of the same call a variable of a line got a cell."""
        same = range(line or 0, -1, -1)
        call = self.events[line or 0].call
        got = next(
            (n for n in same if self.events[n].call == call and cell in self.events[n].values.values()), None
        )
        origin = None if got is None else self._line_of(got)
        return [] if origin is None or origin == line else [self._told("origin", origin, cell=cell)]

    def _loop_around(self, line: int | None, came: str, end: int) -> list[Told]:
        """Tell which loop a line stands in."""
        loops = [at for at in self._lines(0, end) if isinstance(self._statement(at), ast.For)]
        for at in reversed(loops):
            loop = self._statement(at)
            if loop is not None and line is not None and loop.lineno <= line <= (loop.end_lineno or 0):
                return [self._told("order", at, came=came)]
        return []

    def of_way(self, cell: str, came: str, due: str, there: str) -> list[Told]:
        """Tell where a way parts from a right one, which goes ``there``, and what became of that cell."""
        first = Told("way", None, {"cell": cell, "came": came, "due": due})
        return [first, *self._became(there, len(self.events)), *self.of_ending()]

    def _became(self, cell: str, end: int) -> list[Told]:
        """Tell what became of a cell until a moment, and of an exception that was swallowed before."""
        fate = self._fate(cell, 0, end) or [Told("met_not", None, {"cell": cell})]
        return [*self._swallowed(end), *fate]

    def _caller(self, line: int | None) -> list[Told]:
        """Tell which line made the call that has just begun with a line."""
        if line is None:
            return []
        begun = next(at for at, event in enumerate(self.events) if event.call == self.events[line].call)
        caller = self._line_before(begun)
        if caller is not None and self._has_ended(caller, begun):
            return []
        ran = [self.events[at].line for at in self._lines(begun, line)]
        is_new = len(ran) == len(set(ran)) <= _FEW
        return [self._told("called", caller)] if caller is not None and is_new else []

    def _has_ended(self, at: int, before: int) -> bool:
        """Tell whether the call that a line belongs to had returned before a moment."""
        same = (each for each in self.events[at:before] if each.call == self.events[at].call)
        return any(each.kind == "return" for each in same)

    def _swallowed(self, end: int) -> list[Told]:
        """Tell of the last exception before a moment that the student's code raised and caught."""
        for at in range(end - 1, -1, -1):
            event = self.events[at]
            after = next(iter(self._lines(at, end)), None)
            is_wrong = event.kind == "raise" and not _is_meant(event)
            if is_wrong and after is not None and self._is_in_handler(after):
                return [
                    self._told("raised", self._line_of(at), error=event.text),
                    self._told("caught", after),
                ]
        return []

    def _is_in_handler(self, at: int) -> bool:
        tries = (node for node in ast.walk(self._tree) if isinstance(node, ast.Try))
        handlers = (handler for node in tries for handler in node.handlers)
        return any(each.lineno <= self.events[at].line <= (each.end_lineno or 0) for each in handlers)

    def of_ending(self) -> list[Told]:
        """Tell what was decided last, and how the call ended."""
        returns = [at for at, event in enumerate(self.events) if event.kind == "return"]
        if not returns:
            return []
        line = self._line_of(returns[-1])
        if line is None:
            return [Told("no_line", self.events[returns[-1]].line)]
        call = self.events[line].call
        lines = self._lines(0, line + 1)
        same = [at for at in lines if self.events[at].call == call]
        told = self._decisions(same[-_TURN:], 2) or self._decisions(lines[-_TURN:], 2)
        if isinstance(self._statement(line), ast.Return):
            return [*told, self._told("returned", line, value=self.events[returns[-1]].text)]
        return [*told, self._told("fell_off", line)]

    def of_swallowed(self) -> list[Told]:
        """Tell of an exception that was caught, and how the call ended; nothing where none was."""
        told = self._swallowed(len(self.events))
        return [*told, *self.of_ending()] if told else []

    def of_exception(self) -> list[Told]:
        """Tell which line raised the exception that ended the call, and what was decided before."""
        raised = [at for at, each in enumerate(self.events) if each.kind == "raise" and not _is_meant(each)]
        if not raised:
            return []
        first = raised[-1]
        for earlier, later in reversed([*pairwise(raised)]):
            if later != first or self._lines(earlier, later):
                break
            first = earlier
        line, event = self._line_of(first), self.events[first]
        lines = [at for at in self._lines(0, line or 0) if self.events[at].call == event.call]
        return [self._told("raised", line, error=event.text), *self._caller(line), *self._decisions(lines, 2)]

    def of_rounds(self) -> list[Told]:
        """Tell of a call without an end: the cell that it came to again, or the line that it ran most."""
        seen: dict[str, int] = {}
        for at, cell in self._visits():
            if cell in seen and self.events[at].text != "probed":
                line = self._line_before(at)
                told = [self._told("again", line, cell=cell), *self._caller(line)]
                return [*told, *self._swallowed(at), *self._fate(cell, seen[cell] + 1, at)]
            seen[cell] = at
        lines = self._lines(0, len(self.events))
        counts = Counter(self.events[at].line for at in lines)
        if not counts:
            return []
        most, count = counts.most_common(1)[0]
        last = max(at for at in lines if self.events[at].line == most)
        return [self._told("rounds", last, count=str(count)), *self._decisions(lines[-100:], 3)]

    def of_element(self, number: int, due: str) -> list[Told]:
        """Tell which line put the wrong element of that number, from 0, into the list that was returned."""
        ends = [at for at, event in enumerate(self.events) if event.kind == "return"]
        whole = _elements(self.events[ends[-1]].text) if ends else []
        if number >= len(whole):
            return []
        call, came, left = self.events[ends[-1]].call, whole[number], len(whole) - number
        names = {name for name, text in self._known[ends[-1]].items() if _elements(text) == whole}
        for at, event in enumerate(self.events):
            for name in names & event.values.keys() if event.call == call else ():
                now, line = _elements(event.values[name]), self._line_of(at)
                is_in = (now == whole[: len(now)] and len(now) > number) or (
                    now[::-1] == whole[len(whole) - len(now) :] and len(now) >= left
                )
                if is_in and line is not None:
                    return [self._told("element", line, came=came, due=due), *self.of_ending()]
        return []

    def of_step(self, number: int, step: str, before: Iterable[int], *, led_to: bool = False) -> list[Told]:
        """Tell what a step of a script decided, changed and gave; ``led_to`` if a later answer was wrong.

        ``before`` are the earlier steps with the same object.
        """
        begins = [*self._marks("step"), len(self.events)]
        if number + 1 >= len(begins):
            return []
        start, end, known = begins[number], begins[number + 1], dict[str, str]()
        for earlier in before:
            for event in self.events[begins[earlier] + 1 : begins[earlier + 1]]:
                known |= event.values
        changes: dict[str, Told] = {}
        for at in range(start, end):
            held = self.events[at].values if self.events[at].kind != "mark" else {}
            for name, new in held.items():
                if "." in name and known.get(name, new) != new:
                    changes[name] = self._told(
                        "changed", self._line_of(at), name=name, old=known[name], new=new
                    )
                known[name] = new
        gave = [at for at in range(start, end) if self.events[at].kind == "return"][-1:]
        told = [Told("led_to" if led_to else "step", None, {"step": step})]
        told += [*self._decisions(self._lines(start, end), 3), *changes.values()]
        return told + [
            self._told("returned", self._line_of(at), value=self.events[at].text)
            for at in gave
            if self.events[at].text != "None" or not led_to
        ]

    def of_walls(self, passages: Iterable[tuple[str, str]], cells: Sequence[str]) -> list[Told]:
        """Tell which wall was opened between cells that a way connects already, or which cells stay apart.

        Nothing where the walls that were seen to be opened are not the passages of the maze.
        """
        kin = {cell: cell for cell in cells}

        def root(cell: str) -> str:
            while kin.setdefault(cell, cell) != cell:
                cell = kin[cell]
            return cell

        def wall(at: int) -> tuple[str, str]:
            return self.events[at].values.get("0", ""), self.events[at].values.get("1", "")

        opened = self._marks("opened")
        if {frozenset(wall(at)) for at in opened} != {*map(frozenset, passages)}:
            return []
        walls = set[frozenset[str]]()
        for at in opened:
            one, other = wall(at)
            if root(one) == root(other) and frozenset((one, other)) not in walls:
                return [self._told("cycle", self._line_before(at), one=one, other=other), *self._before(at)]
            walls.add(frozenset((one, other)))
            kin[root(one)] = root(other)
        apart = [cell for cell in cells if root(cell) != root(cells[0])]
        if not apart or not opened:
            return []
        last = self._line_before(opened[-1])
        return [self._told("apart", last, one=cells[0], other=apart[0]), *self.of_ending()]

    def _before(self, moment: int) -> list[Told]:
        """Tell what was decided last before a moment, in the call that the line of it belongs to."""
        line = self._line_before(moment)
        if line is None:
            return []
        same = (at for at in self._lines(0, line) if self.events[at].call == self.events[line].call)
        return self._decisions(same, 2)


def _is_set(node: ast.AST) -> bool:
    """Tell whether a variable is given a value, rather than read."""
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _is_meant(event: Event) -> bool:
    return event.text.startswith(_MEANT)


def _elements(text: str) -> list[str]:
    """Return the elements of a list of moves; nothing of any other value, or of a list that is cut short."""
    found = text[1:-1].split(", ") if text[:1] == "[" else []
    return found if set(found) <= _MOVES.keys() else []


def _headers(tree: ast.AST) -> Iterator[tuple[int, ast.stmt]]:
    """Yield the lines of each statement, those of what stands in it excepted, with the statement."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            yield from ((line, node) for line in range(node.lineno, max(last, node.lineno) + 1))


def _parts(statement: ast.stmt | None) -> list[ast.AST]:
    """Return what the line of a statement runs."""
    match statement:
        case ast.If(test=test) | ast.While(test=test):
            return [test]
        case ast.For(iter=over, target=target):
            return [target, over]
        case ast.With(items=items):
            return [*items]
        case None | ast.FunctionDef() | ast.ClassDef() | ast.Try() | ast.AsyncFunctionDef():
            return []
    return [statement]


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the variables that an expression reads, and attributes of variables, in the order of the text."""
    if _is_set(node):
        return
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield f"{node.value.id}.{node.attr}"
    if isinstance(node, ast.Name):
        yield node.id
    for child in ast.iter_child_nodes(node):
        yield from _names(child)


def _is_dull(name: str, text: str) -> bool:
    return name in ("self", "cls") or _DULL.fullmatch(text) is not None


def _value(node: ast.AST | None, known: Mapping[str, str]) -> object:
    """Return the number or the pair that an expression is, as far as its variables tell; else None."""
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.Name(id=name):
            return _plain(known.get(name, ""))
        case ast.Attribute(value=ast.Name(id=name), attr=part):
            pair = _plain(known.get(name, ""))
            is_part = isinstance(pair, tuple) and part in ("row", "column")
            return pair[part == "column"] if is_part else _plain(known.get(f"{name}.{part}", ""))  # type: ignore[index]
        case ast.Subscript(value=inner, slice=ast.Constant(value=int() as place)) if place in (0, 1):
            pair = _value(inner, known)
            return pair[place] if isinstance(pair, tuple) else None
        case ast.Tuple(elts=[one, other]) | ast.Call(func=ast.Name(id="Vector"), args=[one, other]):
            parts = _value(one, known), _value(other, known)
            return parts if all(isinstance(part, int) for part in parts) else None
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operation, right=right):
            sign = 1 if isinstance(operation, ast.Add) else -1
            return _sum(_value(left, known), _value(right, known), sign)
    return None


def _sum(one: object, other: object, sign: int) -> object:
    if isinstance(one, int) and isinstance(other, int):
        return one + sign * other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return tuple(a + sign * b for a, b in zip(one, other, strict=True))
    return None


def _plain(text: str) -> object:
    """Return the number or the pair of numbers that a text says; None for any other."""
    if text in _MOVES or len(text) >= _SHORT:
        return _MOVES.get(text)
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
    match value:
        case bool():
            return None
        case int() | (int(), int()):
            return value
    return None


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
