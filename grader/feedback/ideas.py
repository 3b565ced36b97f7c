"""The second and third hint of a check: its idea, its place in the handout, and worked examples.

The first hint, a nudge, is part of results.json. These depend only on the check's id, so that pages of old
results have them as well; their words are in the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from grader.exercises.declaration import Idea, examples, ideas
from grader.feedback.example import Example, read_example
from grader.feedback.views import CheckView, ExerciseView


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A small case with its right answer."""

    name: str
    example: Example


def find_idea(check: CheckView, exercise: ExerciseView) -> Idea | None:
    """Return the idea of a failed check; None if there was nothing to check, or nothing could be loaded."""
    if check.status in ("missing", "skipped", "not-asked", "violation") or (
        exercise.one_cause and not check.unwritten
    ):
        return None
    return ideas().get(check.id)


def worked_examples(idea: Idea) -> list[WorkedExample]:
    """Return the worked examples of an idea."""
    return [WorkedExample(name, _examples()[name]) for name in idea.examples]


@cache
def _examples() -> Mapping[str, Example]:
    return {name: read_example(case) for name, case in examples().items()}
