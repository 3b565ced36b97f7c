"""The file of a test maze, as an instructor writes it."""

from __future__ import annotations

GOOD = """\
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
