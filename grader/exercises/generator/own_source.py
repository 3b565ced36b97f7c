"""Telling by a submission's source whether its generator is a copy of AldousBroder's.

What MyGenerator can reach is compared with the given source by its shape (``source_shape.py``): a copy that
was renamed, reordered, cut into helpers or padded with draws that go nowhere has all of it. A walk in a
student's own words has not, even where its mazes are the same. Names lead on, over all files that are
imported: a copy that nothing reaches, kept to be read or compared with, is nobody's hand-in.

Source is a claim. Where code may run that is not in the files, they show nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Final

from grader.exercises.generator.encoded_source import encoded_trees
from grader.exercises.generator.source_shape import Function, Shape, shape_of
from grader.exercises.kit.kind import Sources
from grader.model import Target
from lab.generators import aldous_broder


class Origin(Enum):
    """Whose work a generator is, as far as its source tells."""

    OWN = "own"
    COPIED = "copied"
    UNSEEN = "unseen"
    """Other code may run than what stands in the files."""


COPIED_SHARE: Final = 0.95
"""With 95 % of the given shape it is a copy: disguises keep 98 %, other algorithms and own walks 88 %."""
_MOST_NODES: Final = 100_000
"""Files of more nodes in all are not looked into."""
_BESIDE: Final = {"random_position", "fully_disconnected", "rng"}
"""What the given source does before its walk, as nearly every generator does."""
_RUNS_TEXT: Final = {
    *("exec", "eval", "compile", "marshal", "loads", "FunctionType", "CodeType", "__code__", "__builtins__"),
    *("get_objects", "getsource", "runpy", "pickle"),
}
"""Names by which code can run that is not in a file."""
_LOOKS_UP: Final = {
    *("getattr", "globals", "locals", "vars", "__dict__", "__getattribute__", "__import__", "import_module"),
    *("modules", "__subclasses__", "attrgetter", "methodcaller", "setattr"),
}
"""Names by which other names can be found that are not in a file."""


def origin_of(sources: Sources, target: Target) -> Origin:
    """Tell whose work the target is; source that is nested too deeply, or too large, counts as unseen."""
    try:
        return _origin_of(sources, target)
    except RecursionError:
        return Origin.UNSEEN


def _origin_of(sources: Sources, target: Target) -> Origin:
    imported = _imported(sources, target.file)
    trees = [tree for tree in imported if tree is not None]
    names = {named for tree in trees for node in ast.walk(tree) for named in _named(node)}
    if not trees or sum(1 for tree in trees for _ in ast.walk(tree)) > _MOST_NODES:
        return Origin.UNSEEN
    runs_text = bool(names & _RUNS_TEXT)
    if runs_text:
        trees += encoded_trees(trees)
    is_all_seen = runs_text or bool(names & _LOOKS_UP)
    if _is_copied(_functions(trees) if is_all_seen else _come_to(trees, target.name)):
        return Origin.COPIED
    return Origin.UNSEEN if runs_text or None in imported else Origin.OWN


def _is_copied(functions: Collection[Function]) -> bool:
    given, words = _given()
    return len(given & shape_of(functions, words)) >= COPIED_SHARE * len(given)


@cache
def _given() -> tuple[Shape, frozenset[str]]:
    """Return the shape of the given source, and the words it is put in."""
    tree = ast.parse(Path(aldous_broder.__file__).read_text(encoding="utf-8"))
    functions = _functions([tree])
    words = frozenset(word for _, word in shape_of(functions)) - _BESIDE
    return shape_of(functions, words), words


def _functions(trees: Iterable[ast.AST]) -> list[Function]:
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, Function)]


def _imported(sources: Sources, file: str) -> list[ast.Module | None]:
    """Return the trees of a file and of all files that it may import, directly or not."""
    found, waiting = {file}, [file]
    while waiting:
        tree = sources.get(waiting.pop())
        words = {word for node in ast.walk(tree) for word in _modules(node)} if tree is not None else set()
        new = {path for path in sources if words & set(path.removesuffix(".py").split("/"))} - found
        found |= new
        waiting += new
    return [sources.get(path) for path in sorted(found)]


def _modules(node: ast.AST) -> Iterator[str]:
    """Yield the parts of the names that a node imports, or may import by a name in a string."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (getattr(node, "module", None) or "").split(".")
        yield from (part for alias in node.names for part in alias.name.split("."))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from node.value.split(".")


def _come_to(trees: Sequence[ast.Module], name: str) -> list[Function]:
    """Return the functions that a class can reach."""
    held: dict[str, list[ast.AST]] = {}
    for node in (node for tree in trees for node in _outside_functions(tree)):
        for defined in _defined(node):
            held.setdefault(defined, []).append(node)
    reached = _followed(held, name)
    return [function for function in _functions(trees) if function in reached]


def _followed(held: Mapping[str, Iterable[ast.AST]], name: str) -> set[ast.AST]:
    """Return all nodes within what a name means, and within what these refer to."""
    names, waiting, reached = {name}, [name], set[ast.AST]()
    while waiting:
        for node in held.get(waiting.pop(), ()):
            if node not in reached:
                parts = set(ast.walk(node))
                new = {named for part in parts for named in _named(part)} - names
                reached |= parts
                names |= new
                waiting += new
    return reached


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in a module itself or in its classes, except for what only runs as a program."""
    waiting = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if not (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)):
                yield node
                if not isinstance(node, Function):
                    waiting.append(node)


def _defined(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node gives a meaning; where it sets an attribute, also the name of its owner."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (named for target in targets for part in ast.walk(target) for named in _named(part))
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname for alias in node.names if alias.asname)


def _named(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node refers to."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.alias):
        yield from node.name.split(".")
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
