"""The tests as pytest runs them, in the folder of a submission."""

from __future__ import annotations

from pathlib import Path

import pytest
from perfection_checker import PerfectionChecker  # the submission's

from benchmarks.peers.drawn import fixed
from benchmarks.peers.properties import PROPERTIES, hold
from lab import Maze


@pytest.mark.parametrize(("maze", "expected"), fixed(Path.cwd()))
def test_a_fixed_maze(maze: Maze, expected: bool) -> None:
    """Try one of the fixed mazes."""
    assert PerfectionChecker().is_perfect(maze) is expected  # noqa: S101


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_property(name: str) -> None:
    """Try one of the properties."""
    hold(lambda maze: PerfectionChecker().is_perfect(maze), name)
