"""What the tests of the students' command share."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lab.exercises import EXERCISES

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a student's folder with all right answers."""
    shutil.copytree(ROOT / "student_template", tmp_path / "ada", ignore=shutil.ignore_patterns("__pycache__"))
    for exercise in EXERCISES:
        shutil.copy(ROOT / "reference" / exercise.file, tmp_path / "ada" / exercise.file)
    return tmp_path / "ada"
