"""What a student hands in: the exercises, with their files and the names they must define."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from lab.added import ADDED
from lab.left_out import LEFT_OUT

Kind = Literal["search", "solver", "perfection", "generator", "own", "answer"]
"""What is asked for: a class of each kind is called in its own way. A course may add exercises of two kinds:
``own`` is called as a solver is, ``answer`` is a function, or are methods of a class, with any arguments."""
_METHODS: dict[Kind, str] = {
    "search": "record",
    "solver": "solve",
    "perfection": "is_perfect",
    "generator": "generate",
    "own": "solve",
}
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "record": ("start", "move", "end"),
    "solve": ("maze", "search"),
    "is_perfect": ("maze",),
    "generate": ("factory", "dimension"),
}


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise: its file, relative to the student's folder, and the class or the function in it."""

    id: str
    title: str
    file: str
    name: str
    kind: Kind
    calls: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Of an exercise of the kind ``answer``: each method with its parameters; a function has the name ""."""
    skeleton: bytes = b""
    """The file as it is handed out, of an exercise that a course adds; those of others are the template's."""

    @property
    def methods(self) -> Mapping[str, tuple[str, ...]]:
        """The methods that are to be written, each with its parameters beside ``self``."""
        if self.kind == "answer":
            return {method: parameters for method, parameters in self.calls if method}
        return {_METHODS[self.kind]: _PARAMETERS[_METHODS[self.kind]]}

    @property
    def method(self) -> str:
        """The first method that is to be written; the function, where there is no class."""
        return next(iter(self.methods), self.name)

    @property
    def is_function(self) -> bool:
        """Tell whether a function is asked for, and no class."""
        return self.kind == "answer" and not self.methods

    @property
    def parameters(self) -> tuple[str, ...]:
        """What the method or the function is called with, beside ``self``."""
        return self.calls[0][1] if self.is_function else self.methods[self.method]

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

LAB_EXERCISES: Final = tuple(exercise for exercise in _ALL if exercise.id not in LEFT_OUT)
"""The lab's own: all six, where its kit leaves none out."""

LAB_FILES: Final = tuple(exercise.file for exercise in LAB_EXERCISES)
"""The files of the lab's own exercises, which the student template holds."""

EXERCISES: Final[list[Exercise]] = []
"""Those of this course: the lab's own, and those that it adds."""

BY_ID: Final[dict[str, Exercise]] = {}

BY_NAME: Final[dict[str, Exercise]] = {}
"""The exercises by the class that they ask for."""

FILES: Final[list[str]] = []


def add_to_the_lab(added: Iterable[Exercise]) -> None:
    """Let the lab's exercises be followed by those that a course adds, and by no others."""
    EXERCISES[:] = (*LAB_EXERCISES, *added)
    FILES[:] = (exercise.file for exercise in EXERCISES)
    for known, named in ((BY_ID, "id"), (BY_NAME, "name")):
        known.clear()
        known.update({getattr(exercise, named): exercise for exercise in EXERCISES})


add_to_the_lab(Exercise(*each) for each in ADDED)

SOLVERS = tuple(exercise for exercise in EXERCISES if exercise.kind in ("solver", "own"))
"""What can be asked to solve a maze."""

SOLVER_IDS = tuple(exercise.id for exercise in LAB_EXERCISES if exercise.kind == "solver")


def solver_in_any_case(name: str) -> str:
    """The name of a solver, in whatever case it is written; what is none stays as it is."""
    return next((each.name for each in SOLVERS if each.name.casefold() == name.casefold()), name)
