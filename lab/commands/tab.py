"""What the lab in a browser tab asks of Python: in one process and one thread, one request at a time.

A request is a line of JSON, and so is its answer; each brings all files. Where code cannot be stopped from
within, the tab ends Python as a whole, and asks another one that waits: the same again, with what was told
until then and how it ended. So nothing here has to last from one request to the next.
"""

from __future__ import annotations

import base64
import io
import json
import linecache
import os
import shutil
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path, PurePath
from typing import Any, Final

from lab import worker
from lab.came import recognise
from lab.commands import check, mazes, pack, reporter, student, trace, trace_child, watch
from lab.commands.check_report import Board, Result, counted, points, to_html
from lab.commands.errors import CommandError
from lab.commands.reasons import reason
from lab.exercises import BY_ID, EXERCISES, FILES, Exercise
from lab.own_mazes import SUFFIX, own_mazes_among

FOLDER: Final = Path("/home/student/mazes-lab")
_MOST_SHOWN: Final = 20_000
"""So many signs of what the student's code printed are shown."""
_ENDINGS: Final[Mapping[str, Callable[[], str]]] = {
    "silent": lambda: "did not come to an end.",
    "recursion": lambda: reason(RecursionError("maximum recursion depth exceeded")),
    "memory": lambda: reason(MemoryError()),
    "died": lambda: "ended Python itself.",
}
"""What is said of code that ended Python, by how it did."""
Tell = Callable[[str], object]
"""Is told what happens, line by line."""


def answer(line: str, tell: Tell, folder: Path = FOLDER) -> str:
    """Answer a request of the tab; what cannot be done is an answer, too: ``refused``."""
    request = json.loads(line)
    worker.on_look = _Pulse(tell).beat
    with _alone(folder):
        try:
            _write(folder, request["files"])
            found = _ANSWERS[request["ask"]](folder, request, tell)
        except CommandError as error:
            found = {"refused": str(error), "before": error.before}
    return json.dumps(found)


class _Pulse:
    """Says once a second that Python runs, when code is looked at that may be at work for long."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._told = tell, time.monotonic()

    def beat(self) -> None:
        """Tell it, if a second has passed."""
        if time.monotonic() - self._told > 1:
            self._told = time.monotonic()
            self._tell(reporter.as_line({"event": "alive"}))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let nothing last that an answer has imported from the student's files or the tests, or put on paths."""
    path, hooks, place = [*sys.path], [*sys.path_hooks], Path.cwd()
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    os.environ["MAZE_SUBMISSION"] = str(folder)
    student.leftovers_of.cache_clear()
    linecache.clearcache()
    try:
        yield
    finally:
        os.chdir(place)
        sys.path[:], sys.path_hooks[:] = path, hooks
        passing = tuple(f"{each}{os.sep}" for each in (folder, check.tests_for(folder)))
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None)).startswith(passing):
                del sys.modules[name]


def _write(folder: Path, files: Mapping[str, str]) -> None:
    """Let the folder hold these files and no others."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")


def _check(folder: Path, request: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Run the public tests of an exercise, of all, or of those that saved files concern.

    ``ended`` lists the runs that ended Python, each with the lines that it told, and how it ended.
    """
    exercises = _concerned(folder, request)
    running = _Running(check.Progress({}, _board(folder, exercises)), tell, [*request["ended"]])
    with redirect_stdout(running.screen):
        check.run_all(running.progress, running.run)
        check.tell_more(folder, exercises)
    results = running.progress.results.values()
    shown = [(each, _board(folder, [each])) for each in exercises]
    needs = watch.needed(folder, exercises)
    return {
        "summary": counted(running.progress.board, results),
        "exercises": {
            each.id: {
                "standing": _standing(each, results),
                "summary": counted(board, results),
                "points": [(found := points(board, results)).so_far, found.total],
                "needs": sorted(path.relative_to(folder).as_posix() for path in needs[each.id]),
                "html": to_html(board, results),
            }
            for each, board in shown
        },
        "mazes": {name: path.read_text(encoding="utf-8") for name, path in _kept(folder, request["files"])},
        "text": running.screen.getvalue(),
        "printed": running.printed.shown(),
    }


def _kept(folder: Path, files: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    """Yield the mazes that failed tests have kept for commands to try."""
    for path in folder.rglob(f"*{SUFFIX}"):
        if (name := path.relative_to(folder).as_posix()) not in files:
            yield name, path


def _board(folder: Path, exercises: Sequence[Exercise]) -> Board:
    return Board(folder, exercises, again="save it", pack="Export zip")


class _Running:
    """The run of public tests, which goes on where those that ended Python have stopped."""

    def __init__(self, progress: check.Progress, tell: Tell, ended: list[tuple[list[str], str]]) -> None:
        self.progress, self._tell, self._ended = progress, tell, ended
        self.screen, self.printed = io.StringIO(), _Printed()

    def run(self) -> str:
        """Run what is left, or repeat what a run told that ended Python; return how it ended."""
        if not self._ended:
            with redirect_stdout(self.printed), redirect_stderr(self.printed):
                tests = str(check.tests_for(self.progress.board.folder))
                reporter.run(tests, self.progress.to_run(), self._happened)
            return ""
        lines, how = self._ended.pop(0)
        for line in lines:
            self._hear(line)
        if self.progress.running is None:
            raise CommandError(f"the public tests could not be run: Python {_ENDINGS[how]()}")
        return _ENDINGS[how]()

    def _happened(self, **message: Any) -> None:
        line = reporter.as_line(message)
        self._hear(line)
        self._tell(line)
        if message["event"] == "end":
            self.printed.end_of(self.progress.results[message["id"]].title)

    def _hear(self, line: str) -> None:
        message = json.loads(line)
        if message["event"] != "alive":
            with redirect_stdout(self.screen):
                self.progress.hear(message)


def _standing(exercise: Exercise, results: Collection[Result]) -> str:
    of_it = [result for result in results if result.file == f"test_{exercise.stem}"]
    if all(result.passed for result in of_it):
        return "passed"
    return "unwritten" if all(result.unwritten for result in of_it) else "failed"


def _concerned(folder: Path, request: Mapping[str, Any]) -> Sequence[Exercise]:
    if "exercise" in request:
        return [BY_ID[request["exercise"]]]
    if request.get("all"):
        return EXERCISES
    return watch.concerned(folder, {folder / name for name in request["saved"]}, EXERCISES)


class _Printed(io.StringIO):
    """What the student's code printed, with the title of the test in which it did."""

    def __init__(self) -> None:
        super().__init__()
        self._tests: list[str] = []

    def end_of(self, title: str) -> None:
        """End a test of that title."""
        if text := self.getvalue().strip("\n"):
            self._tests.append(f"{title}:\n{text}")
        self.seek(0)
        self.truncate()

    def shown(self) -> str:
        """Return all of it, cut where it is long."""
        text = "\n\n".join(self._tests)
        return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}\n…"


def _trace(folder: Path, request: Mapping[str, Any], _: Tell) -> dict[str, Any]:
    """Follow a solver on a maze of the folder, line by line."""
    algorithm = request["algorithm"]
    with redirect_stdout(io.StringIO()):
        maze = mazes.load(request["maze"])
    trace.refuse_large(maze)
    for _, how in request["ended"]:
        raise CommandError(f"{algorithm} {_ENDINGS[how]()}")
    printed = _Printed()
    with redirect_stdout(printed), redirect_stderr(printed):
        recording = trace_child.followed(maze, folder, algorithm, request.get("given", ()))
    page, told = trace.shown(maze, Path(request["maze"]).name, folder, algorithm, recording, request["step"])
    printed.end_of(algorithm)
    return {"html": page, "text": "\n".join(told), "printed": printed.shown()}


def _warnings(folder: Path, _request: Mapping[str, Any], _: Tell) -> dict[str, Any]:
    """Return what maze pack warns of, or refuses."""
    try:
        return {"warnings": pack.build_zip(str(folder), named_by="")[1]}
    except CommandError as error:
        return {"warnings": [str(error).removeprefix("nothing was packed: ")]}


def _unpack(_folder: Path, request: Mapping[str, Any], _: Tell) -> dict[str, Any]:
    """Return the Python files and the student's own mazes of a zip, a kit's too, of a folder, or of files.

    Raises CommandError.
    """
    given = {path: base64.b64decode(content) for path, content in request["given"].items()}
    contents: dict[str, bytes] = {}
    for path, content in given.items():
        contents |= _of_zip(content) if path.lower().endswith(".zip") else {path: content}
    taken: dict[str, str] = {}
    for name, path in _work_among(contents).items():
        content = contents[path]
        if (came := recognise(content)) is not None and name.endswith(".py"):
            raise CommandError(f"{name} is not valid Python: {came.sentence}")
        try:
            taken[name] = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise CommandError(f"{name} cannot be read: {error}") from None
    if not taken:
        raise CommandError(f"there is no Python file among these: {', '.join(list(contents)[:5]) or 'none'}")
    return {"taken": taken}


def _of_zip(content: bytes) -> dict[str, bytes]:
    """Return what of a zip may be work. Raises CommandError."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            sizes = {each.filename: each.file_size for each in archive.infolist()}
            wanted = _work_among(sizes).values()
            if len(wanted) > pack.MOST_FILES or sum(sizes[path] for path in wanted) > pack.MOST_BYTES:
                raise CommandError("this zip holds more than the grader reads: was it made by maze pack?")
            return {path: archive.read(path) for path in wanted}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, zlib.error) as error:
        raise CommandError(f"this zip cannot be read: {error}") from None


def _work_among(paths: Collection[str]) -> dict[str, str]:
    """Return the paths of files to hand in, by their names in the folder in which most exercises lie."""
    above = [path.removesuffix(file) for path in paths for file in FILES if f"/{path}".endswith(f"/{file}")]
    if above:
        top = min(above, key=lambda each: (-above.count(each), len(each)))
    else:
        folders = [path.rpartition("/")[0] for path in paths]
        top = f"{common}/" if folders and (common := os.path.commonpath(folders)) else ""
    inside = {path.removeprefix(top): path for path in paths if path.startswith(top)}
    mazes = own_mazes_among(inside)
    found = {name: path for name, path in inside.items() if name in mazes or pack.is_code(name)}
    loose = {} if above else {PurePath(file).name: file for file in FILES}
    return {loose.get(name.rpartition("/")[2], name): path for name, path in found.items()}


_ANSWERS: Final[Mapping[str, Callable[[Path, Mapping[str, Any], Tell], dict[str, Any]]]] = {
    "check": _check,
    "trace": _trace,
    "warnings": _warnings,
    "unpack": _unpack,
}
