"""The path of a rubric, with a maze beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.grader.course.rubrics import MAZE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "one.yaml").write_text(MAZE)
    return tmp_path / "rubric.yaml"
