"""The examples of a property are the same on every machine."""

from __future__ import annotations

import subprocess
import sys

import pytest

DRAW = """
from grader.exercises.kit.cases.draw import draw
from hypothesis import strategies as st
print(draw(st.integers(), 300, 7))
"""


def drawn(before: str) -> str:
    done = subprocess.run([sys.executable, "-c", before + DRAW], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("before", ["import grader.batch.class_run", "import lab.cli, grader.feedback.html"])
def test_what_else_is_loaded_changes_nothing(before: str) -> None:
    assert drawn(before) == drawn("")
