"""What is said of a solver that remembers the maze before is about the run that went wrong."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.course.statements import target_of
from grader.exercises import registry
from grader.exercises.kit.check import Check, PlannedExercise, Wrong
from grader.exercises.kit.library import CaseBook
from grader.grading.case_runs import CaseRuns
from grader.grading.verdicts import verdict_on
from grader.model import Solve
from lab import Maze
from reference.perfection_checker import PerfectionChecker
from reference.solvers.bfs import BFS
from reference.solvers.search import Search
from tests.direct import run_with
from tests.submissions.loader import Case as Submission

ROOT = Path(__file__).parents[4]
BOOK = CaseBook(seed=1, examples=40)


class Counting(BFS):
    """Goes wrong in one of its runs, each in a manner of its own."""

    bad_run = 2

    def __init__(self) -> None:
        self.runs = 0

    def solve(self, maze: Any, search: Any) -> Any:
        self.runs += 1
        return self.wrongly(maze, search) if self.runs == self.bad_run else super().solve(maze, search)

    def wrongly(self, maze: Any, search: Any) -> Any:
        raise KeyError(maze.entry)


class NothingTheThirdTime(Counting):
    bad_run = 3

    def wrongly(self, maze: Any, search: Any) -> Any:
        return None


class LovesTheFirst(BFS):
    """Goes wrong on a maze that is another one than its first."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def solve(self, maze: Any, search: Any) -> Any:
        self.texts.append(maze.to_text())
        return None if self.has_enough() else super().solve(maze, search)

    def has_enough(self) -> bool:
        return self.texts[-1] != self.texts[0]


class KnowsNothingOfTheFirst(LovesTheFirst):
    """Goes wrong where it comes back to its first maze."""

    def has_enough(self) -> bool:
        return self.texts[-1] == self.texts[0] and len(set(self.texts)) > 1


class RemembersAnswers(PerfectionChecker):
    def __init__(self) -> None:
        self.known: dict[Any, bool] = {}

    def is_perfect(self, maze: Any) -> bool:
        return self.known.setdefault(maze.dimension, super().is_perfect(maze))


def repeat_of(id_: str) -> Check:
    return registry.make_checks(id_, [f"{id_}.repeat"], BOOK)[0]


def wrong(id_: str, target: type) -> Wrong | None:
    check = repeat_of(id_)
    trial = CaseRuns([check], run_with(target, Search))
    trial.run()
    return trial.wrong(check)


@pytest.mark.parametrize(
    ("target", "run"),
    [(Counting, 1), (NothingTheThirdTime, 2), (LovesTheFirst, 1), (KnowsNothingOfTheFirst, 2)],
)
def test_a_series_is_told_by_the_maze_that_went_wrong(target: type, run: int) -> None:
    found = wrong("bfs", target)
    assert found is not None
    text = found.case.call.asked(Solve).mazes[run]
    assert (found.case.maze, found.case.facts.text) == (text, text)
    assert found.case.code.count("solver.solve(") == run + 1


@pytest.mark.processes
@pytest.mark.parametrize(
    ("id_", "name", "target", "lines"),
    [
        ("bfs", "bfs-keeps-its-first-search", Counting, 3),
        ("perfection", "perfection-state-in-the-instance", RemembersAnswers, 2),
    ],
)
def test_the_command_shows_it_again(id_: str, name: str, target: type, lines: int, tmp_path: Path) -> None:
    """One of the series shows the mistake, and the command says what each maze gave."""
    Submission("wrong", name).materialise(tmp_path)
    check = repeat_of(id_)
    assert check.twins is not None
    finding = wrong(id_, target)
    assert finding is not None
    for case in (case for case in check.cases if check.twins(case) != (case,)):
        exercise = PlannedExercise(id_, "", target_of(id_), ())
        verdict = verdict_on(exercise, check.id, Wrong(case, finding.finding))
        assert verdict.counterexample is not None
        again: Any = verdict.counterexample["reproduce"]
        mazes = [Maze.from_text(text) for text in again["content"].split("\n\n")]
        assert len(mazes) == lines
        (tmp_path / again["file"]).write_text(again["content"])
        right = (
            [PerfectionChecker().is_perfect(maze) for maze in mazes]
            if id_ == "perfection"
            else [BFS().solve(maze, Search()) for maze in mazes]
        )
        if printed(again["command"], tmp_path) != [str(answer) for answer in right]:
            return
    pytest.fail("no series shows the mistake")


def printed(command: str, folder: Path) -> list[str]:
    """What the command of a page prints in the folder of a submission, an error as its last line."""
    told = subprocess.run(
        [sys.executable, *shlex.split(command)[1:]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return [*told.stdout.splitlines(), *told.stderr.splitlines()[-1:]]
