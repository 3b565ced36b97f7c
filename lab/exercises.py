"""What a student hands in: six exercises, six files, with the names they must define."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Exercise:
    """One of the six: its file, relative to the student's folder, and the class in it."""

    id: str
    title: str
    file: str
    name: str

    @property
    def module(self) -> str:
        """The name to import the file by, with the student's folder on the path."""
        return self.file.removesuffix(".py").replace("/", ".")

    @property
    def stem(self) -> str:
        """The file's name alone: the public tests of ``dfs`` stand in ``test_dfs.py``."""
        return Path(self.file).stem


EXERCISES = (
    Exercise("search", "Search", "solvers/search.py", "Search"),
    Exercise("dfs", "Depth-first search", "solvers/dfs.py", "DFS"),
    Exercise("bfs", "Breadth-first search", "solvers/bfs.py", "BFS"),
    Exercise("dijkstra", "Dijkstra's algorithm", "solvers/dijkstra.py", "Dijkstra"),
    Exercise("perfection", "Perfection checker", "perfection_checker.py", "PerfectionChecker"),
    Exercise("generator", "Generator", "generators/my_generator.py", "MyGenerator"),
)

BY_NAME = {exercise.name: exercise for exercise in EXERCISES}
"""The exercises by the class that they ask for."""

SOLVERS = ("DFS", "BFS", "Dijkstra")
"""The names of the three solvers."""
