"""What the code of a submission does, as far as it can be read off the text: nothing of it is run.

A misconception says something of the code. What was seen of its answers may come from code of quite another
kind; so each sentence about a comparison, a collection or a way of going on is said only where the code has
such a thing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from lab.exercises import BY_ID

Reads = Callable[[ast.Module], bool]
"""Tells whether code has what a sentence speaks of."""

_TAKES = {"first_pending", "last_pending", "closest_pending", "pop", "popleft", "popitem", "get_nowait"}
_PUTS = {"append", "appendleft", "heappush", "put", "add", "push"}
_NO_CELLS = {"position_count", "row_count", "column_count", "row", "column", "entry", "exit"}
"""Numbers, and the two cells that play no part in going on."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def code_of(sources: Mapping[str, ast.Module | None], file: str) -> ast.Module | None:
    """Return the code of an exercise: its file with the submission's own helpers; None where it cannot be
    read."""
    own = sources.get(file)
    if own is None:
        return None
    handed_out = {exercise.file for exercise in BY_ID.values()}
    helpers = (tree for path, tree in sources.items() if path not in handed_out and tree is not None)
    return ast.Module([*own.body, *(statement for tree in helpers for statement in tree.body)], [])


def prints(code: ast.AST) -> bool:
    """Tell whether it prints anything."""
    return "print" in set(called_in(code))


def looks_at_the_exit(code: ast.AST) -> bool:
    """Tell whether it asks where the exit is, rather than of one cell whether it is the exit."""
    return any(isinstance(node, ast.Attribute) and node.attr == "exit" for node in ast.walk(code))


def asks_of_the_exit(code: ast.AST) -> bool:
    """Tell whether the exit plays any part in it."""
    return looks_at_the_exit(code) or bool({"is_exit", "has_exit", "solve"} & set(called_in(code)))


def asks_of_entry_or_exit(code: ast.AST) -> bool:
    """Tell whether the exit plays a part in it, or the entry is more than where a search begins."""
    entries = [
        node
        for node in ast.walk(code)
        if isinstance(node, ast.Compare)
        and any(isinstance(side, ast.Attribute) and side.attr == "entry" for side in ast.walk(node))
    ]
    return asks_of_the_exit(code) or bool(entries)


def compares_cells(code: ast.AST) -> bool:
    """Tell whether it asks of two things that are no numbers whether they are the same."""
    return any(
        isinstance(operator, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)) and not any(map(_is_no_cell, sides))
        for node in ast.walk(code)
        if isinstance(node, ast.Compare)
        for operator, *sides in zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False)
    )


def takes_from_one(code: ast.AST) -> bool:
    """Tell whether its cells wait in one collection, from which they are taken: in no recursion, and not in
    two of them."""
    return len(set(taken_from(code))) == 1 and not is_recursive(code)


def searches_from_both_ends(code: ast.AST) -> bool:
    """Tell whether its cells wait in two collections, and the exit is put into one from the start."""
    collections = (
        node for node in ast.walk(code) if isinstance(node, (ast.List, ast.Set, ast.Dict, ast.Tuple))
    )
    begins = any(
        isinstance(part, ast.Attribute) and part.attr == "exit"
        for node in collections
        for part in ast.walk(node)
    )
    return begins and len(set(taken_from(code))) > 1


def starts_over(code: ast.AST) -> bool:
    """Tell whether a loop calls, again and again, a function that calls itself with a count that changes by
    one."""
    functions = [node for node in ast.walk(code) if isinstance(node, FUNCTIONS)]
    counting = {function.name for function in functions if _counts_down(function)}
    loops = [node for node in ast.walk(code) if isinstance(node, (ast.For, ast.While))]
    outside = [
        loop
        for loop in loops
        if not any(_holds(function, loop) for function in functions if function.name in counting)
    ]
    return any(counting & set(called_in(loop)) for loop in outside)


def tries_until_perfect(code: ast.AST) -> bool:
    """Tell whether a loop makes maze after maze, and asks of each whether it is perfect."""
    loops = (set(called_in(node)) for node in ast.walk(code) if isinstance(node, ast.While))
    return any(
        "is_perfect" in called and called & {"fully_disconnected", "fully_connected"} for called in loops
    )


def shares_one_list(code: ast.AST) -> bool:
    """Tell whether a loop adds to a list, and puts that same list among what waits, for cell after cell."""
    loops = (node for node in ast.walk(code) if isinstance(node, ast.For))
    return any((_added_to(loop) & _put_aside(loop)) - _made_in(loop) for loop in loops)


def is_recursive(code: ast.AST) -> bool:
    """Tell whether one of its functions calls itself."""
    functions = (node for node in ast.walk(code) if isinstance(node, FUNCTIONS))
    return any(function.name in set(called_in(function)) for function in functions)


def searches(code: ast.AST) -> bool:
    """Tell whether it goes on from cell to cell, or from root to root: by recursion, or by a loop that ends
    when something is found."""
    return is_recursive(code) or any(isinstance(node, ast.While) for node in ast.walk(code))


def looks_at_each_cell_alone(code: ast.AST) -> bool:
    """Tell whether it goes through the cells in a loop, and collects none of them: so it cannot go from one
    to the next, nor leaves that to a solver."""
    goes_on = {*called_in(code)} & {"solve", "add", "append", "update", "union", "extend", "is_perfect"}
    notes = any(
        isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) for node in ast.walk(code)
    )
    return not searches(code) and not goes_on and not notes


def drops_its_own_answer(code: ast.AST) -> bool:
    """Tell whether a function that says False in one place, and something else in another, calls itself and
    does nothing with what that call says, nor notes elsewhere what it finds."""
    functions = (node for node in ast.walk(code) if isinstance(node, FUNCTIONS))
    return any(
        _says_no(function) and _calls_itself_for_nothing(function) and not _notes_elsewhere(function)
        for function in functions
    )


def calls_within(code: ast.AST, function: str, called: str) -> bool:
    """Tell whether the function of this name calls another one."""
    found = (node for node in ast.walk(code) if isinstance(node, FUNCTIONS) and node.name == function)
    return any(called in set(called_in(node)) for node in found)


def either(one: Reads, other: Reads) -> Reads:
    """Return a test for code that has one or the other."""
    return lambda code: one(code) or other(code)


def without(reads: Reads) -> Reads:
    """Return a test for code that does not have it."""
    return lambda code: not reads(code)


def called_in(code: ast.AST) -> Iterator[str]:
    """Yield the names of what is called, of methods the last part."""
    for node in ast.walk(code):
        if isinstance(node, ast.Call):
            yield name_of(node.func)


def assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what is assigned, and to what, also where several are at once."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            yield from zip(targets, values, strict=False)
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value


def name_of(node: ast.AST) -> str:
    """Return a name, or the last part of one with dots; empty for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_no_cell(side: ast.AST) -> bool:
    match side:
        case ast.Constant() | ast.Compare() | ast.BoolOp() | ast.UnaryOp():
            return True
        case ast.Call(func=called):
            return name_of(called) in {"len", "sum", "int", "bool", "max", "min", "abs"}
        case ast.Attribute(attr=name):
            return name in _NO_CELLS
        case ast.BinOp(op=operator, left=left, right=right):
            return not isinstance(operator, ast.Add) or _is_no_cell(left) or _is_no_cell(right)
    return False


def _added_to(loop: ast.AST) -> set[str]:
    """Return the lists to which something is added."""
    calls = (node for node in ast.walk(loop) if isinstance(node, ast.Call))
    return {
        call.func.value.id
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in ("append", "extend", "insert")
        and isinstance(call.func.value, ast.Name)
    }


def _put_aside(loop: ast.AST) -> set[str]:
    """Return the variables that become part of what waits, or of what is kept for a cell."""
    calls = (node for node in ast.walk(loop) if isinstance(node, ast.Call))
    put = [each for call in calls if name_of(call.func) in _PUTS for each in call.args]
    parts = [part for each in put if isinstance(each, (ast.Tuple, ast.List)) for part in each.elts]
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _made_in(loop: ast.AST) -> set[str]:
    """Return the variables that get something new; another name of the same is nothing new."""
    given = (pair for node in ast.walk(loop) for pair in assigned(node))
    return {
        target.id
        for target, value in given
        if isinstance(target, ast.Name) and not isinstance(value, (ast.Name, ast.Attribute))
    }


def _counts_down(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
    own = (call for call in calls if name_of(call.func) == function.name)
    return any(
        _is_a_step(value) for call in own for value in (*call.args, *(each.value for each in call.keywords))
    )


def _says_no(function: ast.AST) -> bool:
    given = [each.value for each in within(function) if isinstance(each, ast.Return) and each.value]
    noes = [each for each in given if isinstance(each, ast.Constant) and each.value is False]
    return 0 < len(noes) < len(given)


def _calls_itself_for_nothing(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    calls = (each.value for each in within(function) if isinstance(each, ast.Expr))
    return any(isinstance(call, ast.Call) and name_of(call.func) == function.name for call in calls)


def _notes_elsewhere(function: ast.AST) -> bool:
    """Tell whether a function changes what outlives its call, and is no table of cells: an attribute, a
    variable from outside, or a fixed place of a list."""
    for node in within(function):
        match node:
            case ast.Nonlocal() | ast.Global() | ast.Attribute(ctx=ast.Store()):
                return True
            case ast.Subscript(slice=ast.Constant(), ctx=ast.Store()):
                return True
    return False


def _is_a_step(value: ast.AST) -> bool:
    return isinstance(value, ast.BinOp) and isinstance(value.right, ast.Constant) and value.right.value == 1


def _holds(outer: ast.AST, inner: ast.AST) -> bool:
    return any(node is inner for node in ast.walk(outer))


def taken_from(code: ast.AST) -> Iterator[str]:
    """Yield what its cells are taken from, such as ``queue``."""
    for node in ast.walk(code):
        match node:
            case ast.Call(func=ast.Name(id="heappop"), args=[heap, *_]):
                yield ast.unparse(heap)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="heapq"), attr="heappop"), args=[heap, *_]):
                yield ast.unparse(heap)
            case ast.Call(func=ast.Attribute(value=holder, attr=name), args=given) if name in _TAKES or (
                name == "get" and not given
            ):
                yield ast.unparse(holder)


def within(function: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in a function, and in no other function within it."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, FUNCTIONS):
            yield child
            yield from within(child)
