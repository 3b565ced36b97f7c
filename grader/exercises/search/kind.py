"""How the grader handles the search."""

from __future__ import annotations

from itertools import pairwise

from grader.exercises.kit.check import Case, PlannedExercise, Wrong
from grader.exercises.kit.kind import Kind
from grader.exercises.kit.misconception import AnswerReader, one_by_one
from grader.exercises.search import checks, script_runs
from grader.exercises.search.blamed_step import is_right, seen_to_change, touched
from grader.exercises.search.judge import Script, call_text, came
from grader.exercises.search.misconceptions import MODELS
from grader.languages import Message, said
from grader.model import Claim, Json, Target
from lab.recorded import Told
from lab.story import Recorded


def _sentence(_exercise: PlannedExercise, wrong: Wrong) -> Message:
    return said("sentence", finding=wrong.finding.message)


def _reproduce(_target: Target, _case: Case, _file: str) -> Json:
    """Return nothing: the judge itself shows the script's calls up to the one that went wrong."""
    return None


def _story(_exercise: str, wrong: Wrong, claim: Claim, run: Recorded) -> list[Told]:
    """Tell what the record did that led to the wrong answer; where none is blamed, the step itself."""
    script, at = wrong.case.given, wrong.finding.step
    if not isinstance(script, Script) or at is None or at >= len(claim.steps):
        return []
    asked, gave = script.steps[at], came(script.steps[at], claim.steps[at])
    record = touched(script.steps, script.right, at, gave)
    same = [n for n, each in enumerate(script.steps[:at]) if each[0] == asked[0]]
    states = run.held_after(same)
    seen = seen_to_change(
        script.steps[: at + 1], script.right[at], gave, dict(zip(same, pairwise(states), strict=True))
    )
    if record is not None and asked[2] and is_right(states[-1], asked[2][0], script.right[at], gave):
        record = None
    blamed = [n for n, each in enumerate(script.steps[:at]) if each == record]
    number = max([at] if seen is None and not blamed else [*blamed, -1 if seen is None else seen])
    before = [n for n, each in enumerate(script.steps[:number]) if each[0] == script.steps[number][0]]
    return run.of_step(number, call_text(script.steps[number]), before, led_to=number != at)


KIND = Kind(
    titles=lambda _: checks.TITLES,
    checks=lambda book, _: checks.checks(book),
    sentence=_sentence,
    reproduce=_reproduce,
    models=MODELS,
    reader=AnswerReader(script_runs.read, one_by_one(script_runs.is_right)),
    told_by_check={"separate": "shared"},
    small_cases=checks.small_cases,
    story=_story,
)
