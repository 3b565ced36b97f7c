"""Putting a verdict into words: what was expected, what came, where, and how to see it again."""

from __future__ import annotations

from grader.exercises.kit.check import PlannedExercise, Wrong
from grader.exercises.kit.findings import Finding
from grader.exercises.kit.reproduce import file_of
from grader.exercises.registry import kind_of
from grader.languages import Message, said
from grader.model import Fault, Target, Telling, Verdict

PASSED = Verdict("passed")
OUTCOME_ONLY = said("hidden")
_SPENT = ("endless", "timeout", "out-of-memory", "output-limit")
_LEFT = ("exit status", "SystemExit", "EOFError")
"""How code ends that asks for input, or exits, as programs do."""
_HIDDEN = ("said.hidden", "said.hidden_kind", "said.hidden_not_loaded")


def verdict_on(exercise: PlannedExercise, check: str, wrong: Wrong) -> Verdict:
    """Return the verdict on a check, by its id, that found something wrong."""
    case, finding = wrong.case, wrong.finding
    if finding.status == "missing":
        return Verdict("missing", _missing(exercise.target, finding.fault))
    if finding.status == "not-asked":
        return Verdict("not-asked", finding.message)
    if finding.fault is not None and finding.fault.stage != "call":
        return _before_any_case(exercise, finding)
    kind = kind_of(exercise.id)
    sentence = kind.sentence(exercise, wrong)
    if finding.undone:
        sentence = said("undone", sentence=sentence)
    extra = dict(finding.extra)
    again = kind.reproduce(exercise.target, case, file_of(check))
    counterexample: dict[str, Telling] = {
        "label": case.label,
        "maze": extra.pop("maze", case.maze),
        "call": case.code,
        "expected": dict(finding.expected),
        "actual": dict(finding.actual),
        **extra,
        "reproduce": extra.get("reproduce", again),
    }
    return Verdict(finding.status, sentence, finding.hint, counterexample=counterexample)


def _before_any_case(exercise: PlannedExercise, finding: Finding) -> Verdict:
    """Return the verdict where the file cannot be loaded, or the class cannot be made.

    No case shows more of that than any other.
    """
    message = said("by_itself", name=exercise.target.name, finding=finding.message)
    hint = said("runs_when_loaded") if _runs_when_loaded(finding) else ""
    counterexample: dict[str, Telling] = {"expected": {}, "actual": dict(finding.actual)}
    return Verdict(finding.status, message, hint, counterexample=counterexample)


def _runs_when_loaded(finding: Finding) -> bool:
    """Tell whether code that tries out the class seems to have run while the file was loaded."""
    fault = finding.fault
    if fault is None or fault.stage != "import":
        return False
    return finding.status in _SPENT or fault.kind.startswith(_LEFT)


def only_outcome(verdict: Verdict, *, all_missing: bool, told: Message | None = None) -> Verdict:
    """Return a verdict that says only whether the check passed and, if not, at most what is ``told``.

    That is the kind of case, or that none was tried.

    Code that has seen a hidden maze could choose among crashes and time-outs to reveal something about it.
    That all of an exercise is missing is known beforehand.
    """
    if verdict.status == "passed":
        return Verdict("passed")
    if all_missing:
        return Verdict("missing", OUTCOME_ONLY)
    return Verdict("failed", told or OUTCOME_ONLY)


def blame_search(verdict: Verdict, name: str) -> Verdict:
    """Return the verdict with a note on the Search that the solver builds on."""
    message = verdict.message
    if message and not (isinstance(message, Message) and message.key in _HIDDEN):
        message = said("with_search", sentence=message, solver=name)
    return Verdict(verdict.status, message, counterexample=verdict.counterexample)


def _missing(target: Target, fault: Fault | None) -> Message:
    """Return a message on what is missing; no case shows more of that than any other."""
    if fault is not None and fault.kind == "no file":
        return said("missing_file", file=target.file)
    if fault is not None and fault.kind == "no class":
        return said("no_class", file=target.file, name=target.name, value=fault.message)
    return said("missing_name", file=target.file, name=target.name)
