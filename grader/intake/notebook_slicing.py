"""Finds the statements of a notebook that its classes need: those that define or change what they use.

Each statement is examined as it stands. Code that runs at once needs what stands above it; the body of a
function runs later, and needs what is defined in the end. A statement that only changes something is left out
if it is a trial: it may ask for input, read a missing file, or run code that is wrong.
"""

from __future__ import annotations

import ast
import symtable
import sys
from bisect import bisect_left
from collections import defaultdict
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
_AVAILABLE_MODULES: Final[Collection[str]] = {
    *sys.stdlib_module_names,
    *(name for each in EXERCISES for name in (each.stem, each.module.partition(".")[0])),
    "lab",
}
"""Modules of these names can be imported where submissions are graded."""
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_CODE: Final = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)
_IMPORTS: Final = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known of one statement."""

    binds: set[str]
    changes: set[str]
    """The names of what it may change when it runs; ``f()`` stands for all that the function ``f``
    changes."""
    now: set[str]
    """The module's names that it uses when it runs."""
    later: set[str]
    """The module's names that functions in it use when they are called."""
    by_call: set[str]
    """The names of what a function may change when it is called."""


def needed_statements(lines: Sequence[str], tree: ast.Module) -> set[int]:
    """Return the indices of the statements that the classes of the exercises need."""
    imported = {name for each in tree.body if isinstance(each, _IMPORTS) for name in bound_names(each)}
    facts = [_examine(lines, statement, imported) for statement in tree.body]
    _forget_trials(tree, facts)
    about: dict[str, list[int]] = defaultdict(list)
    callers: dict[str, list[str]] = defaultdict(list)
    for number, each in enumerate(facts):
        for name in each.binds | each.changes:
            about[name].append(number)
        for name in each.by_call:
            callers[name] += [f"{function}()" for function in each.binds]
    kept: set[int] = set()
    waiting = [(name, len(facts)) for name in (_EVERY_CLASS, *BY_NAME)]
    seen: dict[str, int] = defaultdict(int)
    while waiting:
        name, end = waiting.pop()
        if end <= seen[name]:
            continue
        fresh = about[name][bisect_left(about[name], seen[name]) : bisect_left(about[name], end)]
        seen[name] = end
        waiting += [(caller, end) for caller in callers[name]]
        for number in set(fresh) - kept:
            waiting += [(each, number) for each in facts[number].now]
            waiting += [(each, len(facts)) for each in facts[number].later]
        kept.update(fresh)
    return kept


def line_span(statement: ast.stmt) -> tuple[int, int]:
    """Return the first and the last line of a statement, decorators included."""
    first = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", []))])
    return first, statement.end_lineno or statement.lineno


# --- one statement ------------------------------------------------------------------------------


def _examine(lines: Sequence[str], statement: ast.stmt, imported: Collection[str]) -> _Facts:
    inner = [statement] if isinstance(statement, _CODE) else [statement, *scope_statements(statement)]
    binds = {name for each in inner for name in bound_names(each)}
    now, later = _names_used(lines, statement)
    changes = {*_changed_by_storing(statement), *_changed_by_calls(statement, imported)}
    by_call = set[str]()
    if isinstance(statement, _FUNCTIONS):
        by_call = {
            name
            for each in statement.body
            for name in (*_changed_by_storing(each), *_changed_by_calls(each, imported))
        }
        by_call = {name for name in by_call if name in later or name.endswith("()")} | _declared_global(
            statement
        )
    if not isinstance(statement, _CODE):
        now -= set(_assigned_before_use(statement))
    if isinstance(statement, ast.For) and changes & set(bound_names(statement)):
        changes.update(node.id for node in ast.walk(statement.iter) if isinstance(node, ast.Name))
    return _Facts(binds, changes, now, later, by_call)


def _names_used(lines: Sequence[str], statement: ast.stmt) -> tuple[set[str], set[str]]:
    """Return the module's names that a statement uses when it runs, and those that it uses later."""
    first, last = line_span(statement)
    try:
        table = symtable.symtable("\n".join(lines[first - 1 : last]), "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set(), set()
    taken: tuple[set[str], set[str]] = set(), set()
    waiting = [(table, False)]
    while waiting:
        each, is_later = waiting.pop()
        top = each.get_type() == "module"
        is_later |= each.get_type() == "function"
        taken[is_later].update(
            s.get_name() for s in each.get_symbols() if s.is_referenced() and (top or s.is_global())
        )
        waiting += [(child, is_later) for child in each.get_children()]
    return taken


def _assigned_before_use(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement assigns before it uses them, as a loop does."""
    seen = set()
    for name, is_stored in _names_in_order(statement):
        if name not in seen and is_stored:
            yield name
        seen.add(name)


def _names_in_order(root: ast.AST) -> Iterator[tuple[str, bool]]:
    """Yield the names in a statement in the order of their evaluation, and whether each is assigned."""
    waiting: list[object] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += reversed(node)
        if not isinstance(node, ast.AST):
            continue
        if isinstance(node, ast.Name):
            yield node.id, isinstance(node.ctx, ast.Store)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, False
        fields = sorted(ast.iter_fields(node), key=lambda field: _EVALUATION_ORDER.get(field[0], 2))
        waiting += [value for _, value in reversed(fields)]


_EVALUATION_ORDER: Final = {"iter": 0, "value": 0, "target": 1, "targets": 1}
"""A value is evaluated before it is assigned to its name."""


# --- what it changes ----------------------------------------------------------------------------


def _nodes_that_run(root: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that run when it does: of a definition, only its decorators."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, _CODE):
            waiting += getattr(node, "decorator_list", [])
        else:
            waiting += ast.iter_child_nodes(node)


def _changed_by_storing(statement: ast.AST) -> Iterator[str]:
    """Yield the names of the objects that a statement stores into, and those that its decorators use."""
    for node in _nodes_that_run(statement):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            name = _root_name(node)
            yield name
            if isinstance(node, ast.Attribute) and name in {"lab", *lab.__all__}:
                yield _EVERY_CLASS
        for decorator in getattr(node, "decorator_list", []):
            yield from (each.id for each in ast.walk(decorator) if isinstance(each, ast.Name))


def _root_name(node: ast.AST) -> str:
    """Return the first name of ``name.part[0].part``; "" if there is none."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _declared_global(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    return {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}


def _changed_by_calls(statement: ast.stmt, imported: Collection[str]) -> Iterator[str]:
    """Yield the names of what calls in a statement may change."""
    for node in _nodes_that_run(statement):
        if not isinstance(node, ast.Call):
            continue
        name = _root_name(node.func)
        is_method = isinstance(node.func, ast.Attribute)
        if _callee_name(node) in _SETTINGS or (name == "sys" and is_method):
            yield _EVERY_CLASS
        elif name in imported or name in ("setattr", "delattr"):
            yield from filter(None, map(_root_name, node.args[:1]))
        elif name:
            yield name if is_method else f"{name}()"


def _callee_name(call: ast.Call) -> str:
    """Return the last part of the name of the function that is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else _root_name(call.func)


def _forget_trials(tree: ast.Module, facts: Sequence[_Facts]) -> None:
    """Drop the changes of statements that are trials or use the results of trials."""
    tried = set[str]()
    for statement, each in zip(tree.body, facts, strict=True):
        taken = each.now | each.later if isinstance(statement, _FUNCTIONS) else each.now
        if not _is_trial(statement) and tried.isdisjoint(taken):
            tried -= each.binds
            continue
        tried |= each.binds
        each.changes.clear()
        if isinstance(statement, ast.Assign):
            each.changes.update(_changed_by_storing(statement))


def _is_trial(statement: ast.stmt) -> bool:
    """Tell whether a statement itself is a trial: whether it uses something that is not available when
    grading."""
    nodes = ast.walk(statement) if isinstance(statement, _FUNCTIONS) else _nodes_that_run(statement)
    return any(
        (isinstance(node, ast.Call) and _callee_name(node) in _TRIAL_CALLS)
        or (
            isinstance(node, ast.Import)
            and any(_top_package(each.name) not in _AVAILABLE_MODULES for each in node.names)
        )
        or (isinstance(node, ast.ImportFrom) and _top_package(node.module or "") not in _AVAILABLE_MODULES)
        for node in nodes
    )


def _top_package(module: str) -> str:
    return module.partition(".")[0]
