"""What enters a box: the list, its name, and what a runner finds there."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from grader.sandbox.contents import command, contents, sources, zones
from tests.grader.sandbox.what_enters import ENTERS, LOOK_AT_MAZES

STAND_IN = "lab/generators/aldous_broder.py"


def test_only_the_library_and_the_runner_enter() -> None:
    folders = {path.rpartition("/")[0] for path in sources()}
    assert folders == {"lab", "lab/generators", "lab/render", "inside", "tzdata"}
    assert {STAND_IN, "lab/maze.py", "lab/watch.py", "inside/runner.py", "inside/guard.py"} <= set(sources())


def functions(code: bytes) -> set[str]:
    """The names of all functions and classes, those within others among them."""
    nodes = ast.walk(ast.parse(code))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_each_function_of_the_lab_that_enters_has_a_reason_to() -> None:
    found = {path: functions(code) for path, code in sources().items() if path.startswith("lab/")}
    assert found == {path: set(" ".join(reasons.values()).split()) for path, reasons in ENTERS.items()}


def test_nothing_of_the_runner_looks_at_a_maze_without_a_reason() -> None:
    names = {"_grid", "_openings", "_is_open", "moves_at", "valid_moves_at", "is_valid_at", "is_wall"}
    names |= {"is_clear", "is_exit", "build_wall", "break_wall"}
    looking = {
        path
        for path, code in sources().items()
        for node in ast.walk(ast.parse(code))
        if path.startswith("inside/") and getattr(node, "attr", getattr(node, "name", "")) in names
    }
    assert looking == {*LOOK_AT_MAZES}


def test_the_folder_is_byte_compiled_and_read_only() -> None:
    folder = contents().folder
    written = {str(path.relative_to(folder)) for path in folder.rglob("*.py")}
    assert written == {path for path in sources() | zones() if path.endswith(".py")}
    assert (folder / "tzdata/zoneinfo/Europe/Oslo").is_file()
    for path in folder.rglob("*.py"):
        assert path.stat().st_mode & 0o222 == 0
        assert list(path.parent.glob(f"__pycache__/{path.stem}.*.pyc"))


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import lab; print(sorted(name for name in lab.__all__)[0])", "Dimension"),
        (
            "import lab.render.svg, lab.walker, lab.way\nfrom lab.visits import parting\n"
            "from lab.graph import *\nfrom lab.render.text import draw\n"
            "try: draw(1)\nexcept RuntimeError as error: print(error)",
            "lab.render.text.draw is not there while work is graded: use what the handout lists",
        ),
        (
            "from random import Random; from lab import *; from lab.generators import AldousBroder\n"
            "try: AldousBroder(Random(1)).generate(Factory(), Dimension(2, 2))\n"
            "except RuntimeError as error: print(type(error).__name__, error)",
            "AldousBroderNotAvailable AldousBroder is given: MyGenerator has to make the maze itself",
        ),
    ],
)
def test_the_library_works_in_the_box(code: str, says: str, tmp_path: Path) -> None:
    started = command(sys.executable, str(contents().folder))
    place = started.index("-c") + 1
    started[place] = f"import sys; sys.path.insert(0, {str(contents().folder)!r})\n{code}"
    ran = subprocess.run(started, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert ran.stdout.splitlines()[-1] == says
