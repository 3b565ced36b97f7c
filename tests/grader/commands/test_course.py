"""``grader course new``: a course of one's own, with which all other commands work at once."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grader.course import course_folder
from grader.course.course_folder import available_exercises, largest_remainders
from grader.course.exercise_folder import check_ids, load_own_exercise, shipped_folders
from grader.course.rubric import SHIPPED, Rubric, load_rubric
from grader.exercises.registry import titles
from tests.grader.command import Outcome, grader
from tests.grader.release.unproven import unproven as unproven


def begin(folder: Path, *options: str) -> Outcome:
    return grader("course", "new", folder, *options)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no cases for what is written: courses that are read as a whole, are drawn."""
    monkeypatch.setattr(course_folder, "load_plan", lambda _, **__: None)


def rubric_in(course: Path) -> Rubric:
    return load_rubric(course / "rubric.yaml", checks=titles())


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("id_", available_exercises())
def test_each_exercise_that_ships_makes_a_course_with_all_its_checks(tmp_path: Path, id_: str) -> None:
    done = begin(tmp_path / "one", "--exercises", id_, "--seed", "2026")
    assert done.returncode == 0, done.stderr
    (exercise,) = rubric_in(tmp_path / "one").exercises
    assert round(sum(check.points for check in exercise.checks), 2) == 100
    own = load_own_exercise(shipped_folders()[id_]) if id_ in shipped_folders() else None
    shipped = yaml.safe_load(SHIPPED.read_text("utf-8"))["exercises"].get(id_, {}).get("checks")
    by_program = (
        [f"{id_}.{name}" for name, asked in own.checks.items() if not asked.criteria] if own else shipped
    )
    standard = (
        [check for check in check_ids([own])[id_] if own and check.partition(".")[2] not in own.checks]
        if own
        else []
    )
    assert [check.id for check in exercise.checks] == [*by_program, *standard]
    hidden = {check.id for check in exercise.checks if check.visibility == "hidden"}
    assert {check.id for check in exercise.checks if "hidden-" in check.id} <= hidden


@pytest.mark.usefixtures("undrawn")
def test_the_labs_exercises_give_the_rubric_that_ships(tmp_path: Path) -> None:
    assert begin(tmp_path / "course", "--seed", "2026").returncode == 0
    same, shipped = (
        re.sub("deadline: .*", "", path.read_text())
        for path in (tmp_path / "course" / "rubric.yaml", SHIPPED)
    )
    assert same == shipped
    written = {path.name: path.read_bytes() for path in (tmp_path / "course" / "mazes").iterdir()}
    assert written == {path.name: path.read_bytes() for path in SHIPPED.with_name("mazes").iterdir()}


@pytest.mark.usefixtures("undrawn")
def test_keys_of_the_service_are_there_as_comments_with_a_deadline_ahead(tmp_path: Path) -> None:
    assert begin(tmp_path / "course", "--seed", "2026").returncode == 0
    path = tmp_path / "course" / "rubric.yaml"
    block = re.compile(r"^# (?:late|attempts):.*\n(?:#   .*\n)+", re.MULTILINE)
    asked = block.sub(lambda found: found[0].replace("# ", "", 1).replace("\n#", "\n"), path.read_text())
    path.write_text(asked.replace("hidden_feedback: kind", "hidden_feedback: after_deadline"))
    found = rubric_in(tmp_path / "course")
    assert found.late is not None
    assert found.late.deadline > datetime.now(UTC) + timedelta(weeks=3)
    assert found.attempts is not None


@pytest.mark.usefixtures("undrawn")
def test_points_are_whole_numbers(tmp_path: Path) -> None:
    done = begin(tmp_path / "course", "--exercises", "search,dfs,bfs,graph", "--seed", "2026")
    assert re.findall(r"^  \w+ +(\S+)$", done.stdout, re.MULTILINE) == ["21", "29", "29", "21"]
    points = [check.points for each in rubric_in(tmp_path / "course").exercises for check in each.checks]
    assert sum(points) == 100
    assert all(each == int(each) for each in points)


@given(
    st.dictionaries(st.text(max_size=3), st.floats(0.01, 100), min_size=1, max_size=60), st.integers(0, 2000)
)
def test_shares_add_up_and_are_less_than_one_from_their_part(weights: dict[str, float], total: int) -> None:
    shares = largest_remainders(weights, total)
    assert sum(shares.values()) == total
    whole = sum(weights.values())
    assert all(abs(shares[key] - weight * total / whole) < 1 + 1e-6 for key, weight in weights.items())


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_is_there_is_left_alone(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "course"
    inside = place if kind == "file" else place / "mine.txt"
    inside.parent.mkdir(exist_ok=True)
    inside.write_text("kept")
    done = begin(place)
    assert (done.returncode, inside.read_text()) == (1, "kept")
    assert "expected a new or an empty folder" in done.stderr


@pytest.mark.usefixtures("undrawn")
def test_what_was_asked_for_stands_in_the_rubric(tmp_path: Path) -> None:
    asked = ["--exercises", "wall_follower,dfs", "--language", "nb", "--seed", "7"]
    assert begin(tmp_path / "course", "--title", "Bo's lab: # 1", *asked).returncode == 0
    rubric = rubric_in(tmp_path / "course")
    assert (rubric.title, rubric.language, rubric.seed) == ("Bo's lab: # 1", "nb", 7)
    assert [exercise.id for exercise in rubric.exercises] == ["wall_follower", "dfs"]
