"""The commands of the handout and of the pages for teaching assistants, run in order as by a reader."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import grader.cli
from grader.course.rubric import SHIPPED
from grader.session import trials
from lab.exercises import EXERCISES
from tests.docs.pages import ROOT, Command, commands, mentions
from tests.docs.test_commands import words
from tests.grader.command import grader as grader_here
from tests.lab.running import MAZE, maze
from tests.submissions.loader import Case

pytestmark = pytest.mark.usefixtures("_untraced")

HANDOUT = ROOT / "student_template/README.md"
ASSISTANTS = ROOT / "docs/teaching-assistants.md"
ON_GRADING = [ASSISTANTS, *(ROOT / f"docs/reference/{page}.md" for page in ("gradebooks", "batch", "review"))]
"""The page for teaching assistants, and those on which it goes on."""
READERS_OWN = {"FILE": "sample_maze.txt", "PICTURE.svg": "picture.svg", "OLD": "before", "NEW": "results"}
GRADES = {"batch", "grade"}
IN_A_HURRY = ("--sandbox", "process", "--rubric", "small.yaml")
RUBRIC = (
    "title: Lab\nexamples: 5\nrequests: {days: 7}\nlate: {deadline: 2026-10-01T23:59:00+02:00, per_day: 10}\n"
    "exercises: {dfs: {checks: {dfs.valid-path: 30, dfs.visit-order: 40, dfs.hidden-mazes: 30}}}\n"
)
OTHER_PLATFORMS = {"moodle", "blackboard"}
"""Their gradebooks take results of their own downloads; the page's class comes from Canvas."""
GROUPS = "name,canvas_user_id,group_name\nAda Lovelace,101,The Alphas\n"
REQUESTS = "student,check,text\n101,dfs.visit-order,It goes to the north first.\n"
GRADEBOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab 2 (7002)\n"
    "    Points Possible,,,,,50\n"
    '"Lovelace, Ada",101,s1,ada,Group 1,\n'
)


def _pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


RUN: Mapping[str, Callable[..., Any]] = {
    "maze": maze,
    "grader": lambda folder, *arguments: grader_here(*arguments, cwd=folder),
    "pytest": _pytest,
}
"""How a program is run in a folder: those of the project in this process."""


@pytest.fixture(autouse=True)
def _nothing_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open no browser, type nothing, and try no promise of a sandbox: tests/grader/sandbox does."""
    monkeypatch.setenv("BROWSER", "true")
    monkeypatch.setattr("sys.stdin", StringIO())
    monkeypatch.setattr(trials, "broken", lambda *_: {})


def run(command: Command, folder: Path) -> None:
    program, *arguments = (READERS_OWN.get(word, word) for word in words(command.line))
    hurry = IN_A_HURRY if arguments[0] in GRADES else ()
    done = RUN[program](folder, *arguments, *hurry)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    if " > " in command.line:
        (folder / command.line.split(" > ")[1]).write_text(done.stdout, encoding="utf-8")
    elif "…" not in command.prints:
        assert command.prints.strip() in done.stdout, str(command)


def run_until_ctrl_c(command: Command, folder: Path) -> None:
    """Run a command that goes on until its reader ends it, up to its first words."""
    program, *arguments = words(command.line)
    with subprocess.Popen(
        [*{"maze": MAZE, "grader": [sys.executable, "-m", "grader"]}[program], *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert any("Ctrl-C ends this" in line for line in process.stdout), str(command)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read().endswith("Ended.\n")
    assert process.returncode == 0, str(command)


def own_commands(*pages: Path) -> Sequence[Command]:
    """Each once."""
    own = [command for page in pages for command in commands(page) if command.line.split()[0] in RUN]
    return list({command.line: command for command in own}.values())


def in_the_text(page: Path) -> Sequence[Command]:
    """The commands in the running text that are whole, each once."""
    shown = {command.line for command in commands(page)}
    lines = dict.fromkeys(text for text in mentions(page) if text.startswith("grader ") and text not in shown)
    return [Command(page, line) for line in lines if is_whole(line)]


def is_whole(line: str) -> bool:
    """Whether nothing is left out of a command line."""
    try:
        with redirect_stderr(StringIO()):
            grader.cli.make_parser().parse_args(words(line)[1:])
    except SystemExit:
        return False
    return True


def test_the_commands_of_the_handout_do_what_it_says(tmp_path: Path) -> None:
    folder = tmp_path / "lab"
    shutil.copytree(HANDOUT.parent, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    for exercise in EXERCISES:
        shutil.copy(ROOT / "reference" / exercise.file, folder / exercise.file)
    for command in own_commands(HANDOUT):
        if words(command.line)[1] == "submit" or "--predict" in command.line:
            continue  # the one needs a service, the other a terminal
        goes_on = words(command.line)[1] == "watch"
        (run_until_ctrl_c if goes_on else run)(command, folder)
    written = {"my_maze.txt", "my_maze.svg", "picture.svg", "film.html", "submission.zip"}
    assert written <= {path.name for path in folder.iterdir()}


def test_the_commands_of_the_pages_for_teaching_assistants_do_what_they_say(tmp_path: Path) -> None:
    west_first = Case("wrong", "dfs-west-first-search").files()
    (tmp_path / "submissions").mkdir()
    with zipfile.ZipFile(tmp_path / "submissions/lovelaceada_101_9001_lab.zip", "w") as archive:
        for path, content in west_first.items():
            archive.writestr(path, content)
    shutil.copytree(tmp_path / "submissions", tmp_path / "2025/results")
    (tmp_path / "small.yaml").write_text(RUBRIC, encoding="utf-8")
    (tmp_path / "corridor.txt").write_text("+-+-+-+\n|S   E|\n+-+-+-+\n", encoding="utf-8")
    shutil.copytree(SHIPPED.parent / "mazes", tmp_path / "mazes")
    (tmp_path / "extensions.csv").write_text("student;hours\n101;24\n", encoding="utf-8")
    (tmp_path / "requests.csv").write_text(REQUESTS, encoding="utf-8")
    (tmp_path / "groups.csv").write_text(GROUPS, encoding="utf-8")
    (tmp_path / "export.csv").write_text(GRADEBOOK, encoding="utf-8")
    told = own_commands(*ON_GRADING)
    (last,) = [command for command in told if "forget" in words(command.line)]
    for command in told:
        if not {*OTHER_PLATFORMS, "choose", "forget"} & set(words(command.line)):
            run(command, tmp_path)
    shutil.copytree(tmp_path / "results", tmp_path / "before")
    for page in ON_GRADING:
        for command in in_the_text(page):
            run(command, tmp_path)
    run(last, tmp_path)
    assert "Lovelace, Ada" in (tmp_path / "import.csv").read_text(encoding="utf-8")
    made = {"feedback.zip", "autograder.zip", "results", "result", "report.xml"}
    assert made <= {path.name for path in tmp_path.iterdir()}
