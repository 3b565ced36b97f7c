"""The drawn cases of the public tests: what is written down with them is so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.course.plan import load_plan
from grader.exercises.kit.facts import facts_of
from grader.intake.files import Caps
from grader.release.cases import FILE as CASES
from grader.release.kit import kit_of
from lab.exercises import BY_ID, LAB_EXERCISES

ROOT = Path(__file__).parents[2]
PLACES = {each.kind: f"student_template/{CASES.format(each.kind)}" for each in LAB_EXERCISES}
DATA: dict[str, Any] = {kind: json.loads((ROOT / place).read_bytes()) for kind, place in PLACES.items()}


def _letters(cells: Any) -> str:
    return "".join(chr(96 + number) for cell in cells for number in cell)


def test_what_is_written_down_of_each_maze_is_so() -> None:
    for told in (*DATA["solver"]["mazes"], *DATA["checker"]["mazes"]):
        facts = facts_of(told["maze"])
        assert (told.get("perfect", False), told.get("length")) == (facts.is_perfect, facts.length)
        assert told.get("cycle", False) == bool(facts.cycle)
        if "deep" in told:
            assert told["deep"] == [_letters(order) for order in facts.orders["dfs"]]
        if "broad" in told:
            assert told["broad"] == _letters(facts.orders["bfs"][0])


@pytest.mark.parametrize("place", PLACES.values())
def test_each_file_may_be_handed_in_with_the_folder(place: str) -> None:
    assert (ROOT / place).stat().st_size <= Caps().file_bytes


def test_each_exercise_is_asked_about_some_sixty_small_mazes_of_each_family() -> None:
    assert {exercise: kind for kind, data in DATA.items() for exercise in data["asked"]} == {
        exercise.id: exercise.kind for exercise in LAB_EXERCISES
    }
    for exercise, check in (("dfs", "valid-path"), ("bfs", "cycles"), ("perfection", "extra-passage")):
        data = DATA[BY_ID[exercise].kind]
        mazes = [facts_of(data["mazes"][place]["maze"]) for (place,) in data["asked"][exercise][check]]
        assert sum(facts.dimension.position_count <= 36 for facts in mazes) > 55
        assert max(facts.dimension.position_count for facts in mazes) <= 400


@pytest.mark.ci
def test_they_are_those_of_the_shipped_rubric() -> None:
    """Where this fails: python scripts/lab_course.py."""
    kit = kit_of(load_plan()).files
    assert [place for place in PLACES.values() if kit[place] != (ROOT / place).read_bytes()] == []
