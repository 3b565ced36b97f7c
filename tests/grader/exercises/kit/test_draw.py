"""The examples of a property are the same on every machine."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import strategies as st

from grader.exercises.kit import draw

NUMBERS = st.integers(0, 10**6)
DRAW = """
from grader.exercises.kit.draw import draw
from hypothesis import strategies as st
print(draw(st.integers(), 300, 7))
"""


def drawn(before: str) -> str:
    done = subprocess.run([sys.executable, "-c", before + DRAW], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.processes
@pytest.mark.parametrize("before", ["import grader.batch.class_run", "import lab.cli, grader.feedback.page"])
def test_what_else_is_loaded_changes_nothing(before: str) -> None:
    assert drawn(before) == drawn("")


@pytest.mark.parametrize("count", [1, 7, 30])
def test_of_what_is_drawn_each_size_keeps_its_share(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = draw.draw(NUMBERS, count, 3, size=int)
    monkeypatch.setattr(draw, "DRAWN_FOR_ONE", 1)
    every = draw.draw(NUMBERS, 3 * count, 3)
    assert sorted(kept) == sorted(every)[::3]
    assert [number for number in every if number in kept] == [*kept]
