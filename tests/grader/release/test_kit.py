"""The students' kit: all that they need for the exercises of a rubric, and nothing of the others."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from grader.cli import main
from grader.course.rubric import RubricCheck, load_rubric
from grader.exercises.registry import titles
from grader.release.kit import library, make_kit
from grader.release.repository import installing
from grader.release.secrets import find_answers
from grader.shipped import bank
from grader.verification.bank import load_bank
from lab import __version__
from lab.exercises import BY_ID, EXERCISES
from tests.docs.pages import ROOT
from tests.grader.release.unproven import unproven as unproven

RUBRIC = """\
title: A shorter course
language: nb
mazes: {mazes}
exercises:
  bfs: {{checks: {{bfs.valid-path: 60, bfs.hidden-mazes: {{points: 20, visibility: hidden}}}}}}
  perfection: {{checks: {{perfection.perfect: 20}}}}
"""


def rubric(folder: Path) -> Path:
    path = folder / "rubric.yaml"
    path.write_text(RUBRIC.format(mazes=ROOT / "grader/mazes"), encoding="utf-8")
    return path


def maze(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the kit's own command in its student_template."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "lab.cli", *arguments],
        cwd=folder / "student_template",
        env={**os.environ, "PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder.parent)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kit of a course with three of the exercises, unpacked from its zip."""
    folder = tmp_path_factory.mktemp("short")
    assert main(["release", "--out", str(folder / "out"), "--rubric", str(rubric(folder))]) == 0
    with zipfile.ZipFile(folder / "out" / "mazes-lab.zip") as archive:
        archive.extractall(folder / "unpacked")
    return folder


@pytest.mark.processes
def test_what_the_rubric_leaves_out_is_out(short: Path) -> None:
    template = short / "out" / "mazes-lab" / "student_template"
    there = {each.id for each in EXERCISES if (template / each.file).exists()}
    assert there == {"search", "bfs", "perfection"}
    assert there == {each.id for each in EXERCISES if (template / "tests" / f"test_{each.stem}.py").exists()}
    assert not (template / "generators").exists()
    handout = (template / "README.md").read_text(encoding="utf-8")
    assert handout.startswith("# A shorter course\n\nDu skriver ")
    assert "MyGenerator" not in handout
    assert not list(template.glob("README.*.md"))


PASTED = """
def ways(maze, start):
    into, waiting = {start: None}, [start]
    for cell in waiting:
        for move in maze.valid_moves_at(cell):
            if cell + move not in into:
                into[cell + move] = move
                waiting.append(cell + move)
    return into

def is_whole(maze, start):
    return len(ways(maze, start)) == maze.dimension.position_count

def surplus(cells: "set", openings: "list") -> "tuple":
    joined = {cell: cell for cell in cells}
    def top(cell):
        while joined[cell] != cell:
            cell = joined[cell]
        return cell
    circles = 0
    for one, other in openings:
        circles += top(one) == top(other)
        joined[top(one)] = top(other)
    return "seen", circles + len({*map(top, cells)})
"""


def _worth() -> list[RubricCheck]:
    rubric = load_rubric(None, checks=titles())
    return [check for exercise in rubric.exercises for check in exercise.checks]


@pytest.mark.processes
def test_what_would_earn_points_is_named_with_its_exercise() -> None:
    kit = make_kit(["bfs", "perfection"], "en", worth=_worth())
    assert find_answers({**kit.files, "lab/vector.py": kit.files["lab/vector.py"] + PASTED.encode()}) == [
        "lab.vector.ways earns points in Breadth-first search",
        "lab.vector.ways earns points in Perfect mazes",
        "lab.vector.is_whole earns points in Perfect mazes",
        "lab.vector:surplus tells perfect mazes by their passages, and is none of those whose copies the "
        "grade knows",
    ]


def test_what_was_tried_is_tried_again_when_the_lab_changes_but_not_when_points_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[object] = []

    def try_functions(files: object) -> object:
        tried.append(files)
        return {"earning": [["lab.way.found", "bfs"]], "judging": []}

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("grader.release.secrets._try_functions", try_functions)
    worth = _worth()
    moved = [replace(check, points=check.points + (check.id == "bfs.shortest")) for check in worth]
    files, other = (make_kit(["bfs"], "en", worth=each).files for each in (worth, moved))
    assert files != other
    told = ["lab.way.found earns points in Breadth-first search"]
    assert (find_answers(files), find_answers(other), len(tried)) == (told, told, 1)
    assert find_answers({**other, "lab/way.py": other["lab/way.py"] + b"X = 1\n"}) == told
    assert len(tried) == 2


def test_what_answers_exercises_is_left_out() -> None:
    held = {name for name, _ in library({each.kind for each in EXERCISES})}
    assert held.isdisjoint({"graph.py", "texture.py", "walker.py", "questions.py", "commands/gallery.py"})
    assert "questions.py" in dict(library({"literals"}))


def test_the_kit_holds_what_it_imports() -> None:
    """A copy of the lab that is installed on this machine would hide what is not in the kit."""
    held = dict(library({each.kind for each in EXERCISES}))
    trees = [ast.parse(content) for name, content in held.items() if name.endswith(".py")]
    froms = [node for tree in trees for node in tree.body if isinstance(node, ast.ImportFrom) and node.module]
    modules = {f"{node.module}".removeprefix("lab.") for node in froms if f"{node.module}".startswith("lab.")}
    files = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in held}
    assert modules - files == set()


NO_GENERATOR = "maze: this needs a generator of your own, and this course has no exercise for one\n"


@pytest.mark.processes
def test_the_commands_know_nothing_of_what_is_left_out(short: Path) -> None:
    folder = short / "out" / "mazes-lab"
    checked = maze(folder, "check", "--all")
    assert checked.returncode == 0, checked.stderr
    assert [title for each in EXERCISES if (title := f"  {each.title} ") in checked.stdout] == [
        f"  {BY_ID[id_].title} " for id_ in ("search", "bfs", "perfection")
    ]
    assert "0 of " in checked.stdout
    packed = maze(folder, "pack", "--out", str(short / "submission.zip"))
    assert packed.returncode == 0, packed.stderr
    assert "will earn nothing" not in packed.stdout
    assert "my_generator" not in packed.stdout
    made = maze(folder, "generate", str(short / "maze.txt"), "-r", "3", "-c", "3", "--algorithm", "mine")
    assert (made.returncode, made.stderr) == (1, NO_GENERATOR)
    assert maze(folder, "solve", "sample_maze.txt", "--algorithm", "DFS").returncode == 2


@pytest.mark.processes
def test_both_workflows_pass_where_all_public_tests_do(short: Path, tmp_path: Path) -> None:
    folder = short / "unpacked" / "mazes-lab"
    steps = yaml.safe_load((folder / ".github/workflows/public-tests.yml").read_text())["jobs"]["check"][
        "steps"
    ]
    assert steps[-1]["working-directory"] == "student_template"
    pipeline = yaml.safe_load((folder / ".gitlab-ci.yml").read_text())["public-tests"]
    assert pipeline["script"] == steps[-1]["run"].splitlines()
    script = "\n".join(pipeline["script"])
    command = tmp_path / "maze"
    for told, status in (("All public tests passed.", 0), ("Public tests that failed: 1.", 1)):
        command.write_text(f"#!/bin/sh\necho '18 of 20 so far. {told}'\n")
        command.chmod(0o755)
        done = subprocess.run(
            ["bash", "-e", "-c", script],
            cwd=folder / "student_template",
            env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (status, f"18 of 20 so far. {told}\n")


def test_all_exercises_are_in_the_kit_of_the_shipped_rubric() -> None:
    kit = make_kit([each.id for each in EXERCISES], "en", worth=_worth())
    assert (kit.left_out, kit.not_graded) == ((), ())
    template = {name for name in kit.files if name.startswith("student_template/")}
    shipped = (ROOT / "student_template").rglob("*")
    own = {
        str(path.relative_to(ROOT)) for path in shipped if path.is_file() and "__pycache__" not in path.parts
    }
    translated = {f"student_template/{path.name}" for path in (ROOT / "student_template").glob("README.*.md")}
    assert {name for name in own if ".pytest_cache" not in name} - template == translated
    assert kit.files["lab/course.py"] == (ROOT / "lab/course.py").read_bytes()


def test_what_lies_beside_the_code_is_installed_with_the_lab_and_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = make_kit([each.id for each in EXERCISES], "en")
    for name, content in kit.files.items():
        (tmp_path / "kit" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "kit" / name).write_bytes(content)
    system = tomllib.loads(kit.files["pyproject.toml"].decode())["build-system"]
    assert system == {"requires": [], "build-backend": "installing", "backend-path": ["."]}
    monkeypatch.chdir(tmp_path / "kit")
    wheel = installing.build_wheel(str(tmp_path))
    with zipfile.ZipFile(tmp_path / wheel) as archive:
        installed = {name for name in archive.namelist() if not name.startswith("mazes_lab-")}
    assert wheel.startswith(f"mazes_lab-{__version__}-py3-")
    assert installed == {name for name in kit.files if name.startswith("lab/")}
    assert "lab/render/trace.html" in installed
    assert {path for path in Path().rglob("*") if path.is_file()} == {Path(name) for name in kit.files}


@pytest.mark.processes
def test_pip_installs_it_without_a_network_or_another_package(tmp_path: Path) -> None:
    for name, content in make_kit(["bfs"], "en").files.items():
        (tmp_path / "kit" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "kit" / name).write_bytes(content)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--target", str(tmp_path / "to")]
    subprocess.run([*pip, "."], cwd=tmp_path / "kit", check=True)
    alone = {**os.environ, "PYTHONPATH": str(tmp_path / "to")}
    maze = [str(tmp_path / "to" / "bin" / "maze"), "--version"]
    told = subprocess.run(maze, cwd=tmp_path, env=alone, capture_output=True, text=True, check=True)
    assert told.stdout == f"maze {__version__}\n"


@pytest.mark.processes
def test_an_older_python_is_told_in_one_sentence_which_is_needed() -> None:
    older = "import sys; sys.version_info = (3, 10, 13); import lab"
    told = subprocess.run(
        [sys.executable, "-c", older], cwd=ROOT, capture_output=True, text=True, check=False
    )
    said = "The lab needs Python 3.11 or later: this is Python 3.10.\n"
    assert (told.returncode, told.stderr) == (1, said)


@pytest.mark.processes
def test_nothing_of_the_bank_gets_out(short: Path) -> None:
    """Right and wrong submissions ship with the grader, not with the kit."""
    given = {path.read_bytes() for path in (ROOT / "lab").rglob("*.py")}  # which some have copied
    known = (data for one in load_bank(bank()) if "--" in one.name for data in one.files.values())
    shipped = {data for data in known if len(data) > 200} - given
    handed_out = [path for path in (short / "unpacked").rglob("*") if path.is_file()]
    assert len(shipped) > 300
    assert [path for path in handed_out if path.read_bytes() in shipped or "verification" in path.parts] == []


def test_the_kit_knows_the_points_and_the_python_that_grade_and_names_no_hidden_check() -> None:
    rubric = load_rubric(None, checks=titles())
    worth = [check for exercise in rubric.exercises for check in exercise.checks]
    course = make_kit(["bfs"], "en", worth=worth, python=(3, 13)).files["lab/course.py"].decode()
    assert '"visit-order": 3,' in course
    assert "PYTHON: Final = (3, 13)" in course
    hidden = {check.id.partition(".")[2] for check in worth if check.visibility == "hidden"}
    assert hidden
    assert [name for name in hidden if f'"{name}"' in course] == []
