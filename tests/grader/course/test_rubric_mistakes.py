"""The rubric: every way in which one can be wrong."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.plan import load_plan
from grader.course.rubric import load_rubric
from grader.errors import InputError, MazeFileError, RubricError
from grader.languages import languages
from lab import Maze, Vector
from tests.grader.course.rubrics import CHECKS, GOOD, LATE, MAZE, load


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("title: Mazes as graphs", "title: 3", (1, 8), "title: expected a text (put it in quotes), got '3'"),
        (
            "title: Mazes as graphs",
            'title: "\\ud800"',
            (1, 8),
            "title: expected a text without characters that cannot be seen, got '\\ud800'",
        ),
        ("title: Mazes as graphs\n", "", (1, 1), "the key 'title' is missing: add a line 'title: …'"),
        ("title: Mazes", "titel: Mazes", (1, 1), "unknown key 'titel'; did you mean 'title'?"),
        (
            "language: nb",
            "language: no",
            (2, 11),
            f"language: expected one of {', '.join(languages())}, got 'no'",
        ),
        ("seed: 7", "seed: -7", (3, 7), "seed: expected a whole number from 0 to 2147483647, got '-7'"),
        ("seed: 7", "seed: 1.5", (3, 7), "seed: expected a whole number from 0 to 2147483647, got '1.5'"),
        ("20.5", "020.5", (17, 27), "got '020.5'; write 20.5, without a zero before it"),
        ("seed: 7", "seed: '7'", (3, 7), "got '7'; it stands in quotes, which make it a text: take them off"),
        ("cpu_seconds: 2.5", "cpu_seconds: 2,5", (8, 21), "got '2,5'; write 2.5, with a point"),
        ("mazes: tests", "mazes: ..", (6, 8), "expected a folder for mazes alone, got "),
        ("seed: 7", "sed: 7", (3, 1), "unknown key 'sed'; did you mean 'seed'?"),
        ("seed: 7", "title: 7", (3, 1), "the key 'title' stands here again, first in line 1"),
        ("examples: 50", "examples: 0", (4, 11), "expected a whole number from 1 to 10000, got '0'"),
        ("examples: 50", "examples: many", (4, 11), "expected a whole number from 1 to 10000, got 'many'"),
        (
            "feedback: full",
            "feedback: fulll",
            (5, 18),
            "of outcome, kind, full, after_deadline, got 'fulll'; did you mean 'full'?",
        ),
        ("feedback: full", "feedback: after_deadline", (5, 18), "needs a deadline: add the key 'late'"),
        (
            "seed: 7",
            "partial: half",
            (3, 10),
            "partial: expected none, or a part such as 50 %, from 1 % to 99 %",
        ),
        ("seed: 7", "partial: 100 %", (3, 10), "from 1 % to 99 %, got '100 %'"),
        ("seed: 7", "partial: [50]", (3, 10), "expected none, or a part such as 50 %"),
        ("seed: 7", "attempts: 3", (3, 11), "attempts: expected keys with values"),
        ("seed: 7", "attempts: {burst: 0}", (3, 19), "expected a whole number from 1 to 1000, got '0'"),
        ("seed: 7", "attempts: {bursts: 2}", (3, 12), "unknown key 'bursts'; did you mean 'burst'?"),
        ("seed: 7", "attempts: {per_hour: 2}", (3, 11), "the key 'burst' is missing"),
        ("seed: 7", "attempts: {counts: first}", (3, 20), "expected one of best, last, got 'first'"),
        ("mazes: tests", "mazes: [tests]", (6, 8), "mazes: expected a text, got a list"),
        ("mazes: tests", "mazes: nowhere", (6, 8), "mazes: expected a folder with test mazes at"),
        ("mazes: tests\n", "", (1, 1), "make it, or name another with the key 'mazes'"),
        ("cpu_seconds: 2.5", "cpu_seconds: 0", (8, 21), "expected a number from 0.1 to 600, got '0'"),
        ("cpu_seconds: 2.5", "cpu_seconds: -1", (8, 21), "expected a number from 0.1 to 600, got '-1'"),
        ("cpu_seconds: 2.5", "cpu_seconds: .nan", (8, 21), "expected a number from 0.1 to 600, got '.nan'"),
        ("cpu_seconds: 2.5", "cpu_seconds: '2'", (8, 21), "expected a number from 0.1 to 600, got '2'"),
        (
            "cpu_seconds: 2.5",
            "cpu_seconds: 6",
            (8, 21),
            "expected call_cpu_seconds (6) to be no more than call_wall_seconds (5): lower the one or raise",
        ),
        ("cpu_seconds: 2.5", "cpu: 2.5", (8, 3), "unknown key 'call_cpu'; did you mean 'call_cpu_seconds'?"),
        (
            "wall_seconds: 5",
            "wall_seconds: 400",
            (9, 22),
            "call_wall_seconds (400) to be no more than submission_wall_seconds (300, its default)",
        ),
        ("256 MiB", "256 MB", (10, 17), "a size from 64 MiB to 64 GiB, such as '128 MiB', got '256 MB'"),
        ("256 MiB", "1 MiB", (10, 17), "a size from 64 MiB to 64 GiB, such as '128 MiB', got '1 MiB'"),
        ("256 MiB", "{a: 1}", (10, 17), "such as '128 MiB', got keys with values"),
        ("processes: 16", "processes: 1", (11, 14), "expected a whole number from 4 to 4096, got '1'"),
        ("processes: 16", "process: 16", (11, 3), "unknown key 'process'; did you mean 'processes'?"),
        ("  dfs:\n", "  dsf:\n", (13, 3), "exercises: unknown key 'dsf'; did you mean 'dfs'?"),
        (
            "    title: Depth-first search",
            "    title: []",
            (14, 12),
            "exercises.dfs.title: expected a text, got a list",
        ),
        ("    title: Depth", "    tilte: Depth", (14, 5), "unknown key 'tilte'; did you mean 'title'?"),
        (
            "dfs.valid-path: 40",
            "dfs.vaild-path: 40",
            (16, 7),
            "unknown check 'dfs.vaild-path'; did you mean 'dfs.valid-path'?",
        ),
        (
            "dfs.valid-path: 40",
            "bfs.valid-path: 40",
            (16, 7),
            "the check 'bfs.valid-path' belongs to the exercise 'bfs'",
        ),
        (
            "dfs.valid-path: 40",
            "dfs.large: 40",
            (17, 7),
            "the key 'dfs.large' stands here again, first in line 16",
        ),
        (
            "dfs.valid-path: 40",
            "dfs.valid-path: 39",
            (13, 3),
            "points that add up to 100, got 99 (dfs 59.5, bfs 39.5)",
        ),
        ("dfs.valid-path: 40", "dfs.valid-path: 0", (16, 23), "expected a number from 0.01 to 100, got '0'"),
        (
            "dfs.valid-path: 40",
            "dfs.valid-path: -40",
            (16, 23),
            "expected a number from 0.01 to 100, got '-40'",
        ),
        (
            "dfs.valid-path: 40",
            "dfs.valid-path: 4O",
            (16, 23),
            "expected a number from 0.01 to 100, got '4O'",
        ),
        (
            "dfs.valid-path: 40",
            "dfs.valid-path: [40]",
            (16, 23),
            "expected a number from 0.01 to 100, got a list",
        ),
        (
            "dfs.valid-path: 40",
            "dfs.valid-path: 40.001",
            (16, 23),
            "with two decimals at the most, got '40.001'",
        ),
        (
            "points: 20.5",
            "points: x",
            (17, 27),
            "dfs.large.points: expected a number from 0.01 to 100, got 'x'",
        ),
        ("points: 20.5, ", "", (17, 18), "the key 'points' is missing"),
        ("points: 20.5", "point: 20.5", (17, 19), "unknown key 'point'; did you mean 'points'?"),
        (
            "visibility: hidden",
            "visibility: secret",
            (17, 45),
            "expected one of public, hidden, got 'secret'",
        ),
        (
            "\n      bfs.shortest: 39.5",
            " {}",
            (19, 13),
            "at least one check; to leave the exercise out, take all",
        ),
        ("\n      bfs.shortest: 39.5", "", (19, 12), "exercises.bfs.checks: expected keys with values"),
        (GOOD[GOOD.index("exercises") :], "", (1, 1), "the key 'exercises' is missing"),
        (GOOD[GOOD.index("exercises") :], "exercises: {}", (12, 12), "add up to 100, got 0 (no exercise)"),
        ("      dfs.large", "     dfs.large", (17, 6), "with 5 spaces: expected 6 spaces, as in line 16"),
        ("points: 20.5", "points:20.5", (17, 19), "a space is missing after the colon: expected 'points: …'"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(
    path: Path, old: str, new: str, place: tuple[int, int], message: str
) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(RubricError) as caught:
        load(path, GOOD.replace(old, new))
    assert message in str(caught.value)
    assert (caught.value.path, caught.value.line, caught.value.column) == (path, *place)


def test_a_wrong_maze_is_refused_in_its_own_file(path: Path) -> None:
    maze = path.parent / "tests" / "one.yaml"
    maze.write_text(MAZE.replace("|S|", "|s|"))
    with pytest.raises(MazeFileError) as caught:
        load(path, GOOD)
    assert (caught.value.path, caught.value.line, caught.value.column) == (maze, 7, 4)


def test_the_visit_orders_are_asked_about(path: Path) -> None:
    path.write_text(GOOD)

    def complain(exercise: str, _maze: Maze, order: tuple[Vector, ...]) -> str:
        return f"{exercise} has {len(order)} cell too many"

    with pytest.raises(MazeFileError, match="dfs has 1 cell too many"):
        load_rubric(path, checks=CHECKS, agrees=complain)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("+02:00", "", "expected a time with its zone"),
        ("2026-10-01T23:59:00+02:00", "friday", "expected a time with its zone"),
        ("12.5", "101", "from 0 to 100"),
        ("  per_day: 12.5\n", "", "per_day"),
        ("max_days: 3", "max_days: 1.5", "a whole number"),
        ("max_days", "most_days", "max_days"),
    ],
)
def test_a_mistake_about_late_work(path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(RubricError, match=re.escape(said)):
        load(path, GOOD + LATE.replace(old, new))


def test_a_check_that_no_hidden_maze_is_left_for_is_refused_where_it_stands(path: Path) -> None:
    checks = "    dfs.valid-path: 99\n    dfs.hidden-mazes: 1\n"
    path.write_text(f"title: T\nexamples: 1\nmazes: tests\nexercises:\n  dfs:\n   checks:\n{checks}")
    (path.parent / "tests" / "one.yaml").write_text(MAZE.replace("hidden", "public"))
    with pytest.raises(RubricError, match=r"rubric\.yaml:8:5: dfs\.hidden-mazes: expected at least one"):
        load_plan(path)


@given(place=st.integers(0, len(GOOD) - 1), text=st.text(max_size=3))
def test_any_change_is_accepted_or_refused_with_the_file(place: int, text: str) -> None:
    with TemporaryDirectory() as folder:
        Path(folder, "tests").mkdir()
        path = Path(folder, "rubric.yaml")
        path.write_text(GOOD[:place] + text + GOOD[place + 1 :], encoding="utf-8", newline="")
        message = refusal(path)
    assert message is None or message.startswith(str(path))


def refusal(path: Path) -> str | None:
    try:
        rubric = load_rubric(path, checks=CHECKS)
    except InputError as error:
        return str(error)
    assert sum(check.points for exercise in rubric.exercises for check in exercise.checks) == 100
    return None
