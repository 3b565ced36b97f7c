"""Find code that will cost points in the syntax of the files to hand in, without running them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from lab import course
from lab.desktop import LACKING, is_answered
from lab.exercises import EXERCISES, FILES
from lab.leftovers import passed_over
from lab.python_versions import newer_than

_GIVEN: Final = {"lab", "solvers", "generators"}
_GRADED_WITH: Final = {
    *("lab", "lab.dimension", "lab.factory", "lab.generator", "lab.generators"),
    *("lab.generators.aldous_broder", "lab.maze", "lab.maze_format", "lab.solver", "lab.vector"),
}
"""The parts of the lab that exist when work is graded."""
_NOT_GRADED: Final = {module for modules in LACKING.values() for module in modules}
"""Modules that need what a grader's box lacks."""
_PASSED_OVER: Final = "it is passed over when it is graded"
_LEFT: Final = {
    "input": "it gets an empty line when it is graded",
    **dict.fromkeys(passed_over(), _PASSED_OVER),
}
_EXITS: Final = ("exit", "quit", "sys.exit", "unittest.main")
_LUCK: Final = {"random", "secrets", "uuid"}
_NOTHING_THERE: Final = "there are no {}, no {} and no {} when it is graded".format(*LACKING)
_KEPT: Final = "the file is kept in memory when it is graded"
_SEEDED: Final = {"Random"}
"""Sources of randomness that may be given a seed."""
_GENERATORS: Final = {exercise.file for exercise in EXERCISES if exercise.kind == "maker"}


def risks(files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield a warning for everything that will cost points, file by file; all files must be valid Python."""
    own = {name.split("/")[0].removesuffix(".py") for name in files} | _GIVEN
    own |= {name.rsplit("/", 1)[-1].removesuffix(".py") for name in files}
    for name, content in files.items():
        tree = ast.parse(content)
        yield from _newer_python(name, content)
        tree.body = [statement for statement in tree.body if not _runs_as_a_program_only(statement)]
        yield from _shadows(name)
        yield from _missing_packages(name, tree, own)
        for line in _calls(tree, "open", lambda call: not _writes(call)):
            yield f"{name}, line {line}, calls open(): {_NOTHING_THERE}"
        if name in _GENERATORS or (
            _GENERATORS and name not in FILES
        ):  # the student's own files may be used anywhere
            yield from _unseeded(name, tree)


def left_behind(files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield a note on what costs nothing and was hardly meant to stay; all files must be valid Python."""
    for name, content in files.items():
        tree = ast.parse(content)
        tree.body = [statement for statement in tree.body if not _runs_as_a_program_only(statement)]
        for function, becomes in _LEFT.items():
            for line in [*_calls(tree, function)][:1]:
                yield f"{name}, line {line}, calls {function}(): {becomes}"
        for line in [*_calls(tree, "open", _writes)][:1]:
            yield f"{name}, line {line}, calls open(): {_KEPT}"
        loops = [node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While)]
        for line in sorted({line for loop in loops for line in _calls(loop, "print")})[:1]:
            yield f"{name}, line {line}, prints in a loop: what is too much is dropped when it is graded"
        ends = [each.value for each in tree.body if isinstance(each, ast.Expr)]
        for line in [call.lineno for call in ends if _exits(call)][:1]:
            yield f"{name}, line {line}, ends the program: nothing from there on is used when it is graded"


def _exits(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in _EXITS


def _newer_python(name: str, content: bytes) -> Iterator[str]:
    """Yield a warning for what the Python that grades lacks."""
    graded_with = "{}.{}".format(*course.PYTHON)
    for each in newer_than(course.PYTHON, content.decode("utf-8-sig", "replace")):
        told = f"{each.what} came with Python {each.version}, and {graded_with} grades it"
        yield f"{name}, line {each.line}: {told}"


def _runs_as_a_program_only(statement: ast.stmt) -> bool:
    """Return whether this is ``if __name__ == "__main__"``, which never runs when the file is imported."""
    return isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)


def _shadows(name: str) -> Iterator[str]:
    module = name.removesuffix(".py")
    if module in sys.stdlib_module_names:
        yield f"{name} has the name of a module of Python, which is imported in its place: rename it"


def _missing_packages(name: str, tree: ast.Module, own: set[str]) -> Iterator[str]:
    for whole, line in _imported(tree):
        module = whole.split(".")[0]
        if module not in sys.stdlib_module_names and module not in own:
            yield f"{name}, line {line}, imports {module}: only the standard library and lab are there"
        elif module == "lab" and whole not in _GRADED_WITH:
            yield f"{name}, line {line}, imports {whole}: it does nothing when it is graded"
        elif module in _NOT_GRADED and module not in own and not _is_answered(tree, module):
            yield f"{name}, line {line}, imports {whole}: {_NOTHING_THERE}"


def _is_answered(tree: ast.Module, module: str) -> bool:
    """Tell whether nothing of a module is used but what is answered in its place."""
    nodes = [*ast.walk(tree)]
    from_it = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == module]
    used = [alias.name for node in from_it for alias in node.names]
    used += [
        node.attr for node in nodes if isinstance(node, ast.Attribute) and ast.unparse(node.value) == module
    ]
    return bool(used) and all(is_answered(f"{module}.{name}") for name in used)


def _imported(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the name of each imported module, and its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module, node.lineno


def _calls(tree: ast.AST, function: str, fits: Callable[[ast.Call], bool] = lambda _: True) -> Iterator[int]:
    """Yield the lines in which a function is called, by its name in its module or by that alone."""
    names = (function, function.rpartition(".")[2])
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in names and fits(node):
            yield node.lineno


def _writes(call: ast.Call) -> bool:
    """Tell whether a call of open names a mode in which the file is written."""
    modes = [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "mode")]
    return any(isinstance(mode, ast.Constant) and not {*"wax"}.isdisjoint(str(mode.value)) for mode in modes)


def _unseeded(name: str, tree: ast.Module) -> Iterator[str]:
    """Yield warnings about randomness that does not come from the generator's ``rng``."""
    modules = {alias.asname or alias.name: alias.name for alias in _aliases(tree) if alias.name in _LUCK}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            module, function = node.func.value, node.func.attr
            is_luck = isinstance(module, ast.Name) and module.id in modules
            if is_luck and (function not in _SEEDED or not node.args):
                luck = f"{modules[ast.unparse(module)]}.{function}"
                yield f"{name}, line {node.lineno}, draws by {luck}, not from rng: one seed, many mazes"
                return
        if isinstance(node, ast.ImportFrom) and node.module in _LUCK:
            names = [alias.name for alias in node.names if alias.name not in _SEEDED]
            if names:
                yield f"{name}, line {node.lineno}, takes {names[0]} from {node.module}, not from rng"
                return


def _aliases(tree: ast.Module) -> Iterator[ast.alias]:
    return (alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names)
