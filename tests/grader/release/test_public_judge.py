"""An exercise of a course's own whose judge students get: ``judge: public`` in its ``exercise.yaml``."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli import main
from grader.course.plan import load_plan
from grader.release.secrets import collect_secrets, find_leaks
from tests.grader.release.test_kit import maze
from tests.grader.release.unproven import unproven as unproven

RUBRIC = """\
title: Dead ends
own_exercises: [ends]
mazes: mazes
examples: 20
exercises:
  ends:
    checks:
      ends.trees: 50
      ends.round: 30
      ends.combs: {points: 8, visibility: hidden}
      ends.more-trees: {points: 4, visibility: hidden}
      ends.hidden-mazes: {points: 8, visibility: hidden}
"""
JUDGE = '''\
"""Which dead end is missing, or is none: their order does not matter."""


def judge(arguments, returned, expected):
    missing = sorted({*expected} - {*returned})
    wrong = sorted({*returned} - {*expected})
    if missing:
        return "missing", {"cell": missing[0]}
    if wrong:
        return "wrong", {"cell": wrong[0]}
    return None
'''
REFERENCE = '''\
"""The dead ends, row by row."""


def dead_ends(maze):
    """Return the cells with one way out."""
    return [cell for cell in maze.dimension.all_positions() if len(maze.valid_moves_at(cell)) == 1]
'''
HIDDEN = """\
+-+-+-+-+
|S| |   |
+ + + +-+
|       |
+ +-+ + +
| |  E| |
+-+-+-+-+
"""
FILES = {
    "ends/exercise.yaml": """\
id: ends
file: ends.py
function: dead_ends
arguments: [maze]
returns: cells
judge: public
checks:
  trees: [way]
  round: [cycles]
  combs: [drawn_combs]
  more-trees: [way]
  hidden-mazes: [hidden]
""",
    "ends/judge.py": JUDGE,
    "ends/reference.py": REFERENCE,
    "ends/cases.py": '''\
"""Combs: a corridor with a tooth at each cell."""

from lab import EAST, SOUTH, Dimension, Factory


def drawn_combs(rng):
    return [{"maze": comb(length)} for length in range(9, 15)]


def comb(length):
    maze = Factory().fully_disconnected(Dimension(2, length))
    for column in range(1, length + 1):
        maze.break_wall((1, column), SOUTH)
        if column < length:
            maze.break_wall((1, column), EAST)
    return maze
''',
    "ends/texts/en.toml": """\
title = "Dead ends"

[said]
missing = "leaves out the dead end {cell}"
wrong = "names {cell}, which is no dead end"
""",
    "ends/mazes/secret.yaml": "name: A corner that nobody knows\ncatches: corners\nvisibility: hidden\n"
    + "maze: |\n"
    + "".join(f"  {line}\n" for line in HIDDEN.splitlines()),
}


def course(folder: Path, *, judge: str = JUDGE, is_public: bool = True) -> Path:
    """Write the course into a folder, and return its rubric."""
    files = FILES | {"rubric.yaml": RUBRIC, "ends/judge.py": judge}
    if not is_public:
        files["ends/exercise.yaml"] = files["ends/exercise.yaml"].replace("judge: public\n", "")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "mazes").mkdir(exist_ok=True)
    return folder / "rubric.yaml"


@pytest.fixture
def kit(tmp_path: Path, unproven: None) -> Path:  # noqa: ARG001 - it proves nothing
    rubric = course(tmp_path / "course")
    assert main(["release", "--out", str(tmp_path / "out"), "--rubric", str(rubric)]) == 0
    return tmp_path / "out" / "mazes-lab"


def test_it_is_in_the_kit_and_what_is_hidden_is_not(kit: Path) -> None:
    assert (kit / "student_template/tests/judge_of_ends.py").read_text() == JUDGE
    texts = {path: path.read_text() for path in kit.rglob("*") if path.is_file()}
    assert not [path for path in texts if path.name in ("cases.py", "reference.py", "judge.py")]
    for secret in ("comb", "A corner that nobody knows", HIDDEN, "with one way out"):
        assert not [path for path, text in texts.items() if secret in text], secret


@pytest.mark.processes
def test_maze_check_judges_by_it_and_counts_its_checks(kit: Path) -> None:
    def told(answer: str) -> str:
        code = REFERENCE.replace("return [", "found = [") + f"    return {answer}\n"
        (kit / "student_template/ends.py").write_text(code, encoding="utf-8")
        done = maze(kit, "check", "ends")
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "80 of 100 so far; 20 are hidden" in told("found")
    assert "80 of 100 so far; 20 are hidden" in told("found[::-1]")
    less = told("found[1:]")
    assert "0 of 100 so far" in less
    assert "leaves out the dead end (" in less
    assert "which is no dead end" in told("[*found, maze.entry, *maze.dimension.all_positions()]")


@pytest.mark.parametrize("is_public", [True, False])
def test_only_one_that_stays_in_the_grader_is_a_secret(tmp_path: Path, *, is_public: bool) -> None:
    plan = load_plan(course(tmp_path, is_public=is_public), explain=False)
    files = {"student_template/tests/judge_of_ends.py": JUDGE.encode()}
    assert bool(find_leaks(files, collect_secrets(plan))) is not is_public


@pytest.mark.processes
@pytest.mark.ci
def test_a_judge_that_answers_the_exercise_itself_is_not_handed_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    helper = REFERENCE.partition("\n\n\n")[2].replace("dead_ends(maze)", "right_ones(maze)")
    rubric = course(tmp_path / "course", judge=f"{JUDGE}\n\n{helper.replace('cell', 'place')}")
    assert main(["release", "--out", str(tmp_path / "out"), "--rubric", str(rubric)]) == 1
    assert "judge_of_ends.right_ones earns points in Dead ends" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
