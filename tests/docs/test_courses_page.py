"""The courses of docs/courses.md: each rubric is one that the grader takes, as it is pasted."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from grader.course.rubric import SHIPPED, TOTAL, load_rubric
from grader.exercises.registry import titles
from tests.docs.pages import MARKDOWN, ROOT

NAMES = ("Three weeks for beginners", "One afternoon", "Algorithms, with weights")


@cache
def sections() -> dict[str, str]:
    """Return the sections of the page that hold a rubric, by their headings."""
    text = (ROOT / "docs/courses.md").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in text.split("\n## ")[1:])
    return {name: body for name, _, body in parts if "```yaml" in body}


def rubric_of(name: str) -> str:
    """Return the rubric in a section, as it is pasted."""
    return next(token.content for token in MARKDOWN.parse(sections()[name]) if token.info == "yaml")


def test_each_course_of_the_page_is_tried() -> None:
    assert tuple(sections()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_rubric_is_taken_as_it_is_pasted(name: str, tmp_path: Path) -> None:
    (tmp_path / "mazes").symlink_to(SHIPPED.parent / "mazes")
    (tmp_path / "rubric.yaml").write_text(rubric_of(name), encoding="utf-8")
    rubric = load_rubric(tmp_path / "rubric.yaml", checks=titles())
    points = [check.points for exercise in rubric.exercises for check in exercise.checks]
    assert sum(points) == TOTAL


@pytest.mark.parametrize("name", NAMES)
def test_its_table_names_its_exercises_in_their_order(name: str) -> None:
    table = sections()[name].partition("```yaml")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")]
    named = [id_ for row in rows for id_ in re.findall(r"`(\w+)`", row)]
    assert named == re.findall(r"^  (\w+):$", rubric_of(name), re.MULTILINE)
