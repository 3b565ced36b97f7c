"""The courses of docs/courses.md: each rubric is one that the grader takes, as it is pasted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.course.rubric import SHIPPED, TOTAL, load_rubric
from grader.exercises.registry import titles
from tests.docs.pages import MARKDOWN, ROOT

PAGE = ROOT / "docs/courses.md"
TEXT = PAGE.read_text(encoding="utf-8")
COURSES = {
    part.partition("\n")[0]: token.content
    for part in TEXT.split("\n## ")[1:]
    for token in MARKDOWN.parse(part)
    if token.info == "yaml"
}


@pytest.mark.parametrize("name", COURSES)
def test_a_rubric_is_taken_as_it_is_pasted(name: str, tmp_path: Path) -> None:
    (tmp_path / "mazes").symlink_to(SHIPPED.parent / "mazes")
    (tmp_path / "rubric.yaml").write_text(COURSES[name], encoding="utf-8")
    rubric = load_rubric(tmp_path / "rubric.yaml", checks=titles())
    points = [check.points for exercise in rubric.exercises for check in exercise.checks]
    assert sum(points) == TOTAL


@pytest.mark.parametrize("name", COURSES)
def test_its_table_names_its_exercises_in_their_order(name: str) -> None:
    section = TEXT.partition(f"\n## {name}\n")[2].partition("```yaml")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    named = [id_ for row in rows for id_ in re.findall(r"`(\w+)`", row)]
    assert named == re.findall(r"^  (\w+):$", COURSES[name], re.MULTILINE)
