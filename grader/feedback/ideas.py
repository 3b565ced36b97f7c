"""The second and the third hint: the idea that a check is about, where the handout tells it, and an example.

The first hint, a nudge, stands in results.json. These follow from the id of a check alone, so every page of
old results has them; the words stand in the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from grader.exercises.declaration import Idea, examples, ideas
from grader.feedback.example import Example, example_of
from grader.feedback.views import CheckView, ExerciseView


@dataclass(frozen=True, slots=True)
class Worked:
    """A small case that shows what is right."""

    name: str
    example: Example


def idea_of(check: CheckView, exercise: ExerciseView) -> Idea | None:
    """Return the idea of a check that went wrong.

    None where nothing was there to be wrong, or could be loaded.
    """
    if check.status in ("missing", "skipped", "violation") or (exercise.one_cause and not check.unwritten):
        return None
    return ideas().get(check.id)


def worked(idea: Idea) -> list[Worked]:
    """Return the examples for an idea."""
    return [Worked(name, _examples()[name]) for name in idea.examples]


@cache
def _examples() -> Mapping[str, Example]:
    return {name: example_of(case) for name, case in examples().items()}
