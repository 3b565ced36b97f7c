"""A small class, a small rubric, and a grader in a process of its own, which tests may kill."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.batch.job import Course
from grader.course.plan import load_plan
from tests.grader.command import ALONE
from tests.grader.sandbox.conftest import prepare
from tests.grader.undrawn import undrawn as undrawn
from tests.submissions.loader import Case

ROOT = Path(__file__).parents[3]
PATIENCE = 600.0
RUBRIC = """
title: A small rubric
seed: 1
examples: 5
limits: {call_cpu_seconds: 1, call_wall_seconds: 2, submission_wall_seconds: 120}
exercises:
  dfs:
    checks: {dfs.valid-path: 30, dfs.visit-order: 20}
  bfs:
    checks: {bfs.shortest: 40, bfs.no-way: 10}
"""
MAZES = ("a.yaml", "middle-dead-end.yaml", "no-exit.yaml")
CLASS = {
    "ada": Case("right", "plain"),
    "bob": Case("right", "dfs-own-stack"),
    "cleo": Case("wrong", "all-solvers-west-first"),
    "dan": Case("wrong", "bfs-appends-at-the-left"),
    "eve": Case("right", "bfs-by-levels"),
    "fay": Case("right", "dfs-recursive-nested"),
}
RIGHT = ("ada", "bob", "eve", "fay")


class Grader:
    """``grader batch`` in a process of its own."""

    def __init__(self, class_folder: Path, out: Path, rubric: Path, *more: str, **environment: str) -> None:
        self.out = out
        self._before = len(self.log())
        arguments = ["batch", str(class_folder), "--out", str(out), "--rubric", str(rubric), *more]
        self.process = subprocess.Popen(
            [sys.executable, "-c", ALONE, *arguments],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def log(self) -> list[dict[str, Any]]:
        """Return the log of all runs, without a last line that is half written."""
        path = self.out / "batch.log.jsonl"
        lines = path.read_text(encoding="ascii").split("\n")[:-1] if path.exists() else []
        return [json.loads(line) for line in lines]

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Return this run's log entries of one kind."""
        return [event for event in self.log()[self._before :] if event["event"] == kind]

    def wait_for(self, what: Callable[[], object]) -> None:
        """Wait for a condition while the grader runs."""
        end = time.monotonic() + PATIENCE
        while not what():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end, self.log()
            time.sleep(0.01)

    def workers(self) -> list[psutil.Process]:
        """The processes that grade."""
        return psutil.Process(self.process.pid).children()

    def finish(self) -> tuple[int, str, str]:
        """Wait for the end; return exit status, output, errors."""
        output, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output, errors

    def kill(self, number: int = signal.SIGKILL) -> tuple[int, str, str]:
        """End it by a signal."""
        self.process.send_signal(number)
        return self.finish()


@pytest.fixture(scope="session")
def rubric(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_rubric(tmp_path_factory.mktemp("rubric"))


def small_rubric(folder: Path) -> Path:
    """Write the small rubric and its mazes."""
    (folder / "mazes").mkdir()
    for name in MAZES:
        shutil.copy(ROOT / "grader" / "mazes" / name, folder / "mazes")
    (folder / "rubric.yaml").write_text(RUBRIC)
    return folder / "rubric.yaml"


@pytest.fixture(scope="session")
def course(rubric: Path) -> Course:
    """Return the small rubric's course, with a sandbox that does not exist."""
    return Course(load_plan(rubric), "fake")


@pytest.fixture(scope="session")
def class_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    for name, case in CLASS.items():
        case.materialise(folder / name)
    return folder


@pytest.fixture
def start(
    class_folder: Path, rubric: Path, tmp_path: Path, bubblewrap: str
) -> Iterator[Callable[..., Grader]]:
    """Start a grader on a class; it is ended after the test."""
    started: list[Grader] = []

    def begin(
        *more: str,
        of: Path = class_folder,
        out: Path | None = None,
        sandbox: str = bubblewrap,
        **environment: str,
    ) -> Grader:
        options = ("--sandbox", sandbox, "--jobs", "2", *more)
        grader = Grader(of, out or tmp_path / "out", rubric, *options, **environment)
        started.append(grader)
        return grader

    yield begin
    for grader in started:
        if grader.process.poll() is None:
            grader.kill()


@pytest.fixture(scope="session")
def graded(
    class_folder: Path, rubric: Path, bubblewrap: str, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Grade without any disturbance; tests that change the results take a copy."""
    out = tmp_path_factory.mktemp("undisturbed")
    grader = Grader(class_folder, out, rubric, "--sandbox", bubblewrap, "--jobs", "2")
    status, output, errors = grader.finish()
    assert (status, errors) == (0, "")
    (out / "printed").write_text(output, encoding="utf-8")
    return out


@pytest.fixture(scope="session")
def undisturbed(graded: Path) -> dict[str, Any]:
    """Return the results of an undisturbed run."""
    return results_in(graded)


def results_in(out: Path) -> dict[str, Any]:
    """Return every result in a folder, without the times."""
    found = {path.parent.name: json.loads(path.read_bytes()) for path in sorted(out.glob("*/results.json"))}
    return {name: {k: v for k, v in results.items() if k != "timing"} for name, results in found.items()}


@pytest.fixture(scope="session")
def bubblewrap() -> str:
    """Return the sandbox of most tests, which starts in 20 ms."""
    prepare("bubblewrap")
    return "bubblewrap"
