"""The public tests of solvers/dijkstra.py."""

from public_solver_tests import NoWayTests, ShortestWayTests


class TestDijkstra(NoWayTests, ShortestWayTests):
    name = "Dijkstra"
