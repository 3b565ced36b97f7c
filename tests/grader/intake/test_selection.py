"""What was meant is graded, whatever the shape in which it comes and the folders around it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grader.errors import Undecided
from grader.intake import read_submission
from grader.intake.notebooks import read_notebook
from grader.model import Submission
from lab.exercises import EXERCISES, FILES
from tests.grader.intake.shapes import (
    RIGHT,
    SHAPES,
    TEMPLATE,
    Files,
    as_zip,
    below,
    flat,
    notebook,
    one_file,
    tried_out,
    zipped,
)
from tests.grader.intake.told import beside, beside_notes

MAZES = Path(__file__).parents[3] / "grader" / "mazes"
_LOADED = """
import importlib, inspect, json, os, sys
for folder, classes in json.load(sys.stdin):
    if os.fork() == 0:
        os.chdir(folder)
        sys.path.insert(0, folder)
        for module, name, text in classes:
            try:
                found = vars(getattr(importlib.import_module(module), name)).values()
                is_right = all(inspect.getsource(f).strip() in text for f in found if inspect.isfunction(f))
            except (ImportError, AttributeError, AssertionError, OSError, SyntaxError):
                is_right = False
            print(folder, name, is_right, flush=True)
        os._exit(0)
    os.wait()
"""
"""It loads the classes of each folder, in a process of its own, and tells which are the right ones."""


def read_shape(shape: str, folder: Path) -> Submission:
    folder.mkdir()
    made = SHAPES[shape][0]
    return read_submission((made if callable(made) else as_zip(made))(folder))


@pytest.mark.processes
def test_each_shape_gets_what_is_right_in_it(tmp_path: Path) -> None:
    read = {shape: read_shape(shape, tmp_path / f"in {n}") for n, shape in enumerate(SHAPES)}
    folders = {shape: tmp_path / f"out{n}" for n, shape in enumerate(SHAPES)}
    for shape, submission in read.items():
        below_it = {folders[shape] / path: content for path, content in submission.files.items()}
        for path, content in below_it.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        folders[shape].mkdir(exist_ok=True)
    classes = [(each.module, each.name, RIGHT[each.file].decode()) for each in EXERCISES]
    asked = json.dumps([(str(folder), classes) for folder in folders.values()])
    done = subprocess.run(
        [sys.executable, "-c", _LOADED], input=asked, capture_output=True, text=True, check=True
    )
    lines = {*done.stdout.splitlines()}
    for shape, (_, right, kinds) in SHAPES.items():
        loaded = [each.id for each in EXERCISES if f"{folders[shape]} {each.name} True" in lines]
        told = {remark.kind for remark in beside_notes(read[shape])}
        found = (tuple(loaded), told, read[shape].holds_an_exercise)
        assert found == (right, kinds, bool(right)), shape


DFS = "solvers/dfs.py"
OTHER_DFS = b"class DFS: pass\n"
OLD = {path: text.replace(b"def ", b"def old(): pass\n    def ", 1) for path, text in RIGHT.items()}


@pytest.mark.parametrize(
    ("others", "named"),
    [
        ({"lab.ipynb": tried_out(), "all.py": one_file(), "copy/dfs.py": RIGHT[DFS]}, set()),
        (
            {"solvers/dfs copy.py": RIGHT[DFS].replace(b"\n\n", b"\n\n\n"), "tests/test_dfs.py": OTHER_DFS},
            set(),
        ),
        (below("given/", TEMPLATE), set()),
        (dict.fromkeys(("solvers/dfs copy.py", "dfs_new.py", "old.ipynb/x.py"), OTHER_DFS), {DFS}),
        ({"trial.ipynb": notebook(OTHER_DFS), "old.zip": zipped({"my_dfs.py": OTHER_DFS})}, {DFS}),
        ({"solvers/helper.py": b"class Search: pass\n"}, {"solvers/search.py"}),
        ({"dfs.py": OTHER_DFS}, None),
        ({"old/solvers/dfs.py": OTHER_DFS}, None),
        ({"old.zip": zipped({"dfs.py": OTHER_DFS})}, None),
        ({"lab.ipynb": notebook(*OLD.values())}, None),
        ({"all.py": b"\n".join(OLD.values())}, None),
        ({"old.zip": zipped({"all.py": b"\n".join(OLD.values())})}, None),
    ],
)
def test_what_else_defines_an_exercise_and_differs_is_named_or_asked_for(
    tmp_path: Path, others: Files, named: set[str] | None
) -> None:
    """None: a person has to say what counts."""
    path = as_zip({**RIGHT, **others})(tmp_path)
    if named is None:
        with pytest.raises(Undecided):
            read_submission(path)
        return
    submission = read_submission(path)
    assert {each: submission.files[each] for each in RIGHT} == RIGHT
    assert {file for _, file in beside(submission)} == named
    assert len(beside(submission)) == (len(others) if named else 0)


@pytest.mark.parametrize("which", ["lab.ipynb", "./"])
def test_of_a_notebook_beside_files_one_counts_and_what_it_lacks_is_in_the_files(
    tmp_path: Path, which: str
) -> None:
    path = as_zip({**RIGHT, "lab.ipynb": notebook(OLD[DFS], OLD["solvers/bfs.py"])})(tmp_path)
    files = read_submission(path, chosen=[which]).files
    assert {*FILES} <= files.keys()
    assert (files[DFS] == RIGHT[DFS]) == (which == "./")
    assert files["solvers/dijkstra.py"] == RIGHT["solvers/dijkstra.py"]


HOMES = {
    **{name: name for name in ("my lab.py", "lab (1).py", "Übung.py", 'a "b".py', "class.py", "my/lab 2.py")},
    "lab.py": "handed_in/lab.py",
    "solvers.py": "handed_in/solvers.py",
    "lab 2.1.py": "lab 2_1.py",
    "My lab.py.txt": "My lab.py",
}


def test_one_file_keeps_the_name_that_its_student_knows_where_it_can_be_loaded(tmp_path: Path) -> None:
    for name, home in HOMES.items():
        submission = read_submission(as_zip({name: one_file(), "x/y.txt": b""})(tmp_path))
        assert submission.files[home] == one_file(), name


# --- notebooks --------------------------------------------------------------------------------------


def test_a_notebook_is_its_definitions_and_what_they_need() -> None:
    found = read_notebook(
        notebook(
            "from __future__ import annotations\nimport sys, os\nsys.setrecursionlimit(10_000)",
            "BAD = open('x')",
            "from solvers.search import Search\nSTEPS = (1, 2)\nSTEPS_BY = {}\nSTEPS_BY['n'] = 1",
            "class DFS:\n    def solve(self, maze, search):\n        return STEPS, STEPS_BY, later(maze)",
            "maze = 1\nDFS().solve(maze, None)",
            "from __future__ import annotations\ndef later(maze): return os.sep",
            "class Search: pass",
        )
    )
    assert found is not None
    lines = [line for line in found.code.decode().splitlines() if line]
    assert lines == [
        "from __future__ import annotations",
        "import sys, os",
        "sys.setrecursionlimit(10_000)",
        "STEPS = (1, 2)",
        "STEPS_BY = {}",
        "STEPS_BY['n'] = 1",
        "class DFS:",
        "    def solve(self, maze, search):",
        "        return STEPS, STEPS_BY, later(maze)",
        "def later(maze): return os.sep",
        "class Search: pass",
    ]


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"[]", b"{}", b"null", b'{"cells": 1}', b"[" * 100_000, b'{"cells": [{"cell_type": "code"}]}'),
        *(b'{"cells": [1, {"cell_type": "code", "source": [1, null]}]}', b'{"worksheets": [1, {}]}', b"\xff"),
    ],
)
def test_any_json_is_a_notebook_without_code_or_none(content: bytes) -> None:
    found = read_notebook(content)
    assert found is None or found.code.strip() == b""


DEEP = {
    "signs": b"-" * 100_000 + b"1",
    "sums": b"1" + b"+1" * 20_000,
    "attributes": b"a" + b".a" * 20_000,
    "brackets": b"(" * 100_000,
    "branches": b"if a:\n pass\n" + b"elif a:\n pass\n" * 3_000,
    "a null byte": b"a = '\0'",
}


@pytest.mark.parametrize("kind", DEEP)
def test_source_that_breaks_a_parser_is_source_with_a_mistake(kind: str, tmp_path: Path) -> None:
    bad = b"# class DFS and more\n" + DEEP[kind] + b"\n"
    submission = read_submission(as_zip(flat() | {"dfs.py": bad})(tmp_path))
    assert submission.files["solvers/dfs.py"] == bad
    assert len([remark for remark in submission.remarks if remark.kind == "moved"]) == 5


# --- the same from wherever it comes ------------------------------------------------------------------
