"""The rubric: what is read, and the one that ships. What is said of mistakes: tests/golden/refusals."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grader.course import statements
from grader.course.late_work import Allowance, LatePolicy
from grader.course.rubric import PARTIAL, RubricCheck, load_rubric
from grader.errors import InputError, MazeFileError, RubricError
from grader.exercises import registry
from grader.languages import titles_in
from grader.model import Limits
from tests.grader.course.rubrics import GOOD, LATE, MAZE, load

ATTEMPTS = "attempts: {burst: 3, per_hour: 1.5, counts: last}\n"
ALL = GOOD + LATE + ATTEMPTS + "partial: 25 %\nrepair_cost: 5\nleftovers: told\nfollow_through: none\n"


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
    assert (rubric.late, rubric.attempts) == (None, Allowance(None, 0.0, "best"))
    deadline = datetime(2026, 10, 1, 23, 59, tzinfo=timezone(timedelta(hours=2)))
    rubric = load(path, ALL)
    assert rubric.late == LatePolicy(deadline, 15, 3, per_day=12.5)
    assert (rubric.attempts, rubric.partial) == (Allowance(3, 1.5, "last"), 0.25)


def test_what_is_left_out_has_its_default(path: Path) -> None:
    (path.parent / "mazes").mkdir()
    rubric = load(path, "title: t\nexercises: {dfs: {checks: {dfs.large: {points: 100}}}}\n")
    assert (rubric.language, rubric.seed, rubric.examples) == ("en", 1, 60)
    assert (rubric.hidden_feedback, rubric.partial) == ("outcome", PARTIAL)
    assert (rubric.limits, rubric.mazes) == (Limits(), ())
    assert rubric.exercises[0].checks == (RubricCheck("dfs.large", 100, "public"),)


def is_loaded(text: str) -> bool:
    """Tell whether a rubric is read; what is refused is refused in its own file, at a place that is there."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "tests").mkdir()
        path = Path(folder, "rubric.yaml")
        try:
            rubric = load(path, text)
        except InputError as refused:
            error = refused
        else:
            assert sum(check.points for exercise in rubric.exercises for check in exercise.checks) == 100
            return True
    assert error.path == path
    assert 1 <= (error.line or 0) <= text.count("\n") + 1
    return False


VALUES = [
    (token.start_mark.index, token.end_mark.index)
    for token in yaml.scan(ALL)
    if isinstance(token, yaml.ScalarToken)
]
"""Where each key and each value of a rubric stands."""
OTHERS = st.sampled_from(
    [
        *("0", "-1", "00", "1.5", "1e3", ".nan", "1_0", "'7'", "none", "no", "~", "''", "[]", "[1]", "{}"),
        *("{a: 1}", "101", "..", "hidden", "0 %", "100 %", "1 KiB", "64 GiB", "2026-10-01T23:59Z"),
    ]
)


@given(
    place=st.sampled_from(VALUES),
    value=OTHERS | st.integers().map(str) | st.floats().map(str) | st.text(max_size=9).map(json.dumps),
)
def test_with_one_value_changed_it_is_refused_with_its_place_or_loads(
    place: tuple[int, int], value: str
) -> None:
    start, end = place
    is_loaded(ALL[:start] + value + ALL[end:])


def test_a_part_of_the_points_is_more_than_none_and_less_than_all() -> None:
    loaded = [percent for percent in range(-1, 102) if is_loaded(f"partial: {percent} %\n{GOOD}")]
    assert loaded == [*range(1, 100)]
    assert is_loaded(f"partial: none\n{GOOD}")
    assert is_loaded(f"partial: 50\n{GOOD}")


@given(*(st.sampled_from(range(1, 601)) | st.just(60) for _ in range(4)))
def test_limits_may_be_equal_and_no_calls_exceeds_those_of_all(
    cpu: int, wall: int, all_cpu: int, all_wall: int
) -> None:
    of_all = f"submission_cpu_seconds: {all_cpu}\n  submission_wall_seconds: {all_wall}"
    text = GOOD.replace("call_cpu_seconds: 2.5", f"call_cpu_seconds: {cpu}")
    assert is_loaded(text.replace("call_wall_seconds: 5", f"call_wall_seconds: {wall}\n  {of_all}")) == (
        cpu <= wall <= all_wall and cpu <= all_cpu
    )


def test_the_digest_changes_with_what_is_graded_and_with_nothing_else(path: Path) -> None:
    first = load(path, GOOD).digest
    assert load(path, f"# a word\n{GOOD}{LATE}{ATTEMPTS}").digest == first
    other_seed = load(path, GOOD.replace("seed: 7", "seed: 8")).digest
    (path.parent / "tests" / "one.yaml").write_text(MAZE.replace("name: n", "name: m"))
    assert len({first, other_seed, load(path, GOOD).digest}) == 3


def test_hidden_checks_may_be_told_after_the_deadline(path: Path) -> None:
    text = GOOD.replace("hidden_feedback: full", "hidden_feedback: after_deadline")
    assert load(path, text + LATE).hidden_feedback == "after_deadline"
    with pytest.raises(RubricError):
        load(path, text)


def test_points_in_hundredths_add_up_exactly(path: Path) -> None:
    text = GOOD.replace("40", "33.33").replace("20.5", "33.33").replace("39.5", "33.34")
    assert load(path, text).exercises[1].checks[0].points == 33.34


def test_a_wrong_maze_is_refused_in_its_own_file(path: Path) -> None:
    maze = path.parent / "tests" / "one.yaml"
    maze.write_text(MAZE.replace("|S|", "|s|"))
    with pytest.raises(MazeFileError) as caught:
        load(path, GOOD)
    assert (caught.value.path, caught.value.line, caught.value.column) == (maze, 7, 4)


def test_the_shipped_rubric_has_all_declared_checks() -> None:
    rubric = load_rubric(checks=registry.titles())
    assert {exercise.id: [check.id for check in exercise.checks] for exercise in rubric.exercises} == {
        exercise: list(titles) for exercise, titles in registry.titles().items()
    }
    assert titles_in("exercise") == statements.TITLES
    assert {exercise.id: sum(check.points for check in exercise.checks) for exercise in rubric.exercises} == {
        "search": 15, "dfs": 20, "bfs": 20, "dijkstra": 15, "perfection": 15, "generator": 15,
    }  # fmt: skip
    hidden = {
        check.id for exercise in rubric.exercises for check in exercise.checks if check.visibility == "hidden"
    }
    assert {check.split(".")[1] for check in hidden} == {"large", "hidden-mazes", "deep"}
