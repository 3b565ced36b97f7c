"""Puts your folder on Python's path, and runs each test with a large stack and with limits."""

from __future__ import annotations

import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import partial
from io import BufferedIOBase, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from lab import Maze, worker
from lab.commands import reporter, retelling, student
from lab.way import cell_text

FOLDER = Path(os.environ.get("MAZE_SUBMISSION") or Path(__file__).parent.parent).resolve()
MOST_SECONDS = 5.0
"""A test may take 5 seconds of the processor."""
MORE_SECONDS = 0.5
"""Of a call without an end, half a second is recorded."""
MOST_PRINTED = 64 * 1024
"""A call may print 64 KiB, as when it is graded."""
SMALL_SECONDS, SURE_SECONDS, SMALL = 0.25, 1.0, 144
"""Of mazes of up to 144 cells, each takes a quarter of a second; right work takes a hundredth. The first call
of a file that takes longer is made once more, alone. If it ends within a second, the computer is slow, or
busy: then no call of the file has to end sooner than those of large mazes."""
TRIED_LONGER: set[str] = set()
"""The files of which a call was made once more for that."""
SLOW: set[str] = set()
"""Those of them whose call came to an end."""
MOST_STOPPED = 4
"""After four checks of a file in which a call took too long, or all memory, its other tests are not run; nor
are those of the same checks after one."""
STOPPED: defaultdict[str, set[str]] = defaultdict(set)
"""The checks of a file in which a call took too long, or all memory."""
LARGE = {"large", "deep"}
"""Checks of large mazes: after one that is wrong, no other is tried."""
TOLD: set[str] = set()
"""The files of tests of which a story was told."""
TRIED_ALONE: set[str] = set()
"""The files whose first wrong case was tried alone."""
ALONE: set[str] = set()
"""Those of them whose code is right there: each case of them is tried alone."""
HUNG: defaultdict[str, set[object]] = defaultdict(set)
"""The kinds of cases of a file on which your code came to no end."""
MOST_ENDLESS = 5
"""After five small cases of a kind on which your code asks without end, which a count of questions ends, no
other of the kind is tried."""
FOUND: set[str] = set()
"""The files for which your class was found."""
ASKED: dict[Any, Any] = {}
"""What your code answered, which several tests look at."""


KEPT = "failed"
"""The folder of mazes on which your code failed; maze pack leaves it out."""


HERE = Path(__file__).parent
if Path(getattr(sys.modules["__main__"], "__file__", None) or "").resolve().parent == HERE.resolve():
    print("This file holds tests, which do not run by themselves: type maze check, or pytest tests")
student.put_on_path(FOLDER)
LEFTOVERS = student.leftovers_of(FOLDER)


@dataclass(slots=True)
class Now:
    """The test that is running."""

    file: str = ""
    checks: Sequence[str] = ()
    """The checks that it stands for."""
    situation: Callable[[], str] = str
    """Says in which maze your code is at work, for a failure in which it does not say so itself."""
    printed: int = 0
    """So many bytes your code has printed in this call."""
    call: retelling.FailedCall | None = None
    """What your code is asked, or was asked last, for a story of it."""
    ended: retelling.Ending = "returned"
    """How that ended."""
    kept: str = ""
    """Where its maze is kept if the test fails, seen from your folder."""
    maze: Maze | None = None
    """The maze, once a command names that file."""
    limit: tuple[float, float, retelling.FailedCall | None] = 0.0, MOST_SECONDS, None
    """When the call began, by the clock of the processor, how long it may take, and which it is."""
    over: tuple[float, retelling.FailedCall | None] | None = None
    """The limit in seconds that was reached, and by which call: your code may be at another by now."""


NOW = Now()
_FAILURES = (reporter.Failed, Exception, SystemExit)
"""By what a test fails."""


class Printed(BufferedIOBase):
    """Passes on what your code prints; what is too much is dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, printed: Any) -> int:
        NOW.printed += len(printed)
        if NOW.printed > MOST_PRINTED:
            LEFTOVERS.note("dropped", "print")
        else:
            self._stream.write(str(printed, "utf-8", "replace"))
        return len(printed)

    def fileno(self) -> int:
        return self._stream.fileno()

    def close(self) -> None:
        """Do nothing: the stream is needed after your code has closed it."""


def _printed(stream: TextIO) -> TextIO:
    """Return the stream that your code gets as sys.stdout or sys.stderr; it may reconfigure it."""
    return TextIOWrapper(Printed(stream), "utf-8", "backslashreplace", newline="\n", write_through=True)


def went_on_for_ever() -> None:
    """Note that the running call had to be stopped."""
    NOW.ended = "endless"


def at_work(
    situation: str | Callable[[], str], call: retelling.FailedCall | None = None, *, size: int = sys.maxsize
) -> None:
    """Say what your code is asked now, and how large that is; the limits begin anew with each such call."""
    NOW.situation, NOW.printed = situation if callable(situation) else partial(str, situation), 0
    is_short = size <= SMALL and NOW.file not in SLOW
    if situation or call is not None:
        NOW.call = call
    NOW.limit = worker.used(), SMALL_SECONDS if is_short else MOST_SECONDS, NOW.call
    worker.end_process_after(MOST_SECONDS)


def guarded(test: Callable[[], Any], *, file: str, checks: Sequence[str]) -> str | None:
    """Run one test of a file; return why it failed, with the lines of your own files, or None."""
    student.forget(FOLDER)  # what one test leaves behind in your classes cannot fail another
    random.seed(1)  # what your code draws from the module random is the same whenever this runs
    NOW.file, NOW.checks = file, checks
    NOW.kept = f"{KEPT}/{_name_of(test)}.txt"
    _begin()
    drawn = getattr(getattr(test, "func", test), "drawn", False)
    message = _not_run()
    if message is None:
        message = test().complaint() if drawn else _complaint(test)
        if not drawn:
            reporter.count(0, is_right=message is None, elsewhere=NOW.ended == "endless")
    reporter.tell_left(LEFTOVERS.fresh())
    if message is not None:
        if not _is_loaded():
            reporter.add(unread=True)
        if _is_loaded() and NOW.ended != "unwritten":
            STOPPED[NOW.file].update(LARGE.intersection(checks))
        _tell_story(check=next(iter(checks), ""))
    told = f"{message}{reporter.example().get('follow', '')}"
    _keep(FOLDER / NOW.kept, NOW.maze if NOW.kept in told else None)
    return message


def _begin() -> None:
    """Forget what was asked before."""
    at_work("")
    NOW.call, NOW.ended, NOW.maze = None, "returned", None
    reporter.clear()


@dataclass
class Looking:
    """Asks your code about drawn cases, the smallest first, and counts those that are right.

    After one that comes to no end the others of its kind are not asked.
    """

    judge: Callable[[Any], None]
    cases: Sequence[Any]
    ends_elsewhere: bool = True
    """Whether other tests are about your code coming to an end where it may not."""
    control: Callable[[], None] | None = None
    """Refuses what is right by chance."""
    at: int = 0
    first: tuple[Any, ...] | None = None
    """What was noted of the first that is wrong."""
    wrong: int = 0
    endless: Counter[object] = field(default_factory=Counter)
    """How often your code came to no end, by the kind of case."""
    hung: dict[object, bool] = field(default_factory=dict)
    """The kinds of cases that are not asked any more for that, and whether those count as right."""
    is_over: bool = False
    """Whether nothing can be asked."""

    def complaint(self) -> str | None:
        """Return what is wrong with the first that is, and how many are."""
        while self.at < len(self.cases):
            try:
                _limited(self._go_on)
            except worker.Stopped as stopped:
                if _ends_after_all(stopped):
                    self.at -= 1
                else:
                    self._stopped(stopped)
        undone = self.control and _complaint(self.control)
        if undone:
            reporter.nothing_counts()
        if self.first is None and undone:
            return undone
        if self.first is None:
            return None
        message, example, NOW.call, NOW.ended, NOW.maze = self.first
        reporter.show(**example)
        return f"{message}\n\nSo it is in {self.wrong} of {len(self.cases)}." if self.wrong > 1 else message

    def _go_on(self) -> None:
        while self.at < len(self.cases):
            case = self.cases[self.at]
            self.at += 1
            if self.is_over or case.kind in self.hung:
                self._count(case, is_right=self.hung.get(case.kind, False))
                continue
            begin_anew()
            try:
                _begin()
                self.judge(case)
            except _FAILURES as error:
                NOW.limit = worker.used(), MOST_SECONDS, NOW.call  # what now follows is not the call's
                if not self._is_right_alone(case):
                    self._fail(error)
                    continue
            if self._is_enough(case):
                self._hang(case, is_right=True)
            self._count(case, is_right=True)

    def _is_right_alone(self, case: Any) -> bool:
        """Tell whether your code is right when it is asked nothing before, if that is not known yet."""
        if NOW.file in TRIED_ALONE or NOW.ended == "endless":
            return False
        TRIED_ALONE.add(NOW.file)
        noted = reporter.example(), NOW.call, NOW.ended, NOW.maze
        student.forget(FOLDER)
        ASKED.clear()
        try:
            self.judge(case)
        except _FAILURES:
            example, NOW.call, NOW.ended, NOW.maze = noted
            reporter.show(**example)
            return False
        ALONE.add(NOW.file)
        return True

    def _stopped(self, stopped: worker.Stopped) -> None:
        """Judge what is known of a call that had to be stopped, which fails only the tests about that where
        there is a cycle, or no way."""
        case = self.cases[self.at - 1]
        is_elsewhere = self.ends_elsewhere and case.may_not_end
        if not is_elsewhere or _complaint(partial(self.judge, case)) is not None:
            self._fail(stopped)
            return
        self._hang(case, is_right=True)
        self._count(case, is_right=True)

    def _hang(self, case: Any, *, is_right: bool) -> None:
        self.hung[case.kind] = is_right
        HUNG[NOW.file].add(case.kind)

    def _fail(self, error: BaseException) -> None:
        case = self.cases[self.at - 1]
        if self.first is None:
            self.first = _told(error), reporter.example(), NOW.call, NOW.ended, NOW.maze
        if isinstance(error, worker.Stopped) or self._is_enough(case):
            self._hang(case, is_right=False)
        self._count(case, is_right=False)
        self.is_over = not _is_loaded()

    def _is_enough(self, case: Any) -> bool:
        if NOW.ended != "endless":
            return False
        self.endless[case.kind] += 1
        return case.size > SMALL or self.endless[case.kind] >= MOST_ENDLESS

    def _count(self, case: Any, *, is_right: bool) -> None:
        self.wrong += not is_right
        came = is_right or (case.kind not in self.hung and NOW.ended != "endless")
        elsewhere = self.ends_elsewhere and case.may_not_end and not came
        reporter.count(case.size, is_right=is_right, elsewhere=elsewhere)


def begin_anew() -> None:
    """Load your code anew, if it is right only where it was asked nothing before."""
    if NOW.file in ALONE:
        student.forget(FOLDER)


def kept_as(maze: Maze) -> str:
    """Return the file that will hold the maze if the running test fails, for a command to try."""
    NOW.maze = maze
    return NOW.kept


def _name_of(test: Callable[[], Any]) -> str:
    """Return the name of a test with that of its file, for a file of its own."""
    called, values = getattr(test, "func", test), getattr(test, "keywords", {}).values()
    stem = Path(NOW.file).stem.removeprefix("test_")
    return "-".join([stem, called.__name__.removeprefix("test_"), *map(str, values)])


def _keep(path: Path, maze: Maze | None) -> None:
    """Write the maze of a test that failed; remove that of one that passes now."""
    with suppress(OSError):  # without it, the message still draws the maze
        if maze is not None:
            path.parent.mkdir(exist_ok=True)
            path.write_text(maze.to_text(), encoding="utf-8", newline="\n")
        elif path.exists():
            path.unlink()
            path.parent.rmdir()  # which fails while it holds others


def pytest_collectstart(collector: Any) -> None:
    """Have pytest find each file of tests here, where a file of yours beside this folder has its name."""
    path = getattr(collector, "path", HERE)
    if path.parent == HERE and path.suffix == ".py":
        sys.path.insert(0, str(HERE))
        sys.modules.pop(path.stem, None)


def pytest_collectreport(report: Any) -> None:
    """Have pytest find yours after it."""
    if report.nodeid.endswith(".py"):
        sys.path.remove(str(HERE))
        sys.modules.pop(Path(report.nodeid).stem, None)


def pytest_generate_tests(metafunc: Any) -> None:
    """Let pytest run a test for each of its values."""
    if each := getattr(metafunc.function, "each", None):
        metafunc.parametrize(*each)


def pytest_pyfunc_call(pyfuncitem: Any) -> bool:
    """Run one test for pytest."""
    import pytest  # which nobody else needs

    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    test, checks = partial(pyfuncitem.obj, **arguments), getattr(pyfuncitem.function, "checks", ())
    if (message := guarded(test, file=pyfuncitem.path.name, checks=checks)) is not None:
        pytest.fail(message, pytrace=False)
    return True


def _tell_story(check: str) -> None:
    """Report the step at which your code went wrong, and what its lines did, unless that is told of the file
    already."""
    if NOW.call is None or NOW.ended == "unwritten" or not _is_loaded():
        return
    _, visits = reporter.example().get("orders") or ((), ())
    story = None
    if NOW.file not in TOLD or visits:
        seconds = MORE_SECONDS if NOW.ended == "endless" else MOST_SECONDS
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):  # it was printed in the test
            story = retelling.retold(
                *(FOLDER, NOW.call, NOW.ended),
                run=partial(_limited, seconds=seconds),
                visits=[cell_text(cell) for cell in visits],
            )
        LEFTOVERS.fresh()  # what is left in your code was told of the test
    step = story.pop("step") if story is not None else 0
    if NOW.call.follow:
        reporter.add(follow=NOW.call.follow + (f" --step {step}" if step else ""))
    if story is not None and NOW.file not in TOLD:
        del story["is_telling"]
        TOLD.add(NOW.file)
        reporter.add(story={"check": check, **story})


def _limited(call: Callable[[], Any], *, seconds: float | None = None) -> Any:
    """Run your code within the limits of a test; what it prints is shown with the test.

    The seconds are those of each call in it, unless they are given.
    """
    NOW.printed, NOW.limit, NOW.over = 0, (worker.used(), seconds or MOST_SECONDS, NOW.call), None
    worker.end_process_after(seconds or MOST_SECONDS)
    printed = redirect_stdout(_printed(sys.stdout)), redirect_stderr(_printed(sys.stderr))

    def since() -> float:
        began, most, call = NOW.limit
        used, most = worker.used() - began, seconds or most
        if used > most and (used := used / worker.slowness()) > most:
            NOW.over = most, call
        return used if seconds is not None else used * MOST_SECONDS / most

    try:
        with printed[0], printed[1], LEFTOVERS.passing_over():
            call = student.in_its_time(FOLDER, call)
            return worker.run(call, seconds=seconds or MOST_SECONDS, clock=since)
    except worker.Interrupted:
        raise KeyboardInterrupt from None


def _complaint(test: Callable[[], Any]) -> str | None:
    """Run the test; say what your code raised, or where it was when the time was up."""
    try:
        _limited(test)
    except worker.Stopped as stopped:
        return _complaint(test) if _ends_after_all(stopped) else _told(stopped)
    except _FAILURES as error:
        return _told(error)
    return None


def _ends_after_all(stopped: worker.Stopped) -> bool:
    """Tell whether a small call that was stopped ends when it is made once more, alone and with more time."""
    limit, call = NOW.over or NOW.limit[1:]
    is_short = isinstance(stopped, worker.TookTooLong) and limit == SMALL_SECONDS
    if not is_short or call is None or NOW.file in TRIED_LONGER:
        return False
    TRIED_LONGER.add(NOW.file)
    student.forget(FOLDER)
    try:
        _limited(partial(call.make, lambda _: None), seconds=SURE_SECONDS)
    except worker.Stopped:
        return False
    except _FAILURES:
        pass
    SLOW.add(NOW.file)
    ASKED.clear()
    return True


def _not_run() -> str | None:
    """Say that a test is not run, for what took too long before."""
    stopped = STOPPED[NOW.file]
    if LARGE.intersection(stopped, NOW.checks):
        return "Not run: one before it, of a large maze, failed."
    is_over = len(stopped - LARGE) >= MOST_STOPPED or stopped.intersection(NOW.checks)
    return "Not run: tests before it went on for ever." if is_over else None


def _told(error: BaseException) -> str:
    """Say why a test failed."""
    if isinstance(error, reporter.Failed):
        return str(error)
    if isinstance(error, worker.Stopped):
        return _joined(f"Your code {_why(error)}", student.trace(FOLDER, error.trace))
    NOW.ended = retelling.ending(error)
    if isinstance(error, MemoryError):
        STOPPED[NOW.file].update(NOW.checks)
    own = student.own_frames(FOLDER, error)
    if isinstance(error, NotImplementedError) and own:
        where = Path(own[-1].filename).relative_to(FOLDER).as_posix()
        return f"Still to be written: {own[-1].name} in {where}"
    said = f"Your code {student.reason(error)}"
    if not own and _is_loaded() and not isinstance(error, SyntaxError):
        what = student.reason(error).removeprefix("raised ")
        said = f"The test cannot go on with what your code gave: {what}"
    return _joined(said, student.format_own_trace(FOLDER, error))


def _why(stopped: worker.Stopped) -> str:
    """Say why your code had to be stopped, and note it."""
    STOPPED[NOW.file].update(NOW.checks)
    if isinstance(stopped, worker.WaitsForEver):
        NOW.ended = "waits"
        return "waits for ever for what nobody can bring. It is here:"
    went_on_for_ever()
    most, _ = NOW.over or NOW.limit[1:]
    return f"did not come to an end within {worker.in_words(most)}. It was here:"


def _is_loaded() -> bool:
    """Tell whether your class was found: before that, nothing was asked."""
    return NOW.file in FOUND


def _joined(message: str, trace: str) -> str:
    """Return what went wrong, where in your code, and in which maze."""
    situation = NOW.situation() if _is_loaded() else ""
    return "\n\n".join(filter(None, (f"{message}\n{trace}".rstrip(), situation)))
