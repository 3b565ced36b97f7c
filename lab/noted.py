"""Rewrites a source so that what has no line of its own tells what it does, while a call is recorded.

Theory of operation. A condition in a comprehension, the element that it makes, the body of a lambda and the
guard of a case share their line with others, and from Python 3.12 on a comprehension has no frame. So each of
them becomes an argument of a call of ``NOTE`` that gives its value back, and so does each sum, call and
element in an expression: a cell may be worked out without ever being in a variable. All is evaluated once, in
its order; a condition is asked for its truth once; places stay as they were, for tracebacks. Only a run that
is recorded loads such a source.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, cast

from lab.steps import NOTE, StepRecorder

Kind = Literal["test", "made", "value", "held"]
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_VALUES: Final[dict[type[ast.AST], Kind]] = {
    **dict.fromkeys((ast.BinOp, ast.Call, ast.Subscript, ast.Tuple), "value"),
    ast.Attribute: "held",
}
"""Expressions that may give a cell: that work one out, or only name it."""
_LOAD: Final = ast.Load()
_APART: Final = ("annotation", "returns", "pattern", "type_params", "type")
"""Parts of a tree that are no expressions of the run, or have to stay: the kind that a handler catches."""


class Place(NamedTuple):
    """What is noted: where it begins, what it is, and the variables that it reads or its turn was given."""

    line: int
    column: int
    kind: Kind
    names: tuple[str, ...] = ()


Note = Callable[[Any, Any], Any]
"""Is told a place, as a plain tuple, and a value, and gives the value back."""


def _unnoted(_: object, value: Any) -> Any:
    return value


def install(note: Note = _unnoted) -> None:
    """Have sources that were rewritten call this from now on; by default nothing is noted."""
    setattr(builtins, NOTE, note)


def prepare(recorder: StepRecorder, tree: ast.AST, path: str) -> None:
    """Rewrite the tree of a file that is about to be loaded, so that it tells a recorder of it."""
    try:
        statements = {line: first for line, first, _ in headers(tree)}
        _rewrite(tree)
    except RecursionError:
        recorder.know(path, None)
    else:
        recorder.know(path, statements)


def noted_in(tree: ast.AST) -> dict[tuple[int, int], ast.expr]:
    """Return the conditions, elements and bodies of a tree that are noted, by where they begin."""
    found = (each for node in ast.walk(tree) for each in _noted_of(node))
    return {(each.lineno, each.col_offset): each for each in found}


def _noted_of(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.DictComp():
            yield from (node.key, node.value)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            yield node.elt
        case ast.comprehension():
            yield from node.ifs
        case ast.Lambda():
            yield node.body
        case ast.match_case(guard=ast.expr() as guard):
            yield guard


def headers(tree: ast.AST) -> Iterator[tuple[int, int, ast.stmt | ast.match_case]]:
    """Yield the lines of each statement, those of what stands in it excepted, with its first and itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.match_case):
            first, last = node.pattern.lineno, (node.guard or node.pattern).end_lineno
        elif isinstance(node, ast.stmt):
            body = node.cases[0].pattern if isinstance(node, ast.Match) else _first_of(node)
            first, last = node.lineno, node.end_lineno if body is None else body.lineno - 1
        else:
            continue
        yield from ((line, first, node) for line in range(first, max(last or first, first) + 1))


def _first_of(node: ast.stmt) -> ast.stmt | None:
    body = getattr(node, "body", None)
    return body[0] if body else None


def bound_in(node: ast.AST) -> set[str]:
    """Return the variables that a comprehension, or a lambda, has of its own."""
    if isinstance(node, ast.Lambda):
        return {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
    targets = [each.target for each in node.generators] if isinstance(node, COMPREHENSIONS) else []
    inside = (each for target in targets for each in ast.walk(target))
    return {each.id for each in inside if isinstance(each, ast.Name)}


def is_set(node: ast.AST) -> bool:
    """Tell whether a variable is given a value, rather than read."""
    return isinstance(getattr(node, "ctx", None), ast.Store)


def nodes_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs where an expression, or a line, does: no lambda's body, no comprehension's turn."""
    yield node
    for inside in parts_run(node):
        yield from nodes_of(inside)


def parts_run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node that run where it does."""
    if isinstance(node, ast.Lambda):
        return iter((*node.args.defaults, *filter(None, node.args.kw_defaults)))
    return (
        iter((node.generators[0].iter,)) if isinstance(node, COMPREHENSIONS) else ast.iter_child_nodes(node)
    )


def reads(node: ast.AST) -> Iterator[str]:
    """Yield the variables that an expression reads, or a pattern fills, and attributes of variables.

    They come in the order of the text, but for those that a comprehension or a lambda has of its own.
    """
    if is_set(node) and not isinstance(node, (ast.Subscript, ast.Tuple, ast.List)):
        return
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield f"{node.value.id}.{node.attr}"
    if isinstance(node, ast.Name):
        yield node.id
    if isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    own = bound_in(node)
    for child in ast.iter_child_nodes(node):
        yield from (name for name in reads(child) if name.partition(".")[0] not in own)


def _rewrite(node: ast.AST, own: Sequence[str] = ()) -> None:
    """Rewrite what a node holds; ``own`` are the variables of the innermost comprehension, or lambda."""
    own = sorted(bound_in(node)) or own
    for name, held in ast.iter_fields(node):
        if isinstance(held, list) and name not in _APART:
            held[:] = [_rewritten(node, name, each, own) for each in held]
        elif name not in _APART:
            setattr(node, name, _rewritten(node, name, held, own))
    for part in node.generators[:-1] if isinstance(node, COMPREHENSIONS) else ():
        if not part.ifs:  # else nothing would tell of a turn without turns of the next loop
            part.ifs.append(_noted(part.target, ast.Constant(True), "test", own))


def _rewritten(parent: ast.AST, name: str, child: Any, own: Sequence[str]) -> Any:
    """Return what stands in the place of a part of a node."""
    if not isinstance(child, ast.AST):
        return child
    names = [*dict.fromkeys([*reads(child), *own])]
    _rewrite(child, own)
    if isinstance(parent, (ast.comprehension, ast.match_case)) and name in ("ifs", "guard"):
        test = cast("ast.expr", child)
        parts = (_at(test, ast.Constant(value)) for value in (True, False))
        return _noted(test, _at(test, ast.IfExp(test, *parts)), "test", names)
    if isinstance(parent, (*COMPREHENSIONS, ast.Lambda)) and name in ("elt", "key", "value", "body"):
        return _noted(child, child, "made", names)
    kind = _VALUES.get(type(child)) if isinstance(getattr(child, "ctx", _LOAD), ast.Load) else None
    is_apart = isinstance(child, ast.Tuple) and any(isinstance(each, ast.Slice) for each in child.elts)
    is_method = isinstance(parent, ast.Call) and name == "func"
    return child if kind is None or is_apart or is_method else _noted(child, child, kind, ())


def _noted(place: Any, value: Any, kind: Kind, names: Sequence[str]) -> ast.Call:
    told: Any = tuple(Place(place.lineno, place.col_offset, kind, tuple(names)))
    called, given = ast.Name(NOTE, ast.Load()), [ast.Constant(told), value]
    call = ast.Call(_at(place, called), [_at(place, each) for each in given], [])
    ast.copy_location(call, place)
    return call


def _at(place: ast.AST, node: Any) -> Any:
    """Return a node, put at the place of another one where it has none."""
    return node if hasattr(node, "lineno") else ast.copy_location(node, place)
