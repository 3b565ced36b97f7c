"""Puts your folder on Python's path, and runs each test with a large stack and with limits."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
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
MORE_SECONDS = 1.0
"""Of a call without an end, 1 second is recorded."""
MOST_PRINTED = 64 * 1024
"""A call may print 64 KiB, as when it is graded."""
MOST_STOPPED = 3
"""After three tests of a file that went on for ever, or two that took too long or all memory, its others are
not run."""
STOPPED: Counter[str] = Counter()
"""How many tests of a file went on for ever; one that took too long, or all memory, counts twice."""
TOLD: dict[str, tuple[bool, int]] = {}
"""The files of tests of which a story was told: whether it leaves open where the work is wrong, and how large
its maze is. One that says more, or of a smaller maze, takes its place."""


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
    situation: str = ""
    """In which maze your code is at work, for a failure in which it does not say so itself."""
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


NOW = Now()


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


def went_on_for_ever(count: int = 1) -> None:
    """Note that the running test had to be stopped."""
    STOPPED[NOW.file] += count
    NOW.ended = "endless"


def at_work(situation: str, call: retelling.FailedCall | None = None) -> None:
    """Say what your code is asked now; the limit for printing begins anew with each such call."""
    NOW.situation, NOW.printed = situation, 0
    if situation or call is not None:
        NOW.call = call


def guarded(test: Callable[[], None], *, file: str, checks: Sequence[str]) -> str | None:
    """Run one test of a file; return why it failed, with the lines of your own files, or None."""
    student.forget(FOLDER)  # what one test leaves behind in your classes cannot fail another
    at_work("")
    NOW.file, NOW.call, NOW.ended, NOW.maze = file, None, "returned", None
    NOW.kept = f"{KEPT}/{_name_of(test)}.txt"
    message = _complaint(test)
    reporter.tell_left(LEFTOVERS.fresh())
    if message is not None:
        _tell_story(check=next(iter(checks), ""))
    told = f"{message}{reporter.example().get('follow', '')}"
    _keep(FOLDER / NOW.kept, NOW.maze if NOW.kept in told else None)
    return message


def kept_as(maze: Maze) -> str:
    """Return the file that will hold the maze if the running test fails, for a command to try."""
    NOW.maze = maze
    return NOW.kept


def _name_of(test: Callable[[], None]) -> str:
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
    """Report the step at which your code went wrong, and what its lines did, if that is the best story so
    far."""
    example, told = reporter.example(), TOLD.get(NOW.file, (True, sys.maxsize))
    size = len(example.get("maze", ""))
    if NOW.call is None or NOW.ended == "unwritten":
        return
    _, visits = example.get("orders") or ((), ())
    story = None
    if told > (False, size) or visits:
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
    if story is not None and (found := (not story.pop("is_telling"), size)) < told:
        TOLD[NOW.file] = found
        reporter.add(story={"check": check, **story})


def _limited(call: Callable[[], Any], *, seconds: float = MOST_SECONDS) -> Any:
    """Run your code within the limits of a test; what it prints is shown with the test."""
    NOW.printed = 0
    worker.end_process_after(seconds)
    printed = redirect_stdout(_printed(sys.stdout)), redirect_stderr(_printed(sys.stderr))
    try:
        with printed[0], printed[1], LEFTOVERS.passing_over():
            call = student.in_its_time(FOLDER, call)
            return worker.run(call, seconds=seconds, clock=time.process_time)
    except worker.Interrupted:
        raise KeyboardInterrupt from None


def _complaint(test: Callable[[], None]) -> str | None:
    """Run the test; say what your code raised, or where it was when the time was up."""
    if STOPPED[NOW.file] >= MOST_STOPPED:
        return "Not run: tests before it went on for ever."
    try:
        _limited(test)
    except reporter.Failed as failure:
        return str(failure)
    except worker.Stopped as stopped:
        return _joined(f"Your code {_why(stopped)}", student.trace(FOLDER, stopped.trace))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a student's code may raise anything
        NOW.ended = retelling.ending(error)
        if isinstance(error, MemoryError):
            STOPPED[NOW.file] += 2
        own = student.own_frames(FOLDER, error)
        if isinstance(error, NotImplementedError) and own:
            where = Path(own[-1].filename).relative_to(FOLDER).as_posix()
            return f"Still to be written: {own[-1].name} in {where}"
        said = f"Your code {student.reason(error)}"
        if not own and not isinstance(error, SyntaxError):
            what = student.reason(error).removeprefix("raised ")
            said = f"The test cannot go on with what your code gave: {what}"
        return _joined(said, student.format_own_trace(FOLDER, error))
    return None


def _why(stopped: worker.Stopped) -> str:
    """Say why your code had to be stopped, and note it."""
    if isinstance(stopped, worker.WaitsForEver):
        NOW.ended = "waits"
        return "waits for ever for what nobody can bring. It is here:"
    went_on_for_ever(2)
    return f"did not come to an end within {worker.in_words(MOST_SECONDS)}. It was here:"


def _joined(message: str, trace: str) -> str:
    """Return what went wrong, where in your code, and in which maze."""
    return "\n\n".join(filter(None, (f"{message}\n{trace}".rstrip(), NOW.situation)))
