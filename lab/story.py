"""The story of a recorded call: what the student's own lines did at the step where it parts from a right one.

Nothing is guessed. Each sentence says what was seen in the run: which line came upon a cell, how a condition
came out and with which values, what a line put where, which line raised and which one caught it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from lab.recorded import MOVES_BY_NAME, RecordedLines, Told, is_set, moved, parts_of, plain, value_of
from lab.steps import Event

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
_TURN: Final = 12
"""What is done with a cell is looked for in the 12 lines that run after the one that came upon it."""
_FEW: Final = 6
"""A call has just begun where at most six lines of it ran, none of them twice."""
_MEANT: Final = ("StopIteration", "GeneratorExit", "StopAsyncIteration")
"""Exceptions that end generators."""


class Recorded(RecordedLines):
    """A recorded call of the code in one file, and the stories that it tells."""

    # --- what became of a cell ----------------------------------------------------------------------

    def _comes_upon(self, at: int, cell: str) -> bool:
        """Tell whether a line is about a cell.

        A variable has just become it, an expression of the line is it, or the line is about a move that leads
        there from a cell that a variable is.
        """
        event = self.events[at]
        if cell in event.values.values():
            return True
        known, wanted, statement = self._known[at], plain(cell), self._statement(at)
        parts = [statement.iter] if isinstance(statement, ast.For) else parts_of(statement)
        nodes = [node for part in parts for node in ast.walk(part) if not is_set(node)]
        if any(value_of(node, known) == wanted for node in nodes if isinstance(node, ast.expr)):
            return True
        if not isinstance(statement, (ast.If, ast.While)) or any(
            isinstance(node, ast.BinOp) for node in nodes
        ):
            return False
        moves = {known.get(node.id) for node in nodes if isinstance(node, ast.Name)} & MOVES_BY_NAME.keys()
        here = self._latest_cell(at)
        return here is not None and any(moved(here, MOVES_BY_NAME[move or ""], 1) == wanted for move in moves)

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
        for at in self._lines(start, end):
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
            return [first, *self.of_cell(due)]
        line = self._line_before(moment)
        told = [self._told("parts", line, count=str(count), came=came or "", due=due)]
        told += [*self._origin(line, came or ""), *self._caller(line)]
        became = self._became(due, moment)
        if became[-1].key == "met_not" and told[-1].key == "called":
            told += self._loop_around(told[-1].line, came or "", moment)
        return [*told, *became]

    def _origin(self, line: int | None, cell: str) -> list[Told]:
        """Tell from which line of the same call a variable of a line got a cell."""
        if line is None:
            return []
        own = (n for n in range(line, -1, -1) if self.events[n].call == self.events[line].call)
        got = next((n for n in own if self._is_bound(n, cell)), None)
        origin = None if got is None else self._line_of(got)
        return [] if origin is None or origin == line else [self._told("origin", origin, cell=cell)]

    def _is_bound(self, at: int, cell: str) -> bool:
        return self.events[at].kind != "mark" and cell in self.events[at].values.values()

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
        return [first, *self.of_cell(there)]

    def of_cell(self, cell: str) -> list[Told]:
        """Tell what became of a cell, and how the call ended."""
        return [*self._became(cell, len(self.events)), *self.of_ending()]

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
            if event.kind != "raise" or _is_meant(event):
                continue
            after = next(iter(self._lines(at, end)), None)
            if after is not None and self._is_in_handler(after):
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
            return []
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
        ends = [at for at in range(start, end) if self.events[at].kind in ("return", "raise")][-1:]
        told = [Told("led_to" if led_to else "step", None, {"step": step})]
        told += [*self._decisions(self._lines(start, end), 3), *self._changes(start, end, known)]
        for at in ends:
            line, text = self._line_of(at), self.events[at].text
            if self.events[at].kind == "raise":
                told.append(self._told("raised", line, error=text))
            elif text != "None" or not led_to:
                told.append(self._told("returned", line, value=text))
        return told

    def _changes(self, start: int, end: int, known: dict[str, str]) -> Iterable[Told]:
        """Tell the last change of each attribute between two moments; ``known`` is what they held before."""
        changes: dict[str, Told] = {}
        for at in range(start, end):
            held = self.events[at].values if self.events[at].kind != "mark" else {}
            for name, new in held.items():
                # what a call finds when it begins may have changed since the step before
                if "." in name and known.get(name, new) != new and self._line_of(at) is not None:
                    values = {"name": name, "old": known[name], "new": new}
                    changes[name] = self._told("changed", self._line_of(at), **values)
                known[name] = new
        return changes.values()

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


def _is_meant(event: Event) -> bool:
    return event.text.startswith(_MEANT)


def _elements(text: str) -> list[str]:
    """Return the elements of a list of moves; nothing of any other value, or of a list that is cut short."""
    found = text[1:-1].split(", ") if text[:1] == "[" else []
    return found if set(found) <= MOVES_BY_NAME.keys() else []
