"""What code does that keeps groups of cells, as Kruskal's algorithm does: trees (union-find) or numbers.

Read off its text.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from grader.exercises.kit.code_patterns import FUNCTIONS, assigned, name_of, within


def joins_cells_for_roots(code: ast.AST) -> bool:
    """Tell whether it looks for the roots of trees of cells, and hangs over cells that are no roots."""
    functions = [node for node in ast.walk(code) if isinstance(node, FUNCTIONS)]
    tables = {function.name: table for function in functions if (table := _followed(function))}
    if not tables:
        return False
    roots = {name for node in ast.walk(code) for name in _roots_named(node, tables)}
    finding = {id(node) for function in functions if function.name in tables for node in within(function)}
    known = {*tables.values(), *_handed_to(code, tables)}
    joined = (node for node in ast.walk(code) if isinstance(node, ast.Assign) and id(node) not in finding)
    return any(_hangs_over_a_cell(node, known, roots, tables) for node in joined)


def finds_one_step_up(code: ast.AST) -> bool:
    """Tell whether the root of a cell is looked up as the entry of the cell itself, with no going on to the
    entry of that, and groups are joined by what is found so."""
    functions = [node for node in ast.walk(code) if isinstance(node, FUNCTIONS)]
    finders = {function.name for function in functions if _returns_an_entry(function)}
    roots = {name for node in ast.walk(code) for name in _roots_named(node, finders)}
    return any(
        isinstance(target, ast.Subscript)
        and (ast.unparse(target.slice) in roots or _is_call_of(target.slice, finders))
        for node in ast.walk(code)
        for target, _ in assigned(node)
    )


def _returns_an_entry(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    statements = [each for each in function.body if not isinstance(each, ast.Expr)]
    match statements:
        case [ast.Return(value=ast.Subscript(slice=ast.Name(id=key)))]:
            return key in {argument.arg for argument in function.args.args}
    return False


def relabels_one_cell(code: ast.AST) -> bool:
    """Tell whether it compares the groups of two cells, and then gives the group of one to the other alone,
    not to all cells of that group."""
    named = _named_groups(code)
    for node in ast.walk(code):
        if isinstance(node, ast.If) and (pair := _groups_compared(node.test, named)):
            changed = [each for each in ast.walk(node) if isinstance(each, ast.Assign)]
            told = {(ast.unparse(each.targets[0]), ast.unparse(each.value)) for each in changed}
            names = {name for name, group in named.items() if group in pair}
            moved = {to for to, value in told if to in pair and value in {*pair, *names}}
            in_loops = [
                each
                for loop in ast.walk(node)
                if isinstance(loop, (ast.For, ast.While))
                for each in ast.walk(loop)
                if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Subscript)
            ]
            if moved and not in_loops:
                return True
    return False


def _groups_compared(test: ast.AST, named: Mapping[str, str]) -> set[str]:
    """Return both sides, such as ``group[a]`` and ``group[b]``, where they are asked to differ."""
    for node in ast.walk(test):
        match node:
            case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
                sides = {named.get(ast.unparse(side), ast.unparse(side)) for side in (left, right)}
                if len(sides) == 2 and all(side in named.values() for side in sides):
                    return sides
    return set()


def _named_groups(code: ast.AST) -> dict[str, str]:
    """Return what is looked up by a variable, such as ``group[a]``, by its own text and the variables that
    hold it."""
    found = {
        text: text
        for node in ast.walk(code)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Name, ast.BinOp))
        for text in [ast.unparse(node)]
    }
    for target, value in (pair for node in ast.walk(code) for pair in assigned(node)):
        if isinstance(target, ast.Name) and ast.unparse(value) in found:
            found[target.id] = ast.unparse(value)
    return found


def _followed(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the table in which a function goes on from an entry to its entry, until it is its own; empty
    where it does nothing of the kind."""
    own = [*within(function)]
    repeats = function.name in {name_of(each.func) for each in own if isinstance(each, ast.Call)}
    repeats |= any(isinstance(each, ast.While) for each in own)
    answers = any(isinstance(each, ast.Return) for each in own)
    return next(filter(None, map(_own_entry, own)), "") if answers and repeats else ""


def _own_entry(node: ast.AST) -> str:
    """Return the table of which an entry is compared with its own key, as only a root's is the same."""
    match node:
        case ast.Compare(left=ast.Subscript(value=table, slice=key), comparators=[other]):
            return name_of(table) if ast.dump(key) == ast.dump(other) else ""
        case ast.Compare(left=other, comparators=[ast.Subscript(value=table, slice=key)]):
            return name_of(table) if ast.dump(key) == ast.dump(other) else ""
    return ""


def _handed_to(code: ast.AST, functions: Collection[str]) -> Iterator[str]:
    """Yield the names that are handed to the functions."""
    for node in ast.walk(code):
        if isinstance(node, ast.Call) and name_of(node.func) in functions:
            yield from filter(None, map(name_of, node.args))


def _roots_named(node: ast.AST, finders: Collection[str]) -> Iterator[str]:
    """Yield the variables that are given the root of something."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            pairs = zip(names, values, strict=False)
            yield from (ast.unparse(name) for name, value in pairs if _is_call_of(value, finders))
        case ast.Assign(targets=targets, value=value) if _is_call_of(value, finders):
            yield from map(ast.unparse, targets)
        case ast.NamedExpr(target=name, value=value) if _is_call_of(value, finders):
            yield ast.unparse(name)


def _hangs_over_a_cell(
    node: ast.Assign, tables: Collection[str], roots: Collection[str], finders: Collection[str]
) -> bool:
    """Tell whether an entry of the table is changed that is no root's, to another cell than itself or its
    own root."""
    match node.targets:
        case [ast.Subscript(value=table, slice=key)] if name_of(table) in tables:
            told = {ast.unparse(key), ast.unparse(node.value)}
            is_root = ast.unparse(key) in roots or _is_call_of(key, finders)
            is_value_a_root = ast.unparse(node.value) in roots or _is_call_of(node.value, finders)
            return len(told) == 2 and not is_root and not is_value_a_root
    return False


def _is_call_of(node: ast.AST, names: Collection[str]) -> bool:
    return isinstance(node, ast.Call) and name_of(node.func) in names
