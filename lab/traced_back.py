"""One step back from the lines that are told of: which lines made their values, and what a call decided."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from lab.noted import is_set, parts_run, reads
from lab.read_back import plain
from lab.recorded import RecordedLines, Told, is_dull, is_lazy, parts_of

_BACK: Final = ("changed", "raised", "origin")
"""Of what is stored, raised or taken it is told which lines made it."""
_ASKED: Final = ("test", "decided", "differs", "returned")
"""Of what is asked or returned, it is told where a function of the student's made it."""
_MOST_BACK: Final = 3
"""At most three lines are told that made a value."""
_MOST_WRITTEN: Final = 2
"""Two lines are told that wrote what decided."""
_ASSIGNS: Final = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_CHANGES: Final = (
    *("add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert"),
    *("remove", "reverse", "rotate", "sort", "update", "difference_update", "intersection_update"),
)
"""Methods of lists, deques, sets and dicts that change them and give None."""
_PERHAPS: Final = (ast.BoolOp, ast.IfExp)
"""What may leave out a part of itself."""
_YIELDS: Final = (ast.Yield, ast.YieldFrom)
_NOTHING: Final = ast.Pass()


class TracedBack(RecordedLines):
    """A recorded call, with what led to its lines."""

    def deeper(self, told: Sequence[Told]) -> list[Told]:
        """Tell which lines made the values that are told, and what was decided in calls that were made."""
        back = [each for one in told if one.key in _BACK for each in self._made(one.at)]
        back += [each for one in back for each in self._made(one.at)]
        gave = [one for one in told if one.key in _ASKED]
        made = [each for one in gave for each in self._made(one.at)]
        asked = [each for each in made if self._inside(each) or self._gives_none(each.at)]
        back = [*asked, *back][:_MOST_BACK]
        none = [each for one in (*told, *back) for each in self._gives_none(one.at)]
        inside = [each for one in (*gave, *back) for each in self._inside(one)]
        return [*none, *back, *inside, *self._decided_by([*gave, *inside])]

    def _decided_by(self, gave: Sequence[Told]) -> list[Told]:
        """Tell which lines wrote last what the return that ended the call reads, else the last condition."""
        for one in sorted(gave, key=lambda each: (each.key == "returned", each.at), reverse=True):
            line = one.at if self.events[one.at].kind == "line" else self._line_of(one.at)
            is_whole = one.values.get("value", "")[:1] in ("[", "(")
            told = [] if line is None else self._written(line, with_collections=is_whole)
            if told:
                return told[-_MOST_WRITTEN:]
        return []

    def _written(self, at: int, *, with_collections: bool) -> list[Told]:
        """Tell which lines of the call wrote last what a line reads."""
        found = list[Told]()
        own = [
            n for n in self._lines(0, at) if self.events[n].call == self.events[at].call and n in self._after
        ]
        for name in dict.fromkeys(each for part in parts_of(self._statement(at)) for each in reads(part)):
            value = self._known[at].get(name, "")
            is_told = with_collections or value[:1] not in ("[", "{", "(")
            last = next((n for n in reversed(own) if self._is_other_after(name, n)), None)
            line = None if last is None else self._written_in(name, last)
            caller = self._passed(name, at) if last is None else None
            if caller is not None and is_told and with_collections:
                found.append(self._told("passed", caller, name=name, value=value))
            if line is not None and is_told and not is_dull(name, value):
                found.append(self._told("made", line, name=name, value=value))
                found += self._entered(line, value) if with_collections and plain(value) is None else []
        return sorted(found, key=lambda each: each.at)

    def _entered(self, taken: int, value: str) -> list[Told]:
        """Tell which line put a value into the collection that a line took it from."""
        for name in dict.fromkeys(each for part in parts_of(self._statement(taken)) for each in reads(part)):
            for at in reversed(self._lines(0, taken)) if value in self._known[taken].get(name, "") else ():
                after = self._known[self._after.get(at, at)].get(name, "")
                if value in after and value not in self._known[at].get(name, ""):
                    return [self._told("entered", at, name=name, value=value)]
        return []

    def _passed(self, name: str, at: int) -> int | None:
        """Return the line that made the call of a line, and gave it a variable's value, if it did."""
        begun = next(n for n, event in enumerate(self.events) if event.call == self.events[at].call)
        is_given = self._known[begun].get(name) == self._known[at].get(name)
        return self._line_before(begun) if is_given else None

    def _is_other_after(self, name: str, at: int) -> bool:
        return self._known[at].get(name) != self._known[self._after[at]].get(name)

    def _written_in(self, name: str, at: int) -> int | None:
        """Return which line, but no loop, gave a variable its value: this one, or one of a call of it."""
        value = self._known[self._after[at]].get(name)
        inside = [
            n
            for n in self._lines(at + 1, self._after[at])
            if name in self._assigned(n) and self._known[self._after.get(n, n)].get(name) == value
        ]
        is_own = name in self._assigned(at) or self._came_out(at) == at
        line = at if is_own else next(reversed(inside), None)
        return None if line is None or isinstance(self._statement(line), ast.For) else line

    def _gives_none(self, at: int) -> list[Told]:
        """Tell where a line uses what a method gives that changes its object, which is None."""
        at = at if at < 0 or self.events[at].kind == "line" else self._line_of(at) or -1
        after = self._after.get(at)
        if after is None or self._is_unfinished(after):
            return []
        for node in (node for part in parts_of(self._statement(at)) for node in used_in(part)):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() as owner, attr=method)):
                    name = ast.unparse(owner)
                    if method in _CHANGES and self._known[at].get(name, "")[:1] in ("[", "{"):
                        return [self._told("gives_none", at, call=self._text(node), name=name)]
        return []

    def _is_unfinished(self, after: int) -> bool:
        """Tell whether a line was left by an exception that may come from a method."""
        event = self.events[after]
        return event.kind == "raise" and "NoneType" not in event.text

    def _made(self, at: int) -> list[Told]:
        """Tell which lines of the same call made the values of the variables that a line reads."""
        found, own = [], [n for n in self._lines(0, at) if self.events[n].call == self.events[at].call]
        if not own:
            return []
        nodes = (node for part in parts_of(self._statement(at)) for node in ast.walk(part))
        reads = {node.id for node in nodes if isinstance(node, ast.Name) and not is_set(node)}
        for name in sorted(reads & self._known[at].keys()):
            value = self._known[at][name]
            made = next((n for n in reversed(own) if name in self._assigned(n)), None)
            if made is None or is_dull(name, value) or not isinstance(self._statement(made), _ASSIGNS):
                continue
            if self._known[self._after.get(made, made)].get(name) == value:
                found.append(self._told("made", made, name=name, value=value))
        return sorted(found, key=lambda each: each.at)

    def _inside(self, told: Told) -> list[Told]:
        """Tell what was decided last in the last call that a line made, and what that call gave."""
        is_end = told.at >= 0 and self.events[told.at].kind != "line"
        at = (self._line_of(told.at) or 0) if is_end else told.at
        call, after = self.events[at].call, self._after.get(at, at)
        returns = [n for n in range(at, after) if self.events[n].kind == "return"]
        ends = [n for n in returns if self.events[n].call != call][-1:]
        whole = next((each.text for each in reversed(self.events) if each.kind == "return"), "")
        if whole[:1] not in ("[", "("):  # else what is handed on only says that the end was found
            ends = [self._first_given(n, at) for n in ends]
        line = self._line_of(ends[-1]) if ends else None
        if at < 0 or line is None:
            return []
        if any(isinstance(node, _YIELDS) for node in ast.walk(self._statement(line) or _NOTHING)):
            return []
        lines = [n for n in self._lines(at, line + 1) if self.events[n].call == self.events[line].call]
        end = self._end(ends[-1], line)
        return [*self._decisions(lines, 1), *([] if self._gives_nothing(end) else [end])]

    def _first_given(self, end: int, since: int) -> int:
        """Return where a call returned first what calls around it, up to one that ended, only handed on.

        A call hands it on that returns it in the line after the condition in which the inner one gave it.
        """
        for n in range(end - 1, since, -1):
            event = self.events[n]
            if event.kind == "return" and event.call > self.events[end].call:
                lines = self._lines(n, end)
                is_on = event.text == self.events[end].text and len(lines) <= 1
                return self._first_given(n, since) if is_on else end
        return end

    def _gives_nothing(self, end: Told) -> bool:
        """Tell whether nobody gets the None of a call that fell off: a generator's, or that of __init__."""
        line = end.line or 0
        functions = (node for node in ast.walk(self._tree) if isinstance(node, ast.FunctionDef))
        around = [each for each in functions if each.lineno <= line <= (each.end_lineno or 0)]
        inner = max(around, key=lambda each: each.lineno, default=None)
        return end.key == "fell_off" and inner is not None and (inner.name == "__init__" or is_lazy(inner))

    def _end(self, at: int, line: int) -> Told:
        """Tell how a call ended that returned at a moment, in a line."""
        own, value = (
            [n for n in range(at) if self.events[n].call == self.events[at].call],
            self.events[at].text,
        )
        gave = next((n for n in reversed(own) if self._is_return(n)), None)
        if gave is not None and any(self.events[n].kind == "raise" for n in own if n > gave):
            gave = None  # it was caught, and the code went on
        if gave is not None or value != "None":  # the last line may be one of with, or of finally
            return self._told("returned", line if gave is None else gave, value=value)._replace(at=at)
        return self._told("fell_off", line)._replace(at=at)

    def _is_return(self, at: int) -> bool:
        return self.events[at].kind == "line" and isinstance(self._statement(at), ast.Return)

    def _before(self, moment: int) -> list[Told]:
        """Tell what was decided last before a moment, in the call that the line of it belongs to."""
        line = self._line_before(moment)
        if line is None:
            return []
        same = (at for at in self._lines(0, line) if self.events[at].call == self.events[line].call)
        return self._decisions(same, 2)


def used_in(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs in any case where a line does, and is used."""
    if not isinstance(node, _PERHAPS):
        yield node
        for inside in parts_run(node.value if isinstance(node, ast.Expr) else node):
            yield from used_in(inside)
