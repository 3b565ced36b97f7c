"""``maze check`` on 55 typical mistakes: one look says what is wrong, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.exercises import BY_ID, EXERCISES
from tests.lab.mistakes.table import MISTAKES, PAGE, Mistake, page
from tests.lab.running import checked

pytestmark = pytest.mark.usefixtures("_untraced")


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=list(MISTAKES))
def test_one_look_says_what_is_wrong_and_why(mistake: Mistake, tmp_path: Path) -> None:
    mistake.write(tmp_path / "ada")
    told_of = ["dfs"] * mistake.says.startswith("DFS stands on")
    output = checked(tmp_path / "ada", mistake.exercise, *told_of)
    title = BY_ID[mistake.exercise].title
    assert f"  {title:<22} {mistake.passed}\n" in output
    shown = iter([line.strip() for line in output.splitlines()])
    assert [line for line in mistake.says.splitlines() if line.strip() not in shown] == []  # in this order


def test_there_are_55_of_them_in_all_exercises() -> None:
    assert len(MISTAKES) == 55
    assert {mistake.exercise for mistake in MISTAKES.values()} == {exercise.id for exercise in EXERCISES}


def test_the_page_for_instructors_tells_them_all() -> None:
    """``python -m tests.lab.mistakes.table`` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == page()
