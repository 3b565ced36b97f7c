"""How the grader handles the analysis: it reads the file, and compares each answer with the name's mazes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from grader.exercises.analysis.answers import Reading, judge_first, judge_visits, read
from grader.exercises.kit.check import Case, Check, PlannedExercise, Wrong, each
from grader.exercises.kit.findings import Finding, ending
from grader.exercises.kit.folders.checks import titles
from grader.exercises.kit.folders.code import KNOWN
from grader.exercises.kit.kind import Kind
from grader.languages import Message
from grader.model import Ask, Call, Claim, Json, Target
from grader.model.claims import FunctionAnswer

_NO_ARGUMENTS: Final = Ask("", (), 1)


def _checks(_book: object, exercise: str) -> Mapping[str, Callable[[], Check]]:
    """Return functions that make the checks, by id; each check has one case, the answer of that name."""
    known = titles(exercise)

    def make(id_: str, answer: str) -> Check:
        label = Message(f"own.{exercise}.maze.{answer.partition('_')[2]}")
        case = Case(Call(id_, _NO_ARGUMENTS), label, answer)
        return Check(id_, known[id_], (case,), each(_judge))

    def maker(id_: str, answer: str) -> Callable[[], Check]:
        return lambda: make(id_, answer)

    asked = KNOWN[exercise].exercise.checks
    return {
        f"{exercise}.{name}": maker(f"{exercise}.{name}", each_.cases[0]) for name, each_ in asked.items()
    }


def _judge(case: Case, claim: Claim) -> Finding | None:
    answer = str(case.given)
    reading = None if claim.data is None else claim.data.returned
    if not isinstance(reading, Reading):
        return ending(claim, expected={})
    first, _, maze = answer.partition("_")
    if first == "first":
        return judge_first(reading, answer, maze)
    return judge_visits(reading, answer, first, maze)


def _drawn_from(claim: Claim) -> str:
    reading = None if claim.data is None else claim.data.returned
    return reading.name if isinstance(reading, Reading) else ""


def _reads(text: str | None) -> FunctionAnswer:
    return FunctionAnswer(read(text), changed=None, used_search=False)


def _sentence(_exercise: PlannedExercise, wrong: Wrong) -> Message:
    return wrong.finding.message


def _reproduce(_target: Target, _case: Case, _file: str) -> Json:
    """Return nothing to run: the page shows the maze and the order."""
    return None


KIND = Kind(
    titles=titles,
    checks=_checks,
    sentence=_sentence,
    reproduce=_reproduce,
    reads=_reads,
    drawn_from=_drawn_from,
)
