"""Putting a verdict into words: what was expected, what came, where, and how to see it again."""

from __future__ import annotations

from collections.abc import Callable

from grader.checks.base import Case, Exercise, Wrong
from grader.model import Generate, Json, Verdict
from grader.oracle.findings import Finding
from lab.exercises import Kind

PASSED = Verdict("passed")
FILE = "counterexample.txt"
OUTCOME_ONLY = "This check is hidden: only its outcome is shown."


def verdict_on(exercise: Exercise, wrong: Wrong) -> Verdict:
    """The verdict on a check that was found wrong."""
    case, finding = wrong.case, wrong.finding
    if finding.status == "missing":
        return Verdict("missing", _missing_sentence(finding))
    sentence = _SENTENCES[exercise.kind](exercise, wrong)
    extra = dict(finding.extra)
    counterexample = {
        "label": case.label,
        "maze": extra.pop("maze", case.maze),
        "call": case.code,
        "expected": dict(finding.expected),
        "actual": dict(finding.actual),
        **extra,
        "reproduce": _reproduce(exercise, case),
    }
    return Verdict(finding.status, sentence, finding.hint, counterexample=counterexample)


def only_outcome(verdict: Verdict) -> Verdict:
    """The same verdict with nothing of how it came about."""
    return Verdict(verdict.status, "" if verdict.status == "passed" else OUTCOME_ONLY)


def blame_search(verdict: Verdict, name: str) -> Verdict:
    """The same verdict with a word on the Search that the solver builds on."""
    note = f"Note that Search fails checks of its own, and {name} builds on it: mend Search first."
    return Verdict(
        verdict.status,
        verdict.message if verdict.message in ("", OUTCOME_ONLY) else f"{verdict.message} {note}",
        counterexample=verdict.counterexample,
    )


def _missing_sentence(finding: Finding) -> str:
    """What is not there; no case shows more of that than any other."""
    message = finding.message
    return f"{message[:1].upper()}{message[1:]}." if message.startswith("the ") else f"{message}."


def _solver_sentence(exercise: Exercise, wrong: Wrong) -> str:
    return f"On {wrong.case.label}, {exercise.target.name} {wrong.finding.message}."


def _checker_sentence(_exercise: Exercise, wrong: Wrong) -> str:
    expected = wrong.finding.expected["text"]
    return f"On {wrong.case.label}, is_perfect {wrong.finding.message}. Expected {expected}."


def _generator_sentence(_exercise: Exercise, wrong: Wrong) -> str:
    if wrong.finding.decides:
        return f"{wrong.finding.message}. The whole exercise earns nothing."
    expected = wrong.finding.expected["text"]
    return f"For {wrong.case.label}, MyGenerator {wrong.finding.message}. Expected {expected}."


def _search_sentence(_exercise: Exercise, wrong: Wrong) -> str:
    return f"{wrong.finding.message}."


_SENTENCES: dict[Kind, Callable[[Exercise, Wrong], str]] = {
    "search": _search_sentence,
    "solver": _solver_sentence,
    "perfection": _checker_sentence,
    "generator": _generator_sentence,
}


def _reproduce(exercise: Exercise, case: Case) -> Json:
    """The file to save and the command to give, in the folder of the submission."""
    if exercise.kind == "solver":
        return {"file": FILE, "command": f"maze solve {FILE} --algorithm {exercise.target.name} --visited"}
    if exercise.kind == "perfection":
        code = "from lab import Maze; from perfection_checker import PerfectionChecker; "
        code += f"print(PerfectionChecker().is_perfect(Maze.from_file('{FILE}')))"
        return {"file": FILE, "command": f'python -c "{code}"'}
    if isinstance(asked := case.call.arguments, Generate):
        size = f"-r {asked.rows} -c {asked.columns}"
        command = f"maze generate {FILE} {size} --algorithm mine --seed {asked.seed}"
        return {"file": None, "command": command}
    return None
