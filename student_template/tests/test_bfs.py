"""The public tests of solvers/bfs.py."""

from public_solver_tests import NoWayTests, ShortestWayTests


class TestBFS(NoWayTests, ShortestWayTests):
    name = "BFS"
