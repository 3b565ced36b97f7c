"""Whether a function that ran is one that students are given: their trees are compared, with names numbered.

A function is told from others by what it does with its names, not by what they are: names of variables and
functions count by their first place, comments, docstrings, annotations and decorators not at all.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Final

from grader.exercises.kit.kind import Sources
from grader.model import Claim
from grader.reader import Read

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Place = tuple[str, int, str]
"""A file, the line at which a function begins, decorators included, and its name."""

BEYOND: Final = "the files"
"""What is not compared where the submission's files take too long to read."""
_PARTS: Final = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<generic parameters of ")
"""Names of what Python runs as functions, and are parts of those that they stand in."""
JUDGES_OF_MAZES: Final = ("lab.commands.building:_flaws", "lab.story:Recorded.of_walls")
"""What students are given that tells by cells and passages whether a maze is perfect: ``maze check`` says by
the first, and a story by the second, what is wrong with a generator's maze. ``grader release`` refuses a
kit with another one."""
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
    if isinstance(value, ast.AnnAssign) and value.value is not None:
        yield from _told(ast.Assign([value.target], value.value), numbers)
    elif isinstance(value, ast.AST):
        yield f"{type(value).__name__}("
        for field, part in ast.iter_fields(value):
            if field not in _LEFT_OUT:
                is_named = field in _NAMES and not isinstance(value, ast.alias | ast.keyword)
                yield from _named(part, numbers) if is_named else _told(part, numbers)
        yield ")"
    elif isinstance(value, list):
        told = (each for each in value if not (isinstance(each, ast.Expr) and _is_constant(each.value)))
        yield from ("[", *chain(*(_told(each, numbers) for each in told)), "]")
    else:
        yield f"{value!r},"


def _named(names: object, numbers: dict[str, int]) -> Iterator[str]:
    """Yield the numbers of a name, or of several."""
    for name in names if isinstance(names, list) else [names]:
        if isinstance(name, str):
            yield f"{numbers.setdefault(name, len(numbers))},"
        else:
            yield from _told(name, numbers)


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


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
        self._given = given

        @cache
        def known() -> Mapping[Place, list[str]] | None:
            found = read(lambda: self._looked_at(sources()), list[tuple[Place, list[str]]])
            return None if found is None else dict(found)

        self._known = known

    def among(self, claims: Iterable[Claim]) -> Compared:
        """Return what came of comparing all that ran in some calls, as far as these told it."""
        ran = [claim.ran for claim in claims if claim.ran is not None]
        unseen, places = {name for each in ran for name in each.unseen}, {*chain(*(r.functions for r in ran))}
        known = self._known() if places else {}
        if known is None:
            return Compared(unseen=(BEYOND,))
        unseen |= {
            f"{file}, {name}" for file, _, name in places - known.keys() if not name.startswith(_PARTS)
        }
        copied = {name for place in places for name in known.get(place, ())}
        return Compared(tuple(sorted(copied)), tuple(sorted(unseen)))

    def _looked_at(self, sources: Sources) -> list[tuple[Place, list[str]]]:
        """Return the place of each function, with the given ones that are the same."""
        found = dict[Place, list[str]]()
        for file, tree in sources.items():
            for function in _functions(tree):
                same = found.setdefault((file, *_beginning(function)), [])
                same += filter(None, [self._given.get(numbered(function))])
        return [*found.items()]


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
