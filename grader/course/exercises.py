"""What the grader adds to the lab's own record of each exercise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grader.languages import titles_in
from grader.model import Target
from lab.exercises import BY_ID, LAB_EXERCISES

TITLES: Final[Mapping[str, str]] = titles_in("exercise")
"""Titles of exercises by id, as in results.json."""

WITH_MAZES: Final = tuple(each.id for each in LAB_EXERCISES if "maze" in each.parameters)
"""The ids of the lab's exercises whose calls get mazes: all but the search and the generator."""


def target_of(exercise: str) -> Target:
    """Return the file and the name that an exercise asks for."""
    record = BY_ID[exercise]
    return Target(record.file, record.name)
