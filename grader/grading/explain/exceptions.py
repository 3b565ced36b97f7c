"""What Python's exceptions mean in words of this lab: each where nobody knows more of the mistake.

Python says what could not be done. Why it came to that is mostly one of two or three things, which are named,
with a question that tells them apart.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any, Final

from grader.languages import Message, said

_COLLECTIONS: Final = r"list|set|dict|tuple|(collections\.)?deque"
_CALLABLE: Final = "(method|function|builtin_function_or_method)"
HINTS: Final[tuple[tuple[str, str, str], ...]] = (
    ("TypeError", r"cannot unpack non-iterable (?!NoneType)", "unpacks"),
    ("ValueError", r"(too many|not enough) values to unpack", "unpacks"),
    ("KeyError", r"None$", "asks_for_none"),
    ("KeyError", r"(Vector)?\(.*\d+\)$", "asks_for_a_cell"),
    ("KeyError", r"'pop from an empty set'", "takes_from_nothing"),
    ("IndexError", r"pop from (an )?empty|index out of range$", "takes_from_nothing"),
    ("IndexError", r"\w+ (assignment )?index out of range$", "counts_elsewhere"),
    ("IndexError", r"Cannot choose from an empty sequence", "chooses_from_nothing"),
    ("ValueError", r"empty range|(min|max)\(\) (arg|iterable argument) is", "chooses_from_nothing"),
    ("AttributeError", r"'NoneType' object", "is_none"),
    ("TypeError", r".*\bNoneType\b", "is_none"),
    ("TypeError", rf".*['\"]{_CALLABLE}['\"]", "lacks_parentheses"),
    ("AttributeError", rf"'{_CALLABLE}' object", "lacks_parentheses"),
    ("TypeError", r"'(?P<kind>\w+)' object is not callable", "calls_a_value"),
    ("TypeError", r".*unhashable type: '(?P<kind>\w+)'", "unhashable"),
    ("UnboundLocalError", r"", "unbound"),
    ("RecursionError", r"", "recurses"),
    ("RuntimeError", r".*(changed size|mutated) during iteration", "changes_in_a_loop"),
    ("TypeError", r"can only concatenate (?P<kind>list|str|tuple) \(not \"(?P<other>\w+)\"", "concatenates"),
    ("TypeError", r".* for \+=?: '(?P<other>Vector)' and '(?P<kind>list)'", "concatenates"),
    ("AttributeError", rf"'(?P<kind>{_COLLECTIONS})' [^']*'(?P<other>\w+)'", "other_collection"),
)
"""The class of the exception, how its message begins, and the hint; the first that fits counts."""

_NO_ORDER: Final = re.compile(
    r"'<' not supported between instances of '(?!NoneType)(?P<kind>\w+)' and '(?!NoneType)"
)
_ORDERING: Final = {"heappush", "heappushpop", "heapify", "heappop", "sort", "sorted", "insort", "put"}
"""What compares entries with <."""
_NO_NAME: Final = re.compile(r"name '(?P<name>\w+)' is not defined")
_MODULES: Final = {
    **dict.fromkeys(("deque", "defaultdict", "Counter", "namedtuple", "OrderedDict"), "collections"),
    **dict.fromkeys(("heappush", "heappop", "heapify"), "heapq"),
    **dict.fromkeys(("NORTH", "EAST", "SOUTH", "WEST", "MOVES", "Vector", "Solver", "Generator"), "lab"),
    **dict.fromkeys(("inf", "sqrt"), "math"),
    **dict.fromkeys(("Queue", "LifoQueue", "PriorityQueue"), "queue"),
    **dict.fromkeys(("randint", "shuffle", "choice", "Random"), "random"),
    **dict.fromkeys(("dataclass", "field"), "dataclasses"),
}
"""Names that are often used before they are imported, with their modules."""
_WHOLE_MODULES: Final = {*_MODULES.values(), "itertools", "functools", "copy", "sys"}


def explain_exception(fault: Mapping[str, Any], tree: ast.Module) -> Message | None:
    """Return what an exception means; None where more cannot be said than Python says.

    ``tree`` is the file of the exercise.
    """
    kind, message = str(fault.get("kind", "")), str(fault.get("message", ""))
    if kind == "TypeError" and (found := _NO_ORDER.match(message)) and _orders(tree):
        return said("compares_next", kind=found["kind"])
    if kind == "NameError" and (found := _NO_NAME.match(message)):
        return _not_defined(found["name"], tree)
    for exception, beginning, hint in HINTS:
        if exception == kind and (found := re.match(beginning, message)):
            return said(hint, **found.groupdict())
    return None


def _orders(tree: ast.Module) -> bool:
    """Tell whether there is a heap, or something is sorted."""
    return any(
        isinstance(node, (ast.Name, ast.Attribute))
        and getattr(node, "id", getattr(node, "attr", "")) in _ORDERING
        for node in ast.walk(tree)
    )


def _not_defined(name: str, tree: ast.Module) -> Message | None:
    """Return where a name is that is not known: it was not imported, or it belongs to self."""
    kept = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
    methods = {
        each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, ast.FunctionDef)
    }
    if name in kept | methods:
        return said("belongs_to_self", name=name)
    if name in _WHOLE_MODULES:
        return said("not_imported", line=f"import {name}")
    if name in _MODULES:
        return said("not_imported", line=f"from {_MODULES[name]} import {name}")
    return None
