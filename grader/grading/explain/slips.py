"""Slips of the pen: a class, a method or a name that is not quite what was meant, named with what was.

A slip fails every check of its exercise in one manner. It is told before any maze is: what was looked
for, and what stands in the file instead. The file is read as text, never run; where nothing in it is
close to what was looked for, what Python said stays as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from grader.grading.explain.exceptions import explain_exception
from grader.grading.explain.not_there import explain_absence, explain_star, explain_version
from grader.intake.python_source import decode_source, parse_source, scope_statements
from grader.intake.source_files import tell_fault
from grader.languages import Message, Text, said
from grader.model import ExerciseResult, Target, Verdict
from grader.reader import Read, read_here
from lab import Dimension, Factory, Maze, Vector
from lab.came import odd_letter, recognise
from lab.exercises import BY_ID, Exercise
from lab.python_versions import why_not_there

GIVEN = {
    "Search": [
        *("mark_as_pending", "record", "has_pending_cells", "first_pending", "last_pending"),
        *("closest_pending", "distance_to", "moves_to", "known_cells"),
    ],
    **{
        kind.__name__: [name for name in dir(kind) if not name.startswith("_")]
        for kind in (Maze, Vector, Dimension, Factory)
    },
}
"""The members of the objects that a student's code is handed."""

LONGEST_NAME, MOST_NAMES = 60, 1_000
"""A name of at most 60 characters is compared with at most 1,000 such names."""
NOT_THERE = "said.missing_name"
"""What is said of a file without its class."""

_LACKS = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_ABSTRACT = re.compile(r"Can't instantiate abstract class (\w+) with")
_PARAMETERS = re.compile(r"(?:\w+\.)*?(\w+)\.(\w+)\(\) (?:takes|missing) ")
_NO_NAME = re.compile(r"name '(\w+)' is not defined")


@dataclass(frozen=True, slots=True)
class FoundSlip:
    """What the file says of a verdict, in the place of its message or its hint."""

    message: Text | None = None
    hint: Text | None = None
    is_all: bool = False
    """Whether nothing else of the verdict is worth telling, but the fault."""


@dataclass(frozen=True, slots=True)
class _Source:
    """The file of an exercise, as a tree."""

    target: Target
    asked: Exercise
    text: str
    tree: ast.Module

    @property
    def has_code(self) -> bool:
        """Tell whether there is more in it than comments and strings."""
        body = self.tree.body
        return not all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in body)

    @property
    def classes(self) -> Iterator[ast.ClassDef]:
        return (each for each in scope_statements(self.tree) if isinstance(each, ast.ClassDef))

    @property
    def functions(self) -> Mapping[str, ast.FunctionDef]:
        """The functions that stand outside of any class."""
        return _functions(self.tree)

    @property
    def methods(self) -> Mapping[str, ast.FunctionDef]:
        """The methods of the class that was looked for."""
        found = (each for each in self.classes if each.name == self.target.name)
        return {name: method for each in found for name, method in _functions(each).items()}


def with_slips(
    result: ExerciseResult, target: Target, content: bytes | None, read: Read = read_here
) -> ExerciseResult:
    """Return the result with each slip explained by what was meant; ``content`` is the exercise's file."""
    verdicts = [each for check in result.checks for each in (check.verdict, check.for_staff) if each]
    if content is None or all(each.status == "passed" for each in verdicts):
        return result
    slips = read(lambda: _slips(verdicts, target, BY_ID[result.id], content), list[FoundSlip | None])
    told = dict(zip(map(id, verdicts), slips or (), strict=False))

    def spelt(verdict: Verdict) -> Verdict:
        slip = told.get(id(verdict))
        return verdict if slip is None else _with_slip(verdict, slip)

    return replace(
        result,
        checks=tuple(
            replace(check, verdict=spelt(check.verdict), for_staff=check.for_staff and spelt(check.for_staff))
            for check in result.checks
        ),
    )


def _with_slip(verdict: Verdict, slip: FoundSlip) -> Verdict:
    if slip.is_all:
        shown = {"actual": {"fault": _fault(verdict)}, "expected": {}}
        return Verdict(verdict.status, slip.message or "", counterexample=shown)
    message = verdict.message if slip.message is None else slip.message
    return replace(verdict, message=message, hint=verdict.hint if slip.hint is None else slip.hint)


def _slips(
    verdicts: Sequence[Verdict], target: Target, asked: Exercise, content: bytes
) -> list[FoundSlip | None]:
    text = decode_source(content)
    tree = None if text is None else parse_source(text)
    if text is None or tree is None:
        return [_unread(verdict, target, content) for verdict in verdicts]
    return [_slip(verdict, _Source(target, asked, text, tree)) for verdict in verdicts]


def _unread(verdict: Verdict, target: Target, content: bytes) -> FoundSlip | None:
    """Return what came in place of Python, or with which Python the line came that could not be read."""
    fault = _fault(verdict)
    if fault.get("stage") != "import":
        return None
    came = recognise(content)
    if came is not None:
        return FoundSlip(hint=tell_fault(came, target.file))
    newer = explain_version(fault, verdict.message)
    return None if newer is None else FoundSlip(newer)


def _slip(verdict: Verdict, source: _Source) -> FoundSlip | None:
    if verdict.status == "missing":
        is_there = isinstance(verdict.message, Message) and verdict.message.key != NOT_THERE
        return None if is_there else FoundSlip(_missing_class(source))
    fault = _fault(verdict)
    slip = _missing_method(fault, source) or _parameters(fault, source)
    if slip is not None:
        return FoundSlip(slip, is_all=True)
    told = (
        explain_version(fault, verdict.message)
        or explain_absence(fault, verdict.message)
        or _too_early(fault, verdict.message, source)
    )
    if told is not None:
        return FoundSlip(told)
    found, meant = _misspelt(fault, source)
    if meant:
        told = said("is_meant", sentence=verdict.message, found=found, meant=meant)
        return FoundSlip(_with_letter(told, found, meant, source))
    if (told := explain_star(fault, verdict.message)) is not None:
        return FoundSlip(told)
    return None if verdict.misconception else FoundSlip(hint=explain_exception(fault, source.tree))


def _too_early(fault: Mapping[str, Any], sentence: Text, source: _Source) -> Message | None:
    """Return the sentence with where a name is, which is not there yet, or for type checkers only."""
    found, trace = _NO_NAME.match(str(fault.get("message", ""))), fault.get("trace")
    if fault.get("kind") != "NameError" or found is None or not trace:
        return None
    frame, at_import = trace[-1], fault.get("stage") == "import"
    if frame["file"] != source.target.file:
        return None
    early = why_not_there(source.tree, found[1], frame["line"], at_import=at_import)
    if early is None:
        return None
    if early.below:
        return said("defined_below", sentence=sentence, name=early.name, line=early.below)
    return said("for_checkers_only", sentence=sentence, name=early.name)


def _with_letter(sentence: Message, found: str, meant: str, source: _Source) -> Message:
    """Return the sentence with the letter of a name that only looks like that of another, and its place."""
    odd = odd_letter(found, meant)
    if odd is None:
        return sentence
    lines = source.text.splitlines()
    line = next((number for number, line in enumerate(lines, 1) if re.search(rf"\b{found}\b", line)), 1)
    return said("odd_letter", sentence=sentence, place=odd[0], letter=odd[1], found=found, line=line)


def _fault(verdict: Verdict) -> Mapping[str, Any]:
    actual: Any = (verdict.counterexample or {}).get("actual")
    return (actual.get("fault") or {}) if isinstance(actual, Mapping) else {}


def _missing_class(source: _Source) -> Message | None:
    """Return a message on why the class is not there; None where nothing in the file explains it.

    The file holds nothing, another class has nearly its name, its methods stand outside of any class, or the
    one class that has such methods, or the only class, has quite another name.
    """
    file, name = source.target.file, source.target.name
    if not source.has_code:
        return said("only_comments" if source.text.strip() else "file_is_empty", file=file, name=name)
    if source.asked.is_function:
        meant = _close(name, [*source.functions])
        told = said("function_is_meant", file=file, name=name, found=meant)
        return _with_letter(told, meant, name, source) if meant else None
    close = _close(name, [each.name for each in source.classes])
    if close:
        return _with_letter(said("class_is_meant", file=file, name=name, found=close), close, name, source)
    alone = [method for method in source.asked.methods if method in source.functions]
    if alone:
        return said("no_class_around", file=file, name=name, method=alone[0])
    other = _other_class(source)
    return None if other is None else said("other_class", file=file, name=name, found=other)


def _other_class(source: _Source) -> str | None:
    """Return the name of the class that is there instead; None where several may be meant."""
    classes = {each.name: _functions(each) for each in source.classes}
    able = [name for name, has in classes.items() if any(method in has for method in source.asked.methods)]
    found = able or [*classes]
    return found[0] if len(found) == 1 and source.target.name not in classes else None


def _missing_method(fault: Mapping[str, Any], source: _Source) -> Message | None:
    """Return a message on a method that the class lacks; None where it lacks none.

    Another method has nearly its name, or it stands outside of the class.
    """
    message, name = str(fault.get("message", "")), source.target.name
    lacks = _LACKS.match(message)
    abstract = _ABSTRACT.match(message)
    if abstract is not None and abstract[1] == name:
        missing = [each for each in source.asked.methods if each not in source.methods]
    elif lacks is not None and lacks[1] == name and fault.get("kind") == "AttributeError":
        missing = [lacks[2]] if lacks[2] in source.asked.methods else []
    else:
        return None
    for method in missing:
        close = _close(method, source.methods)
        if close:
            line = source.methods[close].lineno
            told = said("method_is_meant", name=name, method=method, found=close, line=line)
            return _with_letter(told, close, method, source)
        outside = _outside(method, source.tree)
        if outside is not None:
            return said("outside_the_class", name=name, method=method, line=outside.lineno)
    return said("no_method", name=name, method=missing[0]) if missing else None


def _parameters(fault: Mapping[str, Any], source: _Source) -> Message | None:
    """Return a message on a method with other parameters than it is called with; None where it is not so."""
    found = _PARAMETERS.match(str(fault.get("message", "")))
    if fault.get("kind") != "TypeError" or found is None or found[1] != source.target.name:
        return None
    wanted, method = source.asked.methods.get(found[2]), source.methods.get(found[2])
    if wanted is None or method is None:
        return None
    has = [each.arg for each in (*method.args.posonlyargs, *method.args.args)]
    if len(has) == len(wanted) + 1:
        return None
    names = {"name": source.target.name, "method": found[2], "line": method.lineno}
    asked = ", ".join(("self", *wanted))
    if len(has) == len(wanted) and has[:1] != ["self"]:
        return said("self_is_missing", **names, asked=asked)
    shown = ", ".join((*has, *_by_name(method.args)))
    return said(
        "by_position" if method.args.kwonlyargs else "other_parameters", **names, has=shown, asked=asked
    )


def _by_name(arguments: ast.arguments) -> list[str]:
    """Return the parameters that follow a star, with the star."""
    star = [f"*{arguments.vararg.arg}"] if arguments.vararg else ["*"] if arguments.kwonlyargs else []
    return [*star, *(each.arg for each in arguments.kwonlyargs)]


def _misspelt(fault: Mapping[str, Any], source: _Source) -> tuple[str, str]:
    """Return a name that does not exist, and the existing one that comes close; empty where there is none."""
    message = str(fault.get("message", ""))
    lacks = _LACKS.match(message)
    if fault.get("kind") == "AttributeError" and lacks is not None:
        known: Collection[str] = GIVEN.get(lacks[1], ())
        if lacks[1] == source.target.name:
            known = source.methods
        return lacks[2], _close(lacks[2], known)
    unknown = _NO_NAME.match(message)
    if fault.get("kind") == "NameError" and unknown is not None:
        return unknown[1], _close(unknown[1], _names(source.tree) - {unknown[1]})
    return "", ""


def _names(tree: ast.Module) -> set[str]:
    """Return the names that the file defines."""
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    taken = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    imported = {a.asname or a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names}
    return stored | taken | imported


def _outside(name: str, tree: ast.Module) -> ast.FunctionDef | None:
    """Return the function of that name that stands outside of the class, or within a method."""
    inside = {id(s) for each in ast.walk(tree) if isinstance(each, ast.ClassDef) for s in each.body}
    is_it: Callable[[ast.AST], bool] = lambda node: isinstance(node, ast.FunctionDef) and node.name == name  # noqa: E731
    return next((n for n in ast.walk(tree) if is_it(n) and id(n) not in inside), None)  # type: ignore[return-value]


def _functions(within: ast.Module | ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {each.name: each for each in within.body if isinstance(each, ast.FunctionDef)}


def _close(name: str, known: Collection[str]) -> str:
    """Return the known name that comes closest, ignoring case; empty where none is close."""
    short = [each for each in sorted(known) if len(each) <= LONGEST_NAME][:MOST_NAMES]
    if len(name) > LONGEST_NAME:
        return ""
    same = next((each for each in short if odd_letter(name, each) or odd_letter(each, name)), None)
    if same is not None:
        return same
    by_key = {each.casefold().replace("_", ""): each for each in short}
    found = get_close_matches(name.casefold().replace("_", ""), by_key, n=1)
    return by_key[found[0]] if found and by_key[found[0]] != name else ""
