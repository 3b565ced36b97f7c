"""The public tests of solvers/dfs.py."""

from public_solver_tests import NoWayTests


class TestDFS(NoWayTests):
    name = "DFS"
