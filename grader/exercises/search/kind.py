"""How the grader handles the search."""

from __future__ import annotations

from grader.exercises.kit.check import Case, PlannedExercise, Wrong
from grader.exercises.kit.kind import Kind
from grader.exercises.kit.misconception import AnswerReader, one_by_one
from grader.exercises.search import checks, script_runs
from grader.exercises.search.misconceptions import MODELS
from grader.languages import Message, said
from grader.model import Json, Target


def _sentence(_exercise: PlannedExercise, wrong: Wrong) -> Message:
    return said("sentence", finding=wrong.finding.message)


def _reproduce(_target: Target, _case: Case, _file: str) -> Json:
    """Return nothing: the judge itself shows the script's calls up to the one that went wrong."""
    return None


KIND = Kind(
    titles=lambda _: checks.TITLES,
    checks=lambda book, _: checks.checks(book),
    sentence=_sentence,
    reproduce=_reproduce,
    models=MODELS,
    reader=AnswerReader(script_runs.read, one_by_one(script_runs.is_right)),
    told_by_check={"separate": "shared"},
    small_cases=checks.small_cases,
)
