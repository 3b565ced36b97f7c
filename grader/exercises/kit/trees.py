"""Whether a function that ran is one that students are given: their trees are compared, with names numbered.

A function is told from others by what it does with its names, not by what they are: names of variables and
functions count by their first place, comments, docstrings, annotations and decorators not at all.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

from grader.exercises.kit.kind import Sources
from grader.model import Claim
from grader.model.claims import Ran
from grader.reader import Read

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Place = tuple[str, int, str]
"""A file, the line at which a function begins, decorators included, and its name."""

BEYOND: Final = "the files"
"""What is not compared where the submission's files take too long to read."""
_PARTS: Final = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<generic parameters of ")
"""Names of what Python runs as functions, and are parts of those that they stand in."""
_LEFT_OUT: Final = frozenset(
    ("annotation", "ctx", "decorator_list", "kind", "returns", "type_comment", "type_params")
)
_NAMES: Final = frozenset(("id", "arg", "name", "names", "rest"))
"""Fields that hold names; those of imports and of keywords in calls are another module's or function's."""


def numbered(function: ast.AST) -> str:
    """Return a function's tree as a text, with its names numbered."""
    numbers: dict[str, int] = {}
    return "".join(_told(function, numbers))


def _told(value: object, numbers: dict[str, int]) -> Iterator[str]:
    if isinstance(value, list):
        yield "["
        for each in value:
            if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)):
                yield from _told(each, numbers)
        yield "]"
    elif isinstance(value, ast.AST):
        keeps_names = isinstance(value, ast.alias | ast.keyword)
        yield f"{type(value).__name__}("
        for field, part in ast.iter_fields(value):
            if field in _NAMES and isinstance(part, str) and not keeps_names:
                yield f"{numbers.setdefault(part, len(numbers))},"
            elif field not in _LEFT_OUT:
                yield from _told(part, numbers)
        yield ")"
    else:
        yield f"{value!r},"


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of comparing what ran with what students are given."""

    copied: tuple[str, ...] = ()
    """The names of the given functions of which a copy ran."""
    unseen: tuple[str, ...] = ()
    """What ran and was not compared: text that was run, and functions not found where they are said to be."""


class Copies:
    """Compares what ran of a submission with some functions that students are given."""

    def __init__(self, given: Mapping[str, str], sources: Callable[[], Sources], read: Read) -> None:
        """Take what ``given_trees`` returns, and what reads the submission's files within bounds."""
        self._given, self._sources, self._read = given, sources, read
        self._found: dict[frozenset[Ran], Compared] = {}

    def among(self, claims: Iterable[Claim]) -> Compared:
        """Return what came of comparing all that ran in some calls, as far as these told it."""
        ran = frozenset(claim.ran for claim in claims if claim.ran is not None)
        if ran not in self._found:
            found = self._read(lambda: self._compared(ran), Compared)
            self._found[ran] = found or Compared(unseen=(BEYOND,))
        return self._found[ran]

    def _compared(self, ran: Collection[Ran]) -> Compared:
        sources, places = self._sources(), {place for each in ran for place in each.functions}
        trees = {file: sources.get(file) for file, _, _ in places}
        found = dict[Place, list[str]]()
        for file, tree in trees.items():
            for function in _functions(tree):
                found.setdefault((file, *_beginning(function)), []).append(numbered(function))
        trees_run = {tree for place in places for tree in found.get(place, ())}
        copied = {name for tree, name in self._given.items() if tree in trees_run}
        lost = {f"{file}, {name}" for file, _, name in places - found.keys() if not name.startswith(_PARTS)}
        unseen = {name for each in ran for name in each.unseen} | lost
        return Compared(tuple(sorted(copied)), tuple(sorted(unseen)))


def _functions(tree: ast.AST | None) -> Iterator[Function]:
    nodes = ast.walk(tree) if tree is not None else ()
    return (node for node in nodes if isinstance(node, Function))


def _beginning(function: Function) -> tuple[int, str]:
    """Return the line at which a function begins for Python, and its name."""
    if isinstance(function, ast.Lambda):
        return function.lineno, "<lambda>"
    return min(node.lineno for node in (function, *function.decorator_list)), function.name


def given_trees(*names: str) -> Mapping[str, str]:
    """Return the names of functions, such as ``lab.maze:Maze.copy``, by their trees."""
    return {_tree_of(name): name for name in names}


@cache
def _tree_of(name: str) -> str:
    module, _, function = name.partition(":")
    node: ast.AST = ast.parse(Path(import_module(module).__file__ or "").read_text(encoding="utf-8"))
    for part in function.split("."):
        named = (each for each in ast.iter_child_nodes(node) if getattr(each, "name", "") == part)
        node = next(named)
    return numbered(node)
