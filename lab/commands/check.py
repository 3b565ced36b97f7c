"""``maze check``: run the public tests on a student's folder, and say what passed and what to do next."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from lab import own_mazes
from lab.commands import child_python, last_check, output_files, pack, reporter, screen, student
from lab.commands.check_report import (
    NOT_RUN,
    Board,
    Result,
    Show,
    points_by_exercise,
    to_html,
    uses_search,
)
from lab.commands.command_line import ask_for, command_module
from lab.commands.errors import CommandError
from lab.exercises import EXERCISES, Exercise, exercise_of
from lab.leftovers import Leftover, first_of_each, sentence
from lab.template import template_folder
from lab.worker import Awake

_QUESTIONS: Any = command_module("questions")
"""The questions on paper, which most kits are without."""
SILENCE_SECONDS = 40.0
"""How long the tests may be silent. They stop each test after 30 seconds at the latest, and the system ends
what cannot be stopped from within, such as a huge sum: so longer silence is a wait that nothing sees, or
comes where the system counts no seconds."""
_OUT_OF_TIME: int = getattr(signal, "SIGXCPU", 0)
"""What ends a process that has used up its seconds of the processor, where the system counts them."""
_START_SECONDS = 60.0
"""How long the tests may take to report anything, on a slow machine."""
_POLL_SECONDS = 0.05
GIVEN = Path(__file__).parents[1] / "given"
"""The kit's own copy of the public tests and their mazes, which nobody changes."""


@dataclass(slots=True)
class Progress:
    """What the tests have reported so far."""

    results: dict[str, Result]
    board: Board
    running: str | None = None
    hung: Counter[str] = field(default_factory=Counter)
    """How many tests of a file have ended Python, or could not be ended."""
    passed_over: set[Leftover] = field(default_factory=set)
    """What was left in the code, and passed over."""

    def hear(self, message: Any) -> None:
        """Take in what ``reporter.run`` told."""
        identity = message["id"]
        if message["event"] == "test":
            checks, is_drawn = tuple(message["checks"]), message["drawn"]
            result = Result(Path(message["file"]).stem, message["title"], checks, is_drawn=is_drawn)
            self.results.setdefault(identity, result)
        elif message["event"] == "start":
            self.running = identity
        else:
            self.running = None
            self.passed_over |= {Leftover(*each) for each in message["left"]}
            ended = {name: message[name] for name in ("passed", "message", "example", "cases")}
            self.results[identity].end(**ended)
            self.board.update(self.results.values())

    def give_up(self, identity: str, message: str) -> None:
        """Fail a test; after the second of an exercise, leave out those that remain."""
        hung, self.running = self.results[identity], None
        hung.end(passed=False, message=message)
        self.hung[hung.file] += 1
        for result in self.results.values():
            if result.file == hung.file and result.passed is None and self.hung[hung.file] > 1:
                result.end(passed=False, message=f"{NOT_RUN}: tests before it could not be ended.")
        self.board.update(self.results.values())

    def left(self) -> list[str]:
        """Return the tests that have not ended yet."""
        return [identity for identity, result in self.results.items() if result.passed is None]

    def to_run(self) -> list[str]:
        """Return what ``reporter.run`` is to run: the tests that are left, at first the files of all."""
        return self.left() or [f"test_{exercise.stem}.py" for exercise in self._needed()]

    def _needed(self) -> list[Exercise]:
        """Return the exercises to test: before a solver that uses the search, that as well."""
        search, board = exercise_of("script"), self.board
        solvers = [each for each in board.exercises if each.kind in ("solver", "walker")]
        is_used = any(uses_search(board.folder / each.file) for each in solvers)
        first = [search] if search is not None and is_used else []
        return [*first, *(each for each in board.exercises if each not in first)]


def check(
    given: Sequence[str] = (),
    *,
    show: Show = "some",
    silence_seconds: float = SILENCE_SECONDS,
    early: Callable[[Callable[..., str]], object] | None = None,
) -> Callable[..., str]:
    """Run the public tests and show their results; ``given`` names exercises, and the student's folder.

    ``early`` is given the page of what is known as soon as the first failure is.

    Returns a function that formats the same results as a page. Raises CommandError if they cannot be run.
    """
    folder, exercises = folder_of(given), chosen(given)[1]
    progress = Progress({}, Board(folder, exercises, show))
    page = partial(to_html, progress.board, progress.results.values())
    if early is not None:
        progress.board.tell_early = partial(early, page)
    run_all(progress, partial(_run, folder, tests_for(folder), progress, silence_seconds))
    return page


def points(given: Sequence[str] = ()) -> dict[str, dict[str, Any]]:
    """Run the public tests, and return the points of each exercise, without showing anything."""
    folder, exercises = folder_of(given), chosen(given)[1]
    progress = Progress({}, Board(folder, exercises))
    with redirect_stdout(StringIO()):
        run_all(progress, partial(_run, folder, tests_for(folder), progress, SILENCE_SECONDS))
    return points_by_exercise(progress.board, progress.results.values())


def folder_of(given: Sequence[str]) -> Path:
    """Return the student's folder: the named one, or the current one."""
    named = chosen(given)[0]
    if named is not None and not Path(named).exists():
        known = ", ".join(exercise.id for exercise in EXERCISES)
        meant = ask_for(named, [word for exercise in EXERCISES for word in _words(exercise)])
        more = meant or f"; the exercises are {known}"
        raise CommandError(f"there is no exercise and no folder {named}{more}")
    return student.folder_of(named, named_by="maze check DIR")


def command(options: argparse.Namespace) -> None:
    """Run the public tests; write and open their page if one is asked for."""
    if options.html is not None:
        output_files.check_suffix(options.html, ".html")
    what = [word for word in options.what if _QUESTIONS is None or word.lower() not in _QUESTIONS.WORDS]
    folder, exercises, is_asked = folder_of(what), chosen(what)[1], what != options.what
    is_all, told = exercises is EXERCISES, list[str]()
    if _QUESTIONS is not None and (is_all or is_asked or any(each.kind == "literals" for each in exercises)):
        told = _QUESTIONS.report(folder, even_if_missing=is_asked)
    if is_all and is_asked:
        print(*told, sep="\n")
        return
    page = check(what, show=options.show)
    tell_more(folder, exercises, told)
    if options.html is not None:
        output_files.write_output(options.html, page())
        print(f"The same with pictures: {options.html}")
        if not options.no_open:
            screen.browse(Path(options.html))


def tell_more(folder: Path, exercises: Sequence[Exercise], told: Sequence[str] = ()) -> None:
    """Print what no test says: which of the student's own mazes count, what is told besides, and what will
    cost points."""
    if any(each.kind == "checker" for each in exercises):
        told = [*own_mazes.report(folder), *told]
    print("".join(f"{line}\n" for line in told), end="")
    for warning in pack.risks_in(folder):
        print(f"Warning: {warning}")


def chosen(given: Sequence[str]) -> tuple[str | None, Sequence[Exercise]]:
    """Return the named folder, or None, and the named exercises, or all."""
    by_word = {word: each for each in EXERCISES for word in _words(each)}
    folders = [word for word in given if word.lower() not in by_word]
    if len(folders) > 1:
        known = ", ".join(exercise.id for exercise in EXERCISES)
        raise CommandError(f"expected one folder, got {' and '.join(folders)}; the exercises are {known}")
    wanted = [by_word[word.lower()] for word in given if word.lower() in by_word]
    exercises = tuple(exercise for exercise in EXERCISES if exercise in wanted)
    return (folders[0] if folders else None), exercises or EXERCISES


def _words(exercise: Exercise) -> tuple[str, ...]:
    """Return an exercise's names in lower case: its id, its class and its file."""
    return exercise.id, exercise.stem, exercise.name.lower(), exercise.file, f"{exercise.stem}.py"


def tests_for(folder: Path) -> Path:
    """Return the unchanged public tests that came with the lab, or else those in the folder."""
    shipped = (GIVEN, template_folder(), folder)
    for tests in (place / "tests" for place in shipped if place is not None):
        if all((tests / f"test_{exercise.stem}.py").is_file() for exercise in EXERCISES):
            return tests
    raise CommandError(f"there are no public tests: neither with the lab nor in {folder / 'tests'}")


def run_all(progress: Progress, run: Callable[[], str]) -> None:
    """Run all tests and show their results; if one had to be killed, continue with the remaining ones.

    ``run`` runs those that ``progress`` has not heard of yet, and returns how that ended.
    """
    while True:
        ending = run()
        hung = progress.running
        if hung is None:
            break
        progress.give_up(hung, f"Your code {ending}")
        if not progress.left():
            break
    passed = {id_: result.passed is True for id_, result in progress.results.items() if not result.not_run}
    since = last_check.changes(progress.board.folder, passed)
    progress.board.finish(progress.results.values(), since=since)
    for left in first_of_each(progress.passed_over):
        print(sentence(left))


def _run(folder: Path, tests: Path, progress: Progress, silence_seconds: float) -> str:
    """Run the remaining tests in one process, and return how it ended."""
    with tempfile.TemporaryDirectory(prefix="maze-check-") as scratch:
        report, output = (Path(scratch) / name for name in ("report", "output"))
        report.touch()
        with output.open("wb") as stream:
            process = subprocess.Popen(  # noqa: S603 - our own, on the student's files
                _command(tests, progress),
                cwd=folder,
                env=_environment(folder, report),
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
            )
            try:
                _follow(process, report, progress, silence_seconds)
            finally:
                status = process.poll()
                process.kill()
                process.wait()
        if not progress.results or (progress.left() and progress.running is None):
            lines = output.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise CommandError(f"the public tests could not be run: {lines[-1] if lines else 'no output'}")
    if status is None or status == -_OUT_OF_TIME:
        return "did not come to an end."
    return f"ended Python itself (status {status})."


def _command(tests: Path, progress: Progress) -> list[str]:
    return [*child_python.PYTHON, "-m", reporter.__name__, str(tests), *progress.to_run()]


def _environment(folder: Path, report: Path) -> dict[str, str]:
    return child_python.environment() | {"MAZE_SUBMISSION": str(folder), reporter.VARIABLE: str(report)}


def _follow(process: subprocess.Popen[bytes], report: Path, progress: Progress, silence: float) -> None:
    """Read the report as it is written, until the process ends or is silent for too long."""
    awake = Awake()
    deadline = awake() + _START_SECONDS
    with report.open(encoding="utf-8") as stream:
        partial = ""
        while True:
            ended = process.poll() is not None
            if text := stream.read():
                *lines, partial = (partial + text).split("\n")
                for line in lines:
                    progress.hear(json.loads(line))
                deadline = awake() + silence
            elif awake() > deadline or ended:
                return
            else:
                time.sleep(_POLL_SECONDS)
