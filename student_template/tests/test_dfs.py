"""The public tests of solvers/dfs.py."""

from public_solver_tests import SolverTests


class TestDFS(SolverTests):
    name = "DFS"
