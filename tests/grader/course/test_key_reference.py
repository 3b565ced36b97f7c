"""The page of a course's keys, and what ``explain --defaults`` prints."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from grader.course.key_reference import commented_defaults, reference_page
from grader.course.rubric import SHIPPED, load_rubric
from grader.exercises.registry import titles

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "rubric.md"


def test_the_page_is_made_from_the_types() -> None:
    """Write it anew with python scripts/rubric_reference.py."""
    assert PAGE.read_text(encoding="utf-8") == reference_page()


@pytest.mark.parametrize("key", ["limits", "hidden_feedback", "leftovers", "examples"])
def test_the_defaults_are_what_a_rubric_without_the_key_has(key: str, tmp_path: Path) -> None:
    told = (line.removeprefix("# ") for line in commented_defaults().split("\n"))
    shown = yaml.safe_load("\n".join(line for line in told if "…" not in line))[key]
    lines = SHIPPED.read_text(encoding="utf-8").split("\n")
    bare = "\n".join(line for line in lines if not line.startswith(f"{key}:"))
    given, without = (tmp_path / name for name in ("given.yaml", "without.yaml"))
    without.write_text(bare)
    given.write_text(f"{key}: {shown}\n{bare}")
    loaded = [load_rubric(path, checks=titles(), with_mazes=False) for path in (given, without)]
    read = [getattr(each, key) for each in loaded]
    assert read[0] == read[1]
