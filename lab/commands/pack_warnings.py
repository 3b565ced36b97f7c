"""What in the files to hand in will cost points: found in their syntax, without running them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from typing import Final

from lab.exercises import EXERCISES

_GIVEN: Final = {"lab", "solvers", "generators"}
_LUCK: Final = {"random", "secrets", "uuid"}
_GENERATORS: Final = {exercise.file for exercise in EXERCISES if exercise.kind == "generator"}


def risks(files: Mapping[str, bytes]) -> Iterator[str]:
    """Say what will cost points, file by file; all of them are known to be Python."""
    own = {name.split("/")[0].removesuffix(".py") for name in files} | _GIVEN
    own |= {name.rsplit("/", 1)[-1].removesuffix(".py") for name in files}
    for name, content in files.items():
        tree = ast.parse(content)
        tree.body = [statement for statement in tree.body if not _runs_as_a_program_only(statement)]
        yield from _shadows(name)
        yield from _missing_packages(name, tree, own)
        yield from _questions(name, tree)
        yield from _prints(name, tree)
        if name in _GENERATORS:
            yield from _unseeded(name, tree)


def _runs_as_a_program_only(statement: ast.stmt) -> bool:
    """``if __name__ == "__main__"``: the grader imports the file, and never runs this."""
    return isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)


def _shadows(name: str) -> Iterator[str]:
    module = name.removesuffix(".py")
    if module in sys.stdlib_module_names:
        yield f"{name} has the name of a module of Python, which cannot be imported any more: rename it"


def _missing_packages(name: str, tree: ast.Module, own: set[str]) -> Iterator[str]:
    for module, line in _imported(tree):
        if module not in sys.stdlib_module_names and module not in own:
            yield f"{name}, line {line}, imports {module}: only the standard library and lab are there"


def _imported(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The first part of each imported module's name, and its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0], node.lineno


def _questions(name: str, tree: ast.Module) -> Iterator[str]:
    for line in _calls(tree, "input"):
        yield f"{name}, line {line}, asks for input(): nobody answers when it is graded"


def _prints(name: str, tree: ast.Module) -> Iterator[str]:
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    loops = [node for own in classes for node in ast.walk(own) if isinstance(node, ast.For | ast.While)]
    lines = sorted({line for loop in loops for line in _calls(loop, "print")})
    if lines:
        yield f"{name}, line {lines[0]}, prints in a loop: too much output ends the test that prints it"


def _calls(tree: ast.AST, function: str) -> Iterator[int]:
    """The lines in which a function of this name is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
            yield node.lineno


def _unseeded(name: str, tree: ast.Module) -> Iterator[str]:
    """Luck that comes from elsewhere than the generator's own ``rng``."""
    drawn = {"Random", "SystemRandom"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            module, function = node.func.value, node.func.attr
            if isinstance(module, ast.Name) and module.id in _LUCK and function not in drawn:
                luck = f"{module.id}.{function}"
                yield f"{name}, line {node.lineno}, draws by {luck}, not from rng: one seed, many mazes"
                return
        if isinstance(node, ast.ImportFrom) and node.module in _LUCK:
            names = [alias.name for alias in node.names if alias.name not in drawn]
            if names:
                yield f"{name}, line {node.lineno}, takes {names[0]} from {node.module}, not from rng"
                return
