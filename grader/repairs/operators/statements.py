"""Statements that are too many, missing or in the wrong order, what is returned, and what outlives a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from grader.repairs.source import Block, Edit, Function, ParsedFile, Splice, name_of

_SIMPLE = (
    *(ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return),
    *(ast.Break, ast.Continue, ast.Delete, ast.Raise),
)
_ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
SHORT: Final = 3
"""A condition of at most three lines is taken away with what depends on it."""
LONG: Final = 8
"""Outside of loops, a condition or loop of at most 8 lines is taken away: it is beside the main work."""


def deleted(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that leave out a statement."""
    for _, block in source.blocks():
        for statement in block:
            if isinstance(statement, _SIMPLE) and not _is_docstring(statement):
                yield source.replaced(statement, "pass", "needed")
            elif isinstance(statement, ast.If) and _is_short(statement) and source.is_alone(statement):
                yield source.replaced(statement, "pass", "needed.part")
            elif isinstance(statement, ast.If | ast.For) and (
                not statement.orelse
                and _length(statement) <= LONG
                and source.is_alone(statement)
                and source.loop_of(statement) is None
            ):
                yield source.replaced(statement, "pass", "needed.aside")


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_short(condition: ast.If) -> bool:
    return not condition.orelse and _length(condition) <= SHORT


def _length(statement: ast.stmt) -> int:
    return (statement.end_lineno or statement.lineno) - statement.lineno + 1


def without_condition(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that always do what depends on a condition, or always its alternative."""
    for node in source.nodes:
        if isinstance(node, ast.If):
            if node.orelse or not isinstance(node.body[-1], _ENDS) or _is_last(source, node):
                yield source.replaced(node.test, "True", "condition.always")
            if node.orelse:
                yield source.replaced(node.test, "False", "condition.never")
        elif isinstance(node, ast.comprehension):
            yield from (source.replaced(each, "True", "condition.always") for each in node.ifs)


def _is_last(source: ParsedFile, node: ast.If) -> bool:
    """Tell whether nothing follows a condition in its block, which else would never be reached."""
    return any(block[-1] is node for _, block in source.blocks())


def swapped(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that swap two neighbouring statements."""
    for _, block in source.blocks():
        for one, other in pairwise(block):
            if _is_docstring(one) or not source.is_alone(one) or not source.is_alone(other):
                continue
            if _length(one) + _length(other) > 2 * SHORT:
                continue
            first = (source.start(one), source.end(one), source.of(other))
            second = (source.start(other), source.end(other), source.of(one))
            yield Edit((first, second), "sequence", one.lineno)


_MOST_KEPT, _MOST_CELLS = 3, 4
"""At most 3 containers and 4 cells of a function are tried with each other."""
_ASK_ABOUT_CELLS: Final = ("valid_moves_at", "moves_at", "add", "is_exit")


def guarded(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that insert a conditional exit, copied from elsewhere, or a test whether a cell is kept."""
    for function in source.functions:
        guards = dict.fromkeys(_guards(source, function))
        for loop, block in _places(source, function):
            for statement in block:
                for guard in guards:
                    if loop is not None or "continue" not in guard:
                        yield source.inserted_before(statement, guard, "has_been")


def _guards(source: ParsedFile, function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.If) and len(node.body) == 1 and not node.orelse:
            end = node.body[0]
            if isinstance(end, ast.Continue | ast.Break | ast.Return):
                yield f"if {source.of(node.test)}: {source.of(end)}"
    for kept in _kept(source, function):
        for cell in _cells(source, function):
            yield f"if {cell} in {kept}: continue"


def marked(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that note where the code has been, for another cell or at another place."""
    for function in source.functions:
        notes = dict.fromkeys(_notes(source, function)).keys() - _put_in(source, function)
        for _, block in _places(source, function):
            for statement in block:
                for note in sorted(notes):
                    if note not in source.of(statement):
                        yield source.inserted_before(statement, note, "marks")


def _put_in(source: ParsedFile, function: Function) -> set[str]:
    """Return the statements that would do something twice if they stood there twice, such as those that put
    something into a queue: they may help by accident."""
    return {
        source.of(node)
        for node in ast.walk(function)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and name_of(node.value) != "add"
    }


def _notes(source: ParsedFile, function: Function) -> Iterator[str]:
    """Yield the statements with which the function keeps something, or could."""
    for node in ast.walk(function):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="add" | "append"), args=[one])):
                yield source.of(node)
                if isinstance(one, ast.Name | ast.BinOp | ast.Attribute):
                    method = source.of(node).partition("(")[0]
                    yield from (f"{method}({cell})" for cell in _cells(source, function))
            case ast.Assign(targets=[ast.Subscript()]) | ast.Expr(value=ast.Call(func=ast.Attribute())):
                if "\n" not in source.of(node):
                    yield source.of(node)
    for container in _kept(source, function):
        made = [
            node for node in source.nodes if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
        ]
        method = "append" if container in {source.of(node.targets[0]) for node in made} else "add"
        yield from (f"{container}.{method}({cell})" for cell in _cells(source, function))


def _kept(source: ParsedFile, function: Function) -> list[str]:
    """Return the containers that the function looks into or adds to."""
    looked = [
        source.of(node.comparators[0])
        for node in ast.walk(function)
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn)
    ]
    added = [
        source.of(node.func.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add"
    ]
    return list(dict.fromkeys([*looked, *added]))[:_MOST_KEPT]


def _cells(source: ParsedFile, function: Function) -> list[str]:
    """Return the expressions that stand for a cell: it is looked for, kept, or asked about."""
    found = []
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            found.append(source.of(node.left))
        elif isinstance(node, ast.Call) and _method_of(node) in _ASK_ABOUT_CELLS:
            found += [source.of(argument) for argument in node.args[:1]]
    return [text for text in dict.fromkeys(found) if "\n" not in text][:_MOST_CELLS]


def _places(source: ParsedFile, function: Function) -> Iterator[tuple[ast.AST | None, Block]]:
    """Yield the blocks of a function in which something may be missing, each with the loop around it."""
    for owner, block in source.blocks():
        is_within = owner is function or source.function_of(owner) is function
        if is_within and all(source.is_alone(statement) for statement in block):
            loop = owner if isinstance(owner, ast.For | ast.While) else source.loop_of(owner)
            yield None if owner is function else loop, block


def _method_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def nothing_found(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that return None for its stand-ins (an empty list, False, an error), and vice versa."""
    for node in source.nodes:
        if isinstance(node, ast.Return):
            if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
                yield source.replaced(node, "return []", "nothing")
            elif _is_empty(node.value):
                yield source.replaced(node, "return None", "nothing.empty")
            else:
                yield source.replaced(node, "return None", "nothing.answer")
        elif isinstance(node, ast.Raise):
            yield source.replaced(node, "return None", "nothing.error")
        elif isinstance(node, ast.Expr) and _is_said(node.value) and source.function_of(node):
            yield source.replaced(node, "return None", "nothing")


def _is_empty(value: ast.expr) -> bool:
    match value:
        case ast.Constant() | ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.UnaryOp(operand=ast.Constant()) | ast.Call(args=[]):
            return True
    return False


def _is_said(value: ast.expr) -> bool:
    """Tell whether something is printed to the terminal instead, or the program is left."""
    return isinstance(value, ast.Call) and name_of(value) in ("print", "exit")


def handed_on(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that return what a call of the file's own gives, or what is made and not used."""
    own = {function.name for function in source.functions}
    for node in source.nodes:
        if not isinstance(node, ast.Expr) or source.function_of(node) is None:
            continue
        match node.value:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                sort = "answer" if name in own else "answer.call"
            case ast.YieldFrom(value=value):
                yield source.replaced(node, f"return {source.of(value)}", "what_returned")
                continue
            case ast.Constant() | ast.Yield() | ast.Await():
                continue
            case _:
                sort = "answer"
        yield source.replaced(node, f"return {source.of(node)}", sort)


def endings(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that leave a turn of a loop, or the whole loop, in another way."""
    for node in source.nodes:
        if isinstance(node, ast.Break | ast.Continue):
            other = "continue" if isinstance(node, ast.Break) else "break"
            yield source.replaced(node, other, "leaves")
        elif isinstance(node, ast.Return) and source.loop_of(node) is not None:
            yield source.replaced(node, "continue", "leaves.turn")
            yield source.replaced(node, "break", "leaves.loop")


_MAKERS: Final = ("list", "dict", "set", "deque", "defaultdict", "Counter")


def _is_mutable(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _MAKERS
    return isinstance(node, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


def defaults(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that make a default anew at each call instead of once."""
    for function in source.functions:
        parameters = [*function.args.posonlyargs, *function.args.args]
        values = function.args.defaults
        for parameter, value in zip(parameters[len(parameters) - len(values) :], values, strict=True):
            if _is_mutable(value):
                text = f"if {parameter.arg} is None: {parameter.arg} = {source.of(value)}"
                put = _at_the_beginning(source, function, text)
                none = (source.start(value), source.end(value), "None")
                if put is not None:
                    yield Edit((none, put), "lives_on", value.lineno, loading=True)


def kept(source: ParsedFile) -> Iterator[Edit]:
    """Yield edits that make anew at each call what is made once, for the class, the object or the module."""
    for name, value, line in _made_once(source):
        for function in source.functions:
            if function.name != "__init__" and (
                function.name == source.method or name in source.of(function)
            ):
                put = _at_the_beginning(source, function, _anew(name, value))
                if put is not None:
                    yield Edit((put,), "lives_on", line, loading=True)


def _made_once(source: ParsedFile) -> Iterator[tuple[str, str, int]]:
    """Yield what is made when the file is loaded or the object is made: name, value and line."""
    for node in source.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            target, value = node.target, node.value
        else:
            continue
        above = source.parents.get(node)
        if isinstance(above, ast.ClassDef) and isinstance(target, ast.Name) and _is_mutable(value):
            yield f"self.{target.id}", source.of(value), node.lineno
        elif isinstance(above, ast.Module) and isinstance(target, ast.Name) and _is_mutable(value):
            yield target.id, source.of(value), node.lineno
        elif isinstance(above, Function) and above.name == "__init__" and isinstance(target, ast.Attribute):
            yield source.of(target), source.of(value), node.lineno


def _anew(name: str, value: str) -> str:
    return f"{name} = {value}" if name.startswith("self.") else f"{name}.clear()"


def _at_the_beginning(source: ParsedFile, function: Function, text: str) -> Splice | None:
    """Return the splice that puts a statement first in a function, after its docstring."""
    body = function.body
    has_docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    first = body[1] if has_docstring and len(body) > 1 else body[0]
    if not source.is_alone(first):
        return None
    at = source.begin_of_line(first.lineno)
    return at, at, f"{source.indent(first)}{text}\n"
