"""The public tests of solvers/dijkstra.py."""

from public_solver_tests import ShortestWayTests


class TestDijkstra(ShortestWayTests):
    name = "Dijkstra"
