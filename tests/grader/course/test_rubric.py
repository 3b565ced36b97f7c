"""The rubric: what is read, and the shipped one."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from grader.course import exercises
from grader.course import rubric as rubric_module
from grader.course.attempts import Allowance
from grader.course.late_work import LatePolicy
from grader.course.rubric import PARTIAL, RubricCheck, load_rubric
from grader.exercises import registry
from grader.languages import titles_in
from grader.model import Limits
from tests.grader.course.rubrics import GOOD, LATE, MAZE, load


def test_a_rubric_is_loaded(path: Path) -> None:
    rubric = load(path, GOOD)
    assert (rubric.title, rubric.language, rubric.seed, rubric.examples) == ("Mazes as graphs", "nb", 7, 50)
    assert (rubric.hidden_feedback, rubric.source, rubric.path) == ("full", GOOD, path)
    assert rubric.limits == Limits(
        call_cpu_seconds=2.5, call_wall_seconds=5, memory_bytes=256 * 1024**2, processes=16
    )
    assert [maze.name for maze in rubric.mazes] == ["n"]
    dfs, bfs = rubric.exercises
    assert (dfs.id, dfs.title) == ("dfs", "Depth-first search")
    assert dfs.checks == (
        RubricCheck("dfs.valid-path", 40, "public"),
        RubricCheck("dfs.large", 20.5, "hidden"),
    )
    assert (bfs.id, bfs.title, bfs.checks) == ("bfs", "", (RubricCheck("bfs.shortest", 39.5, "public"),))


def test_what_is_left_out_has_its_default(path: Path) -> None:
    (path.parent / "mazes").mkdir()
    rubric = load(path, "title: t\nexercises: {dfs: {checks: {dfs.large: {points: 100}}}}\n")
    assert (rubric.language, rubric.seed, rubric.examples, rubric.hidden_feedback) == (
        "en",
        1,
        60,
        "outcome",
    )
    assert rubric.partial == PARTIAL == 0.5
    assert (rubric.limits, rubric.mazes) == (Limits(), ())
    assert rubric.exercises[0].checks == (RubricCheck("dfs.large", 100, "public"),)


@pytest.mark.parametrize(("text", "part"), [("none", 0.0), ("25 %", 0.25), ("25%", 0.25), ("50", 0.5)])
def test_the_part_of_a_check_is_in_percent(path: Path, text: str, part: float) -> None:
    assert load(path, f"partial: {text}\n{GOOD}").partial == part


def test_the_digest_changes_with_the_rubric_and_with_its_mazes(path: Path) -> None:
    first = load(path, GOOD).digest
    assert load(path, GOOD).digest == first
    other_seed = load(path, GOOD.replace("seed: 7", "seed: 8")).digest
    (path.parent / "tests" / "one.yaml").write_text(MAZE.replace("name: n", "name: m"))
    other_maze = load(path, GOOD).digest
    assert len({first, other_seed, other_maze}) == 3


def test_the_digest_is_about_what_is_graded(path: Path) -> None:
    assert load(path, GOOD + LATE).digest == load(path, f"# a word\n{GOOD}").digest


def test_attempts_are_read_and_no_part_of_what_is_graded(path: Path) -> None:
    assert load(path, GOOD).attempts == Allowance(None, 0.0, "best")
    limited = load(path, GOOD + "attempts: {burst: 3, per_hour: 1.5, counts: last}\n")
    assert limited.attempts == Allowance(3, 1.5, "last")
    assert limited.digest == load(path, GOOD).digest


def test_hidden_checks_may_be_told_after_the_deadline(path: Path) -> None:
    text = GOOD.replace("hidden_feedback: full", "hidden_feedback: after_deadline")
    assert load(path, text + LATE).hidden_feedback == "after_deadline"


def test_points_in_hundredths_add_up_exactly(path: Path) -> None:
    text = GOOD.replace("40", "33.33").replace("20.5", "33.33").replace("39.5", "33.34")
    assert load(path, text).exercises[1].checks[0].points == 33.34


# --- the shipped rubric -------------------------------------------------------------------------


def test_the_shipped_rubric_has_all_declared_checks() -> None:
    rubric = load_rubric(checks=registry.titles())
    assert {exercise.id: [check.id for check in exercise.checks] for exercise in rubric.exercises} == {
        exercise: list(titles) for exercise, titles in registry.titles().items()
    }
    assert titles_in("exercise") == exercises.TITLES
    assert rubric.limits == Limits()
    assert rubric.examples == 60
    assert {exercise.id: sum(check.points for check in exercise.checks) for exercise in rubric.exercises} == {
        "search": 15, "dfs": 20, "bfs": 20, "dijkstra": 15, "perfection": 15, "generator": 15,
    }  # fmt: skip
    hidden = {
        check.id for exercise in rubric.exercises for check in exercise.checks if check.visibility == "hidden"
    }
    assert {check.split(".")[1] for check in hidden} == {"large", "hidden-mazes", "deep"}


def test_dropping_a_file_into_the_folder_adds_a_maze(tmp_path: Path) -> None:
    shipped = rubric_module.SHIPPED
    shutil.copy(shipped, tmp_path)
    shutil.copytree(shipped.with_name("mazes"), tmp_path / "mazes")
    before = load_rubric(tmp_path / "rubric.yaml", checks=registry.titles())
    (tmp_path / "mazes" / "new.yaml").write_text(MAZE)
    after = load_rubric(tmp_path / "rubric.yaml", checks=registry.titles())
    (new,) = {maze.path.name for maze in after.mazes} - {maze.path.name for maze in before.mazes}
    assert new == "new.yaml"
    assert after.digest != before.digest


def test_late_work(path: Path) -> None:
    assert load(path, GOOD).late is None
    deadline = datetime(2026, 10, 1, 23, 59, tzinfo=timezone(timedelta(hours=2)))
    assert load(path, GOOD + LATE).late == LatePolicy(deadline, 15, 3, per_day=12.5)
