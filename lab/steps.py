"""Records what a student's code does line by line: which line runs, what its variables hold, how calls end.

Values are kept as short texts, where they changed. No method of a student's object is called.
"""

from __future__ import annotations

import sys
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, GeneratorType, TracebackType
from typing import Any, Final, Literal, NamedTuple, Self, TypeGuard

from lab.maze import Maze
from lab.vector import MOVES, Vector

MOST_EVENTS: Final = 4_000
"""A run is recorded until 4,000 things have happened: that of a right solver in a small maze has some 500."""
MOST_CHARACTERS: Final = 500_000
"""And until its values have 500,000 characters."""
MOST_TEXT, MOST_ITEMS, MOST_NAMES = 60, 12, 40
"""A value is told in 60 characters, a collection by 12 elements, a call by 40 variables."""
MOST_BITS: Final = 200
"""A whole number of more bits is not written out, which takes long."""
_SORTED: Final = 200
"""Elements of a set of at most 200 are told in order; a larger one may have another order in each run."""
_NAMES: Final = {move: move.name for move in MOVES}
_DICTS: Final = (dict, defaultdict, OrderedDict)
_BRACKETS: Final = {list: "[]", tuple: "()", deque: "[]", set: "{}", frozenset: "{}"}
_DATA: Final = (*_BRACKETS, *_DICTS, int)
_VIEWS: Final[tuple[type, ...]] = (type({}.keys()), type({}.values()), type({}.items()))
_PAIRS: Final = (tuple, Vector)
_OURS: Final = ".asked_search"
"""The module, in whatever package, of objects that stand in for a search."""
_ENDS_GENERATORS: Final = "GeneratorExit"
"""Raised in a generator that nobody goes on with."""
_FUNCTIONS: Final = (FunctionType, BuiltinFunctionType)
_TOO_DEEP: Final = "maximum recursion depth exceeded"
"""How Python's message on too deep a recursion begins."""

Kind = Literal["line", "mark", "raise", "return"]


class Event(NamedTuple):
    """Something that happened: a line begins, something was seen, an exception passes, a call returns."""

    kind: Kind
    line: int
    call: int
    """The number of the call that it happened in."""
    text: str = ""
    """What was seen, the exception, or the value that is returned."""
    values: Mapping[str, str] = {}
    """The variables that changed since the call's last line; of what was seen, the cells."""


class StepRecorder:
    """Records the calls of a student's functions while it is entered as a context."""

    def __init__(
        self,
        is_own: Callable[[str], bool],
        begins: Mapping[str, int] = {},
        counts: Callable[[str], bool] | None = None,
    ) -> None:
        """Record the files that are the student's own; ``begins`` is added to the lines of a file.

        So the lines of several files are told apart, as if the files stood below each other. Lines of the
        files that ``counts`` names are counted, by default of the same ones.
        """
        self.events: list[Event] = []
        self.steps: list[int] = []
        """For each event how many lines had begun by then, since the outermost call began."""
        self._is_own, self._begins, self._is_counted = is_own, begins, counts or is_own
        self._step = self._depth = 0
        self._seen: Mapping[str, Sequence[Any]] = {}
        self._told: dict[str, int] = {}
        self._calls = self._characters = 0

    def __enter__(self) -> Self:
        sys.settrace(self._called)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.settrace(None)
        self._mark(0, 0)

    def watch(self, seen: Mapping[str, Sequence[Any]]) -> None:
        """Mark from now on what comes to these lists, which grow while the code runs."""
        self._seen, self._told = seen, {}
        self._add(Event("mark", 0, 0, "begins"))

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if self.is_full or code.co_name[0] == "<" or not self._is_counted(code.co_filename):
            return None
        self._step = self._step if self._depth else 0
        self._depth += 1
        return self._recorded(code) if self._is_own(code.co_filename) else self._count

    def _recorded(self, code: CodeType) -> Any:
        self._calls += 1
        number, known, is_left = self._calls, dict[str, str](), False
        begins = self._begins.get(code.co_filename, 0)

        def happened(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal is_left
            line = begins + frame.f_lineno
            self._mark(line, number)
            self._count(frame, event, argument)
            if self.is_full:
                sys.settrace(None)
                frame.f_trace = None
                return None
            if event == "exception":
                self._add(Event("raise", line, number, _exception(argument[1])))
                is_left = True
            elif event in ("line", "return"):
                found = islice(variables(frame, self._is_own_type), MOST_NAMES)
                now = {name: shown(value) for name, value in found}
                changed = {name: text for name, text in now.items() if known.get(name) != text}
                known.update(changed)
                if event == "line":
                    is_left = False
                    self._add(Event("line", line, number, values=changed))
                elif not is_left:  # else the exception ends it
                    self._add(Event("return", line, number, shown(argument), changed))
            return happened

        return happened

    def _count(self, _frame: FrameType, event: str, _argument: Any) -> Any:
        self._step += event == "line"
        self._depth -= event == "return"
        return self._count

    def _add(self, event: Event) -> None:
        is_end = event.kind == "raise" and event.text == _ENDS_GENERATORS
        if not self.is_full and not is_end:
            self.events.append(event)
            self.steps.append(self._step)
            self._characters += sum(map(len, event.values.values()))

    @property
    def is_full(self) -> bool:
        """Whether nothing more is recorded."""
        return len(self.events) >= MOST_EVENTS or self._characters >= MOST_CHARACTERS

    def _mark(self, line: int, call: int) -> None:
        """Record what was seen since the last time."""
        for name, stream in self._seen.items():
            for item in stream[self._told.get(name, 0) :]:
                cells = item if type(item) is tuple and not is_pair(item) else (item,)
                values = {str(place): shown(cell) for place, cell in enumerate(cells[:2])}
                self._add(Event("mark", line, call, name, values))
            self._told[name] = len(stream)

    def _is_own_type(self, kind: type) -> bool:
        module = sys.modules.get(kind.__module__)
        file = getattr(module, "__file__", None)
        return type(file) is str and self._is_own(file)


def variables(frame: FrameType, is_own: Callable[[type], bool]) -> Iterator[tuple[str, Any]]:
    """Yield the variables of a call, the attributes of the student's objects among them, and globals."""
    for name, value in [*frame.f_locals.items()]:
        yield name, value
        if is_own(type(value)):
            held = {**_of_class(type(value)), **attributes(value)}
            yield from ((f"{name}.{key}", each) for key, each in held.items())
    for name in frame.f_code.co_names:
        value = frame.f_globals.get(name)
        if type(value) in _DATA:
            yield name, value


def shown(value: Any, depth: int = 2) -> str:
    """Return a value as a short text; a move by its name."""
    kind: Any = type(value)
    if is_pair(value) and value in _NAMES:
        return _NAMES[Vector(*value)]
    if kind is Vector or is_pair(value):
        return _cut(f"({shown(value[0])}, {shown(value[1])})")
    if kind is int and value.bit_length() > MOST_BITS:
        return "a huge number"
    if kind in (int, float, bool, type(None), str):
        return _cut(repr(value[:MOST_TEXT] if kind is str else value))
    if kind in _BRACKETS or kind in _DICTS:
        return _collection(value, kind, depth)
    if named := _named(value, kind):
        return _cut(named)
    return _cut(f"{kind.__name__}({_inside(value, kind, depth)})", 2 * MOST_TEXT)


def _inside(value: Any, kind: type, depth: int) -> str:
    """Return what a view of a dictionary, a named tuple or an object holds, without running code of it."""
    if kind in _VIEWS:
        return _collection(value, list, depth)
    names = _members(kind).get("_fields") if issubclass(kind, tuple) else None
    fields = dict(zip(names, tuple.__iter__(value), strict=False)) if type(names) is tuple else {}
    held = {**fields, **attributes(value)}
    if held and not depth:
        return "…"
    told = ((name, each) for name, each in held.items() if not attributes(each))
    return ", ".join(f"{name}={shown(each, depth - 1)}" for name, each in islice(told, 4))


def _named(value: Any, kind: type) -> str:
    """Return what is told of an object of which only the kind or the name is; empty for any other."""
    if issubclass(kind, Maze):
        return "a maze"
    if kind in _FUNCTIONS:
        return f"the function {value.__name__}"
    if kind is GeneratorType:
        has_begun = value.gi_running or value.gi_suspended or value.gi_frame is None
        return f"the generator {value.__name__}" + ("" if has_begun else ", not begun")
    modules = (each.__module__ for each in kind.__mro__)
    return "a search" if any(type(name) is str and name.endswith(_OURS) for name in modules) else ""


def is_pair(value: Any) -> TypeGuard[tuple[int, int]]:
    """Tell whether it is a tuple of two whole numbers, of a type without methods of the student's."""
    return type(value) in _PAIRS and len(value) == 2 and type(value[0]) is int and type(value[1]) is int


def attributes(value: object) -> dict[str, Any]:
    """Return the attributes of an object by name, without running code of the object."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return held if type(held) is dict else {}


def _members(kind: type) -> Mapping[str, Any]:
    """Return what a class defines, without running code of it."""
    found: Mapping[str, Any] = type.__dict__["__dict__"].__get__(kind)
    return found


def _of_class(kind: type) -> dict[str, Any]:
    """Return the data that a class holds for all of its objects, without running code of it."""
    return {
        name: value for name, value in _members(kind).items() if type(value) in _DATA and name[:2] != "__"
    }


def without_luck(error: BaseException | None, message: str) -> str:
    """Return the message of an exception without what was running when the stack was full, which is luck."""
    return _TOO_DEEP if type(error) is RecursionError and message.startswith(_TOO_DEEP) else message


def _exception(error: BaseException) -> str:
    """Return the class of an exception, and its message if that is a text."""
    said = BaseException.__dict__["args"].__get__(error)
    message = said[0] if said and type(said[0]) is str else "" if not said else shown(said[0])
    message = without_luck(error, message)
    return f"{type(error).__name__}: {message}"[: 2 * MOST_TEXT] if message else type(error).__name__


def _collection(value: Any, kind: Any, depth: int) -> str:
    brackets = _BRACKETS.get(kind, "{}")
    opening, closing = brackets[0], brackets[1]
    if not depth and value:
        return f"{opening}…{closing}"
    if kind in _DICTS:
        pairs = islice(value.items(), MOST_ITEMS)
        texts: Iterable[str] = (f"{shown(key, depth - 1)}: {shown(held, depth - 1)}" for key, held in pairs)
    elif kind in (set, frozenset) and len(value) <= _SORTED:
        texts = sorted((shown(each, depth - 1) for each in value), key=lambda text: (len(text), text))
    else:
        texts = (shown(each, depth - 1) for each in islice(value, MOST_ITEMS))
    return _listed([*islice(texts, MOST_ITEMS)], len(value), opening, closing)


def _listed(texts: Sequence[str], count: int, opening: str, closing: str) -> str:
    """Return the elements that have room, and how many there are if those are not all."""
    room, told = 3 * MOST_TEXT, list[str]()
    for text in texts:
        room -= len(text) + 2
        if room < 0:
            break
        told.append(text)
    more = [] if len(told) == count else [f"… {count} in all"]
    return opening + ", ".join([*told, *more]) + closing


def _cut(text: str, most: int = MOST_TEXT) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
