"""The shape of a program: what is computed from what, and on which conditions.

Names of variables, order, comments and the division into functions do not matter; names of the lab and of
Python do. A shape is a set of pairs: an operation, and one that its operands depend on, directly or
indirectly. Variables stand for whatever is assigned to them anywhere, parameters for whatever is passed,
calls of a program's own functions for whatever these return. So lines that are moved, renamed, split, put
into helpers or padded with others leave the shape of the rest unchanged.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Shape = frozenset[tuple[str, str]]
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_ALIKE: Final = {
    **dict.fromkeys(("append", "appendleft", "insert", "update", "setdefault"), "add"),
    **dict.fromkeys(("set", "list", "dict", "tuple", "deque", "frozenset"), "collection"),
    **dict.fromkeys(("floor", "trunc"), "int"),
}
"""Names treated as synonyms."""
_COLLECTIONS: Final = (ast.Set, ast.List, ast.Dict, ast.Tuple, ast.SetComp, ast.ListComp, ast.DictComp)
_FEW: Final = 20
"""Where a variable's values are examined one by one, only this many are."""
_LEAVES: Final = (ast.Continue, ast.Break, ast.Return)
_SIGNS: Final = {ast.Add: "+", ast.Mult: "*", ast.FloorDiv: "int"}


@dataclass(frozen=True, slots=True, eq=False)
class _Tests:
    """The tests that decide whether a line is reached: the last one, and those before it."""

    last: ast.expr
    before: _Tests | None


def shape_of(functions: Collection[Function], words: Collection[str] | None = None) -> Shape:
    """Return the shape of a program's functions, using only these words if they are given.

    Nested functions have to be listed as well.
    """
    return _Program(functions).shape(words)


class _Program:
    """Some functions, and what their variables stand for."""

    def __init__(self, functions: Collection[Function]) -> None:
        self._functions: dict[str, list[Function]] = defaultdict(list)
        self._scopes: dict[Function, Function] = {}
        """For each function the outermost one around it, whose variables it shares."""
        self._globals: set[str] = set()
        self._home: dict[ast.AST, Function] = {}
        """The function that contains a node."""
        self._tests: dict[ast.AST, _Tests | None] = {}
        """The tests that decide whether a node in a loop is reached."""
        self._ends: list[ast.expr] = []
        """The tests that end loops."""
        self._values: dict[tuple[Function | None, str], list[ast.expr]] = defaultdict(list)
        self._asked: dict[_Tests | None, frozenset[str]] = {None: frozenset()}
        self._returned: dict[Function, list[ast.expr]] = defaultdict(list)
        for function in functions:
            self._functions[getattr(function, "name", "")].append(function)
            for node in ast.walk(function):
                if isinstance(node, Function):
                    self._scopes.setdefault(node, self._scopes.get(function, function))
                elif isinstance(node, ast.Global):
                    self._globals.update(node.names)
        for function in functions:
            self._place(function, _body(function), None)
        for node in self._home:
            self._bind(node)

    def shape(self, words: Collection[str] | None) -> Shape:
        """Return the pairs of the program."""
        masks = self._masks(words)
        pairs = {pair for node in self._home for pair in self._pairs(node, masks)}
        return frozenset(pairs | {("while", word) for test in self._ends for word in masks.get(test, ())})

    # --- the program ------------------------------------------------------------------------------

    def _place(self, function: Function, body: Sequence[ast.AST], tests: _Tests | None) -> None:
        """Record for each node in a block its function, and its conditions."""
        for node in body:
            for part in ast.walk(node) if isinstance(node, ast.expr) else (node,):
                self._home[part], self._tests[part] = function, tests
            if isinstance(node, ast.If):
                tests = self._place_if(function, node, tests)
            elif isinstance(node, ast.While):
                self._ends.append(node.test)
                self._place(function, [node.test, *node.body, *node.orelse], None)
            elif not isinstance(node, ast.expr | Function | ast.ClassDef):
                for block in _blocks(node):
                    self._place(function, block, tests)

    def _place_if(self, function: Function, node: ast.If, tests: _Tests | None) -> _Tests | None:
        """Record the conditions of an if's parts; return those of what follows.

        They include its own test if its body ends by leaving.
        """
        self._place(function, [node.test], tests)
        both = _Tests(node.test, tests)
        self._place(function, [*node.body, *node.orelse], both)
        if isinstance(node.body[-1], ast.Break):
            self._ends.append(node.test)
        return both if isinstance(node.body[-1], _LEAVES) else tests

    def _bind(self, node: ast.AST) -> None:
        """Record what a node assigns, passes or returns."""
        home = self._home[node]
        if isinstance(node, ast.Return) and node.value is not None:
            self._returned[home].append(node.value)
        elif isinstance(node, ast.Call):
            for function in self._functions.get(_name(node.func), ()):
                for name, value in _passed(function, node):
                    self._values[self._scopes[function], name].append(value)
        for target, value in _assigned(node):
            if isinstance(target, ast.Name):
                self._values[self._scope(node, target.id), target.id].append(value)
            elif isinstance(target, ast.Attribute):
                self._values[None, target.attr].append(value)

    def _scope(self, node: ast.AST, name: str) -> Function | None:
        return None if name in self._globals else self._scopes[self._home[node]]

    def _meant(self, node: ast.AST) -> list[ast.expr]:
        """Return the expressions that a variable or a call of an own function stands for."""
        if isinstance(node, ast.Name):
            return self._values.get((self._scope(node, node.id), node.id), [])
        if isinstance(node, ast.Attribute):
            return self._values.get((None, node.attr), [])
        if isinstance(node, ast.Call):
            own = self._functions.get(_name(node.func), ())
            return [value for function in own for value in self._gives(function)]
        return []

    def _stands_for(self, node: ast.expr) -> Sequence[object]:
        """Return the variable or the functions behind a node, whose values ``_meant`` returns."""
        if isinstance(node, ast.Name):
            return [(self._scope(node, node.id), node.id)]
        if isinstance(node, ast.Attribute):
            return [(None, node.attr)]
        return self._functions.get(_name(node.func), []) if isinstance(node, ast.Call) else []

    def _gives(self, function: Function) -> list[ast.expr]:
        return [function.body] if isinstance(function, ast.Lambda) else self._returned.get(function, [])

    # --- its shape ----------------------------------------------------------------------------------

    def _word(self, node: ast.AST) -> str:
        """Return the word for a node's operation; empty if it has no part in a shape."""
        if isinstance(node, ast.Call):
            name = _name(node.func)
            if isinstance(node.func, ast.Name):  # perhaps another name for a method
                name = next((_name(value) for value in self._meant(node.func)), name)
            return _ALIKE.get(name, name)
        if isinstance(node, ast.BinOp):
            return _SIGNS.get(type(node.op), "")
        if isinstance(node, ast.Compare):
            return "in" if isinstance(node.ops[0], ast.In | ast.NotIn) else "compare"
        if isinstance(node, ast.Subscript):
            return "[]"
        if isinstance(node, ast.Attribute):
            return node.attr
        return "collection" if isinstance(node, _COLLECTIONS) else ""

    def _masks(self, words: Collection[str] | None) -> Mapping[object, frozenset[str]]:
        """Return, for each expression, the words of all that it depends on, and its own."""
        users, masks = self._users(), dict[object, frozenset[str]]()
        own = ((node, self._word(node)) for node in self._home)
        waiting: list[tuple[object, frozenset[str]]] = [
            (node, frozenset({word})) for node, word in own if word and (words is None or word in words)
        ]
        while waiting:
            node, found = waiting.pop()
            before = masks.get(node, frozenset())
            if not found <= before:
                masks[node] = before | found
                waiting += [(user, masks[node]) for user in users[node]]
        return masks

    def _users(self) -> Mapping[object, list[object]]:
        """Return what depends on each expression, through variables and functions, one step per use."""
        users: dict[object, list[object]] = defaultdict(list)
        for node in self._home:
            if isinstance(node, ast.expr):
                for part in (*ast.iter_child_nodes(node), *self._stands_for(node)):
                    users[part].append(node)
        for variable, values in self._values.items():
            for value in values:
                users[value].append(variable)
        for function in self._scopes:
            for value in self._gives(function):
                users[value].append(function)
        return users

    def _pairs(self, node: ast.AST, masks: Mapping[object, frozenset[str]]) -> Iterator[tuple[str, str]]:
        word = self._word(node)
        if word:
            for part, operands in _parts(node, word):
                yield from ((part, other) for operand in operands for other in masks.get(operand, ()))
            if isinstance(node, ast.Call):
                yield from ((f"?{word}", other) for other in self._asks(self._tests[node]))
        if self._moves(node):
            yield ("", "+")

    def _asks(self, tests: _Tests | None) -> frozenset[str]:
        """Return the words of the comparisons in these tests, including those behind variables."""
        new = []
        while tests not in self._asked:
            new.append(tests)
            tests = tests.before if tests else None
        words = self._asked[tests]
        for each in reversed(new):
            parts = ast.walk(each.last) if each else ()
            meant = (value for part in parts for value in (part, *self._meant(part)[:_FEW]))
            words |= {self._word(value) for value in meant if isinstance(value, ast.Compare)}
            self._asked[each] = words
        return words

    def _moves(self, node: ast.AST) -> bool:
        """Return whether a variable is assigned a sum here, whatever is already known."""
        if "in" in self._asks(self._tests[node]):
            return False
        values = [value for _, value in _assigned(node)]
        return any(
            self._word(each) == "+" for value in values for each in (value, *self._meant(value)[:_FEW])
        )


def _body(function: Function) -> Sequence[ast.AST]:
    return [function.body] if isinstance(function, ast.Lambda) else function.body


def _blocks(node: ast.AST) -> Iterator[Sequence[ast.AST]]:
    """Yield the ordered lists of nodes directly below a node."""
    for _, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield [value]
        elif isinstance(value, list):
            yield [each for each in value if isinstance(each, ast.AST)]


def _parts(node: ast.AST, word: str) -> Iterator[tuple[str, Sequence[ast.AST]]]:
    """Yield the operands of a node, keeping a looked-up value and its index apart."""
    if isinstance(node, ast.Subscript):
        yield from (("[", [node.slice]), ("]", [node.value]))
    else:
        yield word, list(ast.iter_child_nodes(node))


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield each target of an assignment with its value."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _unpacked(target, node.value)
    elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
        if node.value is not None:
            yield node.target, node.value
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        yield from _unpacked(node.target, node.iter)


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if not isinstance(target, ast.Tuple | ast.List):
        yield target, value
    elif isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
        for one, other in zip(target.elts, value.elts, strict=True):
            yield from _unpacked(one, other)
    else:
        for each in target.elts:
            yield from _unpacked(each, value)


def _passed(function: Function, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yield the parameters of a function with a call's arguments."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    if isinstance(call.func, ast.Attribute) and names[:1] in (["self"], ["cls"]):
        del names[0]
    yield from zip(names, call.args, strict=False)
    yield from ((keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg)


def _name(node: ast.AST) -> str:
    """Return the last part of the name of what is called."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
