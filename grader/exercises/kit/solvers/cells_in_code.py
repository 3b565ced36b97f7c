"""The cells that the code of a solver knows, takes and finds, read off its text."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from grader.exercises.kit.code_patterns import FUNCTIONS, assigned, called_in, name_of, taken_from

_EMPTY = {"set", "dict", "list", "defaultdict", "deque"}
PUTS = {"add", "append", "setdefault", "appendleft", "insert"}


@dataclass
class CellCollection:
    """What is done with a variable that holds cells."""

    begins: list[ast.expr] = field(default_factory=list)
    puts: list[ast.expr] = field(default_factory=list)
    """The cells that are put in, one by one."""
    asks: list[ast.expr] = field(default_factory=list)
    """What it is asked about with ``in``."""
    is_known: bool = True
    """Nothing else is done that could put cells in."""

    @property
    def put(self) -> set[str]:
        """The texts of what is put in."""
        return set(map(ast.unparse, self.puts))

    @property
    def asked(self) -> set[str]:
        """The texts of what it is asked about."""
        return set(map(ast.unparse, self.asks))


def collections_in(code: ast.AST, readers: Collection[str] = ()) -> dict[str, CellCollection]:
    """Return the variables that are given a collection somewhere, by their names, such as ``self.seen``.

    ``readers`` are functions that put nothing into what they are handed.
    """
    found: dict[str, CellCollection] = {}
    for target, value in (given for node in ast.walk(code) for given in assigned(node)):
        if _is_collection(value):
            found.setdefault(ast.unparse(target), CellCollection()).begins.append(value)
    for node in ast.walk(code):
        if (put := put_in(node)) is not None and put[0] in found:
            found[put[0]].puts.append(put[1])
        if (ask := asked_in(node)) is not None and ask[0] in found:
            found[ask[0]].asks.append(ask[1])
        for name in found.keys() & unclear_in(node, readers):
            found[name].is_known = False
    return found


def functions_in(code: ast.AST) -> Iterator[ast.AST]:
    """Yield the functions, each with those that stand within it."""
    for node in ast.iter_child_nodes(code):
        if isinstance(node, FUNCTIONS):
            yield node
        else:
            yield from functions_in(node)


def put_in(node: ast.AST) -> tuple[str, ast.expr] | None:
    """Return a collection and the cell that is put in."""
    match node:
        case ast.Call(func=ast.Attribute(value=holder, attr="setdefault"), args=[put, *_]):
            return ast.unparse(holder), put
        case ast.Call(func=ast.Attribute(value=holder, attr=name), args=[*_, put]) if name in PUTS:
            return ast.unparse(holder), put
        case ast.Subscript(value=holder, slice=put, ctx=ast.Store()):
            return ast.unparse(holder), put
    return None


def asked_in(node: ast.AST) -> tuple[str, ast.expr] | None:
    """Return a collection and what it is asked about."""
    match node:
        case ast.Compare(left=asked, ops=[ast.In() | ast.NotIn()], comparators=[holder]):
            return ast.unparse(holder), asked
    return None


def unclear_in(node: ast.AST, readers: Collection[str] = ()) -> set[str]:
    """Return the collections into which something else may be put here."""
    match node:
        case ast.Call(func=ast.Attribute(value=holder, attr="update" | "extend")):
            return {ast.unparse(holder)}
        case ast.Call(func=called, args=args) if (
            name_of(called) not in {"len", *readers} and put_in(node) is None
        ):
            return set(map(ast.unparse, args))
        case ast.AugAssign(target=holder):
            return {ast.unparse(holder)}
        case ast.Assign(targets=[holder], value=value) if not _is_collection(value):
            return {ast.unparse(holder)}
    return set()


def _is_collection(value: ast.AST) -> bool:
    return is_empty(value) or isinstance(value, (ast.Set, ast.List, ast.Dict, ast.SetComp))


def is_empty(value: ast.AST) -> bool:
    """Tell whether a collection begins with nothing in it."""
    match value:
        case ast.Call(func=func, args=args):
            return name_of(func) in _EMPTY and (not args or name_of(func) == "defaultdict")
        case ast.List(elts=elements) | ast.Set(elts=elements):
            return not elements
        case ast.Dict(keys=keys):
            return not keys
    return False


def goes_on(loop: ast.For) -> bool:
    """Tell whether a loop goes on from its cells to others."""
    return bool({"valid_moves_at", "is_clear", "is_wall", "is_valid_at"} & {*called_in(loop)})


def taken_in(code: ast.AST) -> set[str]:
    """Return the variables with cells that were taken from what waits, or that a recursion is called with."""
    found: set[str] = set()
    for node in ast.walk(code):
        match node:
            case ast.Assign(targets=targets, value=value) if [*taken_from(value)]:
                found |= {name for target in targets for name in _names(target)}
            case ast.For(target=target, iter=over) if goes_on(node) and not _are_moves(over):
                found |= {*_names(target)}
            case ast.FunctionDef(name=name, args=arguments) if name in {*called_in(node)}:
                found |= {argument.arg for argument in arguments.args}
    return found


def _are_moves(over: ast.expr) -> bool:
    """Tell whether a loop goes over moves, not over cells."""
    return bool({"moves_at", "valid_moves_at"} & {*called_in(over)}) or "MOVES" in ast.unparse(over)


def _names(target: ast.AST) -> Iterator[str]:
    yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def ends_in(code: ast.AST) -> set[str]:
    """Return what stands for a cell next to another one: ``cell + move``, and the variables with such."""
    sums = [node for node in ast.walk(code) if isinstance(node, ast.BinOp) and _is_sum(node)]
    found = {ast.unparse(each) for each in sums if not isinstance(each.left, ast.Attribute)}
    for node in ast.walk(code):
        for target, value in assigned(node):
            parts = value.elts if isinstance(value, ast.Tuple) else [value]
            args = value.args if isinstance(value, ast.Call) and name_of(value.func) == "Vector" else parts
            if isinstance(target, ast.Name) and any(map(_is_sum, args)):
                found.add(target.id)
    return found


def _is_sum(value: ast.AST) -> bool:
    """Tell whether two things are added, of which none is worked out or a number."""
    match value:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return not any(isinstance(side, (ast.Constant, ast.BinOp)) for side in (left, right))
    return False


def entries_in(code: ast.AST) -> set[str]:
    """Return what stands for the entry."""
    return {"maze.entry", *aliases_of(code, "entry")}


def aliases_of(code: ast.AST, attribute: str) -> Iterator[str]:
    """Yield the variables that hold the entry, or the exit."""
    for node in ast.walk(code):
        for target, value in assigned(node):
            if isinstance(value, ast.Attribute) and value.attr == attribute:
                yield ast.unparse(target)
