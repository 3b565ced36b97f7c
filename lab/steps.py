"""Records what a student's code does line by line: which line runs, what its variables hold, how calls end.

Values are kept as short texts, where they changed. No method of a student's object is called.
"""

from __future__ import annotations

import sys
from _thread import get_ident  # importing threading is slow
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from opcode import opmap
from types import BuiltinFunctionType, FrameType, FunctionType, GeneratorType, TracebackType
from typing import Any, Final, Literal, NamedTuple, Self, TypeGuard

from lab.identities import ITERATORS, MOST_PLACES, Identities, is_used_up
from lab.maze import Maze
from lab.vector import MOVES, Vector

MOST_EVENTS: Final = 4_000
"""A run is recorded until 4,000 things have happened: that of a right solver in a small maze has some 500."""
MOST_CHARACTERS: Final = 500_000
"""And until its values have 500,000 characters."""
MOST_TEXT, MOST_ITEMS, MOST_INSIDE, MOST_NAMES = 60, 12, 4, 40
"""A value is told in 60 characters, a collection by 12 elements, a call by 40 variables; of a collection in
others, four moves or cells."""
MOST_SAME: Final = 2 * (MOST_NAMES + 1 + MOST_PLACES)
"""Of a call as many places may change that hold collections."""
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
_PASSES_ON: Final = opmap["RERAISE"]
"""What ends a call that an exception leaves after lines of its own ran: those of a finally, or an except."""
_TOO_DEEP: Final = "maximum recursion depth exceeded"
"""How Python's message on too deep a recursion begins."""

NOTE: Final = "__note__"
"""What a source calls that was rewritten (``lab/noted.py``)."""
WORKED_OUT, ELSEWHERE = "", "…"
"""Names under which an event has the cells that were worked out since the last one, and those that were come
upon where no line is told."""
UNSEEN, FULL = "unseen", "full"
"""Marks from which on not all is recorded, and nothing is."""
MOST_CELLS: Final = 100
MOST_LOOKS: Final = 2_000
"""An event has 100 cells beside, which are looked for among 2,000 values."""

Kind = Literal["line", "note", "mark", "raise", "return"]


class Event(NamedTuple):
    """Something that happened: a line begins, an expression gave a value, something was seen, an exception
    passes, a call returns."""

    kind: Kind
    line: int
    call: int
    """The number of the call that it happened in."""
    text: str = ""
    """What was seen, the exception, or the value that an expression gave, or that is returned."""
    values: Mapping[str, str] = {}
    """The variables that changed since the call's last line, or that the expression read; of what was seen,
    the cells."""
    column: int = 0
    """Where the expression begins in its line."""
    same: Mapping[str, int] = {}
    """Of places where collections stand, the numbers that changed, as ``lab.identities`` gives them; of what
    is returned, with the empty name; 0 where none stands any more."""


class TracedCall:
    """A call that is recorded, as what Python tells of each line."""

    def __init__(
        self, number: int, begins: int, statements: Mapping[int, int], happened: Callable[..., bool]
    ) -> None:
        """Take what is added to its lines, and the first lines of statements of several lines, by line."""
        self.number, self.begins, self._statements, self._happened = number, begins, statements, happened
        self.known: dict[str, str] = {}
        self.places: dict[str, int] = {}
        self.worked_out: dict[str, None] = {}
        """Cells that were worked out since its last event."""
        self.is_left = False
        """Whether an exception was the last that happened."""
        self.is_noted = False
        """Whether an expression was noted since its last line."""
        self._line = self.statement = 0
        """The last line, and the first of its statement."""

    def is_within(self, line: int) -> bool:
        """Tell whether a line goes on with the last one's statement, or with a comprehension in it."""
        is_on = line != self._line or self.is_noted or self.is_left
        before, self._line, self.is_noted = self.statement, line, False
        self.statement = self._statements.get(line, line)
        return is_on and self.statement == before

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Take what Python tells of the call, and return what it is to tell next."""
        return self if self._happened(self, frame, event, argument) else None


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
        files that ``counts`` names, by default of the same ones, are counted, and it is noted which cells
        these come upon.
        """
        self.events: list[Event] = []
        self.steps: list[int] = []
        """For each event how many lines had begun by then, since the outermost call began."""
        self._is_own, self._begins, self._is_counted = is_own, begins, counts or is_own
        self._step = self._depth = 0
        self._seen: Mapping[str, Sequence[Any]] = {}
        self._told: dict[str, int] = {}
        self._calls = self._characters = 0
        self._statements: dict[str, Mapping[int, int]] = {}
        self._is_noted, self._is_lost, self._thread = True, False, 0
        self._met = set[tuple[int, int]]()
        """Cells that were come upon where no line is told, or stand in what is told cut short."""
        self._beside: dict[str, None] = {}
        """Those of them that have not been told."""

    def know(self, path: str, statements: Mapping[int, int] | None) -> None:
        """Take the first line of each statement of a file, by its lines, which calls ``note``.

        None for one that could not be rewritten.
        """
        self._statements[path] = statements or {}
        self._is_noted = self._is_noted and statements is not None
        self._identities = Identities()

    def __enter__(self) -> Self:
        self._thread = get_ident()
        sys.settrace(self._called)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.settrace(None)
        self._thread = 0
        self._mark(0, 0)

    def watch(self, seen: Mapping[str, Sequence[Any]]) -> None:
        """Mark from now on what comes to these lists, which grow while the code runs."""
        self._seen, self._told = seen, {}
        self._beside, self._met, self._is_lost = {}, set(), False
        self._add(Event("mark", 0, 0, "begins"))
        if not self._is_noted:
            self._lose()

    def note(self, place: tuple[int, int, str, tuple[str, ...]], value: Any) -> Any:
        """Record what an expression gave, with the variables that it read, and give it back."""
        if not self._thread or self.is_full:
            return value
        if self._thread != get_ident():
            self._lose()
            return value
        line, column, kind, names = place
        frame = sys._getframe(1)
        call = self._call_of(frame) if self._is_own(frame.f_code.co_filename) else None
        if kind in ("value", "held"):
            if call is None or kind == "held":
                self._meet([value] if is_pair(value) else ())
            elif is_pair(value) and value not in _NAMES:
                call.worked_out[shown(value)] = None
            return value
        found = {name: held for name, held in variables(frame, self._is_own_type) if name in names}
        read = {name: found[name] for name in names[: MOST_NAMES - 2] if name in found}
        if call is None:
            self._meet([value, *read.values()])
        else:
            call.is_noted = True
            self._mark(line + call.begins, call.number)
            values = {**{name: self._text(held) for name, held in read.items()}, **self._elsewhere()}
            self._add(Event("note", line + call.begins, call.number, self._text(value), values, column))
        return value

    def _call_of(self, frame: FrameType | None) -> TracedCall | None:
        """Return the call that is recorded in which a frame runs."""
        while frame is not None:
            if isinstance(call := frame.f_trace, TracedCall):
                return call
            frame = frame.f_back
        return None

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if self.is_full:
            return None
        if not self._is_counted(code.co_filename):
            if code.co_filename[:1] == "<" and not _is_of_python(frame):
                self._lose()
            return None
        if code.co_name[0] == "<":
            is_noted = NOTE in code.co_names or code.co_name == "<module>"
            if not is_noted or code.co_filename not in self._statements:
                self._lose()
            return None
        self._step = self._step if self._depth else 0
        self._depth += 1
        if not self._is_own(code.co_filename):
            return self._beside_it
        self._calls += 1
        begins = self._begins.get(code.co_filename, 0)
        return TracedCall(self._calls, begins, self._statements.get(code.co_filename, {}), self._happened)

    def _happened(self, call: TracedCall, frame: FrameType, event: str, argument: Any) -> bool:
        """Record what happened in a call; return whether to go on with it."""
        line = call.begins + frame.f_lineno
        self._mark(line, call.number)
        self._count(frame, event, argument)
        if self.is_full:
            sys.settrace(None)
            frame.f_trace = None
            return False
        if event == "exception":
            self._add(Event("raise", line, call.number, _exception(argument[1]), self._new(call)))
            call.is_left = True
        elif event == "return" or (event == "line" and not call.is_within(frame.f_lineno)):
            found = [*islice(variables(frame, self._is_own_type), MOST_NAMES - 1)]
            if len(found) > MOST_NAMES - 2:
                self._lose()
            now = {name: shown(value) for name, value in found[: MOST_NAMES - 2]}
            changed = {name: text for name, text in now.items() if call.known.get(name) != text}
            call.known.update(changed)
            self._meet([value for name, value in found if "…" in changed.get(name, "")])
            before, held = call.places, [*found, ("", argument)] if event == "return" else found
            places = call.places = self._identities.of(held)
            names = (name for name in before | places if before.get(name) != places.get(name))
            same = {name: places.get(name, 0) for name in names}
            if event == "line":
                call.is_left = False
                first = call.begins + call.statement
                self._add(Event("line", first, call.number, values={**changed, **self._new(call)}, same=same))
            elif not call.is_left and frame.f_code.co_code[frame.f_lasti] != _PASSES_ON:
                text = self._text(argument)
                values = {**changed, **self._new(call)}
                self._add(Event("return", line, call.number, text, values, same=same))
        return True

    def _new(self, call: TracedCall) -> dict[str, str]:
        """Return the cells that were worked out in a call, and those come upon elsewhere, since they were
        told last."""
        cells = [*call.worked_out]
        call.worked_out.clear()
        return {**self._cells(WORKED_OUT, cells), **self._elsewhere()}

    def _elsewhere(self) -> dict[str, str]:
        cells = [*self._beside]
        self._beside.clear()
        return self._cells(ELSEWHERE, cells)

    def _cells(self, name: str, cells: Sequence[str]) -> dict[str, str]:
        if len(cells) > MOST_CELLS:
            self._lose()
        return {name: f"… {', '.join(cells[:MOST_CELLS])}"} if cells else {}

    def _text(self, value: Any) -> str:
        """Return a value as a short text, and note the cells of what is cut."""
        text = shown(value)
        if "…" in text:
            self._meet([value])
        return text

    def _meet(self, values: Any) -> None:
        """Note the cells that values hold."""
        cells, is_all = cells_in(values)
        if not is_all:
            self._lose()
        new = [cell for cell in cells if cell not in self._met]
        self._met.update(new)
        self._beside.update(dict.fromkeys(map(shown, new)))

    def _lose(self) -> None:
        """Record that from now on not all is recorded that the submission's own code does."""
        if not self._is_lost:
            self._is_lost = True
            self._add(Event("mark", 0, 0, UNSEEN))

    def _beside_it(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Note the cells that a call comes upon whose lines are not told."""
        self._count(frame, event, argument)
        if event != "exception" and not self.is_full:
            self._meet([value for value in [*frame.f_locals.values()] if type(value) in _PAIRS])
        return self._beside_it

    def _count(self, _frame: FrameType, event: str, _argument: Any) -> Any:
        self._step += event == "line"
        self._depth -= event == "return"
        return self._count

    def _add(self, event: Event) -> None:
        is_end = event.kind == "raise" and event.text == _ENDS_GENERATORS
        if not self.is_full and not is_end:
            self.events.append(event)
            self.steps.append(self._step)
            self._characters += sum(map(len, (*event.values.values(), *event.same)))
            if self.is_full:
                self.events.append(Event("mark", 0, 0, FULL))
                self.steps.append(self._step)

    @property
    def is_full(self) -> bool:
        """Whether nothing more is recorded."""
        return len(self.events) >= MOST_EVENTS - 1 or self._characters >= MOST_CHARACTERS

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


def _is_of_python(frame: FrameType) -> bool:
    """Tell whether code that stands in no file is Python's own, or that of a named tuple or a dataclass."""
    code, module = frame.f_code, frame.f_globals.get("__name__")
    is_named = type(module) is str and module.startswith("namedtuple_")
    return is_named or code.co_filename.startswith("<frozen") or code.co_name.startswith("__")


def cells_in(value: Any) -> tuple[list[tuple[int, int]], bool]:
    """Return the pairs of numbers that a value holds, moves excepted, and whether all of it was looked at.

    No code of the student's is run.
    """
    found, waiting, looks = list[tuple[int, int]](), [value], 0
    while waiting and looks < MOST_LOOKS:
        held = waiting.pop()
        looks += 1
        if is_pair(held):
            found += [held] if held not in _NAMES else []
        elif type(held) in _DICTS:
            waiting += [*islice(held.keys(), MOST_LOOKS), *islice(held.values(), MOST_LOOKS)]
        elif type(held) in (*_BRACKETS, *_VIEWS):
            waiting += islice(held, MOST_LOOKS)
        elif issubclass(type(held), tuple):
            waiting += islice(tuple.__iter__(held), MOST_LOOKS)
        elif not issubclass(type(held), Maze):
            waiting += attributes(held).values()
    return found, not waiting


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
    if kind in (int, float, complex, bool, type(None), str, bytes, range):
        return _cut(repr(value[:MOST_TEXT] if kind in (str, bytes) else value))
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
        state = ", used up" if value.gi_frame is None else "" if has_begun else ", not begun"
        return f"the generator {value.__name__}{state}"
    if kind in ITERATORS and is_used_up(value):
        return f"{kind.__name__}(), used up"
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
    if not depth and value and not (kind is list and all(map(is_pair, value))):
        return f"{opening}…{closing}"
    if kind in _DICTS:
        pairs = islice(value.items(), MOST_ITEMS)
        texts: Iterable[str] = (f"{shown(key, depth - 1)}: {shown(held, depth - 1)}" for key, held in pairs)
    elif kind in (set, frozenset) and len(value) <= _SORTED:
        texts = sorted((shown(each, depth - 1) for each in value), key=lambda text: (len(text), text))
    else:
        texts = (shown(each, depth - 1) for each in islice(value, MOST_ITEMS if depth else MOST_INSIDE))
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
