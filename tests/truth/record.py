"""The second record: a call made once more, with each instruction and value, to hold sentences against.

It knows nothing of what records calls in ``lab``. The source is compiled so that each expression hands its
value on, in lambdas and comprehensions too, and is traced instruction by instruction: after each that may
change something, all variables are noted, with all that they hold, and which objects are the same. Nothing
is cut, but a call that never ends.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache, lru_cache
from opcode import opname
from types import CodeType, FrameType, MappingProxyType
from typing import Any, Final, NamedTuple, Self

from grader.inside import turns
from grader.inside.files import ROOT
from lab.maze import Maze
from lab.steps import shown

SEEN: Final = "__seen__"
"""The name of what expressions hand their values to."""
LONGEST: Final = 5_000
"""Of a call that goes on for ever, so many lines are kept."""
_ATOMS: Final = {int, float, bool, str, bytes, type(None), range}
_COLLECTIONS: Final = (list, set, frozenset, dict, deque)
WATCHED: Final = "lab.watch"
"""The module of the subclass of a submission's Search that notes what is taken from it."""
_NOT_OPENED: Final = {"lab", "grader", "reference", "random", "builtins", "itertools", "functools", "abc"}
"""Objects of these packages are not looked into."""
_RERAISES: Final = opname.index("RERAISE")
_CHANGES: Final = {
    number
    for number, name in enumerate(opname)
    if name.startswith(("CALL", "STORE", "DELETE", "BINARY_OP", "SEND", "FOR_ITER", "YIELD", "RESUME"))
    or name.endswith(("_APPEND", "_ADD", "_UPDATE", "_EXTEND", "_MERGE"))
}
"""Instructions after which a variable, or what it holds, may be another."""


class Held(NamedTuple):
    """An object: its kind, which one it is, and what it held at a moment."""

    kind: str
    id: int
    parts: tuple[Any, ...] = ()


class Variable(NamedTuple):
    """What a variable held at a moment, and the words for it."""

    held: Any
    text: str


Variables = Mapping[str, Variable]


class Moment(NamedTuple):
    """Something that happened in the submission's own code."""

    kind: str
    """line, value, change, call, return, raise or mark."""
    frame: int
    """The call that it happened in; 0 outside of all."""
    file: str
    line: int
    variables: Variables = MappingProxyType({})
    """All variables of the call."""
    name: str = ""
    """The variable that changed, the stream of what was seen, the function that was called, or the class of
    the exception."""
    held: Any = None
    """The value; of a call the frame, file and line that made it; of an exception its message."""
    text: str = ""
    """The words for what was returned."""
    node: ast.expr | None = None
    """The expression that had the value."""
    truth: bool | None = None


class _Noting(ast.NodeTransformer):
    """Puts a call around each expression that is read, which hands its value on."""

    def __init__(self) -> None:
        self.nodes: list[ast.expr] = []

    def visit(self, node: ast.AST) -> ast.AST:
        match node:
            case ast.arg() | ast.pattern() | ast.JoinedStr() | ast.Expr(value=ast.Constant()):
                return node
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                node.body = [self.visit(each) for each in node.body]  # type: ignore[misc]
                return node
            case ast.AnnAssign(value=value):
                node.value = value and self.visit(value)  # type: ignore[assignment]
                return node
            case ast.Call(func=ast.Name()):
                node.args = [self.visit(each) for each in node.args]  # type: ignore[misc]
                node.keywords = [self.visit(each) for each in node.keywords]  # type: ignore[misc]
                return self._noted(node, node)
            case ast.Call(func=ast.Attribute() as func):
                attribute = deepcopy(node)
                func.value = self.visit(func.value)  # type: ignore[assignment]
                node.args = [self.visit(each) for each in node.args]  # type: ignore[misc]
                node.keywords = [self.visit(each) for each in node.keywords]  # type: ignore[misc]
                return self._noted(attribute, node)
            case ast.expr() if _is_noted(node):
                whole = deepcopy(node)
                return self._noted(whole, self.generic_visit(node))
        return self.generic_visit(node)

    def _noted(self, whole: ast.expr, inner: ast.AST) -> ast.AST:
        self.nodes.append(whole)
        arguments = [ast.Constant(len(self.nodes) - 1), inner]
        return ast.copy_location(ast.Call(ast.Name(SEEN, ast.Load()), arguments, []), whole)  # type: ignore[arg-type]


def _is_noted(node: ast.expr) -> bool:
    """Tell whether an expression is read, and may stand in a call."""
    if isinstance(node, ast.Tuple) and any(isinstance(each, (ast.Slice, ast.Starred)) for each in node.elts):
        return False
    is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    return is_read and not isinstance(node, (ast.Constant, ast.Slice, ast.Starred))


@lru_cache(maxsize=500)
def _compiled(text: bytes, path: str) -> tuple[CodeType, Sequence[ast.expr]]:
    noting = _Noting()
    tree = ast.fix_missing_locations(noting.visit(ast.parse(text)))
    return turns.compiled(tree, path), noting.nodes


def freeze(value: Any, keep: Callable[[Any, Held], Held], above: tuple[int, ...] = ()) -> Any:
    """Return what a value holds at this moment, however deep, without running code of it."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if issubclass(kind, tuple):
        return tuple([freeze(each, keep, above) for each in tuple.__iter__(value)])
    if id(value) in above:
        return Held("again", id(value))
    inner: Iterable[Any] = ()
    if issubclass(kind, dict):
        inner = dict.items(value)
    elif issubclass(kind, _COLLECTIONS) or kind.__name__ in ("dict_keys", "dict_values"):
        inner = kind.__iter__(value)
    elif not issubclass(kind, Maze) and _is_opened(kind.__module__):
        inner = attributes(value).items()
    above = (*above, id(value))
    return keep(value, Held(kind.__name__, id(value), tuple([freeze(each, keep, above) for each in inner])))


def _is_opened(module: str) -> bool:
    return module == WATCHED or module.split(".")[0] not in _NOT_OPENED


def attributes(value: object) -> dict[str, Any]:
    """Return the attributes of an object, without running code of it."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return held if type(held) is dict else {}


def parts_of(held: Any) -> Iterator[Any]:
    """Yield a value, and all that lies in it."""
    yield held
    for each in held.parts if isinstance(held, Held) else held if isinstance(held, tuple) else ():
        yield from parts_of(each)


class SecondRecord:
    """Records a call while it is entered, as the recorder of the box does."""

    def __init__(self, files: Mapping[str, bytes], longest: int = LONGEST) -> None:
        self.is_cut = False
        """Whether more happened than is kept."""
        self._left = longest
        self.moments: list[Moment] = []
        self.files = files
        self._nodes: dict[str, Sequence[ast.expr]] = {}
        self._numbers: dict[FrameType, int] = {}
        self._known: dict[int, Variables] = {}
        self._kept: dict[int, tuple[Any, Held]] = {}
        self._streams: Mapping[str, Sequence[Any]] = {}
        self._told: dict[str, int] = {}
        self._is_on = self._is_noted = False
        self.file_of = cache(self._file_of)

    def compiled(self, text: bytes, path: str) -> CodeType:
        """Compile a file so that its expressions hand their values on; its turns are counted as ever."""
        setattr(builtins, SEEN, self._see)
        code, self._nodes[path] = _compiled(text, path)
        return code

    def __enter__(self) -> Self:
        self._is_on = True
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        self._is_on = False
        self._mark(0, "", 0)

    def watch(self, streams: Mapping[str, Sequence[Any]]) -> None:
        """Note from now on what comes to these lists."""
        self._streams, self._told = streams, {}
        self._add("mark", 0, "", 0, name="begins")

    def _file_of(self, code: CodeType) -> str | None:
        path = code.co_filename.removeprefix(f"{ROOT}/")
        return path if path != code.co_filename and path in self.files else None

    def _called(self, frame: FrameType, _event: str, _: object) -> Any:
        file = self.file_of(frame.f_code)
        if file is None or self.is_cut:
            return None
        number = self._numbers.setdefault(frame, len(self._numbers) + 1)
        self._look(frame, number, file, frame.f_lineno)
        self._add("call", number, file, frame.f_lineno, name=frame.f_code.co_name, held=self._caller(frame))
        frame.f_trace_opcodes = True
        code, last, line, is_left = frame.f_code.co_code, -1, frame.f_lineno, False

        def happened(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal last, line, is_left
            if self.is_cut:
                return None
            if event != "opcode" or (last >= 0 and code[last] in _CHANGES and not self._is_noted):
                self._mark(number, file, line)
                self._look(frame, number, file, line)
            self._is_noted, line = False, frame.f_lineno
            last = frame.f_lasti if event == "opcode" else last
            if event == "line":
                self._left -= frame.f_code.co_name[0] != "<"
                self.is_cut = self._left < 0
                self._add("line", number, file, line)
            is_left = event == "exception" or (event == "return" and (is_left or code[last] == _RERAISES))
            if event == "exception" or (event == "return" and not is_left):  # by that exception
                self._add_end(event, number, file, line, argument)
            return happened

        return happened

    def _caller(self, frame: FrameType) -> tuple[int, str | None, int]:
        """Return which call of the submission's own made a call, and where."""
        by = frame.f_back
        while by is not None and by not in self._numbers:
            by = by.f_back
        return (0, "", 0) if by is None else (self._numbers[by], self.file_of(by.f_code), by.f_lineno)

    def _add_end(self, event: str, number: int, file: str, line: int, argument: Any) -> None:
        if event == "return":
            held = freeze(argument, self._keep)
            self._add("return", number, file, line, held=held, text=shown(argument))
        else:
            self._add("raise", number, file, line, name=argument[0].__name__, text=_said(argument[1]))

    def _add(self, kind: str, frame: int, file: str, line: int, **more: Any) -> None:
        if not self.is_cut:
            self.moments.append(Moment(kind, frame, file, line, self._known.get(frame, {}), **more))

    def _see(self, number: int, value: Any) -> Any:
        frame = sys._getframe(1)
        at = self._numbers.get(frame) if self._is_on else None
        if at is not None and not self.is_cut:
            node, file = self._nodes[frame.f_code.co_filename][number], self.file_of(frame.f_code) or ""
            self._mark(at, file, node.lineno)
            truth = (
                bool(value) if type(value) in _ATOMS or isinstance(value, (*_COLLECTIONS, tuple)) else None
            )
            self._add("value", at, file, node.lineno, held=freeze(value, self._keep), node=node, truth=truth)
            self._is_noted = True
        return value

    def _look(self, frame: FrameType, number: int, file: str, line: int) -> None:
        """Note which variables have changed."""
        known, now = self._known.get(number, {}), dict[str, Variable]()
        for name, value in self._variables(frame):
            held, old = freeze(value, self._keep), known.get(name)
            is_same = old is not None and type(old.held) is type(held) and old.held == held
            if old is not None and is_same and isinstance(held, Held) and not held.parts:
                is_same = old.text == shown(value)  # an iterator holds nothing that could be seen
            now[name] = old if old is not None and is_same else Variable(held, shown(value))
        changed = [name for name in now if known.get(name) is not now[name]]
        self._known[number] = now
        for name in changed:
            self._add("change", number, file, line, name=name, held=now[name].held)

    @staticmethod
    def _variables(frame: FrameType) -> Iterator[tuple[str, Any]]:
        """Yield the variables of a call, attributes of own objects and globals among them."""
        for name, value in [*frame.f_locals.items()]:
            yield name, value
            module = sys.modules.get(type(value).__module__)
            if (getattr(module, "__file__", None) or "").startswith(f"{ROOT}/"):
                of_class = {key: each for key, each in vars(type(value)).items() if key[:2] != "__"}
                data = {
                    key: each
                    for key, each in of_class.items()
                    if isinstance(each, (*_COLLECTIONS, int, tuple))
                }
                yield from ((f"{name}.{key}", each) for key, each in {**data, **attributes(value)}.items())
        for name in frame.f_code.co_names:
            if isinstance(value := frame.f_globals.get(name), (*_COLLECTIONS, int, tuple)):
                yield name, value

    def _mark(self, number: int, file: str, line: int) -> None:
        for name, stream in self._streams.items():
            for item in stream[self._told.get(name, 0) :]:
                self._add("mark", number, file, line, name=name, held=freeze(item, self._keep))
            self._told[name] = len(stream)

    def _keep(self, value: Any, held: Held) -> Held:
        """Keep an object, so that no other gets its number, and what it holds once while that is the same."""
        _, old = self._kept.get(id(value), (value, held))
        self._kept[id(value)] = value, old if old == held else held
        return self._kept[id(value)][1]


def _said(error: BaseException) -> str:
    """Return what an exception says, without running code of the submission."""
    said = error.args[0] if error.args else ""
    return said if type(said) is str else shown(said)


class LineCount:
    """Counts how often a line runs."""

    def __init__(self, file: str, line: int) -> None:
        self.count = 0
        self._file, self._line = f"{ROOT}/{file}", line

    def __enter__(self) -> Self:
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def watch(self, _: object) -> None:
        """Note nothing else."""

    def _called(self, frame: FrameType, event: str, _: object) -> Any:
        self.count += event == "line" and frame.f_lineno == self._line
        return self._called if frame.f_code.co_filename == self._file else None
