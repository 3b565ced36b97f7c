"""What was left lying around in work is passed over and noted: where students try it, and where it is graded.

Theory of operation. What waits for time or for a person returns at once. A file that raises, or exits,
after it has made something of its own is kept as far as it came, and whoever asks it for more gets what it
raised: so a file that lacks what is asked for fails as if nothing were kept. Where loading fails for want
of a package, it is tried again, with a stand-in at the one statement that failed, which raises the same at
its first use: an import that a file itself guards works as ever. All of this is the same in every call,
whoever looks.
"""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from types import CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any, Final, NamedTuple, NoReturn

_SENTENCES: Final = {
    "passed": "{what}, {place}; it was passed over.",
    "answered": "{what}, {place}; it was given an empty line.",
    "dropped": "{what}, {place}; it prints more than a call may, and the rest was dropped.",
    "ended": "{place} raises {what} while the file is loaded; nothing from there on was used.",
    "absent": "import of {what}, {place}; it is not there when work is graded, and using it would fail.",
}
KINDS: Final = tuple(_SENTENCES)
"""What waits, what asks, what prints too much, a file that was loaded up to there, and a package."""
MOST: Final = 50
"""At most 50 places are noted, and so many statements that import what is not there get a stand-in."""
_sleep: Final = time.sleep
_frame: Final = sys._getframe
_import: Final = builtins.__import__


class Leftover(NamedTuple):
    """A place at which something was passed over."""

    kind: str
    """One of ``KINDS``."""
    what: str
    """The name of what was called, raised or imported."""
    file: str
    line: int


def first_of_each(found: Iterable[Leftover]) -> list[Leftover]:
    """Return the first place of each kind in each file, in the order of files and lines."""
    first: dict[tuple[str, str, str], Leftover] = {}
    for left in sorted(found, key=lambda each: (each.file, each.line, each)):
        first.setdefault((left.kind, left.what, left.file), left)
    return [*first.values()]


def sentence(left: Leftover) -> str:
    """Say what was passed over, as the grader does."""
    place = f"{left.file}, line {left.line}"
    return f"Left in your code: {_SENTENCES[left.kind].format(what=left.what, place=place)}"


class _Cut(NamedTuple):
    """What a file raised after it had made something, and in which of its lines."""

    error: BaseException
    trace: TracebackType | None
    line: int

    def again(self) -> NoReturn:
        """Raise the same."""
        raise self.error.with_traceback(self.trace)


class Leftovers:
    """The notes of a process that runs one submission."""

    def __init__(
        self,
        own: Callable[[str], str | None],
        modules: Collection[str],
        is_final: Callable[[BaseException], bool] = lambda error: isinstance(error, MemoryError),
    ) -> None:
        """Set up the notes.

        ``own`` returns the name of a file of the submission, by the path that it is run from, and None for
        any other; ``modules`` are names that the submission's imports may mean. ``is_final`` tells an
        exception that ends loading, whatever was made before.
        """
        self._own, self._modules, self._is_final = own, {*modules, "lab"}, is_final
        self._noted: dict[Leftover, None] = {}
        self._told = 0
        self._cut: dict[str, _Cut] = {}
        """By the name of a module that was not loaded to its end, why it was not."""
        self._absent: set[tuple[str, int, str]] = set()
        """The files and lines in which a package is imported that is not there, with its name."""

    def fresh(self) -> list[Leftover]:
        """Return what was noted since this was last asked."""
        noted = [*self._noted][self._told :]
        self._told += len(noted)
        return noted

    def note(self, kind: str, what: str) -> None:
        """Note the line of the submission that is being run."""
        self._note(kind, what, *self._place(_frame(1)))

    def _note(self, kind: str, what: str, file: str, line: int) -> None:
        if file and len(self._noted) < MOST:
            name = what[:80] if what.replace(".", "_").isidentifier() else ""
            self._noted[Leftover(kind, name, file, line)] = None

    def _place(self, frame: FrameType | None) -> tuple[str, int]:
        """Return the file and the line of the submission that runs in a frame, or that it was called from."""
        while frame is not None:
            if (file := self._own(frame.f_code.co_filename)) is not None:
                return file, frame.f_lineno
            frame = frame.f_back
        return "", 0

    # --- what waits ---------------------------------------------------------------------------------

    @contextmanager
    def passing_over(self, *, debugger: bool = True) -> Iterator[None]:
        """Have nothing wait for time or for a person in this context; the debugger is slow to load."""
        stops = self._passing("passed", "pdb.set_trace")
        places: list[tuple[Any, str, object]] = [
            (time, "sleep", self._passing("passed", "time.sleep")),
            (builtins, "input", self._passing("answered", "input", "")),
            (sys, "breakpointhook", self._passing("passed", "breakpoint")),
        ]
        if debugger:
            import pdb

            places += [(pdb, "set_trace", stops), (pdb.Pdb, "set_trace", stops)]
        with _replaced(places):
            yield

    def _passing(self, kind: str, what: str, gives: object = None) -> Callable[..., Any]:
        def passed(*_: object, **_named: object) -> object:
            self.note(kind, what)
            _sleep(0)  # lets other threads go on
            return gives

        return passed

    # --- loading ------------------------------------------------------------------------------------

    def load(self, module_name: str, name: str) -> ModuleType:
        """Import a file of the submission for the sake of a name in it.

        Raises what the file raises, also where what has the name leans on something that was to come later.
        """
        before = len(self._noted)
        try:
            module = self._imported(module_name)
            getattr(module, name, None)
            cut = self._cut.get(module_name)
            if cut is not None and _leans(name, module, cut.line):
                cut.again()
            return module
        except BaseException:
            for each in [*self._noted][max(before, self._told) :]:
                del self._noted[each]
            raise

    def run(self, code: CodeType, module: ModuleType) -> None:
        """Run a file of the submission as a module, as far as it comes."""
        self._cut.pop(module.__name__, None)
        try:
            exec(code, vars(module))  # noqa: S102 - what importing does
        except (Exception, SystemExit) as error:
            if self._is_final(error) or self._wanting(error) or not _has_made_something(module):
                raise
            self._keep(module, code, error)

    def _keep(self, module: ModuleType, code: CodeType, error: BaseException) -> None:
        trace = error.__traceback__
        line = next((step.tb_lineno for step in _steps(trace) if step.tb_frame.f_code is code), 0)
        cut = self._cut[module.__name__] = _Cut(error, trace, line)
        self._note("ended", type(error).__name__, self._own(code.co_filename) or "", line)

        def missing(name: str) -> NoReturn:
            if name.startswith("__"):
                raise AttributeError(name)
            cut.again()

        vars(module)["__getattr__"] = missing

    # --- packages that are not there ----------------------------------------------------------------

    def _imported(self, module_name: str) -> ModuleType:
        while True:
            hook = (builtins, "__import__", self._import)
            try:
                with _replaced([hook]) if self._absent else nullcontext():
                    return import_module(module_name)
            except ImportError as error:
                if (place := self._wanting(error)) is None:
                    raise
                self._absent.add(place)

    def _wanting(self, error: BaseException) -> tuple[str, int, str] | None:
        """Return where a package is imported that is not there, if that is why; None where it is tried
        again already."""
        package = _package(error)
        own = [
            (file, step.tb_lineno)
            for step in _steps(error.__traceback__)
            if (file := self._own(step.tb_frame.f_code.co_filename)) is not None
        ]
        if not own or not package or package in self._modules or len(self._absent) >= MOST:
            return None
        place = (*own[-1], package)
        return None if place in self._absent else place

    def _import(
        self, name: str, within: Any = None, local: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        try:
            return _import(name, within, local, fromlist, level)
        except ModuleNotFoundError as error:
            caller, package = _frame(1), _package(error)
            file, line = self._own(caller.f_code.co_filename) or "", caller.f_lineno
            if (file, line, package) not in self._absent:
                raise
            self._note("absent", name.partition(".")[0] or package, file, line)
            return _Absent(str(error), package, 1 if fromlist else name.count(".") + 1)


class _Absent:
    """A package that is not there, or what was taken from it: any use raises that it is not there."""

    def __init__(self, message: str, package: str, depth: int) -> None:
        vars(self).update(error=(message, package), depth=depth)

    def __getattr__(self, name: str) -> _Absent:
        (message, package), depth = vars(self)["error"], vars(self)["depth"]
        if depth == 0 or name.startswith("__"):
            _refuse(self)
        return _Absent(message, package, depth - 1)


def _refuse(absent: _Absent, *_: object, **_named: object) -> NoReturn:
    message, package = vars(absent)["error"]
    raise ModuleNotFoundError(message, name=package)


for _name in (
    *{name for kind in (int, float, list, set, dict) for name in {*dir(kind)} - {*dir(object)}},
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__str__", "__format__"),
    *("__call__", "__enter__", "__exit__", "__next__", "__setattr__", "__delattr__"),
    *("__mro_entries__", "__instancecheck__", "__subclasscheck__"),
):
    if _name.startswith("__"):
        setattr(_Absent, _name, _refuse)


def _package(error: BaseException) -> str:
    """Return the name of the package that an exception misses; "" where it misses none."""
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    return name.partition(".")[0] if isinstance(name, str) else ""


@contextmanager
def _replaced(places: list[tuple[Any, str, object]]) -> Iterator[None]:
    before = [(holder, name, getattr(holder, name)) for holder, name, _ in places]
    try:
        for place in places:
            setattr(*place)
        yield
    finally:
        for place in before:
            setattr(*place)


def _steps(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _has_made_something(module: ModuleType) -> bool:
    """Tell whether a file has made a class or a function of its own by now."""
    made = [value for value in vars(module).values() if isinstance(value, (type, FunctionType))]
    return any(value.__module__ == module.__name__ for value in made)


def _leans(name: str, module: ModuleType, line: int) -> bool:
    """Tell whether what has the name refers, itself or by what it uses, to what comes after a line only."""
    from ast import parse
    from symtable import symtable

    loader: Any = module.__spec__ and module.__spec__.loader
    source = loader.get_source(module.__name__)
    lines, ended = source.splitlines(keepends=True), 0
    for statement in parse(source).body:
        if (end := statement.end_lineno or 0) < line:
            ended = end
    made, later = (symtable("".join(part), "", "exec") for part in (lines[:ended], lines[ended:]))
    missing = {
        each.get_name() for each in later.get_symbols() if each.is_assigned() or each.is_imported()
    } - vars(module).keys()
    tables = {each.get_name(): each for each in made.get_children()}
    waiting, seen = [name], {name}
    while waiting and not missing & seen:
        found = set(_names(tables.get(waiting.pop()))) - seen
        waiting += found
        seen |= found
    return bool(missing & seen)


def _names(table: Any) -> Iterator[str]:
    """Yield the names from outside that a class or a function refers to."""
    for part in [table] if table else []:
        yield from (each.get_name() for each in part.get_symbols() if each.is_global())
        for child in part.get_children():
            yield from _names(child)
