"""``maze pack``: what is in the zip, what is left out, and what the student is told."""

from __future__ import annotations

import ast
import os
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.intake.files import Caps
from grader.sandbox.contents import sources
from lab.commands import pack, pack_warnings
from lab.commands.pack_warnings import left_behind, risks
from tests.lab.running import ROOT, maze, maze_apart, refused
from tests.submissions.loader import cases

# --- pack -------------------------------------------------------------------------------------------


def test_pack(folder: Path) -> None:
    for junk in ("solvers/__pycache__/x.pyc", ".git/config.py", "venv/lib/x.py", "notes.txt", ".hidden.py"):
        (folder / junk).parent.mkdir(parents=True, exist_ok=True)
        (folder / junk).write_text("junk", encoding="utf-8")
    (folder / "helper.py").write_text("ANSWER = 42\n", encoding="utf-8")
    result = maze_apart(folder, "pack")
    names = [
        "generators/__init__.py",
        "generators/my_generator.py",
        "helper.py",
        "perfection_checker.py",
        "solvers/__init__.py",
        "solvers/bfs.py",
        "solvers/dfs.py",
        "solvers/dijkstra.py",
        "solvers/search.py",
    ]
    listed = "".join(f"  {name}\n" for name in names)
    assert result.stdout == f"Packed into submission.zip:\n{listed}Hand in submission.zip.\n"
    with zipfile.ZipFile(folder / "submission.zip") as archive:
        assert archive.namelist() == names
        assert archive.read("helper.py") == b"ANSWER = 42\n"


def test_test_mazes_of_ones_own_are_packed_and_what_is_none_is_told(folder: Path) -> None:
    (folder / "my_mazes").mkdir()
    for number in range(6):
        (folder / "my_mazes" / f"{number}.txt").write_text(
            "+-+-+\n|S E|\n+-+-+\n" if number else "+-+-+\n|S x|\n+-+-+"
        )
    (folder / "my_mazes" / "notes.md").write_text("mine")
    (folder / "my_mazes" / "z.txt").symlink_to(folder / "sample_maze.txt")
    result = maze(folder, "pack")
    place = "line 2, column 4: expected the middle of a cell: ' ', 'S' or 'E'"
    assert f"left out: my_mazes/0.txt is no maze: {place}" in result.stdout
    assert "left out: my_mazes/5.txt is one too many: the first 5 by name count" in result.stdout
    with zipfile.ZipFile(folder / "submission.zip") as archive:
        packed = [name for name in archive.namelist() if name.startswith("my_mazes")]
    assert packed == [f"my_mazes/{number}.txt" for number in (1, 2, 3, 4)]


def test_pack_writes_the_same_bytes_again(folder: Path) -> None:
    maze(folder, "pack", "--out", "one.zip")
    os.utime(folder / "solvers/dfs.py", (0, 0))
    maze(folder.parent, "pack", "ada", "--out", "two.zip")
    assert (folder / "one.zip").read_bytes() == (folder.parent / "two.zip").read_bytes()


def test_pack_warns_of_what_earns_nothing(folder: Path) -> None:
    shutil.copy(ROOT / "student_template/solvers/dfs.py", folder / "solvers/dfs.py")
    (folder / "solvers/bfs.py").unlink()
    (folder / "perfection_checker.py").write_text("class Checker: pass\n", encoding="utf-8")
    warnings = [line for line in maze(folder, "pack").stdout.splitlines() if line.startswith("Warning: ")]
    assert warnings == [
        "Warning: solvers/dfs.py still raises NotImplementedError",
        "Warning: there is no solvers/bfs.py: Breadth-first search will earn nothing",
        "Warning: perfection_checker.py defines no PerfectionChecker: Perfect mazes will earn nothing",
    ]


def test_pack_refuses_what_cannot_be_read(folder: Path) -> None:
    (folder / "solvers/dfs.py").write_bytes(b"# caf\xe9\n")
    (folder / "solvers/bfs.py").write_text("def f(:\n", encoding="utf-8")
    line = refused(folder, "pack")
    assert line == (
        "maze: nothing was packed: solvers/bfs.py is not valid Python: invalid syntax (line 1); "
        "solvers/dfs.py is not valid Python: line 1 has a letter that is no UTF-8 (0xe9): "
        "save it as UTF-8 (PowerShell's > writes UTF-16)"
    )
    assert not (folder / "submission.zip").exists()


def test_pack_leaves_out_what_cannot_be_handed_in_and_is_no_exercise(folder: Path) -> None:
    (folder / "notes.py").write_text("def f(:\n", encoding="utf-8")
    (folder / "latin.py").write_bytes(b"# caf\xe9\n")
    (folder / "large.py").write_text("#" * (256 * 1024 + 1), encoding="utf-8")
    (folder / os.fsdecode(b"caf\xe9.py")).write_text("A = 1\n", encoding="utf-8")
    deep = folder.joinpath(*"abcdefghijkl")
    deep.mkdir(parents=True)
    (deep / "deep.py").write_text("A = 1\n", encoding="utf-8")
    result = maze(folder, "pack")
    assert result.returncode == 0
    assert [line for line in result.stdout.splitlines() if line.startswith("Warning: ")] == [
        "Warning: left out: a/b/c/d/e/f/g/h/i/j/k/l/deep.py lies more than 12 folders deep: move it up",
        "Warning: left out: caf\udce9.py has a sign in its name that not every system can read: rename it",
        "Warning: left out: large.py is larger than 256 KiB, which is the most that the grader reads",
        "Warning: left out: latin.py is not valid Python: line 1 has a letter that is no UTF-8 (0xe9): "
        "save it as UTF-8 (PowerShell's > writes UTF-16)",
        "Warning: left out: notes.py is not valid Python: invalid syntax (line 1)",
    ]
    with zipfile.ZipFile(folder / "submission.zip") as archive:
        assert len(archive.namelist()) == 8
        assert archive.testzip() is None


def test_pack_goes_on_where_a_folder_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "secret").mkdir()
    iterdir = Path.iterdir

    def refusing(path: Path) -> Iterator[Path]:
        if path.name == "secret":
            raise PermissionError(13, "Permission denied")
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", refusing)
    assert "Warning: left out: secret cannot be read: permission denied" in maze(folder, "pack").stdout


def test_pack_says_when_there_is_more_than_the_grader_reads(folder: Path) -> None:
    for number in range(9):
        (folder / f"data{number}.py").write_text("#" * 250 * 1024, encoding="utf-8")
    assert "Warning: the grader reads at most 500 files and 2 MiB" in maze(folder, "pack").stdout


def test_pack_knows_what_the_grader_reads() -> None:
    caps = Caps()
    assert (
        caps.file_bytes,
        caps.total_bytes,
        caps.files,
    ) == (pack.MOST_FILE_BYTES, pack.MOST_BYTES, pack.MOST_FILES)
    assert (caps.name_characters, caps.depth) == (pack.MOST_NAME_CHARACTERS, pack.MOST_DEPTH)


def test_pack_takes_other_encodings_where_the_file_names_them(folder: Path) -> None:
    content = b"# coding: latin-1\n# caf\xe9\n" + (folder / "solvers/dfs.py").read_bytes()
    (folder / "solvers/dfs.py").write_bytes(content)
    assert "Warning" not in maze(folder, "pack").stdout


@pytest.mark.parametrize(
    ("file", "code", "warning"),
    [
        (
            "solvers/dfs.py",
            "import numpy as np\nclass DFS: pass\n",
            "line 1, imports numpy: only the standard",
        ),
        (
            "solvers/dfs.py",
            "from lab.walker import walk\nclass DFS: pass\n",
            "line 1, imports lab.walker: it does nothing when it is graded",
        ),
        ("solvers/dfs.py", "class DFS:\n    x = open('a')\n", "line 2, calls open(): there are no files"),
        ("solvers/dfs.py", "import asyncio\n", "line 1, imports asyncio: there are no files"),
        ("queue.py", "x = 1\n", "queue.py has the name of a module of Python"),
        (
            "generators/my_generator.py",
            "import random\nclass MyGenerator: pass\nrandom.shuffle([])\n",
            "line 3, draws by random.shuffle, not from rng",
        ),
        ("helper.py", "import random as r\nr.shuffle([])\n", "line 2, draws by random.shuffle, not from rng"),
        (
            "generators/my_generator.py",
            "import random\nluck = random.Random()\n",
            "line 2, draws by random.Random, not from rng",
        ),
        (
            "generators/my_generator.py",
            "from random import choice\nclass MyGenerator: pass\n",
            "line 1, takes choice from random, not from rng",
        ),
    ],
)
def test_what_will_cost_points_is_told(file: str, code: str, warning: str) -> None:
    assert [warning in risk for risk in risks({file: code.encode()})] == [True]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("x = input()\ny = input()\n", ["line 1, calls input(): it gets an empty line"]),
        ("from time import sleep\nsleep(1)\n", ["line 2, calls time.sleep(): it is passed over"]),
        ("import time\ntime.sleep(1)\n", ["line 2, calls time.sleep(): it is passed over"]),
        ("def f():\n    breakpoint()\n", ["line 2, calls breakpoint(): it is passed over"]),
        ("import pdb\npdb.set_trace()\n", ["line 2, calls pdb.set_trace(): it is passed over"]),
        ("while True:\n    print(1)\n", ["line 2, prints in a loop: what is too much is dropped"]),
        ("class A: pass\nexit()\n", ["line 2, ends the program: nothing from there on is used"]),
        ("if __name__ == '__main__':\n    exit(input())\n", []),
    ],
)
def test_what_is_passed_over_is_told(code: str, told: list[str]) -> None:
    noted = [*left_behind({"solvers/dfs.py": code.encode()})]
    assert noted == [f"solvers/dfs.py, {each} when it is graded" for each in told]


def test_what_came_after_the_python_that_grades_is_told_and_nothing_else() -> None:
    plain = b"from itertools import chain\n\n\ndef f(x: int) -> list[int]:\n    return [*chain([x])]\n"
    assert [*risks({"helper.py": plain})] == []
    newer = b"from itertools import batched\n\n\ndef f() -> W: ...\n\n\nW = list\n"
    assert [*risks({"helper.py": newer})] == [
        "helper.py, line 1: itertools.batched came with Python 3.12, and 3.11 grades it",
        "helper.py, line 4: the annotation W above its definition came with Python 3.14, and 3.11 grades it",
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("<<<<<<< HEAD\nclass BFS: ...\n", "line 1 is a conflict marker"),
        ("Sure:\n```\nclass BFS: ...\n```\n", "line 2 is a fence (```)"),
        ("{\\rtf1 class BFS:}", "what is in it is a text document"),
    ],
)
def test_pack_says_what_came_in_place_of_python(folder: Path, content: str, told: str) -> None:
    (folder / "solvers/bfs.py").write_text(content, encoding="utf-8")
    assert refused(folder, "pack").startswith(
        f"maze: nothing was packed: solvers/bfs.py is not valid Python: {told}"
    )


@pytest.mark.parametrize(
    ("end", "kind"), [(".pyw", "not called .py"), (".docx", "Word"), (".png", "picture")]
)
def test_pack_names_what_came_in_place_of_a_file(folder: Path, end: str, kind: str) -> None:
    (folder / "solvers/bfs.py").rename(folder / f"solvers/bfs{end}")
    (line,) = [line for line in maze(folder, "pack").stdout.splitlines() if f"solvers/bfs{end}" in line]
    assert line.startswith("Warning: left out: ")
    assert kind in line


def test_pack_names_a_letter_of_another_script(folder: Path) -> None:
    file = folder / "solvers/bfs.py"
    file.write_text(file.read_text().replace("class BFS", "class \u0412FS"), encoding="utf-8")
    told = "Warning: solvers/bfs.py defines no BFS (letter 1 is \u0412 (U+0412 CYRILLIC CAPITAL LETTER VE))"
    assert told in maze(folder, "pack").stdout


def test_work_that_is_no_python_is_not_left_out_without_a_word(folder: Path) -> None:
    for name in ("lab.ipynb", "config.json", "README.md"):
        (folder / name).write_text("{}")
    _, warnings = pack.build_zip(str(folder), named_by="maze pack DIR")
    left = [warning for warning in warnings if warning.startswith("left out")]
    assert [line.split()[2] for line in left] == ["config.json", "lab.ipynb"]


def _is_python(path: str, content: bytes) -> bool:
    """What is no Python is left out of the zip, and told."""
    try:
        ast.parse(content)
    except (SyntaxError, ValueError):
        return False
    return path.endswith(".py")


def test_what_costs_nothing_is_not_warned_of() -> None:
    files = {case.name: case.files() for case in cases("right") if "does-not-use" not in case.name}
    told = {}
    for name, found in files.items():
        python = {path: content for path, content in found.items() if _is_python(path, content)}
        told[name] = [*risks(python)]
    assert {name: found for name, found in told.items() if found} == {}


def test_parts_of_the_lab_that_are_there_when_work_is_graded_are_no_risk() -> None:
    real = [path for path, code in sources().items() if path.startswith("lab/") and b"absent" not in code]
    there = {path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in real}
    assert there - {"lab.render", "lab.steps", "lab.watch"} == pack_warnings._GRADED_WITH
