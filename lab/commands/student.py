"""Load and call a student's code; the outcome is always a value or a CommandError."""

from __future__ import annotations

import ast
import os
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path
from traceback import FrameSummary, extract_tb, format_list
from types import CodeType, ModuleType
from typing import Any, Final, TypeVar, cast

from lab import exercises, noted, worker
from lab.commands import slips
from lab.commands.errors import CommandError
from lab.commands.reasons import place, reason
from lab.exercises import BY_NAME, EXERCISES, Exercise, Kind
from lab.leftovers import Leftovers
from lab.steps import StepRecorder
from lab.waits import IN_C, CallTime

T = TypeVar("T")
Error = TypeVar("Error", bound=BaseException)

MOST_SECONDS = 60.0
"""How long a call of the student's code may take."""
_WANTED: Final[Mapping[Kind, str]] = {
    "script": "a Search of your own",
    "solver": "a solver",
    "walker": "a solver",
    "checker": "a perfection checker",
    "maker": "a generator of your own",
    "answer": "a function",
    "literals": "a file to fill in by hand",
    "written": "a text of your own",
}
"""What a command needs from the course, by the kind of exercise."""
_FRAMES, _SHOWN_FRAMES = 100, 8
"""So many of the last lines that an exception came through are looked at, and so many are shown."""


def folder_of(given: str | None, *, named_by: str = "--submission DIR") -> Path:
    """Return the student's folder: the given one, or the current one.

    Raises CommandError if it holds none of the files; ``named_by`` is the option by which the command names a
    folder.
    """
    folder = Path(given or ".")
    if not folder.is_dir():
        raise CommandError(f"there is no folder {given}")
    if not any((folder / exercise.file).is_file() for exercise in EXERCISES):
        where = f"{given} holds" if given else "the current folder holds"
        one = EXERCISES[min(1, len(EXERCISES) - 1)].file  # of the first, most is given
        advice = "name your folder" if given else f"go to your folder, or name it with {named_by}"
        raise CommandError(f"{where} no exercise (such as {one}): {advice}")
    return folder.resolve()


def exercise_named(name: str) -> Exercise:
    """Return the exercise that asks for a class of this name, or any solver.

    Raises CommandError if the course has none.
    """
    return BY_NAME[name] if name in BY_NAME else exercise_of("solver")


def exercise_of(kind: Kind) -> Exercise:
    """Return the course's exercise of a kind. Raises CommandError if it has none."""
    found = exercises.exercise_of(kind)
    if found is None:
        raise CommandError(f"this needs {_WANTED[kind]}, and this course has no exercise for one")
    return found


def load(folder: Path, exercise: Exercise) -> Any:
    """Import the exercise's file and return the class in it."""
    if (gone := slips.find_misplaced_file(folder, exercise)) is not None:
        raise CommandError(gone)
    put_on_path(folder)
    module = call(folder, lambda: imported(folder, exercise), what=exercise.file)
    slip = slips.find_misspelt_name(module, exercise)
    if slip is None and exercise.kind != "script":  # which a solver need not use
        slip = slips.find_wrong_parameters(module, exercise)
    if slip is not None:
        raise CommandError(slip.sentence, before=slip.place)
    return getattr(module, exercise.name)


_preparing: Final[list[Callable[[Any, str], None]]] = []
"""What changes the tree of each file before it is compiled."""


@contextmanager
def recorded_by(folder: Path, recorder: StepRecorder) -> Iterator[None]:
    """Load the student's files anew in this context, and so that a recorder can see all that they do."""
    forget(folder)
    noted.install(recorder.note)
    _preparing.append(partial(noted.prepare, recorder))
    try:
        yield
    finally:
        _preparing.clear()
        noted.install()
        forget(folder)


@lru_cache(maxsize=64)  # each test loads the files anew
def _compiled(data: Any, path: str) -> CodeType:
    return compile(data, path, "exec", dont_inherit=True)


class _Loader(SourceFileLoader):
    """Loads a student's file as far as it comes."""

    def __init__(self, fullname: str, path: str, folder: Path) -> None:
        super().__init__(fullname, path)
        self._folder = folder

    def source_to_code(self, data: Any, path: str) -> CodeType:  # type: ignore[override]  # only files are loaded
        """Compile a file's source, or its tree."""
        if not _preparing:
            return _compiled(data, path)
        tree: Any = compile(data, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        for prepare in _preparing:
            prepare(tree, path)
        code: CodeType = compile(tree, path, "exec", dont_inherit=True)
        return code

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the file compiled, by what was kept of it only if nothing changes it."""
        if not _preparing:
            return super().get_code(fullname)
        return self.source_to_code(self.get_data(self.path), self.path)

    def exec_module(self, module: ModuleType) -> None:
        """Run the file."""
        leftovers_of(self._folder).run(lambda: cast("CodeType", self.get_code(module.__name__)), module)


@cache
def leftovers_of(folder: Path) -> Leftovers:
    """Return the notes on what was left in the student's files, which are found by a loader of their own
    from now on."""
    paths = [*folder.glob("*"), *folder.glob("*/*.py")]

    def finder(path: str) -> FileFinder:
        if not is_own_file(folder, Path(path)):
            raise ImportError(f"{path} is no folder of the student's")
        loader = partial(_Loader, folder=folder)
        return FileFinder(path, (loader, [".py"]))  # type: ignore[arg-type]  # what makes one will do

    @cache
    def own(path: str) -> str | None:
        is_own = is_own_file(folder, Path(path))
        return Path(path).relative_to(folder).as_posix() if is_own else None

    sys.path_hooks.insert(0, finder)
    for path in [path for path in sys.path_importer_cache if is_own_file(folder, Path(path))]:
        del sys.path_importer_cache[path]
    return Leftovers(own, {path.stem for path in paths}, folder=str(folder))


def imported(folder: Path, exercise: Exercise) -> ModuleType:
    """Import the exercise's file, as far as it comes where what is asked for was made."""
    return leftovers_of(folder).load(exercise.module, exercise.name)


@cache
def _time_of(folder: Path) -> CallTime:
    return CallTime(worker.stuck, partial(leftovers_of(folder).note, "passed"))


def in_its_time(folder: Path, function: Callable[[], T]) -> Callable[[], T]:
    """Return the call with its own locks and clocks: no wait is real, and one without end is told at once."""

    def run() -> T:
        with _time_of(folder).in_force(IN_C):
            _time_of(folder).begin()
            return function()

    return run


def put_on_path(folder: Path) -> None:
    """Make the student's files importable: after Python's own modules, as when they are graded."""
    library = sysconfig.get_path("stdlib")
    others = [path for path in sys.path if path != str(folder)]
    of_python = [place for place, path in enumerate(others) if path in (library, f"{library}/lib-dynload")]
    place = max(of_python, default=-1) + 1
    sys.path[:] = [*others[:place], str(folder), *others[place:]]


def forget(folder: Path) -> None:
    """Remove the student's modules from ``sys.modules``, so that they are imported anew."""
    inside = f"{folder}{os.sep}"
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.startswith(inside) and is_own_file(folder, Path(file)):
            del sys.modules[name]


def call(folder: Path, function: Callable[[], T], *, what: str) -> T:
    """Call the function, which runs the student's code; ``what`` names that code in messages."""
    try:
        return worker.run(in_its_time(folder, function), seconds=MOST_SECONDS)
    except worker.WaitsForEver as stopped:
        message = f"{what} waits for ever for what nobody can bring"
        raise CommandError(message, before=trace(folder, stopped.trace)) from None
    except worker.TookTooLong as stopped:
        message = f"{what} did not come to an end within {MOST_SECONDS:g} s; it was stopped"
        raise CommandError(message, before=trace(folder, stopped.trace)) from None
    except worker.Interrupted as stopped:
        raise CommandError(f"{what} was stopped with Ctrl-C", before=trace(folder, stopped.trace)) from None
    except CommandError:
        raise
    except BaseException as error:  # noqa: BLE001 - SystemExit and the like are a student's exceptions as well
        raise CommandError(f"{what} {reason(error)}", before=format_own_trace(folder, error)) from None


def format_own_trace(folder: Path, error: BaseException) -> str:
    """Return the student's lines of an exception's traceback, or the line with the syntax error."""
    lines = (trace(folder, own_frames(folder, error)), place(error, folder))
    return "\n".join(filter(None, lines))


def short(error: Error) -> Error:
    """Return an exception with the last lines that it came through, which are looked at: of a deep recursion
    all would fill the memory."""
    trace, left = error.__traceback__, 0
    while trace is not None:
        trace, left = trace.tb_next, left + 1
    trace = error.__traceback__
    while trace is not None and left > _FRAMES:
        trace, left = trace.tb_next, left - 1
    return error.with_traceback(trace)


def own_frames(folder: Path, error: BaseException) -> list[FrameSummary]:
    """Return the student's frames among the last of an exception's traceback."""
    frames = extract_tb(error.__traceback__, limit=-_FRAMES)
    return [frame for frame in frames if is_own(folder, frame)]


def trace(folder: Path, frames: list[FrameSummary]) -> str:
    """Format frames of the student's files as Python does; "" if there are none."""
    own = [frame for frame in frames if is_own(folder, frame)]
    if not own:
        return ""
    named = [
        FrameSummary(
            Path(frame.filename).relative_to(folder).as_posix(), frame.lineno, frame.name, lookup_line=False,
            line=frame.line,
        )
        for frame in own[-_SHOWN_FRAMES:]
    ]  # fmt: skip
    head = "Traceback (your files only, most recent call last):\n"
    note = "  ... earlier lines left out ...\n" if len(own) > len(named) else ""
    return head + note + "".join(format_list(named)).rstrip("\n")


def is_own(folder: Path, frame: FrameSummary) -> bool:
    """Tell whether the frame is in one of the student's files."""
    return is_own_file(folder, Path(frame.filename))


def is_own_file(folder: Path, path: Path) -> bool:
    """Tell whether a file is one of the student's; the public tests are not."""
    return path.is_relative_to(folder) and "tests" not in path.relative_to(folder).parts
