"""The checks of each exercise, declared in one place each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from grader.cases.library import CaseBook
from grader.checks import generator, perfection, search, solvers
from grader.checks.base import Check
from grader.model import Target

TARGETS: dict[str, Target] = {
    "search": Target("solvers/search.py", "Search"),
    "dfs": Target("solvers/dfs.py", "DFS"),
    "bfs": Target("solvers/bfs.py", "BFS"),
    "dijkstra": Target("solvers/dijkstra.py", "Dijkstra"),
    "perfection": Target("perfection_checker.py", "PerfectionChecker"),
    "generator": Target("generators/my_generator.py", "MyGenerator"),
}

EXERCISE_TITLES: dict[str, str] = {
    "search": "The search",
    "dfs": "Depth-first search",
    "bfs": "Breadth-first search",
    "dijkstra": "Dijkstra's algorithm",
    "perfection": "Perfect mazes",
    "generator": "Your own generator",
}

TITLES: dict[str, Mapping[str, str]] = {
    "search": search.TITLES,
    **{name: solvers.titles(name) for name in solvers.NAMES},
    "perfection": perfection.TITLES,
    "generator": generator.TITLES,
}
"""Every check that a rubric may name, by exercise."""


def make(exercise: str, ids: Sequence[str], book: CaseBook) -> tuple[Check, ...]:
    """Make the checks with these ids, in this order."""
    known = _makers(exercise, book)
    return tuple(known[id_]() for id_ in ids)


def _makers(exercise: str, book: CaseBook) -> dict[str, Callable[[], Check]]:
    if exercise == "search":
        return search.checks(book)
    if exercise == "perfection":
        return perfection.checks(book)
    if exercise == "generator":
        return generator.checks(book)
    return solvers.checks(book, exercise)
