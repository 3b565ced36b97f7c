"""Of each sentence on a slip, an exception or a count, whether it is so: asked of Python, not of the text."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from math import inf
from typing import Any, Self

from grader.model import Fault
from lab.exercises import BY_ID
from lab.watch import STREAMS
from tests.truth.record import Held, SecondRecord, parts_of
from tests.truth.runs import Run, cell_of, maze_of
from tests.truth.said import About, Said, true


def fault_of(about: About) -> Fault:
    """Return the exception of the call."""
    found = about.wrong.finding.fault if about.wrong else None
    return found or Fault("", "")


def module_of(about: About) -> Any:
    """Return the module of the exercise's file."""
    target = about.exercise.target
    tree = ast.parse(about.files.get(target.file, b""))
    return {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}, tree


def methods(about: About, owner: str) -> dict[str, ast.FunctionDef]:
    """Return the methods that stand in a class of the exercise's file."""
    found = module_of(about)[0].get(owner)
    return {each.name: each for each in found.body if isinstance(each, ast.FunctionDef)} if found else {}


def raising(record: SecondRecord, about: About) -> Run | None:
    """Return the run of the statement that raised the exception which ended the call."""
    kind = fault_of(about).kind
    ended = [n for n, each in enumerate(record.moments) if each.kind == "raise" and each.name == kind]
    while len(ended) > 1 and not any(m.kind == "line" for m in record.moments[ended[-2] : ended[-1]]):
        ended.pop()
    if not ended:
        return None
    last = record.moments[ended[-1]]
    places = [
        n for n, m in enumerate(record.moments[: ended[-1]]) if m.kind == "line" and m.frame == last.frame
    ]
    return Run(record, places[-1], ended[-1] + 1, last.frame) if places else None


def at_hand(record: SecondRecord, about: About) -> list[Any]:
    """Return what the statement that raised had to do with: its expressions, and its variables."""
    run = raising(record, about)
    return (
        []
        if run is None
        else [each.held for each in run.values] + [each.held for each in run.before.values()]
    )


# --- what stands in the file --------------------------------------------------------------------------


@true("missing_name", "function_is_meant", "class_is_meant", "other_class", "no_class_around")
def _lacks(said: Said, _: SecondRecord, about: About) -> bool:
    there, _tree = module_of(about)
    other = said.values.get("found") or said.values.get("method")
    return said.values["name"] not in there and (other is None or other in there)


@true("file_is_empty", "only_comments")
def _empty(said: Said, _: SecondRecord, about: About) -> bool:
    body, text = module_of(about)[1].body, about.files[said.values["file"]].strip()
    nothing = all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in body)
    return nothing and (not text) is (said.key == "file_is_empty")


@true("no_class")
def _no_class(said: Said, _: SecondRecord, about: About) -> bool:
    return said.values["name"] not in module_of(about)[0]


@true("no_method", "method_is_meant", "outside_the_class")
def _no_method(said: Said, _: SecondRecord, about: About) -> bool:
    there = methods(about, said.values["name"])
    found, line = said.values.get("found"), int(said.values.get("line", 0))
    nodes = [node for node in ast.walk(module_of(about)[1]) if isinstance(node, ast.FunctionDef)]
    named = {"method_is_meant": found, "outside_the_class": said.values["method"]}.get(said.key)
    is_there = named is None or any((node.name, node.lineno) == (named, line) for node in nodes)
    return said.values["method"] not in there and is_there and (found is None or found in there)


@true("self_is_missing", "other_parameters", "by_position", "lacks_self")
def _parameters(said: Said, _: SecondRecord, about: About) -> bool:
    owner, name = said.values["name"], said.values["method"]
    node = (methods(about, owner) or module_of(about)[0]).get(name)
    if node is None or node.lineno != int(said.values["line"]):
        return False
    lambda_ = ast.fix_missing_locations(ast.Expression(ast.Lambda(node.args, ast.Constant(None))))
    for each in ast.walk(node.args):
        if isinstance(each, ast.arg):
            each.annotation = None
    node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
    takes = inspect.signature(eval(compile(lambda_, "", "eval")))  # noqa: S307 - only its parameters
    if said.key in ("lacks_self", "self_is_missing"):
        return next(iter(takes.parameters), "") != "self"
    try:
        takes.bind(*said.values["asked"].split(", "))
    except TypeError:
        return all(each.lstrip("*") in takes.parameters for each in re.findall(r"\*?\w+", said.values["has"]))
    return False


@true("odd_letter")
def _odd_letter(said: Said, _: SecondRecord, about: About) -> bool:
    found, line = said.values["found"], int(said.values["line"])
    lines = about.files[about.exercise.target.file].decode().splitlines()
    return found in lines[line - 1] and not found[int(said.values["place"]) - 1].isascii()


# --- names --------------------------------------------------------------------------------------------


@true("is_meant")
def _is_meant(said: Said, record: SecondRecord, about: About) -> bool:
    """Python does not know the one, and the other is there; of an object's own attributes none is nearer."""
    found, meant, fault = said.values["found"], said.values["meant"], fault_of(about)
    text = b"\n".join(about.files.values()).decode(errors="replace")
    is_there = re.search(rf"\b{meant}\b", text) or hasattr(builtins, meant) or _is_of_a_kind(meant)
    kind = re.match(r"'(\w+)' object", fault.message)
    objects = [
        each for each in at_hand(record, about) if kind and isinstance(each, Held) and each.kind == kind[1]
    ]
    names = {part[0] for each in objects for part in each.parts if isinstance(part, tuple)}
    is_nearest = all(distance(found, meant) <= distance(found, each) for each in names)
    return re.search(rf"\b{found}\b", fault.message) is not None and bool(is_there) and is_nearest


def distance(one: str, other: str) -> int:
    """Return how many letters to put in, take out or change make one name of the other."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        before, row[0] = row[0], number
        for place, each in enumerate(other, 1):
            least = min(row[place] + 1, row[place - 1] + 1, before + (letter != each))
            before, row[place] = row[place], least
    return row[-1]


def _is_of_a_kind(name: str) -> bool:
    from collections import deque

    import lab

    return any(hasattr(each, name) for each in (list, set, dict, tuple, str, deque, lab, *vars(lab).values()))


@true("module_is_meant", "module_not_there", "pythons_own")
def _modules(said: Said, _: SecondRecord, about: About) -> bool:
    own = {path.removesuffix(".py").replace("/", ".") for path in about.files}
    if said.key == "pythons_own":
        return said.values["name"] in sys.stdlib_module_names and said.values["name"] in own
    if said.key == "module_is_meant":
        return said.values["found"] not in own and said.values["meant"] in {
            *own,
            BY_ID[about.exercise.id].module,
        }
    missing = re.search(r"'([\w.]+)'|name '(\w+)'", fault_of(about).message)
    root = (missing[1] or missing[2]).split(".")[0] if missing else ""
    return (
        root not in own and root not in sys.stdlib_module_names and find_spec(root) is None if root else False
    )


@true("interactive_only")
def _interactive_only(said: Said, _: SecondRecord, about: About) -> bool:
    return fault_of(about).kind == "NameError" and said.values["name"] in fault_of(about).message


@true("defined_below", "for_checkers_only")
def _defined_below(said: Said, _: SecondRecord, about: About) -> bool:
    name, at = said.values["name"], fault_of(about).trace[-1]
    tree = ast.parse(about.files[at.file])
    if said.key == "for_checkers_only":
        ifs = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        ]
        return any(
            alias.name == name for node in ifs for alias in ast.walk(node) if isinstance(alias, ast.alias)
        )
    names = {
        (getattr(node, "name", "") or getattr(node, "id", ""), getattr(node, "lineno", 0))
        for node in ast.walk(tree)
    }
    return (name, int(said.values["line"])) in names and int(said.values["line"]) > at.line


@true("belongs_to_self")
def _belongs_to_self(said: Said, record: SecondRecord, about: About) -> bool:
    name, run = said.values["name"], raising(record, about)
    owner = re.search(rf"\bself\.{name}\b|def {name}\b", "\n".join(map(str, about.files.values())))
    return (
        owner is not None and fault_of(about).kind == "NameError" and (run is None or name not in run.before)
    )


@true("not_imported")
def _not_imported(said: Said, _: SecondRecord, about: About) -> bool:
    """With the line, the name that is missing would be there."""
    missing = re.search(r"name '(\w+)'", fault_of(about).message)
    scope: dict[str, Any] = {}
    exec(said.values["line"], scope)  # noqa: S102 - an import of the standard library or of the lab
    return missing is not None and missing[1] in scope


@true("unbound")
def _unbound(said: Said, record: SecondRecord, about: About) -> bool:
    del said
    named, run = re.search(r"'(\w+)'", fault_of(about).message), raising(record, about)
    return named is not None and run is not None and named[1] not in run.before


# --- exceptions ---------------------------------------------------------------------------------------


@true("system_not_there")
def _system(_: Said, __: SecondRecord, about: About) -> bool:
    kind = getattr(builtins, fault_of(about).kind, None)
    return isinstance(kind, type) and issubclass(kind, OSError)


@true("newer_python")
def _newer(said: Said, _: SecondRecord, __: About) -> bool:
    return tuple(map(int, said.values["version"].split("."))) > sys.version_info[:2]


@true("outer_border")
def _outer_border(_: Said, record: SecondRecord, about: About) -> bool:
    return "outer border" in fault_of(about).message and any(
        type(each) is tuple for each in at_hand(record, about)
    )


@true("compares_next")
def _compares_next(said: Said, record: SecondRecord, about: About) -> bool:
    kind, entries = (
        said.values["kind"],
        [
            part
            for held in at_hand(record, about)
            for part in parts_of(held)
            if type(part) is tuple and len(part) > 1
        ],
    )
    firsts = [str(each[0]) for each in entries]
    return f"'{kind}'" in fault_of(about).message and len(firsts) > len({*firsts})


@true("asks_for_a_cell", "asks_for_none")
def _asks_for(said: Said, record: SecondRecord, about: About) -> bool:
    """A dictionary of the line does not have the key, which is a cell, or None."""
    held = at_hand(record, about)
    keys = [each for each in held if (each is None if said.key == "asks_for_none" else _is_cell(each))]
    tables = [
        part for each in held for part in parts_of(each) if isinstance(part, Held) and "dict" in part.kind
    ]
    return any(key not in [pair[0] for pair in each.parts] for key in keys for each in tables)


def _is_cell(held: Any) -> bool:
    return type(held) is tuple and len(held) == 2 and all(type(each) is int for each in held)


@true("calls_a_value")
def _calls_a_value(said: Said, record: SecondRecord, about: About) -> bool:
    kind, run = said.values["kind"], raising(record, about)
    return run is not None and f"'{kind}' object is not callable" in fault_of(about).message


@true("changes_in_a_loop")
def _changes(_: Said, record: SecondRecord, about: About) -> bool:
    run = raising(record, about)
    return (
        run is not None
        and run.record.moments[run.start].kind == "line"
        and "iteration" in fault_of(about).message
    )


@true("chooses_from_nothing", "takes_from_nothing")
def _nothing_there(_: Said, record: SecondRecord, about: About) -> bool:
    return any(
        part == () or (isinstance(part, Held) and not part.parts)
        for held in at_hand(record, about)
        for part in parts_of(held)
    )


@true("concatenates")
def _concatenates(said: Said, record: SecondRecord, about: About) -> bool:
    kinds = {_kind(each) for each in at_hand(record, about)}
    return said.values["kind"] in kinds and said.values["other"] in fault_of(about).message


def _kind(held: Any) -> str:
    return held.kind if isinstance(held, Held) else type(held).__name__


_SIZED = (Held, tuple)


@true("counts_elsewhere")
def _counts_elsewhere(_: Said, record: SecondRecord, about: About) -> bool:
    held = at_hand(record, about)
    lengths = [len(each.parts if isinstance(each, Held) else each) for each in held if type(each) in _SIZED]
    return any(not -length <= each < length for each in held if type(each) is int for length in lengths)


@true("is_none")
def _is_none(_: Said, record: SecondRecord, about: About) -> bool:
    return any(
        part is None
        for held in at_hand(record, about)
        for part in (held, *(held if type(held) is tuple else ()))
    )


@true("lacks_parentheses")
def _lacks_parentheses(_: Said, record: SecondRecord, about: About) -> bool:
    kinds = {_kind(each) for each in at_hand(record, about)}
    return bool(kinds & {"method", "function", "builtin_function_or_method"})


@true("other_collection")
def _other_collection(said: Said, record: SecondRecord, about: About) -> bool:
    kind = said.values["kind"].rpartition(".")[2]
    known = {
        each.__name__: each for each in (list, set, dict, tuple, frozenset, __import__("collections").deque)
    }
    is_there = (
        any(isinstance(each, Held) and each.kind == kind for each in at_hand(record, about))
        or kind == "tuple"
    )
    return is_there and not hasattr(known[kind], said.values["other"])


@true("recurses")
def _recurses(_: Said, record: SecondRecord, __: About) -> bool:
    """Calls of one function lay within each other, a hundred deep."""
    deep: dict[int, int] = {}
    for each in record.moments:
        if each.kind == "call":
            deep[each.frame] = deep.get(each.held[0], 0) + 1
    return max(deep.values(), default=0) >= 100


@true("unhashable")
def _unhashable(said: Said, _: SecondRecord, __: About) -> bool:
    """It can change: a list, a set or a dictionary."""
    return said.values["kind"] in ("list", "set", "dict", "deque", "bytearray", "collections.deque")


@true("eq_without_hash")
def _eq_without_hash(said: Said, _: SecondRecord, about: About) -> bool:
    """In that line, the class gets an __eq__ by itself, or as a dataclass does."""
    for text in about.files.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and node.name == said.values["kind"]:
                defined = {each.name: each.lineno for each in node.body if isinstance(each, ast.FunctionDef)}
                lines = {defined.get("__eq__"), node.lineno, *(each.lineno for each in node.decorator_list)}
                made = "__eq__" in defined or any("dataclass" in ast.unparse(d) for d in node.decorator_list)
                return made and "__hash__" not in defined and int(said.values["line"]) in lines
    return False


@true("cannot_change")
def _cannot_change(said: Said, record: SecondRecord, about: About) -> bool:
    kinds = {_kind(each) for each in at_hand(record, about)}
    return said.values["kind"] in kinds & {"tuple", "str", "frozenset", "range", "bytes"}


@true("no_operator")
def _no_operator(said: Said, record: SecondRecord, about: About) -> bool:
    """Both are in the line, and Python says that it has no such operator between them."""
    message, operator = fault_of(about).message, said.values["operator"]
    kinds = {*map(_kind, at_hand(record, about)), *re.findall(r"'([\w.]+)'", message)}
    return operator in message and {said.values["left"], said.values["right"]} <= kinds


@true("unpacks")
def _unpacks(_: Said, record: SecondRecord, about: About) -> bool:
    run = raising(record, about)
    return run is not None and "unpack" in fault_of(about).message


# --- how a call ended, and counts -----------------------------------------------------------------------


@true("raised", "raised_at_import", "raised_at_construct")
def _raised(said: Said, __: SecondRecord, about: About) -> bool:
    """The exception left the submission's code when the call was made again."""
    kind, _, message = said.values["what"].partition(": ")
    came = about.made()
    fault = came.get("fault") or {}
    stage = {"raised": "call", "raised_at_import": "import", "raised_at_construct": "construct"}[said.key]
    is_same = fault.get("kind") == kind and str(fault.get("message")).startswith(
        message.removesuffix("…")[:60]
    )
    return came["outcome"] == "raised" and is_same and fault["stage"] == stage


@true("at_line")
def _at_line(said: Said, _: SecondRecord, about: About) -> bool:
    """The innermost line of the submission in which it ended."""
    trace = (about.made().get("fault") or {}).get("trace") or [{}]
    last = (trace[-1].get("file"), str(trace[-1].get("line")), trace[-1].get("function"))
    return last == (said.values["file"], said.values["line"], said.values["function"])


@true("endless_questions", "endless_turns", "endless_series")
def _endless(said: Said, _: SecondRecord, about: About) -> bool:
    came = about.made()
    count = (came.get("spent") or {}).get("count", inf)  # none where the test's own clock ended it
    cells = sum(text.count("\n") // 2 * (text.index("\n") // 2) for text in _mazes(about)) or None
    is_size = "cells" not in said.values or cells is None or int(said.values["cells"]) == cells
    return came["outcome"] == "endless" and int(said.values["count"]) <= count and is_size


def _mazes(about: About) -> Iterator[str]:
    arguments = about.arguments
    for text in [*arguments.get("mazes", ()), *([arguments["maze"]] if "maze" in arguments else [])]:
        yield text.rstrip("\n") + "\n"


@true("endless", "endless_import", "endless_waits")
def _goes_on(_: Said, __: SecondRecord, about: About) -> bool:
    return bool(about.made()["outcome"] == "endless")


class _Streams:
    """Keeps the lists of what is seen of a solver."""

    seen: Mapping[str, Sequence[Any]] = {}

    def watch(self, seen: Mapping[str, Sequence[Any]]) -> None:
        self.seen = seen

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing was set."""


@true(*(f"endless_{name}" for name in STREAMS), "endless_outside")
def _endless_about(said: Said, record: SecondRecord, about: About) -> bool:
    """The code asked about that cell as often; or it is none of the maze's."""
    about.made(streams := _Streams())
    cell, inside = cell_of(said.values["cell"]), maze_of(about).dimension.includes
    asked = {name: [*map(tuple, streams.seen.get(name, ()))] for name in STREAMS}
    if said.key == "endless_outside":
        return (
            not inside(cell)
            and any(cell in seen for seen in asked.values())
            and _endless(said, record, about)
        )
    times = asked[said.key.removeprefix("endless_")].count(cell)
    return inside(cell) and times == int(said.values["times"]) and _endless(said, record, about)


@true(*(f"again_{name}" for name in STREAMS))
def _came_again(said: Said, _: SecondRecord, about: About) -> bool:
    """The maze has the cell, and the code came to it as often, after it had come to the other one again."""
    about.made(streams := _Streams())
    cell, first = cell_of(said.values["cell"]), cell_of(said.values["first"])
    seen = [*map(tuple, streams.seen.get(said.key.removeprefix("again_"), ()))]
    repeats = (each for at, each in enumerate(seen) if each in seen[:at])
    is_so = seen.count(cell) == int(said.values["times"]) and next(repeats, None) == first
    return is_so and bool(maze_of(about).dimension.includes(cell))
