"""Test mazes from files, as far as cases need them, and what an instructor states of solvers on one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.exercises.kit.facts import Way
from lab import Vector


@dataclass(frozen=True, slots=True)
class Stated:
    """What is stated of a solver in a maze with a way; nothing where all is left out."""

    at_most_visits: int | None = None
    """How many cells are visited until the exit is, entry and exit among them."""
    at_most_moves: int | None = None
    must_visit: tuple[Vector, ...] = ()
    """Cells that are visited before the exit is."""
    way: Way | None = None
    """The moves, where no others are right."""


@dataclass(frozen=True, slots=True)
class FixedMaze:
    """A test maze from a file."""

    name: str
    text: str
    hidden: bool
    exercises: tuple[str, ...]
    stated: Mapping[str, tuple[Stated, ...]] = field(default_factory=dict)
    """By exercise, what the checks that ask about all test mazes are to judge besides."""
