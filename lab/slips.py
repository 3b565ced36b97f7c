"""Slips of the pen: a class, a method or a name that is not quite what was meant, named with what was.

They are looked for in the text of a student's file, where students try their work and where it is graded. The
file is never run; where nothing in it is close to what was looked for, nothing is guessed.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from lab.came import odd_letter
from lab.exercises import Exercise

LONGEST_NAME, MOST_NAMES = 60, 1_000
"""A name of at most 60 characters is compared with at most 1,000 such names."""
_CLOSE: Final = 0.6
"""How alike (0 to 1) two names have to be for one to be meant by the other."""

OF_CLASS: Final = {
    *("method_is_meant", "no_method", "outside_the_class"),
    *("self_is_missing", "other_parameters", "by_position"),
}
"""What is told of a class that cannot be used as it is."""


class FileHint(NamedTuple):
    """A sentence on a file: its key in ``lab.slip_sentences`` with its values."""

    key: str
    values: Mapping[str, str | int] = {}
    line: int = 0
    """The line of the file that it is about; 0 for none."""


@dataclass(frozen=True, eq=False)
class FileText:
    """The text of a student's file, and its tree."""

    text: str
    tree: ast.Module

    @classmethod
    @lru_cache(maxsize=32)  # the public tests ask for the same few files again and again
    def of(cls, text: str) -> FileText:
        """Parse a text; NO_SOURCE if it is no Python, or nested too deep."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return cls(text, ast.parse(text))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return NO_SOURCE

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes, wherever they stand."""
        return {node.name: node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)}

    def functions(self, owner: str = "") -> dict[str, ast.FunctionDef]:
        """Return the methods of the class of that name, or the functions outside of any class."""
        within = self.classes.get(owner) if owner else self.tree
        return {} if within is None else {n.name: n for n in within.body if isinstance(n, ast.FunctionDef)}

    def members(self, owner: str) -> set[str]:
        """Return what objects of the class of that name have: its methods, and what is assigned to them."""
        body = self.classes[owner].body if owner in self.classes else []
        found = {*self.functions(owner)}
        for node in (node for statement in body for node in ast.walk(statement)):
            match node:
                case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                    found.add(name)
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    found.add(name)
        return found

    def line_of_equality(self, name: str) -> int:
        """Return the line by which a class, or one that it inherits from, has an ``__eq__``; 0 for none."""
        for kind in self._family(name):
            for each in kind.decorator_list:
                if re.match(r"([\w.]+\.)?dataclass\b", ast.unparse(each)):
                    return each.lineno
            for statement in kind.body:
                match statement:
                    case ast.FunctionDef(name="__eq__") | ast.Assign(targets=[ast.Name(id="__eq__")]):
                        return statement.lineno
        return 0

    def _family(self, name: str) -> list[ast.ClassDef]:
        """Return the class of that name, and those of the file that it inherits from."""
        found, left = list[ast.ClassDef](), [name]
        while left:
            kind = self.classes.get(left.pop())
            if kind is not None and kind not in found:
                found.append(kind)
                left += [each.id for each in kind.bases if isinstance(each, ast.Name)]
        return found


NO_SOURCE: Final = FileText("", ast.Module([], []))
"""A file that cannot be read."""


def missing_class(source: FileText, exercise: Exercise) -> list[FileHint]:
    """Tell why the exercise's class or function is not there; nothing where the file does not explain it.

    The file holds nothing, another class has nearly its name, its methods stand outside of any class, or the
    one class that has such methods, or the only class, has quite another name.
    """
    if source is NO_SOURCE:
        return []
    names, body = {"file": exercise.file, "name": exercise.name}, source.tree.body
    if all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in body):
        return [FileHint("only_comments" if source.text.strip() else "file_is_empty", names)]
    key = "function_is_meant" if exercise.is_function else "class_is_meant"
    there: Mapping[str, ast.FunctionDef | ast.ClassDef] = source.functions()
    there = there if exercise.is_function else source.classes
    if (close := nearest_name(exercise.name, there)) is not None:
        told = FileHint(key, {**names, "found": close}, there[close].lineno)
        return [told, *_letter(close, exercise.name, source)]
    for method in (source.functions()[name] for name in exercise.methods if name in source.functions()):
        return [FileHint("no_class_around", {**names, "method": method.name}, method.lineno)]
    able = [name for name in there if exercise.methods.keys() & source.functions(name)] or [*there]
    if exercise.is_function or exercise.name in there or len(able) != 1:
        return []
    return [FileHint("other_class", {**names, "found": able[0]}, there[able[0]].lineno)]


def missing_method(source: FileText, exercise: Exercise, missing: Iterable[str]) -> list[FileHint]:
    """Tell that the exercise's class lacks methods; nothing where it lacks none.

    Another method has nearly its name, or it stands outside of the class, or within a method.
    """
    missing, methods = list(missing), source.functions(exercise.name)
    inside = {id(statement) for each in source.classes.values() for statement in each.body}
    for name in missing:
        names = {"name": exercise.name, "method": name}
        if (close := nearest_name(name, methods)) is not None:
            line = methods[close].lineno
            told = FileHint("method_is_meant", {**names, "found": close, "line": line}, line)
            return [told, *_letter(close, name, source)]
        for node in ast.walk(source.tree):
            if isinstance(node, ast.FunctionDef) and node.name == name and id(node) not in inside:
                return [FileHint("outside_the_class", {**names, "line": node.lineno}, node.lineno)]
    return [FileHint("no_method", {"name": exercise.name, "method": name}) for name in missing[:1]]


def other_parameters(source: FileText, exercise: Exercise, name: str) -> list[FileHint]:
    """Tell that a method, or the function, cannot be called as it will be; nothing where it can."""
    is_method = not exercise.is_function
    node = source.functions(exercise.name if is_method else "").get(name)
    asked = ("self", *exercise.methods[name]) if is_method else exercise.parameters
    if node is None or node.decorator_list or _takes(node.args, len(asked)):
        return []
    whose: dict[str, str | int] = {"name": exercise.name if is_method else exercise.file, "method": name}
    values = {**whose, "line": node.lineno, "asked": ", ".join(asked)}
    has = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    if is_method and len(has) == len(asked) - 1 and has[:1] != ["self"]:
        return [FileHint("self_is_missing", values, node.lineno)]
    key = "by_position" if node.args.kwonlyargs else "other_parameters"
    has += [f"*{node.args.vararg.arg}"] if node.args.vararg else ["*"] if node.args.kwonlyargs else []
    has += [each.arg for each in node.args.kwonlyargs]
    return [FileHint(key, {**values, "has": ", ".join(has) or "()"}, node.lineno)]


def _takes(arguments: ast.arguments, count: int) -> bool:
    """Tell whether a function takes that many arguments by their positions."""
    most = len(arguments.posonlyargs) + len(arguments.args)
    is_enough = most - len(arguments.defaults) <= count and None not in arguments.kw_defaults
    return is_enough and (count <= most or arguments.vararg is not None)


def is_meant(name: str, known: Iterable[str], source: FileText, cutoff: float = _CLOSE) -> list[FileHint]:
    """Tell which of the known names is meant by one that is not known; nothing where none is close."""
    close = nearest_name(name, known, cutoff)
    if close is None:
        return []
    letter = _letter(name, close, source) or _letter(close, name, source)
    return [FileHint("is_meant", {"found": name, "meant": close}), *letter]


def _letter(found: str, meant: str, source: FileText) -> list[FileHint]:
    """Tell which letter of a name only looks like that of another, and where."""
    odd = odd_letter(found, meant)
    if odd is None:
        return []
    lines = source.text.splitlines()
    line = next((number for number, line in enumerate(lines, 1) if re.search(rf"\b{found}\b", line)), 1)
    return [FileHint("odd_letter", {"place": odd[0], "letter": odd[1], "found": found, "line": line}, line)]


def nearest_name(name: str, known: Iterable[str], cutoff: float = _CLOSE) -> str | None:
    """Return the other known name that looks the same, or comes closest, ignoring case; None if none does."""
    others = [each for each in sorted(known) if each != name and len(each) <= LONGEST_NAME][:MOST_NAMES]
    if len(name) > LONGEST_NAME:
        return None
    for each in others:
        if odd_letter(name, each) or odd_letter(each, name):
            return each
    by_key = {each.casefold().replace("_", ""): each for each in others}
    found = get_close_matches(name.casefold().replace("_", ""), by_key, n=1, cutoff=cutoff)
    return by_key[found[0]] if found else None
