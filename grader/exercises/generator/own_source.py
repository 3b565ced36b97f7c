"""Tell by a submission's source whether its generator is a copy of AldousBroder's.

What MyGenerator can reach is compared with the given source by its shape (``source_shape.py``): a copy that
was renamed, reordered, split into helpers or padded with unused draws still has all of it. A walk that
students write themselves does not, even if its mazes are the same. Names are followed through all imported
files: an unused copy, kept for reading or comparison, does not count.

Source is only a claim. If code from outside the files may run, they prove nothing.
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
    """Code from outside the files may run."""


COPIED_SHARE: Final = 0.95
"""The share of the given shape that makes it a copy: disguises keep 98 %, other algorithms and own walks 88
%."""
_MOST_NODES: Final = 100_000
"""Files with more nodes in total are not examined."""
_BESIDE: Final = {"random_position", "fully_disconnected", "rng"}
"""What the given source does before its walk, as nearly every generator does."""
_RUNS_TEXT: Final = {
    *("exec", "eval", "compile", "marshal", "loads", "FunctionType", "CodeType", "__code__", "__builtins__"),
    *("get_objects", "getsource", "runpy", "pickle"),
}
"""Names that can run code from outside the files."""
_LOOKS_UP: Final = {
    *("getattr", "globals", "locals", "vars", "__dict__", "__getattribute__", "__import__", "import_module"),
    *("modules", "__subclasses__", "attrgetter", "methodcaller", "setattr"),
}
"""Names that can find other names from outside the files."""


def origin_of(sources: Sources, target: Target) -> Origin:
    """Tell whose work the target is; source that is too large or nested too deeply counts as unseen."""
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
    """Return the shape of the given source, and the words that describe it."""
    tree = ast.parse(Path(aldous_broder.__file__).read_text(encoding="utf-8"))
    functions = _functions([tree])
    words = frozenset(word for _, word in shape_of(functions)) - _BESIDE
    return shape_of(functions, words), words


def _functions(trees: Iterable[ast.AST]) -> list[Function]:
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, Function)]


def _imported(sources: Sources, file: str) -> list[ast.Module | None]:
    """Return the syntax trees of a file and all files that it may import, directly or indirectly."""
    found, waiting = {file}, [file]
    while waiting:
        tree = sources.get(waiting.pop())
        words = {word for node in ast.walk(tree) for word in _modules(node)} if tree is not None else set()
        new = {path for path in sources if words & set(path.removesuffix(".py").split("/"))} - found
        found |= new
        waiting += new
    return [sources.get(path) for path in sorted(found)]


def _modules(node: ast.AST) -> Iterator[str]:
    """Yield the parts of names that a node imports, or may import through a string."""
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
    """Return all nodes in the definition of a name, and in everything that it refers to."""
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
    """Yield the nodes of a module and its classes outside functions, except what runs only as a program."""
    waiting = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if not (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)):
                yield node
                if not isinstance(node, Function):
                    waiting.append(node)


def _defined(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node defines; if it sets an attribute, also the name of its owner."""
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
