"""How the grader handles the perfection checker."""

from __future__ import annotations

from grader.exercises.kit.check import Case, PlannedExercise, Wrong
from grader.exercises.kit.hidden_kinds import of_a_graph
from grader.exercises.kit.kind import Kind, MazesHandedIn
from grader.exercises.kit.misconception import AnswerReader, one_by_one
from grader.exercises.kit.reproduce import one_by_one as mazes_one_by_one
from grader.exercises.perfection import answers, checks, misconceptions, own_mazes, typical_mistakes
from grader.exercises.perfection.twins import twins
from grader.languages import Message, said
from grader.model import IsPerfect, Json, Target


def _sentence(_exercise: PlannedExercise, wrong: Wrong) -> Message:
    return said("checker", **wrong.told())


def _reproduce(_target: Target, case: Case, file: str) -> Json:
    """Return the maze to save and a command that checks it, or several with one checker."""
    asked = case.call.asked(IsPerfect)
    if asked.before:
        code = "from perfection_checker import PerfectionChecker; c = PerfectionChecker(); "
        return mazes_one_by_one((*asked.before, asked.maze), code, "c.is_perfect({})", file=file)
    return {"file": file, "command": f"maze perfect {file}"}


KIND = Kind(
    titles=lambda _: checks.TITLES,
    checks=lambda book, _: checks.checks(book),
    sentence=_sentence,
    reproduce=_reproduce,
    hidden_kind=of_a_graph,
    models=misconceptions.MODELS,
    reader=AnswerReader(answers.read, one_by_one(answers.is_right)),
    told_by_check={"repeat": "checker-remembers"},
    own_mazes=MazesHandedIn(own_mazes.examine, tuple(typical_mistakes.MISTAKES)),
    twins=twins,
)
