"""What was left lying around in work is passed over and noted: where students try it, and where it is graded.

Theory of operation. What waits for time or for a person returns at once. A file that raises, or exits,
after it has made something of its own is kept as far as it came, and whoever asks it for more gets what it
raised: so a file that lacks what is asked for fails as if nothing were kept. Of a package's own file,
``__init__.py``, each statement that raises or exits is passed over, and so is all of one that does not
compile: the files beside it stand by themselves. Where loading fails for want
of a package, it is tried again, with a stand-in at the one statement that failed: an import that a file
itself guards works as ever. While files are loaded, what is taken from the stand-in, or called in it, is
another; in a call its first use raises the same. ``from package import *`` binds nothing. All of this is the
same in every call, whoever looks.
"""

from __future__ import annotations

import builtins
import os
import re
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from linecache import getline
from types import CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any, Final, NamedTuple, NoReturn

from lab.absent import Absent

_SENTENCES: Final = {
    "passed": "{what}, {place}; it was passed over.",
    "answered": "{what}, {place}; it was given an empty line.",
    "dropped": "{what}, {place}; it prints more than a call may, and the rest was dropped.",
    "ended": "{place} raises {what} while the file is loaded; nothing from there on was used.",
    "unpacked": "{place} raises {what} while the package is loaded; this was passed over.",
    "absent": "import of {what}, {place}; it is not there when work is graded, and using it would fail.",
}
NAMED: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*(\([\d.]+\))?")
"""What a name of a leftover looks like."""
SLOW: Final = ("pdb", "subprocess")
"""Modules that take long to load."""
_NO_PROGRAM: Final = 127
"""What a shell returns where there is no such program."""
KINDS: Final = tuple(_SENTENCES)
"""What waits, what asks, what prints too much, a file that was loaded up to there, a package's own file, and
what is imported and not there."""
MOST: Final = 50
"""At most 50 places are noted, and so many statements that import what is not there get a stand-in."""
_SECONDS: Final = re.compile(r"\bsleep\(([\d.]{1,9})\)")
"""The text says how long it is to sleep: a number that was worked out may differ from run to run."""
_STAR: Final = "__star__"
"""In a file that imports everything from what is not there, the reason why it got nothing."""
_sleep: Final = time.sleep
_frame: Final = sys._getframe
_import: Final = builtins.__import__


class Leftover(NamedTuple):
    """A place at which something was passed over."""

    kind: str
    """One of ``KINDS``."""
    what: str
    """The name of what was called, raised or imported, and for ``time.sleep`` the number there."""
    file: str
    line: int


def first_of_each(found: Iterable[Leftover]) -> list[Leftover]:
    """Return the first place of each kind in each file, in the order of files and lines."""
    first: dict[tuple[str, str, str], Leftover] = {}
    for left in sorted(found, key=lambda each: (each.file, each.line, each)):
        first.setdefault((left.kind, left.what.partition("(")[0], left.file), left)
    return [*first.values()]


def sentence(left: Leftover) -> str:
    """Say what was passed over, as the grader does."""
    place = f"{left.file}, line {left.line}"
    return f"Left in your code: {_SENTENCES[left.kind].format(what=left.what, place=place)}"


def without_star(error: BaseException | None) -> str:
    """Return why a name is not known that ``import *`` may have been meant to bring; "" if that is not so."""
    steps = [*_steps(error.__traceback__)] if type(error) is NameError else []
    why = steps[-1].tb_frame.f_globals.get(_STAR) if steps else None
    return f" ({why})" if type(why) is str else ""


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
        self._running = 0
        """How many files are being loaded."""

    def fresh(self) -> list[Leftover]:
        """Return what was noted since this was last asked."""
        noted = [*self._noted][self._told :]
        self._told += len(noted)
        return noted

    def note(self, kind: str, what: str) -> None:
        """Note the line of the submission that is being run."""
        frame = self._own_frame(_frame(1))
        if frame is None or len(self._noted) >= MOST:
            return
        file, line = self._own(frame.f_code.co_filename) or "", frame.f_lineno
        if what == "time.sleep":
            text = getline(frame.f_code.co_filename, line, frame.f_globals)
            what += f"({found[1]})" if (found := _SECONDS.search(text)) else ""
        self._note(kind, what, file, line)

    def _note(self, kind: str, what: str, file: str, line: int) -> None:
        if file and len(self._noted) < MOST:
            name = what[:80] if NAMED.fullmatch(what) else ""
            self._noted[Leftover(kind, name, file, line)] = None

    def _own_frame(self, frame: FrameType | None) -> FrameType | None:
        """Return the frame, or the one that it was called from, in which the submission runs."""
        while frame is not None and self._own(frame.f_code.co_filename) is None:
            frame = frame.f_back
        return frame

    # --- what waits ---------------------------------------------------------------------------------

    @contextmanager
    def passing_over(self, modules: Collection[str] = SLOW) -> Iterator[None]:
        """Have nothing wait for time or for a person in this context; load these of ``SLOW``."""
        stops = self._passing("passed", "pdb.set_trace")
        places: list[tuple[Any, str, object]] = [
            (time, "sleep", self._passing("passed", "time.sleep")),
            (builtins, "input", self._passing("answered", "input", "")),
            (sys, "breakpointhook", self._passing("passed", "breakpoint")),
            (os, "chdir", self._passing("passed", "os.chdir")),  # their own folder is not there
        ]
        if "pdb" in modules:
            import pdb

            places += [(pdb, "set_trace", stops), (pdb.Pdb, "set_trace", stops)]
        if "subprocess" in modules:
            import subprocess

            places.append((subprocess, "run", self._trying(subprocess.run, subprocess.CompletedProcess)))
        with _replaced(places):
            yield

    def _passing(self, kind: str, what: str, gives: object = None) -> Callable[..., Any]:
        def passed(*_: object, **_named: object) -> object:
            self.note(kind, what)
            _sleep(0)  # lets other threads go on
            return gives

        return passed

    def _trying(self, run: Callable[..., Any], ended: Callable[..., Any]) -> Callable[..., Any]:
        """Pass over a program that cannot be run: most only clear the screen."""

        def tried(*given: Any, **named: Any) -> Any:
            try:
                return run(*given, **named)
            except OSError:
                self.note("passed", "subprocess.run")
                return ended(given, _NO_PROGRAM, "", "")

        return tried

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

    def run(self, compiled: Callable[[], CodeType], module: ModuleType) -> None:
        """Run a file of the submission as a module, as far as it comes.

        Raises what ``compiled`` raises, unless it is a package's own file.
        """
        self._cut.pop(module.__name__, None)
        self._running += 1
        try:
            (self._run_package if hasattr(module, "__path__") else self._run_file)(compiled, module)
        finally:
            self._running -= 1

    def _run_file(self, compiled: Callable[[], CodeType], module: ModuleType) -> None:
        code = compiled()
        try:
            exec(code, vars(module))  # noqa: S102 - what importing does
        except (Exception, SystemExit) as error:
            if self._is_final(error) or self._wanting(error) or not _has_made_something(module):
                raise
            self._keep(module, "ended", code, error)

    def _run_package(self, compiled: Callable[[], CodeType], module: ModuleType) -> None:
        """Run the statements of a package's own file, but for those that raise."""
        place, run = module.__file__ or "", 0
        loader: Any = module.__spec__ and module.__spec__.loader
        while True:
            code = None
            try:
                code = (
                    loader.source_to_code(_after(loader.get_source(module.__name__), run), place)
                    if run
                    else compiled()
                )
                return exec(code, vars(module))  # noqa: S102 - what importing does
            except (Exception, SystemExit) as error:
                if self._is_final(error) or self._wanting(error):
                    raise
                line = self._keep(module, "unpacked", code, error)
                if code is None:
                    return None
                run = _run_by(loader.get_source(module.__name__), run, line)

    def _keep(self, module: ModuleType, kind: str, code: CodeType | None, error: BaseException) -> int:
        """Keep what a module has by now; return the line that raised."""
        trace = error.__traceback__
        own = (step.tb_lineno for step in _steps(trace) if step.tb_frame.f_code is code)
        line = next(own, (isinstance(error, SyntaxError) and error.lineno) or 1)
        cut = self._cut.setdefault(module.__name__, _Cut(error, trace, line))
        self._note(kind, type(error).__name__, self._own(module.__file__ or "") or "", line)
        files = self._modules if hasattr(module, "__path__") else ()

        def missing(name: str) -> NoReturn:
            if name.startswith("__") or name in files:
                raise AttributeError(name)
            cut.again()

        vars(module)["__getattr__"] = missing
        return line

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
        caller = _frame(1)
        file, line = self._own(caller.f_code.co_filename) or "", caller.f_lineno
        try:
            module = _import(name, within, local, fromlist, level)
        except ImportError as error:
            package = _package(error)
            if (file, line, package) not in self._absent:
                raise
            self._note("absent", name.partition(".")[0] or package, file, line)
            if "*" in (fromlist or ()):
                caller.f_globals[_STAR] = f"from {name} import *: {error.msg}"
                return ModuleType(name)
            return Absent(error, self._is_loading, 1 if fromlist else name.count(".") + 1)
        if (file, line, name.partition(".")[0]) not in self._absent:
            return module
        return self._with_stand_ins(module, fromlist or (), file, line)

    def _with_stand_ins(self, module: ModuleType, names: Iterable[str], file: str, line: int) -> ModuleType:
        """Return what has the names that a module has, and stand-ins for those that it lacks."""
        given = ModuleType(module.__name__)
        for name in names:
            if not hasattr(module, name):
                self._note("absent", f"{module.__name__}.{name}", file, line)
            why = ImportError(f"cannot import name {name!r} from {module.__name__!r}", name=module.__name__)
            setattr(given, name, getattr(module, name, Absent(why, self._is_loading, 0)))
        return given

    def _is_loading(self) -> bool:
        return self._running > 0


def _package(error: BaseException) -> str:
    """Return the name of the package that an exception misses, or misses something in; "" for others."""
    name = error.name if isinstance(error, ImportError) else None
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


def _after(source: str, count: int) -> Any:
    """Return a file without its first statements, but for imports from the future."""
    from ast import ImportFrom, parse

    tree = parse(source)
    future = [
        each for each in tree.body[:count] if isinstance(each, ImportFrom) and each.module == "__future__"
    ]
    tree.body = [*future, *tree.body[count:]]
    return tree


def _run_by(source: str, count: int, line: int) -> int:
    """Return how many statements of a file have run when a line raises, if so many had run before."""
    from ast import parse

    ends = [each.end_lineno or 0 for each in parse(source).body]
    return next((number for number in range(count + 1, len(ends)) if ends[number - 1] >= line), len(ends))


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
