"""The public tests of solvers/bfs.py."""

from public_solver_tests import ShortestWayTests


class TestBFS(ShortestWayTests):
    name = "BFS"
