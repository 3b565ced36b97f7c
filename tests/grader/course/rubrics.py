"""A valid rubric and test mazes, for tests that change them."""

from __future__ import annotations

from pathlib import Path

from grader.course.rubric import Rubric, load_rubric

CHECKS = {
    "search": ["search.new-cell", "search.order"],
    "dfs": ["dfs.valid-path", "dfs.no-way", "dfs.large", "dfs.hidden-mazes"],
    "bfs": ["bfs.valid-path", "bfs.shortest"],
}

GOOD = """\
title: Mazes as graphs
language: nb
seed: 7
examples: 50
hidden_feedback: full
mazes: tests
limits:
  call_cpu_seconds: 2.5
  call_wall_seconds: 5
  memory_bytes: 256 MiB
  processes: 16
exercises:
  dfs:
    title: Depth-first search
    checks:
      dfs.valid-path: 40
      dfs.large: {points: 20.5, visibility: hidden}
  bfs:
    checks:
      bfs.shortest: 39.5
"""

MAZE = "name: n\ncatches: c\nvisibility: hidden\nvisit_order: {dfs: [[1, 1]]}\nmaze: |\n  +-+\n  |S|\n  +-+\n"

LATE = "late:\n  deadline: 2026-10-01T23:59:00+02:00\n  per_day: 12.5\n  grace_minutes: 15\n  max_days: 3\n"

DEAD_END = """\
name: One dead end
catches: a solver that stops at the first dead end
visibility: hidden
exercises: [dfs, bfs]
visit_order:
  dfs: [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3]]
maze: |
  +-+-+-+
  |S    |
  + +-+-+
  |    E|
  +-+-+-+
"""
CORNER = """\
maze: |
  +-+-+-+-+
  |    E  |
  + +-+-+-+
  |S      |
  + +-+-+ +
  |       |
  +-+-+-+-+
"""


def load(path: Path, text: str) -> Rubric:
    path.write_text(text, encoding="utf-8")
    return load_rubric(path, checks=CHECKS)
