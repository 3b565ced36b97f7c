"""The autograder that Gradescope runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from grader.course.plan import load_plan
from grader.exports.gradescope import build_autograder
from tests.submissions.loader import Case


@pytest.fixture(scope="module")
def autograder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, unpacked where Gradescope would, with a submission and a place for the results."""
    root = tmp_path_factory.mktemp("autograder")
    assert build_autograder(root / "autograder.zip", load_plan().rubric) > 100
    with zipfile.ZipFile(root / "autograder.zip") as packed:
        modes = {info.filename: info.external_attr >> 16 for info in packed.infolist()}
        packed.extractall(root / "source")
    assert {modes["setup.sh"], modes["run_autograder"]} == {0o755}
    (root / "results").mkdir()
    Case("wrong", "dfs-west-first-search").materialise(root / "submission")
    return root


def run(autograder: Path) -> bool:
    """Run it as Gradescope does, with the packages that are installed here; say whether it ended well."""
    environment = {**os.environ, "AUTOGRADER_ROOT": str(autograder), "PYTHON": sys.executable}
    command = ["bash", str(autograder / "source" / "run_autograder")]
    return not subprocess.run(command, env=environment, capture_output=True, timeout=300).returncode


def test_the_autograder_is_complete(autograder: Path) -> None:
    """Its own sources alone are used, as no other copy is to be had on Gradescope."""
    assert run(autograder)
    results = autograder / "results" / "results.json"
    data = json.loads(results.read_bytes())
    assert data["score"] < 100
    assert len(data["tests"]) > 50
    results.unlink()
    (autograder / "source" / "project" / "grader" / "results.py").write_text("raise SystemExit(3)\n")
    assert not run(autograder)
    assert not results.exists()


def test_the_autograder_names_the_packages_that_it_needs(autograder: Path) -> None:
    lines = (autograder / "source" / "requirements.txt").read_text().splitlines()
    assert f"hypothesis=={version('hypothesis')}" in lines
    assert f"MarkupSafe=={version('MarkupSafe')}" in lines  # of Jinja
    assert not any(line.startswith(("pytest-cov", "matplotlib", "maze-grader")) for line in lines)


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_its_scripts_are_shell(autograder: Path, script: str) -> None:
    subprocess.run(["bash", "-n", autograder / "source" / script], check=True, timeout=300)


def test_every_maze_is_in_the_autograder(tmp_path: Path) -> None:
    shipped = load_plan().rubric
    (tmp_path / "own").mkdir()
    for number, maze in enumerate(shipped.mazes):
        shutil.copy(maze.path, tmp_path / "own" / f"{number}{('.yaml', '.yml')[number % 2]}")
    (tmp_path / "rubric.yaml").write_text(shipped.source.replace("mazes: mazes", "mazes: own", 1))
    rubric = load_plan(tmp_path / "rubric.yaml").rubric
    build_autograder(tmp_path / "autograder.zip", rubric)
    with zipfile.ZipFile(tmp_path / "autograder.zip") as packed:
        packed.extractall(tmp_path / "unpacked")
    assert load_plan(tmp_path / "unpacked" / "course" / "rubric.yaml").rubric.digest == rubric.digest
