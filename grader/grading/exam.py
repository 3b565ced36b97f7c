"""One exercise of one submission: its calls are made, its checks judged, its mistakes explained."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import NamedTuple

from grader.checks.base import Check, Exercise, Wrong
from grader.course.plan import Plan
from grader.grading.accepted import remarks_on
from grader.grading.follow_through import thinned
from grader.grading.trial import MakeCalls, Trial
from grader.grading.verdicts import PASSED, blame_search, only_outcome, verdict_on
from grader.languages import catalogue, said
from grader.misconceptions import diagnose, told_by_checks
from grader.model import CheckResult, Claim, ExerciseResult, Generate, Json, Margin, Remark, Verdict
from grader.oracle.generator import judge_dimension, made
from grader.session.budgets import budget_of

OUTPUT_SHOWN = 4000
"""At most 4,000 characters of what the student's code printed are shown back."""

WORTH_TELLING = 0.02
"""Calls that take up to 0.02 seconds are far from every limit."""

NO_SEARCH = "SearchNotLoaded"
"""What the box raises at the use of a Search that cannot be had."""

_LOG = logging.getLogger("grader")


class _Judged(NamedTuple):
    """What came of one check."""

    result: CheckResult
    decides: bool
    """The whole exercise earns nothing."""


class Exam:
    """What is shown is graded first; what is hidden when that of all other exercises is, too."""

    def __init__(
        self, plan: Plan, exercise: Exercise, make_calls: MakeCalls, make_with_working_search: MakeCalls
    ) -> None:
        self.exercise = exercise
        self._plan, self._make_calls = plan, make_calls
        self._make_with_working_search = make_with_working_search
        self._hidden = tuple(check for check in exercise.checks if _hides(check, plan))
        self._shown = tuple(check for check in exercise.checks if check not in self._hidden)
        self._stands_on_wrong_search = False
        self._judged: dict[str, _Judged] = {}
        self._output = ""
        self._gallery: tuple[dict[str, Json], ...] = ()
        self._margins: list[Margin] = []
        self.remarks: tuple[Remark, ...] = ()

    @property
    def lost_points(self) -> bool:
        """Whether a check that was judged so far has not passed."""
        return any(judged.result.score < judged.result.max_score for judged in self._judged.values())

    def grade_shown(self, *, search_is_wrong: bool) -> None:
        """Judge all checks but the hidden ones; solvers may stand on a Search that is wrong."""
        trial = Trial(self._shown, self._make_calls)
        trial.run()
        self._stands_on_wrong_search = search_is_wrong and self._uses_search(trial)
        followed = self._judge_all(trial)
        if followed is not None or not self._stands_on_wrong_search:
            self._explain(followed or trial)
        self._note_margins(trial)
        self.remarks = () if self._stands_on_wrong_search else remarks_on(self.exercise, trial)
        self._output = _output(trial)
        self._gallery = self._drawn()

    def grade_hidden(self) -> None:
        """Judge the hidden checks."""
        if self._hidden:
            trial = Trial(self._hidden, self._make_calls)
            trial.run()
            self._judge_all(trial)
            self._note_margins(trial)

    def result(self) -> ExerciseResult:
        """All checks, in the order of the rubric."""
        judged = [self._judged[check.id] for check in self.exercise.checks]
        results = tuple(each.result for each in judged)
        zeroed = any(each.decides for each in judged)
        if zeroed:
            results = tuple(map(_not_counted, results))
        return ExerciseResult(
            *(self.exercise.id, self.exercise.title, results, self._output, self._gallery, zeroed),
            margin=max(self._margins, key=lambda margin: margin.seconds / margin.limit, default=None),
        )

    # --- verdicts ---------------------------------------------------------------------------------

    def _judge_all(self, trial: Trial) -> Trial | None:
        """Judge all checks of a trial; return the one with a Search that works, where there is one."""
        if self._stands_on_wrong_search and self._plan.rubric.follow_through == "full":
            return self._follow_through(trial)
        for check in trial.checks:
            judged = self._judge(check, trial, trial.wrong(check))
            is_lost = judged.result.verdict != PASSED
            if is_lost and self._stands_on_wrong_search:
                judged = _blaming_search(judged, self.exercise.target.name)
            self._judged[check.id] = judged
        return None

    def _judge(self, check: Check, trial: Trial, wrong: Wrong | None) -> _Judged:
        planned = self._plan.points[check.id]
        verdict = whole = PASSED if wrong is None else verdict_on(self.exercise, wrong)
        if self._is_hidden(check.id) and self._plan.rubric.hidden_feedback == "outcome":
            verdict = only_outcome(verdict, all_missing=self._is_all_missing())
        result = CheckResult(
            *(check.id, check.title, planned.points, planned.visibility, verdict),
            for_staff=whole if whole != verdict else None,
            wrong_mazes=() if wrong is None else _wrong_mazes(check, trial),
        )
        return _Judged(result, wrong is not None and wrong.finding.decides)

    def _is_hidden(self, id_: str) -> bool:
        return any(check.id == id_ for check in self._hidden)

    def _is_all_missing(self) -> bool:
        """Whether nothing was found to grade, as the shown checks tell."""
        shown = [self._judged[check.id].result.verdict.status for check in self._shown]
        return bool(shown) and set(shown) == {"missing"}

    def _follow_through(self, trial: Trial) -> Trial:
        """Judge what was lost with a Search that works."""
        lost = [check for check in trial.checks if not trial.passes(check)]
        again = Trial(thinned(lost, trial.claims), self._make_with_working_search)
        again.run()
        self._judged |= {
            check.id: self._judge(check, trial, None) for check in trial.checks if check not in lost
        }
        for check in again.checks:
            judged = self._judge(check, again, again.wrong(check))
            if judged.result.verdict == PASSED:
                judged = judged._replace(result=replace(judged.result, follow_through=True))
            self._judged[check.id] = judged
        return again

    def _uses_search(self, trial: Trial) -> bool:
        """Whether the solver ever put a cell into the Search that it was given, or tried to."""
        if self.exercise.kind != "solver":
            return False
        if any(claim.fault and claim.fault.kind == NO_SEARCH for claim in trial.claims.values()):
            return True
        return any(run.used_search for claim in trial.claims.values() for run in claim.runs)

    def _explain(self, trial: Trial) -> None:
        """Give the first shown failure the misconception that explains what came, if one does."""
        failed = (each for each in self._judged.values() if each.result.verdict.counterexample is not None)
        first = next(failed, None)
        if first is None:
            return
        misconception = self._told_by_checks() or self._diagnosed(trial)
        if misconception is not None:
            hint = catalogue(self._plan.rubric.language).hint(misconception)
            verdict = replace(first.result.verdict, misconception=misconception, hint=hint)
            result = replace(first.result, verdict=verdict)
            self._judged[result.id] = first._replace(result=result)

    def _told_by_checks(self) -> str | None:
        lost = [id_ for id_, judged in self._judged.items() if judged.result.verdict != PASSED]
        decides = any(judged.decides for judged in self._judged.values())
        return told_by_checks(self.exercise.id, lost, decides=decides)

    def _diagnosed(self, trial: Trial) -> str | None:
        """The misconception; a hint that cannot be worked out is logged, and costs no result."""
        pairs = [(trial.cases[id_].call, claim) for id_, claim in trial.claims.items()]
        try:
            return diagnose(self.exercise.id, pairs)
        except Exception:  # noqa: BLE001 - a hint is not worth a result that is lost
            _LOG.exception("a mistake in the grader: no diagnosis of the exercise %s", self.exercise.id)
            return None

    # --- what is told beside them ----------------------------------------------------------------

    def _note_margins(self, trial: Trial) -> None:
        """Keep how close the calls came to the end of their time."""
        for id_, case in trial.cases.items():
            seconds = trial.claims[id_].cpu_seconds if id_ in trial.claims else 0.0
            if seconds > WORTH_TELLING:
                limit = budget_of(case.call, self._plan.limits).cpu_seconds
                self._margins.append(Margin(case.label, seconds, limit))

    def _drawn(self) -> tuple[dict[str, Json], ...]:
        """Some mazes of a generator that makes any."""
        earned = any(judged.result.score for judged in self._judged.values())
        if self.exercise.kind != "generator" or not earned:
            return ()
        calls = [case.call for case in self._plan.gallery]
        claims = self._make_calls(calls, False)
        pictures = (_picture(call.asked(Generate), claim) for call, claim in zip(calls, claims, strict=True))
        return tuple(picture for picture in pictures if picture is not None)


def _hides(check: Check, plan: Plan) -> bool:
    return plan.points[check.id].visibility == "hidden" or any(case.hidden for case in check.cases)


def _blaming_search(judged: _Judged, name: str) -> _Judged:
    """The same with a word on the Search that the solver builds on, and no hint on its own code."""
    verdict = blame_search(judged.result.verdict, name)
    return judged._replace(result=replace(judged.result, verdict=verdict))


def _wrong_mazes(check: Check, trial: Trial) -> tuple[str, ...]:
    """The names of the test mazes on which a check fails, each judged by itself."""
    named = [(case, dict(case.label.values).get("name")) for case in check.cases]
    tried = [(case, name) for case, name in named if isinstance(name, str) and case.call.id in trial.claims]
    return tuple(dict.fromkeys(name for case, name in tried if check.judge((case,), trial.claims)))


def _output(trial: Trial) -> str:
    """What was printed, as far as it is shown."""
    printed = dict.fromkeys(claim.output for claim in trial.claims.values() if claim.output)
    text = "".join(printed)
    return text if len(text) <= OUTPUT_SHOWN else text[:OUTPUT_SHOWN] + "\n…"


def _not_counted(result: CheckResult) -> CheckResult:
    """A check that passed in an exercise that earns nothing."""
    if result.verdict.status != "passed":
        return result
    return replace(result, verdict=Verdict("skipped", said("not_counted")))


def _picture(asked: Generate, claim: Claim) -> dict[str, Json] | None:
    """A maze of the gallery, with what it takes to make it again; None where it is none of that size."""
    if judge_dimension(asked, claim) is not None:
        return None
    (maze,) = made(claim)
    return {"rows": asked.rows, "columns": asked.columns, "seed": asked.seed, "maze": maze.text}
