"""The story of a recorded call: what the student's own lines did at the step where it parts from a right one.

Nothing is guessed. Each sentence says what was seen in the run: which line came upon a cell, how a condition
came out and with which values, what a line put where, which line raised and which one caught it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from lab.causes import WithCauses
from lab.luck import GIVEN, NOTHING, OTHER
from lab.maze import Maze
from lab.objects import in_order
from lab.read_back import MOVES_BY_NAME, elements, plain
from lab.recorded import TURN, Told, is_lazy
from lab.steps import FULL, UNSEEN, Event
from lab.visits import first_outside
from lab.way import cell_text

MOST_STEPS: Final = 7
"""A story has at most seven steps."""
_FEW: Final = 6
"""A call has just begun where at most six lines of it ran, none of them twice."""
_LUCKY: Final = 2
"""Of the lines that drew from another source, the first two are told."""
_UNORDERED: Final = re.compile(r"(?:'[^']*'|([^\W\d]\w*)\(.*\))$")
"""A text, or an object, whose place in a set is luck."""
FATES: Final = ("put", "decided", "done", "met", "gave")
"""Sentences on what became of a cell."""
_MEANT: Final = ("StopIteration", "GeneratorExit", "StopAsyncIteration")
"""Exceptions that end generators."""


class Recorded(WithCauses):
    """A recorded call of the code in one file, and the stories that it tells."""

    def _visits(self) -> list[tuple[int, str]]:
        """Return the marks of the stream that tells most, with their cells."""
        streams = (
            [at for at in self._marks(name) if at > self._begun] for name in ("taken", "asked", "probed")
        )
        return [(at, self.events[at].values.get("0", "")) for at in next(filter(None, streams), [])]

    def of_parting(
        self, count: int, due: str, came: str | None, before: str, *, is_exit: bool = False
    ) -> list[Told]:
        """Tell how the code came to a cell, the visit of that number, when another one was due.

        ``came`` is None where it came to none; ``before`` is the last cell that was right. ``is_exit`` means
        that the exit was due, at which the code may have been: only what is taken from a Search tells that.
        """
        moment = next((at for at, cell in self._visits() if cell == came), None)
        if moment is None:
            gave = next((each.text for each in reversed(self.events) if each.kind == "return"), "None")
            values = {"before": before, "due": due, "value": gave}
            first = [Told("stops", None, values)] if self._is_all(FULL, 0, len(self.events)) else []
            return [*first, *self.of_cell(due)]
        line = self._line_before(moment)
        told = [self._told("past" if is_exit else "parts", line, count=str(count), came=came or "", due=due)]
        told += [*self._origin(line, came or "", due), *self._caller(line)]
        became = self._became(due, moment)
        caller = None if line is None else self._calling(line)
        if caller is not None and not any(each.key in FATES for each in became):
            told += self._loop_around(caller, came or "")
        return [*told, *became]

    def _origin(self, line: int | None, cell: str, due: str) -> list[Told]:
        """Tell from which line of the same call a variable got a cell, and whether that was a tie."""
        if line is None:
            return []
        own = (n for n in range(line, -1, -1) if self.events[n].call == self.events[line].call)
        got = next((n for n in own if self._is_bound(n, cell)), None)
        origin = None if got is None else self._line_of(got)
        if origin is None or origin == line:
            return []
        return [self._told("origin", origin, cell=cell), *self._tie(origin, cell, due)]

    def _is_bound(self, at: int, cell: str) -> bool:
        return self.events[at].kind != "mark" and cell in self.events[at].values.values()

    def _loop_around(self, line: int, came: str) -> list[Told]:
        """Tell which loop a line stands in, and what it was about in the call of that line."""
        for at in reversed(self._lines(0, line)):
            loop, event = self._statement(at), self.events[at]
            is_around = isinstance(loop, ast.For) and loop.lineno <= self.events[line].line <= (
                loop.end_lineno or 0
            )
            if is_around and event.call == self.events[line].call:
                return [self._told("order", at, came=came)]
        return []

    def of_way(self, cell: str, came: str, due: str, there: str) -> list[Told]:
        """Tell where a way parts from a right one, which goes ``there``, and what became of that cell."""
        first = Told("way", None, {"cell": cell, "came": came, "due": due})
        return [first, *self.of_cell(there)]

    def of_cell(self, cell: str) -> list[Told]:
        """Tell what became of a cell, and how the call ended."""
        return [*self._became(cell, len(self.events)), *self.of_ending(cell)]

    def _became(self, cell: str, end: int) -> list[Told]:
        """Tell what became of a cell until a moment, and what was swallowed, or did nothing, before."""
        fate = self._fate(cell, self._begun, end)
        if not fate and self._is_nowhere(cell, self._begun, end):
            fate = [Told("met_not", None, {"cell": cell})]
        return [*self._swallowed(end), *self._not_begun(end), *fate]

    def _is_nowhere(self, cell: str, start: int, end: int) -> bool:
        """Tell whether nothing that ran held a cell, alone or among others, and all of it was recorded."""
        texts = (text for each in self.events[start:end] for text in (each.text, *each.values.values()))
        is_all = self._is_all(UNSEEN, start, end) and self._is_all(FULL, start, end)
        return is_all and not any(cell in text for text in texts)

    def _caller(self, line: int | None) -> list[Told]:
        """Tell which line made the call that has just begun with a line."""
        caller = None if line is None else self._calling(line)
        return [] if caller is None else [self._told("called", caller)]

    def _calling(self, line: int) -> int | None:
        """Return the line that made the call which has just begun with a line; None if it is no new one."""
        begun = next(at for at, event in enumerate(self.events) if event.call == self.events[line].call)
        caller = self._line_before(begun)
        ran = [self.events[at].line for at in self._lines(begun, line)]
        is_new = len(ran) == len(set(ran)) <= _FEW
        return None if caller is None or not is_new or self._has_ended(caller, begun) else caller

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
                raised = self._line_of(self._raised_at(at))
                return [self._told("raised", raised, error=event.text), self._told("caught", after)]
        return []

    def _raised_at(self, at: int) -> int:
        """Return where the exception was raised that passes at a moment, here or in a call that was made."""
        over = len(self.events)  # the number of a call that had returned: those in it are told nothing of
        for n in range(at - 1, -1, -1):
            each, event = self.events[n], self.events[at]
            if each.kind == "line" and each.call == event.call:
                break
            over = min(over, each.call) if each.kind == "return" else over
            if each.kind == "raise" and each.text == event.text and event.call != each.call < over:
                at = n
        return at

    def _is_in_handler(self, at: int) -> bool:
        tries = (node for node in ast.walk(self._tree) if isinstance(node, ast.Try))
        handlers = (handler for node in tries for handler in node.handlers)
        return any(each.lineno <= self.events[at].line <= (each.end_lineno or 0) for each in handlers)

    def of_ending(self, cell: str = "") -> list[Told]:
        """Tell what was decided last, about a cell if one is given, and how the call ended."""
        returns = [at for at, event in enumerate(self.events) if event.kind == "return"]
        line = self._line_of(returns[-1]) if returns else None
        if line is None or not self._is_all(FULL, 0, len(self.events)):
            return []
        end, turn = returns[-1], TURN * (3 if cell else 1)
        ran = self._latest(turn, end), self._latest(turn, end, self.events[line].call)
        told = self._decisions(ran[1], 2, cell) or self._decisions(ran[0], 2, cell)
        return [*told, self._end(end, line)]

    def _latest(self, count: int, end: int, call: int | None = None) -> list[int]:
        """Return the last lines before a moment, of one call or of all, and the expressions noted in them."""
        ran = [at for at in self._ran(self._begun, end) if call is None or self.events[at].call == call]
        lines = [at for at in ran if self.events[at].kind == "line"][-count:]
        return [at for at in ran if lines and at >= lines[0]]

    def of_twin(self, other: Recorded, told: Told) -> list[Told]:
        """Tell how the call parts from one that was right, on a maze that differs in one thing.

        ``told`` says in what: between two cells there is a wall in one maze, and none in the other.
        """
        gave = next((each.text for each in reversed(other.events) if each.kind == "return"), "None")
        ran, others = self._ran(0, len(self.events)), other._ran(0, len(other.events))
        pairs = enumerate(zip(ran, others, strict=False))
        parted = next((n for n, (a, b) in pairs if _place(self.events[a]) != _place(other.events[b])), 0)
        test = self._decision(ran[parted - 1]) if parted else None
        is_so = test is not None and test.values.get("outcome") == str(not other._outcome(others[parted - 1]))
        otherwise = str(not (test is not None and test.values.get("outcome") == "True"))
        differs = (
            [test._replace(key="differs", values={**test.values, "otherwise": otherwise})]
            if test is not None and is_so
            else []
        )
        cells = [told.values[name] for name in ("one", "other") if name in told.values]
        about = self._of_passage(*cells) if len(cells) == 2 and told.key != "marks" else []
        return [told._replace(values={**told.values, "value": gave}), *differs, *about]

    def _of_passage(self, one: str, other: str) -> list[Told]:
        """Tell what was decided the last time that the code came from one of two neighbours to the other."""
        for at in reversed(self._lines(0, len(self.events))):
            for start, end in ((one, other), (other, one)):
                if start in self._known[at].values() and self._comes_upon(at, end):
                    turn = self._turn(end, at, len(self.events))[0]
                    if any(each.key == "decided" for each in turn):
                        return turn
        return []

    def of_place(self, line: int, key: str) -> list[Told]:
        """Tell what a line held the last time that it ran, which is the place of the mistake."""
        place = self._statements.get(line)
        ran = [at for at in self._lines(0, len(self.events)) if self._statement(at) is place is not None]
        told = [self._told(key, at)._replace(line=line) for at in ran[-1:]]
        return [*told, *(each for one in told for each in self._gives_none(one.at))]

    def of_generator(self, name: str) -> list[Told]:
        """Tell what makes a function one whose call runs none of its lines; nothing of any other."""
        for function in ast.walk(self._tree):
            if isinstance(function, ast.FunctionDef) and function.name == name and is_lazy(function):
                yields = (node for node in ast.walk(function) if isinstance(node, ast.Yield | ast.YieldFrom))
                return [Told("is_generator", min(node.lineno for node in yields), {"name": name})]
        return []

    def of_swallowed(self) -> list[Told]:
        """Tell of an exception that was caught, or a call that did nothing, and how the call ended."""
        end = len(self.events)
        told = [*self._swallowed(end), *self._not_begun(end)]
        return [*told, *self.of_ending()] if told else []

    def of_exception(self) -> list[Told]:
        """Tell which line raised the exception that ended the call, and what was decided before."""
        raised = [at for at, each in enumerate(self.events) if each.kind == "raise" and not _is_meant(each)]
        if not raised:
            return []
        first = self._raised_at(raised[-1])
        line, event = self._line_of(first), self.events[first]
        lines = [at for at in self._lines(0, line or 0) if self.events[at].call == event.call]
        return [self._told("raised", line, error=event.text), *self._caller(line), *self._decisions(lines, 2)]

    def of_wait(self) -> list[Told]:
        """Tell which line waits for ever, and what was decided before."""
        lines = self._lines(0, len(self.events))
        return [self._told("waits", lines[-1]), *self._decisions(lines, 2)] if lines else []

    def of_rounds(self, maze: Maze | None = None) -> list[Told]:
        """Tell of a call without an end: how it left the maze, or came to a cell again, or the line that it
        ran most."""
        if maze is not None and (left := self._of_leaving(maze)):
            return left
        seen: dict[str, int] = {}
        for at, cell in self._visits():
            line = self._line_before(at)
            if cell in seen and self.events[at].text != "probed" and self._is_at(line, cell, seen[cell]):
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

    def _of_leaving(self, maze: Maze) -> list[Told]:
        """Tell where a solver came to a cell outside its maze and went on from there, if it did."""
        found = {
            at: cell
            for at, text in self._cells(cell_text(maze.entry))
            if isinstance(cell := plain(text), tuple)
        }
        outside = first_outside(found.values(), maze)
        if outside is None:
            return []
        moment = next(at for at, cell in found.items() if cell == outside)
        given = self._line_of(moment) if self.events[moment].kind == "line" else None
        line = self._line_before(moment) if given is None else given
        told = [self._told("left", line, cell=str(outside)), *self._caller(line)]
        return [*told, *self._fate(str(outside), self._begun, moment)]

    def _cells(self, entry: str) -> Iterator[tuple[int, str]]:
        """Yield what was taken or compared with the exit, and variables that were the entry once."""
        events = [*enumerate(self.events)][self._begun :]
        names = {name for _, each in events for name, text in each.values.items() if text == entry}
        for at, event in events:
            if event.kind == "mark" and event.text in ("taken", "tested"):
                yield at, event.values.get("0", "")
            elif event.kind == "line":
                yield from ((at, text) for name, text in event.values.items() if name in names)

    def _is_at(self, line: int | None, cell: str, since: int) -> bool:
        """Tell whether a cell is the one that the call of a line was given last, after a moment: whoever asks
        for the moves at a cell may be elsewhere."""
        same = (each for each in reversed(self._lines(since, (line or 0) + 1)) if line is not None)
        own = (self.events[at] for at in same if self.events[at].call == self.events[line or 0].call)
        given = ([text for text in each.values.values() if _is_cell(text)] for each in own)
        return cell in next(filter(None, given), [])

    def of_step(self, number: int, first: Told, before: Sequence[int]) -> list[Told]:
        """Tell ``first`` what is wrong of a step of a script, then what it decided, changed and gave.

        ``before`` are the earlier steps with the same object.
        """
        begins = [*self._marks("step"), len(self.events)]
        if number + 1 >= len(begins):
            return []
        start, end = begins[number], begins[number + 1]
        known = self.held_after(before)[-1]
        ends = [at for at in range(start, end) if self.events[at].kind in ("return", "raise")][-1:]
        changes = [*self._changes(start, end, known)]
        told = [first, *self._decisions(self._lines(start, end), 3), *changes]
        told += [caller for each in changes[-1:] for caller in self._caller(each.at) if caller.at > start]
        for at in ends:
            line, text = self._line_of(at), self.events[at].text
            if self.events[at].kind == "raise":
                told.append(self._told("raised", line, error=text))
            elif text != "None" or first.key in ("step", "state_right"):
                told.append(self._told("returned", line, value=text)._replace(at=at))
        return [*told, *self._made_earlier(told, before)] if first.key == "step" else told

    def _made_earlier(self, told: Sequence[Told], steps: Sequence[int]) -> list[Told]:
        """Tell which lines of the last of some steps made what the object holds that is told of.

        The answer may be wrong because of them, although asking could not tell.
        """
        begins, held = [*self._marks("step"), len(self.events)], self.held_after(steps)
        names = {name for each in told for name in each.shown if name.startswith("self.")}
        for step, known in reversed([*zip(steps, held, strict=False)]):
            changes = self._changes(begins[step], begins[step + 1], known)
            made = {each.values["name"]: each for each in changes if each.values["name"] in names}
            if made:
                return [
                    self._told("made", each.at, name=name, value=each.values["new"])
                    for name, each in made.items()
                ]
        return []

    def held_after(self, steps: Sequence[int]) -> list[dict[str, str]]:
        """Return what variables and attributes held before some steps of a script, and after each of them."""
        begins, held = [*self._marks("step"), len(self.events)], [dict[str, str]()]
        for number in steps:
            held.append(dict(held[-1]))
            for event in self.events[begins[number] + 1 : begins[number + 1]]:
                held[-1] |= event.values
        return held

    def _changes(self, start: int, end: int, known: dict[str, str]) -> Iterable[Told]:
        """Tell the last change of each attribute, and of each list or dict of a call, between two moments.

        ``known`` is what they held before.
        """
        changes: dict[str, Told] = {}
        for at in range(start, end):
            held = self.events[at].values if self.events[at].kind != "mark" else {}
            for name, new in held.items():
                # what a call finds when it begins may have changed since the step before
                owner, line = name.partition(".")[0], self._line_of(at)
                is_lasting = "." in name and (owner == "self" or owner[:1].isupper())
                key = name if is_lasting else f"{name} {self.events[at].call}"
                is_held = ("." in name or new[:1] in ("[", "{")) and owner not in self._assigned(line)
                if known.get(key, new) != new and (is_lasting or is_held) and line is not None:
                    values = {"name": name, "old": known[key], "new": new}
                    changes[key] = self._told("changed", line, **values)
                known[key] = new
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
        return self._of_apart(cells[0], [cell for cell in cells if root(cell) != root(cells[0])], opened)

    def of_luck(self) -> list[Told]:
        """Tell which lines drew from another source than the given one, and whether nothing was drawn from
        that."""
        told, end = list[Told](), list[Told]()
        for at in self._marks("drawn"):
            source, line = (self.events[at].values.get(name, "") for name in "01")
            source = source.strip("'")
            ran = next((n for n in reversed(self._lines(0, at)) if str(self.events[n].line) == line), None)
            if source == NOTHING:
                end = [Told("undrawn", None)]
            elif source != GIVEN and ran is not None:
                told.append(self._told("drew_other" if source == OTHER else "drew", ran, source=source))
        return [*end, *told[:_LUCKY]] or self._of_order()

    def _of_order(self) -> list[Told]:
        """Tell the first line that took several elements of a set of texts, or of objects, in their order."""
        kinds = [node for node in ast.walk(self._tree) if isinstance(node, ast.ClassDef)]
        hashed = {each.name for each in kinds if each.decorator_list or "__hash__" in ast.dump(each)}
        for at in self._lines(0, len(self.events)):
            for name in in_order(self._statement(at)):
                text = self._known[at].get(name, "")
                held = elements(text) if text[:1] == "{" else []
                found = [_UNORDERED.match(each) for each in held]
                if len(held) > 1 and all(each and each[1] not in hashed for each in found):
                    return [self._told("unordered", at, name=name)]
        return []

    def _of_apart(self, first: str, apart: Sequence[str], opened: Sequence[int]) -> list[Told]:
        """Tell that no way leads to a cell, and how the call ended."""
        if not apart:
            return []
        if not opened:
            told = [Told("unopened", None, {"one": first, "other": apart[0]})]
            return [*told, *self._not_begun(len(self.events)), *self.of_ending()]
        last = self._line_before(opened[-1])
        return [self._told("apart", last, one=first, other=apart[0]), *self.of_ending()]


def _place(event: Event) -> tuple[int, int]:
    return event.line, event.column


def _is_cell(text: str) -> bool:
    return text not in MOVES_BY_NAME and isinstance(plain(text), tuple)


def _is_meant(event: Event) -> bool:
    return event.text.startswith(_MEANT)
