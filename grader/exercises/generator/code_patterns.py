"""What the code of a generator does with cells that are joined, read off its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from grader.exercises.kit.code_patterns import (
    FUNCTIONS,
    assigned,
    called_in,
    compares_cells,
    is_recursive,
    name_of,
)

_LOOPS = (ast.For, ast.While)
_DRAWS = {"choice", "randrange", "randint", "sample", "random"}


def never_empties_its_run(code: ast.AST) -> bool:
    """Tell whether a loop adds to a list, and draws cells from it, but never begins it anew: a sidewinder
    that draws from cells again that have had their way north."""
    loops = (node for node in ast.walk(code) if isinstance(node, ast.For))
    return any(
        bool((_added_to(loop) & _drawn_from(loop)) - {*_emptied_in(loop)})
        and "break_wall" in {*called_in(loop)}
        for loop in loops
        if not any(isinstance(each, _LOOPS) for each in ast.walk(loop) if each is not loop)
    )


def opens_walls(code: ast.AST) -> bool:
    """Tell whether it begins with all walls, and opens some."""
    called = {*called_in(code)}
    return "break_wall" in called and "fully_connected" not in called


def asks_nothing_of_what_is_joined(code: ast.AST) -> bool:
    """Tell whether walls are opened by luck, and no cell, nor group of cells, is compared or looked up."""
    called = {*called_in(code)}
    asks = any(
        isinstance(operator, (ast.In, ast.NotIn))
        for node in ast.walk(code)
        if isinstance(node, ast.Compare)
        for operator in node.ops
    )
    opens = "break_wall" in called and bool(called & _DRAWS)
    helped = called & {"is_perfect", "solve", "valid_moves_at", "is_clear", "is_wall", "find", "union"}
    return opens and not asks and not compares_cells(code) and not is_recursive(code) and not helped


def opens_nothing_at_the_border(code: ast.AST) -> bool:
    """Tell whether a side is drawn for each cell, and a wall opened only if it leads into the maze, with
    nothing done otherwise."""
    for loop in (node for node in ast.walk(code) if isinstance(node, ast.For)):
        drawn = {
            ast.unparse(target)
            for node in ast.walk(loop)
            for target, value in assigned(node)
            if isinstance(value, ast.Call)
            and name_of(value.func) in ("choice", "random", "randint", "randrange")
        }
        for node in ast.walk(loop):
            if isinstance(node, ast.If) and not node.orelse and "break_wall" in {*called_in(node)}:
                inside = {*called_in(node.test)} & {"includes", "moves_at"}
                used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
                if inside and used & drawn:
                    return True
    return False


def counts_cells_twice(code: ast.AST) -> bool:
    """Tell whether a loop goes on until a list is as long as there are cells, and each turn adds one to it
    without asking whether it is there."""
    for loop in (node for node in ast.walk(code) if isinstance(node, ast.While)):
        if "position_count" not in ast.unparse(loop.test):
            continue
        counted = {ast.unparse(node.args[0]) for node in ast.walk(loop.test) if _is_len(node)}
        for each in loop.body:  # not below a condition
            match each:
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=holder, attr="append"))):
                    if ast.unparse(holder) in counted:
                        return True
    return False


def _is_len(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and name_of(node.func) == "len" and len(node.args) == 1


def stops_before_the_last(code: ast.AST) -> bool:
    """Tell whether a loop over rows and one over columns within it both leave out the last."""
    for outer in (node for node in ast.walk(code) if isinstance(node, ast.For)):
        inner = (node for node in ast.walk(outer) if isinstance(node, ast.For) and node is not outer)
        if _leaves_out_the_last(outer) and any(map(_leaves_out_the_last, inner)):
            return True
    return False


def _leaves_out_the_last(loop: ast.For) -> bool:
    match loop.iter:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=1), ast.Attribute(attr=end)]):
            return end in ("row_count", "column_count")
    return False


def joins_to_every_neighbour(code: ast.AST) -> bool:
    """Tell whether a loop over the neighbours of a cell opens the wall to each that is in a collection, and
    goes on to the next."""
    for loop in (node for node in ast.walk(code) if isinstance(node, ast.For)):
        if "moves_at" not in {*called_in(loop.iter)}:
            continue
        for node in ast.walk(loop):
            if isinstance(node, ast.If) and isinstance(node.test, ast.Compare):
                body = [each for statement in node.body for each in ast.walk(statement)]
                is_inside = any(isinstance(operator, ast.In) for operator in node.test.ops)
                opens = any(
                    isinstance(each, ast.Call) and name_of(each.func) == "break_wall" for each in body
                )
                leaves = any(isinstance(each, (ast.Break, ast.Return)) for each in body)
                if is_inside and opens and not leaves:
                    return True
    return False


def lists_neighbours_too_soon(code: ast.AST) -> bool:
    """Tell whether a recursive function lists the neighbours that are new, goes through the list, calling
    itself, and asks no more whether they still are."""
    for function in (node for node in ast.walk(code) if isinstance(node, FUNCTIONS)):
        lists = {
            ast.unparse(target)
            for node in ast.walk(function)
            for target, value in assigned(node)
            if isinstance(value, ast.ListComp) and _asks(value)
        }
        for loop in (node for node in ast.walk(function) if isinstance(node, ast.For)):
            goes_on = function.name in {*called_in(loop)} and ast.unparse(loop.iter) in lists
            if goes_on and not any(map(_asks, loop.body)):
                return True
    return False


def _asks(node: ast.AST) -> bool:
    return any(isinstance(each, (ast.In, ast.NotIn)) for each in ast.walk(node))


def _added_to(loop: ast.AST) -> set[str]:
    return {holder for holder, name, _ in _calls(loop) if name == "append"}


def _drawn_from(loop: ast.AST) -> set[str]:
    return {argument for _, name, arguments in _calls(loop) if name == "choice" for argument in arguments[:1]}


def _emptied_in(loop: ast.AST) -> Iterator[str]:
    """Yield what is begun anew, or taken from, within a loop."""
    yield from (holder for holder, name, _ in _calls(loop) if name in ("clear", "pop", "remove", "popleft"))
    for node in ast.walk(loop):
        if isinstance(node, (ast.Assign, ast.Delete)):
            for target in node.targets:
                yield ast.unparse(target.value if isinstance(target, ast.Subscript) else target)


def _calls(loop: ast.AST) -> Iterator[tuple[str, str, list[str]]]:
    """Yield what a method is called of, its name, and the arguments."""
    for node in ast.walk(loop):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield ast.unparse(node.func.value), name_of(node.func), list(map(ast.unparse, node.args))
