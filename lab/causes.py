"""What lies behind a wrong step and has no condition of its own.

A loop was left, or passed something over; a line took something out, or changed an order; nothing was done
with what a line worked out; a cache answered a call; a variable is another one of the same name, or was read
later than it was meant to be.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from lab.noted import reads
from lab.objects import SeenObject, WithObjects
from lab.read_back import MOVES_BY_NAME, elements
from lab.recorded import Told, is_lazy, parts_of, set_by
from lab.traced_back import used_in

_BRANCH: Final = 4
"""What came of a condition is looked for in the four lines that ran after it."""
_CACHES: Final = ("cache", "lru_cache", "cached_property")
_ASKED: Final = ("test", "decided")
_LEAVES: Final = (ast.Return, ast.Break, ast.Raise)
_TAKES: Final = (ast.Delete, ast.Expr)
"""Statements that take something out of a collection, and do nothing with it."""
_IDLE: Final = (ast.BinOp, ast.Compare, ast.Name, ast.Attribute)
"""Expressions that change nothing, unless something in them does."""
_ACTS: Final = (
    ast.Call,
    ast.Subscript,
    ast.NamedExpr,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_NEW: Final = {
    *("sorted", "reversed", "list", "tuple", "set", "frozenset", "dict", "len", "min", "max", "sum")
}
_ASKS: Final = {
    *("copy", "union", "difference", "intersection", "symmetric_difference", "issubset", "issuperset"),
    *("index", "count", "keys", "values", "items", "get", "replace", "strip", "upper", "lower"),
}
"""Functions of Python, and methods of its collections and texts, that only give something."""
_LANDINGS: Final = ("put", "decided", "done", "met")
"""Sentences about a turn of a loop in which a cell was come to."""
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Loop = ast.For | ast.While


class WithCauses(WithObjects):
    """A recorded call, with what lies behind the steps that are told of."""

    def causes(self, told: Sequence[Told]) -> list[Told]:
        """Tell what made the steps come out as they did, where a line without a condition did."""
        return [
            *self._passed_over(),
            *self._cached(),
            *self._own_names(),
            *self._late(),
            *self._unkept(),
            *(each for one in told for each in self._ordered(one)),
            *(each for one in told for each in self._shared_entries(one)),
            *(each for one in told for each in self._left(one)),
            *(each for one in told for each in self._taken(one)),
        ]

    # --- loops --------------------------------------------------------------------------------------

    @cached_property
    def _loops(self) -> dict[int, Loop]:
        """The innermost loop around each line, in its own function."""
        found = dict[int, Loop]()
        for node in ast.walk(self._tree):  # outer ones come first
            if isinstance(node, Loop):
                found |= dict.fromkeys(range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1), node)
            elif isinstance(node, _SCOPES[:2]):
                for line in range(node.lineno, (node.end_lineno or 0) + 1):
                    found.pop(line, None)
        return found

    def _left(self, told: Told) -> Iterator[Told]:
        """Tell which loop a return ended, always in its first turn, or a break after a condition."""
        if told.key == "returned":
            line = told.at if self.events[told.at].kind == "line" else self._line_of(told.at)
            loop = None if line is None else self._loops.get(self.events[line].line)
            if line is not None and loop is not None and _always_leaves(loop.body):
                yield from self._ended(loop, line)
        for line in self._branch(told):
            loop = self._loops.get(self.events[line].line)
            if isinstance(self._statement(line), ast.Break) and isinstance(loop, ast.For):
                yield from self._ended(loop, line)

    def _ended(self, loop: Loop, at: int) -> Iterator[Told]:
        turn = 0
        for n in (n for n in reversed(self._lines(0, at)) if self.events[n].call == self.events[at].call):
            if not loop.lineno <= self.events[n].line <= (loop.end_lineno or 0):
                break
            turn += self.events[n].line == loop.lineno
        if turn and not (isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant)):
            values = {"loop": str(loop.lineno), "turn": str(turn)}
            yield self._told("ended_loop", at, **values)

    def _branch(self, told: Told) -> Iterator[int]:
        """Yield the lines that ran in the branch that a condition chose."""
        decides = self._statement(told.at) if told.key in _ASKED else None
        if not isinstance(decides, ast.If) or self.events[told.at].kind != "line":
            return
        branch, at = decides.body if self._outcome(told.at) else decides.orelse, told.at
        for _ in range(_BRANCH if branch else 0):
            at = self._after.get(at, -1)
            lines = range(branch[0].lineno, (branch[-1].end_lineno or 0) + 1)
            if at < 0 or self.events[at].kind != "line" or self.events[at].line not in lines:
                return
            yield at

    def _passed_over(self) -> list[Told]:
        """Tell of the first element that a loop passed over, since the list changed that it went over."""
        turns, since = dict[tuple[int, int], list[str]](), dict[tuple[int, int], int]()
        for at in self._lines(self._begun, len(self.events)):
            loop = self._statement(at)
            if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Name | ast.Attribute):
                continue
            name, place = ast.unparse(loop.iter), (self.events[at].call, loop.lineno)
            number, text = self._places[at].get(name, 0), self._known[at].get(name, "")
            if not self._goes_on(at):
                turns[place] = [str(number)]
            first, *had = turns.get(place, ["0"])
            parts = elements(text) if text[:1] == "[" else []
            if not number or first != str(number):
                turns.pop(place, None)
                continue
            passed = [each for each in parts[: len(had)] if each not in had and parts.count(each) == 1]
            if passed and had:
                values = {"item": passed[0], "name": name, "place": str(len(had) + 1)}
                told = self._told("passed_over", at, **values)._replace(shown={name: text})
                return [*self._shrunk(number, since[place], at), told]
            since[place] = at
            item = parts[len(had)] if len(had) < len(parts) else None
            if item is None or item != self._given(loop.target, at):
                turns.pop(place, None)
            else:
                turns[place].append(item)
        return []

    def _given(self, target: ast.expr, at: int) -> str:
        """Return what the variables of a loop were given by a turn, as one text."""
        known = self._known[self._after.get(at, at)]
        if isinstance(target, ast.Tuple):
            return f"({', '.join(known.get(ast.unparse(each), '') for each in target.elts)})"
        return known.get(ast.unparse(target), "")

    # --- what was taken out ---------------------------------------------------------------------------

    def _taken(self, told: Told) -> Iterator[Told]:
        """Tell which line took something out of what an answer, or a condition, reads, or did so after it."""
        for line in self._branch(told):
            if isinstance(self._statement(line), _TAKES):
                for number in self._histories:
                    yield from self._shrunk(number, line, self._after.get(line, line), most=line)
        end = self._line_of(told.at) if told.key == "returned" and told.at >= 0 else None
        if end is None or self.events[told.at].text[:1] in ("[", "("):
            return
        for name in dict.fromkeys(each for part in parts_of(self._statement(end)) for each in reads(part)):
            yield from self._shrunk(self._places[end].get(name, 0), self._begun, end)

    def _shrunk(self, number: int, since: int, until: int, most: int = -1) -> list[Told]:
        """Tell of the last line between two moments that took something out of an object, and no more."""
        for old, new in reversed([*pairwise(self._histories.get(number, ()))]):
            line = self._writer(new.at) if since < new.at <= until else None
            if line is None or not isinstance(self._statement(line), _TAKES) or most not in (-1, line):
                continue
            if gone := _gone(old, new):
                values = {"name": new.name or old.name, "gone": gone, "old": old.text, "new": new.text}
                return [self._told("shorter", line, **values)]
        return []

    def _shared_entries(self, told: Told) -> Iterator[Told]:
        """Tell where entries of what a condition reads became one object, if that has changed since."""
        for name in told.shown if told.key in _ASKED else ():
            counts = Counter(n for place, n in self._places[told.at].items() if place.startswith(f"{name}["))
            for shared, count in counts.most_common(1):
                if (
                    count > 1
                    and (made := self._one_since(shared, name, count)) is not None
                    and self._known[self._after.get(made.at, made.at)].get(name) != told.shown[name]
                ):
                    yield made

    def _ordered(self, told: Told) -> Iterator[Told]:
        """Tell what gave a list its order, over which a loop went that came to a cell."""
        is_loop, around = told.key == "order", self._loops.get(told.line or 0)
        loop = self._statement(told.at) if is_loop else around if told.key in _LANDINGS else None
        if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Name):
            return
        name, call = loop.iter.id, self.events[told.at].call
        for at in (n for n in reversed(self._lines(self._begun, told.at)) if self.events[n].call == call):
            old, new = (self._known[n].get(name, "") for n in (at, self._after.get(at, at)))
            before, now = (elements(text) if text[:1] == "[" else [] for text in (old, new))
            if name not in self._assigned(at) and old != new and sorted(before) == sorted(now):
                yield self._told("ordered", at, name=name, old=old, new=new)
            elif name in self._assigned(at) and not _is_in_order(now):
                yield self._told("made", at, name=name, value=new)
            if name in self._assigned(at) or old != new:
                return

    # --- calls and variables ----------------------------------------------------------------------------

    @cached_property
    def _functions(self) -> dict[str, list[ast.FunctionDef]]:
        found = dict[str, list[ast.FunctionDef]]()
        for node in ast.walk(self._tree):
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, []).append(node)
        return found

    def _cached(self) -> list[Told]:
        """Tell of the first call that a cache answered although what the function reads had changed."""
        kept = {
            name: (node, caches[0])
            for name, (node, *others) in self._functions.items()
            if not others and (caches := [*filter(None, map(_cache_of, node.decorator_list))])
        }
        for at in self._lines(self._begun, len(self.events)) if kept else ():
            after = self._after.get(at)
            if after is None or self.events[after].kind == "raise" or self._goes_on(at):
                continue
            for name in _called_in(self._statement(at)):
                node, cache = kept.get(name, (None, ""))
                ran = [n for n in self._lines(0, after) if node and _is_in(node, self.events[n].line)]
                if node is None or not ran or ran[-1] > at or not self._is_other(node, ran[-1], at):
                    continue
                return [self._told("cached", at, name=name, cache=cache)]
        return []

    def _is_other(self, function: ast.FunctionDef, then: int, now: int) -> bool:
        """Tell whether something that a function does not take as a parameter differs between two moments."""
        own = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
        before, known = self._known[self._after.get(then, then)], self._known[now]
        free = {name for part in function.body for name in _loaded(part)} - own
        return then < self._begun or any(before.get(name, "") != known.get(name, "") for name in free)

    def _own_names(self) -> list[Told]:
        """Tell of a value that a function gave a variable of its own, where one outside has its name."""
        for inner, name in _hiding(self._tree):
            given = [
                at
                for at in self._lines(self._begun, len(self.events))
                if _is_in(inner, self.events[at].line) and name in self._assigned(at) and at in self._after
            ]
            for at in given[-1:]:
                value = self._known[self._after[at]].get(name)
                for n in self._lines(at, len(self.events)):
                    kept = self._known[n].get(name)
                    is_read = not _is_in(inner, self.events[n].line) and name in {
                        each for part in parts_of(self._statement(n)) for each in reads(part)
                    }
                    if is_read and None not in (value, kept) and kept != value:
                        values = {"name": name, "value": str(value), "kept": str(kept), "inner": inner.name}
                        return [self._told("own_name", at, **values)]
        return []

    def _late(self) -> list[Told]:
        """Tell of the first lambda that read a variable of another turn than that in which it was made."""
        lambdas = (each for each in ast.walk(self._tree) if isinstance(each, ast.Lambda))
        for made in (each for each in lambdas if each.lineno in self._loops):
            if told := self._read_late(self._statements.get(made.lineno), made):
                return told
        return []

    def _read_late(self, statement: ast.AST | None, made: ast.Lambda) -> list[Told]:
        """Tell what a lambda read the first time that it ran after it had been made several times."""
        lines = [at for at in self._lines(self._begun, len(self.events)) if self._statement(at) is statement]
        within = {n for at in lines for n in range(at, self._after.get(at, at))}
        ran = [
            *(at for at in range(self._begun, len(self.events)) if self._expression(at) is made.body),
            len(self.events),
        ]
        begun = [at for at in lines if at < ran[0]]
        ran = [at for at in ran[:-1] if not any(begun[-1:] < [line] < [at] for line in lines)]
        for name in dict.fromkeys(reads(made)) if not within & {*ran} else ():
            texts = dict.fromkeys(self._known[at].get(name, "") for at in begun)
            now = {self.events[at].values.get(name, "") for at in ran}
            if len(texts) > 1 and len(now) == 1 and "" not in now | {*texts}:
                values = {"name": name, "made": ", ".join(texts), "now": str(*now)}
                return [self._told("late", begun[0], **values)._replace(shown={}, at=ran[0])]
        return []

    def _unkept(self) -> list[Told]:
        """Tell of the first line that did nothing with what it worked out, or was given."""
        for at in self._lines(self._begun, len(self.events)):
            statement, after = self._statement(at), self._after.get(at)
            if not isinstance(statement, ast.Expr) or after is None or self.events[after].kind == "raise":
                continue
            within = [self.events[n] for n in range(at + 1, after)]
            gave = [each for each in within if each.kind == "return" and each.call != self.events[at].call]
            match statement.value:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if gave:
                    value, known = gave[-1].text, self._known[after].values()
                    is_own = any(not is_lazy(each) for each in self._functions.get(name, ()))
                    if is_own and value != "None" and value not in known:
                        return [self._told("unkept", at, name=name, value=value)]
                case value if not gave and self._is_idle(value, at):
                    return [self._told("idle", at, what=self._text(value))]
        return []

    def _is_idle(self, value: ast.expr, at: int) -> bool:
        """Tell whether an expression by itself, in which no line of the code ran, changes nothing."""
        match value:
            case ast.Call(func=ast.Name(id=name), args=[held, *_]) if name in _NEW:
                return name not in self._functions and self._is_collection(held, at)
            case ast.Call(func=ast.Attribute(value=held, attr=name)) if name in _ASKS:
                return self._is_collection(held, at)
        return isinstance(value, _IDLE) and not any(isinstance(each, _ACTS) for each in ast.walk(value))

    def _is_collection(self, node: ast.expr, at: int) -> bool:
        is_held = isinstance(node, ast.Name | ast.Attribute)
        return is_held and self._known[at].get(ast.unparse(node), "")[:1] in ("[", "(", "{", "'")


def _is_in_order(moves: Sequence[str]) -> bool:
    """Tell whether moves are in the order North, East, South, West; so is what is not all moves."""
    places = [[*MOVES_BY_NAME].index(each) for each in moves if each in MOVES_BY_NAME]
    return len(places) < len(moves) or places == sorted(places)


def _gone(old: SeenObject, new: SeenObject) -> str:
    """Return what one text of a collection has and the next one, which is shorter, has not."""
    if "…" in old.text + new.text:
        return ""
    before, now = Counter(elements(old.text)), Counter(elements(new.text))
    return ", ".join((before - now).elements()) if not now - before else ""


def _always_leaves(body: Sequence[ast.stmt]) -> bool:
    """Tell whether no turn of a loop comes to its end."""
    return any(
        isinstance(each, _LEAVES)
        or (isinstance(each, ast.If) and _always_leaves(each.body) and _always_leaves(each.orelse))
        for each in body
    ) and not any(isinstance(each, ast.Continue) for part in body for each in ast.walk(part))


def _is_in(node: ast.FunctionDef, line: int) -> bool:
    return node.body[0].lineno <= line <= (node.end_lineno or 0)


def _cache_of(decorator: ast.expr) -> str:
    """Return the name of a decorator that keeps answers; empty for any other."""
    name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
    return name if name.rpartition(".")[2] in _CACHES else ""


def _called_in(statement: ast.stmt | ast.match_case | None) -> Iterator[str]:
    """Yield the names of what a statement calls in any case."""
    for node in (node for part in parts_of(statement) for node in used_in(part)):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                yield name


def _loaded(node: ast.AST) -> Iterator[str]:
    """Yield the variables, and attributes of variables, that something reads, however deep."""
    for each in ast.walk(node):
        match each:
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Load()):
                yield f"{name}.{attr}"
            case ast.Name(id=name, ctx=ast.Load()):
                yield name


def _hiding(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Yield functions with the variables that they only write, though one outside has the same name.

    That one is written once outside of the function.
    """
    for outer in ast.walk(tree):
        if not isinstance(outer, ast.FunctionDef | ast.Module):
            continue
        given = Counter(name for each in _own_statements(outer) for name in _assigned_by(each))
        if 1 not in given.values():
            continue
        for inner in (
            each for each in ast.walk(outer) if isinstance(each, ast.FunctionDef) and each is not outer
        ):
            nodes = [*ast.walk(inner)]
            passed = {each.arg for each in nodes if isinstance(each, ast.arg)}
            shared = {n for each in nodes if isinstance(each, ast.Global | ast.Nonlocal) for n in each.names}
            read = {
                each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
            }
            for each in _own_statements(inner):
                for name in _assigned_by(each) - passed - shared - read:
                    if given[name] == 1:
                        yield inner, name


def _assigned_by(statement: ast.stmt) -> set[str]:
    return {*set_by(statement)} if isinstance(statement, ast.Assign | ast.AnnAssign) else set()


def _own_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements of a function or a file, without those of functions and classes in it."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.stmt) and not isinstance(each, ast.FunctionDef | ast.ClassDef):
            yield each
            yield from _own_statements(each)
        elif isinstance(each, ast.ExceptHandler | ast.match_case):
            yield from _own_statements(each)
