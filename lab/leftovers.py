"""What was left lying around in work is passed over and noted: where students try it, and where it is graded.

Theory of operation. What is replaced stands in two tables: ``LEFT``, by which what waits for time or for a
person returns at once, and ``MACHINE``, by which work that asks its machine hears of one made-up desktop
(``lab/desktop.py``), and sets nothing on it. A file that raises, or exits,
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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from importlib import import_module
from importlib.util import find_spec
from linecache import getline
from signal import SIG_DFL
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any, Final, NamedTuple, NoReturn

from lab import desktop
from lab.absent import Absent
from lab.half_loaded import count_run, has_made_something, leans, statements_after

_SENTENCES: Final = {
    "passed": "{what}, {place}; it was passed over.",
    "answered": "{what}, {place}; it was given an empty line.",
    "kept": "{what}, {place}; the file was kept in memory, and only for as long as your code ran.",
    "dropped": "{what}, {place}; it prints more than a call may, and the rest was dropped.",
    "ended": "{place} raises {what} while the file is loaded; nothing from there on was used.",
    "unpacked": "{place} raises {what} while the package is loaded; this was passed over.",
    "absent": "import of {what}, {place}; it is not there when work is graded, and using it would fail.",
}
NAMED: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*(\([\d.]+\))?")
"""What a name of a leftover looks like."""
SLOW: Final = ("grp", "locale", "pathlib", "pdb", "platform", "socket", "subprocess", "zoneinfo")
"""Modules that take long to load: what is in them is replaced where it may be used."""
_NO_PROGRAM: Final = 127
"""What a shell returns where there is no such program."""
KINDS: Final = tuple(_SENTENCES)
"""What waits or sets, what asks, what writes a file, what prints too much, a file that was loaded up to
there, a package's own file, and what is imported and not there."""
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


Replacement = Callable[["Leftovers", str, Any], object]
"""Makes what stands in the place of something, of its name and of itself."""


def _nothing(*_: object, **_named: object) -> None:
    """Do nothing."""


class Passed:
    """Does nothing but to note where it was called, as ``what``, which by default is its name."""

    def __init__(self, gives: Callable[..., object] = _nothing, kind: str = "passed", what: str = "") -> None:
        self._gives, self.kind, self.what = gives, kind, what

    def __call__(self, leftovers: Leftovers, place: str, _: object) -> object:
        """Return what stands in the place."""
        return leftovers.passing(self.kind, self.what or place, self._gives)


def _answered(answer: object) -> Replacement:
    return lambda *_: answer


def _tried(leftovers: Leftovers, place: str, run: Any) -> object:
    """Pass over a program that cannot be run: most only clear the screen."""
    from subprocess import CompletedProcess

    def tried(*given: Any, **named: Any) -> Any:
        try:
            return run(*given, **named)
        except OSError:
            leftovers.note("passed", place)
            return CompletedProcess(given, _NO_PROGRAM, "", "")

    return tried


def _set_locale(leftovers: Leftovers, place: str, _: object) -> object:
    passed = leftovers.passing("passed", place, lambda wanted: wanted if type(wanted) is str else "")
    return lambda _, locale=None: "C" if locale is None else passed(locale) or desktop.LOCALE


def _passed_beside(leftovers: Leftovers, place: str, make: Any) -> object:
    """Pass over a folder that is made beside the submission's files."""
    passed = leftovers.passing("passed", place)
    return lambda path, *given, **named: (
        make(path, *given, **named) if leftovers.beside(path) is None else passed()
    )


def _opened(leftovers: Leftovers, _: str, opens: Any) -> object:
    """Keep in memory what is written beside the submission's files."""

    def opened(file: Any, mode: str = "r", *given: Any, **named: Any) -> Any:
        path, writes = leftovers.beside(file), type(mode) is str and not {*"wax"}.isdisjoint(mode)
        if path is None or not (writes or path in leftovers.kept):
            return opens(file, mode, *given, **named)
        if writes:
            leftovers.note("kept", "open")
        return leftovers.kept.open(path, mode, *given, **named)

    return opened


LEFT: Final[Mapping[str, Replacement]] = {
    "builtins.input": Passed(lambda *_: "", "answered", "input"),
    "sys.breakpointhook": Passed(what="breakpoint"),
    "pdb.set_trace": Passed(),
    "pdb.Pdb.set_trace": Passed(what="pdb.set_trace"),
    "os.chdir": Passed(),  # their own folder is not there
    "subprocess.run": _tried,
}
"""What is replaced as long as leftovers are not charged, by where it stands."""
MACHINE: Final[Mapping[str, Replacement]] = {
    **{place: _answered(answer) for place, answer in desktop.ANSWERS.items()},
    "locale.setlocale": _set_locale,
    "signal.signal": Passed(lambda *_: SIG_DFL),
    "signal.alarm": Passed(lambda *_: 0),
    "signal.setitimer": Passed(lambda *_: (0.0, 0.0)),
    "signal.siginterrupt": Passed(),
    "os.nice": Passed(lambda *_: 0),
    **dict.fromkeys(("os.setpriority", "os.sched_setaffinity"), Passed()),
    "os.mkdir": _passed_beside,
    "pathlib.Path.touch": _passed_beside,
    "builtins.open": _opened,
    "io.open": _opened,
    "platform._uname_cache": _answered(None),
    "zoneinfo._tzpath.TZPATH": lambda _, __, paths: () if find_spec("tzdata") else paths,
}
"""What is replaced wherever work runs, by where it stands; the zones are those of the package tzdata."""


def passed_over() -> list[str]:
    """Return the names of what does nothing, as they are noted."""
    rows = [(place, row) for place, row in {**LEFT, **MACHINE}.items() if isinstance(row, Passed)]
    named = (row.what or place for place, row in rows if row.kind == "passed")
    return [*dict.fromkeys(("time.sleep", *named))]


class Leftovers:
    """The notes of a process that runs one submission."""

    def __init__(
        self,
        own: Callable[[str], str | None],
        modules: Collection[str],
        is_final: Callable[[BaseException], bool] = lambda error: isinstance(error, MemoryError),
        folder: str = "",
    ) -> None:
        """Set up the notes.

        ``own`` returns the name of a file of the submission, by the path that it is run from, and None for
        any other; ``modules`` are names that the submission's imports may mean. ``is_final`` tells an
        exception that ends loading, whatever was made before; ``folder`` is the one in which the submission
        sees its files.
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
        self._folder, self.kept = folder, desktop.KeptFiles()

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

    # --- what is replaced ---------------------------------------------------------------------------

    @contextmanager
    def passing_over(self, modules: Collection[str] = SLOW, *, charged: bool = False) -> Iterator[None]:
        """Replace what the tables say in this context, only ``MACHINE`` where leftovers are charged.

        These of the modules of ``SLOW`` are loaded for that.
        """
        rows = MACHINE if charged else {**LEFT, **MACHINE}
        found = [
            (*at, row(self, place, getattr(*at))) for place, row in rows.items() for at in _at(place, modules)
        ]
        with desktop.environment(), _replaced(found):
            yield

    def passing(self, kind: str, what: str, gives: Callable[..., object] = _nothing) -> Callable[..., Any]:
        """Return a function that notes where it is called, and does nothing else."""

        def passed(*given: object, **named: object) -> object:
            self.note(kind, what)
            _sleep(0)  # lets other threads go on
            return gives(*given, **named)

        return passed

    def beside(self, path: object) -> str | None:
        """Return a path in the submission's folder, where its own code names it from the root; else None."""
        try:
            name = os.fspath(path)  # type: ignore[call-overload]
        except TypeError:
            return None
        if type(name) is not str or not self._folder or not os.path.isabs(name):  # noqa: PTH117 - as fast as it can be
            return None
        name = os.path.normpath(name)
        is_inside = name == self._folder or name.startswith(f"{self._folder}{os.sep}")
        return name if is_inside and self._own_frame(_frame(1)) is not None else None

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
            if cut is not None and leans(name, module, cut.line):
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
            if self._is_final(error) or self._wanting(error) or not has_made_something(module):
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
                    loader.source_to_code(statements_after(loader.get_source(module.__name__), run), place)
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
                run = count_run(loader.get_source(module.__name__), run, line)

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


def _at(place: str, modules: Collection[str]) -> Iterator[tuple[Any, str]]:
    """Yield what holds something, and its name there, if it is there and may be used."""
    module, *names = place.split(".")
    try:
        held: Any = sys.modules.get(module) or (
            import_module(module) if module in modules or module not in SLOW else None
        )
    except ImportError:  # of another system
        return
    for name in names[:-1]:
        held = getattr(held, name, None)
    if hasattr(held, names[-1]):
        yield held, names[-1]


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
