"""What became of a list, a dict or an iterator, whichever call did it, and under whatever name."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from lab.read_back import MOVES_BY_NAME, elements, plain, value_of
from lab.recorded import TURN, Told, parts_of, set_by
from lab.steps import Event
from lab.traced_back import TracedBack

_HELD: Final = 2
"""Moves that led to two different cells that a variable was, whenever a line ran, were meant to."""
_NO_MOVES: Final = ("[]", "()")
_EMPTY: Final = ("None", "{}", *_NO_MOVES)
_LEAST: Final = re.compile(r"heappop|\b(?:min|max|sort|sorted)\(")
"""What takes the least one of several."""
_LOOKS_UP: Final = ("get", "pop")
_USED_UP: Final = ", used up"
_WRITES: Final = (ast.Expr, ast.Delete, ast.Assign, ast.AnnAssign, ast.AugAssign)
"""Statements that change what an object holds."""


class SeenObject(NamedTuple):
    """An object is seen to be another than before: at an event, under a name, as a text."""

    at: int
    name: str
    text: str


class WithObjects(TracedBack):
    """A recorded call, with what became of the objects in it."""

    def __init__(self, source: str, events: Sequence[Event]) -> None:
        """Raise SyntaxError or ValueError where the source is no Python."""
        super().__init__(source, events)
        self._places: list[Mapping[str, int]] = []
        """For each event the numbers of the collections that its call holds, by their places."""
        self._histories: dict[int, list[SeenObject]] = {}
        held = dict[int, Mapping[str, int]]()
        for at, event in enumerate(self.events):
            now = held.get(event.call, {})
            if event.same:
                now = held[event.call] = {name: n for name, n in {**now, **event.same}.items() if n}
            self._places.append(now)
            changed = event.values.keys() | event.same.keys() if event.kind != "mark" else ()
            for name in (each for each in now if each in changed and (each or event.kind == "return")):
                text = self._known[at].get(name) if name else event.text
                history = self._histories.setdefault(now[name], [])
                if text and text != (history[-1].text if history else ""):
                    history.append(SeenObject(at, name, text))

    def _marks(self, name: str) -> list[int]:
        return [at for at, each in enumerate(self.events) if each.kind == "mark" and each.text == name]

    @cached_property
    def _begun(self) -> int:
        """Where the call begins that is told of: of several mazes, the last one."""
        return max(self._marks("begins"), default=0)

    def _writer(self, at: int) -> int | None:
        """Return the line that did what was seen at a moment: where a call begins, the one that made it."""
        line = self._line_of(at)
        line = self._line_before(at) if line is None else line
        if line is not None and isinstance(self._statement(line), ast.Return):  # it changes nothing itself
            ran = (n for n in reversed(self._lines(0, line + 1)) if isinstance(self._statement(n), _WRITES))
            return next(ran, line)
        return line

    def deeper(self, told: Sequence[Told]) -> list[Told]:
        """Tell of iterators that were used up and of what earlier calls left, and then what led to lines."""
        read = [self._entry_read(at) for one in told if one.key == "rounds" for at in self._round(one.at)]
        return [
            *[each for found in read for each in found if each.key == "overwritten"][:1],
            *self._used_up(max((each.at for each in told), default=0)),
            *self._kept(told),
            *super().deeper(told),
        ]

    # --- the moves of a way -------------------------------------------------------------------------

    def of_broken(self, entry: str, end: Callable[[Sequence[str]], str]) -> list[Told]:
        """Tell where moves that are returned no longer led to the cell of a variable, as they had before.

        ``end`` tells to which cell moves lead from the entry, or that they lead to none.
        """
        names, objects = self._returned()[1:]
        held = dict[tuple[int, str, str], list[int]]()
        for at in self._lines(self._begun, len(self.events)):
            known, broken = self._known[at], list[tuple[int, str, str, int]]()
            lists = [n for n in known if n in names or self._places[at].get(n) in objects]
            lists = [name for name in lists if moves_in(known[name]) or known[name] in _NO_MOVES]
            cells = [name for name in known if isinstance(plain(known[name]), tuple)]
            for name, cell in ((name, cell) for name in lists for cell in cells):
                before = held.setdefault((self.events[at].line, name, cell), [at])
                if before and end(moves_in(known[name])) == known[cell]:
                    before.append(at)
                elif len({self._known[each][cell] for each in before[1:]}) >= _HELD:
                    broken.append((len(before), name, cell, before[-1]))
                else:
                    before.clear()
            if broken:
                _, name, cell, last = max(broken)
                values = {"name": name, "cell": cell, "entry": entry}
                broke = self._told("broke", at, **values)
                shown = {each: known[each] for each in (name, cell)}
                return [*self._last_change(name, last, at), broke._replace(shown=shown)]
        return []

    def of_spoilt(self, exit_: str, end: Callable[[Sequence[str]], str]) -> list[Told]:
        """Tell what changed the moves that are returned after they had led to the exit."""
        for number in sorted(self._returned()[2]):
            moments = [*pairwise(self._histories.get(number, ()))]
            for old, new in reversed(moments):
                made, line = self._writer(old.at), self._writer(new.at)
                if end(moves_in(old.text)) != exit_ or made is None or line is None:
                    continue
                whole = self._told("was_whole", made, name=old.name, exit=exit_, value=old.text)
                return [whole, self._changed(line, old, new), *self._shared(new, line, by_names=True)]
        return []

    def of_shared(self) -> list[Told]:
        """Tell of the first change of the moves that are returned while they stood in several places."""
        for number in sorted(self._returned()[2]):
            for old, new in pairwise(self._histories.get(number, ())):
                line = self._writer(new.at)
                if line is not None and (told := self._shared(new, line)):
                    return [self._changed(line, old, new), *told]
        return []

    def of_entries(self) -> list[Told]:
        """Tell where entries of what is returned became one object, or others that it is one with."""
        end = max((at for at, event in enumerate(self.events) if event.kind == "return"), default=0)
        returned = self._places[end].get("", 0) if self.events else 0
        names = [name for name, n in self._places[end].items() if n == returned] if returned else []
        places = (
            [(place.partition("[")[0], n) for place, n in self._places[end].items() if "[" in place]
            if returned
            else []
        )
        shared = Counter(each for each in places if each[0] in names or each[1] == returned)
        for (holder, number), count in shared.most_common(1):
            if count > 1 and (told := self._one_since(number, holder, count)):
                return [told]
        return []

    def _one_since(self, number: int, holder: str, count: int) -> Told | None:
        """Tell since when so many places hold one object."""
        entries = [at for at, held in enumerate(self._places) if [*held.values()].count(number) >= count]
        line, values = self._writer(entries[0]), {"holder": holder, "count": str(count)}
        return None if line is None else self._told("one_of_entries", line, **values)._replace(at=entries[0])

    def _last_change(self, name: str, since: int, until: int) -> list[Told]:
        """Tell of the last change of what a variable holds between two moments, and where else it stands."""
        number = self._places[until].get(name, 0)
        moments = [*pairwise(self._histories.get(number, ()))]
        for old, new in [(old, new) for old, new in moments if since < new.at <= until][-1:]:
            if (line := self._writer(new.at)) is not None:
                return [self._changed(line, old, new), *self._shared(new, line)]
        return []

    def _changed(self, line: int, old: SeenObject, new: SeenObject) -> Told:
        """Tell what a line put into a list of moves, took out of it, or made of it."""
        before, now = (Counter(moves_in(each.text)) for each in (old, new))
        is_less = before.total() > now.total()
        moves = ", ".join((before - now if is_less else now - before).elements())
        if not moves:  # they were put into another order
            return self._told("made", line, name=new.name or old.name, value=new.text)
        values = {"name": new.name or old.name, "old": old.text, "new": new.text}
        return self._told("shorter" if is_less else "longer", line, gone=moves, **values)

    def _shared(self, moment: SeenObject, line: int, *, by_names: bool = False) -> list[Told]:
        """Tell in which entries of a collection an object stood that a line changed, or under which names."""
        number = self._places[moment.at][moment.name]
        places = [name for name, n in self._places[moment.at].items() if n == number and name]
        holders = Counter(name.partition("[")[0] for name in places if "[" in name)
        names = [name for name in places if "[" not in name]
        values = dict(zip(("name", "other"), names, strict=False))
        key = "two_names" if by_names and names[1:] else ""
        for holder, count in holders.most_common(1) if names else ():
            key = "one_with_entries" if count > 1 else "one_with_entry"
            values |= {"holder": holder, "count": str(count)}
        shown = {" = ".join(places): moment.text}
        return [Told(key, self.events[line].line, values, shown, moment.at)] if key else []

    def _returned(self) -> tuple[int, set[str], set[int]]:
        """Return where moves were returned first, and the variables and objects that held them then."""
        ends = [at for at, event in enumerate(self.events) if event.kind == "return"]
        whole = moves_in(self.events[ends[-1]].text) if ends else []
        made = next((at for at in ends if self.events[at].text == self.events[ends[-1]].text), 0)
        known, places = (self._known[made], self._places[made]) if ends else ({}, {})
        names = {name for name in known if whole and moves_in(known[name]) in (whole, whole[::-1])}
        return made, names, {places[name] for name in (*names, "") if name in places}

    def of_element(self, number: int, due: str) -> list[Told]:
        """Tell which line put the wrong move of that number, from 0, into the list that was returned."""
        made, _, objects = self._returned()
        whole = moves_in(self.events[made].text) if objects else []
        if number >= len(whole):
            return []
        left = len(whole) - number

        def has_it(moment: SeenObject) -> bool:
            now = moves_in(moment.text)
            end = whole[len(whole) - len(now) :]
            return now[: number + 1] == whole[: number + 1] or (len(now) >= left and end in (now, now[::-1]))

        longest = max(objects, key=lambda each: (len(self._histories.get(each, ())), -each))
        change = self._since_when(longest, made, has_it)
        line = None if change is None else self._writer(change[1].at)
        if change is None or line is None:
            return []
        old, new = change
        values = {"came": whole[number], "due": due}
        if old is not None and len(moves_in(old.text)) > len(moves_in(new.text)):
            told = [self._changed(line, old, new)]
        elif old is None and self._only_takes(new.name, line):
            return [self._told("held", line, name=new.name, now=new.text, **values)]
        elif old is None and moves_in(self._known[line].get(new.name, "")) != moves_in(new.text)[:-1]:
            return []  # one of several lists
        else:
            told = [self._told("element", line, **values), *self._entry_read(line)]
        return [*told, *self._shared(new, line), *self._before(new.at)]

    def _since_when(
        self, number: int, until: int, has_it: Callable[[SeenObject], bool]
    ) -> tuple[SeenObject | None, SeenObject] | None:
        """Return since which change an object, or the one that it was made of, had something to the end."""
        history = [each for each in self._histories.get(number, ()) if each.at <= until]
        change = None
        while history and has_it(history[-1]):
            new = history.pop()
            change = history[-1] if history else None, new
        if change is None or change[0] is not None:
            return change
        others = ((each, n) for n, moments in self._histories.items() for each in moments if n != number)
        earlier = [(each, n) for each, n in others if each.at < change[1].at and has_it(each)]
        if not earlier:
            return change
        source, number = max(earlier)
        return self._since_when(number, source.at, has_it)

    def _round(self, at: int) -> list[int]:
        """Return the last lines that ran in the call of a line, the latest first."""
        call = self.events[at].call
        return [n for n in reversed(self._lines(0, len(self.events))) if self.events[n].call == call][:TURN]

    def _entry_read(self, at: int) -> list[Told]:
        """Tell which line wrote last what a line, or one that made its values, reads from a dict."""
        for line in (at, *(each.at for each in self._made(at))):
            for name, key in _looked_up(self._statement(line)):
                if told := self._entry_written(name, str(value_of(key, self._known[line])), line):
                    return [told]
        return []

    def _entry_written(self, name: str, key: str, until: int) -> Told | None:
        """Tell which line wrote an entry of a dict last."""
        history = self._histories.get(self._places[until].get(name, 0), [])
        held = [(each.at, entry_of(each.text, key)) for each in history if each.at <= until]
        for (_, old), (at, new) in reversed([*pairwise([(-1, None), *held])]):
            is_told = new in MOVES_BY_NAME or (new or "")[:1] == "("
            if new is not None and is_told and new != old and (line := self._writer(at)) is not None:
                entry = f"{name}[{key}]"
                if old is None:
                    return self._told("made", line, name=entry, value=new)
                return self._told("overwritten", line, name=entry, old=old, new=new)
        return None

    # --- what can be gone through once, or was made once ----------------------------------------------

    def _used_up(self, until: int) -> list[Told]:
        """Tell of the first iterator that was gone through again, and what had taken the last of it."""
        for at in self._lines(self._begun, until):
            for name in _gone_through(self._statement(at)):
                if not self._known[at].get(name, "").endswith(_USED_UP) or self._goes_on(at):
                    continue
                moments = [e for e in self._histories.get(self._places[at].get(name, 0), ()) if e.at <= at]
                for before, after in pairwise(moments):
                    line = self._writer(after.at)
                    if (
                        after.text.endswith(_USED_UP)
                        and not before.text.endswith(_USED_UP)
                        and line is not None
                    ):
                        emptied = self._told("emptied", line, name=after.name)
                        return [emptied, self._told("used_up", at, name=name)]
        return []

    def _kept(self, told: Sequence[Told]) -> list[Told]:
        """Tell of the first collection that is told of and that calls before this one had filled already."""
        calls = dict[int, list[int]]()
        for at, event in enumerate(self.events):
            calls.setdefault(event.call, [at]).append(at)
        ended, begun = -1, 0
        for ats in calls.values():
            kinds = [kind for kind in (self.events[at].kind for at in ats) if kind != "mark"]
            is_over = kinds[-1:] not in (["line"], ["note"])  # it would wait for calls within it
            begun = ats[0] if ats[0] > ended else begun
            ended = max(ended, ats[-1] if is_over else len(self.events))
        names = set() if self._marks("step") else {name for each in told for name in each.shown}
        for at in range(begun, len(self.events)) if begun else ():
            for name in (each for each in self.events[at].same if each in names):
                history = self._histories.get(self._places[at].get(name, 0), [])
                before = [each.text for each in history if each.at < begun]
                if len(before) > 1 and before[-1] not in _EMPTY:
                    return [self._made_once(name, at, before[-1])]
        return []

    def _made_once(self, name: str, at: int, value: str) -> Told:
        """Tell what a collection held, at the default value or attribute of a class that it is, if any."""
        line, number = self.events[at].line, self._places[at][name]
        nodes = [node for node in ast.walk(self._tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        for node in reversed([node for node in nodes if node.lineno <= line <= (node.end_lineno or 0)]):
            defaults = _defaults(node) if isinstance(node, ast.FunctionDef) else {}
            for other in (each for each, n in self._places[at].items() if n == number):
                attribute = other.removeprefix("self.")
                made = [each for each in node.body if attribute != other and attribute in set_by(each)]
                if other in defaults:
                    return Told(
                        "default_kept", defaults[other].lineno, {"name": other, "value": value}, at=at
                    )
                if isinstance(node, ast.ClassDef) and made and f"{other} = " not in self.source:
                    return Told("class_kept", made[0].lineno, {"name": other, "value": value}, at=at)
        return Told("kept", line, {"name": name, "value": value}, at=at)

    def _tie(self, at: int, came: str, due: str) -> list[Told]:
        """Tell whether two cells are equal in what a line takes the least one by, or in its first part."""
        source = ast.get_source_segment(self.source, statement) if (statement := self._statement(at)) else ""
        for text in self._told("", at).shown.values() if _LEAST.search(source or "") else ():
            one, other = (_ranks(text, cell) for cell in (came, due))
            if not one or not other or one[0] != other[0]:
                continue
            values = {"came": came, "due": due, "rank": one[0]}
            n = next((n for n, pair in enumerate(zip(one, other, strict=False)) if len({*pair}) > 1), None)
            if n is None or "key" in (source or ""):
                return [Told("tie", self.events[at].line, values, at=at)]
            if "…" in "".join(one[: n + 1] + other[: n + 1]):
                continue
            values |= {"rank": ", ".join(one[:n]), "one": one[n], "other": other[n]}
            return [Told("tie_then", self.events[at].line, values, at=at)]
        return []


def moves_in(text: str) -> list[str]:
    """Return the elements of a list of moves; nothing of any other value, or of a list that is cut short."""
    found = text[1:-1].split(", ") if text[:1] in ("[", "(") else []
    return found if set(found) <= MOVES_BY_NAME.keys() else []


def entry_of(text: str, cell: str) -> str | None:
    """Return what a dict, as it is shown, holds of a cell; None where it holds nothing."""
    found = re.search(re.escape(cell) + r": ((?:\((?:\([^()]*\)|[^()])*\)|[^,(}])*)", text)
    return found and found[1]


def _looked_up(statement: ast.stmt | ast.match_case | None) -> Iterator[tuple[str, ast.expr]]:
    """Yield the variables in which a statement looks something up, each with the key."""
    for node in (each for part in parts_of(statement) for each in ast.walk(part)):
        match node:
            case ast.Subscript(value=ast.Name() | ast.Attribute() as held, slice=key, ctx=ast.Load()):
                yield ast.unparse(held), key
            case ast.Call(func=ast.Attribute(value=held, attr=name), args=[key, *_]) if name in _LOOKS_UP:
                yield ast.unparse(held), key


@lru_cache(maxsize=1_000)  # each is asked for whenever it ran
def _gone_through(statement: ast.stmt | ast.match_case | None) -> tuple[str, ...]:
    """Return the variables that a statement may go through: in loops, tests of membership, and calls."""
    over = [statement.iter] if isinstance(statement, ast.For) else []
    for node in (each for part in parts_of(statement) for each in ast.walk(part)):
        match node:
            case ast.comprehension(iter=iterated):
                over.append(iterated)
            case ast.Call(args=arguments):
                over += arguments
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=compared):
                over += compared
    return tuple(node.id for node in over if isinstance(node, ast.Name))


def in_order(statement: ast.stmt | ast.match_case | None) -> Iterator[str]:
    """Yield the variables whose elements a statement takes as they come."""
    over = [statement.iter] if isinstance(statement, ast.For) else []
    for node in (each for part in parts_of(statement) for each in ast.walk(part)):
        match node:
            case ast.comprehension(iter=iterated):
                over.append(iterated)
            case ast.Call(func=ast.Name(id="list" | "tuple" | "iter" | "enumerate"), args=[taken, *_]):
                over.append(taken)
            case ast.Call(func=ast.Attribute(value=owner, attr="pop"), args=[]):
                over.append(owner)
    return (ast.unparse(each) for each in over if isinstance(each, ast.Name | ast.Attribute))


def _defaults(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """Return the default values of a function's parameters that are made once, when it is defined."""
    places = [*function.args.posonlyargs, *function.args.args]
    pairs = [*zip(reversed(places), reversed(function.args.defaults), strict=False)]
    pairs += [(a, d) for a, d in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if d]
    return {argument.arg: default for argument, default in pairs if not isinstance(default, ast.Constant)}


def _ranks(text: str, cell: str) -> list[str]:
    """Return a tuple of a collection up to a cell, or what a dict holds of the cell: a number first."""
    for part in elements(text):
        inside = elements(part) if part[:1] == "(" else []
        before = inside[: inside.index(cell) + 1] if cell in inside[1:] else []
        found = [part.removeprefix(f"{cell}: ")] if part.startswith(f"{cell}: ") else before
        if found and isinstance(plain(found[0]), int):
            return found
    return []
