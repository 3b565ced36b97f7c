"""Grading one submission: every exercise of the plan is tried in a sandbox and judged outside."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from json import dumps
from random import Random

from grader.checks.base import Check, Exercise
from grader.course.plan import Plan
from grader.grading.trial import Trial
from grader.grading.verdicts import PASSED, blame_search, only_outcome, word
from grader.languages import catalogue
from grader.misconceptions import diagnose
from grader.model import Call, CheckResult, Claim, ExerciseResult, Plain, Report, Submission, Target, Verdict
from grader.oracle.generator import judge_dimension
from grader.sandbox.base import Backend
from grader.session.session import Session

OUTPUT_SHOWN = 4000
"""So many characters of what the student's code printed are shown back."""

_KEYS = 50
"""From the arguments of so many calls, at the most, follows the order of all."""

NOT_COUNTED = "Not counted, since the work is not the submission's own."


def grade(submission: Submission, plan: Plan, backend: Backend) -> Report:
    """Grade a submission. Raises SandboxError where the machine, not the submission, is at fault."""
    started = time.perf_counter()
    exams: list[_Exam] = []
    with _no_collection(), Session(backend, plan.limits, submission) as session:
        for exercise in plan.exercises:
            search_is_wrong = any(exam.exercise.kind == "search" and exam.lost_points for exam in exams)
            exams.append(_Exam(session, plan, exercise, search_is_wrong))
        # Hidden mazes enter the box after all else: nothing that is shown comes from a box which has
        # seen them, whatever the submission may have left in it.
        graded = [exam.result() for exam in exams]
        timing = {"total": time.perf_counter() - started, **session.timing}
    return Report(
        submission.name,
        backend.name,
        plan.rubric.title,
        backend.isolation,
        tuple(graded),
        submission.notes,
        plan.rubric.language,
        timing,
    )


@contextmanager
def _no_collection() -> Iterator[None]:
    """Claims are trees of plain data, thousands of them: the collector of cycles would look at all of
    them and at the whole plan, over and over, and find nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Exam:
    """One exercise of one submission: all but its hidden mazes at once, those when they are asked for."""

    def __init__(self, session: Session, plan: Plan, exercise: Exercise, search_is_wrong: bool) -> None:
        self.plan, self.exercise, self.search_is_wrong = plan, exercise, search_is_wrong
        self.run = partial(_run, session, exercise.target)
        self._hidden = tuple(check for check in exercise.checks if any(case.hidden for case in check.cases))
        trial = Trial(self._with([check for check in exercise.checks if check not in self._hidden]), self.run)
        self._judged = self._judge_all(trial)
        found = self._explained([result for result, _ in self._judged.values()], trial)
        self._judged |= {result.id: (result, self._judged[result.id][1]) for result in found}
        self._output = _output(trial)
        self._gallery = self._drawn()
        known = (case.call.id for check in self._hidden for case in check.context)
        self._known = {id_: trial.claims[id_] for id_ in known if id_ in trial.claims}

    @property
    def lost_points(self) -> bool:
        """Whether a check that was judged so far has not passed."""
        return any(result.score < result.max_score for result, _ in self._judged.values())

    def result(self) -> ExerciseResult:
        """Judge the hidden mazes as well."""
        if self._hidden:
            self._judged |= self._judge_all(Trial(self._with(self._hidden), self.run, self._known))
        judged = [self._judged[check.id] for check in self.exercise.checks]
        results = tuple(result for result, _ in judged)
        zeroed = any(decides for _, decides in judged)
        if zeroed:
            results = tuple(map(_not_counted, results))
        return ExerciseResult(
            self.exercise.id, self.exercise.title, results, self._output, self._gallery, zeroed
        )

    def _with(self, checks: Iterable[Check]) -> Exercise:
        return replace(self.exercise, checks=tuple(checks))

    def _judge_all(self, trial: Trial) -> dict[str, tuple[CheckResult, bool]]:
        """The result of each check of the trial, and whether it decides about the whole exercise."""
        return {check.id: self._judge(check, trial) for check in trial.checks}

    def _judge(self, check: Check, trial: Trial) -> tuple[CheckResult, bool]:
        planned = self.plan.points[check.id]
        wrong = trial.wrong(check)
        verdict = PASSED if wrong is None else word(self.exercise, wrong)
        if wrong is not None and self.search_is_wrong and self._uses_search(trial):
            verdict = blame_search(verdict, self.exercise.target.name)
        hidden = planned.visibility == "hidden" or check in self._hidden
        if hidden and self.plan.rubric.hidden_feedback == "outcome":
            verdict = only_outcome(verdict)
        result = CheckResult(check.id, check.title, planned.points, planned.visibility, verdict)
        return result, wrong is not None and wrong.finding.decides

    def _uses_search(self, trial: Trial) -> bool:
        """Whether the solver ever put a cell into the Search that it was given."""
        if self.exercise.kind != "solver":
            return False
        runs = (run for claim in trial.claims.values() if claim.value for run in claim.value["runs"])
        return any(run["used_search"] for run in runs)

    def _explained(self, results: Sequence[CheckResult], trial: Trial) -> Sequence[CheckResult]:
        """The first shown failure gets the misconception that explains what came, if one does."""
        at = next((n for n, r in enumerate(results) if r.verdict.counterexample is not None), None)
        if at is None:
            return results
        pairs = [(trial.cases[id_].call, claim) for id_, claim in trial.claims.items()]
        try:
            found = diagnose(self.exercise.id, pairs)
        except Exception:  # noqa: BLE001 - a hint that cannot be worked out is not worth a result that is lost
            found = None
        if found is None:
            return results
        hint = catalogue(self.plan.rubric.language).hint(found)
        verdict = replace(results[at].verdict, misconception=found, hint=hint)
        return [*results[:at], replace(results[at], verdict=verdict), *results[at + 1 :]]

    def _drawn(self) -> tuple[dict[str, Plain], ...]:
        """Some mazes of a generator that makes any."""
        if self.exercise.kind != "generator" or not any(result.score for result, _ in self._judged.values()):
            return ()
        calls = [case.call for case in self.plan.gallery]
        claims = self.run(calls, False)
        return tuple(
            _picture(call, claim) for call, claim in zip(calls, claims, strict=True) if _is_maze(call, claim)
        )


def _output(trial: Trial) -> str:
    """What was printed, as far as it is shown."""
    printed = dict.fromkeys(claim.output for claim in trial.claims.values() if claim.output)
    text = "".join(printed)
    return text if len(text) <= OUTPUT_SHOWN else text[:OUTPUT_SHOWN] + "\n…"


def _not_counted(result: CheckResult) -> CheckResult:
    """A check that passed in an exercise that earns nothing."""
    if result.verdict.status != "passed":
        return result
    return replace(result, verdict=Verdict("skipped", NOT_COUNTED))


def _run(session: Session, target: Target, calls: Sequence[Call], alone: bool) -> Sequence[Claim]:
    """Make the calls under names, and in an order, that say nothing of what is expected."""
    mixed = _mixed(calls)
    told = [replace(call, id=f"c{number}") for number, call in enumerate(mixed)]
    claims = session.run(target, told, isolate=alone)
    by_id = {call.id: replace(claim, call=call.id) for call, claim in zip(mixed, claims, strict=True)}
    return [by_id[call.id] for call in calls]


def _mixed(calls: Sequence[Call]) -> list[Call]:
    """The calls with their groups mingled, each group in its own order: the smallest come first, so
    that a limit is shown on the plainest. The order follows from the arguments of many calls; who sees
    one of them cannot tell what comes next."""
    groups: dict[str, list[Call]] = {}
    for call in calls:
        groups.setdefault(call.group, []).append(call)
    turns = [group for group, members in groups.items() for _ in members]
    some = calls[:: len(calls) // _KEYS + 1]
    Random(dumps([dict(call.arguments) for call in some], sort_keys=True)).shuffle(turns)
    members = {group: iter(found) for group, found in groups.items()}
    return [next(members[group]) for group in turns]


def _is_maze(call: Call, claim: Claim) -> bool:
    return judge_dimension(call, claim) is None


def _picture(call: Call, claim: Claim) -> dict[str, Plain]:
    keys = ("rows", "columns", "seed")
    return {**{key: call.arguments[key] for key in keys}, "maze": claim.value["returned"][0]["value"]}
