"""What was meant is graded, whatever the shape in which it comes and the folders around it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.course.plan import Plan, load_plan
from grader.grading.engine import grade
from grader.intake import read_submission
from grader.intake.candidates import name_key
from grader.intake.class_listing import find_hand_ins
from grader.intake.notebooks import read_notebook
from grader.intake.selection import find_roots
from grader.intake.submissions import read_hand_in
from grader.languages import catalogue
from grader.model import Submission
from grader.sandbox.process import ProcessBackend
from lab.exercises import FILES
from tests.grader.intake.all_shapes import SHAPES
from tests.grader.intake.shapes import (
    ALL,
    RIGHT,
    as_zip,
    below,
    flat,
    notebook,
    one_file,
    tried_out,
    zipped,
)
from tests.grader.intake.told import beside_notes, notes

MAZES = Path(__file__).parents[3] / "grader" / "mazes"
RUBRIC = """
title: One check an exercise
seed: 1
examples: 2
exercises:
  search: {checks: {search.new-cell: 20}}
  dfs: {checks: {dfs.visit-order: 20}}
  bfs: {checks: {bfs.visit-order: 20}}
  dijkstra: {checks: {dijkstra.shortest: 20}}
  perfection: {checks: {perfection.extra-passage: 10}}
  generator: {checks: {generator.perfect: 10}}
"""


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    folder = tmp_path_factory.mktemp("rubric")
    (folder / "mazes").mkdir()
    shutil.copy(MAZES / "a.yaml", folder / "mazes")
    (folder / "rubric.yaml").write_text(RUBRIC)
    return load_plan(folder / "rubric.yaml")


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_gets_what_is_right_in_it(shape: str, plan: Plan, tmp_path: Path) -> None:
    write, right, kinds = SHAPES[shape]
    submission = read_submission(write(tmp_path))
    report = grade(submission, plan, ProcessBackend())
    assert tuple(e.id for e in report.exercises if e.score == e.max_score) == right
    assert {remark.kind for remark in beside_notes(submission)} == kinds
    assert submission.holds_an_exercise == bool(right)


def told(submission: Submission, language: str = "en") -> list[str]:
    return [catalogue(language).say(remark.message) for remark in beside_notes(submission)]


def test_a_well_formed_submission_is_what_it_was(tmp_path: Path) -> None:
    others = {
        "solvers/dfs copy.py": b"class DFS: pass\n",
        "dfs.py": b"class DFS: pass\n",
        "lab.ipynb": tried_out(),
    }
    submission = read_submission(as_zip(RIGHT | others)(tmp_path))
    assert submission == Submission("ada", dict(sorted((RIGHT | others).items())))


def test_what_was_put_right_is_told(tmp_path: Path) -> None:
    write, _, _ = SHAPES["flat in a folder in a zip"]
    submission = read_submission(write(tmp_path))
    assert told(submission)[1] == "my lab/dfs.py is graded as solvers/dfs.py."
    assert told(submission, "nb")[1] == "my lab/dfs.py er rettet som solvers/dfs.py."


@pytest.mark.parametrize(
    ("shape", "came"),
    [
        ("an empty zip", "nothing that could be read"),
        ("a Word document in a zip", "a Word document (report.docx)"),
        ("a PDF in a folder", "a PDF (report.pdf)"),
        ("Java in a zip", "Java code, while this lab is in Python (src/solvers/DFS.java)"),
        ("a link in a zip", "a shortcut, not the file itself (my work.url)"),
        ("an archive of another kind in a zip", "a RAR archive (lab.rar)"),
        (
            "a notebook without the classes",
            "a notebook in which none of the six classes is defined (lab.ipynb)",
        ),
    ],
)
def test_a_refusal_says_what_came_and_what_to_hand_in(shape: str, came: str, tmp_path: Path) -> None:
    write, _, _ = SHAPES[shape]
    (words,) = told(read_submission(write(tmp_path)))
    assert words.startswith(f"None of the six files was found. What came: {came}. What to hand in: solvers/")
    assert words.endswith("in one zip; maze pack makes it.")


def test_what_is_graded_is_not_left_out(tmp_path: Path) -> None:
    files = {f"{path.split('.')[0].replace('/', ' ')}/{path}": content for path, content in RIGHT.items()}
    submission = read_submission(as_zip(files | {"old notes/a.txt": b"hi"})(tmp_path))
    assert set(RIGHT) <= set(submission.files)
    assert notes(submission) == ("Outside of generators my_generator/, 1 file(s) were left out.",)


@pytest.mark.parametrize(
    "name",
    [
        *("dfs.py", "DFS.py", "dfs (1).py", "dfs 2.py", "dfs_v2.py", "dfs.py.txt", "D F-S.txt"),
    ],
)
def test_case_separators_and_numbers_are_seen_through(name: str) -> None:
    assert name_key(name) == "dfs"


@pytest.mark.parametrize("name", ["dfs_test.py", "test_dfs.py", "mydfs.py", "dfs2.py", "2.py", "dfs copy.py"])
def test_other_names_stay_other_names(name: str) -> None:
    assert name_key(name) != "dfs"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        *(
            (name, name)
            for name in ("my lab.py", "lab (1).py", "Übung.py", 'a "b".py', "class.py", "my/lab 2.py")
        ),
        *(("lab.py", "handed_in/lab.py"), ("solvers.py", "handed_in/solvers.py")),
        *(("lab 2.1.py", "lab 2_1.py"), ("My lab.py.txt", "My lab.py")),
    ],
)
def test_an_error_is_told_with_the_name_and_line_that_its_student_knows(
    name: str, shown: str, plan: Plan, tmp_path: Path
) -> None:
    before = b'"""My lab."""\nfrom __future__ import annotations\n\n'
    code = before + b"raise KeyError(1)\n" + one_file()
    report = grade(read_submission(as_zip({name: code, "x/y.txt": b""})(tmp_path)), plan, ProcessBackend())
    message = catalogue("en").say(report.exercises[1].checks[0].verdict.message)
    assert f"({shown}, line 4, in <module>)" in message


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
    "sums": b"1" + b"+1" * 60_000,
    "attributes": b"a" + b".a" * 60_000,
    "brackets": b"(" * 100_000,
    "branches": b"if a:\n pass\n" + b"elif a:\n pass\n" * 10_000,
    "a null byte": b"a = '\0'",
}


@pytest.mark.parametrize("kind", DEEP)
def test_source_that_breaks_a_parser_is_source_with_a_mistake(kind: str, tmp_path: Path) -> None:
    bad = b"# class DFS and more\n" + DEEP[kind] + b"\n"
    submission = read_submission(as_zip(flat() | {"dfs.py": bad})(tmp_path))
    assert submission.files["solvers/dfs.py"] == bad
    assert len([remark for remark in submission.remarks if remark.kind == "moved"]) == 5


# --- the same from wherever it comes ------------------------------------------------------------------


def hand_ins(folder: Path, files: dict[str, bytes]) -> dict[str, Submission]:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return {hand_in.name: read_hand_in(hand_in) for hand_in in find_hand_ins(folder).hand_ins}


def test_a_class_of_folders_and_files(tmp_path: Path) -> None:
    read = hand_ins(
        tmp_path,
        below("ada/", flat())
        | {"bob.zip": zipped({"lab.zip": zipped(RIGHT)}), "cleo.ipynb": tried_out(), "dan.py": one_file()}
        | {
            "eve/lab.zip": zipped({"lab.zip": zipped(flat())}),
            "collect.py": b"import os\n",
            "a.pdf": b"%PDF",
        },
    )
    assert list(read) == ["ada", "bob", "cleo", "dan", "eve"]
    assert all(set(RIGHT) <= set(submission.files) for submission in read.values())


def test_one_flat_submission_is_no_class(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="this is one submission: use grader grade"):
        hand_ins(tmp_path, flat())


def test_a_download_of_canvas(tmp_path: Path) -> None:
    read = hand_ins(
        tmp_path,
        {f"lovelaceada_101_{n}_{name}": content for n, (name, content) in enumerate(flat().items(), 9000)}
        | {"turingalan_102_9100_my lab.ipynb": tried_out(), "hoppergrace_103_9200_report.docx": b"PK\3\4"}
        | {"liskovbarbara_104_9300_DFS.py": RIGHT["solvers/dfs.py"]},
    )
    assert read["lovelaceada_101"].files == RIGHT
    assert beside_notes(read["lovelaceada_101"]) == []
    assert set(RIGHT) <= set(read["turingalan_102"].files)
    assert read["hoppergrace_103"].files == {}
    assert "got a Word document" in notes(read["hoppergrace_103"])[0]
    assert read["liskovbarbara_104"].files == {"solvers/dfs.py": RIGHT["solvers/dfs.py"]}


def test_a_download_of_moodle(tmp_path: Path) -> None:
    one, other = (f"Ada Lovelace_{n}_assignsubmission_file_/" for n in (55, 56))
    read = hand_ins(tmp_path, below(one, flat()) | {f"{other}lab.ipynb": tried_out()})
    assert all(set(RIGHT) <= set(submission.files) for submission in read.values())
    assert len(ALL) == len(RIGHT)


@pytest.mark.parametrize("root", ["", "ada/", "lab 3/ada/", "a/b/c/"])
def test_wrapping_folders_are_unwrapped(root: str) -> None:
    assert find_roots([root + file for file in FILES]) == [root]


@pytest.mark.parametrize(
    ("paths", "root"),
    [
        (["ada/solvers/dfs.py", "README.md"], "ada/"),
        (["ada/solvers/dfs.py", "ada/perfection_checker.py", "bob/solvers/dfs.py"], "ada/"),
        (["perfection_checker.py", "old/solvers/dfs.py", "old/solvers/bfs.py"], ""),
        (["deep/er/solvers/dfs.py", "z/solvers/dfs.py"], "z/"),
        (["ada/Solvers/DFS.py"], "ada/"),
        (["ada/generators/helper.py", "ada/x.py"], "ada/"),
        (["ada/lab/x.py", "ada/lab/y.py"], "ada/lab/"),
        (["ada/lab/x.py", "ada/work/y.py"], "ada/"),
        (["x.py"], ""),
        ([], ""),
    ],
)
def test_the_root_is_the_shallowest_folder_with_an_exercise(paths: list[str], root: str) -> None:
    assert find_roots(paths)[0] == root


def test_what_is_left_outside_is_noted(tmp_path: Path) -> None:
    for file in ("ada/solvers/dfs.py", "ada/solvers/bfs.py", "README.md"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(file)
    submission = read_submission(tmp_path)
    assert submission.files == {
        "solvers/dfs.py": b"ada/solvers/dfs.py",
        "solvers/bfs.py": b"ada/solvers/bfs.py",
    }
    assert notes(submission) == ("Outside of ada/, 1 file(s) were left out.",)
