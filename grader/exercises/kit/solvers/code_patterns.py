"""What the code of a solver does with the cells that it knows, and with those that wait, read off its text.

Each says what is so in the code, not that it is wrong: a model asks for it beside what was seen.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from grader.exercises.kit.code_patterns import (
    FUNCTIONS,
    assigned,
    called_in,
    is_recursive,
    name_of,
    taken_from,
)
from grader.exercises.kit.solvers.cells_in_code import (
    PUTS,
    CellCollection,
    aliases_of,
    collections_in,
    ends_in,
    entries_in,
    functions_in,
    goes_on,
    is_empty,
    put_in,
    taken_in,
    unclear_in,
)

_INFINITE = {"float('inf')", "float('infinity')", "math.inf", "np.inf", "sys.maxsize"}


def keeps_pending_in_a_set(code: ast.AST) -> bool:
    """Tell whether the cells that wait are taken from a set, or a loop goes through a set of them."""
    sets = {name for name, each in collections_in(code).items() if any(map(_is_set, each.begins))}
    if not sets:
        return False
    popped = {taken for taken in taken_from(code) if taken in sets}
    loops = (node for node in ast.walk(code) if isinstance(node, ast.For))
    gone_through = {ast.unparse(loop.iter) for loop in loops if goes_on(loop)}
    return bool(popped | (gone_through & sets))


def forgets_the_entry(code: ast.AST) -> bool:
    """Tell whether a collection of visited cells begins empty, and gets only cells that are next to others:
    so the cell where all begins is new when it is met again."""
    readers = {*_readers(code)}
    return not _compares_with_entry(code) and any(
        _forgets_where_it_begins(function, readers) for function in functions_in(code)
    )


def _readers(code: ast.AST) -> Iterator[str]:
    """Yield the names of the functions that put nothing into what they are handed."""
    for node in ast.walk(code):
        if isinstance(node, FUNCTIONS):
            handed = {argument.arg for argument in node.args.args}
            changed = {put[0] for each in ast.walk(node) if (put := put_in(each)) is not None}
            changed |= {name for each in ast.walk(node) for name in unclear_in(each)}
            if not handed & changed:
                yield node.name


def _forgets_where_it_begins(function: ast.AST, readers: Collection[str]) -> bool:
    taken, entries, ends = taken_in(function), entries_in(function), ends_in(function)
    collections = collections_in(function, readers)
    waiting = {*taken_from(function)}
    if any(_holds_entry(each, taken | entries) for name, each in collections.items() if name not in waiting):
        return False
    for each in collections.values():
        begins_empty = each.is_known and bool(each.begins) and all(map(is_empty, each.begins))
        only_ends = each.put <= ends - taken - entries
        if begins_empty and (each.asked - taken) & ends and each.put and only_ends:
            return True
    return False


def _holds_entry(each: CellCollection, entries: Collection[str]) -> bool:
    """Tell whether the entry, or each cell that is taken, is put into a collection."""
    begun = {
        ast.unparse(part) for value in each.begins for part in ast.walk(value) if isinstance(part, ast.expr)
    }
    return bool((each.put | begun) & set(entries))


def marks_when_taken(code: ast.AST) -> bool:
    """Tell whether a cell is marked when it is taken, and asked about only when it is found: till then it may
    be put in again and again."""
    return not is_recursive(code) and any(map(_marks_when_taken, functions_in(code)))


def _marks_when_taken(function: ast.AST) -> bool:
    taken, ends = taken_in(function), ends_in(function)
    known = collections_in(function).values()
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
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr not in PUTS:
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
    return any(map(_loops_over_nothing, functions_in(code)))


def _loops_over_nothing(function: ast.AST) -> bool:
    for name, each in collections_in(function).items():
        loops = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.While) and ast.unparse(node.test) in (name, f"len({name}) > 0")
        ]
        if loops and all(map(is_empty, each.begins)):
            start = min(loop.lineno for loop in loops)
            puts = [
                node for node in ast.walk(function) if _put_into(node) == name or name in unclear_in(node)
            ]
            if not any(getattr(node, "lineno", 0) < start for node in puts):
                return True
    return False


def _put_into(node: ast.AST) -> str:
    put = put_in(node)
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


def puts_equals_in_again(code: ast.AST) -> bool:
    """Tell whether a cell that is known is put in once more for a way that is just as long, and none is
    passed over when it is taken a second time."""
    conditions = [node for node in ast.walk(code) if isinstance(node, ast.If)]
    if any(isinstance(each, ast.Continue) for node in conditions for each in node.body):
        return False
    return any(_allows_equals(node.test) and _puts_in(node) for node in conditions)


def _allows_equals(test: ast.AST) -> bool:
    compared = (each for each in ast.walk(test) if isinstance(each, ast.Compare))
    return any(isinstance(operator, (ast.LtE, ast.GtE)) for each in compared for operator in each.ops)


def _puts_in(condition: ast.If) -> bool:
    called = {name for statement in condition.body for name in called_in(statement)}
    return bool(called & {*PUTS, "heappush", "put"})


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
    inside = set(map(id, over_cells))
    around = [
        loop for loop in loops if any(id(node) in inside and node is not loop for node in ast.walk(loop))
    ]
    return bool(over_cells) and not around and not [*taken_from(code)]


def follows_a_wall(code: ast.AST) -> bool:
    """Tell whether it turns left and right, counting the directions round and round, and remembers nothing of
    where it has been."""
    turns = any(
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_four(node.right)
        for node in ast.walk(code)
    )
    asks = any(each.asks for each in collections_in(code).values())
    goes_on = any(isinstance(node, ast.Assign) and [*taken_from(node.value)] for node in ast.walk(code))
    return turns and not asks and not is_recursive(code) and not goes_on


def measures_to_the_exit(code: ast.AST) -> bool:
    """Tell whether it works out how far the exit is from a cell, by rows and columns."""
    exits = {"maze.exit", *aliases_of(code, "exit")}
    for node in ast.walk(code):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            for part in ast.walk(node):
                if isinstance(part, (ast.Attribute, ast.Subscript)) and ast.unparse(part.value) in exits:
                    return True
    return False


def _is_set(value: ast.AST) -> bool:
    return isinstance(value, (ast.Set, ast.SetComp)) or (
        isinstance(value, ast.Call) and name_of(value.func) == "set"
    )


def _is_four(value: ast.AST) -> bool:
    match value:
        case ast.Constant(value=4):
            return True
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()]):
            return True
    return False


def _compares_with_entry(code: ast.AST) -> bool:
    """Tell whether a cell next to another one is compared with the entry."""
    entries, ends = entries_in(code), ends_in(code)
    for node in ast.walk(code):
        if isinstance(node, ast.Compare):
            sides = {ast.unparse(side) for side in (node.left, *node.comparators)}
            if sides & entries and sides & ends:
                return True
    return False
