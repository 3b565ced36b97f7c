"""What a student hands in: the exercises, with their files and the names that they must define."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from lab.course import COURSE

Kind = Literal["script", "solver", "walker", "checker", "maker", "answer", "literals", "written"]
"""What is asked for, and so how it is called: a class called by a ``script``; a ``solver`` that finds a way,
or a ``walker`` that may take any; a ``checker`` that says whether a maze is perfect; a ``maker`` of mazes; an
``answer`` of any function, or of a class's methods, to any arguments; named ``literals`` in a file that is
read and never run; or what is ``written``, as values or in words, for a person to mark."""
Takes = Literal["", "last found", "first found", "closest"]
"""Which pending cell a solver continues with."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise: its file, relative to the student's folder, and the class or the function in it."""

    id: str
    title: str
    file: str
    name: str
    kind: Kind
    calls: tuple[tuple[str, tuple[str, ...]], ...]
    """Each method to write, with its parameters besides ``self``; the name of a function is ""."""
    takes: Takes = ""
    """For a solver, which pending cell it continues with."""
    skeleton: bytes = b""
    """The file as it is handed out, if a course adds the exercise; others are in the template."""

    @property
    def methods(self) -> Mapping[str, tuple[str, ...]]:
        """The methods to write, each with its parameters beside ``self``."""
        return {method: parameters for method, parameters in self.calls if method}

    @property
    def method(self) -> str:
        """The first method to write, or the function if there is no class."""
        return next(iter(self.methods), self.name)

    @property
    def goes_deep(self) -> bool:
        """Whether a solver continues with the cell found last, so that its ways need not be short."""
        return self.takes == "last found"

    @property
    def is_function(self) -> bool:
        """Whether a function is asked for rather than a class."""
        return not self.methods

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of the method or the function, beside ``self``."""
        return self.calls[0][1] if self.is_function else self.methods[self.method]

    @property
    def module(self) -> str:
        """The name by which the file is imported, with the student's folder on the path."""
        return self.file.removesuffix(".py").replace("/", ".")

    @property
    def stem(self) -> str:
        """The file's name without folder and suffix, as in ``test_dfs.py`` for ``dfs``."""
        return Path(self.file).stem


LAB_EXERCISES: Final = tuple(Exercise(**each) for each in COURSE)
"""The lab's own exercises."""

LAB_FILES: Final = tuple(exercise.file for exercise in LAB_EXERCISES)
"""The files of the lab's own exercises, which the student template holds."""

EXERCISES: Final[list[Exercise]] = []
"""This course's exercises: the lab's own, and those that it adds."""

BY_ID: Final[dict[str, Exercise]] = {}

BY_NAME: Final[dict[str, Exercise]] = {}
"""Exercises by the class that they ask for."""

FILES: Final[list[str]] = []


def add_to_the_lab(added: Iterable[Exercise]) -> None:
    """Add a course's exercises after the lab's own, and remove those of any other course."""
    EXERCISES[:] = (*LAB_EXERCISES, *added)
    FILES[:] = (exercise.file for exercise in EXERCISES)
    for known, named in ((BY_ID, "id"), (BY_NAME, "name")):
        known.clear()
        known.update({getattr(exercise, named): exercise for exercise in EXERCISES})


add_to_the_lab(())


def exercise_of(kind: Kind) -> Exercise | None:
    """Return the first exercise of a kind; None if the course has none."""
    return next((exercise for exercise in EXERCISES if exercise.kind == kind), None)


SOLVERS = tuple(exercise for exercise in EXERCISES if exercise.kind in ("solver", "walker"))
"""The exercises that can be asked to solve a maze."""

FOLLOWED = tuple(
    each for each in EXERCISES if each in SOLVERS or (each.kind == "answer" and "maze" in each.parameters)
)
"""The exercises whose code can be followed line by line in a maze."""

SOLVER_IDS = tuple(exercise.id for exercise in LAB_EXERCISES if exercise.kind == "solver")


def solver_in_any_case(name: str) -> str:
    """Return a solver's proper name, given in any case, or its id; return other names unchanged."""
    return next((each.name for each in SOLVERS if name.casefold() in (each.name.casefold(), each.id)), name)
