"""What Python's exceptions mean in words of this lab, where students try their work and where it is graded.

Python says what could not be done. Why it came to that is mostly one of two or three things, which are named,
with a question that tells them apart. What is told of a name, the student's file and Python itself say.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from importlib import import_module
from typing import Final, NamedTuple

import lab
from lab import desktop
from lab.exercises import EXERCISES
from lab.python_versions import Version, newer_name, newer_syntax, why_not_there
from lab.slips import NO_SOURCE, FileHint, FileText, is_meant
from lab.suggestion import suggested

_COLLECTIONS: Final = r"list|set|dict|(collections\.)?deque"
_CHANGEABLE: Final = r"list|set|dict|bytearray|(collections\.)?(deque|defaultdict|Counter|OrderedDict)"
_CHANGES: Final = "append|appendleft|clear|extend|insert|pop|popleft|remove|reverse|sort"
_CALLABLE: Final = "(method|function|builtin_function_or_method)"
_PAIR: Final = r"'(?P<left>[\w.]+)' and '(?P<right>[\w.]+)'"
HINTS: Final[tuple[tuple[str, str, str], ...]] = (
    ("TypeError", r"cannot unpack non-iterable (?!NoneType)", "unpacks"),
    ("ValueError", r"(too many|not enough) values to unpack", "unpacks"),
    ("ValueError", r"the \w+ side of .* is the outer border", "outer_border"),
    ("KeyError", r"None$", "asks_for_none"),
    ("KeyError", r"(Vector)?\(.*\d+\)$", "asks_for_a_cell"),
    ("KeyError", r"'pop from an empty set'", "takes_from_nothing"),
    ("IndexError", r"pop from (an )?empty|index out of range$", "takes_from_nothing"),
    ("IndexError", r"\w+ (assignment )?index out of range$", "counts_elsewhere"),
    ("IndexError", r"Cannot choose from an empty sequence", "chooses_from_nothing"),
    ("ValueError", r"empty range|(min|max)\(\) (arg|iterable argument) is", "chooses_from_nothing"),
    *((kind, r"", "system_not_there") for kind in desktop.LACKED),
    ("NameError", r"name '(?P<name>help|exit|quit|copyright|credits|license)'", "interactive_only"),
    ("NameError", r"name '\w+' is not defined \(from [\w.]+ import \*: ", "module_not_there"),
    ("AttributeError", r"'NoneType' object", "is_none"),
    ("TypeError", r".*\bNoneType\b", "is_none"),
    ("TypeError", rf".*['\"]{_CALLABLE}['\"]", "lacks_parentheses"),
    ("AttributeError", rf"'{_CALLABLE}' object", "lacks_parentheses"),
    ("TypeError", r"'(?P<kind>\w+)' object is not callable", "calls_a_value"),
    ("TypeError", rf".*unhashable type: '(?P<kind>{_CHANGEABLE})'", "unhashable"),
    ("TypeError", r"'(?P<kind>tuple|str|range)' object does(n't| not) support item", "cannot_change"),
    (
        "AttributeError",
        rf"'(?P<kind>tuple|str|range)' object has no attribute '({_CHANGES})'",
        "cannot_change",
    ),
    ("UnboundLocalError", r"", "unbound"),
    ("RecursionError", r"", "recurses"),
    ("RuntimeError", r".*(changed size|mutated) during iteration", "changes_in_a_loop"),
    ("TypeError", r"can only concatenate (?P<kind>list|str|tuple) \(not \"(?P<other>\w+)\"", "concatenates"),
    ("TypeError", r".* for \+=?: '(?P<other>Vector)' and '(?P<kind>list)'", "concatenates"),
    ("AttributeError", rf"'(?P<kind>{_COLLECTIONS})' [^']*'(?P<other>\w+)'", "other_collection"),
    ("TypeError", r"'<' not supported between instances of '(?P<kind>\w+)' and", "compares_next"),
    ("TypeError", rf"unsupported operand type\(s\) for (?P<operator>[^:]+): {_PAIR}", "no_operator"),
    ("TypeError", rf"'(?P<operator>[<>]=?)' not supported between instances of {_PAIR}", "no_operator"),
)
"""The class of the exception, how its message begins, and the hint; the first that fits counts."""
_ENDS: Final = re.compile(r"[^\[\]]*\[(0|-1)\][^\[\]]*")
"""How a line looks that reads one element, which any collection has in which there is something."""
_ORDERS: Final = re.compile(r"heap|sort|\.put\(")
"""How a line looks that compares entries with <."""
_SURE: Final = {"system_not_there", "interactive_only", "module_not_there"}
QUESTIONS: Final = {*(key for _, _, key in HINTS), "belongs_to_self", "not_imported"} - _SURE
"""What asks rather than tells."""

_ABSENT: Final = {
    "ImportError": r"cannot import name '(?P<name>\w+)' from '(?P<of>[\w.]+)'",
    "AttributeError": r"(module |type object )?'(?P<of>[\w.]+)' (object )?has no attribute '(?P<name>\w+)'",
    "ModuleNotFoundError": r"No module named '(?P<of>[\w.]+)'",
    "NameError": r"name '(?P<name>\w+)' is not defined",
}
"""How Python says that a name or a module is not there."""
_COUNTS: Final = re.compile(r"(?:.*\.)?(\w+)\.(\w+)\(\) takes (\d+) positional arguments? but (\d+) w")

_IMPORTED_FROM: Final = {
    "collections": "deque defaultdict Counter namedtuple OrderedDict",
    "heapq": "heappush heappop heapify heapreplace heappushpop",
    "lab": " ".join(lab.__all__),
    "math": "inf sqrt",
    "queue": "Queue LifoQueue PriorityQueue",
    "random": "randint shuffle choice Random",
    "dataclasses": "dataclass field",
    "functools": "cache lru_cache partial reduce total_ordering cmp_to_key",
    "typing": "Any Optional Union List Dict Set Tuple NamedTuple TYPE_CHECKING",
    **dict.fromkeys(("bisect", "copy", "itertools", "operator", "os", "re", "string", "sys", "time"), ""),
}
"""Modules that students use, and names in them that are often used before they are imported."""
_MODULE_OF: Final = {name: module for module, names in _IMPORTED_FROM.items() for name in names.split()}
_BUILT_IN: Final = [name for name in dir(builtins) if name[0] != "_"]
_CLOSER: Final = 0.8
"""Of Python's own names there are many: one has to be as alike (0 to 1) to be meant."""


class PythonError(NamedTuple):
    """An exception of a student's code, as plain data."""

    kind: str
    message: str
    line: int = 0
    """The line of the file that raised it; 0 if another file did."""
    code: str = ""
    """The text of the line that raised it, or that could not be read."""
    at_import: bool = False
    python: Version | None = None
    """The Python that raised it, where that is known."""
    own: Collection[str] = ()
    """The student's files, without their suffix."""


def explain(raised: PythonError, source: FileText = NO_SOURCE) -> list[FileHint]:
    """Tell what an exception means, in sentences; nothing where more cannot be said than Python says.

    ``source`` is the file that raised it, where that can be read.
    """
    if raised.kind == "SyntaxError" and raised.python is not None:
        newer = newer_syntax(raised.code)
        return _newer(raised.code, newer.since) if newer and newer.since > raised.python else []
    hints = [*_hints(raised)][:1]
    if hints and hints[0].key in _SURE:
        return hints
    found = re.match(_ABSENT.get(raised.kind, r"\Z."), raised.message)
    told = _absent(raised, source, **{"name": "", "of": "", **found.groupdict()}) if found else []
    return told or _without_self(raised, source) or _without_hash(raised, source) or hints


def _absent(raised: PythonError, source: FileText, *, name: str, of: str) -> list[FileHint]:
    newer = newer_name(of or "builtins", name)
    if newer is not None and (raised.python is None or newer.since > raised.python):
        return _newer(newer.what, newer.since)
    if raised.kind == "NameError":
        return _name(name, raised, source)
    return _module(of) if raised.kind == "ModuleNotFoundError" else _member(name, of, raised, source)


def _newer(what: str, since: Version) -> list[FileHint]:
    return [FileHint("newer_python", {"what": what, "version": "{}.{}".format(*since)})]


def _hints(raised: PythonError) -> Iterator[FileHint]:
    for kind, beginning, key in HINTS:
        found = re.match(beginning, raised.message) if kind == raised.kind else None
        if key == "counts_elsewhere" and _ENDS.fullmatch(raised.code) and "assignment" not in raised.message:
            key = "takes_from_nothing"
        if found is not None and (key != "compares_next" or _ORDERS.search(raised.code)):
            yield FileHint(key, found.groupdict())


def _without_self(raised: PythonError, source: FileText) -> list[FileHint]:
    """Tell of a method that was called with one more than it takes, and has no ``self``."""
    found = _COUNTS.match(raised.message) if raised.kind == "TypeError" else None
    method = source.functions(found[1]).get(found[2]) if found else None
    if found is None or method is None or method.decorator_list or int(found[4]) != int(found[3]) + 1:
        return []
    values = {"name": found[1], "method": found[2], "line": method.lineno}
    return [FileHint("lacks_self", values)] if [n.arg for n in method.args.args[:1]] != ["self"] else []


def _without_hash(raised: PythonError, source: FileText) -> list[FileHint]:
    """Tell where a class has its ``__eq__`` from that has no hash, since it defines none beside it."""
    found = re.match(r".*unhashable type: '(\w+)'", raised.message) if raised.kind == "TypeError" else None
    line = source.line_of_equality(found[1]) if found else 0
    return [FileHint("eq_without_hash", {"kind": found[1], "line": line}, line)] if found and line else []


# --- names that are not there ---------------------------------------------------------------------


def _module(name: str) -> list[FileHint]:
    meant = {each.stem: each.module for each in EXERCISES}.get(name, name)
    if meant != name:
        return [FileHint("module_is_meant", {"found": name, "meant": meant})]
    root, _, inner = name.partition(".")
    is_python = root in sys.stdlib_module_names
    if root in {"lab", *(each.module.split(".")[0] for each in EXERCISES)} or (inner and is_python):
        return []
    close = [] if is_python else is_meant(root, _public(sys.stdlib_module_names), NO_SOURCE, _CLOSER)
    return close or [FileHint("module_not_there")]


def _name(name: str, raised: PythonError, source: FileText) -> list[FileHint]:
    early = why_not_there(source.tree, name, raised.line, at_import=raised.at_import) if raised.line else None
    if early is not None and early.below:
        return [FileHint("defined_below", {"name": name, "line": early.below})]
    if early is not None:
        return [FileHint("for_checkers_only", {"name": name})]
    if any(name in source.members(each) for each in source.classes):
        return [FileHint("belongs_to_self", {"name": name})]
    if line := _import_of(name, source):
        return [FileHint("not_imported", {"line": line})]
    return is_meant(name, _names(source), source) or is_meant(name, _BUILT_IN, source, _CLOSER)


def _import_of(name: str, source: FileText) -> str:
    """Return the import that a name lacks; "" where that is not known.

    Of a module, something has to be used that is in it: a variable may have its name.
    """
    if name in _MODULE_OF:
        return f"from {_MODULE_OF[name]} import {name}"
    attributes = [node for node in ast.walk(source.tree) if isinstance(node, ast.Attribute)]
    used = {each.attr for each in attributes if isinstance(each.value, ast.Name) and each.value.id == name}
    return f"import {name}" if used & {*_of_module(name)} else ""


def _member(name: str, of: str, raised: PythonError, source: FileText) -> list[FileHint]:
    if of in raised.own and of in sys.stdlib_module_names:
        return [FileHint("pythons_own", {"name": of})]
    if raised.kind == "AttributeError":  # Python proposes one itself, and knows the object
        return is_meant(name, [suggested(raised.message)], source)[1:]
    exercises = (each.name for each in EXERCISES if each.module == of)
    return is_meant(name, _public({*exercises, *_of_module(of)}), source)


def _of_module(name: str) -> Collection[str]:
    """Return the names in one of the modules that students use; none of any other."""
    module = import_module(name) if name in _IMPORTED_FROM else None
    return getattr(module, "__all__", dir(module)) if module is not None else ()


def _public(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if not name.startswith("_"))


def _names(source: FileText) -> list[str]:
    """Return the names that the file gives to something, but for methods."""
    methods = {id(method) for each in source.classes.values() for method in each.body}
    nodes = [n for n in ast.walk(source.tree) if id(n) not in methods and not isinstance(n, ast.keyword)]
    nodes = [node for node in nodes if not isinstance(getattr(node, "ctx", None), ast.Load)]
    kinds = ("id", "arg", "name", "asname")
    return sorted({name for node in nodes for kind in kinds if (name := getattr(node, kind, None))})
