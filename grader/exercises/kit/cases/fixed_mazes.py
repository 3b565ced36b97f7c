"""Test mazes from files, as far as cases need them, with an instructor's statements about solvers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.exercises.kit.facts import Way
from lab import Vector


@dataclass(frozen=True, slots=True)
class Stated:
    """What an instructor states about a solver in a maze with a way; every part may be omitted."""

    at_most_visits: int | None = None
    """The most cells visited up to the exit, including entry and exit."""
    at_most_moves: int | None = None
    must_visit: tuple[Vector, ...] = ()
    """Cells that must be visited before the exit."""
    way: Way | None = None
    """The moves, if no others are right."""


@dataclass(frozen=True, slots=True)
class FixedMaze:
    """A test maze from a file."""

    name: str
    text: str
    hidden: bool
    exercises: tuple[str, ...]
    stated: Mapping[str, tuple[Stated, ...]] = field(default_factory=dict)
    """By exercise, statements that the checks of all test mazes judge as well."""
