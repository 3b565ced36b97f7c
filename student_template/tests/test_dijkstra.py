"""The public tests of solvers/dijkstra.py."""

from public_solver_tests import SolverTests


class TestDijkstra(SolverTests):
    name = "Dijkstra"
    shortest = True
