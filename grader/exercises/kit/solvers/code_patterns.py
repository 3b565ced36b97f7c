"""What the code of a solver does with the cells that it knows, and with those that wait, read off its text.

Each says what is so in the code, not that it is wrong: a model asks for it beside what was seen.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from grader.exercises.kit.code_patterns import (
    FUNCTIONS,
    assigned,
    called_in,
    is_recursive,
    name_of,
    taken_from,
)

_EMPTY = {"set", "dict", "list", "defaultdict", "deque"}
_INFINITE = {"float('inf')", "float('infinity')", "math.inf", "np.inf", "sys.maxsize"}
_PUTS = {"add", "append", "setdefault", "appendleft", "insert"}


@dataclass
class _Collection:
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
        return set(map(ast.unparse, self.puts))

    @property
    def asked(self) -> set[str]:
        return set(map(ast.unparse, self.asks))


def keeps_pending_in_a_set(code: ast.AST) -> bool:
    """Tell whether the cells that wait are taken from a set, or a loop goes through a set of them."""
    sets = {name for name, each in _collections(code).items() if any(map(_is_set, each.begins))}
    if not sets:
        return False
    popped = {taken for taken in taken_from(code) if taken in sets}
    loops = (node for node in ast.walk(code) if isinstance(node, ast.For))
    gone_through = {ast.unparse(loop.iter) for loop in loops if _goes_on(loop)}
    return bool(popped | (gone_through & sets))


def forgets_the_entry(code: ast.AST) -> bool:
    """Tell whether a collection of visited cells begins empty, and gets only cells that are next to others:
    so the cell where all begins is new when it is met again."""
    readers = {*_readers(code)}
    return not _compares_with_entry(code) and any(
        _forgets_where_it_begins(function, readers) for function in _functions(code)
    )


def _readers(code: ast.AST) -> Iterator[str]:
    """Yield the names of the functions that put nothing into what they are handed."""
    for node in ast.walk(code):
        if isinstance(node, FUNCTIONS):
            handed = {argument.arg for argument in node.args.args}
            changed = {put[0] for each in ast.walk(node) if (put := _put(each)) is not None}
            changed |= {name for each in ast.walk(node) for name in _unclear(each)}
            if not handed & changed:
                yield node.name


def _forgets_where_it_begins(function: ast.AST, readers: Collection[str]) -> bool:
    taken, entries, ends = _taken(function), _entries(function), _ends(function)
    collections = _collections(function, readers)
    waiting = {*taken_from(function)}
    if any(_holds_entry(each, taken | entries) for name, each in collections.items() if name not in waiting):
        return False
    for each in collections.values():
        begins_empty = each.is_known and bool(each.begins) and all(map(_is_empty, each.begins))
        only_ends = each.put <= ends - taken - entries
        if begins_empty and (each.asked - taken) & ends and each.put and only_ends:
            return True
    return False


def _holds_entry(each: _Collection, entries: Collection[str]) -> bool:
    """Tell whether the entry, or each cell that is taken, is put into a collection."""
    begun = {
        ast.unparse(part) for value in each.begins for part in ast.walk(value) if isinstance(part, ast.expr)
    }
    return bool((each.put | begun) & set(entries))


def marks_when_taken(code: ast.AST) -> bool:
    """Tell whether a cell is marked when it is taken, and asked about only when it is found: till then it may
    be put in again and again."""
    return not is_recursive(code) and any(map(_marks_when_taken, _functions(code)))


def _marks_when_taken(function: ast.AST) -> bool:
    taken, ends = _taken(function), _ends(function)
    known = _collections(function).values()
    return any(each.put and each.put <= taken and each.asked and each.asked <= ends - taken for each in known)


def never_takes_out(code: ast.AST) -> bool:
    """Tell whether a loop goes on while something waits, looks at one of what waits, and takes none out."""
    return any(_is_never_emptied(node) for node in ast.walk(code) if isinstance(node, ast.While))


def _is_never_emptied(loop: ast.While) -> bool:
    tested = {node.id for node in ast.walk(loop.test) if isinstance(node, ast.Name)}
    looked_at: set[str] = set()
    changed: set[str] = set()
    for node in ast.walk(loop):
        match node:
            case ast.Call(func=ast.Name(id="min" | "max" | "sorted"), args=[ast.Name(id=name), *_]):
                looked_at.add(name)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant() | ast.UnaryOp(), ctx=ast.Load()):
                looked_at.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr not in _PUTS:
                changed.add(name)
            case ast.Call(args=args):
                changed |= {each.id for each in args if isinstance(each, ast.Name)}
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                changed.add(name)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                changed.add(name)
    conditions = [node.test for node in ast.walk(loop) if isinstance(node, ast.If)]
    leaves = any(isinstance(node, (ast.In, ast.NotIn)) for test in conditions for node in ast.walk(test))
    return bool((tested & looked_at) - changed) and not leaves


def begins_with_nothing(code: ast.AST) -> bool:
    """Tell whether the cells that wait are taken in a loop before which nothing is put in."""
    called = {*called_in(code)}
    if called & {"has_pending_cells", "first_pending", "last_pending", "closest_pending"}:
        return "mark_as_pending" not in called
    return any(map(_loops_over_nothing, _functions(code)))


def _loops_over_nothing(function: ast.AST) -> bool:
    for name, each in _collections(function).items():
        loops = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.While) and ast.unparse(node.test) in (name, f"len({name}) > 0")
        ]
        if loops and all(map(_is_empty, each.begins)):
            start = min(loop.lineno for loop in loops)
            puts = [node for node in ast.walk(function) if _put_into(node) == name or name in _unclear(node)]
            if not any(getattr(node, "lineno", 0) < start for node in puts):
                return True
    return False


def _put_into(node: ast.AST) -> str:
    put = _put(node)
    return "" if put is None else put[0]


def gives_the_entry_no_distance(code: ast.AST) -> bool:
    """Tell whether all distances begin as infinity, or as a number, and none is set to 0."""
    texts = {ast.unparse(node) for node in ast.walk(code) if isinstance(node, (ast.Call, ast.Attribute))}
    infinite = any(text.replace('"', "'").lower() in _INFINITE for text in texts)
    zeros = any(
        isinstance(value, ast.Constant) and value.value == 0 and isinstance(target, ast.Subscript)
        for node in ast.walk(code)
        for target, value in assigned(node)
    )
    begun = any(
        isinstance(value, ast.Constant) and value.value == 0
        for node in ast.walk(code)
        if isinstance(node, (ast.Dict, ast.IfExp))
        for value in (node.values if isinstance(node, ast.Dict) else (node.body, node.orelse))
    )
    marked = {"mark_as_pending", "setdefault", "update"} & {*called_in(code)}
    return infinite and not zeros and not begun and not marked


def takes_twice_in_a_turn(code: ast.AST) -> bool:
    """Tell whether a loop takes a cell in a condition, without keeping it, and another in the same turn."""
    for loop in (node for node in ast.walk(code) if isinstance(node, ast.While)):
        conditions = [node.test for node in ast.walk(loop) if isinstance(node, ast.If)]
        asked = [taken for test in conditions for taken in taken_from(test) if not _keeps(test)]
        all_taken = [*taken_from(loop)]
        if any(all_taken.count(name) > 1 for name in asked):
            return True
    return False


def _keeps(test: ast.AST) -> bool:
    return any(isinstance(node, ast.NamedExpr) for node in ast.walk(test))


def goes_through_the_cells_once(code: ast.AST) -> bool:
    """Tell whether distances are worked out in one loop over the cells, in the order of rows and columns."""
    if is_recursive(code):
        return False
    loops = [node for node in ast.walk(code) if isinstance(node, (ast.For, ast.While))]
    over_cells = [
        loop
        for loop in loops
        if isinstance(loop, ast.For)
        and "all_positions" in {*called_in(loop.iter)}
        and "valid_moves_at" in {*called_in(loop)}
    ]
    around = [
        loop for loop in loops if any(inner is not loop and inner in ast.walk(loop) for inner in over_cells)
    ]
    return bool(over_cells) and not around and not [*taken_from(code)]


def follows_a_wall(code: ast.AST) -> bool:
    """Tell whether it turns left and right, counting the directions round and round, and remembers nothing of
    where it has been."""
    turns = any(
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_four(node.right)
        for node in ast.walk(code)
    )
    asks = any(each.asks for each in _collections(code).values())
    goes_on = any(isinstance(node, ast.Assign) and [*taken_from(node.value)] for node in ast.walk(code))
    return turns and not asks and not is_recursive(code) and not goes_on


def measures_to_the_exit(code: ast.AST) -> bool:
    """Tell whether it works out how far the exit is from a cell, by rows and columns."""
    exits = {"maze.exit", *_aliases(code, "exit")}
    for node in ast.walk(code):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            for part in ast.walk(node):
                if isinstance(part, (ast.Attribute, ast.Subscript)) and ast.unparse(part.value) in exits:
                    return True
    return False


# --- collections ------------------------------------------------------------------------------------


def _collections(code: ast.AST, readers: Collection[str] = ()) -> dict[str, _Collection]:
    """Return the variables that are given a collection somewhere, by their names, such as ``self.seen``.

    ``readers`` are functions that put nothing into what they are handed.
    """
    found: dict[str, _Collection] = {}
    for target, value in (given for node in ast.walk(code) for given in assigned(node)):
        if _is_collection(value):
            found.setdefault(ast.unparse(target), _Collection()).begins.append(value)
    for node in ast.walk(code):
        if (put := _put(node)) is not None and put[0] in found:
            found[put[0]].puts.append(put[1])
        if (ask := _ask(node)) is not None and ask[0] in found:
            found[ask[0]].asks.append(ask[1])
        for name in found.keys() & _unclear(node, readers):
            found[name].is_known = False
    return found


def _functions(code: ast.AST) -> Iterator[ast.AST]:
    """Yield the functions, each with those that stand within it."""
    for node in ast.iter_child_nodes(code):
        if isinstance(node, FUNCTIONS):
            yield node
        else:
            yield from _functions(node)


def _put(node: ast.AST) -> tuple[str, ast.expr] | None:
    """Return a collection and the cell that is put in."""
    match node:
        case ast.Call(func=ast.Attribute(value=holder, attr="setdefault"), args=[put, *_]):
            return ast.unparse(holder), put
        case ast.Call(func=ast.Attribute(value=holder, attr=name), args=[*_, put]) if name in _PUTS:
            return ast.unparse(holder), put
        case ast.Subscript(value=holder, slice=put, ctx=ast.Store()):
            return ast.unparse(holder), put
    return None


def _ask(node: ast.AST) -> tuple[str, ast.expr] | None:
    """Return a collection and what it is asked about."""
    match node:
        case ast.Compare(left=asked, ops=[ast.In() | ast.NotIn()], comparators=[holder]):
            return ast.unparse(holder), asked
    return None


def _unclear(node: ast.AST, readers: Collection[str] = ()) -> set[str]:
    """Return the collections into which something else may be put here."""
    match node:
        case ast.Call(func=ast.Attribute(value=holder, attr="update" | "extend")):
            return {ast.unparse(holder)}
        case ast.Call(func=called, args=args) if (
            name_of(called) not in {"len", *readers} and _put(node) is None
        ):
            return set(map(ast.unparse, args))
        case ast.AugAssign(target=holder):
            return {ast.unparse(holder)}
        case ast.Assign(targets=[holder], value=value) if not _is_collection(value):
            return {ast.unparse(holder)}
    return set()


def _is_collection(value: ast.AST) -> bool:
    return _is_empty(value) or isinstance(value, (ast.Set, ast.List, ast.Dict, ast.SetComp))


def _is_empty(value: ast.AST) -> bool:
    match value:
        case ast.Call(func=func, args=args):
            return name_of(func) in _EMPTY and (not args or name_of(func) == "defaultdict")
        case ast.List(elts=elements) | ast.Set(elts=elements):
            return not elements
        case ast.Dict(keys=keys):
            return not keys
    return False


def _is_set(value: ast.AST) -> bool:
    return isinstance(value, (ast.Set, ast.SetComp)) or (
        isinstance(value, ast.Call) and name_of(value.func) == "set"
    )


def _goes_on(loop: ast.For) -> bool:
    """Tell whether a loop goes on from its cells to others."""
    return bool({"valid_moves_at", "is_clear", "is_wall", "is_valid_at"} & {*called_in(loop)})


def _is_four(value: ast.AST) -> bool:
    match value:
        case ast.Constant(value=4):
            return True
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()]):
            return True
    return False


# --- cells ------------------------------------------------------------------------------------------


def _taken(code: ast.AST) -> set[str]:
    """Return the variables with cells that were taken from what waits, or that a recursion is called with."""
    found: set[str] = set()
    for node in ast.walk(code):
        match node:
            case ast.Assign(targets=targets, value=value) if [*taken_from(value)]:
                found |= {name for target in targets for name in _names(target)}
            case ast.For(target=target) if _goes_on(node):
                found |= {*_names(target)}
            case ast.FunctionDef(name=name, args=arguments) if name in {*called_in(node)}:
                found |= {argument.arg for argument in arguments.args}
    return found


def _names(target: ast.AST) -> Iterator[str]:
    yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _ends(code: ast.AST) -> set[str]:
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


def _entries(code: ast.AST) -> set[str]:
    return {"maze.entry", *_aliases(code, "entry")}


def _aliases(code: ast.AST, attribute: str) -> Iterator[str]:
    """Yield the variables that hold the entry, or the exit."""
    for node in ast.walk(code):
        for target, value in assigned(node):
            if isinstance(value, ast.Attribute) and value.attr == attribute:
                yield ast.unparse(target)


def _compares_with_entry(code: ast.AST) -> bool:
    """Tell whether a cell next to another one is compared with the entry."""
    entries, ends = _entries(code), _ends(code)
    for node in ast.walk(code):
        if isinstance(node, ast.Compare):
            sides = {ast.unparse(side) for side in (node.left, *node.comparators)}
            if sides & entries and sides & ends:
                return True
    return False
