"""The recipe of docs/reference/exercises.md for an exercise of one's own, followed to the letter."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from grader import cli
from grader.course.exercise_folder import SHIPPED

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[4]


@cache
def recipe() -> str:
    page = (ROOT / "docs" / "reference" / "exercises.md").read_text(encoding="utf-8")
    return page.partition("## An exercise of your own")[2].partition("\n## ")[0]


def files() -> list[tuple[str, str]]:
    return re.findall(r"^`([\w/]+\.\w+)` .*?^```\w+\n(.*?)^```$", recipe(), re.DOTALL | re.MULTILINE)


def commands() -> list[str]:
    return re.findall(r"^\$ (.*)$", recipe(), re.MULTILINE)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the page tells to make, and a class of three: right, stops early, returns nothing."""
    home = tmp_path_factory.mktemp("instructor")
    (rubric,) = re.findall(r"^```yaml\n(title: .*?)^```$", recipe(), re.DOTALL | re.MULTILINE)
    for name, content in files():
        write(home / "autumn" / "slider" / name, content)
    write(home / "autumn" / "rubric.yaml", f"{rubric}examples: 20\n")
    (home / "autumn" / "mazes").symlink_to(SHIPPED.parent / "mazes")
    right = dict(files())["reference.py"]
    for name, code in (
        ("right", right),
        ("early", right.replace("(EAST, SOUTH, WEST, NORTH)", "(EAST, SOUTH)")),
        ("none", right.replace("return moves", "return None")),
    ):
        write(home / "submissions" / name / "solvers" / "slider.py", code)
    return home


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def here(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(home)
    return home


def run(line: str) -> None:
    program, *arguments = shlex.split(line)
    assert program == "grader"
    assert cli.main(arguments) == 0


def test_the_page_shows_all_that_the_folder_needs() -> None:
    needed = {"exercise.yaml", "skeleton.py", "reference.py", "judge.py", "texts/en.toml", "handout/en.md"}
    assert [name for name, _ in files()] == [*dict.fromkeys(name for name, _ in files())]
    assert set(dict(files())) == needed | {"public_tests.py"}
    assert [command.split()[1] for command in commands()] == ["explain", "release", "batch"]


def test_the_kit_holds_the_exercise_and_not_its_answer(here: Path) -> None:
    run(commands()[1])
    folder = here / "kit" / "mazes-lab"
    student = folder / "student_template"
    assert (student / "solvers" / "slider.py").read_text() == dict(files())["skeleton.py"]
    handout = (student / "README.md").read_text()
    assert dict(files())["handout/en.md"] in handout
    assert "| `solvers/slider.py` | `Slider` | `solve(maze, search)`: slides in each" in handout
    assert not [path for path in folder.rglob("*") if path.name in ("judge.py", "reference.py")]
    assert maze(folder, "check").count("still to be written") == 2
    write(student / "solvers" / "slider.py", dict(files())["reference.py"])
    assert "No public test stood for points." in maze(folder, "check", "slider")
    assert "[east, east" in maze(folder, "solve", "mazes/corridor.txt", "--algorithm", "Slider")
    assert "solvers/slider.py" in maze(folder, "pack")


def maze(kit: Path, *arguments: str) -> str:
    """Run ``maze`` of the kit as a student does; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "lab.cli", *arguments],
        cwd=kit / "student_template",
        env={**os.environ, "PYTHONPATH": str(kit)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.usefixtures("_untraced")
def test_a_class_is_graded(here: Path) -> None:
    run(f"{commands()[2]} --sandbox bubblewrap --jobs 1")
    found = {
        path.parent.name: json.loads(path.read_bytes()) for path in (here / "results").glob("*/results.json")
    }
    assert {name: each["score"] for name, each in found.items()} == {"right": 100, "early": 0, "none": 0}
    check = found["early"]["exercises"][0]["checks"][0]
    assert check["hint"] == "When does it stop: before a wall, or before that?"
