"""The public tests of solvers/bfs.py."""

from public_solver_tests import SolverTests


class TestBFS(SolverTests):
    name = "BFS"
    shortest = True
