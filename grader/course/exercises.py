"""What the grader adds to the lab's record of each exercise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grader.languages import titles_in
from grader.model import Target
from lab.exercises import BY_ID, LAB_EXERCISES

TITLES: Final[Mapping[str, str]] = titles_in("exercise")
"""By the id of the exercise, as results.json has them."""

WITH_MAZES: Final = tuple(each.id for each in LAB_EXERCISES if "maze" in each.parameters)
"""The lab's exercises that are given mazes; the search and the generator are not."""


def target_of(exercise: str) -> Target:
    """What an exercise asks for."""
    record = BY_ID[exercise]
    return Target(record.file, record.name)
