"""Finds the statements of a notebook that its classes need: those that define or change what they use.

A statement that only changes something is left out if it is a trial, or uses what came of one: it may ask for
input, read a missing file, or run code that is wrong.
"""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import lab
from grader.intake.python_source import bound_names, scope_statements
from lab.exercises import BY_NAME, EXERCISES

_EVERY_CLASS: Final = "*"
"""This name stands for what every class needs: settings of Python, changes of the lab's classes, ``import
*``."""
_SETTINGS: Final = ("setrecursionlimit", "stack_size")
_TRIAL_CALLS: Final = ("input", "open", "from_file", "read_text", "sleep", "exit", "quit", *BY_NAME)
"""Calls of these need a person or a file, take time, or run what an exercise asks for."""
_AVAILABLE_MODULES: Final = {
    *("lab", *sys.stdlib_module_names, *(each.stem for each in EXERCISES)),
    *(each.module.partition(".")[0] for each in EXERCISES),
}
"""Modules of these names can be imported where submissions are graded."""
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_CODE: Final = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)
_IMPORTS: Final = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known of one statement; ``f()`` stands for all that the function ``f`` changes."""

    binds: set[str]
    changes: set[str]
    """The names of what it may change when it runs."""
    uses: set[str]
    """The module's names that it uses, or functions in it, and does not bind itself."""
    by_call: set[str]
    """The names of what a function may change when it is called."""


def needed_statements(tree: ast.Module) -> set[int]:
    """Return the indices of the statements that the classes of the exercises need."""
    imported = {name for each in tree.body if isinstance(each, _IMPORTS) for name in bound_names(each)}
    facts = [_examine(statement, imported) for statement in tree.body]
    _forget_trials(tree, facts)
    kept, needed = set[int](), {_EVERY_CLASS, *BY_NAME}
    while True:
        needed |= {f"{name}()" for each in facts if each.by_call & needed for name in each.binds}
        fresh = {number for number, each in enumerate(facts) if (each.binds | each.changes) & needed} - kept
        if not fresh:
            return kept
        kept |= fresh
        needed.update(name for number in fresh for name in facts[number].uses)


def line_span(statement: ast.stmt) -> tuple[int, int]:
    """Return the first and the last line of a statement, decorators included."""
    first = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", []))])
    return first, statement.end_lineno or statement.lineno


def _examine(statement: ast.stmt, imported: Collection[str]) -> _Facts:
    inner = [statement] if isinstance(statement, _CODE) else [statement, *scope_statements(statement)]
    binds = {name for each in inner for name in bound_names(each)}
    uses, by_call = _names_used(statement), set[str]()
    changes = set(_changes(statement, imported))
    if isinstance(statement, _FUNCTIONS):
        inside = {name for each in statement.body for name in _changes(each, imported)}
        shared = (each.names for each in ast.walk(statement) if isinstance(each, ast.Global))
        by_call = {name for name in inside if name in uses or name.endswith("()")}.union(*shared)
    if isinstance(statement, ast.For) and changes & set(bound_names(statement)):
        changes.update(node.id for node in ast.walk(statement.iter) if isinstance(node, ast.Name))
    return _Facts(binds, changes, uses - binds, by_call)


def _names_used(statement: ast.stmt) -> set[str]:
    """Return the module's names that a statement uses, at once or when its functions are called."""
    try:
        waiting, used = [symtable.symtable(ast.unparse(statement), "cell", "exec")], set[str]()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    while waiting:
        table = waiting.pop()
        is_top = table.get_type() == "module"
        used |= {s.get_name() for s in table.get_symbols() if s.is_referenced() and (is_top or s.is_global())}
        waiting += table.get_children()
    return used


# --- what it changes ----------------------------------------------------------------------------


def _nodes_that_run(root: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that run when it does: of a definition, only its decorators."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        decorators = getattr(node, "decorator_list", [])
        waiting += decorators if isinstance(node, _CODE) else ast.iter_child_nodes(node)


def _changes(statement: ast.stmt, imported: Collection[str]) -> Iterator[str]:
    """Yield the names of what a statement stores into, what its decorators use, and what its calls may
    change."""
    for node in _nodes_that_run(statement):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            name = _root_name(node)
            yield from (name, _EVERY_CLASS) if name in {"lab", *lab.__all__} else (name,)
        elif isinstance(node, ast.Call):
            yield from _changed_by_call(node, imported)
        for decorator in getattr(node, "decorator_list", []):
            yield from (each.id for each in ast.walk(decorator) if isinstance(each, ast.Name))


def _changed_by_call(call: ast.Call, imported: Collection[str]) -> Iterator[str]:
    name, is_method = _root_name(call.func), isinstance(call.func, ast.Attribute)
    if _callee_name(call) in _SETTINGS or (name == "sys" and is_method):
        yield _EVERY_CLASS
    elif name in imported or name in ("setattr", "delattr"):
        yield from filter(None, map(_root_name, call.args[:1]))
    elif name:
        yield name if is_method else f"{name}()"


def _root_name(node: ast.AST) -> str:
    """Return the first name of ``name.part[0].part``; "" if there is none."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _callee_name(call: ast.Call) -> str:
    """Return the last part of the name of the function that is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else _root_name(call.func)


def _forget_trials(tree: ast.Module, facts: Sequence[_Facts]) -> None:
    """Drop the changes of statements that are trials or use the results of trials."""
    tried = set[str]()
    for statement, each in zip(tree.body, facts, strict=True):
        is_class = isinstance(statement, ast.ClassDef)
        if is_class or not (_is_trial(statement) or tried & each.uses):
            tried -= each.binds
            continue
        tried |= each.binds
        each.changes.intersection_update(map(_root_name, getattr(statement, "targets", ())))


def _is_trial(statement: ast.stmt) -> bool:
    """Tell whether a statement uses something that is not available when grading."""
    nodes = ast.walk(statement) if isinstance(statement, _FUNCTIONS) else _nodes_that_run(statement)
    return any(
        _callee_name(node) in _TRIAL_CALLS
        if isinstance(node, ast.Call)
        else not {name.partition(".")[0] for name in _modules(node)} <= _AVAILABLE_MODULES
        for node in nodes
    )


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
