"""What a student hands in: the exercises, with their files and the names they must define."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lab.left_out import LEFT_OUT

Kind = Literal["search", "solver", "perfection", "generator"]
"""What is asked for: a class of each kind is called in its own way."""
_METHODS: dict[Kind, str] = {
    "search": "record",
    "solver": "solve",
    "perfection": "is_perfect",
    "generator": "generate",
}


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise: its file, relative to the student's folder, and the class in it."""

    id: str
    title: str
    file: str
    name: str
    kind: Kind

    @property
    def method(self) -> str:
        """The method that is to be written."""
        return _METHODS[self.kind]

    @property
    def module(self) -> str:
        """The name to import the file by, with the student's folder on the path."""
        return self.file.removesuffix(".py").replace("/", ".")

    @property
    def stem(self) -> str:
        """The file's name alone: the public tests of ``dfs`` stand in ``test_dfs.py``."""
        return Path(self.file).stem


_ALL = (
    Exercise("search", "Search", "solvers/search.py", "Search", "search"),
    Exercise("dfs", "Depth-first search", "solvers/dfs.py", "DFS", "solver"),
    Exercise("bfs", "Breadth-first search", "solvers/bfs.py", "BFS", "solver"),
    Exercise("dijkstra", "Dijkstra's algorithm", "solvers/dijkstra.py", "Dijkstra", "solver"),
    Exercise("perfection", "Perfection checker", "perfection_checker.py", "PerfectionChecker", "perfection"),
    Exercise("generator", "Generator", "generators/my_generator.py", "MyGenerator", "generator"),
)

EXERCISES = tuple(exercise for exercise in _ALL if exercise.id not in LEFT_OUT)
"""Those of this course: all six, where its kit leaves none out."""

BY_ID = {exercise.id: exercise for exercise in EXERCISES}

BY_NAME = {exercise.name: exercise for exercise in EXERCISES}
"""The exercises by the class that they ask for."""

FILES = tuple(exercise.file for exercise in EXERCISES)

SOLVERS = tuple(exercise for exercise in EXERCISES if exercise.kind == "solver")

SOLVER_IDS = tuple(exercise.id for exercise in SOLVERS)
